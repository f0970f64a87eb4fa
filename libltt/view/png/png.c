/* png.c - a picture of a window, with the look of the page (ltt-view.h).
 *
 *	map ──► rows ──► those with room ──► what they show in the window ──► cairo ──► PNG
 *
 * A pixel of the plot is a bin of the window. So neither memory nor the number of drawn rectangles depends on
 * the length of the trace.
 */
#include "base/thread-priv.h"
#include "view/counts-priv.h"
#include "view/names-priv.h"
#include "view/png/paint-priv.h"
#include "view/wakeups-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-error.h>
#include <ltt/ltt-filter.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-view.h>

/* Heights of a picture whose height is not given. */
#define LEAST_OWN_HEIGHT 240
#define MOST_OWN_HEIGHT  1200

/* Below the rows: the number of those without room, or a margin. */
#define REST_HEIGHT 18

#define NOTHING_HEIGHT 24

/* Columns of the overview. */
#define MOST_COUNTS 4096

typedef struct Picture {
	const LttViewPngRequest *request;
	LttPngPaint paint;
	LttFilter *filter; /* owned */
	GArray *lanes;     /* of guint: those of the drawn rows */
	gboolean has_states;
} Picture;

/* ---- request ---- */

static gboolean check_size(const LttViewPngRequest *request, GError **error)
{
	if (request->width >= LTT_VIEW_MIN_PNG && request->width <= LTT_VIEW_MAX_PNG &&
	    (request->height == 0 ||
	     (request->height >= LTT_VIEW_MIN_PNG && request->height <= LTT_VIEW_MAX_PNG)))
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
		    "a picture of %u x %u pixels: expected %d to %d each", request->width,
		    request->height, LTT_VIEW_MIN_PNG, LTT_VIEW_MAX_PNG);
	return FALSE;
}

static gpointer do_nothing(gpointer data)
{
	return data;
}

/* Pango ends the program if it cannot start its thread that reads the list of fonts. */
static gboolean can_start_threads(GError **error)
{
	GThread *thread = ltt_thread_start("fonts", do_nothing, NULL, error);

	if (thread != NULL)
		g_thread_join(thread);
	return thread != NULL;
}

static gboolean set_window(Picture *picture, GError **error)
{
	const LttViewPngRequest *request = picture->request;
	const LttViewAxis *axis = &picture->paint.map->axis;
	LttViewWindow *window = &picture->paint.window;

	window->from_ns = MIN(MAX(request->from_ns, axis->start_ns), axis->end_ns - 1);
	window->to_ns = MIN(request->to_ns, axis->end_ns);
	window->n_pixels = request->width - LTT_PNG_LABEL_WIDTH;
	window->filter = picture->filter;
	if (window->to_ns > window->from_ns && request->from_ns < axis->end_ns)
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
		    "the window is empty or outside the trace");
	return FALSE;
}

/* ---- layout ---- */

/* Chooses the height, and the rows for which there is room. Rows that are groups are not left alone at the end. */
static void lay_out(Picture *picture)
{
	LttPngPaint *paint = &picture->paint;
	const guint legend = picture->has_states ? LTT_PNG_LEGEND_HEIGHT : 0;
	guint wanted = LTT_PNG_ROWS_TOP + NOTHING_HEIGHT;
	guint room;

	for (guint i = 0; i < paint->rows->len; i++) {
		LttPngRow *row = &g_array_index(paint->rows, LttPngRow, i);

		row->top += LTT_PNG_ROWS_TOP;
		wanted = row->top + row->height;
	}
	wanted += REST_HEIGHT + legend;
	paint->height = picture->request->height != 0
				? picture->request->height
				: CLAMP(wanted, LEAST_OWN_HEIGHT, MOST_OWN_HEIGHT);
	room = paint->height - legend - REST_HEIGHT;
	paint->rows_end = LTT_PNG_ROWS_TOP;
	for (guint i = 0; i < paint->rows->len; i++) {
		const LttPngRow *row = &g_array_index(paint->rows, LttPngRow, i);

		if (row->top + row->height > room)
			break;
		if (row->lane == NULL)
			continue;
		paint->n_rows = i + 1;
		paint->rows_end = row->top + row->height;
	}
}

