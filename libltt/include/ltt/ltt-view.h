/* ltt-view.h - serve a trace to a web browser (doc/view.md).
 *
 *	const LttViewRequest request = {.trace = trace, .files = "/usr/share/ltt/viewer"};
 *	g_autoptr(LttView) view = ltt_view_new(&request, &error);
 *
 *	printf("%s\n", ltt_view_get_url(view));
 *	pause();
 *
 * The server listens on 127.0.0.1 only. Its URL contains a random token; a request without it, or
 * with a foreign Host or Origin, is refused.
 *
 * The functions are in a separate library, libltt-view, which links libmicrohttpd.
 *
 * Threads: the server has threads of its own. The caller must not use the trace until
 * ltt_view_free().
 */
#ifndef LTT_VIEW_H
#define LTT_VIEW_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttView LttView;

/* ---- a cache ---- */

/* A folder with summaries of traces, so that a trace that is opened again is not read again
 * (doc/view.md). */
typedef struct LttViewCache LttViewCache;

/* Limits of a file, and of all files of a folder. The files that were used longest ago are removed. */
#define LTT_VIEW_CACHE_FILE_BYTES ((gint64)64 * 1024 * 1024)
#define LTT_VIEW_CACHE_BYTES      ((guint64)256 * 1024 * 1024)

/**
 * ltt_view_cache_new:
 * @folder: is created, with those above it, if it does not exist
 * @min_events: traces with fewer events are not stored
 *
 * Several programs may use one folder.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO if the folder cannot be opened, belongs
 *   to another user, or if its mode lets other users use it
 */
LttViewCache *ltt_view_cache_new(const char *folder, guint64 min_events, GError **error);
void ltt_view_cache_free(LttViewCache *cache); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttViewCache, ltt_view_cache_free)

/* ---- the server ---- */

typedef struct LttViewRequest {
	LttTrace *trace;   /* must outlive the view; a joined trace for several traces */
	const char *title; /* (nullable): of the page; NULL: the path of the trace */
	const char
		*files; /* folder with the files of the page: index.html, viewer.js, viewer.css */
	guint16 port;   /* 0: any free port */
	const LttViewCache *cache; /* (nullable): NULL: none; must outlive the view */
} LttViewRequest;

/* Connections at the same time; further ones wait. At most 128 of them may be without a request that has
 * the token of the URL: of more, the oldest ones are closed. */
#define LTT_VIEW_CONNECTIONS 192

/**
 * ltt_view_new:
 *
 * Starts the server, and starts to read the trace in the background.
 *
 * Returns: (transfer full) (nullable): NULL with
 *   LTT_ERROR_IO     a file of the page cannot be read, or the port is in use
 *   LTT_ERROR_LIMIT  no memory or no threads
 */
LttView *ltt_view_new(const LttViewRequest *request, GError **error);

/* Stops the server; requests that are being answered fail. NULL is allowed and ignored. */
void ltt_view_free(LttView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttView, ltt_view_free)

/* Returns: the URL of the page, with the token */
const char *ltt_view_get_url(const LttView *view);

/* Returns: a URL that leads to the page once, and only a program of this user or of root: an argument for a browser, which
 *   other users of the machine can see, must not contain the token */
const char *ltt_view_get_ticket_url(const LttView *view);

/* Returns: the port on which the server listens */
guint16 ltt_view_get_port(const LttView *view);

/* ---- a page in a file ---- */

/* Called for each problem that was found while the trace was read, in the thread that makes the page or the
 * picture. @text is a line without a newline, as ltt_problem_to_string() returns it. If there are more than
 * 1,000 problems, the call after these says how many others there are. */
typedef void (*LttViewProblemFunc)(const char *text, gpointer user_data);

typedef struct LttViewPageRequest {
	LttTrace *trace;
	const char *title;
	const char *files;  /* as in LttViewRequest */
	guint64 from_ns;    /* the window; parts outside the trace are ignored */
	guint64 to_ns;      /* G_MAXUINT64: up to the end of the trace */
	const char *filter; /* (nullable): expression of ltt-filter.h: which events and spans */
	const LttViewCache *cache;     /* (nullable): as in LttViewRequest */
	LttViewProblemFunc on_problem; /* (nullable) */
	gpointer user_data;            /* passed to on_problem */
} LttViewPageRequest;

/**
 * ltt_view_make_page:
 *
 * Creates one HTML file that shows a window of a trace without a server: the page and its data.
 * The file loads nothing. It has at most 8 MiB of spans, unless the trace has more than a thousand
 * lanes, and up to 1,000 events.
 *
 * Returns: (transfer full) (nullable): the file; NULL with
 *   LTT_ERROR_INVALID  the filter is wrong, the window is empty, or the files do not match
 *   LTT_ERROR_IO       a file of the page or the trace cannot be read
 */
GString *ltt_view_make_page(const LttViewPageRequest *request, GError **error);

/* ---- a picture ---- */

/* Sizes of a picture, in pixels. */
#define LTT_VIEW_MIN_PNG 320
#define LTT_VIEW_MAX_PNG 16384

typedef struct LttViewPngRequest {
	LttTrace *trace;
	const char *title;
	guint64 from_ns;    /* the window; parts outside the trace are ignored */
	guint64 to_ns;      /* G_MAXUINT64: up to the end of the trace */
	const char *filter; /* (nullable): as in LttViewPageRequest */
	const char *search; /* (nullable): only lanes whose name, process or process id has each of
			     * these words, in any case; as the search of the page */
	guint width;        /* pixels, LTT_VIEW_MIN_PNG to LTT_VIEW_MAX_PNG */
	guint height;       /* likewise; 0: what the lanes need, 240 to 1,200 */
	gboolean is_dark;
	const LttViewCache *cache;     /* (nullable): as in LttViewRequest */
	LttViewProblemFunc on_problem; /* (nullable) */
	gpointer user_data;            /* passed to on_problem */
} LttViewPngRequest;

/**
 * ltt_view_make_png:
 *
 * Creates a PNG file with a picture of a window: what the page shows, without a browser. Lanes that have
 * nothing in the window are left out. Lanes for which there is no room are counted in the picture. The
 * same trace, request and fonts give the same bytes.
 *
 * Returns: (transfer full) (nullable): the file; NULL with
 *   LTT_ERROR_INVALID      the filter or the size is wrong, or the window is empty
 *   LTT_ERROR_IO           the trace cannot be read
 *   LTT_ERROR_LIMIT        no memory
 *   LTT_ERROR_UNSUPPORTED  the library was built without Pango
 */
GByteArray *ltt_view_make_png(const LttViewPngRequest *request, GError **error);

G_END_DECLS

#endif /* LTT_VIEW_H */
