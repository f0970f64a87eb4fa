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

typedef struct LttViewRequest {
	LttTrace *trace;   /* must outlive the view; a joined trace for several traces */
	const char *title; /* (nullable): of the page; NULL: the path of the trace */
	const char
		*files; /* folder with the files of the page: index.html, viewer.js, viewer.css */
	guint16 port;   /* 0: any free port */
} LttViewRequest;

/* Requests that are answered at the same time; further ones wait. */
#define LTT_VIEW_CONNECTIONS 64

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

/* Returns: the port on which the server listens */
guint16 ltt_view_get_port(const LttView *view);

/* ---- a page in a file ---- */

typedef struct LttViewPageRequest {
	LttTrace *trace;
	const char *title;
	const char *files;  /* as in LttViewRequest */
	guint64 from_ns;    /* the window; parts outside the trace are ignored */
	guint64 to_ns;      /* G_MAXUINT64: up to the end of the trace */
	const char *filter; /* (nullable): expression of ltt-filter.h: which events and spans */
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

G_END_DECLS

#endif /* LTT_VIEW_H */
