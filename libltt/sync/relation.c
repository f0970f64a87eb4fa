/* relation.c - see relation-priv.h. */
#include "sync/relation-priv.h"

#include "sync/corridor-priv.h"
#include "sync/stretches-priv.h"

#include <ltt/ltt-time.h>

#include <math.h>

/* More knots are taken for an error. */
#define MAX_KNOTS 8192

/* Exceeding a limit by less does not count. */
#define TOLERANCE_NS 0.25

/* The ends of a shorter line, in whole nanoseconds, do not give its slope to within 0.1 ppm. */
#define LEAST_LINE_NS 10e6

/* The greatest wander that is tried, as a multiple of the one that was requested. */
#define MAX_WANDER_FACTOR 64

/* The limits of the difference at the time of a message or of a mark, relative to the estimate. */
typedef struct Limit {
	double x;
	double d; /* of the estimate */
	double most;
	double least;
	double drift; /* from here to the next limit */
	gboolean is_mark;
} Limit;

/* ---- limits ---- */

static gint compare_limits(gconstpointer a, gconstpointer b)
{
	const Limit *first = a;
	const Limit *second = b;

	if (first->x != second->x)
		return first->x < second->x ? -1 : 1;
	return second->is_mark - first->is_mark;
}

static void add_points(GArray *limits, const LttSyncPoints *points, LttSyncSide side)
{
	for (guint i = 0; i < points->sides[side]->len; i++) {
		const LttSyncPoint *point = &g_array_index(points->sides[side], LttSyncPoint, i);
		const Limit limit = {
			.x = point->x,
			.most = side == LTT_SYNC_ABOVE ? point->d : INFINITY,
			.least = side == LTT_SYNC_BELOW ? point->d : -INFINITY,
		};

		g_array_append_val(limits, limit);
	}
}

static void add_marks(GArray *limits, const GArray *marks)
{
	for (guint i = 0; i < marks->len; i++) {
		const LttSyncMark *mark = &g_array_index(marks, LttSyncMark, i);
		const Limit limit = {
			.x = mark->x,
			.most = mark->most,
			.least = mark->least,
			.is_mark = mark->is_knot,
		};

		g_array_append_val(limits, limit);
	}
}

/* Makes the limits relative to the estimate. All lie between the first mark and the last. */
static void settle_limits(GArray *limits, const GArray *marks, double wander)
{
	guint next = 1;

	for (guint i = 0; i < limits->len; i++) {
		Limit *limit = &g_array_index(limits, Limit, i);
		const LttSyncMark *mark;

		while (next + 1 < marks->len &&
		       g_array_index(marks, LttSyncMark, next).x <= limit->x)
			next++;
		mark = &g_array_index(marks, LttSyncMark, next - 1);
		limit->d = mark->d +
			   (limit->x - mark->x) * (mark[1].d - mark->d) / (mark[1].x - mark->x);
		limit->most -= limit->d;
		limit->least -= limit->d;
		limit->drift = mark->drift + wander;
	}
}

/* Carries each limit forward and backward, as far as it is tighter than others. */
static void spread_limits(GArray *limits)
{
	for (guint i = 1; i < limits->len; i++) {
		Limit *limit = &g_array_index(limits, Limit, i);
		const double slack = limit[-1].drift * (limit->x - limit[-1].x);

		limit->most = MIN(limit->most, limit[-1].most + slack);
		limit->least = MAX(limit->least, limit[-1].least - slack);
	}
	for (guint i = limits->len - 1; i-- > 0;) {
		Limit *limit = &g_array_index(limits, Limit, i);
		const double slack = limit->drift * (limit[1].x - limit->x);

		limit->most = MIN(limit->most, limit[1].most + slack);
		limit->least = MAX(limit->least, limit[1].least - slack);
	}
}

static GArray *find_limits(const LttSyncPoints *points, const GArray *marks, double wander)
{
	GArray *limits = g_array_new(FALSE, FALSE, sizeof(Limit));

	add_points(limits, points, LTT_SYNC_ABOVE);
	add_points(limits, points, LTT_SYNC_BELOW);
	add_marks(limits, marks);
	g_array_sort(limits, compare_limits);
	settle_limits(limits, marks, wander);
	spread_limits(limits);
	return limits;
}

/* ---- knots ---- */

static double get_middle(const Limit *limit)
{
	return (limit->most + limit->least) / 2;
}

/* Returns: how far the line between two limits is outside of a limit between them, or, if it is not,
 * minus its distance */
