/* join-interleave.c - merge the tracefiles of one CPU from several traces of one machine.
 *
 * Blocks of two recordings overlap in time, so events are read in the merged order and written to
 * new blocks. The recordings have different maps from cycles to wall time; in the new tracefile the
 * cycle counter counts nanoseconds of wall time, so that every event keeps its exact time.
 */
#include "edit/join-priv.h"

#include "analysis/losses-priv.h"
#include "base/bytes-priv.h"
#include "edit/recode-priv.h"

#include <ltt/ltt-merge.h>
#include <ltt/ltt-time.h>

#include <string.h>

/* A stretch begins with its own time value (22 bytes) and is written to a single block. */
#define STRETCH_NS    LTT_NS_PER_S
#define STRETCH_PARTS 8

/* The losses that a tracefile has reported so far. */
typedef struct Source {
	const LttTracefile *tracefile;
	guint64 before; /* total before its first block */
	guint64 total;
} Source;

typedef struct Interleaving {
	LttJoinWriting *writing;
	LttRewriter *out;
	GArray *sources; /* of Source */
	GByteArray *payload;
	guint64 most_ns; /* of the events read so far, written or not */
	gboolean has_stretch;
	guint64 stretch_ns; /* start of the stretch */
	gsize stretch_bytes;
} Interleaving;

/* ---- losses ---- */

static Source *find_source(const Interleaving *work, const LttTracefile *tracefile)
{
	Source *source = &g_array_index(work->sources, Source, 0);

	while (source->tracefile != tracefile)
		source++;
	return source;
}

static void add_source(Interleaving *work, LttTracefile *tracefile)
{
	Source source = {.tracefile = tracefile};

	if (ltt_tracefile_get_n_ordered(tracefile) > 0)
		source.before = ltt_losses_before(tracefile, 0).before;
	source.total = source.before;
	g_array_append_val(work->sources, source);
}

/* Converts a running total of one tracefile to the total of all tracefiles. Losses before the
 * oldest block of a tracefile do not count. */
static void put_total(Interleaving *work, const LttEvent *event)
{
	Source *source = find_source(work, event->tracefile);
	guint64 total = 0;

	source->total = MAX(source->total, ltt_load_u64(event->payload, event->byte_order));
	for (guint i = 0; i < work->sources->len; i++) {
		const Source *one = &g_array_index(work->sources, Source, i);

		total += one->total - one->before;
	}
	g_byte_array_set_size(work->payload, sizeof(total));
	ltt_store_u64(work->payload->data, total, work->writing->arch.byte_order);
}

/* ---- events ---- */

static void put_payload(Interleaving *work, const LttEvent *event)
{
	const LttTrace *member = event->tracefile->trace;
	LttValue value;

	g_byte_array_set_size(work->payload, 0);
	if (event->role == LTT_ROLE_EVENTS_LOST)
		put_total(work, event);
	else if (ltt_join_can_copy(work->writing, member))
		g_byte_array_append(work->payload, event->payload, event->payload_bytes);
	else if (ltt_event_get_value(event, &value))
		ltt_recode(&value, ltt_join_find_layout(work->writing, event->type),
			   work->writing->arch.byte_order, work->payload);
}

/* Begins a new stretch if the current one cannot take the event. */
static void settle_stretch(Interleaving *work, const LttEvent *event)
{
	const LttTimeValue from = {event->time_ns, event->time_ns};
	const gsize most_bytes = work->writing->block_bytes / STRETCH_PARTS;

	work->stretch_bytes += LTT_EVENT_HEADER_BYTES + work->payload->len;
	if (work->has_stretch && event->time_ns >= work->stretch_ns &&
	    event->time_ns - work->stretch_ns < STRETCH_NS && work->stretch_bytes <= most_bytes)
		return;
	ltt_rewriter_begin(work->out, &from, NULL);
	work->has_stretch = TRUE;
	work->stretch_ns = event->time_ns;
	work->stretch_bytes = LTT_EVENT_HEADER_BYTES + work->payload->len;
}

static gboolean take_event(Interleaving *work, const LttEvent *event, GError **error)
{
	LttEditEvent added = {
		.cycles = event->time_ns,
		.time_ns = event->time_ns,
		.has_thread = event->has_thread,
		.pid = event->pid,
		.tid = event->tid,
	};

	if (!ltt_join_find_id(work->writing, event->type, &added.id, error))
		return FALSE;
	if (event->role == LTT_ROLE_THREAD) {
		ltt_rewriter_set_thread_id(work->out, added.id);
	} else if (ltt_join_is_written(event->role)) {
		put_payload(work, event);
		added.payload = work->payload->data;
		added.payload_bytes = work->payload->len;
		settle_stretch(work, event);
		ltt_rewriter_hold(work->out, work->most_ns);
		ltt_rewriter_add(work->out, &added);
	}
	work->most_ns = MAX(work->most_ns, event->time_ns);
	return event->role != LTT_ROLE_BLOCK_START || ltt_join_tell_progress(work->writing, error);
}

static gboolean take_events(Interleaving *work, LttMerge *merge, GError **error)
{
	while (TRUE) {
		GError *reason = NULL;
		const LttEvent *event;
		const LttStep step = ltt_merge_next(merge, &event, &reason);

		if (step == LTT_STEP_END)
			return TRUE;
		if (step == LTT_STEP_EVENT ? !take_event(work, event, error)
					   : !ltt_join_pass_damage(work->writing, reason, error))
			return FALSE;
		if (step == LTT_STEP_ERROR)
			ltt_merge_skip_block(merge);
	}
}

/* Selects all events of the CPU, including hidden ones. */
static LttSelect *select_cpu(gint cpu)
{
	g_autofree char *list = g_strdup_printf("%d", cpu);
	LttSelect *select = ltt_select_new();

	ltt_select_set_all(select, TRUE);
	ltt_select_set_cpus(select, list, NULL);
	return select;
}

gboolean ltt_join_interleave(LttJoinWriting *writing, LttTracefile *const *tracefiles, guint n,
			     const char *path, GError **error)
{
	g_autoptr(LttSelect) select = select_cpu(ltt_tracefile_get_cpu(tracefiles[0]));
	g_autoptr(LttMerge) merge = ltt_merge_new(writing->joined, select);
	g_autoptr(LttRewriter) out =
		ltt_rewriter_new(path, writing->block_bytes, writing->arch.byte_order, error);
	Interleaving work = {.writing = writing, .out = out};
	gboolean ok;

	if (out == NULL)
		return FALSE;
	work.payload = g_byte_array_new();
	work.sources = g_array_new(FALSE, FALSE, sizeof(Source));
	for (guint i = 0; i < n; i++)
		add_source(&work, tracefiles[i]);
	ok = take_events(&work, merge, error) && ltt_rewriter_close(out, error);
	if (ok)
		ltt_join_tell_unwritten(writing, tracefiles[0]->name, out);
	g_array_unref(work.sources);
	g_byte_array_unref(work.payload);
	return ok;
}
