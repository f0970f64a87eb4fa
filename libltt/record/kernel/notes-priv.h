/* notes-priv.h - events that are written later, in the order of their times. */
#ifndef LTT_RECORD_KERNEL_NOTES_PRIV_H
#define LTT_RECORD_KERNEL_NOTES_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/notes-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include <ltt/ltt-payload.h>

typedef struct LttNote {
	guint64 cycles;
	guint32 tid; /* that it names */
	guint16 id;
	guint16 n_bytes;
	guint8 *bytes; /* owned */
} LttNote;

typedef void (*LttNoteFunc)(const LttNote *note, gpointer user_data);

/* Returns: (transfer full) (element-type LttNote) */
GArray *ltt_notes_new(void);

/* Notes the event in @payload. */
void ltt_notes_add(GArray *notes, guint64 cycles, guint32 tid, guint16 id,
		   const LttPayload *payload);

/* Calls a function with each event before a time, and removes it. */
void ltt_notes_take(GArray *notes, guint64 before_cycles, LttNoteFunc func, gpointer user_data);

#endif
