/* section.h - write an event with a payload in memory to the current block of this CPU, all or
 * nothing.
 *
 * The same restartable sequence as in <ltt/ltt-probe-section.h>, which has those for a few words in
 * registers; these copy from memory, parts (<ltt/ltt-probe-parts.h>) or plain bytes. They return
 * false if the event was not written, for one of the reasons that <ltt/ltt-probe-section.h> names;
 * ltt_probe_emit() handles that case.
 */
#ifndef LTTP_SECTION_H
#define LTTP_SECTION_H

#include <ltt/ltt-probe.h>

#include <stdbool.h>

#ifdef LTT_PROBE_HAS_SECTION

/* One instruction of AArch64 loads two adjacent fields. */
#define LTTP_NEIGHBOURS(STRUCT, FIELD, NEXT)                                                       \
	_Static_assert(offsetof(struct STRUCT, NEXT) == offsetof(struct STRUCT, FIELD) + 8, "ldp")
LTTP_NEIGHBOURS(ltt_probe_thread, word_bytes, room_bytes);
LTTP_NEIGHBOURS(ltt_probe_gate, owner, cut_cycles);
LTTP_NEIGHBOURS(ltt_probe_gate, base_cycles, limit_cycles);
_Static_assert(sizeof(struct ltt_probe_cpu) == 64, "a power of two, and a cache line");

#endif

/* An argument in a register that no sequence overwrites and that the caller need not save. The
 * compiler does not see that it is the same value, so it does not save the original. */
#if defined(LTT_PROBE_HAS_SECTION) && defined(__x86_64__)

typedef double lttp_parked;

static inline lttp_parked lttp_park(uint64_t value)
{
	lttp_parked parked;

	__asm__("movq %1, %0" : "=x"(parked) : "r"(value));
	return parked;
}

static inline uint64_t lttp_unpark(lttp_parked parked)
{
	uint64_t value;

	__asm__("movq %1, %0" : "=r"(value) : "x"(parked));
	return value;
}

#else

typedef uint64_t lttp_parked;

static inline lttp_parked lttp_park(uint64_t value)
{
	return value;
}

static inline uint64_t lttp_unpark(lttp_parked parked)
{
	return parked;
}

#endif

/* The arguments of a sequence. */
struct lttp_call {
	lttp_parked facility;
	lttp_parked index;
	lttp_parked from, end; /* the parts, 1 at least, or the bytes of the payload */
};

static inline struct lttp_call lttp_section_call(const struct ltt_probe_facility *facility,
						 uint32_t index, uintptr_t from, uintptr_t end)
{
	struct lttp_call call = {lttp_park((uintptr_t)facility), lttp_park(index), lttp_park(from),
				 lttp_park(end)};

	return call;
}

#if defined(LTT_PROBE_HAS_SECTION) && defined(__x86_64__)

#include "probe/section-x86-64.h"

/* Writes an event of parts. */
static inline bool lttp_section_parts(struct lttp_call call)
{
	if (__builtin_expect(ltt_probe_thread.mode == LTT_PROBE_MODE_ORDERED, 1))
		return lttp_section_parts_ordered(call);
	return ltt_probe_thread.mode == LTT_PROBE_MODE_FAST && lttp_section_parts_fast(call);
}

/* Writes an event of plain bytes, also in a thread that may not take the fast path. The thread must be
 * set up for the session. @ordered: as head->ordered */
static inline bool lttp_section_bytes_of_any(struct lttp_call call, bool ordered)
{
	return ordered ? lttp_section_bytes_ordered(call) : lttp_section_bytes_fast(call);
}

/* Writes an event of plain bytes. */
static inline bool lttp_section_bytes(struct lttp_call call)
{
	if (__builtin_expect(ltt_probe_thread.mode == LTT_PROBE_MODE_ORDERED, 1))
		return lttp_section_bytes_ordered(call);
	return ltt_probe_thread.mode == LTT_PROBE_MODE_FAST && lttp_section_bytes_fast(call);
}

#elif defined(LTT_PROBE_HAS_SECTION)

static inline bool lttp_section_bytes_of_any(struct lttp_call call, bool ordered)
{
	if (ordered)
		ltt_probe_order();
	return ltt_probe_section_bytes(
		&ltt_probe_thread, (const struct ltt_probe_facility *)call.facility,
		(uint32_t)call.index, call.end - call.from, (const void *)call.from);
}

static inline bool lttp_section_bytes(struct lttp_call call)
{
	const uint32_t mode = ltt_probe_thread.mode;

	return mode != LTT_PROBE_MODE_NONE &&
	       lttp_section_bytes_of_any(call, mode == LTT_PROBE_MODE_ORDERED);
}

/* The caller stages payloads of several parts, and texts. */
static inline bool lttp_section_parts(struct lttp_call call)
{
	const struct ltt_probe_part *part = (const struct ltt_probe_part *)call.from;
	uintptr_t bytes = (uintptr_t)part->bytes;

	if (call.end - call.from != sizeof(*part) || part->size >= LTT_PROBE_PART_TEXT)
		return false;
	call.from = bytes;
	call.end = bytes + part->size;
	return lttp_section_bytes(call);
}

#else

static inline bool lttp_section_parts(struct lttp_call call)
{
	(void)call;
	return false;
}

static inline bool lttp_section_bytes_of_any(struct lttp_call call, bool ordered)
{
	(void)call, (void)ordered;
	return false;
}

static inline bool lttp_section_bytes(struct lttp_call call)
{
	(void)call;
	return false;
}

#endif

#endif /* LTTP_SECTION_H */
