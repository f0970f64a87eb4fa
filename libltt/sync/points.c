/* points.c - see points-priv.h. */
#include "sync/points-priv.h"

/* Points of a side before they are thinned. */
#define MAX_POINTS (64 * 1024)

void ltt_sync_points_init(LttSyncPoints *points)
{
	*points = (LttSyncPoints){.cell_ns = 0};
	for (guint side = 0; side < LTT_N_SYNC_SIDES; side++)
		points->sides[side] = g_array_new(FALSE, FALSE, sizeof(LttSyncPoint));
}

void ltt_sync_points_clear(LttSyncPoints *points)
{
	for (guint side = 0; side < LTT_N_SYNC_SIDES; side++)
		g_clear_pointer(&points->sides[side], g_array_unref);
}

/* Returns: whether the middle of three points is behind the line through the others, seen from the
 * other side */
static gboolean is_behind(LttSyncSide side, const LttSyncPoint *left, const LttSyncPoint *middle,
			  const LttSyncPoint *right)
{
	const double turn = (middle->x - left->x) * (right->d - left->d) -
			    (middle->d - left->d) * (right->x - left->x);

	return side == LTT_SYNC_ABOVE ? turn <= 0 : turn >= 0;
}

void ltt_sync_hull(LttSyncSide side, const LttSyncPoint *points, guint n_points, GArray *hull)
{
	const guint begin = hull->len;

	for (guint i = 0; i < n_points; i++) {
		while (hull->len >= begin + 2 &&
		       is_behind(side, &g_array_index(hull, LttSyncPoint, hull->len - 2),
				 &g_array_index(hull, LttSyncPoint, hull->len - 1), &points[i]))
			g_array_set_size(hull, hull->len - 1);
		g_array_append_val(hull, points[i]);
	}
}

static guint count_cell(const LttSyncPoint *points, guint n_points, double cell_ns)
{
	const double cell = points[0].x - (double)(gint64)(points[0].x / cell_ns) * cell_ns;
	const double end = points[0].x - cell + cell_ns;
	guint n = 1;

	while (n < n_points && points[n].x < end)
		n++;
	return n;
}

/* Keeps the hull of each cell. */
static void thin(LttSyncPoints *points, LttSyncSide side)
{
	GArray *all = points->sides[side];
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(LttSyncPoint));
	guint n;

	for (guint i = 0; i < all->len; i += n) {
		const LttSyncPoint *first = &g_array_index(all, LttSyncPoint, i);

		n = count_cell(first, all->len - i, points->cell_ns);
		ltt_sync_hull(side, first, n, kept);
	}
	g_array_unref(all);
	points->sides[side] = kept;
}

/* Widens the cells until half of the room is free. */
static void make_room(LttSyncPoints *points, LttSyncSide side, double x)
{
	if (points->cell_ns == 0)
		points->cell_ns = MAX(x / MAX_POINTS, 1);
	do {
		points->cell_ns *= 2;
		thin(points, side);
	} while (points->sides[side]->len > MAX_POINTS / 2);
}

void ltt_sync_points_add(LttSyncPoints *points, LttSyncSide side, guint64 first_ns,
			 guint64 second_ns)
{
	const gint64 difference_ns = (gint64)(second_ns - first_ns);
	LttSyncPoint point;

	if (points->n_added[LTT_SYNC_ABOVE] + points->n_added[LTT_SYNC_BELOW] == 0) {
		points->x0_ns = first_ns;
		points->d0_ns = difference_ns;
	}
	point.x = (double)(first_ns - points->x0_ns);
	point.d = (double)(difference_ns - points->d0_ns);
	if (points->sides[side]->len >= MAX_POINTS)
		make_room(points, side, point.x);
	g_array_append_val(points->sides[side], point);
	points->n_added[side]++;
}