static void list_lanes(Picture *picture)
{
	LttPngPaint *paint = &picture->paint;

	paint->row_of_lane = g_new(gint, paint->map->lanes->len + 1);
	for (guint i = 0; i < paint->map->lanes->len; i++)
		paint->row_of_lane[i] = -1;
	for (guint i = 0; i < paint->n_rows; i++) {
		const LttPngRow *row = &g_array_index(paint->rows, LttPngRow, i);

		if (row->lane == NULL)
			continue;
		paint->row_of_lane[row->lane->id] = (gint)i;
		g_array_append_val(picture->lanes, row->lane->id);
	}
}

static void make_rows(Picture *picture)
{
	LttPngPaint *paint = &picture->paint;
	const LttPngChoice choice = {
		.from_ns = paint->window.from_ns,
		.to_ns = paint->window.to_ns,
		.search = picture->request->search,
	};

	ltt_view_map_lock(paint->map);
	paint->names = ltt_view_names_new(&paint->map->stat);
	paint->rows = ltt_png_tree_new(paint->map, paint->names, &choice);
	ltt_view_map_unlock(paint->map);
	for (guint i = 0; i < paint->rows->len; i++)
		picture->has_states |= g_array_index(paint->rows, LttPngRow, i).has_states;
	lay_out(picture);
	list_lanes(picture);
}

/* ---- painting ---- */

/* Counts the selected events of the whole trace for the overview, and paints the frame. */
static gboolean paint_frame(Picture *picture, GError **error)
{
	LttPngPaint *paint = &picture->paint;
	const LttViewAxis *axis = &paint->map->axis;
	g_autoptr(GHashTable) parameters = g_hash_table_new(ltt_hash_text, g_str_equal);
	LttViewCall call = {.map = paint->map, .parameters = parameters};
	LttViewBins bins = {
		.from_ns = axis->start_ns,
		.to_ns = axis->end_ns,
		.n = MIN(MIN(paint->width, MOST_COUNTS), axis->end_ns - axis->start_ns),
	};
	g_autofree guint64 *counts = bins.counts = g_new0(guint64, bins.n);
	LttViewAccuracy accuracy;

	if (picture->request->filter != NULL)
		g_hash_table_insert(parameters, (gpointer) "filter",
				    (gpointer)picture->request->filter);
	if (!ltt_view_count_bins(&call, &bins, &accuracy, error))
		return FALSE;
	ltt_png_paint_frame(paint, picture->request->title, counts, bins.n);
	return TRUE;
}

static gboolean paint_states(const Picture *picture, GError **error)
{
	const LttJobCallbacks callbacks = {0};
	const LttPngPaint *paint = &picture->paint;
	g_autoptr(GArray) wakeups = g_array_new(FALSE, FALSE, sizeof(LttViewWakeup));
	g_auto(LttViewStatePicture) states = {0};
	const LttViewWakeupsRequest request = {
		.states = paint->map->states,
		.from_ns = paint->window.from_ns,
		.to_ns = paint->window.to_ns,
		.lanes = picture->lanes,
		.callbacks = &callbacks,
	};
	gboolean is_read;
	gboolean is_exact;
	guint n_left_out;

	if (!picture->has_states)
		return TRUE;
	if (!ltt_view_draw_states(paint->map->states, &paint->window,
				  (const guint *)(gpointer)picture->lanes->data,
				  picture->lanes->len, &callbacks, &states, error) ||
	    !ltt_view_find_wakeups(&request, wakeups, &is_read, &is_exact, error))
		return FALSE;
	ltt_png_paint_states(paint, &states);
	n_left_out = is_read ? ltt_png_paint_arrows(paint, wakeups) : LTT_PNG_UNCOUNTED;
	ltt_png_paint_legend(paint, n_left_out);
	return TRUE;
}

