/* join-write.c - write several traces as one. See ltt-join.h.
 *
 * Blocks are copied with every event at its place, so deltas and times do not change. If the new
 * blocks are larger, padding fills the rest. Only tracefiles whose blocks would change their
 * meaning are rewritten event by event.
 */
#include "edit/join-priv.h"

#include "base/aside-priv.h"
#include "base/bytes-priv.h"
#include "base/directory-priv.h"
#include "base/error-priv.h"
#include "base/write-at-priv.h"

#include <ltt/ltt-bookmarks.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* ---- blocks ---- */

static gboolean write_at(const LttJoinCopy *copy, const guint8 *bytes, gsize size, guint64 offset,
			 GError **error)
{
	const int errnum = ltt_write_at(copy->fd, bytes, size, offset);

	return errnum == 0 || ltt_fail_io(error, copy->path, "write", errnum);
}

static gboolean write_block(LttJoinCopy *copy, LttBlock *block, GError **error)
{
	const guint64 block_bytes = copy->writing->block_bytes;
	const guint64 at = copy->n_written * block_bytes;
	guint8 word[LTT_FINAL_WORD_BYTES];

	ltt_store_u32(word, block->records[block->n_events - 1].offset,
		      copy->writing->arch.byte_order);
	copy->n_written++;
	copy->writing->n_copied++;
	return write_at(copy, block->bytes, block->records[block->n_events].offset, at, error) &&
	       write_at(copy, word, sizeof(word), at + block_bytes - sizeof(word), error);
}

static gboolean copy_block(LttJoinCopy *copy, LttBlock *block, guint64 position, GError **error)
{
	LttJoinWriting *writing = copy->writing;

	if (!ltt_block_load(block, (LttTracefile *)copy->tracefile, position, error))
		return FALSE;
	ltt_join_tell_damage(copy, block);
	if (block->n_events > 0 &&
	    !(ltt_join_change_block(copy, block, error) && write_block(copy, block, error)))
		return FALSE;
	return ltt_join_tell_progress(writing, error);
}

static gboolean copy_blocks(LttJoinCopy *copy, GError **error)
{
	const guint64 n_blocks = ltt_tracefile_get_n_ordered(copy->tracefile);
	gboolean ok = TRUE;
	LttBlock block;

	ltt_block_init(&block);
	for (guint64 i = 0; ok && i < n_blocks; i++)
		ok = copy_block(copy, &block, i, error);
	ltt_block_clear(&block);
	return ok;
}

static gboolean copy_tracefile(LttJoinWriting *writing, LttTracefile *tracefile, const char *path,
			       GError **error)
{
	LttJoinCopy copy = {.writing = writing,
			    .tracefile = tracefile,
			    .member = tracefile->trace,
			    .path = path};
	gboolean ok;

	copy.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (copy.fd < 0)
		return ltt_fail_io(error, path, "make the file", errno);
	ok = copy_blocks(&copy, error);
	if (close(copy.fd) < 0 && ok)
		ok = ltt_fail_io(error, path, "write", errno);
	return ok;
}

/* Returns: whether times of the tracefile depend on the cycle_frequency of its trace */
static gboolean rests_on_system(LttTracefile *tracefile)
{
	const guint64 n_blocks = ltt_tracefile_get_n_ordered(tracefile);
	gboolean rests = FALSE;
	LttBlock block;

	ltt_block_init(&block);
	for (guint64 i = 0; !rests && i < n_blocks; i++) {
		g_autoptr(GError) error = NULL;

		rests = ltt_block_load(&block, tracefile, i, &error) && block.rests_on_system;
		ltt_tracefile_note_failure(tracefile, error);
	}
	ltt_block_clear(&block);
	return rests;
}

/* Returns: whether the clock of the trace bends between two events of the tracefile. Its blocks do
 * not have the time values that a bend needs. */
