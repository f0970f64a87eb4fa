/* cpu-file-priv.h - the tracefile with the kernel's events on one CPU.
 *
 *	block  block_start clock [thread] [events_lost] | events, heartbeats | block_end
 *
 * One thread of the recorder writes the file. A block is written to disk in pieces: events first,
 * then the word at the end, so that the trace is valid if the recorder is killed. The word has the form
 * of session.h, so that snapshots can copy the blocks.
 */
#ifndef LTT_RECORD_KERNEL_CPU_FILE_PRIV_H
#define LTT_RECORD_KERNEL_CPU_FILE_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/cpu-file-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/past-priv.h"
#include "session/session.h"
#include "writer/block-writer-priv.h"

typedef struct LttCpuFile {
	const LttPast *past; /* borrowed */
	LttBlockWriter block;
	guint64 last_cycles;     /* of the last event */
	struct lttp_instant end; /* of the line that the last event is on */
	int fd;
	guint32 n_slots;     /* of a flight recorder; 0: keep all blocks */
	guint32 n_blocks;    /* begun so far */
	gsize stored_bytes;  /* of the current block */
	guint32 pid;         /* of the last thread event of the block */
	guint32 tid;         /* likewise */
	gboolean has_thread; /* the block has a thread event */
	guint64 n_lost;      /* in all */
	guint64 n_reported;  /* the last total in the file */
	guint64 n_written;   /* events */
	int errnum;          /* why the last event could not be written; 0: it could */
	guint64 cut_cycles;  /* of a cut that no event has passed; G_MAXUINT64: none */
	struct lttp_place
		cut_place; /* the end before the first event that did, or of a closed file */
} LttCpuFile;

/* Value for the thread of an event that has none. */
#define LTT_NO_THREAD G_MAXUINT32

/* Creates the tracefile @path of the trace. @n_slots: blocks of a flight recorder; 0: no flight recorder.
 * Returns: 0 or -errno */
int ltt_cpu_file_open(LttCpuFile *file, struct lttp_session *session, const char *path,
		      guint32 n_slots, const LttPast *past);

/* Appends an event of a thread, or of LTT_NO_THREAD, without its payload. An event that cannot be written is lost, and
 * counted. @cycles: not below that of the previous event, otherwise that is used.
 * Returns: (nullable): where the caller writes the payload; NULL: the event is lost */
guint8 *ltt_cpu_file_add(LttCpuFile *file, guint64 cycles, guint32 pid, guint32 tid, guint16 id,
			 gsize payload_bytes);

/* Counts events that were lost before the next one. */
void ltt_cpu_file_lose(LttCpuFile *file, guint64 n_events);

/* Returns: the end of the file, which may be closed */
struct lttp_place ltt_cpu_file_get_place(const LttCpuFile *file);

/* Writes to disk what was appended. Returns: 0 or an errno */
int ltt_cpu_file_flush(LttCpuFile *file);

/* Closes the block and the file. Returns: 0 or an errno */
int ltt_cpu_file_close(LttCpuFile *file);

#endif
