/* control.c - events in control/processes. See control.h.
 *
 * Each event has a time value of its own before it. So nothing has to be known of what was written
 * before but where it ends, and a writer that dies leaves nothing that has to be put in order.
 */
#define _GNU_SOURCE
#include "control.h"

#include "atomic.h"
#include "events.h"
#include "file.h"
#include "sys.h"

#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

static const char path[] = "control/processes";

enum {
	LOCK_TRIES = 200,
	LOCK_WAIT_NS = 250000,
	EXECUTABLE_BYTES = 512, /* of its path, at most */
	NAME_BYTES = 16,
};

/* A block of the file, mapped: the last one, if it is to be written. */
struct tail {
	struct lttp_head *head;
	int fd;
	uint32_t number;
	char *block;
	uint64_t *word;
};

int lttp_control_create(struct lttp_session *session)
{
	int fd = lttp_session_file(session, path, O_RDWR | O_CREAT | O_EXCL), result;

	if (fd < 0)
		return fd;
	result = lttp_allocate(fd, 0, session->head->block_bytes);
	lttp_close(fd);
	return result;
}

static int set_lock(int fd, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};

	return (int)lttp_result(syscall(SYS_fcntl, fd, F_OFD_SETLK, &lock));
}

int lttp_control_lock(const struct lttp_session *session, int *fd)
{
	int result = -EBUSY;

	*fd = lttp_session_file(session, path, O_RDWR);
	if (*fd < 0)
		return *fd;
	for (int tries = 0; tries < LOCK_TRIES; tries++) {
		result = set_lock(*fd, F_WRLCK);
		if (result != -EAGAIN && result != -EACCES)
			break;
		result = -EBUSY;
		lttp_sleep_ns(LOCK_WAIT_NS);
	}
	if (result != 0)
		lttp_close(*fd);
	return result;
}

/* Unlocks by word: a child forked meanwhile has the open file too. */
void lttp_control_unlock(int fd)
{
	set_lock(fd, F_UNLCK);
	lttp_close(fd);
}

static void unmap_block(struct tail *tail)
{
	if (tail->block != NULL)
		munmap(tail->block, tail->head->block_bytes);
	tail->block = NULL;
}

static uint64_t count_blocks(const struct tail *tail)
{
	struct stat status;

	return fstat(tail->fd, &status) == 0 ? (uint64_t)status.st_size / tail->head->block_bytes
					     : 0;
}

static bool map_block(struct tail *tail, uint32_t number)
{
	uint64_t size = tail->head->block_bytes;

	tail->number = number;
	tail->block = lttp_map_file(tail->fd, number * size, size);
	if (tail->block == NULL)
		return false;
	tail->word = lttp_block_word(tail->head, tail->block);
	return true;
}

static bool map_tail(struct tail *tail)
{
	uint64_t blocks = count_blocks(tail);

	return blocks > 0 && map_block(tail, (uint32_t)(blocks - 1));
}

/* The counter at the last time value: that of the last event, or of the start of the block. */
static uint64_t last_cycles(const struct tail *tail)
{
	uint32_t last = lttp_word_last(lttp_load(tail->word)), at = 0;
	uint64_t cycles;

	if (last >= LTTP_BLOCK_START_BYTES + LTTP_HEARTBEAT_BYTES &&
	    last < tail->head->block_bytes - 8)
		at = last - LTTP_HEARTBEAT_BYTES;
	memcpy(&cycles, tail->block + at + LTTP_HEADER_BYTES + 8, 8);
	return cycles;
}

/* An event that is to be written, and where to note its place, or NULL. */
struct entry {
	uint16_t id;
	const void *bytes;
	uint32_t size;
	uint64_t *spot;
};

/* Appends a time value and an event, for which the block has room. -errno */
static int append_here(struct tail *tail, const struct entry *entry)
{
	uint32_t next = lttp_word_next(lttp_load(tail->word));
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant at;

	if (!lttp_clock_now(tail->head, &at))
		return -EIO;
	if (next == 0)
		lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &at, 0, tail->number);
	else
		lttp_put_heartbeat(&out, &at, at.cycles - last_cycles(tail));
	lttp_put_header(&out, entry->id, 0);
	memcpy(tail->block + next, out.bytes, out.size);
	memcpy(tail->block + next + out.size, entry->bytes, entry->size);
	if (entry->spot != NULL)
		lttp_store(entry->spot, LTTP_SPOT(tail->number, next + out.last));
	lttp_store(tail->word, lttp_word(next + out.size + entry->size, next + out.last));
	return 0;
}

static void close_here(struct tail *tail)
{
	uint32_t next = lttp_word_next(lttp_load(tail->word));
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant at;

	if (next < LTTP_BLOCK_START_BYTES || next > lttp_block_room(tail->head) ||
	    !lttp_clock_now(tail->head, &at))
		return;
	lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &at, at.cycles - last_cycles(tail),
			     tail->number);
	memcpy(tail->block + next, out.bytes, out.size);
	lttp_store(tail->word, lttp_word(tail->head->block_bytes, next));
}

/* Goes on in a new block, unless there is room for @size bytes of payload. */
static int make_room(struct tail *tail, uint32_t size)
{
	uint32_t next = lttp_word_next(lttp_load(tail->word));
	uint64_t block_bytes = tail->head->block_bytes;
	int result;

	if (next + LTTP_BLOCK_START_BYTES + LTTP_HEADER_BYTES + size <= lttp_block_room(tail->head))
		return 0;
	result = lttp_allocate(tail->fd, (tail->number + 1) * block_bytes, block_bytes);
	if (result != 0)
		return result;
	close_here(tail);
	unmap_block(tail);
	return map_tail(tail) ? 0 : -EIO;
}

