/* partition.c - runs of blocks that can be decoded independently.
 *
 * A window excludes the blocks outside it, except incomplete blocks, which may hold events of any
 * time.
 */
#include "base/error-priv.h"
#include "base/time-priv.h"
#include "reader/ends-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-partition.h>

#include <string.h>

#define N_NUMBERS 4 /* words after the name in a partition as text */

/* Reads the times of the block headers: of all blocks only if their times are not sorted. */
static void set_times(LttPartition *partition)
{
	LttTracefile *tracefile = partition->tracefile;
	const guint64 last = partition->n_blocks - 1;
	guint64 step = 1;
	gboolean has_times = FALSE;

	ltt_tracefile_need_order(tracefile, LTT_ORDER_SAMPLED);
	if (tracefile->order.rises)
		step = MAX(last, 1);
	for (guint64 i = 0; i <= last; i += step) {
		LttBlockEnds ends;

		ltt_tracefile_read_ends(
			tracefile, ltt_tracefile_get_ordered(tracefile, partition->first_block + i),
			&ends);
		if (!ends.has_start)
			continue;
		if (!ends.is_complete)
			ends.first_ns = ends.last_ns = ends.start.time_ns;
		partition->first_ns =
			has_times ? MIN(partition->first_ns, ends.first_ns) : ends.first_ns;
		partition->last_ns = MAX(partition->last_ns, ends.last_ns);
		has_times = TRUE;
	}
}

static void add(GArray *partitions, LttTracefile *tracefile, guint64 first, guint64 end)
{
	LttPartition partition = {
		.tracefile = tracefile,
		.first_block = first,
		.n_blocks = end - first,
	};

	set_times(&partition);
	g_array_append_val(partitions, partition);
}

static void split_tracefile(GArray *partitions, LttTracefile *tracefile, const LttSelect *select,
			    guint64 n_blocks)
{
	guint64 from_ns;
	guint64 to_ns;
	guint64 first = 0;
	guint64 end;
	guint64 at = 0;

	if (select != NULL && ltt_select_get_window(select, &from_ns, &to_ns))
		ltt_tracefile_find_window(tracefile, from_ns, to_ns, &first, &end);
	else
		end = ltt_tracefile_get_n_ordered(tracefile);
	for (;;) {
		guint64 stop;

		at = ltt_tracefile_next_in_window(tracefile, first, end, at);
		if (at >= tracefile->order.n_blocks)
			return;
		stop = at >= first && at < end ? MIN(end, at + n_blocks) : at + 1;
		add(partitions, tracefile, at, stop);
		at = stop;
	}
}

GArray *ltt_partitions_new(LttTrace *trace, const LttSelect *select, guint64 part_bytes)
{
	GArray *partitions = g_array_new(FALSE, FALSE, sizeof(LttPartition));

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);

		if (select == NULL || ltt_select_wants_tracefile(select, tracefile))
			split_tracefile(partitions, tracefile, select,
					MAX(part_bytes / tracefile->block_bytes, 1));
	}
	return partitions;
}

/* ---- as text ---- */

/* Joined traces may have several tracefiles with the same name. Returns: the number of them before
 * @tracefile */
static guint count_before(const LttTracefile *tracefile)
{
	const LttTrace *trace = tracefile->trace;
	guint n = 0;

	if (trace->joined != NULL)
		trace = trace->joined;
	for (guint i = 0; i < tracefile->index; i++) {
		const LttTracefile *other = trace->tracefiles->pdata[i];

		n += g_str_equal(other->name, tracefile->name);
	}
	return n;
}

static char *dup_name(const LttTracefile *tracefile)
{
	const guint n_before = count_before(tracefile);

	return n_before == 0 ? g_strdup(tracefile->name)
			     : g_strdup_printf("%s~%u", tracefile->name, n_before + 1);
}

char *ltt_partition_to_text(const LttPartition *partition)
{
	g_autofree char *name = dup_name(partition->tracefile);
	char first[LTT_TIME_TEXT_BYTES];
	char last[LTT_TIME_TEXT_BYTES];

	ltt_time_format(partition->first_ns, first);
	ltt_time_format(partition->last_ns, last);
	return g_strdup_printf("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s %s", name,
			       partition->first_block, partition->n_blocks, first, last);
}

static LttTracefile *find_tracefile(LttTrace *trace, const char *name)
{
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		g_autofree char *own = dup_name(tracefile);

		if (g_str_equal(own, name))
			return tracefile;
	}
	return NULL;
}

/* Finds the start of the last @n_words words of @text. Returns: NULL if it has fewer words */
static const char *find_last_words(const char *text, guint n_words)
{
	const char *space = text + strlen(text);

	for (guint i = 0; i < n_words && space != NULL; i++)
		space = g_strrstr_len(text, space - text, " ");
	return space != NULL ? space + 1 : NULL;
}

static gboolean parse_numbers(const char *text, LttPartition *partition)
{
	g_auto(GStrv) words = g_strsplit(text, " ", N_NUMBERS);

	return g_strv_length(words) == N_NUMBERS &&
	       g_ascii_string_to_unsigned(words[0], 10, 0, G_MAXINT64, &partition->first_block,
					  NULL) &&
	       g_ascii_string_to_unsigned(words[1], 10, 1, G_MAXINT64, &partition->n_blocks,
					  NULL) &&
	       ltt_time_parse_seconds(words[2], &partition->first_ns) &&
	       ltt_time_parse_seconds(words[3], &partition->last_ns);
}

gboolean ltt_partition_from_text(LttTrace *trace, const char *text, LttPartition *partition,
				 GError **error)
{
	/* The name of a tracefile may contain spaces. */
	const char *numbers = find_last_words(text, N_NUMBERS);
	g_autofree char *name = NULL;
	LttPartition parsed = {0};
	guint64 n_blocks;

	if (numbers == NULL || !parse_numbers(numbers, &parsed))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"\"%s\" is not a partition: expected a tracefile, two numbers of "
				"blocks and two times",
				text);
	name = g_strndup(text, (gsize)(numbers - 1 - text));
	parsed.tracefile = find_tracefile(trace, name);
	if (parsed.tracefile == NULL)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"partition \"%s\": %s has no such tracefile", text,
				ltt_trace_get_path(trace));
	n_blocks = ltt_tracefile_get_n_ordered(parsed.tracefile);
	if (parsed.first_block >= n_blocks || parsed.n_blocks > n_blocks - parsed.first_block)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"partition \"%s\": the tracefile has %" G_GUINT64_FORMAT
				" blocks with events",
				text, n_blocks);
	*partition = parsed;
	return TRUE;
}
