/* attach-layout.h - the attach file: where running programs wait for `ltt attach`.
 *
 * Each user has one, /dev/shm/ltt-attach-VERSION-UID, which only that user can read and write. It is
 * an array of slots. A program claims a slot in its constructor and keeps it mapped; the children
 * that it forks share the slot until they execute another program.
 *
 *	slot N, at N * (switches + control)
 *	+---------------------------+  one page, which the program maps over `ltt_probe_switches`
 *	| switches                  |  of its executable and of its libraries: its off checks load
 *	|                           |  what `ltt attach` writes here
 *	+---------------------------+
 *	| control: facilities       |  LTTP_ATTACH_CONTROL_BYTES, rounded up to pages; by the program
 *	|          request ("wish") |  by `ltt attach`
 *	+---------------------------+
 *
 * Two lock bytes belong to slot N, for locks of open file descriptions (F_OFD_SETLK), at 2 N and
 * 2 N + 1. The program holds the first: its mapping keeps the file open, so the kernel drops the lock
 * when the last process of the slot ends or executes another program. The `ltt attach` that uses the
 * slot holds the second; no program claims the slot meanwhile.
 *
 * Any process that has a slot mapped can write anything into it. `ltt attach`, which may run as root,
 * accesses it only by pread(2) and pwrite(2), and does not trust its contents.
 */
#ifndef LTTP_ATTACH_LAYOUT_H
#define LTTP_ATTACH_LAYOUT_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Version and name change when anything below changes. */
#define LTTP_ATTACH_PREFIX "ltt-attach-2-"
#define LTTP_ATTACH_FOLDER "/dev/shm"

enum {
	LTTP_ATTACH_SLOTS = 1024,
	LTTP_ATTACH_CONTROL_BYTES = 12288,
	LTTP_ATTACH_OFFERED_BYTES = 4096, /* the first part of it; a claim zeroes it */
	LTTP_ATTACH_FACILITIES = 48,
	LTTP_ATTACH_REPORTS = 16,
	LTTP_ATTACH_PIDS = 256,
	LTTP_ATTACH_GLOBS_BYTES = 1024, /* LTTP_GLOBS_BYTES */
	LTTP_ATTACH_BROKER_BYTES = 256, /* LTTP_BROKER_BYTES */
};

/* Values of switches: 0 is off; a generation is on. This one makes processes take the slow path, in
 * order to leave a session that has ended. */
#define LTTP_ATTACH_LEAVE UINT32_MAX

/* In wish.n_pids: all other processes of the slot join. */
#define LTTP_ATTACH_EXCEPT (UINT32_C(1) << 31)

/* A facility whose off check loads a switch. */
struct lttp_attach_facility {
	uint32_t number; /* of its switch + 1, stored last; 0: incomplete */
	char name[60];   /* terminated by a 0; truncated if longer */
};

/* A process that could not join. */
struct lttp_attach_report {
	uint32_t pid; /* stored last */
	int32_t error;
};

/* The request: which processes join. */
struct lttp_attach_wish {
	uint32_t revision; /* incremented twice by each change: odd during it */
	uint32_t n_pids;   /* number of `pids`, which join; with LTTP_ATTACH_EXCEPT, which do not */
};

/* The session to join, and the threads of all processes that are writing an event of it in the slow path. They change
 * the count only as long as the generation is theirs. So a process that was killed there counts until the next
 * request only, which begins with 0. */
union lttp_attach_gate {
	struct {
		uint32_t inside;
		uint32_t
			generation; /* even, the value of the session's switches; odd: withdrawn; 0: none */
	};
	uint64_t word;
};

struct lttp_attach_control {
	struct lttp_attach_wish wish; /* by `ltt attach` */
	union lttp_attach_gate gate;
	uint32_t old_facilities; /* whose off check loads no switch */
	uint32_t n_facilities;   /* counter: attempts to enter `facilities` */
	uint32_t n_reports;      /* counter: attempts to enter `reports` */
	uint32_t reserved;
	struct lttp_attach_report reports[LTTP_ATTACH_REPORTS];
	struct lttp_attach_facility facilities[LTTP_ATTACH_FACILITIES];
	uint8_t reserved_offered[864];

	/* By `ltt attach`; valid only during a request. */
	uint32_t pids[LTTP_ATTACH_PIDS];
	char globs[LTTP_ATTACH_GLOBS_BYTES];
	char broker[LTTP_ATTACH_BROKER_BYTES]; /* broker-client.h; instead of the directory */
	char directory[PATH_MAX];
};

_Static_assert(offsetof(struct lttp_attach_control, pids) == LTTP_ATTACH_OFFERED_BYTES, "shared");
_Static_assert(sizeof(struct lttp_attach_control) <= LTTP_ATTACH_CONTROL_BYTES, "shared");

/* Returns: the generation of the requested session; 0: none */
static inline uint32_t lttp_attach_wished(uint32_t generation)
{
	return generation % 2 == 0 ? generation : 0;
}

/* Sizes of the two parts of a slot. */
static inline size_t lttp_attach_switches_bytes(size_t page_bytes)
{
	return page_bytes;
}

static inline size_t lttp_attach_control_bytes(size_t page_bytes)
{
	return (LTTP_ATTACH_CONTROL_BYTES + page_bytes - 1) / page_bytes * page_bytes;
}

static inline size_t lttp_attach_slot_bytes(size_t page_bytes)
{
	return lttp_attach_switches_bytes(page_bytes) + lttp_attach_control_bytes(page_bytes);
}

#endif /* LTTP_ATTACH_LAYOUT_H */
