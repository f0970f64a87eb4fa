/* session.c - control a session like `ltt record` does.
 *
 *	session create DIR [FLIGHT_BYTES [BLOCK_BYTES [GLOBS]]]
 *	session chunk DIR BLOCKS  sets how many blocks are mapped together
 *	session cpus DIR CPUS     sets how many CPUs have a tracefile
 *	session finish DIR        prints "closed" or, while processes have it open, "open"
 *	session sum DIR           prints bytes, lost, processes, refused
 *	session snapshot DIR TO
 *	session bury DIR
 *
 * Exit status 1 with a message on failure.
 */
#include "session/create.h"
#include "session/finish.h"
#include "session/open.h"
#include "session/processes.h"
#include "session/snapshot.h"
#include "session/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *what, int result)
{
	printf("%s: %s\n", what, strerror(-result));
	return 1;
}

static int create(int argc, char **argv)
{
	struct ltt_probe_options options = {.size_bytes = sizeof(options)};
	int result;

	options.flight_bytes = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
	options.block_bytes = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 0) : 0;
	options.facilities = argc > 5 ? argv[5] : NULL;
	result = lttp_session_create(argv[2], &options);
	return result == 0 ? 0 : fail("create", result);
}

/* In the file: the process that has it open has a copy of this part. */
static int set_fixed(const char *directory, off_t offset, const char *number)
{
	const uint32_t value = (uint32_t)strtoul(number, NULL, 0);
	char path[PATH_MAX];
	int fd, result = 0;

	snprintf(path, sizeof(path), "%s/info/session", directory);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, &value, sizeof(value), offset) != sizeof(value))
		result = -errno;
	close(fd);
	return result;
}

static void print_sum(const struct lttp_session *session)
{
	const struct lttp_head *head = session->head;
	struct lttp_totals totals;

	lttp_session_sum(session, &totals);
	printf("%llu %llu %llu %u\n", (unsigned long long)totals.bytes,
	       (unsigned long long)totals.lost, (unsigned long long)totals.processes,
	       totals.refused);
	for (uint32_t i = 0; i < totals.refused && i < LTTP_REFUSALS; i++)
		printf("%s: %s\n", head->refusals[i].name,
		       lttp_refusal_text(head->refusals[i].reason));
}

int main(int argc, char **argv)
{
	static struct lttp_session session;
	int result;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "create") == 0)
		return create(argc, argv);
	if (strcmp(argv[1], "chunk") == 0 && argc > 3) {
		result = set_fixed(argv[2], offsetof(struct lttp_head, chunk_blocks), argv[3]);
		return result == 0 ? 0 : fail("chunk", result);
	}
	if (strcmp(argv[1], "cpus") == 0 && argc > 3) {
		result = set_fixed(argv[2], offsetof(struct lttp_head, cpus), argv[3]);
		return result == 0 ? 0 : fail("cpus", result);
	}
	result = lttp_session_open(&session, argv[2], LTTP_SESSION_WATCH);
	if (result != 0)
		return fail("open", result);
	if (strcmp(argv[1], "finish") == 0)
		puts(lttp_session_finish(&session, false) == LTTP_FINISHED ? "closed" : "open");
	else if (strcmp(argv[1], "sum") == 0)
		print_sum(&session);
	else if (strcmp(argv[1], "bury") == 0)
		lttp_processes_bury(&session, false);
	else if (strcmp(argv[1], "snapshot") == 0 && argc > 3)
		result = lttp_snapshot(&session, argv[3], &(struct lttp_copying){0});
	else
		return 2;
	return result == 0 ? 0 : fail(argv[1], result);
}
