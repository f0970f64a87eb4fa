/* relation.c - see relation-priv.h. */
#include "sync/relation-priv.h"

#include "sync/stretches-priv.h"

#include <math.h>

/* More knots are taken for an error. */
#define MAX_KNOTS 8192

/* Exceeding a limit by less does not count. */
#define TOLERANCE_NS 0.25

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
	return relation->knots != NULL;
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
