/* strangers-priv.h - limits the connections that have not sent the token yet.
 *
 * Any user of the machine can connect to the server. A client that sends its request slowly, or never, must
 * not keep others from being served. A connection is a stranger until the first request with the token
 * arrives. Of more than LTT_VIEW_STRANGERS the oldest is closed; one that sends nothing for
 * LTT_VIEW_STRANGER_SECONDS is closed, too. Other connections may be idle for LTT_VIEW_IDLE_SECONDS.
 *
 *	accepted ──► stranger ──── token ────► client ──► closed
 *	                 └── too many, or idle ──────────────┘
 */
#ifndef LTT_VIEW_STRANGERS_PRIV_H
#define LTT_VIEW_STRANGERS_PRIV_H

#ifndef LTT_BUILDING
#error "view/strangers-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>
#include <microhttpd.h>

/* A client of the user sends the token at once: so many connect at the same time at most. */
#define LTT_VIEW_STRANGERS 128

#define LTT_VIEW_STRANGER_SECONDS 10
#define LTT_VIEW_IDLE_SECONDS     120

typedef struct LttViewStrangers {
	GMutex lock;
	GQueue sockets; /* of int, by time of connection */
} LttViewStrangers;

void ltt_view_strangers_init(LttViewStrangers *strangers);

/* Called when the server has stopped. */
void ltt_view_strangers_clear(LttViewStrangers *strangers);

/* MHD_NotifyConnectionCallback; @data: LttViewStrangers */
void ltt_view_strangers_notify(void *data, struct MHD_Connection *connection, void **context,
			       enum MHD_ConnectionNotificationCode code);

/* The connection has sent the token. */
void ltt_view_strangers_admit(LttViewStrangers *strangers, struct MHD_Connection *connection);

#endif
