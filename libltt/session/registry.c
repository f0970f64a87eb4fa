/* registry.c - facilities of a session. See registry.h. */
#define _GNU_SOURCE
#include "session/registry.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/broker-client.h"
#include "session/eventdef.h"
#include "session/events.h"
#include "session/file.h"
#include "session/sys.h"

#include <fnmatch.h>
#include <string.h>

static const char path[] = "control/facilities";

enum {
	EVENT_IDS = 1 << 16,
	GLOB_BYTES = 256,
};

/* Copies facility @k of the session, which may be overwritten at any time. Returns: false if the
 * session has fewer */
static bool read_facility(struct lttp_head *head, unsigned k, struct lttp_facility *out)
{
	uint32_t draft = k < LTTP_FACILITIES ? lttp_load(&head->facilities[k]) : 0;

	if (draft == 0 || draft > LTTP_FACILITY_DRAFTS)
		return false;
	memcpy(out, &head->draft[draft - 1], sizeof(*out));
	out->name[sizeof(out->name) - 1] = 0;
	return true;
}

/* A place in control/facilities, and the last time value before it. */
struct spot {
	uint32_t block;
	uint32_t offset; /* of the next event, in the block */
	uint32_t last;   /* offset of the last event */
	uint64_t cycles; /* of the last time value */
};

/* Returns: the number of blocks of the file: space for a full table */
static uint32_t count_blocks(const struct lttp_head *head)
{
	uint32_t load = sizeof(((struct lttp_facility *)0)->name) + LTTP_HEARTBEAT_BYTES +
			LTTP_HEADER_BYTES + 8;

	return LTTP_FACILITIES / (lttp_block_room(head) / load) + 1;
}

/* The file is mapped one block at a time. */
struct control {
	const struct lttp_session *session;
	const struct lttp_head *head;
	uint32_t mapped; /* number of the block plus 1; 0: none */
	char *block;
};

static bool map_block(struct control *control, uint32_t number)
{
	size_t size = control->head->block_bytes;

	if (control->mapped == number + 1)
		return true;
	if (control->mapped != 0)
		munmap(control->block, size);
	control->mapped = 0;
	if (number >= count_blocks(control->head))
		return false;
	control->block = lttp_file_map_control(control->session, LTTP_ANCHOR_FACILITIES, number);
	if (control->block == NULL)
		return false;
	control->mapped = number + 1;
	return true;
}

static uint32_t name_bytes(const struct lttp_facility *facility)
{
	return (uint32_t)strnlen(facility->name, sizeof(facility->name) - 1) + 1;
}

/* The event itself. */
static uint32_t event_bytes(const struct lttp_facility *facility)
{
	return LTTP_HEADER_BYTES + name_bytes(facility) + 8;
}

/* With the time value before it. Each load has a time value for its own time. */
static uint32_t load_bytes(const struct lttp_facility *facility, uint32_t offset)
{
	return (offset == 0 ? LTTP_BLOCK_START_BYTES : LTTP_HEARTBEAT_BYTES) +
	       event_bytes(facility);
}

/* Stores the bytes of a load at @spot. All processes would store the same ones. */
static void store_load(char *block, const struct spot *spot, const struct lttp_facility *facility,
		       uint32_t base)
{
	struct lttp_instant at = {facility->cycles, facility->ns};
	char *to = block + spot->offset;
	struct lttp_bytes out = {0, 0, ""};

	if (spot->offset == 0)
		lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &at, 0, spot->block);
	else
		lttp_put_heartbeat(&out, &at, at.cycles - spot->cycles);
	lttp_put_header(&out, LTTP_ID_FACILITY_LOAD, 0);
	memcpy(to, out.bytes, out.size);
	to += out.size;
	memcpy(to, facility->name, name_bytes(facility));
	to[name_bytes(facility) - 1] = 0;
	to += name_bytes(facility);
	memcpy(to, &facility->checksum, 4);
	memcpy(to + 4, &base, 4);
}

