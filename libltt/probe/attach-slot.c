/* attach-slot.c - claims this process's slot of the attach file, and maps its switches. See attach.h.
 *
 * mremap(2) with an old size of 0 maps a shared page a second time. It brings the page of switches
 * to the address where the program or a library has its own. So libraries that are loaded when the
 * process may not open files any more can be attached too, and no file stays open.
 */
#define _GNU_SOURCE
#include "probe/attach.h"

#include "session/atomic.h"
#include "session/registry.h"
#include "session/session.h"
#include "session/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

_Static_assert((int)LTTP_ATTACH_BROKER_BYTES == (int)LTTP_BROKER_BYTES, "any broker");
_Static_assert((int)LTTP_ATTACH_GLOBS_BYTES == (int)LTTP_GLOBS_BYTES, "the same globs");

struct lttp_attach lttp_attach;

/* A claim starts at one of the first slots, so that many programs do not search from slot 0. */
enum { FIRST_SLOTS = 64, MAX_TRIES = LTTP_ATTACH_SLOTS };

enum { PATH_BYTES = 64, UID_MAP_BYTES = 4096 };

/* A setuid program can be attached only if root started it. */
static bool may_be_attached(void)
{
	const char *asked = getenv("LTT_ATTACH");

	return (getauxval(AT_SECURE) == 0 || getuid() == 0) &&
	       (asked == NULL || strcmp(asked, "0") != 0);
}

/* The number that a user has in the parent of this user namespace. With its own number, root of a
 * container that shares /dev/shm would create the file of root outside, who could not use it. */
static unsigned long get_outer_user(unsigned long user)
{
	char text[UID_MAP_BYTES], *at = text;

	lttp_read_text("/proc/self/uid_map", text, sizeof(text));
	for (;;) {
		unsigned long inner = strtoul(at, &at, 10);
		unsigned long outer = strtoul(at, &at, 10);
		unsigned long n = strtoul(at, &at, 10);

		if (n == 0) /* the end of the text */
			return user;
		if (user >= inner && user - inner < n)
			return outer + (user - inner);
	}
}

static bool fits(int fd, uint64_t size, struct stat *status)
{
	return fstat(fd, status) == 0 && S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
	       (status->st_mode & 077) == 0 &&
	       (status->st_size == 0 || (uint64_t)status->st_size == size);
}

/* Opens the file of this user, or creates it, sparse. Returns a descriptor or -errno. */
static int open_file(uint64_t size)
{
	char path[PATH_BYTES];
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	struct rlimit limit;
	struct stat status;
	int fd;

	snprintf(path, sizeof(path), LTTP_ATTACH_FOLDER "/" LTTP_ATTACH_PREFIX "%lu",
		 get_outer_user(geteuid()));
	fd = lttp_openat(AT_FDCWD, path, flags, 0);
	if (fd == -ENOENT)
		fd = lttp_openat(AT_FDCWD, path, flags | O_CREAT, 0600);
	if (fd < 0)
		return fd;
	/* Beyond RLIMIT_FSIZE, ftruncate() raises SIGXFSZ, which would kill the program. */
	if (fits(fd, size, &status) &&
	    (status.st_size != 0 || (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
				     limit.rlim_cur >= size && ftruncate(fd, (off_t)size) == 0)))
		return fd;
	lttp_close(fd);
	return -EACCES;
}

/* Sets a lock (F_OFD_SETLK), or tests that no process holds it (F_OFD_GETLK). */
static bool lock_byte(int fd, int command, uint64_t byte)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};

	return syscall(SYS_fcntl, fd, command, &lock) == 0 &&
	       (command == F_OFD_SETLK || lock.l_type == F_UNLCK);
}

static bool claim(int fd, uint32_t slot)
{
	struct flock lock = {
		.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 2 * (off_t)slot, .l_len = 1};

	if (!lock_byte(fd, F_OFD_SETLK, 2 * (uint64_t)slot))
		return false;
	if (lock_byte(fd, F_OFD_GETLK, 2 * (uint64_t)slot + 1))
		return true;
	/* Its program has ended, and `ltt attach` still holds the slot. */
	syscall(SYS_fcntl, fd, F_OFD_SETLK, &lock);
	return false;
}

