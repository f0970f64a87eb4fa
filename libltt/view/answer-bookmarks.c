/* answer-bookmarks.c - list the bookmarks of the traces, and change them.
 *
 * They are read again for each answer, because other programs change them, too. The library replaces the
 * file atomically, and under a lock (ltt-bookmarks.h).
 */
#include "view/request-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-time.h>

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

/* An archive and a saved page do not change: their bookmarks, and problems with them, are those of the
 * trace. */
static gboolean changes(const LttViewCall *call, const LttTrace *member)
{
	return call->live != NULL && g_file_test(ltt_trace_get_path(member), G_FILE_TEST_IS_DIR);
}

/* Returns: (transfer full): the bookmarks of a member, with its own times. @problems: (element-type utf8): gets a text
 * if the file cannot be read or parsed completely */
static GPtrArray *read_member(const LttViewCall *call, const LttTrace *member, GPtrArray *problems)
{
	const char *path = ltt_trace_get_path(member);
	g_autofree char *file = g_build_filename(path, "info", "bookmarks.xml", NULL);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GError) reason = NULL;
	GPtrArray *bookmarks;

	if (!changes(call, member))
		return g_ptr_array_ref((GPtrArray *)ltt_trace_read_bookmarks((LttTrace *)member));
	bookmarks = ltt_bookmarks_read(path, remarks, &reason);
	if (bookmarks == NULL) {
		g_ptr_array_add(problems, g_strdup(reason->message));
		return ltt_bookmarks_new();
	}
	if (remarks->len > 0) {
		const LttRemark *first = remarks->pdata[0];

		g_ptr_array_add(problems, g_strdup_printf("%s: line %u: %s", file, first->line,
							  first->message));
	}
	return bookmarks;
}

/* Returns: (transfer full) (nullable): why the bookmarks of a trace cannot be changed; NULL: they can */
static char *find_obstacle(const LttTrace *member)
{
	const char *path = ltt_trace_get_path(member);
	g_autofree char *info = g_build_filename(path, "info", NULL);
	struct stat status;

	if (stat(path, &status) != 0)
		return g_strdup_printf("%s: %s", path, g_strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return g_strdup_printf("%s is an archive", path);
	if (access(info, W_OK) != 0)
		return g_strdup_printf("%s: %s", info, g_strerror(errno));
	return NULL;
}

static void append_bookmark(GString *out, const LttViewCall *call, guint member, guint index,
			    const LttBookmark *bookmark)
{
	const LttTrace *trace = call->map->trace;
	const guint64 start_ns = ltt_trace_to_joined_time(trace, member, bookmark->start);
	const guint64 end_ns = ltt_trace_to_joined_time(trace, member, bookmark->end);

	if (bookmark->unit != LTT_BOOKMARK_TIME)
		return;
	if (out->str[out->len - 1] == '}')
		g_string_append_c(out, ',');
	g_string_append_printf(out,
			       "{\"trace\":%u,\"index\":%u,\"time\":%" G_GINT64_FORMAT
			       ",\"length\":%" G_GUINT64_FORMAT ",\"is_interval\":%s,\"name\":",
			       member, index, (gint64)(start_ns - call->map->axis.start_ns),
			       end_ns - start_ns, bookmark->is_interval ? "true" : "false");
	ltt_json_append_string(out, bookmark->name, -1);
	g_string_append(out, ",\"text\":");
	ltt_json_append_string(out, bookmark->text, -1);
	g_string_append_c(out, '}');
}

static void append_obstacles(GString *out, const LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_members(trace); i++) {
		g_autofree char *obstacle = find_obstacle(ltt_trace_get_member(trace, i));

		if (i > 0)
			g_string_append_c(out, ',');
		if (obstacle != NULL)
			ltt_json_append_string(out, obstacle, -1);
		else
			g_string_append(out, "null");
	}
}

gboolean ltt_view_answer_bookmarks(LttViewCall *call, GError **error)
{
	g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
	LttTrace *trace = call->map->trace;

	(void)error;
	g_string_append(call->answer, "{\"bookmarks\":[");
	for (guint i = 0; i < ltt_trace_get_n_members(trace); i++) {
		g_autoptr(GPtrArray) bookmarks =
			read_member(call, ltt_trace_get_member(trace, i), problems);

		for (guint j = 0; j < bookmarks->len; j++)
			append_bookmark(call->answer, call, i, j, bookmarks->pdata[j]);
	}
	g_string_append(call->answer, "],\"obstacles\":[");
	/* A saved page changes none, and does not depend on what can be written now. */
	if (call->live != NULL)
		append_obstacles(call->answer, trace);
	g_string_append(call->answer, "],\"problems\":[");
	for (guint i = 0; i < problems->len; i++) {
		if (i > 0)
			g_string_append_c(call->answer, ',');
		ltt_json_append_string(call->answer, problems->pdata[i], -1);
	}
	g_string_append(call->answer, "]}");
	return TRUE;
}

