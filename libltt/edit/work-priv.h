/* work-priv.h - the state of deriving one tracefile. */
#ifndef LTT_WORK_PRIV_H
#define LTT_WORK_PRIV_H

#ifndef LTT_BUILDING
#error "edit/work-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"
#include "edit/edit-priv.h"
#include "edit/processes-priv.h"
#include "reader/cursor-priv.h"

/* A selected event of the current block. */
typedef struct LttWanted {
	guint32 index;
	gboolean is_alive; /* kept only because its process is alive */
	gboolean has_thread;
	guint32 pid;
	guint32 tid;
} LttWanted;

typedef struct LttWork {
	LttEdit *edit;
	LttTracefile *tracefile;
	LttRewriter *out;
	LttCursor *cursor;
	guint64 first_in_window; /* position of the first block; 0 unless named events are kept */
	LttStoredFile source;
	LttAlive *alive;        /* NULL: none */
	gboolean is_selected;   /* ordinary events of the file are selected */
	gboolean is_facilities; /* control/facilities */
	gboolean has_local_loads;
	gboolean has_begun; /* something other than loads was written */
	GArray *wanted;     /* of Wanted: those of the block */
	GByteArray *payload;
	guint64 most_ns;     /* of the events read so far, written or not */
	LttTimeValue last;   /* the cycles and the time of the last event read */
	guint64 lost_before; /* total of events lost before the events written */
	guint64 lost_total;  /* the greatest total read */
	guint64 n_gone;      /* lower bound of the events lost to damage */
} LttWork;

/* Returns: whether an event frames a block, and is thus never selected */
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

/* Writes the loads of facilities of the file itself, once they are known. */
void ltt_work_settle_loads(LttWork *work, const LttTimeValue *at);

/* After ltt_cursor_set_window() from 0, to keep events from before the window of the cut: finds the
 * first block of the window, and the total of events lost before it */
void ltt_work_find_window(LttWork *work);

/* Lets the cursor skip blocks before the window that are known to have no event to keep. */
void ltt_work_skip_unneeded(LttWork *work);

/* Writes, before anything else, the number of events lost before. @is_copied: the current block is
 * copied; else its selected events are written */
void ltt_work_settle_lost(LttWork *work, const LttTimeValue *at, gboolean is_copied);

/* Returns: a lower bound of the events lost with the rest of the current, damaged block */
guint64 ltt_work_count_gone(const LttWork *work);

/* Writes the number of events lost by damage, added to those lost while recording, and adds it to
 * the losses. */
void ltt_work_write_loss(LttWork *work);

#endif