static gboolean has_bends(LttTracefile *tracefile)
{
	const LttClockMap *map = tracefile->trace->clock_map;
	const LttTracefileSummary *summary = ltt_tracefile_get_summary(tracefile);
	const LttClockPoint *points;
	gboolean has_any = FALSE;
	guint n_points;

	if (map == NULL || !summary->has_events)
		return FALSE;
	points = ltt_clock_map_get_points(map, &n_points);
	for (guint i = 1; i + 1 < n_points; i++)
		has_any = has_any || (points[i].to_ns > summary->first_ns &&
				      points[i].to_ns < summary->last_ns);
	return has_any;
}

/* Returns: whether a block has the same times in the new trace, which has the cycle_frequency of
 * the first member */
static gboolean keeps_times(const LttJoinWriting *writing, LttTracefile *tracefile)
{
	const guint64 own_hz = ltt_system_get_cycle_frequency(tracefile->trace->system);

	if (has_bends(tracefile))
		return FALSE;
	return (own_hz == ltt_system_get_cycle_frequency(writing->joined->system) &&
		tracefile->trace->clock_map == NULL) ||
	       !rests_on_system(tracefile);
}

/* Writes one tracefile from one source, or from several if several traces recorded the CPU. */
static gboolean write_tracefile(LttJoinWriting *writing, LttTracefile *const *tracefiles, guint n,
				GError **error)
{
	LttTracefile *tracefile = tracefiles[0];
	g_autofree char *path = g_build_filename(writing->path, tracefile->name, NULL);

	if (n > 1)
		return ltt_join_interleave(writing, tracefiles, n, path, error);
	return ltt_join_can_copy(writing, tracefile->trace) && keeps_times(writing, tracefile)
		       ? copy_tracefile(writing, tracefile, path, error)
		       : ltt_join_rewrite(writing, tracefile, path, error);
}

/* ---- the trace ---- */

static gboolean copy_bookmarks(const LttJoinWriting *writing, GError **error)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(writing->joined);
	g_autofree char *text = NULL;

	if (bookmarks->len == 0)
		return TRUE;
	text = ltt_bookmarks_print(bookmarks);
	return ltt_directory_write(writing->path, "info/bookmarks.xml", text, error);
}

/* Returns: how many consecutive tracefiles, from number @first on, have the same name */
static guint count_of_name(const GPtrArray *tracefiles, guint first)
{
	const LttTracefile *tracefile = tracefiles->pdata[first];
	guint end = first + 1;

	while (end < tracefiles->len &&
	       g_str_equal(((const LttTracefile *)tracefiles->pdata[end])->name, tracefile->name))
		end++;
	return end - first;
}

static gboolean fill(LttJoinWriting *writing, GError **error)
{
	const GPtrArray *tracefiles = writing->joined->tracefiles;
	const GPtrArray *members = writing->joined->members;

	for (guint i = 0; i < members->len; i++)
		if (!ltt_join_load_all(writing, members->pdata[i], error))
			return FALSE;
	for (guint i = 0, n; i < tracefiles->len; i += n) {
		n = count_of_name(tracefiles, i);
		if (!write_tracefile(writing, (LttTracefile *const *)tracefiles->pdata + i, n,
				     error))
			return FALSE;
	}
	return copy_bookmarks(writing, error) && ltt_trace_writer_close(writing->writer, error);
}

static void free_layouts(gpointer layouts)
{
	ltt_layouts_free(layouts);
}

static guint64 count_blocks(const LttTrace *joined)
{
	guint64 n_blocks = 0;

	for (guint i = 0; i < joined->tracefiles->len; i++)
		n_blocks += ltt_tracefile_get_n_ordered(joined->tracefiles->pdata[i]);
	return n_blocks;
}

/* Returns: the byte order of the joined system, and the largest sizes of all members, so that all
 * numbers fit */
