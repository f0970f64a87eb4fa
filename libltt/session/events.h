/* events.h - encode the builtin and tracer events (doc/format.md, 4 and 11).
 *
 * Events are encoded in a small buffer, in the byte order of the machine, and copied from there.
 */
#ifndef LTTP_EVENTS_H
#define LTTP_EVENTS_H

#include "session/clock.h"

#include <string.h>

enum lttp_event_id {
	LTTP_ID_FACILITY_LOAD = 0,
	LTTP_ID_BLOCK_START,
	LTTP_ID_BLOCK_END,
	LTTP_ID_HEARTBEAT,
	/* The facility tracer, loaded first in every session. */
	LTTP_ID_TRACER,
	LTTP_ID_THREAD = LTTP_ID_TRACER,
	LTTP_ID_EVENTS_LOST,
	LTTP_ID_CLOCK,
	LTTP_ID_PROCESS_START,
	LTTP_ID_PROCESS_EXIT,
	/* The facility losses, loaded next. */
	LTTP_ID_LOST,
	LTTP_ID_TOO_LARGE,
	LTTP_ID_FREE, /* the first that other facilities get */
};

enum lttp_event_bytes {
	LTTP_HEADER_BYTES = 6,
	LTTP_HEARTBEAT_BYTES = 22,
	LTTP_BLOCK_START_BYTES = 26,
	LTTP_BLOCK_END_BYTES = 26,
	LTTP_THREAD_BYTES = 14,
	LTTP_EVENTS_LOST_BYTES = 14,
	LTTP_CLOCK_BYTES = 38,
	/* The events that begin a block of the live writer. */
	LTTP_BLOCK_BEGIN_BYTES = LTTP_BLOCK_START_BYTES + LTTP_CLOCK_BYTES + LTTP_THREAD_BYTES +
				 LTTP_EVENTS_LOST_BYTES,
};

/* Consecutive events, and the offset of the last one. */
struct lttp_bytes {
	uint32_t size;
	uint32_t last;
	char bytes[128];
};

static inline void lttp_put(struct lttp_bytes *out, const void *value, uint32_t size)
{
	memcpy(out->bytes + out->size, value, size);
	out->size += size;
}

static inline void lttp_put16(struct lttp_bytes *out, uint16_t value)
{
	lttp_put(out, &value, sizeof(value));
}

static inline void lttp_put32(struct lttp_bytes *out, uint32_t value)
{
	lttp_put(out, &value, sizeof(value));
}

static inline void lttp_put64(struct lttp_bytes *out, uint64_t value)
{
	lttp_put(out, &value, sizeof(value));
}

static inline void lttp_put_time(struct lttp_bytes *out, uint64_t ns)
{
	lttp_put32(out, (uint32_t)(ns / 1000000000));
	lttp_put32(out, (uint32_t)(ns % 1000000000));
}

/* An event header; a delta that is too large is stored as the maximum. */
static inline void lttp_put_header(struct lttp_bytes *out, uint16_t id, uint64_t delta_cycles)
{
	out->last = out->size;
	lttp_put16(out, id);
	lttp_put32(out, delta_cycles < UINT32_MAX ? (uint32_t)delta_cycles : UINT32_MAX);
}

static inline void lttp_put_heartbeat(struct lttp_bytes *out, const struct lttp_instant *at,
				      uint64_t delta_cycles)
{
	lttp_put_header(out, LTTP_ID_HEARTBEAT, delta_cycles);
	lttp_put_time(out, at->ns);
	lttp_put64(out, at->cycles);
}

/* A block_start or a block_end. */
static inline void lttp_put_block_event(struct lttp_bytes *out, uint16_t id,
					const struct lttp_instant *at, uint64_t delta_cycles,
					uint32_t block_id)
{
	lttp_put_header(out, id, delta_cycles);
	lttp_put_time(out, at->ns);
	lttp_put64(out, at->cycles);
	lttp_put32(out, block_id);
}

static inline void lttp_put_clock(struct lttp_bytes *out, const struct lttp_instant *at,
				  const struct lttp_instant *end)
{
	lttp_put_header(out, LTTP_ID_CLOCK, 0);
	lttp_put64(out, at->cycles);
	lttp_put_time(out, at->ns);
	lttp_put64(out, end->cycles);
	lttp_put_time(out, end->ns);
}

static inline void lttp_put_thread(struct lttp_bytes *out, uint64_t delta_cycles, uint32_t pid,
				   uint32_t tid)
{
	lttp_put_header(out, LTTP_ID_THREAD, delta_cycles);
	lttp_put32(out, pid);
	lttp_put32(out, tid);
}

static inline void lttp_put_events_lost(struct lttp_bytes *out, uint64_t delta_cycles,
					uint64_t total)
{
	lttp_put_header(out, LTTP_ID_EVENTS_LOST, delta_cycles);
	lttp_put64(out, total);
}

#endif /* LTTP_EVENTS_H */
