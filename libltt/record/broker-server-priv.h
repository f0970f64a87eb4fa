/* broker-server-priv.h - pass the files of a recording to processes that cannot open them.
 *
 * session/broker-client.h describes the protocol. The server runs in a separate thread. All users
 * of the machine can connect to an abstract socket, but only a client with the token gets a reply.
 * A client cannot block others: each connection has a time limit, and when all are in use the one
 * that has been silent longest is closed.
 */
#ifndef LTT_RECORD_BROKER_SERVER_PRIV_H
#define LTT_RECORD_BROKER_SERVER_PRIV_H

#ifndef LTT_BUILDING
#error "record/broker-server-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include "session/session.h"

#include <ltt/ltt-error.h>

typedef struct LttBroker LttBroker;

/* Starts the server for @session, which must outlive it. Returns: NULL with LTT_ERROR_IO */
LttBroker *ltt_broker_new(struct lttp_session *session, GError **error);
void ltt_broker_free(LttBroker *broker); /* NULL is allowed and ignored */

/* Returns: NAME:TOKEN, for LTT_TRACE_SOCKET */
const char *ltt_broker_get_address(const LttBroker *broker);

#endif