/* Maps a slot after allocating its memory: without memory the first access would raise SIGBUS. */
static char *map_slot(int fd, uint32_t slot, size_t slot_bytes)
{
	uint64_t offset = slot * (uint64_t)slot_bytes;
	void *at;

	if (lttp_fallocate(fd, offset, slot_bytes) != 0)
		return NULL;
	at = mmap(NULL, slot_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
	return at != MAP_FAILED ? (char *)at : NULL;
}

static char *claim_any(int fd, size_t slot_bytes)
{
	uint32_t first = lttp_getpid() % FIRST_SLOTS;

	for (uint32_t i = 0; i < MAX_TRIES; i++) {
		uint32_t slot = (first + i) % LTTP_ATTACH_SLOTS;

		if (claim(fd, slot))
			return map_slot(fd, slot, slot_bytes);
	}
	return NULL;
}

void lttp_attach_claim(void)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), slot_bytes;
	char *slot;
	int fd;

	if (!may_be_attached() || page_bytes < sizeof(ltt_probe_switches))
		return;
	slot_bytes = lttp_attach_slot_bytes(page_bytes);
	fd = open_file(LTTP_ATTACH_SLOTS * (uint64_t)slot_bytes);
	if (fd < 0)
		return;
	slot = claim_any(fd, slot_bytes);
	lttp_close(fd);
	if (slot == NULL)
		return;
	memset(slot, 0, lttp_attach_switches_bytes(page_bytes) + LTTP_ATTACH_OFFERED_BYTES);
	lttp_attach.page_bytes = page_bytes;
	lttp_attach.switches = (uint32_t *)(void *)slot;
	lttp_attach.control =
		(struct lttp_attach_control *)(void *)(slot +
						       lttp_attach_switches_bytes(page_bytes));
	lttp_attach.shared = 1;
}

/* Whether the switches of a facility fill their page, so that it can be replaced. */
static bool can_be_mapped(const struct ltt_probe_facility *facility)
{
	return facility->abi >= 2 && facility->switches != NULL &&
	       (uintptr_t)facility->switches % lttp_attach.page_bytes == 0;
}

static bool map_private(uint32_t *at)
{
	const void *mapped = mmap(at, lttp_attach.page_bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	return mapped == at;
}

static bool map_shared(uint32_t *at)
{
	if (mremap(lttp_attach.switches, 0, lttp_attach.page_bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		   at) != MAP_FAILED)
		return true;
	/* A failed mremap() may have unmapped the old page. */
	map_private(at);
	return false;
}

/* Publishes the name of the facility in the slot for `ltt attach`. */
static void offer(const struct ltt_probe_facility *facility)
{
	struct lttp_attach_control *control = lttp_attach.control;
	uint32_t number = LTT_PROBE_SWITCH(facility->checksum) + 1, place;

	for (uint32_t i = 0; i < LTTP_ATTACH_FACILITIES; i++) {
		struct lttp_attach_facility *known = &control->facilities[i];

		if (lttp_load(&known->number) == number &&
		    strncmp(known->name, facility->name, sizeof(known->name) - 1) == 0)
			return;
	}
	place = lttp_add(&control->n_facilities, 1);
	if (place >= LTTP_ATTACH_FACILITIES)
		return;
	strncpy(control->facilities[place].name, facility->name,
		sizeof(control->facilities[place].name) - 1);
	lttp_store(&control->facilities[place].number, number);
}

/* Turns on the switch of a facility that is loaded while its program is attached. */
static void catch_up(const struct ltt_probe_facility *facility)
{
	const struct lttp_attach_control *control = lttp_attach.control;
	uint32_t generation;

	lttp_fence();
	generation = lttp_attach_wished(lttp_load(&control->gate.generation));
	if (generation != 0 && lttp_load(&control->wish.revision) % 2 == 0 &&
	    memchr(control->globs, 0, sizeof(control->globs)) != NULL &&
	    lttp_registry_is_enabled(control->globs, facility->name))
		lttp_store(&lttp_attach.switches[LTT_PROBE_SWITCH(facility->checksum)], generation);
}

void lttp_attach_add(struct ltt_probe_facility *facility)
{
	if (lttp_attach.control == NULL)
		return;
	if (!can_be_mapped(facility)) {
		lttp_add(&lttp_attach.control->old_facilities, 1);
		return;
	}
	offer(facility);
	if (lttp_attach.shared && map_shared(facility->switches)) {
		facility->registered = LTTP_REGISTERED_SHARED;
		catch_up(facility);
	}
}

void lttp_attach_make_private(struct ltt_probe_facility *facilities)
{
	lttp_store(&lttp_attach.shared, 0);
	for (struct ltt_probe_facility *f = facilities; f != NULL; f = f->next) {
		if (f->registered == LTTP_REGISTERED_SHARED && map_private(f->switches))
			f->registered = LTTP_REGISTERED;
	}
}

void lttp_attach_make_shared(struct ltt_probe_facility *facilities)
{
	if (lttp_attach.control == NULL)
		return;
	for (struct ltt_probe_facility *f = facilities; f != NULL; f = f->next) {
		if (can_be_mapped(f) && map_shared(f->switches))
			f->registered = LTTP_REGISTERED_SHARED;
	}
	lttp_store(&lttp_attach.shared, 1);
}