/* Commits the event at @spot, unless that has been done. */
static void commit(const struct control *control, const struct spot *spot, uint32_t next,
		   uint32_t last)
{
	uint64_t before = spot->offset == 0 ? 0 : lttp_word(spot->offset, spot->last);

	lttp_replace(lttp_block_word(control->head, control->block), before, lttp_word(next, last));
}

/* Closes the block at @spot: at the time of the load that does not fit, or at the end. */
static void close_block(const struct control *control, const struct spot *spot,
			const struct lttp_instant *at)
{
	struct lttp_bytes out = {0, 0, ""};

	if (lttp_block_is_past(control->head, control->block, spot->offset))
		return;
	lttp_put_block_event(&out, LTTP_ID_BLOCK_END, at, at->cycles - spot->cycles, spot->block);
	memcpy(control->block + spot->offset, out.bytes, out.size);
	commit(control, spot, control->head->block_bytes, spot->offset);
}

/* Commits the uncommitted loads of the facilities below number @end before @cycles; *spot is then
 * after them. */
static bool commit_loads(struct control *control, struct lttp_head *head, unsigned end,
			 uint64_t cycles, struct spot *spot)
{
	uint32_t room = lttp_block_room(head), base = LTTP_ID_TRACER;

	*spot = (struct spot){0, 0, 0, 0};
	for (unsigned k = 0; k < end; k++) {
		struct lttp_facility facility;
		struct lttp_instant at;
		uint32_t next;

		if (!read_facility(head, k, &facility) || facility.cycles >= cycles)
			break;
		at = (struct lttp_instant){facility.cycles, facility.ns};
		if (!map_block(control, spot->block))
			return false;
		if (spot->offset != 0 &&
		    spot->offset + load_bytes(&facility, spot->offset) > room) {
			close_block(control, spot, &at);
			*spot = (struct spot){spot->block + 1, 0, 0, 0};
			if (!map_block(control, spot->block))
				return false;
		}
		next = spot->offset + load_bytes(&facility, spot->offset);
		if (!lttp_block_is_past(control->head, control->block, spot->offset)) {
			store_load(control->block, spot, &facility, base);
			commit(control, spot, next, next - event_bytes(&facility));
		}
		*spot = (struct spot){spot->block, next, next - event_bytes(&facility),
				      facility.cycles};
		base += facility.events;
	}
	return true;
}

static void close_control(struct control *control)
{
	if (control->mapped != 0)
		munmap(control->block, control->head->block_bytes);
}

static int write_loads(struct lttp_session *session, unsigned end, uint64_t cycles,
		       struct spot *spot)
{
	struct control control = {.session = session, .head = session->head};
	int result = commit_loads(&control, session->head, end, cycles, spot) ? 0 : -EIO;
	close_control(&control);
	return result;
}

int lttp_registry_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place)
{
	struct spot spot;
	int result = write_loads(session, LTTP_FACILITIES, cycles, &spot);

	if (result != 0)
		return result;
	place->current = LTTP_CURRENT(spot.block, spot.block);
	place->word = lttp_word(spot.offset, spot.last);
	return 0;
}

void lttp_registry_close(struct lttp_session *session)
{
	struct control control = {.session = session, .head = session->head};
	struct lttp_instant now;
	struct spot spot;

	if (commit_loads(&control, session->head, LTTP_FACILITIES, UINT64_MAX, &spot) &&
	    spot.offset != 0 && lttp_clock_now(session->head, &now))
		close_block(&control, &spot, &now);
	close_control(&control);
}

int lttp_registry_create(struct lttp_session *session)
{
	uint32_t blocks = count_blocks(session->head);
	int fd = lttp_session_file(session, path, O_RDWR | O_CREAT | O_EXCL), result;

	if (fd < 0)
		return fd;
	result = lttp_allocate(fd, 0, (uint64_t)blocks * session->head->block_bytes);
	lttp_close(fd);
	return result;
}

/* A facility in the table. */
struct found {
	unsigned number; /* its place, or the first free one */
	uint32_t base;
	bool there;
};

