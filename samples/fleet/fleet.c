/* fleet.c - a distributed job: a coordinator hands out tasks to workers on other machines, by datagrams.
 *
 *	machine 1:  ltt record -o coordinator -- fleet coordinator 7000 100 2
 *	machine 2:  ltt record -o worker -- fleet worker machine-1 7000 1
 *
 * usage: fleet coordinator PORT TASKS WORKERS
 *        fleet worker ADDRESS PORT NUMBER
 *
 * A worker asks for a task, performs it, and asks again, until there is none left. A datagram that is
 * lost is sent again after a second, as another message. Each message has an id that no other has, so
 * `ltt sync` can match the two ends (samples/fleet/run.sh).
 */
#include "fleet-trace.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { WORKER_SHIFT = 32, SIZE_STEP = 99991, SIZES = 4000000, RESEND_S = 1 };

#define ANSWER ((uint64_t)1 << 63) /* in the id of an answer */

/* A question of a worker, and its answer. The machines have the same byte order. */
struct message {
	uint64_t id;
	uint32_t task; /* of an answer; 0: there is none left */
	uint32_t size;
};

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static uint64_t work(uint32_t size)
{
	uint64_t result = size;

	for (uint32_t i = 0; i < size; i++)
		result = result * 6364136223846793005u + i;
	return result;
}

static int coordinate(int fd, const struct sockaddr_in *own, uint32_t n_tasks, int n_workers)
{
	uint32_t task = 0;

	if (bind(fd, (const struct sockaddr *)own, sizeof(*own)) != 0)
		return fail("bind");
	while (n_workers > 0) {
		struct message message;
		struct sockaddr_in from;
		socklen_t length = sizeof(from);

		if (recvfrom(fd, &message, sizeof(message), 0, (struct sockaddr *)&from, &length) !=
		    sizeof(message))
			continue;
		trace_fleet_message_receive(message.id);
		message.id |= ANSWER;
		message.task = task < n_tasks ? ++task : 0;
		message.size = message.task * SIZE_STEP % SIZES;
		n_workers -= message.task == 0;
		trace_fleet_message_send(message.id);
		if (sendto(fd, &message, sizeof(message), 0, (const struct sockaddr *)&from,
			   length) < 0)
			return fail("sendto");
	}
	return 0;
}

static int perform(int fd, const struct sockaddr_in *coordinator, uint64_t worker)
{
	const struct timeval timeout = {.tv_sec = RESEND_S};
	uint64_t id = (worker << WORKER_SHIFT) + 1;

	if (connect(fd, (const struct sockaddr *)coordinator, sizeof(*coordinator)) != 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) != 0)
		return fail("connect");
	for (;;) {
		struct message message = {.id = id};

		id++;
		trace_fleet_message_send(message.id);
		if (send(fd, &message, sizeof(message), 0) < 0 ||
		    recv(fd, &message, sizeof(message), 0) != sizeof(message)) {
			sleep(RESEND_S);
			continue;
		}
		trace_fleet_message_receive(message.id);
		if (message.task == 0)
			return 0;
		trace_fleet_task_begin(message.task, message.size);
		trace_fleet_task_end(message.task, work(message.size));
	}
}

int main(int argc, char **argv)
{
	const int is_worker = argc == 5 && strcmp(argv[1], "worker") == 0;
	struct sockaddr_in address = {.sin_family = AF_INET};
	const int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		return fail("socket");
	if (is_worker && inet_pton(AF_INET, argv[2], &address.sin_addr) == 1) {
		address.sin_port = htons((uint16_t)atoi(argv[3]));
		return perform(fd, &address, strtoul(argv[4], NULL, 10));
	}
	if (argc == 5 && strcmp(argv[1], "coordinator") == 0) {
		address.sin_port = htons((uint16_t)atoi(argv[2]));
		return coordinate(fd, &address, (uint32_t)atoi(argv[3]), atoi(argv[4]));
	}
	fputs("usage: fleet coordinator PORT TASKS WORKERS\n"
	      "       fleet worker ADDRESS PORT NUMBER\n",
	      stderr);
	return 2;
}
