/* flame-spans.c - the spans of a trace as stacks of a flame (ltt-flame.h).
 *
 * A span adds its duration to its own frame and subtracts it from the frame around it. So the
 * result does not depend on the order of the spans.
 */
#include "analysis/flame-priv.h"
#include "base/job-priv.h"

#include <ltt/ltt-span.h>

/* Returns: the frame of the machine, if there are several, else the root */
static guint32 find_machine(const LttFlameSpansRequest *request, const LttSpan *span)
{
	if (!ltt_trace_has_hosts(request->trace))
		return LTT_FLAME_ROOT;
	return ltt_flame_child(request->flame, LTT_FLAME_ROOT, ltt_event_get_host(span->begin));
}

static guint32 find_root(const LttFlameSpansRequest *request, const LttSpan *span)
{
	const char *name = ltt_event_get_comm(span->begin);
	const guint32 root = find_machine(request, span);
	g_autofree char *number = NULL;

	if (span->is_async)
		return ltt_flame_child(request->flame, root, "asynchronous");
	if (name == NULL && !span->begin->has_thread)
		name = ltt_tracefile_get_label(span->begin->tracefile);
	if (name == NULL) {
		number = g_strdup_printf("thread %u", span->begin->tid);
		name = number;
	}
	return ltt_flame_child(request->flame, root, name);
}

/* Returns: the frame of the spans around @span */
static guint32 find_around(const LttFlameSpansRequest *request, const LttSpan *span)
{
	const LttSpan *around[LTT_MAX_SPAN_DEPTH];
	guint32 node = find_root(request, span);
	guint n = 0;

	for (const LttSpan *at = span->around; at != NULL; at = at->around)
		around[n++] = at;
	while (n > 0)
		node = ltt_flame_child(request->flame, node, around[--n]->name);
	return node;
}

static void add_span(const LttFlameSpansRequest *request, const LttSpan *span)
{
	const gint64 duration_ns = (gint64)(span->end_ns - span->begin_ns);
	const guint32 around = find_around(request, span);

	ltt_flame_add_to(request->flame, ltt_flame_child(request->flame, around, span->name),
			 duration_ns);
	if (span->around != NULL)
		ltt_flame_add_to(request->flame, around, -duration_ns);
}

gboolean ltt_flame_add_spans(const LttFlameSpansRequest *request, LttFlameSpansSummary *summary,
			     GError **error)
{
	g_autoptr(LttSpans) spans = ltt_spans_new(request->trace, request->select);
	LttFlameSpansSummary counted = {0};
	const LttSpan *span;
	LttStep step;

	ltt_spans_set_symbols(spans, request->symbols);
	ltt_spans_set_callbacks(spans, &request->callbacks);
	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_spans_next(spans, &span, &damage)) == LTT_STEP_EVENT) {
			add_span(request, span);
			counted.n_spans += span->is_async ? 0 : 1;
			counted.n_async += span->is_async ? 1 : 0;
		}
		if (step == LTT_STEP_ERROR &&
		    !ltt_job_pass_damage(&request->callbacks, damage, error))
			return FALSE;
		ltt_spans_skip_block(spans);
	} while (step != LTT_STEP_END);
	if (summary != NULL)
		*summary = counted;
	return TRUE;
}
