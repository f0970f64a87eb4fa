/* work-priv.h - what the files that make a tracefile out of another one share. */
#ifndef LTT_WORK_PRIV_H
#define LTT_WORK_PRIV_H

#ifndef LTT_BUILDING
#error "edit/work-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"
#include "edit/edit-priv.h"
#include "edit/processes-priv.h"
#include "reader/cursor-priv.h"

/* An event of the block under way that is wanted. */
typedef struct LttWanted {
	guint32 index;
	gboolean is_alive; /* it is kept for its process only */
	gboolean has_thread;
	guint32 pid;
	guint32 tid;
} LttWanted;

typedef struct LttWork {
	LttEdit *edit;
	LttTracefile *tracefile;
	LttRewriter *out;
	LttCursor *cursor;
	LttStoredFile source;
	LttAlive *alive;        /* NULL: nothing of the kind */
	gboolean is_selected;   /* ordinary events of the file are wanted */
	gboolean is_facilities; /* control/facilities */
	gboolean is_imported;   /* a control file of an imported recording */
	gboolean has_local_loads;
	gboolean has_begun; /* something was written, not counting loads */
	GArray *wanted;     /* of Wanted: those of the block */
	GByteArray *payload;
	guint64 most_ns;     /* of the events read so far, written or not */
	LttTimeValue last;   /* the cycles and the time of the last event read */
	guint64 lost_before; /* total of events lost in front of what is written */
	guint64 lost_total;  /* the greatest total that was met */
	guint64 n_gone;      /* events that damage took, at least */
} LttWork;

/* Events that hold a block together; those that are wanted are all others. */
static inline gboolean ltt_work_is_frame(LttEventRole role)
{
	return role != LTT_ROLE_ORDINARY && role != LTT_ROLE_EVENTS_LOST &&
	       role != LTT_ROLE_TRACER && role != LTT_ROLE_MACHINE;
}

static inline LttEventRole ltt_work_get_role(const LttBlock *block, guint32 index)
{
	return block->slots[block->records[index].id].role;
}

static inline guint32 ltt_work_get_id_at(const LttWork *work, guint32 offset)
{
	return ltt_load_u32(work->cursor->block.bytes + offset + LTT_EVENT_HEADER_BYTES +
				    work->edit->form.block_id_at,
			    ltt_system_get_arch(work->edit->trace->system)->byte_order);
}

static inline const LttTimeValue *ltt_work_get_stamp(const LttBlock *block, guint index)
{
	return &g_array_index(block->stamps, LttTimeValue, index);
}

static inline const LttSlots *ltt_work_get_slots(const LttWork *work)
{
	return work->has_local_loads ? work->tracefile->local_slots : work->edit->trace->slots;
}

/* Loads the facilities that the file loads for itself, once they are known. */
void ltt_work_settle_loads(LttWork *work, const LttTimeValue *at);

/* Tells, before anything else is written, how many events were lost in front of it. @is_copied: the
 * block under way is copied; else its wanted events are written */
void ltt_work_settle_lost(LttWork *work, const LttTimeValue *at, gboolean is_copied);

/* Returns: how many events are gone with the rest of the damaged block under way, at least */
guint64 ltt_work_count_gone(const LttWork *work);

/* Counts in the new file what is gone of the old one, on top of what was lost while recording, and
 * adds it to the losses. */
void ltt_work_write_loss(LttWork *work);

#endif
