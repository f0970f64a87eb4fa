/* peer-priv.h - which user the program at the other end of a connection belongs to. */
#ifndef LTT_VIEW_PEER_PRIV_H
#define LTT_VIEW_PEER_PRIV_H

#ifndef LTT_BUILDING
#error "view/peer-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>
#include <microhttpd.h>

/* Returns: whether the client is a program on this machine of the same user, or of root, such as a relay that
 * forwards the port. FALSE also if the kernel does not tell, or the client has closed the connection */
gboolean ltt_view_peer_is_own(struct MHD_Connection *connection, guint16 port);

#endif
