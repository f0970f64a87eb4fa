/* recordings.c - see recordings-priv.h. */
#include "reader/recordings-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

/* The tracefiles of one machine in one trace. */
typedef struct Part {
	LttRecording recording; /* at first, one of its own */
	guint64 start_ns;       /* of its events of CPUs */
	guint64 end_ns;         /* of a trace that is being recorded: G_MAXUINT64 */
	guint32 index;          /* of its recording */
} Part;

LttRecording ltt_trace_get_recording(const LttTrace *trace, guint32 index)
{
	if (trace->recordings != NULL)
		return g_array_index(trace->recordings, LttRecording, index);
	return (LttRecording){.host = index, .member = ltt_trace_find_host_member(trace, index)};
}

/* @parts: of Part. Returns: that of a tracefile of a member */
static Part *need_part(GHashTable *parts, guint member, const LttTracefile *tracefile)
{
	const guint64 key = (guint64)member << 32 | tracefile->host;
	Part *part = g_hash_table_lookup(parts, &key);

	if (part == NULL) {
		part = g_new(Part, 1);
		*part = (Part){.recording = {.host = tracefile->host, .member = member},
			       .start_ns = G_MAXUINT64};
		part->end_ns = tracefile->trace->is_live ? G_MAXUINT64 : 0;
		g_hash_table_insert(parts, g_memdup2(&key, sizeof(key)), part);
	}
	return part;
}

static void add_times(Part *part, LttTracefile *tracefile)
{
	const LttTracefileSummary *summary = ltt_tracefile_get_summary(tracefile);

	if (ltt_tracefile_get_cpu(tracefile) < 0 || !summary->has_events)
		return;
	part->start_ns = MIN(part->start_ns, summary->first_ns);
	part->end_ns = MAX(part->end_ns, summary->last_ns);
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
	const Part *first = *(Part *const *)a;
	const Part *second = *(Part *const *)b;

	if (first->recording.host != second->recording.host)
		return first->recording.host < second->recording.host ? -1 : 1;
	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	return first->recording.member < second->recording.member ? -1 : 1;
}

/* Adds a recording. @parts: (array length=n): what it consists of */
static void add_recording(GArray *recordings, Part **parts, guint n)
{
	LttRecording recording = parts[0]->recording;

	for (guint i = 0; i < n; i++) {
		recording.member = MIN(recording.member, parts[i]->recording.member);
		parts[i]->index = recordings->len;
	}
	g_array_append_val(recordings, recording);
}

/* @parts: of Part, in the order of their starts */
static void add_recordings(GArray *recordings, GPtrArray *parts)
{
	guint n;

	for (guint begin = 0; begin < parts->len; begin += n) {
		Part **from = (Part **)parts->pdata + begin;
		guint64 end_ns = from[0]->end_ns;

		for (n = 1; begin + n < parts->len; n++) {
			if (from[n]->recording.host != from[0]->recording.host ||
			    from[n]->start_ns > end_ns)
				break;
			end_ns = MAX(end_ns, from[n]->end_ns);
		}
		add_recording(recordings, from, n);
	}
}

typedef void (*PartFunc)(Part *part, LttTracefile *tracefile);

/* Calls @func for each tracefile with its part. */
static void for_each(const LttTrace *joined, GHashTable *parts, PartFunc func)
{
	for (guint i = 0; i < joined->members->len; i++) {
		const LttTrace *member = joined->members->pdata[i];

		for (guint j = 0; j < member->tracefiles->len; j++) {
			LttTracefile *tracefile = member->tracefiles->pdata[j];

			func(need_part(parts, i, tracefile), tracefile);
		}
	}
}

static void find(Part *part, LttTracefile *tracefile)
{
	(void)part;
	(void)tracefile;
}

static void set_recording(Part *part, LttTracefile *tracefile)
{
	tracefile->recording = part->index;
}

void ltt_recordings_join(LttTrace *joined)
{
	g_autoptr(GHashTable) parts =
		g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, g_free);
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	GHashTableIter iter;
	gpointer part;

	for_each(joined, parts, find);
	if (g_hash_table_size(parts) <= joined->hosts->len)
		return; /* there is one trace of each machine */
	for_each(joined, parts, add_times);
	g_hash_table_iter_init(&iter, parts);
	while (g_hash_table_iter_next(&iter, NULL, &part))
		g_ptr_array_add(sorted, part);
	g_ptr_array_sort(sorted, compare_starts);
	joined->recordings = g_array_new(FALSE, FALSE, sizeof(LttRecording));
	add_recordings(joined->recordings, sorted);
	for_each(joined, parts, set_recording);
}
