/* corridor.c - see corridor-priv.h.
 *
 * For lines of one slope, the highest that passes below all points above, and the lowest that passes
 * above all points below, are each found at one point of a hull. Half of their distance is the
 * margin. As a function of the slope it is concave, so its maximum and its zeros are found by
 * bisection.
 */
#include "sync/corridor-priv.h"

#include <math.h>

/* Halvings of the range of slopes: to 2e-21. */
#define N_STEPS 60

typedef struct Hulls {
	GArray *sides[LTT_N_SYNC_SIDES]; /* of LttSyncPoint */
	double middle_x;                 /* slopes turn lines around this x */
} Hulls;

guint ltt_sync_points_find(const LttSyncPoints *points, LttSyncSide side, double x)
{
	const GArray *all = points->sides[side];
	guint low = 0;
	guint high = all->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(all, LttSyncPoint, middle).x < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Moves points away from the other side, by @wander times their distance from @x. */
static void relax(GArray *points, LttSyncSide side, double x, double wander)
{
	for (guint i = 0; i < points->len; i++) {
		LttSyncPoint *point = &g_array_index(points, LttSyncPoint, i);
		const double slack = wander * fabs(point->x - x);

		point->d += side == LTT_SYNC_ABOVE ? slack : -slack;
	}
}

/* @middle_x: slopes turn lines around it, and points are relaxed by @wander from there on */
static void init_hulls(Hulls *hulls, const LttSyncPoints *points, double from_x, double to_x,
		       double middle_x, double wander)
{
	hulls->middle_x = middle_x;
	for (guint side = 0; side < LTT_N_SYNC_SIDES; side++) {
		const GArray *all = points->sides[side];
		const guint begin = ltt_sync_points_find(points, side, from_x);
		guint end = ltt_sync_points_find(points, side, to_x);

		while (end < all->len && g_array_index(all, LttSyncPoint, end).x <= to_x)
			end++;
		hulls->sides[side] = g_array_new(FALSE, FALSE, sizeof(LttSyncPoint));
		if (begin < end) {
			g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(LttSyncPoint));

			g_array_append_vals(own, &g_array_index(all, LttSyncPoint, begin),
					    end - begin);
			relax(own, side, middle_x, wander);
			ltt_sync_hull(side, (const LttSyncPoint *)(gconstpointer)own->data,
				      own->len, hulls->sides[side]);
		}
	}
}

static void clear_hulls(Hulls *hulls)
{
	for (guint side = 0; side < LTT_N_SYNC_SIDES; side++)
		g_array_unref(hulls->sides[side]);
}

/* Lines of one slope. */
typedef struct Lines {
	double d[LTT_N_SYNC_SIDES]; /* at middle_x, of the line that touches the side */
	double x[LTT_N_SYNC_SIDES]; /* where it touches */
} Lines;

static double get_margin(const Lines *lines)
{
	return (lines->d[LTT_SYNC_ABOVE] - lines->d[LTT_SYNC_BELOW]) / 2;
}

static Lines find_lines(const Hulls *hulls, double slope)
{
	Lines lines = {.d = {0}};

	for (guint side = 0; side < LTT_N_SYNC_SIDES; side++) {
		const GArray *hull = hulls->sides[side];

		for (guint i = 0; i < hull->len; i++) {
			const LttSyncPoint *point = &g_array_index(hull, LttSyncPoint, i);
			const double d = point->d - slope * (point->x - hulls->middle_x);

			if (i > 0 &&
			    (side == LTT_SYNC_ABOVE ? d >= lines.d[side] : d <= lines.d[side]))
				continue;
			lines.d[side] = d;
			lines.x[side] = point->x;
		}
	}
	return lines;
}

/* The margin grows with the slope while the line touches the side above before the side below. */
static double find_widest(const Hulls *hulls)
{
	double low = -LTT_SYNC_MAX_SLOPE;
	double high = LTT_SYNC_MAX_SLOPE;

	for (guint i = 0; i < N_STEPS; i++) {
		const double middle = (low + high) / 2;
		const Lines lines = find_lines(hulls, middle);

		if (lines.x[LTT_SYNC_ABOVE] < lines.x[LTT_SYNC_BELOW])
			low = middle;
		else if (lines.x[LTT_SYNC_ABOVE] > lines.x[LTT_SYNC_BELOW])
			high = middle;
		else
			return middle;
	}
	return (low + high) / 2;
}

