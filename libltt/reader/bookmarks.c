/* bookmarks.c - the bookmarks of a trace, read on first use. The bookmarks of a joined trace are
 * copies of those of its members. */
#include "base/error-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-time.h>

static const char file_name[] = "info/bookmarks.xml";

static gboolean is_there(const LttTrace *trace)
{
	g_autoptr(GPtrArray) names = ltt_store_list(trace->store, "info", NULL);
	guint index;

	return g_ptr_array_find_with_equal_func(names, "bookmarks.xml", g_str_equal, &index);
}

static void tell(LttTrace *trace, const GPtrArray *remarks)
{
	for (guint i = 0; i < remarks->len; i++) {
		const LttRemark *remark = remarks->pdata[i];

		ltt_trace_add_problem_printf(trace, file_name, "line %u: %s", remark->line,
					     remark->message);
	}
}

static GPtrArray *read_bookmarks(LttTrace *trace)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GString) text = NULL;
	g_autoptr(GError) error = NULL;
	GPtrArray *bookmarks;

	if (!is_there(trace))
		return ltt_bookmarks_new();
	text = ltt_store_read(trace->store, file_name, LTT_MAX_XML_BYTES, &error);
	if (text == NULL) {
		ltt_trace_add_problem_printf(trace, file_name, "%s", error->message);
		return ltt_bookmarks_new();
	}
	bookmarks = ltt_bookmarks_parse(text->str, text->len, remarks);
	tell(trace, remarks);
	return bookmarks;
}

/* Returns: the number of a CPU or lane of a member in the joined trace */
static gint number_in_joined(const LttTrace *member, gint cpu)
{
	g_autofree char *name = g_strdup_printf("cpu/%d", cpu);

	for (guint i = 0; i < member->tracefiles->len; i++) {
		const LttTracefile *tracefile = member->tracefiles->pdata[i];

		if (g_str_equal(tracefile->stored_name, name))
			return tracefile->cpu;
	}
	return cpu + (gint)member->first_cpu;
}

/* Converts a bookmark of a member to one of the joined trace. */
static void shift_bookmark(LttBookmark *bookmark, const LttTrace *member)
{
	if (bookmark->cpu >= 0)
		bookmark->cpu = number_in_joined(member, bookmark->cpu);
	if (bookmark->unit == LTT_BOOKMARK_TIME) {
		bookmark->start = ltt_trace_convert_time(member, bookmark->start);
		bookmark->end = ltt_trace_convert_time(member, bookmark->end);
	}
}

static GPtrArray *join_bookmarks(const LttTrace *joined)
{
	GPtrArray *bookmarks = ltt_bookmarks_new();

	for (guint i = 0; i < joined->members->len; i++) {
		LttTrace *member = joined->members->pdata[i];
		const GPtrArray *own = ltt_trace_read_bookmarks(member);

		for (guint j = 0; j < own->len; j++) {
			LttBookmark *bookmark = ltt_bookmark_dup(own->pdata[j]);

			shift_bookmark(bookmark, member);
			g_ptr_array_add(bookmarks, bookmark);
		}
	}
	return bookmarks;
}

const GPtrArray *ltt_trace_read_bookmarks(LttTrace *trace)
{
	if (g_once_init_enter(&trace->bookmarks))
		g_once_init_leave(&trace->bookmarks, trace->members != NULL
							     ? join_bookmarks(trace)
							     : read_bookmarks(trace));
	return trace->bookmarks;
}
