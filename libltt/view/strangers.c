/* strangers.c - see strangers-priv.h. */
#include "view/strangers-priv.h"

#include <sys/socket.h>

void ltt_view_strangers_init(LttViewStrangers *strangers)
{
	g_mutex_init(&strangers->lock);
	g_queue_init(&strangers->sockets);
}

void ltt_view_strangers_clear(LttViewStrangers *strangers)
{
	g_queue_clear(&strangers->sockets);
	g_mutex_clear(&strangers->lock);
}

static gpointer get_socket(struct MHD_Connection *connection)
{
	return GINT_TO_POINTER(
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
}

/* Ends the oldest ones. Their threads find the end of the input, and close the sockets later: a number in
 * the list is therefore that of an open socket. */
static void limit(LttViewStrangers *strangers)
{
	while (strangers->sockets.length > LTT_VIEW_STRANGERS)
		shutdown(GPOINTER_TO_INT(g_queue_pop_head(&strangers->sockets)), SHUT_RDWR);
}

void ltt_view_strangers_notify(void *data, struct MHD_Connection *connection, void **context,
			       enum MHD_ConnectionNotificationCode code)
{
	LttViewStrangers *strangers = data;

	(void)context;
	g_mutex_lock(&strangers->lock);
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		g_queue_push_tail(&strangers->sockets, get_socket(connection));
		limit(strangers);
	} else {
		g_queue_remove(&strangers->sockets, get_socket(connection));
	}
	g_mutex_unlock(&strangers->lock);
}

void ltt_view_strangers_admit(LttViewStrangers *strangers, struct MHD_Connection *connection)
{
	gboolean was_stranger;

	g_mutex_lock(&strangers->lock);
	was_stranger = g_queue_remove(&strangers->sockets, get_socket(connection));
	g_mutex_unlock(&strangers->lock);
	if (was_stranger)
		MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
					  (unsigned)LTT_VIEW_IDLE_SECONDS);
}
