/* http-server.c - a small threaded HTTP server on the loopback interface, with its clients, traced.
 *
 *	build/bin/ltt record -o trace -- build/samples/http-server 1000 4
 *	build/bin/ltt dump trace --filter 'latency_ns > 100000'
 *
 * usage: http-server [REQUESTS [CLIENTS]]      REQUESTS of each client
 *
 * There are as many server threads as clients; each connection has one request. Every tenth path
 * does not exist. Prints the numbers of responses with 200 and 404; exit status 1 if a request got
 * no response.
 */
#define _GNU_SOURCE
#include "http-server-trace.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS_MAX = 128, MESSAGE_BYTES = 1024, EVERY_MISSING = 10 };

static int listener;
static struct sockaddr_in address;
static long requests = 1000;
static uint32_t connections;

/* Responses that a client received. */
struct seen {
	long ok, missing;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Reads up to the empty line, or to the end of the stream. Returns 0 if nothing was received. */
static size_t receive(int fd, char *text)
{
	size_t size = 0;
	ssize_t n;

	while (size < MESSAGE_BYTES - 1 &&
	       (n = read(fd, text + size, MESSAGE_BYTES - 1 - size)) > 0) {
		size += (size_t)n;
		text[size] = 0;
		if (strstr(text, "\r\n\r\n") != NULL)
			break;
	}
	text[size] = 0;
	return size;
}

static int send_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = send(fd, text, size, MSG_NOSIGNAL);

		if (n <= 0)
			return -1;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

static void answer(int fd, uint32_t connection)
{
	char request[MESSAGE_BYTES], response[MESSAGE_BYTES];
	uint64_t start_ns;
	unsigned status;
	int size;

	if (receive(fd, request) == 0)
		return;
	start_ns = now_ns();
	request[strcspn(request, "\r\n")] = 0;
	trace_http_server_request(connection, request);
	status = strncmp(request, "GET /page/", 10) == 0 ? 200 : 404;
	size = snprintf(response, sizeof(response),
			"HTTP/1.0 %u %s\r\nContent-Type: text/plain\r\n\r\n%.200s\n", status,
			status == 200 ? "OK" : "Not Found", request);
	if (send_all(fd, response, (size_t)size) == 0)
		trace_http_server_response(connection, (uint16_t)status, (uint32_t)size,
					   now_ns() - start_ns);
}

/* Ends when the listener is shut down. */
static void *serve(void *unused)
{
	int fd;

	while ((fd = accept(listener, NULL, NULL)) >= 0) {
		answer(fd, __atomic_fetch_add(&connections, 1, __ATOMIC_RELAXED));
		close(fd);
	}
	return unused;
}

static unsigned ask(long number)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), size;
	char text[MESSAGE_BYTES];
	unsigned status = 0;

	if (fd < 0)
		return 0;
	size = snprintf(text, sizeof(text), "GET /%s/%ld HTTP/1.0\r\n\r\n",
			number % EVERY_MISSING == 0 ? "nowhere" : "page", number);
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
	    send_all(fd, text, (size_t)size) == 0 && receive(fd, text) > 9)
		status = (unsigned)strtoul(text + 9, NULL, 10);
	close(fd);
	return status;
}

static void *load(void *data)
{
	struct seen *seen = data;

	for (long i = 0; i < requests; i++) {
		unsigned status = ask(i);

		seen->ok += status == 200;
		seen->missing += status == 404;
	}
	return NULL;
}

/* Listens on a port that the system chooses. */
static int open_listener(void)
{
	socklen_t size = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return listener >= 0 && bind(listener, (const struct sockaddr *)&address, size) == 0 &&
	       listen(listener, CLIENTS_MAX) == 0 &&
	       getsockname(listener, (struct sockaddr *)&address, &size) == 0;
}

int main(int argc, char **argv)
{
	long clients = argc > 2 ? strtol(argv[2], NULL, 10) : 4;
	pthread_t servers[CLIENTS_MAX], loads[CLIENTS_MAX];
	struct seen each[CLIENTS_MAX] = {{0, 0}}, all = {0, 0};

	requests = argc > 1 ? strtol(argv[1], NULL, 10) : requests;
	if (argc > 3 || requests < 1 || clients < 1 || clients > CLIENTS_MAX) {
		fprintf(stderr, "usage: http-server [REQUESTS [CLIENTS]]\n");
		return 2;
	}
	if (!open_listener()) {
		perror("http-server");
		return 2;
	}
	for (long i = 0; i < clients; i++)
		if (pthread_create(&servers[i], NULL, serve, NULL) != 0 ||
		    pthread_create(&loads[i], NULL, load, &each[i]) != 0)
			abort();
	for (long i = 0; i < clients; i++) {
		pthread_join(loads[i], NULL);
		all.ok += each[i].ok;
		all.missing += each[i].missing;
	}
	shutdown(listener, SHUT_RDWR);
	for (long i = 0; i < clients; i++)
		pthread_join(servers[i], NULL);
	close(listener);
	printf("%ld answered, %ld not found\n", all.ok, all.missing);
	return all.ok + all.missing != clients * requests;
}