static double get_excess(const Limit *left, const Limit *right, const Limit *limit)
{
	const double part = right->x > left->x ? (limit->x - left->x) / (right->x - left->x) : 0;
	const double at = get_middle(left) + part * (get_middle(right) - get_middle(left));

	return MAX(at - limit->most, limit->least - at);
}

/* Returns: the distance of the line between two limits from the farther limit */
static double get_reach(const Limit *left, const Limit *right, const Limit *limit)
{
	return limit->most - limit->least + get_excess(left, right, limit);
}

/* Returns: the limit between two others that the line between these exceeds most; @left: it exceeds
 * none. @bound_ns: (out): the greatest distance from any limit */
static guint find_worst(const GArray *limits, guint left, guint right, double *bound_ns)
{
	const Limit *all = (const Limit *)(gconstpointer)limits->data;
	double most = TOLERANCE_NS;
	guint worst = left;

	*bound_ns = 0;
	for (guint i = left; i <= right; i++) {
		const double excess = get_excess(&all[left], &all[right], &all[i]);

		*bound_ns = MAX(*bound_ns, get_reach(&all[left], &all[right], &all[i]));
		if (i > left && i < right && excess > most && all[i].x > all[left].x &&
		    all[i].x < all[right].x) {
			most = excess;
			worst = i;
		}
	}
	return worst;
}

/* Finds the knots: the marks, and every other limit that the line between two knots exceeds. */
static GArray *find_knots(const GArray *limits)
{
	const Limit *all = (const Limit *)(gconstpointer)limits->data;
	GArray *knots = g_array_new(FALSE, FALSE, sizeof(LttSyncKnot));
	g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(guint)); /* the next one last */
	guint left = 0;
	double bound_ns = 0;

	for (guint i = limits->len; i-- > 1;)
		if (all[i].is_mark)
			g_array_append_val(rest, i);
	while (knots->len + rest->len < MAX_KNOTS) {
		const guint right =
			rest->len > 0 ? g_array_index(rest, guint, rest->len - 1) : left;
		double next_ns;
		const guint worst = find_worst(limits, left, right, &next_ns);
		const LttSyncKnot knot = {
			.x = all[left].x,
			.d = all[left].d + get_middle(&all[left]),
			.bound_ns = MAX(bound_ns, next_ns),
		};

		if (worst != left) {
			g_array_append_val(rest, worst);
			continue;
		}
		g_array_append_val(knots, knot);
		if (rest->len == 0)
			return knots;
		bound_ns = next_ns;
		left = right;
		g_array_set_size(rest, rest->len - 1);
	}
	g_array_unref(knots);
	return NULL;
}

/* ---- ends ---- */

/* Returns: the greatest distance of the line between two knots from any limit between them */
static double get_greatest_reach(const GArray *limits, const LttSyncKnot *from,
				 const LttSyncKnot *to)
{
	const double slope = (to->d - from->d) / (to->x - from->x);
	double reach = 0;

	for (guint i = 0; i < limits->len; i++) {
		const Limit *limit = &g_array_index(limits, Limit, i);
		const double at = from->d + slope * (limit->x - from->x) - limit->d;

		if (limit->x >= from->x && limit->x <= to->x)
			reach = MAX(reach, MAX(limit->most - at, at - limit->least));
	}
	return reach;
}

/* Beyond the first knot and the last one, the relation continues the line between the end and the knot
 * next to it. If the messages do not allow its slope, or allow any, the line is turned around @pivot_x, to
 * the slope of the estimate.
 *
 * @drift: (inout): how far the true slope can be from that of the estimate; set to how far it can be
 *   from that of the line */
static void level_end(LttSyncKnot *from, LttSyncKnot *to, double pivot_x, double slope,
		      const GArray *limits, double *drift)
{
	const double own = (to->d - from->d) / (to->x - from->x);
	const double pivot_d = from->d + own * (pivot_x - from->x);
	double reach;

	if (*drift < LTT_SYNC_MAX_SLOPE && fabs(own - slope) <= *drift) {
		*drift += fabs(own - slope);
		return;
	}
	from->d = pivot_d + slope * (from->x - pivot_x);
	to->d = pivot_d + slope * (to->x - pivot_x);
	reach = get_greatest_reach(limits, from, to);
	from->bound_ns = MAX(from->bound_ns, reach);
	to->bound_ns = MAX(to->bound_ns, reach);
}

static double get_slope(const GArray *marks, guint i)
{
	const LttSyncMark *mark = &g_array_index(marks, LttSyncMark, i);

	return (mark[1].d - mark->d) / (mark[1].x - mark->x);
}

