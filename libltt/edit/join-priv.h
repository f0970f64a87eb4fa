/* join-priv.h - what the files share that write several traces as one. */
#ifndef LTT_JOIN_PRIV_H
#define LTT_JOIN_PRIV_H

#ifndef LTT_BUILDING
#error "edit/join-priv.h is private to libltt; use <ltt/ltt-join.h>"
#endif

#include "reader/block-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-writer.h>

typedef struct LttJoinWriting {
	LttTrace *joined;
	const char *path;
	LttTraceWriter *writer;
	LttByteOrder byte_order;
	guint64 block_bytes; /* of the new trace */
	GHashTable *codes;   /* LttFacility -> its base code in the new trace */
	guint64 n_blocks;    /* of all tracefiles */
	guint64 n_blocks_done;
	LttProblemFunc on_problem;
	gpointer problem_data;
	LttProgressFunc on_progress;
	gpointer progress_data;
} LttJoinWriting;

/* The tracefile under way. */
typedef struct LttJoinCopy {
	LttJoinWriting *writing;
	const LttTracefile *tracefile;
	const LttTrace *member;
	char *path;
	int fd;
	guint64 n_written; /* blocks */
	guint32 last_id;   /* of the block written last */
} LttJoinCopy;

/* ---- join-codes.c ---- */

/* Makes sure that a facility of a member is loaded in the new trace. @base_code: (out): in that.
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED: it has other sizes there; or as
 * ltt_trace_writer_load() */
gboolean ltt_join_load(LttJoinWriting *writing, const LttTrace *member, const LttFacility *facility,
		       guint32 *base_code, GError **error);

/* The same for all that a member loads in control/facilities. */
gboolean ltt_join_load_all(LttJoinWriting *writing, const LttTrace *member, GError **error);

/* ---- join-block.c ---- */

/* Makes a block of a member, in memory, one of the new trace. Returns: FALSE as ltt_join_load(), or
 * with LTT_ERROR_INVALID: a time cannot be written */
gboolean ltt_join_change_block(LttJoinCopy *copy, LttBlock *block, GError **error);

#endif
