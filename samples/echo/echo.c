/* echo.c - a client and a server that exchange datagrams, each traced with an id.
 *
 *	machine 1:  ltt record -o server -- echo server 7000
 *	machine 2:  ltt record -o client -- echo client machine-1 7000
 *
 * `ltt sync` compares the clocks of the two machines by these traces (doc/sync.md).
 *
 * usage: echo server PORT [CLIENTS]
 *        echo client HOST PORT [REQUESTS [PAUSE_US]]
 *
 * The client sends REQUESTS (1000) datagrams, one after the reply to another and PAUSE_US (1000)
 * microseconds later. A request without a reply within 200 ms counts as lost. In the end the client
 * sends a datagram with number 0; the server ends after those of all CLIENTS (1). Exit status 1 if
 * there was no reply at all.
 */
#define _GNU_SOURCE
#include "echo-trace.h"

#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REPLY_TIMEOUT_MS = 200, END = 0, N_ENDS = 3 };

/* A request, and its reply. Both machines have the same byte order. */
struct datagram {
	uint64_t client;
	uint32_t number;
	uint32_t unused;
};

/* Returns: a socket that is bound to @port, or connected to it at @host */
static int open_socket(const char *host, const char *port)
{
	const struct addrinfo wanted = {.ai_family = host == NULL ? AF_INET6 : AF_UNSPEC,
					.ai_socktype = SOCK_DGRAM,
					.ai_flags = host == NULL ? AI_PASSIVE : 0};
	struct addrinfo *found;
	const int failure = getaddrinfo(host, port, &wanted, &found);
	int result;
	int fd;

	if (failure != 0) {
		fprintf(stderr, "echo: %s: %s\n", host != NULL ? host : port,
			gai_strerror(failure));
		exit(2);
	}
	fd = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	result = host == NULL ? bind(fd, found->ai_addr, found->ai_addrlen)
			      : connect(fd, found->ai_addr, found->ai_addrlen);
	if (fd < 0 || result < 0) {
		perror("echo: socket");
		exit(2);
	}
	freeaddrinfo(found);
	return fd;
}

/* ---- server ---- */

static int serve(const char *port, unsigned n_clients)
{
	const int fd = open_socket(NULL, port);
	uint64_t last_client = 0;
	unsigned n_ended = 0;

	while (n_ended < n_clients) {
		struct sockaddr_storage from;
		socklen_t from_length = sizeof(from);
		struct datagram datagram;

		if (recvfrom(fd, &datagram, sizeof(datagram), 0, (struct sockaddr *)&from,
			     &from_length) != sizeof(datagram))
			continue;
		if (datagram.number == END) {
			n_ended += datagram.client != last_client;
			last_client = datagram.client;
			continue;
		}
		trace_echo_request_receive(datagram.client, datagram.number);
		trace_echo_reply_send(datagram.client, datagram.number);
		sendto(fd, &datagram, sizeof(datagram), 0, (struct sockaddr *)&from, from_length);
	}
	close(fd);
	return 0;
}

/* ---- client ---- */

/* Returns: whether the reply to @number has come */
static bool receive(int fd, uint64_t client, uint32_t number)
{
	struct pollfd readable = {.fd = fd, .events = POLLIN};
	struct datagram reply;

	while (poll(&readable, 1, REPLY_TIMEOUT_MS) > 0) {
		if (recv(fd, &reply, sizeof(reply), 0) != sizeof(reply) || reply.client != client)
			continue;
		trace_echo_reply_receive(reply.client, reply.number);
		if (reply.number == number)
			return true;
	}
	return false;
}

static int ask(const char *host, const char *port, uint32_t n_requests, long pause_us)
{
	const struct timespec pause = {pause_us / 1000000, pause_us % 1000000 * 1000};
	const int fd = open_socket(host, port);
	struct datagram request = {0};
	uint32_t n_answered = 0;

	if (getrandom(&request.client, sizeof(request.client), 0) < 0) {
		perror("echo: getrandom");
		return 2;
	}
	for (request.number = 1; request.number <= n_requests; request.number++) {
		trace_echo_request_send(request.client, request.number);
		if (send(fd, &request, sizeof(request), 0) == sizeof(request))
			n_answered += receive(fd, request.client, request.number);
		nanosleep(&pause, NULL);
	}
	request.number = END;
	for (unsigned i = 0; i < N_ENDS; i++)
		send(fd, &request, sizeof(request), 0);
	close(fd);
	printf("%u requests, %u replies\n", n_requests, n_answered);
	return n_answered > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	if ((argc == 3 || argc == 4) && strcmp(argv[1], "server") == 0)
		return serve(argv[2], argc > 3 ? (unsigned)atoi(argv[3]) : 1);
	if (argc >= 4 && argc <= 6 && strcmp(argv[1], "client") == 0)
		return ask(argv[2], argv[3], argc > 4 ? (uint32_t)atoi(argv[4]) : 1000,
			   argc > 5 ? atol(argv[5]) : 1000);
	fprintf(stderr, "usage: echo server PORT [CLIENTS]\n"
			"       echo client HOST PORT [REQUESTS [PAUSE_US]]\n");
	return 2;
}
