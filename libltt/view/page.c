/* page.c - one file with the page and what it shows of a window (ltt-view.h).
 *
 * The page is index.html with these parts inside:
 *
 *	<meta ...>                         content security policy: the hashes of style and script
 *	<style>                            viewer.css
 *	<script type="application/json">   answers of the server, of one window
 *	<script type="module">             viewer.js, which asks the answers instead of a server
 *
 * A browser does not run the answers. In JSON "<" occurs in strings only, where it is written as
 * \u003c, so a name in the trace cannot end the element.
 */
#include "view/page-file-priv.h"
#include "view/request-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-view.h>
#include <string.h>

/* Pixels of the window: how far the page can zoom. Fewer if the picture gets larger than MAX_BYTES. */
#define MOST_PIXELS  4096
#define LEAST_PIXELS 64
#define MAX_BYTES    ((gsize)8 * 1024 * 1024)

#define MAX_LANES  4000
#define MAX_EVENTS "1000"

typedef struct Page {
	const LttViewPageRequest *request;
	LttViewMap *map;
	GHashTable *parameters; /* of the answers */
	GString *json;
} Page;

/* ---- answers ---- */

static void set(Page *page, const char *name, char *value)
{
	g_hash_table_insert(page->parameters, (gpointer)name, value);
}

static gboolean add_answer(Page *page, const char *name, LttViewAnswerFunc function, GError **error)
{
	g_autoptr(GString) answer = g_string_new(NULL);
	LttViewCall call = {
		.map = page->map,
		.title = page->request->title,
		.parameters = page->parameters,
		.answer = answer,
	};

	if (!function(&call, error))
		return FALSE;
	g_string_append_printf(page->json, ",\"%s\":", name);
	g_string_append_len(page->json, answer->str, (gssize)answer->len);
	return TRUE;
}

static char *list_lanes(const LttViewMap *map)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < MIN(map->lanes->len, MAX_LANES); i++)
		g_string_append_printf(list, i > 0 ? ",%u" : "%u", i);
	return g_string_free(list, FALSE);
}

static gboolean add_picture(Page *page, GError **error)
{
	return add_answer(page, "spans", ltt_view_answer_spans, error) &&
	       add_answer(page, "states", ltt_view_answer_states, error) &&
	       add_answer(page, "counters", ltt_view_answer_counters, error);
}

/* Adds the picture with as many pixels as the size allows. */
static gboolean add_best_picture(Page *page, guint64 from_ns, guint64 to_ns, GError **error)
{
	const gsize length = page->json->len;
	guint n = (guint)MIN(MOST_PIXELS, to_ns - from_ns);

	set(page, "lanes", list_lanes(page->map));
	for (;;) {
		set(page, "pixels", g_strdup_printf("%u", n));
		if (!add_picture(page, error))
			return FALSE;
		if (page->json->len - length <= MAX_BYTES || n <= LEAST_PIXELS)
			break;
		g_string_truncate(page->json, length);
		n /= 2;
	}
	g_string_append_printf(page->json,
			       ",\"window\":{\"from\":%" G_GUINT64_FORMAT
			       ",\"to\":%" G_GUINT64_FORMAT ",\"pixels\":%u}}",
			       from_ns, to_ns, n);
	return TRUE;
}

static gboolean add_answers(Page *page, GError **error)
{
	const LttViewAxis *axis = &page->map->axis;
	const guint64 length_ns = axis->end_ns - axis->start_ns;
	const guint64 from_ns =
		MIN(MAX(page->request->from_ns, axis->start_ns) - axis->start_ns, length_ns - 1);
	const guint64 to_ns =
		MIN(MAX(page->request->to_ns, axis->start_ns) - axis->start_ns, length_ns);

	if (to_ns <= from_ns) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "the window is empty or outside the trace");
		return FALSE;
	}
	g_string_append(page->json, "{\"version\":1");
	set(page, "bins", g_strdup("2000"));
	if (!add_answer(page, "trace", ltt_view_answer_trace, error) ||
	    !add_answer(page, "progress", ltt_view_answer_progress, error) ||
	    !add_answer(page, "lanes", ltt_view_answer_lanes, error) ||
	    !add_answer(page, "damage", ltt_view_answer_damage, error) ||
	    !add_answer(page, "density", ltt_view_answer_density, error) ||
	    !add_answer(page, "bookmarks", ltt_view_answer_bookmarks, error))
		return FALSE;
	set(page, "from", g_strdup_printf("%" G_GUINT64_FORMAT, from_ns));
	set(page, "to", g_strdup_printf("%" G_GUINT64_FORMAT, to_ns));
	set(page, "limit", g_strdup(MAX_EVENTS));
	set(page, "places", g_strdup("1"));
	if (page->request->filter != NULL)
		set(page, "filter", g_strdup(page->request->filter));
	return add_answer(page, "events", ltt_view_answer_events, error) &&
	       add_answer(page, "stat", ltt_view_answer_stat, error) &&
	       add_answer(page, "wakeups", ltt_view_answer_wakeups, error) &&
	       add_best_picture(page, from_ns, to_ns, error);
}

