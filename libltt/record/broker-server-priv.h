/* broker-server-priv.h - passes the files of a recording to processes that cannot open them.
 *
 * The other side is in the probe (session/broker-client.h), which also describes what is said. A thread of
 * its own listens. Anybody on the machine can connect to an abstract socket; who does not know the
 * token gets nothing, and nobody can keep the others waiting: each has a place for a short time,
 * and the one that has been silent longest makes room for the next.
 */
#ifndef LTT_RECORD_BROKER_SERVER_PRIV_H
#define LTT_RECORD_BROKER_SERVER_PRIV_H

#ifndef LTT_BUILDING
#error "record/broker-server-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include "session/session.h"

#include <ltt/ltt-error.h>

typedef struct LttBroker LttBroker;

/* Starts to listen for @session, which has to outlive the broker. NULL with LTT_ERROR_IO */
LttBroker *ltt_broker_new(struct lttp_session *session, GError **error);
void ltt_broker_free(LttBroker *broker); /* NULL is allowed and ignored */

/* Returns: NAME:TOKEN, for LTT_TRACE_SOCKET */
const char *ltt_broker_get_address(const LttBroker *broker);

#endif
