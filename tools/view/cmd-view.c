/* cmd-view.c - `ltt view`: display traces in a web browser. */
#include "browser.h"
#include "commands.h"
#include "result-place.h"
#include "several.h"
#include "slips.h"

#include <ltt/ltt-filter.h>
#include <ltt/ltt-view.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_WIDTH 1600

static SeveralClocks clocks;
static gint port;
static gboolean no_browser;
static char *html;
static char *png;
static char *size_text;
static char *search;
static gboolean is_dark;
static guint png_width = DEFAULT_WIDTH;
static guint png_height;
static char *from_text;
static char *to_text;
static char *filter;
static char *align;
static gboolean no_cache;
static char *cache_folder;

/* Smaller traces are read faster than a user notices. They are stored only by --cache. */
#define CACHE_EVENTS 500000

static const GOptionEntry options[] = {
	{"port", 'p', 0, G_OPTION_ARG_INT, &port,
	 "listen on port N of 127.0.0.1; the default is any free port", "N"},
	{"no-browser", 0, 0, G_OPTION_ARG_NONE, &no_browser,
	 "print the address of the page, and open no browser", NULL},
	{"html", 0, 0, G_OPTION_ARG_FILENAME, &html,
	 "write a page of the window to FILE, which a browser opens\n"
	 "without a server, and exit; - is standard output",
	 "FILE"},
	{"png", 0, 0, G_OPTION_ARG_FILENAME, &png,
	 "write a picture of the window to FILE, and exit;\n"
	 "- is standard output",
	 "FILE"},
	{"size", 0, 0, G_OPTION_ARG_STRING, &size_text,
	 "with --png: pixels of the picture, such as 1600x900; or the\n"
	 "width alone, with the height of all lanes; default 1600",
	 "WxH"},
	{"search", 0, 0, G_OPTION_ARG_STRING, &search,
	 "with --png: only lanes whose name, process or process id has\n"
	 "each of the words of TEXT",
	 "TEXT"},
	{"dark", 0, 0, G_OPTION_ARG_NONE, &is_dark, "with --png: light on dark", NULL},
	{"from", 0, 0, G_OPTION_ARG_FILENAME, &from_text,
	 "with --html, --png: the window begins at time T", "T"},
	{"to", 0, 0, G_OPTION_ARG_FILENAME, &to_text,
	 "with --html, --png: the window ends at time T", "T"},
	{"filter", 0, 0, G_OPTION_ARG_FILENAME, &filter,
	 "with --html, --png: only events and spans that EXPR selects", "EXPR"},
	{"align", 0, 0, G_OPTION_ARG_STRING, &align,
	 "move the traces so that the N-th events of the name EVENT are\n"
	 "where that of the first trace is; N is 1 by default",
	 "EVENT[:N]"},
	{"cache", 0, 0, G_OPTION_ARG_FILENAME, &cache_folder,
	 "keep summaries of traces in DIR; the default is ltt/view in\n"
	 "$XDG_CACHE_HOME or ~/.cache, for large traces",
	 "DIR"},
	{"no-cache", 0, 0, G_OPTION_ARG_NONE, &no_cache,
	 "read the whole trace, and keep no summary of it", NULL},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE...",
	.about =
		"Display traces in the web browser: the density of events, the spans and events of "
		"threads\n"
		"and CPUs, and the fields of events. Follow recordings that are running. Serve the "
		"page to\n"
		"this machine only, until Ctrl-C.\n",
	.options = options,
	.notes = "  ltt view TRACE\n"
		 "  ltt view --no-browser --port 8000 client.tar.gz server.tar.gz\n"
		 "  ltt view --align http.request:3 BEFORE AFTER\n"
		 "  ltt view --html incident.html --from +2.5 --to +2.6 TRACE\n"
		 "  ltt view --png incident.png --from +2.5 --to +2.6 TRACE\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

/* Returns: (transfer full): the folder with the files of the page, beside libexec/ltt/ltt-view */
static char *find_files(void)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *folder =
		self != NULL ? g_path_get_dirname(self) : g_strdup("/usr/libexec/ltt");

	return g_build_filename(folder, "..", "..", "share", "ltt", "viewer", NULL);
}