static void level_ends(LttSyncRelation *relation, const GArray *marks, const GArray *limits)
{
	LttSyncKnot *first = &g_array_index(relation->knots, LttSyncKnot, 0);
	LttSyncKnot *last = first + relation->knots->len - 1;
	const double first_slope = get_slope(marks, 0);

	if (relation->knots->len == 2) {
		level_end(first, last, (first->x + last->x) / 2, first_slope, limits,
			  &relation->first_drift);
		relation->last_drift = relation->first_drift;
		return;
	}
	level_end(first, first + 1, first[1].x, first_slope, limits, &relation->first_drift);
	level_end(last - 1, last, last[-1].x, get_slope(marks, marks->len - 2), limits,
		  &relation->last_drift);
}

/* Returns: whether both clocks have such a time */
static gboolean is_time(const LttSyncPoints *points, const LttSyncKnot *knot)
{
	const double first_ns = (double)points->x0_ns + knot->x;
	const double second_ns = first_ns + (double)points->d0_ns + knot->d;

	return first_ns > 0 && second_ns > 0 && MAX(first_ns, second_ns) < (double)LTT_MAX_TIME_NS;
}

/* Returns: whether the line from @inner to @end is too short for its slope; if so, @outer: (out): a knot
 * that makes it longer. @drift: (inout): set to what the slope of the rounded line needs */
static gboolean extend_end(const LttSyncPoints *points, const LttSyncKnot *inner,
			   const LttSyncKnot *end, double *drift, LttSyncKnot *outer)
{
	const double length = end->x - inner->x;
	const double added = length < 0 ? -LEAST_LINE_NS : LEAST_LINE_NS;

	*outer = (LttSyncKnot){.x = end->x + added,
			       .d = end->d + added * (end->d - inner->d) / length,
			       .bound_ns = end->bound_ns + *drift * LEAST_LINE_NS};
	if (fabs(length) < LEAST_LINE_NS && is_time(points, outer)) {
		*drift += 1 / LEAST_LINE_NS;
		return TRUE;
	}
	*drift += 1 / fabs(length);
	return FALSE;
}

static void extend_ends(LttSyncRelation *relation, const LttSyncPoints *points)
{
	const LttSyncKnot *first = &g_array_index(relation->knots, LttSyncKnot, 0);
	const LttSyncKnot *last = first + relation->knots->len - 1;
	LttSyncKnot before;
	LttSyncKnot after;
	const gboolean has_before =
		extend_end(points, first + 1, first, &relation->first_drift, &before);

	if (extend_end(points, last - 1, last, &relation->last_drift, &after))
		g_array_append_val(relation->knots, after);
	if (has_before)
		g_array_prepend_val(relation->knots, before);
}

/* ---- the relation ---- */

/* Returns: FALSE if there is a limit that no difference meets */
static gboolean can_meet(const GArray *limits, double *bad_x)
{
	for (guint i = 0; i < limits->len; i++) {
		const Limit *limit = &g_array_index(limits, Limit, i);

		if (limit->most < limit->least) {
			*bad_x = limit->x;
			return FALSE;
		}
	}
	return TRUE;
}

static gboolean relate(const LttSyncPoints *points, double wander, LttSyncRelation *relation,
		       double *bad_x)
{
	g_autoptr(GArray) marks = ltt_sync_find_marks(points, wander, bad_x);
	g_autoptr(GArray) limits = NULL;

	if (marks == NULL)
		return FALSE;
	limits = find_limits(points, marks, wander);
	*relation = (LttSyncRelation){
		.first_drift = g_array_index(limits, Limit, 0).drift,
		.last_drift = g_array_index(limits, Limit, limits->len - 1).drift,
		.wander = wander,
	};
	if (!can_meet(limits, bad_x))
		return FALSE;
	relation->knots = find_knots(limits);
	if (relation->knots == NULL)
		return FALSE;
	level_ends(relation, marks, limits);
	extend_ends(relation, points);
	return TRUE;
}

gboolean ltt_sync_relate(const LttSyncPoints *points, double wander, LttSyncRelation *relation,
			 double *bad_x)
{
	*relation = (LttSyncRelation){.knots = NULL};
	for (guint factor = 1; factor <= MAX_WANDER_FACTOR; factor *= 2)
		if (relate(points, wander * factor, relation, bad_x))
			return TRUE;
	return FALSE;
}

void ltt_sync_relation_clear(LttSyncRelation *relation)
{
	g_clear_pointer(&relation->knots, g_array_unref);
}