static int append(struct lttp_session *session, const struct entry *entry)
{
	struct tail tail = {.head = session->head};
	int result = lttp_control_lock(session, &tail.fd);

	if (result != 0)
		return result;
	result = map_tail(&tail) ? make_room(&tail, entry->size) : -EIO;
	if (result == 0)
		result = append_here(&tail, entry);
	unmap_block(&tail);
	lttp_control_unlock(tail.fd);
	return result;
}

static int append_or_lose(struct lttp_session *session, const struct entry *entry)
{
	int result = entry->size <= lttp_block_room(session->head) / 2 ? append(session, entry)
								       : -EMSGSIZE;

	if (result != 0)
		lttp_add(&session->head->control_lost, 1);
	return result;
}

int lttp_control_append(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size)
{
	const struct entry entry = {id, bytes, size, NULL};

	return append_or_lose(session, &entry);
}

int lttp_control_note(struct lttp_session *session, uint16_t id, const void *bytes, uint32_t size)
{
	const struct entry entry = {id, bytes, size, NULL};

	return append(session, &entry);
}

/* The payload of a process_start but for the path behind it. Returns its size. */
static uint32_t put_process(char *bytes, uint32_t pid, uint32_t parent, const char *name)
{
	uint32_t length = (uint32_t)strnlen(name, NAME_BYTES);

	memcpy(bytes, &pid, 4);
	memcpy(bytes + 4, &parent, 4);
	memcpy(bytes + 8, name, length);
	bytes[8 + length] = 0;
	return 8 + length + 1;
}

void lttp_control_process_start(struct lttp_session *session, struct lttp_process_slot *slot)
{
	char bytes[8 + NAME_BYTES + 1 + EXECUTABLE_BYTES + 1], name[NAME_BYTES] = "";
	struct entry entry = {LTTP_ID_PROCESS_START, bytes, 0, slot != NULL ? &slot->start : NULL};
	ssize_t length;

	prctl(PR_GET_NAME, name);
	entry.size = put_process(bytes, lttp_getpid(), (uint32_t)getppid(), name);
	length = readlink("/proc/self/exe", bytes + entry.size, EXECUTABLE_BYTES);
	entry.size += length > 0 ? (uint32_t)length : 0;
	bytes[entry.size++] = 0;
	append_or_lose(session, &entry);
}

void lttp_control_process_started(struct lttp_session *session,
				  const struct lttp_process_slot *slot)
{
	char bytes[8 + NAME_BYTES + 1 + 1];
	uint32_t size = put_process(bytes, (uint32_t)(slot->who >> 32), slot->ppid, slot->name);

	bytes[size++] = 0;
	lttp_control_append(session, LTTP_ID_PROCESS_START, bytes, size);
}

void lttp_control_process_exit(struct lttp_session *session, struct lttp_process_slot *slot,
			       uint32_t pid, int32_t status)
{
	char bytes[8];
	const struct entry entry = {LTTP_ID_PROCESS_EXIT, bytes, sizeof(bytes),
				    slot != NULL ? &slot->exit : NULL};

	memcpy(bytes, &pid, 4);
	memcpy(bytes + 4, &status, 4);
	append_or_lose(session, &entry);
}

bool lttp_control_tells(const struct lttp_session *session, uint64_t spot, uint16_t id,
			uint32_t pid)
{
	struct tail tail = {.head = session->head};
	uint32_t number = (uint32_t)(spot >> 32), offset = (uint32_t)spot, next, found_pid;
	uint16_t found_id;
	bool tells = false;

	if (offset == 0 || offset >= lttp_block_room(session->head))
		return false;
	tail.fd = lttp_session_file(session, path, O_RDWR);
	if (tail.fd >= 0 && number < count_blocks(&tail) && map_block(&tail, number)) {
		next = lttp_word_next(lttp_load(tail.word));
		memcpy(&found_id, tail.block + offset, sizeof(found_id));
		memcpy(&found_pid, tail.block + offset + LTTP_HEADER_BYTES, sizeof(found_pid));
		tells = next > offset && found_id == id && found_pid == pid;
	}
	unmap_block(&tail);
	lttp_close(tail.fd);
	return tells;
}

int lttp_control_place(const struct lttp_session *session, int fd, struct lttp_place *place)
{
	struct tail tail = {.head = session->head, .fd = fd};

	*place = (struct lttp_place){LTTP_NO_BLOCK, 0};
	if (!map_tail(&tail))
		return -EIO;
	/* A last block without an event stands behind one that is closed, or behind none. */
	if (lttp_load(tail.word) != 0)
		*place = (struct lttp_place){LTTP_CURRENT(tail.number, tail.number),
					     lttp_load(tail.word)};
	else if (tail.number > 0)
		*place = (struct lttp_place){LTTP_CURRENT(tail.number - 1, tail.number - 1), 0};
	unmap_block(&tail);
	return 0;
}

void lttp_control_close(struct lttp_session *session, uint64_t lost)
{
	const struct entry entry = {LTTP_ID_EVENTS_LOST, &lost, sizeof(lost), NULL};
	struct tail tail = {.head = session->head};

	if (lost != 0)
		append(session, &entry);
	if (lttp_control_lock(session, &tail.fd) != 0)
		return;
	if (map_tail(&tail))
		close_here(&tail);
	unmap_block(&tail);
	lttp_control_unlock(tail.fd);
}