/* Parses "1600x900", or "1600". */
static gboolean parse_size(guint *width, guint *height)
{
	g_auto(GStrv) words = g_strsplit(size_text, "x", 2);
	guint64 numbers[2] = {0, 0};
	guint n = g_strv_length(words);

	for (guint i = 0; i < n; i++) {
		if (!g_ascii_string_to_unsigned(words[i], 10, LTT_VIEW_MIN_PNG, LTT_VIEW_MAX_PNG,
						&numbers[i], NULL))
			n = 0;
	}
	*width = (guint)numbers[0];
	*height = (guint)numbers[1];
	if (n > 0)
		return TRUE;
	tool_fail("--size: %s: expected WxH, such as 1600x900, with %d to %d pixels each",
		  size_text, LTT_VIEW_MIN_PNG, LTT_VIEW_MAX_PNG);
	return FALSE;
}

/* Checks which options are given together. */
static gboolean settle_options(void)
{
	if (html == NULL && png == NULL && (from_text != NULL || to_text != NULL || filter != NULL))
		tool_fail("--from, --to and --filter need --html or --png");
	else if (png == NULL && (size_text != NULL || search != NULL || is_dark))
		tool_fail("--size, --search and --dark need --png");
	else if (align != NULL && (html != NULL || png != NULL))
		tool_fail("--align moves traces in the page that is served; with --html and --png, "
			  "move them with --offset");
	else if (no_cache && cache_folder != NULL)
		tool_fail("--cache and --no-cache: give one of them");
	else if (html != NULL && png != NULL)
		tool_fail("--html and --png: give one of them");
	else
		return TRUE;
	return FALSE;
}

static gboolean settle(void)
{
	if (!settle_options() || (size_text != NULL && !parse_size(&png_width, &png_height)))
		return FALSE;
	if (filter != NULL) {
		g_autoptr(GError) error = NULL;
		g_autoptr(LttFilter) parsed = ltt_filter_new(filter, &error);

		if (parsed == NULL) {
			tool_fail("--filter: %s", error->message);
			return FALSE;
		}
	}
	if (port >= 0 && port <= G_MAXUINT16)
		return TRUE;
	tool_fail("--port: %d: expected a number from 0 to %d", port, G_MAXUINT16);
	return FALSE;
}

static gboolean check_places(char *const *paths, guint n)
{
	return result_place_check(html, paths, n) && result_place_check(png, paths, n) &&
	       result_place_check(cache_folder, paths, n);
}

/* Returns: a title of the page: the names of the traces */
static char *make_title(char *const *paths, guint n)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < n; i++)
		g_ptr_array_add(names, g_path_get_basename(paths[i]));
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

/* Without --cache, a folder that cannot be used is none. Returns: FALSE if that of --cache cannot */
static gboolean open_cache(LttViewCache **cache)
{
	g_autofree char *caches = tool_user_folder(g_get_user_cache_dir(), ".cache");
	g_autofree char *folder = g_build_filename(caches, "ltt", "view", NULL);
	g_autoptr(GError) error = NULL;

	if (no_cache)
		return TRUE;
	*cache = cache_folder != NULL ? ltt_view_cache_new(cache_folder, 0, &error)
				      : ltt_view_cache_new(folder, CACHE_EVENTS, NULL);
	if (error != NULL)
		tool_fail("--cache: %s", error->message);
	return error == NULL;
}

/* Returns: (transfer full): an address of the page; with --align the page moves the traces when it opens */
static char *make_url(const char *page)
{
	g_autofree char *word = align != NULL ? g_uri_escape_string(align, NULL, FALSE) : NULL;

	return word != NULL ? g_strconcat(page, "#panel=compare&align=", word, NULL)
			    : g_strdup(page);
}

static void serve(LttTrace *trace, const char *title, const LttViewCache *cache)
{
	g_autofree char *files = find_files();
	const LttViewRequest request = {.trace = trace,
					.title = title,
					.files = files,
					.port = (guint16)port,
					.cache = cache};
	g_autoptr(GError) error = NULL;
	g_autoptr(LttView) view = NULL;
	g_autofree char *url = NULL;
	g_autofree char *ticket = NULL;
	sigset_t signals;
	int caught;

	/* Before the threads of the server start, which inherit it. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	view = ltt_view_new(&request, &error);
	if (view == NULL) {
		tool_fail_error(error);
		return;
	}
	url = make_url(ltt_view_get_url(view));
	ticket = make_url(ltt_view_get_ticket_url(view));
	tool_write_text(url);
	tool_write_text("\n");
	tool_flush();
	/* Without a browser and an address, nobody can see the page. */
	if ((!no_browser && browser_open(ticket)) || tool_can_write())
		sigwait(&signals, &caught);
}