static gboolean paint_lanes(const Picture *picture, GError **error)
{
	const LttJobCallbacks callbacks = {0};
	const LttPngPaint *paint = &picture->paint;
	const guint *lanes = (const guint *)(gpointer)picture->lanes->data;
	g_auto(LttViewPicture) spans = {0};
	g_auto(LttCounterPicture) counters = {0};

	if (picture->lanes->len == 0)
		return TRUE;
	if (!ltt_view_draw(paint->map, &paint->window, lanes, picture->lanes->len, &callbacks,
			   &spans, error) ||
	    !ltt_view_draw_counters(paint->map, &paint->window, lanes, picture->lanes->len,
				    &callbacks, &counters, error))
		return FALSE;
	ltt_png_paint_spans(paint, &spans);
	if (!paint_states(picture, error))
		return FALSE;
	ltt_png_paint_counters(paint, &counters);
	ltt_png_paint_damage(paint);
	return TRUE;
}

static cairo_status_t add_bytes(void *closure, const unsigned char *data, unsigned int length)
{
	g_byte_array_append(closure, data, length);
	return CAIRO_STATUS_SUCCESS;
}

static gboolean fail_cairo(cairo_status_t status, GError **error)
{
	g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT, "cannot draw the picture: %s",
		    cairo_status_to_string(status));
	return FALSE;
}

static gboolean paint_all(Picture *picture, GByteArray *png, GError **error)
{
	LttPngPaint *paint = &picture->paint;
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)paint->width,
							      (int)paint->height);
	PangoFontMap *fonts = pango_cairo_font_map_new();
	PangoContext *context = pango_font_map_create_context(fonts);
	LttPngInk *ink = &paint->ink;
	cairo_status_t status;
	gboolean ok;

	ink->cairo = cairo_create(surface);
	ink->layout = pango_layout_new(context);
	pango_layout_set_single_paragraph_mode(ink->layout, TRUE);
	pango_layout_set_auto_dir(ink->layout, FALSE);
	pango_layout_set_ellipsize(ink->layout, PANGO_ELLIPSIZE_END);
	ink->theme = picture->request->is_dark ? &ltt_png_dark : &ltt_png_light;
	ok = paint_frame(picture, error) && paint_lanes(picture, error);
	if (ok) {
		ltt_png_paint_labels(paint);
		ltt_png_paint_bookmarks(paint);
		status = cairo_surface_write_to_png_stream(surface, add_bytes, png);
		ok = status == CAIRO_STATUS_SUCCESS || fail_cairo(status, error);
	}
	g_object_unref(ink->layout);
	g_object_unref(context);
	g_object_unref(fonts);
	cairo_destroy(ink->cairo);
	cairo_surface_destroy(surface);
	return ok;
}

/* ---- interface ---- */

static gboolean make(Picture *picture, GByteArray *png, GError **error)
{
	if (picture->request->filter != NULL &&
	    (picture->filter = ltt_filter_new(picture->request->filter, error)) == NULL)
		return FALSE;
	if (!ltt_view_map_wait(picture->paint.map, error) || !set_window(picture, error))
		return FALSE;
	make_rows(picture);
	return paint_all(picture, png, error);
}

GByteArray *ltt_view_make_png(const LttViewPngRequest *request, GError **error)
{
	g_autoptr(GByteArray) png = g_byte_array_new();
	Picture picture = {.request = request, .paint = {.width = request->width}};
	gboolean ok;

	if (!check_size(request, error) || !can_start_threads(error))
		return NULL;
	ltt_trace_read_bookmarks(request->trace); /* parses them in this thread */
	picture.lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	picture.paint.map = ltt_view_map_new(request->trace, FALSE, request->cache);
	ltt_view_map_start(picture.paint.map);
	ok = make(&picture, png, error);
	if (ok)
		ltt_view_map_tell_problems(picture.paint.map, request->on_problem,
					   request->user_data);
	g_clear_pointer(&picture.paint.names, g_hash_table_unref);
	ltt_view_map_free(picture.paint.map);
	ltt_filter_free(picture.filter);
	g_clear_pointer(&picture.paint.rows, g_array_unref);
	g_free(picture.paint.row_of_lane);
	g_array_unref(picture.lanes);
	return ok ? g_steal_pointer(&png) : NULL;
}