/* ---- the file ---- */

static char *make_hash(const char *text)
{
	guint8 digest[32];
	gsize length = sizeof(digest);
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);

	g_checksum_update(checksum, (const guchar *)text, -1);
	g_checksum_get_digest(checksum, digest, &length);
	return g_base64_encode(digest, length);
}

static char *make_policy(const char *style, const char *script)
{
	g_autofree char *style_hash = make_hash(style);
	g_autofree char *script_hash = make_hash(script);

	return g_strdup_printf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			       "'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; img-src "
			       "data: blob:; base-uri 'none'; form-action 'none'\">",
			       script_hash, style_hash);
}

/* Replaces the only occurrence of @old. Returns: FALSE if there is none */
static gboolean put(GString *html, const char *old, const char *before, const char *text,
		    const char *after)
{
	const char *place = strstr(html->str, old);
	g_autofree char *whole = g_strconcat(before, text, after, NULL);
	gssize at;

	if (place == NULL)
		return FALSE;
	at = place - html->str;
	g_string_erase(html, at, (gssize)strlen(old));
	g_string_insert(html, at, whole);
	return TRUE;
}

static GString *join(const char *folder, const char *json, GError **error)
{
	g_autofree char *index = ltt_view_read_page_file(folder, "index.html", NULL, error);
	g_autofree char *style =
		index != NULL ? ltt_view_read_page_file(folder, "viewer.css", NULL, error) : NULL;
	g_autofree char *script =
		style != NULL ? ltt_view_read_page_file(folder, "viewer.js", NULL, error) : NULL;
	g_autofree char *policy = NULL;
	g_autoptr(GString) html = NULL;

	if (script == NULL)
		return NULL;
	policy = make_policy(style, script);
	html = g_string_new(index);
	if (strstr(script, "</script") == NULL && strstr(style, "</style") == NULL &&
	    put(html, "<script type=\"module\" src=\"viewer.js\"></script>",
		"<script id=\"saved\" type=\"application/json\"></script>\n<script "
		"type=\"module\">",
		script, "</script>") &&
	    put(html, "<link rel=\"stylesheet\" href=\"viewer.css\">", "<style>", style,
		"</style>") &&
	    put(html, "<meta charset=\"utf-8\">", "<meta charset=\"utf-8\">\n", policy, "") &&
	    put(html, "application/json\"></script>", "application/json\">", json, "</script>"))
		return g_steal_pointer(&html);
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID, "%s: the files of the page do not match",
		    folder);
	return NULL;
}

GString *ltt_view_make_page(const LttViewPageRequest *request, GError **error)
{
	g_autoptr(GHashTable) parameters =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL, g_free);
	g_autoptr(GString) json = g_string_new(NULL);
	Page page = {.request = request, .parameters = parameters, .json = json};
	gboolean is_good;

	ltt_trace_read_bookmarks(request->trace); /* parses them in this thread */
	page.map = ltt_view_map_new(request->trace, FALSE, request->cache);
	ltt_view_map_start(page.map);
	is_good = ltt_view_map_wait(page.map, error) && add_answers(&page, error);
	if (is_good)
		ltt_view_map_tell_problems(page.map, request->on_problem, request->user_data);
	ltt_view_map_free(page.map);
	if (!is_good)
		return NULL;
	g_string_replace(json, "<", "\\u003c", 0);
	return join(request->files, json->str, error);
}
