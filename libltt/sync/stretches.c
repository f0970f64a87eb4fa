/* stretches.c - see stretches-priv.h. */
#include "sync/stretches-priv.h"

#include "sync/corridor-priv.h"

#include <math.h>

/* The shortest stretch, as a part of the whole; and the factor by which stretches grow. */
#define LEAST_PART 1024
#define GROWTH     1.5

/* The number of marks with limits, if there are that many parts between two knots. */
#define MOST_MARKS 1024
#define MOST_PARTS 64

typedef struct Stretch {
	double from_x;
	double to_x;
	LttCorridor corridor;
} Stretch;

gboolean ltt_sync_points_get_range(const LttSyncPoints *points, double *first, double *last)
{
	const GArray *above = points->sides[LTT_SYNC_ABOVE];
	const GArray *below = points->sides[LTT_SYNC_BELOW];

	if (above->len == 0 || below->len == 0)
		return FALSE;
	*first = MIN(g_array_index(above, LttSyncPoint, 0).x,
		     g_array_index(below, LttSyncPoint, 0).x);
	*last = MAX(g_array_index(above, LttSyncPoint, above->len - 1).x,
		    g_array_index(below, LttSyncPoint, below->len - 1).x);
	return TRUE;
}

/* Returns: how much the slope of any line that passes can differ from that of the corridor */
static double get_doubt(const LttCorridor *corridor)
{
	return MAX(corridor->most_slope - corridor->slope, corridor->slope - corridor->least_slope);
}

/* Finds the shortest stretch from @from_x on, or up to @to_x if @is_last, that determines the slope
 * to within the wander; a shorter one if no line fits it, and the longest possible one if none is
 * long enough. Returns: FALSE if no line fits any */
static gboolean find_stretch(const LttSyncPoints *points, double from_x, double to_x,
			     double least_ns, gboolean is_last, double wander, Stretch *stretch)
{
	gboolean found = FALSE;
	double length = least_ns;

	while (TRUE) {
		const gboolean is_whole = length >= to_x - from_x;
		Stretch tried = {.from_x = is_last && !is_whole ? to_x - length : from_x,
				 .to_x = is_last || is_whole ? to_x : from_x + length};

		if (ltt_corridor_find(points, tried.from_x, tried.to_x, &tried.corridor)) {
			*stretch = tried;
			found = TRUE;
		} else if (found) {
			return TRUE;
		}
		if (is_whole || (found && get_doubt(&stretch->corridor) <= wander))
			return found;
		length *= GROWTH;
	}
}

/* Returns: (element-type Stretch) (nullable): stretches that overlap by half */
static GArray *find_stretches(const LttSyncPoints *points, double first, double last, double wander,
			      double *bad_x)
{
	const double least_ns = MAX((last - first) / LEAST_PART, 1);
	GArray *stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
	double from_x = first;
	Stretch stretch = {.to_x = first};

	while (stretch.to_x < last || stretches->len == 0) {
		const gboolean found =
			find_stretch(points, from_x, last, least_ns, FALSE, wander, &stretch);
		const gboolean is_end = found && stretch.to_x >= last;

		if (!found ||
		    (is_end && stretches->len > 0 &&
		     !find_stretch(points, first, last, least_ns, TRUE, wander, &stretch))) {
			*bad_x = from_x;
			g_array_unref(stretches);
			return NULL;
		}
		g_array_append_val(stretches, stretch);
		from_x = (stretch.from_x + stretch.to_x) / 2;
	}
	return stretches;
}

static double get_d(const Stretch *stretch, double x)
{
	return stretch->corridor.slope * x + stretch->corridor.start;
}

static void add_mark(GArray *marks, double x, double d)
{
	const LttSyncMark mark = {
		.x = x, .d = d, .most = INFINITY, .least = -INFINITY, .is_knot = TRUE};

	if (marks->len == 0 || x > g_array_index(marks, LttSyncMark, marks->len - 1).x)
		g_array_append_val(marks, mark);
}

/* The difference has, within a stretch, the slope of one of its lines. */
static void set_drifts(GArray *marks, const GArray *stretches)
{
	for (guint i = 0; i + 1 < marks->len; i++) {
		LttSyncMark *mark = &g_array_index(marks, LttSyncMark, i);
		const double slope = (mark[1].d - mark->d) / (mark[1].x - mark->x);

		for (guint j = 0; j < stretches->len; j++) {
			const Stretch *stretch = &g_array_index(stretches, Stretch, j);
			const LttCorridor *corridor = &stretch->corridor;

			if (stretch->to_x <= mark->x || stretch->from_x >= mark[1].x)
				continue;
			mark->drift = MAX(mark->drift, fabs(corridor->most_slope - slope));
			mark->drift = MAX(mark->drift, fabs(corridor->least_slope - slope));
		}
	}
}

/* Finds the limits at a mark from all stretches around it. */
static void limit_mark(LttSyncMark *mark, const LttSyncPoints *points, const GArray *stretches,
		       double wander)
{
	for (guint i = 0; i < stretches->len; i++) {
		const Stretch *stretch = &g_array_index(stretches, Stretch, i);
		double least;
		double most;

		if (stretch->to_x < mark->x || stretch->from_x > mark->x ||
		    !ltt_corridor_find_at(points, stretch->from_x, stretch->to_x, mark->x, wander,
					  &most, &least))
			continue;
		mark->most = MIN(mark->most, most);
		mark->least = MAX(mark->least, least);
	}
}

/* Returns: (transfer full): the marks with some more between each two, all with limits. @marks:
 * (transfer full) */
static GArray *limit_marks(GArray *marks, const LttSyncPoints *points, const GArray *stretches,
			   double wander)
{
	const guint n_parts = CLAMP(MOST_MARKS / marks->len, 1, MOST_PARTS);
	GArray *all = g_array_new(FALSE, TRUE, sizeof(LttSyncMark));

	for (guint i = 0; i < marks->len; i++) {
		const LttSyncMark *mark = &g_array_index(marks, LttSyncMark, i);

		for (guint part = 0; part < (i + 1 < marks->len ? n_parts : 1); part++) {
			const double share = (double)part / n_parts;
			LttSyncMark added = *mark;

			added.is_knot = part == 0;
			if (part > 0) {
				added.x += share * (mark[1].x - mark->x);
				added.d += share * (mark[1].d - mark->d);
			}
			limit_mark(&added, points, stretches, wander);
			g_array_append_val(all, added);
		}
	}
	g_array_unref(marks);
	return all;
}

GArray *ltt_sync_find_marks(const LttSyncPoints *points, double wander, double *bad_x)
{
	GArray *stretches;
	GArray *marks;
	double first;
	double last;

	if (!ltt_sync_points_get_range(points, &first, &last)) {
		*bad_x = 0;
		return NULL;
	}
	last = MAX(last, first + 1);
	stretches = find_stretches(points, first, last, wander, bad_x);
	if (stretches == NULL)
		return NULL;
	marks = g_array_new(FALSE, TRUE, sizeof(LttSyncMark));
	add_mark(marks, first, get_d(&g_array_index(stretches, Stretch, 0), first));
	for (guint i = 0; stretches->len > 1 && i < stretches->len; i++) {
		const Stretch *stretch = &g_array_index(stretches, Stretch, i);
		const double middle = (stretch->from_x + stretch->to_x) / 2;

		add_mark(marks, middle, get_d(stretch, middle));
	}
	add_mark(marks, last, get_d(&g_array_index(stretches, Stretch, stretches->len - 1), last));
	set_drifts(marks, stretches);
	marks = limit_marks(marks, points, stretches, wander);
	g_array_unref(stretches);
	return marks;
}