static struct found find(struct lttp_head *head, const char *name, uint32_t checksum,
			 struct found from)
{
	struct lttp_facility facility;

	for (; read_facility(head, from.number, &facility); from.number++) {
		from.there = facility.checksum == checksum &&
			     strncmp(facility.name, name, sizeof(facility.name)) == 0;
		if (from.there)
			break;
		from.base += facility.events;
	}
	return from;
}

/* Sets the time of the draft to now, so that the order of loads is that of their times. */
static bool stamp(struct lttp_head *head, struct lttp_facility *draft)
{
	struct lttp_instant now;

	if (!lttp_clock_now(head, &now))
		return false;
	draft->cycles = now.cycles;
	draft->ns = now.ns;
	return true;
}

/* Enters a facility in the table, unless another process does. */
static int enter(struct lttp_head *head, const char *name, uint32_t checksum, uint32_t events,
		 struct found *found)
{
	struct lttp_facility *draft;
	uint64_t number;

	/* Another process may have entered it while this one wrote the description. */
	*found = find(head, name, checksum, *found);
	if (found->there)
		return 0;
	number = lttp_add(&head->drafts, 1);
	if (number >= LTTP_FACILITY_DRAFTS) {
		*found = find(head, name, checksum, *found);
		return found->there ? 0 : -EOVERFLOW;
	}
	draft = &head->draft[number];
	draft->checksum = checksum;
	draft->events = events;
	strncpy(draft->name, name, sizeof(draft->name) - 1);
	/* Each failure means that the table has one more facility. */
	for (unsigned tries = 0; tries <= LTTP_FACILITIES; tries++) {
		*found = find(head, name, checksum, *found);
		if (found->there) {
			lttp_replace(&head->drafts, number + 1,
				     number); /* unless there is a later one */
			return 0;
		}
		if (found->number >= LTTP_FACILITIES || found->base > EVENT_IDS ||
		    events > EVENT_IDS - found->base)
			return -EOVERFLOW;
		if (!stamp(head, draft))
			return -EIO;
		if (lttp_replace32(&head->facilities[found->number], 0, (uint32_t)number + 1))
			return 0;
	}
	return -EIO;
}

/* Writes the description, or has the recorder write it. */
static int describe(const struct lttp_session *session, const char *name, uint32_t checksum,
		    const char *xml)
{
	int own, result;

	if (xml == NULL)
		return -EACCES;
	own = lttp_eventdef_write(session, name, checksum, xml);
	if (own == 0)
		return 0;
	result = lttp_broker_describe(session, name, checksum, xml);
	/* Without an answer the first failure is the reason. */
	return result == -ECONNREFUSED || result == -ETIMEDOUT || result == -EACCES ? own : result;
}

int lttp_registry_load(struct lttp_session *session, const char *name, uint32_t checksum,
		       uint32_t events, const char *xml, uint32_t *base)
{
	struct lttp_head *head = session->head;
	struct found found;
	struct spot spot;
	int result = 0;

	if (strlen(name) >= sizeof(((struct lttp_facility *)0)->name) || events > EVENT_IDS)
		return -EOVERFLOW;
	found = find(head, name, checksum, (struct found){0, LTTP_ID_TRACER, false});
	if (!found.there) {
		result = describe(session, name, checksum, xml);
		if (result == 0)
			result = enter(head, name, checksum, events, &found);
	}
	if (result == 0)
		result = write_loads(session, found.number + 1, UINT64_MAX, &spot);
	if (result == 0)
		*base = found.base;
	return result;
}

bool lttp_registry_is_enabled(const char *globs, const char *name)
{
	while (*globs != 0) {
		size_t length = strcspn(globs, ",");
		char glob[GLOB_BYTES];

		if (length < sizeof(glob)) {
			memcpy(glob, globs, length);
			glob[length] = 0;
			if (fnmatch(glob, name, 0) == 0)
				return true;
		}
		globs += length + (globs[length] == ',');
	}
	return false;
}
