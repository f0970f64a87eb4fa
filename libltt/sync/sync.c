/* sync.c - see ltt-sync.h.
 *
 *	messages ──► points of two clocks ──► relation ──► line ──┐
 *	                                      ...           line ──┴► tree ──► maps
 */
#include "base/error-priv.h"
#include "reader/join-names-priv.h"
#include "sync/earlier-priv.h"
#include "sync/messages-priv.h"
#include "sync/tree-priv.h"

#define PER_PPM 1e-6

struct LttSync {
	guint n_traces;
	guint *machines; /* of each trace: the first trace of the same machine */
	LttSyncNode *nodes;
	GArray *edges; /* of LttSyncEdge */
	GArray *pairs; /* of LttSyncPair */
	LttSyncClock *clocks;
	LttClockMap **maps; /* owned; each has its own bound, without that of earlier conversions */
	LttSyncCounts counts;
};

/* ---- pairs of clocks ---- */

static LttSyncState get_state(const LttSyncPoints *points)
{
	return points->n_added[LTT_SYNC_ABOVE] > 0 && points->n_added[LTT_SYNC_BELOW] > 0
		       ? LTT_SYNC_FOUND
		       : LTT_SYNC_ONE_WAY;
}

static double get_greatest_bound(const LttSyncLine *line)
{
	double bound_ns = 0;

	for (guint i = 0; i < line->bounds_ns->len; i++)
		bound_ns = MAX(bound_ns, g_array_index(line->bounds_ns, double, i));
	return bound_ns;
}

static gboolean add_edge(LttSync *sync, LttSyncPair *pair, const LttSyncPoints *points,
			 const LttSyncRelation *relation, GError **error)
{
	LttSyncEdge edge = {.first = pair->first, .second = pair->second};

	edge.line = ltt_sync_line_new(points, relation, error);
	if (edge.line == NULL)
		return FALSE;
	pair->bound_ns = (guint64)(get_greatest_bound(edge.line) + 0.5);
	g_array_append_val(sync->edges, edge);
	return TRUE;
}

static gboolean take_pair(LttSync *sync, guint first, guint second, const LttSyncPoints *points,
			  double wander, GError **error)
{
	LttSyncPair pair = {
		.first = first,
		.second = second,
		.state = get_state(points),
		.n_to_second = points->n_added[LTT_SYNC_ABOVE],
		.n_to_first = points->n_added[LTT_SYNC_BELOW],
	};
	LttSyncRelation relation = {.knots = NULL};
	gboolean ok = TRUE;
	double bad_x;

	if (pair.state == LTT_SYNC_FOUND && !ltt_sync_relate(points, wander, &relation, &bad_x)) {
		pair.state = LTT_SYNC_CONTRADICTION;
		pair.bad_ns = points->x0_ns + (guint64)bad_x;
	}
	if (pair.state == LTT_SYNC_FOUND)
		ok = add_edge(sync, &pair, points, &relation, error);
	g_array_append_val(sync->pairs, pair);
	ltt_sync_relation_clear(&relation);
	return ok;
}

static gboolean take_pairs(LttSync *sync, const LttSyncRequest *request, GError **error)
{
	const double wander =
		(request->wander_ppm > 0 ? request->wander_ppm : LTT_SYNC_WANDER_PPM) * PER_PPM;
	LttSyncMessages *messages = ltt_sync_messages_new(request, sync->machines, error);
	GError *failure = NULL;
	LttSyncPoints points;
	gboolean ok = TRUE;
	guint second;
	guint first;

	if (messages == NULL)
		return FALSE;
	while (ok && ltt_sync_messages_next(messages, &first, &second, &points, &failure)) {
		ok = take_pair(sync, first, second, &points, wander, &failure);
		ltt_sync_points_clear(&points);
	}
	ltt_sync_messages_get_counts(messages, &sync->counts);
	ltt_sync_messages_free(messages);
	if (failure != NULL)
		g_propagate_error(error, failure);
	return failure == NULL;
}

/* ---- traces ---- */

static void find_machines(LttSync *sync, const LttSyncRequest *request)
{
	for (guint i = 0; i < sync->n_traces; i++)
		sync->machines[i] = ltt_join_find_machine(request->traces, i);
}

/* A node has the events of all traces of a machine. */
static void set_spans(LttSync *sync, const LttSyncRequest *request)
{
	for (guint i = 0; i < sync->n_traces; i++) {
		LttSyncNode *node = &sync->nodes[sync->machines[i]];
		guint64 start_ns;
		guint64 end_ns;

		if (!ltt_trace_get_span(request->traces[i], &start_ns, &end_ns))
			continue;
		node->start_ns = node->end_ns == 0 ? start_ns : MIN(node->start_ns, start_ns);
		node->end_ns = MAX(node->end_ns, end_ns);
	}
}

/* Returns: why the clock of a machine was not found */
static LttSyncState find_reason(const LttSync *sync, guint machine)
{
	LttSyncState reason = LTT_SYNC_NO_MESSAGES;

	for (guint i = 0; i < sync->pairs->len; i++) {
		const LttSyncPair *pair = &g_array_index(sync->pairs, LttSyncPair, i);

		if ((pair->first == machine || pair->second == machine) &&
		    pair->state != LTT_SYNC_FOUND && reason != LTT_SYNC_CONTRADICTION)
			reason = pair->state;
	}
	return reason;
}