/* A device or a pipe, which must not be replaced by a file; also one that a link leads to. */
static gboolean is_special(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static void write_special(const char *path, const char *bytes, gsize length)
{
	const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
	gboolean is_good = fd >= 0;

	while (is_good && length > 0) {
		const ssize_t n = write(fd, bytes, length);

		is_good = n >= 0 || errno == EINTR;
		bytes += MAX(n, 0);
		length -= (gsize)MAX(n, 0);
	}
	if (!is_good)
		tool_fail("%s: %s", path, g_strerror(errno));
	if (fd >= 0 && close(fd) < 0 && is_good)
		tool_fail("%s: %s", path, g_strerror(errno));
}

/* A file appears whole or not at all. */
static void write_file(const char *path, const void *bytes, gsize length)
{
	g_autoptr(GError) error = NULL;

	if (g_str_equal(path, "-"))
		tool_write(bytes, length);
	else if (is_special(path))
		write_special(path, bytes, length);
	else if (!g_file_set_contents(path, bytes, (gssize)length, &error))
		tool_fail("%s", error->message);
}

static void warn_problem(const char *text, gpointer user_data)
{
	(void)user_data;
	tool_warn("%s", text);
}

static gboolean save_page(LttTrace *trace, const char *title, const LttSelect *select,
			  const LttViewCache *cache, GError **error)
{
	g_autofree char *files = find_files();
	LttViewPageRequest request = {.trace = trace,
				      .title = title,
				      .files = files,
				      .to_ns = G_MAXUINT64,
				      .filter = filter,
				      .cache = cache,
				      .on_problem = warn_problem};
	g_autoptr(GString) page = NULL;

	ltt_select_get_window(select, &request.from_ns, &request.to_ns);
	page = ltt_view_make_page(&request, error);
	if (page != NULL)
		write_file(html, page->str, page->len);
	return page != NULL;
}

static gboolean save_picture(LttTrace *trace, const char *title, const LttSelect *select,
			     const LttViewCache *cache, GError **error)
{
	LttViewPngRequest request = {.trace = trace,
				     .title = title,
				     .to_ns = G_MAXUINT64,
				     .filter = filter,
				     .search = search,
				     .width = png_width,
				     .height = png_height,
				     .is_dark = is_dark,
				     .cache = cache,
				     .on_problem = warn_problem};
	g_autoptr(GByteArray) picture = NULL;

	ltt_select_get_window(select, &request.from_ns, &request.to_ns);
	picture = ltt_view_make_png(&request, error);
	if (picture != NULL)
		write_file(png, picture->data, picture->len);
	return picture != NULL;
}

/* Warns of names and times that the trace does not have. */
static void report_slips(const Reading *reading)
{
	g_autoptr(LttFilter) parsed = filter != NULL ? ltt_filter_new(filter, NULL) : NULL;

	ltt_select_set_filter(reading->select, parsed);
	slips_report_names(reading, 1, TRUE);
	slips_report_times(reading, &(SlipsAsked){.from = from_text, .to = to_text});
}

static void save(LttTrace *trace, const char *title, const LttViewCache *cache)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(GError) error = NULL;

	if (!ltt_select_set_window_text(select, from_text, to_text, trace, &error) ||
	    !(html != NULL ? save_page(trace, title, select, cache, &error)
			   : save_picture(trace, title, select, cache, &error)))
		tool_fail_error(error);
	report_slips(&(Reading){.trace = trace, .select = select});
}

int cmd_view(int argc, char **argv)
{
	g_autoptr(LttViewCache) cache = NULL;
	Reading reading;

	if (!tool_parse(&usage, &argc, &argv) || !settle() ||
	    !check_places(argv + 1, (guint)(argc - 1)) || !open_cache(&cache))
		return tool_end();
	if (align != NULL && argc < 3) {
		tool_fail("--align: expected two traces or more");
		return tool_end();
	}
	if (several_read(argv + 1, (guint)(argc - 1), &clocks, &reading)) {
		g_autofree char *title = make_title(argv + 1, (guint)(argc - 1));

		if (html != NULL || png != NULL)
			save(reading.trace, title, cache);
		else
			serve(reading.trace, title, cache);
	}
	reading_close(&reading);
	return tool_end();
}
