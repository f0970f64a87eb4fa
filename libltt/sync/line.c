/* line.c - see line-priv.h. */
#include "sync/line-priv.h"

#include <math.h>

/* Times in whole nanoseconds are wrong by up to this. */
#define ROUNDING_NS 1

void ltt_sync_line_free(LttSyncLine *line)
{
	if (line == NULL)
		return;
	ltt_clock_map_free(line->map);
	g_array_unref(line->bounds_ns);
	g_free(line);
}

LttSyncLine *ltt_sync_line_dup(const LttSyncLine *line)
{
	LttSyncLine *copy = g_memdup2(line, sizeof(*line));

	copy->map = ltt_clock_map_dup(line->map);
	copy->bounds_ns = g_array_copy(line->bounds_ns);
	return copy;
}

/* Takes the points and bounds, and copies the rest from @like. */
static LttSyncLine *new_line(const GArray *points, GArray *bounds_ns, const LttSyncLine *like,
			     GError **error)
{
	LttSyncLine *line = g_new0(LttSyncLine, 1);

	*line = *like;
	line->bounds_ns = bounds_ns;
	line->map = ltt_clock_map_new((const LttClockPoint *)(gconstpointer)points->data,
				      points->len, error);
	if (line->map != NULL)
		return line;
	ltt_sync_line_free(line);
	return NULL;
}

/* Adds a point that is later than the last one in both clocks; otherwise the last one takes its
 * bound. */
static void add_point(GArray *points, GArray *bounds_ns, LttClockPoint point, double bound_ns)
{
	if (points->len > 0) {
		const LttClockPoint *last = &g_array_index(points, LttClockPoint, points->len - 1);
		double *last_ns = &g_array_index(bounds_ns, double, bounds_ns->len - 1);

		if (point.from_ns <= last->from_ns || point.to_ns <= last->to_ns) {
			*last_ns = MAX(*last_ns, bound_ns);
			return;
		}
	}
	g_array_append_val(points, point);
	g_array_append_val(bounds_ns, bound_ns);
}

LttSyncLine *ltt_sync_line_new(const LttSyncPoints *points, const LttSyncRelation *relation,
			       GError **error)
{
	const LttSyncLine like = {
		.first_drift = relation->first_drift,
		.last_drift = relation->last_drift,
		.wander = relation->wander,
	};
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(LttClockPoint));
	GArray *bounds_ns = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < relation->knots->len; i++) {
		const LttSyncKnot *knot = &g_array_index(relation->knots, LttSyncKnot, i);
		const guint64 from_ns = points->x0_ns + (guint64)(gint64)floor(knot->x + 0.5);
		const gint64 difference_ns = points->d0_ns + (gint64)floor(knot->d + 0.5);
		const LttClockPoint point = {from_ns, from_ns + (guint64)difference_ns};

		add_point(ends, bounds_ns, point, knot->bound_ns + ROUNDING_NS);
	}
	return new_line(ends, bounds_ns, &like, error);
}

LttSyncLine *ltt_sync_line_invert(const LttSyncLine *line)
{
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(LttClockPoint));
	const LttClockPoint *points;
	guint n_points;

	points = ltt_clock_map_get_points(line->map, &n_points);
	for (guint i = 0; i < n_points; i++) {
		const LttClockPoint point = {points[i].to_ns, points[i].from_ns};

		g_array_append_val(ends, point);
	}
	return new_line(ends, g_array_copy(line->bounds_ns), line, NULL);
}

/* Returns: the bound at one time */
static double get_bound_at(const LttSyncLine *line, guint64 time_ns)
{
	const double *bounds_ns = (const double *)(gconstpointer)line->bounds_ns->data;
	const LttClockPoint *points;
	guint n_points;
	guint next = 0;

	points = ltt_clock_map_get_points(line->map, &n_points);
	if (time_ns < points[0].from_ns)
		return bounds_ns[0] + line->first_drift * (double)(points[0].from_ns - time_ns);
	while (next < n_points && points[next].from_ns <= time_ns)
		next++;
	if (next == n_points)
		return bounds_ns[n_points - 1] +
		       line->last_drift * (double)(time_ns - points[n_points - 1].from_ns);
	return MAX(bounds_ns[next - 1], bounds_ns[next]);
}

double ltt_sync_line_get_bound(const LttSyncLine *line, guint64 from_ns, guint64 to_ns)
{
	double bound_ns = MAX(get_bound_at(line, from_ns), get_bound_at(line, to_ns));
	const LttClockPoint *points;
	guint n_points;

	points = ltt_clock_map_get_points(line->map, &n_points);
	for (guint i = 0; i < n_points; i++)
		if (points[i].from_ns >= from_ns && points[i].from_ns <= to_ns)
			bound_ns = MAX(bound_ns, g_array_index(line->bounds_ns, double, i));
	return bound_ns;
}

static void add_chained(GArray *ends, GArray *bounds_ns, const LttSyncLine *line,
			const LttSyncLine *next, LttClockPoint first)
{
	const LttClockPoint point = {first.from_ns, ltt_clock_map_at(next->map, first.to_ns)};

	add_point(ends, bounds_ns, point,
		  get_bound_at(line, first.from_ns) + get_bound_at(next, first.to_ns) +
			  ROUNDING_NS);
}

LttSyncLine *ltt_sync_line_chain(const LttSyncLine *line, const LttSyncLine *next, GError **error)
{
	const LttSyncLine like = {
		.first_drift = line->first_drift + next->first_drift,
		.last_drift = line->last_drift + next->last_drift,
		.wander = MAX(line->wander, next->wander),
	};
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(LttClockPoint));
	GArray *bounds_ns = g_array_new(FALSE, FALSE, sizeof(double));
	const LttClockPoint *own;
	const LttClockPoint *theirs;
	guint n_own;
	guint n_theirs;
	guint i = 0;
	guint j = 0;

	own = ltt_clock_map_get_points(line->map, &n_own);
	theirs = ltt_clock_map_get_points(next->map, &n_theirs);
	/* The bends of both, in the order of the clock between. */
	while (i < n_own || j < n_theirs) {
		if (j == n_theirs || (i < n_own && own[i].to_ns <= theirs[j].from_ns)) {
			add_chained(ends, bounds_ns, line, next, own[i++]);
		} else {
			const guint64 middle_ns = theirs[j++].from_ns;
			const LttClockPoint point = {ltt_clock_map_find(line->map, middle_ns),
						     middle_ns};

			add_chained(ends, bounds_ns, line, next, point);
		}
	}
	return new_line(ends, bounds_ns, &like, error);
}
