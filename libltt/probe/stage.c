/* stage.c - copies texts into a stage, and enlarges it. See <ltt/ltt-probe-stage.h>.
 *
 * The larger room is anonymous memory for the largest payload; pages that are not used cost nothing.
 * A few of these rooms are kept for reuse. They are taken by an atomic exchange, so a signal handler
 * that interrupts takes another one.
 */
#define _GNU_SOURCE
#include "probe/attach.h"
#include "probe/process.h"
#include "probe/self.h"
#include "session/atomic.h"
#include "session/sys.h"
#include "session/writer.h"

enum {
	ROOMS = 8,
	KEPT_BYTES_MAX = 256 << 10, /* a room with more used bytes is unmapped */
};

/* A room for a large payload. */
struct room {
	size_t size_bytes; /* of the mapping */
	char bytes[];
};

static struct room *rooms[ROOMS];

static struct room *take_room(size_t payload_bytes)
{
	size_t size = sizeof(struct room) + payload_bytes;
	struct room *room;

	for (int i = 0; i < ROOMS; i++) {
		room = lttp_load(&rooms[i]) != NULL ? lttp_swap(&rooms[i], NULL) : NULL;
		if (room != NULL && room->size_bytes >= size)
			return room;
		if (room != NULL)
			munmap(room, room->size_bytes);
	}
	room = lttp_map_memory(size);
	if (room != NULL)
		room->size_bytes = size;
	return room;
}

/* Copies a word. Returns nonzero if a byte of the copy is 0. */
static inline uint64_t copy_word(char *to, const char *from)
{
	const uint64_t ones = UINT64_MAX / UINT8_MAX;
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	__asm__("" : "+r"(word)); /* the compiler must not load it again */
	memcpy(to, &word, sizeof(word));
	return (word - ones) & ~word & ones << 7;
}

/* Copies @length bytes. Returns nonzero if a byte of the copy is 0. */
static uint64_t copy_text(char *to, const char *from, size_t length)
{
	const size_t word = sizeof(uint64_t);
	uint64_t zeros = 0;

	if (length < word) {
		for (size_t at = 0; at < length; at++)
			zeros |= (to[at] = ((const volatile char *)from)[at]) == 0;
		return zeros;
	}
	for (size_t at = 0; at + word <= length; at += word)
		zeros |= copy_word(to + at, from + at);
	return zeros | copy_word(to + length - word, from + length - word);
}

void ltt_probe_stage_text(struct ltt_probe_stage *stage, const char *text, size_t length)
{
	const size_t limit = length, room = (size_t)(stage->end - stage->at);

	if (text == NULL)
		text = "";
	length = strnlen(text, limit < room ? limit : room);
	if (length == room) {
		/* Its whole length is reported only if no larger room can follow. */
		if (stage->start != stage->bytes)
			length += strnlen(text + room, limit - room);
		ltt_probe_stage_lack(stage, length + 1);
		return;
	}
	/* Another thread may have changed the text: the length is that of the copy. The copy is
	 * searched only if it contains a 0, because loads of bytes just stored are slow. */
	stage->at[length] = 0;
	if (__builtin_expect(copy_text(stage->at, text, length) != 0, 0))
		length = strlen(stage->at);
	stage->at += length + 1;
}

void ltt_probe_stage_string(struct ltt_probe_stage *stage, const char *text)
{
	ltt_probe_stage_text(stage, text, SIZE_MAX);
}

/* With signals blocked: a handler that leaves by longjmp() would keep the process from leaving the session. */
static struct room *take_room_of_session(void)
{
	struct room *room = NULL;
	uint32_t pass;

	/* The event may be the first since `ltt attach` has begun. */
	if (lttp_load(&lttp_attach.shared) && !ltt_probe_thread.vforked && lttp_attach_is_due())
		lttp_attach_follow();
	pass = lttp_attach_pass();
	if (pass != LTTP_PASS_NONE && lttp_process_epoch() != 0)
		room = take_room(lttp_payload_max(lttp_probe.session.head));
	lttp_attach_exit(pass);
	return room;
}

int ltt_probe_stage_grow(struct ltt_probe_stage *stage)
{
	int saved = errno;
	struct room *room = NULL;
	uint64_t signals;

	if (stage->start == stage->bytes) {
		lttp_block_signals(&signals);
		room = take_room_of_session();
		lttp_restore_signals(&signals);
	}
	if (room != NULL) {
		stage->at = stage->start = room->bytes;
		stage->end = (char *)room + room->size_bytes;
		stage->too_small = 0;
	}
	errno = saved;
	return room != NULL;
}

void ltt_probe_stage_release(struct ltt_probe_stage *stage)
{
	struct room *room = (struct room *)(void *)(stage->start - sizeof(struct room));
	int saved = errno;

	if (stage->at - stage->start <= KEPT_BYTES_MAX) {
		for (int i = 0; room != NULL && i < ROOMS; i++) {
			struct room *none = NULL;

			if (__atomic_compare_exchange_n(&rooms[i], &none, room, false,
							__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
				room = NULL;
		}
	}
	if (room != NULL)
		munmap(room, room->size_bytes);
	errno = saved;
}
