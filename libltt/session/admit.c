/* admit.c - decide whether this process joins a session. See admit.h. */
#define _GNU_SOURCE
#include "session/admit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/sys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* No counter is slower or faster. A wait for a value of the counter takes as long as they differ. */
#define CYCLES_PER_SECOND_MIN 1000000ull
#define CYCLES_PER_SECOND_MAX 100000000000ull

bool lttp_session_is_plausible(const struct lttp_head *head, size_t size_bytes)
{
	uint32_t block = head->block_bytes;

	return block >= LTTP_BLOCK_BYTES_MIN && block <= LTTP_BLOCK_BYTES_MAX &&
	       (block & (block - 1)) == 0 && head->flight_blocks != 1 && head->chunk_blocks >= 1 &&
	       head->cpus >= 1 && head->cpus <= LTTP_CPUS_MAX && head->lanes <= LTTP_LANES &&
	       (uint64_t)head->chunk_blocks * block <= 1ull << 41 &&
	       (head->flight_blocks == 0 ||
		head->chunk_blocks == 2 * (uint64_t)head->flight_blocks) &&
	       head->cycles_per_second >= CYCLES_PER_SECOND_MIN &&
	       head->cycles_per_second <= CYCLES_PER_SECOND_MAX && head->beat_cycles >= 1 &&
	       head->bend_cycles >= 1 && head->bend_cycles <= 1u << 31 && head->bend_ns >= 1 &&
	       size_bytes >= lttp_session_bytes(lttp_session_files(head)) &&
	       memchr(head->globs, 0, sizeof(head->globs)) != NULL;
}

void lttp_session_refuse(struct lttp_head *head, uint32_t reason, const char *name)
{
	uint32_t number = lttp_add(&head->refused, 1);
	struct lttp_refusal *refusal;
	char own[16] = "";

	if (number >= LTTP_REFUSALS)
		return;
	if (name == NULL) {
		lttp_prctl(PR_GET_NAME, own);
		name = own;
	}
	refusal = &head->refusals[number];
	refusal->pid = lttp_getpid();
	strncpy(refusal->name, name, sizeof(refusal->name) - 1);
	lttp_store(&refusal->reason, reason);
}

uint64_t lttp_namespace_of_self(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_ino : 0;
}

/* Returns: 0 if this process can write to the session; otherwise -EPROTO, and
 * records the refusal */
static int check_self(struct lttp_head *head)
{
	uint64_t here = lttp_namespace_of_self("/proc/self/ns/time");
	uint32_t reason = 0;

	if (!lttp_clock_readable(head->counter))
		reason = LTTP_REFUSED_COUNTER;
	else if (here != 0 && head->time_namespace != 0 && here != head->time_namespace)
		reason = LTTP_REFUSED_CLOCK;
	if (reason == 0)
		return 0;
	lttp_session_refuse(head, reason, NULL);
	return -EPROTO;
}

int lttp_session_check(struct lttp_head *head, size_t size_bytes, enum lttp_session_use use)
{
	uint32_t reason = 0;

	if (memcmp(head->magic, LTTP_SESSION_MAGIC, sizeof(head->magic)) != 0)
		return -EBADMSG;
	if (head->version != LTTP_SESSION_VERSION)
		reason = LTTP_REFUSED_VERSION;
	else if (head->byte_order != LTTP_SESSION_BYTE_ORDER || head->arch_size != LTTP_ARCH_SIZE)
		reason = LTTP_REFUSED_ARCH;
	if (reason != 0) {
		if (use != LTTP_SESSION_WATCH)
			lttp_session_refuse(head, reason, NULL);
		return -EPROTO;
	}
	if (!lttp_session_is_plausible(head, size_bytes))
		return -EBADMSG;
	if (use != LTTP_SESSION_WATCH && !lttp_load(&head->running))
		return -ESHUTDOWN;
	return use != LTTP_SESSION_WATCH ? check_self(head) : 0;
}

/* Whether files of users outside of the user namespace of this process, who have no number in it,
 * appear as files of @user. */
static bool is_overflow(uid_t user)
{
	static const char all[] = "         0          0 4294967295";
	char map[sizeof(all)];

	/* 65534: /proc/sys/kernel/overflowuid, which nobody changes */
	return user == 65534 && lttp_read_text("/proc/self/uid_map", map, sizeof(map)) >= 0 &&
	       strcmp(map, all) != 0;
}

/* Whether `ltt record` saw this owner: on some file systems, files do not belong to who creates them. */
static bool is_expected(uid_t user)
{
	const char *owner = secure_getenv("LTT_TRACE_OWNER");

	return owner != NULL && *owner != 0 && strtoul(owner, NULL, 10) == user;
}

bool lttp_session_trusts(int fd, enum lttp_session_use use)
{
	struct stat status;

	if (use == LTTP_SESSION_WATCH || use == LTTP_SESSION_ATTACH)
		return true;
	if (fstat(fd, &status) != 0)
		return false;
	if (status.st_uid == 0 || status.st_uid == geteuid())
		return true;
	return use == LTTP_SESSION_ATTACH_GIVEN &&
	       (status.st_uid == getuid() || is_overflow(status.st_uid) ||
		is_expected(status.st_uid));
}
