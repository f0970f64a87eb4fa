/* bookmarks.c - write bookmarks as instants of the whole trace, or as asynchronous slices. */
#include "formats/chrome/marks-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-trace.h>

static void add_bookmark(LttChromeEntries *entries, const LttBookmark *bookmark, guint number)
{
	g_autofree char *naming = ltt_chrome_describe(bookmark->name, "bookmark");
	g_autofree char *id = g_strdup_printf(",\"id\":\"bookmark-%u\"", number);
	const char *phase = bookmark->is_interval ? "b" : "i";
	const guint64 start_ns = MAX(bookmark->start, entries->start_ns);

	ltt_chrome_begin(entries, naming, phase, start_ns, LTT_CHROME_TRACE_PID,
			 LTT_CHROME_TRACE_PID);
	ltt_chrome_add_text(entries, bookmark->is_interval ? id : ",\"s\":\"g\"");
	ltt_chrome_add_text(entries, ",\"args\":{\"text\":");
	ltt_chrome_add_string(entries, bookmark->text);
	ltt_chrome_add_text(entries, "}}");
	if (!bookmark->is_interval)
		return;
	ltt_chrome_begin(entries, naming, "e", bookmark->end, LTT_CHROME_TRACE_PID,
			 LTT_CHROME_TRACE_PID);
	ltt_chrome_add_text(entries, id);
	ltt_chrome_add_text(entries, "}");
}

/* Viewers reject negative times, so what is before the file's start is left out. */
void ltt_chrome_add_bookmarks(LttChromeEntries *entries, LttTrace *trace, const LttSelect *select)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);
	guint64 from_ns = 0;
	guint64 to_ns = G_MAXUINT64;

	ltt_select_get_window(select, &from_ns, &to_ns);
	from_ns = MAX(from_ns, entries->start_ns);
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		if (bookmark->unit == LTT_BOOKMARK_TIME && bookmark->end >= from_ns &&
		    bookmark->start < to_ns)
			add_bookmark(entries, bookmark, i + 1);
	}
}