/* ---- changing ---- */

/* A change: its target, and the bookmark that it makes. */
typedef struct Change {
	guint64 member;
	guint64 index;       /* of the bookmark to change */
	const char *was;     /* its name, in case that other programs have changed the list */
	LttBookmark *made;   /* NULL: the bookmark is removed; owned */
	gboolean keeps_time; /* whether that of the bookmark is kept, in its unit */
} Change;

static gboolean fail(GError **error, const char *message)
{
	g_set_error_literal(error, LTT_ERROR, LTT_ERROR_INVALID, message);
	return FALSE;
}

/* Keeps what the request does not change. Called under the lock, with the present bookmark. */
static void keep(Change *change, const LttBookmark *bookmark)
{
	change->made->cpu = bookmark->cpu;
	if (!change->keeps_time)
		return;
	change->made->unit = bookmark->unit;
	change->made->is_interval = bookmark->is_interval;
	change->made->start = bookmark->start;
	change->made->end = bookmark->end;
}

static gboolean is_meant(const LttBookmark *bookmark, guint index, gpointer user_data)
{
	Change *change = user_data;

	if (index != change->index || !g_str_equal(bookmark->name, change->was))
		return FALSE;
	if (change->made != NULL)
		keep(change, bookmark);
	return TRUE;
}

/* Makes the bookmark that the parameters describe. */
static gboolean make_bookmark(const LttViewCall *call, Change *change, GError **error)
{
	const LttViewAxis *axis = &call->map->axis;
	const LttTrace *trace = call->map->trace;
	const guint member = (guint)change->member;
	const char *name;
	const char *text;
	guint64 time_ns = 0;
	guint64 length_ns = 0;

	if (!ltt_view_call_get_text(call, "name", &name, error) ||
	    !ltt_view_call_get_text(call, "text", &text, error))
		return FALSE;
	if (name == NULL || *name == '\0')
		return fail(error, "name: expected the name of the bookmark");
	if (!ltt_view_call_get_number(call, "time", 0, LTT_MAX_TIME_NS - axis->start_ns, &time_ns,
				      error) ||
	    !ltt_view_call_get_number(call, "length", 0, LTT_MAX_TIME_NS - axis->start_ns - time_ns,
				      &length_ns, error))
		return FALSE;
	change->keeps_time = !ltt_view_call_has(call, "time");
	change->made = ltt_bookmark_new(name, text);
	change->made->is_interval = length_ns > 0;
	time_ns += axis->start_ns;
	change->made->start = ltt_trace_from_joined_time(trace, member, time_ns);
	change->made->end = ltt_trace_from_joined_time(trace, member, time_ns + length_ns);
	return TRUE;
}

static gboolean edit(const LttViewCall *call, const char *directory, Change *change,
		     gboolean removes, GError **error)
{
	guint n = 0;

	if (!removes && !make_bookmark(call, change, error))
		return FALSE;
	if (change->was == NULL)
		return ltt_bookmarks_add(directory, change->made, error);
	if (removes ? !ltt_bookmarks_remove(directory, is_meant, change, &n, error)
		    : !ltt_bookmarks_replace(directory, is_meant, change, change->made, &n, error))
		return FALSE;
	return n > 0 || fail(error, "another program has changed this bookmark");
}

gboolean ltt_view_change_bookmarks(LttViewCall *call, GError **error)
{
	LttTrace *trace = call->map->trace;
	const char *action;
	Change change = {0};
	g_autofree char *obstacle = NULL;
	const LttTrace *member;
	gboolean is_done;

	if (!ltt_view_call_get_text(call, "action", &action, error) ||
	    !ltt_view_call_get_text(call, "was", &change.was, error))
		return FALSE;
	if (action == NULL || (!g_str_equal(action, "add") && !g_str_equal(action, "change") &&
			       !g_str_equal(action, "remove")))
		return fail(error, "action: expected add, change or remove");
	if (g_str_equal(action, "add"))
		change.was = NULL;
	else if (change.was == NULL)
		return fail(error, "was: expected the name of the bookmark to change");
	if (!ltt_view_call_get_number(call, "trace", 0, ltt_trace_get_n_members(trace) - 1,
				      &change.member, error) ||
	    !ltt_view_call_get_number(call, "index", 0, G_MAXUINT32, &change.index, error))
		return FALSE;
	member = ltt_trace_get_member(trace, (guint)change.member);
	obstacle = find_obstacle(member);
	if (obstacle != NULL)
		return fail(error, obstacle);
	is_done = edit(call, ltt_trace_get_path(member), &change, g_str_equal(action, "remove"),
		       error);
	ltt_bookmark_free(change.made);
	return is_done && ltt_view_answer_bookmarks(call, error);
}
