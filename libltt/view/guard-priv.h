/* guard-priv.h - which requests the server answers at all.
 *
 * The threats are pages of other sites in the same browser, and other users of the machine. A
 * request must have the token in its path, which only the user of `ltt view` has; a Host of this
 * server, so that a foreign name that resolves to 127.0.0.1 does not help; and no foreign Origin.
 *
 * All users can read the arguments of a program, so the token must not be among those of the browser. They
 * have a ticket: the server redirects a program of its own user, the first one that sends the ticket, to the page.
 */
#ifndef LTT_VIEW_GUARD_PRIV_H
#define LTT_VIEW_GUARD_PRIV_H

#ifndef LTT_BUILDING
#error "view/guard-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>
#include <microhttpd.h>

#define LTT_VIEW_TICKET_PATH "/open/"

typedef struct LttViewGuard {
	char *token;  /* 32 hexadecimal digits */
	char *ticket; /* likewise */
	gint is_used; /* the ticket is; atomic */
	guint16 port;
	char *hosts[2]; /* "127.0.0.1:PORT" and "localhost:PORT" */
} LttViewGuard;

/* Returns: FALSE with LTT_ERROR_IO if the system has no random bytes */
gboolean ltt_view_guard_init(LttViewGuard *guard, GError **error);
void ltt_view_guard_set_port(LttViewGuard *guard, guint16 port);
void ltt_view_guard_clear(LttViewGuard *guard);

/* @is_editor: (out): set to whether the request comes from a page inside VS Code, which may use only the
 *   protocol of trace viewers (doc/tsp.md)
 * Returns: (nullable): the part of @path after "/TOKEN/"; NULL: the request must be refused */
const char *ltt_view_guard_check(const LttViewGuard *guard, struct MHD_Connection *connection,
				 const char *path, gboolean *is_editor);

/* Returns: whether the request is the one that the ticket is for */
gboolean ltt_view_guard_takes_ticket(LttViewGuard *guard, struct MHD_Connection *connection,
				     const char *path);

/* Returns: whether a request that passed ltt_view_guard_check() comes from the page itself: it has an
 * Origin, without which nothing is changed */
gboolean ltt_view_guard_is_page(struct MHD_Connection *connection);

/* Adds the headers that forbid the page to load or to run anything from elsewhere. */
void ltt_view_guard_add_headers(struct MHD_Connection *connection, struct MHD_Response *response);

#endif