static void describe_map(LttSyncClock *clock, const LttSyncLine *line, guint64 start_ns,
			 guint64 end_ns)
{
	clock->offset_ns = ltt_clock_map_get_offset(line->map, start_ns);
	clock->bound_ns = (guint64)(ltt_sync_line_get_bound(line, start_ns, end_ns) + 0.5);
	clock->wander_ppm = line->wander / PER_PPM;
	clock->n_bends = ltt_clock_map_get_n_bends(line->map);
	clock->rate_ppm = ltt_clock_map_get_rate_ppm(line->map);
}

/* Returns: FALSE if the clock of the trace was not synchronized by NTP */
static gboolean get_claim(const LttTrace *trace, guint64 *error_ns)
{
	const char *text = ltt_system_get(ltt_trace_get_system(trace), LTT_SYSTEM_CLOCK_ERROR);

	return text != NULL &&
	       g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64 / 2, error_ns, NULL);
}

static void set_claim(LttSyncClock *clock, const LttTrace *trace, const LttTrace *first)
{
	guint64 first_ns;
	guint64 own_ns;

	clock->has_claim = get_claim(trace, &own_ns) && get_claim(first, &first_ns);
	if (clock->has_claim)
		clock->claim_ns = own_ns + first_ns;
}

static void set_clock(LttSync *sync, const LttSyncRequest *request, guint index)
{
	const guint machine = sync->machines[index];
	const LttSyncNode *node = &sync->nodes[machine];
	LttSyncClock *clock = &sync->clocks[index];
	guint64 start_ns = node->start_ns;
	guint64 end_ns = node->end_ns;

	set_claim(clock, request->traces[index], request->traces[0]);
	clock->parent = machine < index ? machine : node->parent;
	clock->state = LTT_SYNC_FOUND;
	if (index == 0)
		clock->state = LTT_SYNC_REFERENCE;
	else if (machine < index)
		clock->state = LTT_SYNC_SAME_CLOCK;
	else if (!node->is_found)
		clock->state = find_reason(sync, machine);
	if (node->line == NULL)
		return;
	ltt_trace_get_span(request->traces[index], &start_ns, &end_ns);
	describe_map(clock, node->line, start_ns, end_ns);
	sync->maps[index] = ltt_clock_map_dup(node->line->map);
	ltt_clock_map_set_bound(sync->maps[index], clock->bound_ns);
	clock->bound_ns += ltt_sync_get_greatest_error(request->traces[index]);
}

static gboolean fill(LttSync *sync, const LttSyncRequest *request, GError **error)
{
	find_machines(sync, request);
	set_spans(sync, request);
	if (!take_pairs(sync, request, error) ||
	    !ltt_sync_find_tree((const LttSyncEdge *)(gconstpointer)sync->edges->data,
				sync->edges->len, sync->nodes, sync->n_traces, error))
		return FALSE;
	for (guint i = 0; i < sync->n_traces; i++)
		set_clock(sync, request, i);
	return TRUE;
}

LttSync *ltt_sync_new(const LttSyncRequest *request, GError **error)
{
	const guint n_traces = request->n_traces;
	LttSync *sync;

	g_return_val_if_fail(n_traces >= 2, NULL);
	if (n_traces > LTT_SYNC_MAX_TRACES) {
		ltt_fail(error, LTT_ERROR_LIMIT, "%u traces: expected no more than %d", n_traces,
			 LTT_SYNC_MAX_TRACES);
		return NULL;
	}
	sync = g_new0(LttSync, 1);
	sync->n_traces = n_traces;
	sync->machines = g_new0(guint, n_traces);
	sync->nodes = g_new0(LttSyncNode, n_traces);
	sync->edges = g_array_new(FALSE, FALSE, sizeof(LttSyncEdge));
	sync->pairs = g_array_new(FALSE, FALSE, sizeof(LttSyncPair));
	sync->clocks = g_new0(LttSyncClock, n_traces);
	sync->maps = g_new0(LttClockMap *, n_traces);
	if (fill(sync, request, error))
		return sync;
	ltt_sync_free(sync);
	return NULL;
}

void ltt_sync_free(LttSync *sync)
{
	if (sync == NULL)
		return;
	for (guint i = 0; i < sync->edges->len; i++)
		ltt_sync_line_free(g_array_index(sync->edges, LttSyncEdge, i).line);
	for (guint i = 0; i < sync->n_traces; i++)
		ltt_sync_line_free(sync->nodes[i].line);
	for (guint i = 0; i < sync->n_traces; i++)
		ltt_clock_map_free(sync->maps[i]);
	g_array_unref(sync->edges);
	g_array_unref(sync->pairs);
	g_free(sync->machines);
	g_free(sync->nodes);
	g_free(sync->clocks);
	g_free(sync->maps);
	g_free(sync);
}

/* ---- results ---- */

const LttSyncClock *ltt_sync_get_clock(const LttSync *sync, guint index)
{
	return &sync->clocks[index];
}

LttClockMap *const *ltt_sync_get_maps(const LttSync *sync)
{
	return sync->maps;
}

const GArray *ltt_sync_get_pairs(const LttSync *sync)
{
	return sync->pairs;
}

void ltt_sync_get_counts(const LttSync *sync, LttSyncCounts *counts)
{
	*counts = sync->counts;
}
