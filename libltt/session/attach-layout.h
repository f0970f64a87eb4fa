/* attach-layout.h - the attach file: where programs that run wait for `ltt attach`.
 *
 * Each user has one, /dev/shm/ltt-attach-VERSION-UID, readable and writable by him alone. It is an
 * array of slots. A program claims one in its constructor and keeps it mapped; the children that it
 * forks share the slot until they execute something else.
 *
 *	slot N, at N * (switches + control)
 *	+----------------------------+  one page: mapped over `ltt_probe_switches` of the program
 *and | switches                   |  of its libraries, so what `ltt attach` writes here is what |
 *|  the off check loads
 *	+----------------------------+
 *	| control: what it offers    |  LTTP_ATTACH_CONTROL_BYTES, rounded up to pages
 *	|          what is wished    |
 *	+----------------------------+
 *
 * Two bytes of locks belong to a slot, as open file descriptions have them (F_OFD_SETLK), at 2 N
 *and 2 N + 1. The first is the program's: the mapping keeps the open file, so the kernel drops the
 *lock when the last process of the slot dies or executes something else. The second is held by the
 * `ltt attach` that uses the slot; nobody claims the slot while it is.
 *
 * Whoever has a slot mapped can write anything into it. `ltt attach`, which may be root's, reads
 *and writes it by pread(2) and pwrite(2) alone, and believes nothing that it says.
 */
#ifndef LTTP_ATTACH_LAYOUT_H
#define LTTP_ATTACH_LAYOUT_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* To be raised, with the name, when anything below changes. */
#define LTTP_ATTACH_PREFIX "ltt-attach-1-"
#define LTTP_ATTACH_FOLDER "/dev/shm"

enum {
	LTTP_ATTACH_SLOTS = 1024,
	LTTP_ATTACH_CONTROL_BYTES = 12288,
	LTTP_ATTACH_OFFERED_BYTES = 4096, /* the first part of it, emptied by who claims the slot */
	LTTP_ATTACH_FACILITIES = 48,
	LTTP_ATTACH_REPORTS = 16,
	LTTP_ATTACH_PIDS = 256,
	LTTP_ATTACH_GLOBS_BYTES = 1024, /* LTTP_GLOBS_BYTES */
	LTTP_ATTACH_BROKER_BYTES = 256, /* LTTP_BROKER_BYTES */
};

/* What switches hold besides generations: 0 is off. This brings processes to the slow path to leave
 * a session that has ended. */
#define LTTP_ATTACH_LEAVE UINT32_MAX

/* A facility whose off check loads a switch. */
struct lttp_attach_facility {
	uint32_t number; /* of its switch plus 1, stored last; 0: not complete */
	char name[60];   /* ended by a 0; cut off if it is longer */
};

/* A process that could not join. */
struct lttp_attach_report {
	uint32_t pid; /* stored last */
	int32_t error;
};

/* Which session is wished, and of whom. */
struct lttp_attach_wish {
	uint32_t revision;   /* raised by each change; odd while one is made */
	uint32_t generation; /* of the session: what its switches hold; 0: none is wished */
	uint32_t n_pids;     /* whom it is for; 0: for all processes of the slot */
	uint32_t reserved;
};

struct lttp_attach_control {
	struct lttp_attach_wish wish; /* by `ltt attach` */
	uint32_t inside; /* threads that write an event by the slow path, of all processes */
	uint32_t old_facilities; /* whose off check loads no switch */
	uint32_t n_facilities;   /* counter: of those that tried to get into `facilities` */
	uint32_t n_reports;      /* counter: the same of `reports` */
	struct lttp_attach_report reports[LTTP_ATTACH_REPORTS];
	struct lttp_attach_facility facilities[LTTP_ATTACH_FACILITIES];
	uint8_t reserved_offered[864];

	/* By `ltt attach`; means something only while a session is wished. */
	uint32_t pids[LTTP_ATTACH_PIDS];
	char globs[LTTP_ATTACH_GLOBS_BYTES];
	char broker[LTTP_ATTACH_BROKER_BYTES]; /* broker.h; for who cannot open the directory */
	char directory[PATH_MAX];
};

_Static_assert(offsetof(struct lttp_attach_control, pids) == LTTP_ATTACH_OFFERED_BYTES, "shared");
_Static_assert(sizeof(struct lttp_attach_control) <= LTTP_ATTACH_CONTROL_BYTES, "shared");

/* Bytes of the two parts of a slot, where a page has @page_bytes. */
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
