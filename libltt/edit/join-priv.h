/* join-priv.h - shared by the files join-*.c, which write several traces as one. */
#ifndef LTT_JOIN_PRIV_H
#define LTT_JOIN_PRIV_H

#ifndef LTT_BUILDING
#error "edit/join-priv.h is private to libltt; use <ltt/ltt-join.h>"
#endif

#include "base/job-priv.h"
#include "edit/rewrite-priv.h"
#include "reader/block-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-writer.h>

typedef struct LttJoinWriting {
	LttTrace *joined;
	const char *path;
	LttTraceWriter *writer;
	LttArch arch; /* of the new trace, like the members below */
	guint64 block_bytes;
	GHashTable *codes;   /* LttFacility -> its base code */
	GHashTable *layouts; /* LttFacility -> LttLayouts of facilities whose events are
			      * rewritten */
	guint64 n_blocks;    /* of all tracefiles */
	guint64 n_blocks_done;
	guint64 n_copied;     /* blocks */
	guint64 n_unwritable; /* events */
	LttJobCallbacks callbacks;
} LttJoinWriting;

/* The current tracefile. */
typedef struct LttJoinCopy {
	LttJoinWriting *writing;
	LttTracefile *tracefile;
	const LttTrace *member;
	const char *path;
	int fd;
	guint64 n_written; /* blocks */
	guint32 first_id;  /* of the first block */
	guint32 last_id;   /* of the block written last */
} LttJoinCopy;

/* Returns: FALSE for events that frame a block, because a new block has its own */
static inline gboolean ltt_join_is_written(LttEventRole role)
{
	return role == LTT_ROLE_ORDINARY || role == LTT_ROLE_EVENTS_LOST ||
	       role == LTT_ROLE_TRACER || role == LTT_ROLE_MACHINE;
}

/* ---- join-report.c ---- */

/* Reports that a block is done. Returns: FALSE with LTT_ERROR_CANCELLED */
gboolean ltt_join_tell_progress(LttJoinWriting *writing, GError **error);

/* Reports the damage of @block, if it has any. */
void ltt_join_tell_damage(const LttJoinCopy *copy, const LttBlock *block);

/* Reports damage. @reason: (transfer full): why a step failed. Returns: FALSE if @reason is not
 * damage; it is then moved to @error */
gboolean ltt_join_pass_damage(const LttJoinWriting *writing, GError *reason, GError **error);

/* Counts and reports the events that @out could not write to the tracefile @name. */
void ltt_join_tell_unwritten(LttJoinWriting *writing, const char *name, const LttRewriter *out);

/* ---- join-size.c ---- */

/* Sets block_bytes so that all events fit. Returns: FALSE with LTT_ERROR_CANCELLED */
gboolean ltt_join_settle_block_bytes(LttJoinWriting *writing, GError **error);

/* ---- join-codes.c ---- */

/* Loads a facility of a member in the new trace, unless it is already loaded. @base_code: (out): in
 * the new trace. Returns: FALSE as ltt_trace_writer_load() */
gboolean ltt_join_load(LttJoinWriting *writing, const LttFacility *facility, guint32 *base_code,
		       GError **error);

/* The same for the facility of @type. @id: (out): of its events in the new trace */
gboolean ltt_join_find_id(LttJoinWriting *writing, const LttEventType *type, guint16 *id,
			  GError **error);

/* The same for all facilities that a member loads in control/facilities. */
gboolean ltt_join_load_all(LttJoinWriting *writing, const LttTrace *member, GError **error);

/* Returns: whether blocks of a member can be copied to the new trace; else its events are written
 * to new blocks */
gboolean ltt_join_can_copy(const LttJoinWriting *writing, const LttTrace *member);

/* Returns: (nullable): the layout of the payload in the new trace; NULL: no payload */
const LttLayout *ltt_join_find_layout(LttJoinWriting *writing, const LttEventType *type);

/* ---- join-block.c ---- */

/* Converts a block of a member, in memory, to a block of the new trace. Returns: FALSE as
 * ltt_join_load(), or with LTT_ERROR_INVALID: a time cannot be written */
gboolean ltt_join_change_block(LttJoinCopy *copy, LttBlock *block, GError **error);

/* ---- join-rewrite.c ---- */

/* Writes the file @path with the events of a tracefile whose blocks cannot be copied. Returns:
 * FALSE with LTT_ERROR_IO, LTT_ERROR_LIMIT, or as ltt_join_load() */
gboolean ltt_join_rewrite(LttJoinWriting *writing, LttTracefile *tracefile, const char *path,
			  GError **error);

/* ---- join-interleave.c ---- */

/* Writes the file @path with the events of several tracefiles of one CPU. Returns: as
 * ltt_join_rewrite() */
gboolean ltt_join_interleave(LttJoinWriting *writing, LttTracefile *const *tracefiles, guint n,
			     const char *path, GError **error);

#endif
