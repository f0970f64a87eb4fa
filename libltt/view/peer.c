/* peer.c - see peer-priv.h.
 *
 * /proc/net/tcp lists the sockets of the machine. The row of the client has its address, that of the server, its
 * state, and its user:
 *
 *	sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
 *	 7: 0100007F:C8A4 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000 ...
 */
#include "view/peer-priv.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "%*s %31s %31s %x %*s %*s %*s %u"

/* The sockets of connections that have been closed have no user. */
#define ESTABLISHED 1U

static void write_address(const struct sockaddr_in *address, char text[32])
{
	g_snprintf(text, 32, "%08X:%04X", address->sin_addr.s_addr, ntohs(address->sin_port));
}

gboolean ltt_view_peer_is_own(struct MHD_Connection *connection, guint16 port)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr_in server = {
		.sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
		.sin_port = htons(port),
	};
	char local[32], remote[32], own[32], other[32], line[256];
	guint state, uid;
	gboolean is_own = FALSE;
	FILE *file;

	if (info == NULL || info->client_addr == NULL || info->client_addr->sa_family != AF_INET)
		return FALSE;
	write_address((const struct sockaddr_in *)(gconstpointer)info->client_addr, other);
	write_address(&server, own);
	file = fopen("/proc/net/tcp", "re");
	while (file != NULL && !is_own && fgets(line, sizeof(line), file) != NULL)
		is_own = sscanf(line, FORMAT, local, remote, &state, &uid) == 4 &&
			 strcmp(local, other) == 0 && strcmp(remote, own) == 0 &&
			 state == ESTABLISHED && (uid == getuid() || uid == 0);
	if (file != NULL)
		fclose(file);
	return is_own;
}