static LttArch settle_arch(const LttTrace *joined)
{
	LttArch arch = *ltt_system_get_arch(joined->system);

	for (guint i = 0; i < joined->members->len; i++) {
		const LttTrace *member = joined->members->pdata[i];

		arch.size = MAX(arch.size, ltt_system_get_arch(member->system)->size);
	}
	return arch;
}

/* Returns: (transfer full): the joined system, in the version and with the sizes that are written */
static LttSystem *settle_system(const LttJoinWriting *writing)
{
	LttSystem *system = ltt_system_dup(writing->joined->system);
	g_autofree char *block_bytes = g_strdup_printf("%" G_GUINT64_FORMAT, writing->block_bytes);

	ltt_system_set(system, "arch_size", ltt_arch_size_name(writing->arch.size));
	ltt_system_set(system, "ltt_block_size", block_bytes);
	ltt_system_set(system, "ltt_minor_version", "0");
	ltt_system_seal(system, NULL); /* the values were valid in a sealed system */
	return system;
}

/* A block has the seconds of times in 32 bits. */
static gboolean check_times(const LttTrace *joined, GError **error)
{
	for (guint i = 0; i < joined->members->len; i++) {
		const LttTrace *member = joined->members->pdata[i];

		if (!ltt_trace_check_values(member, LTT_MAX_WRITTEN_NS, error)) {
			g_prefix_error(error, "%s: ", ltt_trace_get_path(member));
			return FALSE;
		}
	}
	return TRUE;
}

/* Writes the trace with the sizes that are settled. */
static gboolean write_trace(LttJoinWriting *writing, GError **error)
{
	g_autoptr(LttSystem) system = settle_system(writing);
	/* The facilities are loaded before the first event. */
	LttWriterOptions options = {.line = {.dt_ns = 1, .dc_cycles = 1}};
	guint64 end_ns;
	gboolean ok;

	if (ltt_trace_get_span(writing->joined, &options.line.time_ns, &end_ns))
		options.line.cycles = options.line.time_ns;
	writing->writer = ltt_trace_writer_new(writing->path, system, &options, error);
	if (writing->writer == NULL)
		return FALSE;
	ok = fill(writing, error);
	ltt_trace_writer_free(writing->writer);
	return ok;
}

static gboolean write_joined(const LttJoinWriteRequest *request, const char *path,
			     LttJoinWriteSummary *summary, GError **error)
{
	LttTrace *joined = request->joined;
	LttJoinWriting writing = {
		.joined = joined,
		.path = path,
		.n_blocks = count_blocks(joined),
		.callbacks = request->callbacks,
	};
	gboolean ok;

	g_return_val_if_fail(joined->members != NULL, FALSE);
	writing.arch = settle_arch(joined);
	writing.codes = g_hash_table_new(NULL, NULL);
	writing.layouts = g_hash_table_new_full(NULL, NULL, NULL, free_layouts);
	ok = check_times(joined, error) && ltt_join_settle_block_bytes(&writing, error) &&
	     write_trace(&writing, error);
	g_hash_table_unref(writing.codes);
	g_hash_table_unref(writing.layouts);
	if (ok && summary != NULL)
		*summary = (LttJoinWriteSummary){.n_blocks = writing.n_blocks_done,
						 .n_copied = writing.n_copied,
						 .n_unwritable = writing.n_unwritable};
	return ok;
}

/* The trace gets its name when it is complete. */
gboolean ltt_join_write(const LttJoinWriteRequest *request, LttJoinWriteSummary *summary,
			GError **error)
{
	g_autofree char *path = NULL;
	LttAside aside;
	gboolean ok;

	if (!ltt_aside_make_directory(&aside, request->path, error))
		return FALSE;
	path = g_build_filename(aside.path, LTT_ASIDE_TRACE, NULL);
	ok = write_joined(request, path, summary, error) &&
	     ltt_aside_settle_part(&aside, LTT_ASIDE_TRACE, error);
	ltt_aside_clear(&aside);
	return ok;
}