/* Returns: the slope nearest to @end for which a line passes; one passes for @inside */
static double find_limit(const Hulls *hulls, double inside, double end)
{
	Lines lines = find_lines(hulls, end);

	if (get_margin(&lines) >= 0)
		return end;
	for (guint i = 0; i < N_STEPS; i++) {
		const double middle = (inside + end) / 2;

		lines = find_lines(hulls, middle);
		if (get_margin(&lines) >= 0)
			inside = middle;
		else
			end = middle;
	}
	return end;
}

/* Returns: the slope in the middle of the range if the points do not limit the range */
static double settle_slope(const LttCorridor *corridor)
{
	if (corridor->least_slope > -LTT_SYNC_MAX_SLOPE &&
	    corridor->most_slope < LTT_SYNC_MAX_SLOPE)
		return corridor->slope;
	return (corridor->least_slope + corridor->most_slope) / 2;
}

static gboolean find_in_hulls(const Hulls *hulls, LttCorridor *corridor)
{
	Lines lines;

	corridor->slope = find_widest(hulls);
	lines = find_lines(hulls, corridor->slope);
	if (get_margin(&lines) < 0)
		return FALSE;
	corridor->least_slope = find_limit(hulls, corridor->slope, -LTT_SYNC_MAX_SLOPE);
	corridor->most_slope = find_limit(hulls, corridor->slope, LTT_SYNC_MAX_SLOPE);
	corridor->slope = settle_slope(corridor);
	lines = find_lines(hulls, corridor->slope);
	corridor->margin_ns = get_margin(&lines);
	corridor->start = (lines.d[LTT_SYNC_ABOVE] + lines.d[LTT_SYNC_BELOW]) / 2 -
			  corridor->slope * hulls->middle_x;
	return TRUE;
}

gboolean ltt_corridor_find(const LttSyncPoints *points, double from_x, double to_x,
			   LttCorridor *corridor)
{
	gboolean found;
	Hulls hulls;

	init_hulls(&hulls, points, from_x, to_x, (from_x + to_x) / 2, 0);
	found = hulls.sides[LTT_SYNC_ABOVE]->len > 0 && hulls.sides[LTT_SYNC_BELOW]->len > 0 &&
		find_in_hulls(&hulls, corridor);
	clear_hulls(&hulls);
	return found;
}

/* Returns: the extreme d at middle_x of the lines that pass. For the side above it is concave as a function of
 * the slope: it grows while the line touches before middle_x. */
static double find_extreme(const Hulls *hulls, const LttCorridor *corridor, LttSyncSide side)
{
	double low = corridor->least_slope;
	double high = corridor->most_slope;
	double extreme = find_lines(hulls, corridor->slope).d[side];

	for (guint i = 0; i < N_STEPS; i++) {
		const double middle = (low + high) / 2;
		const Lines lines = find_lines(hulls, middle);
		const gboolean grows = side == LTT_SYNC_ABOVE ? lines.x[side] < hulls->middle_x
							      : lines.x[side] > hulls->middle_x;

		extreme = side == LTT_SYNC_ABOVE ? MAX(extreme, lines.d[side])
						 : MIN(extreme, lines.d[side]);
		if (grows)
			low = middle;
		else
			high = middle;
	}
	return extreme;
}

gboolean ltt_corridor_find_at(const LttSyncPoints *points, double from_x, double to_x, double x,
			      double wander, double *most, double *least)
{
	LttCorridor corridor;
	gboolean found;
	Hulls hulls;

	init_hulls(&hulls, points, from_x, to_x, x, wander);
	found = hulls.sides[LTT_SYNC_ABOVE]->len > 0 && hulls.sides[LTT_SYNC_BELOW]->len > 0 &&
		find_in_hulls(&hulls, &corridor);
	if (found) {
		*most = find_extreme(&hulls, &corridor, LTT_SYNC_ABOVE);
		*least = find_extreme(&hulls, &corridor, LTT_SYNC_BELOW);
	}
	clear_hulls(&hulls);
	return found;
}
