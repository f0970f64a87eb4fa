/* cmd-view.c - `ltt view`: display traces in a web browser. */
#include "commands.h"
#include "several.h"

#include <ltt/ltt-filter.h>
#include <ltt/ltt-view.h>

#include <signal.h>

static SeveralClocks clocks;
static gint port;
static gboolean no_browser;
static char *html;
static char *from_text;
static char *to_text;
static char *filter;

static const GOptionEntry options[] = {
	{"port", 'p', 0, G_OPTION_ARG_INT, &port,
	 "listen on port N of 127.0.0.1; the default is any free port", "N"},
	{"no-browser", 0, 0, G_OPTION_ARG_NONE, &no_browser,
	 "print the address of the page, and open no browser", NULL},
	{"html", 0, 0, G_OPTION_ARG_FILENAME, &html,
	 "write a page of the window to FILE, which a browser opens\n"
	 "without a server, and exit; - is standard output",
	 "FILE"},
	{"from", 0, 0, G_OPTION_ARG_FILENAME, &from_text,
	 "with --html: the window begins at time T", "T"},
	{"to", 0, 0, G_OPTION_ARG_FILENAME, &to_text, "with --html: the window ends at time T",
	 "T"},
	{"filter", 0, 0, G_OPTION_ARG_FILENAME, &filter,
	 "with --html: only events and spans that EXPR selects", "EXPR"},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE...",
	.about =
		"Display traces in the web browser: the density of events, the spans and events of "
		"threads\n"
		"and CPUs, and the fields of events. Serve the page to this machine only, until "
		"Ctrl-C.\n",
	.options = options,
	.notes = "  ltt view TRACE\n"
		 "  ltt view --no-browser --port 8000 client.tar.gz server.tar.gz\n"
		 "  ltt view --html incident.html --from +2.5 --to +2.6 TRACE\n",
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

static void open_browser(const char *url)
{
	const char *const words[] = {"xdg-open", url, NULL};
	const char *display = g_getenv("DISPLAY");
	const char *wayland = g_getenv("WAYLAND_DISPLAY");

	if (no_browser || (display == NULL && wayland == NULL))
		return;
	g_spawn_async(NULL, (char **)words, NULL,
		      G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
		      NULL, NULL, NULL, NULL);
}

static gboolean settle(void)
{
	if (html == NULL && (from_text != NULL || to_text != NULL || filter != NULL)) {
		tool_fail("--from, --to and --filter need --html");
		return FALSE;
	}
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

/* Returns: a title of the page: the names of the traces */
static char *make_title(char *const *paths, guint n)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < n; i++)
		g_ptr_array_add(names, g_path_get_basename(paths[i]));
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

static void serve(LttTrace *trace, const char *title)
{
	g_autofree char *files = find_files();
	const LttViewRequest request = {
		.trace = trace, .title = title, .files = files, .port = (guint16)port};
	g_autoptr(GError) error = NULL;
	g_autoptr(LttView) view = NULL;
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
	tool_write_text(ltt_view_get_url(view));
	tool_write_text("\n");
	tool_flush();
	open_browser(ltt_view_get_url(view));
	sigwait(&signals, &caught);
}

/* A file appears whole or not at all. */
static void write_page(const GString *page)
{
	g_autoptr(GError) error = NULL;

	if (g_str_equal(html, "-"))
		tool_write(page->str, page->len);
	else if (!g_file_set_contents(html, page->str, (gssize)page->len, &error))
		tool_fail("%s", error->message);
}

static void save(LttTrace *trace, const char *title)
{
	g_autofree char *files = find_files();
	g_autoptr(LttSelect) select = ltt_select_new();
	LttViewPageRequest request = {.trace = trace,
				      .title = title,
				      .files = files,
				      .to_ns = G_MAXUINT64,
				      .filter = filter};
	g_autoptr(GString) page = NULL;
	g_autoptr(GError) error = NULL;

	if (ltt_select_set_window_text(select, from_text, to_text, trace, &error)) {
		ltt_select_get_window(select, &request.from_ns, &request.to_ns);
		page = ltt_view_make_page(&request, &error);
	}
	if (page != NULL)
		write_page(page);
	else
		tool_fail_error(error);
}

int cmd_view(int argc, char **argv)
{
	Reading reading;

	if (!tool_parse(&usage, &argc, &argv) || !settle())
		return tool_end();
	if (several_read(argv + 1, (guint)(argc - 1), &clocks, &reading)) {
		g_autofree char *title = make_title(argv + 1, (guint)(argc - 1));

		if (html != NULL)
			save(reading.trace, title);
		else
			serve(reading.trace, title);
	}
	reading_close(&reading);
	return tool_end();
}
