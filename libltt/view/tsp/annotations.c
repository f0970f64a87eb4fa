/* annotations.c - the bookmarks of the trace as annotations. */
#include "view/tsp/call-priv.h"

#include <ltt/ltt-bookmarks.h>

#define CATEGORY "Bookmarks"

gboolean ltt_tsp_marker_sets(LttTspCall *call, GError **error)
{
	(void)error;
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "[]");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}

gboolean ltt_tsp_annotation_categories(LttTspCall *call, GError **error)
{
	(void)error;
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "{\"annotationCategories\":[\"" CATEGORY "\"]}");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}

static gboolean is_inside(const LttBookmark *bookmark, const LttTspWindow *window)
{
	return bookmark->unit == LTT_BOOKMARK_TIME && bookmark->start < window->to_ns &&
	       bookmark->end >= window->from_ns;
}

gboolean ltt_tsp_annotations(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;
	const GPtrArray *bookmarks;
	const char *separator = "";
	LttTspWindow window;

	if (!ltt_tsp_get_window(call, &window, error))
		return FALSE;
	ltt_tsp_begin(call);
	g_string_append(out, "{\"annotations\":{\"" CATEGORY "\":[");
	bookmarks = ltt_trace_read_bookmarks(call->view.map->trace);
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		if (!is_inside(bookmark, &window))
			continue;
		g_string_append_printf(out,
				       "%s{\"entryId\":-1,\"type\":\"CHART\","
				       "\"time\":%" G_GUINT64_FORMAT
				       ",\"duration\":%" G_GUINT64_FORMAT ",",
				       separator, bookmark->start, bookmark->end - bookmark->start);
		ltt_tsp_append_text(out, "label",
				    bookmark->name != NULL ? bookmark->name : bookmark->text);
		g_string_append(out, ",\"style\":{\"parentKey\":\"5\",\"values\":{}}}");
		separator = ",";
	}
	g_string_append(out, "]}}");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
