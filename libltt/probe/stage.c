/* stage.c - payloads that are gathered before they are written, where the stack is too small.
 *
 * Larger room is anonymous memory, as much as the largest payload takes: pages that are not touched
 * cost nothing. A few such rooms are kept for the next time, in places from which they are taken by
 * exchange; so a signal handler that comes between finds another one.
 */
#define _GNU_SOURCE
#include "atomic.h"
#include "process.h"
#include "sys.h"
#include "writer.h"

enum {
	ROOMS = 8,
	KEPT_BYTES_MAX = 256 << 10, /* a room of which more was used is given back */
};

/* What a room begins with. */
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

void ltt_probe_stage_string(struct ltt_probe_stage *stage, const char *text)
{
	size_t room = (size_t)(stage->end - stage->at), length;

	if (text == NULL)
		text = "";
	length = strnlen(text, room);
	if (length == room) {
		stage->too_small = 1;
		return;
	}
	/* Another thread may be changing the text: what counts is where the copy ends. */
	memcpy(stage->at, text, length);
	stage->at[length] = 0;
	stage->at += strlen(stage->at) + 1;
}

int ltt_probe_stage_grow(struct ltt_probe_stage *stage)
{
	int saved = errno;
	struct room *room = NULL;

	if (stage->start == stage->bytes && lttp_process_epoch() != 0)
		room = take_room(lttp_payload_max(lttp_probe.session.head));
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
