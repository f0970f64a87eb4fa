/* bookmark.c - bookmarks as a table and as JSON. */
#include "bookmark.h"

#include "table.h"
#include "tool.h"

#include <ltt/ltt-time.h>

void bookmark_report_problems(LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_problems(trace); i++) {
		const LttProblem *problem = ltt_trace_get_problem(trace, i);

		if (g_strcmp0(problem->tracefile, "info/bookmarks.xml") == 0)
			tool_problem(problem, NULL);
	}
}

char *bookmark_describe_place(const LttBookmark *bookmark, guint64 value)
{
	char text[LTT_TIME_TEXT_BYTES];

	if (bookmark->unit == LTT_BOOKMARK_CYCLES)
		return g_strdup_printf("cycle %" G_GUINT64_FORMAT, value);
	ltt_time_format(value, text);
	return g_strdup(text);
}

char *bookmark_in_a_line(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n", 0);
	GString *line = g_string_new(NULL);

	for (guint i = 0; words[i] != NULL; i++) {
		if (words[i][0] == '\0')
			continue;
		if (line->len > 0)
			g_string_append_c(line, ' ');
		g_string_append(line, words[i]);
	}
	return g_string_free(line, FALSE);
}

void bookmark_print_table(const GPtrArray *bookmarks)
{
	g_autoptr(Table) table = table_new("bookmarks", "from", "to", "cpu", "name", "text", NULL);

	if (bookmarks->len == 0)
		return;
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		table_add(table, g_strdup_printf("%u", i + 1),
			  bookmark_describe_place(bookmark, bookmark->start),
			  bookmark->is_interval ? bookmark_describe_place(bookmark, bookmark->end)
						: g_strdup(""),
			  bookmark->cpu >= 0 ? g_strdup_printf("%d", bookmark->cpu) : g_strdup(""),
			  bookmark_in_a_line(bookmark->name), bookmark_in_a_line(bookmark->text),
			  NULL);
	}
	table_print(table);
}

static void print_place(Json *json, const LttBookmark *bookmark)
{
	const gboolean is_time = bookmark->unit == LTT_BOOKMARK_TIME;

	json_time(json, "start_time", is_time, bookmark->start);
	json_time(json, "end_time", is_time, bookmark->end);
	if (is_time) {
		json_null(json, "start_cycle");
		json_null(json, "end_cycle");
	} else {
		json_number(json, "start_cycle", bookmark->start);
		json_number(json, "end_cycle", bookmark->end);
	}
}

void bookmark_print_json(Json *json, const GPtrArray *bookmarks)
{
	json_open(json, "bookmarks", '[');
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		json_open(json, NULL, '{');
		json_text(json, "name", bookmark->name);
		if (bookmark->cpu >= 0)
			json_number(json, "cpu", (guint64)bookmark->cpu);
		else
			json_null(json, "cpu");
		print_place(json, bookmark);
		json_text(json, "text", bookmark->text);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void bookmark_print_mark(const LttBookmark *bookmark, gboolean is_end)
{
	g_autofree char *place =
		bookmark_describe_place(bookmark, is_end ? bookmark->end : bookmark->start);
	g_autofree char *cpu =
		bookmark->cpu >= 0 ? g_strdup_printf(" of cpu/%d", bookmark->cpu) : g_strdup("");
	g_autofree char *name = bookmark_in_a_line(bookmark->name);
	g_autofree char *text = bookmark_in_a_line(is_end ? "" : bookmark->text);
	g_autofree char *said = g_strconcat(name, text[0] != '\0' ? ": " : "", text, NULL);
	g_autofree char *safe = tool_escape(said);

	tool_print("%s  -- bookmark%s%s  %s\n", place, cpu,
		   is_end                  ? " ends"
		   : bookmark->is_interval ? " begins"
					   : "",
		   safe);
}
