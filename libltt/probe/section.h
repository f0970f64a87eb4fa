/* section.h - one event of any parts into the current block of this CPU, all or nothing.
 *
 * The same restartable sequence as in <ltt/ltt-probe-section.h>, which has those for a few words in
 * registers; this one copies from memory.
 */
#ifndef LTTP_SECTION_H
#define LTTP_SECTION_H

#include <ltt/ltt-probe.h>

#include <stdbool.h>

#ifdef LTT_PROBE_HAS_SECTION

/* One instruction of AArch64 loads two fields that are neighbours. */
#define LTTP_NEIGHBOURS(STRUCT, FIELD, NEXT)                                                       \
	_Static_assert(offsetof(struct STRUCT, NEXT) == offsetof(struct STRUCT, FIELD) + 8, "ldp")
LTTP_NEIGHBOURS(ltt_probe_thread, word_bytes, room_bytes);
LTTP_NEIGHBOURS(ltt_probe_gate, owner, cut_cycles);
LTTP_NEIGHBOURS(ltt_probe_gate, base_cycles, limit_cycles);
_Static_assert(sizeof(struct ltt_probe_cpu) == 64, "a power of two, and a cache line");

#endif

/* Writes an event whose payload is the @n @parts, 1 at least; @thread is the calling thread. Returns
 * false if the event was not written, for one of the reasons that <ltt/ltt-probe-section.h> names;
 * what to do then is up to ltt_probe_emit(). */
static inline bool lttp_section_write(const struct ltt_probe_thread *thread,
				      const struct ltt_probe_facility *facility, uint32_t index,
				      const struct ltt_probe_part *parts, uint32_t n);

#if defined(LTT_PROBE_HAS_SECTION) && defined(__x86_64__)

#include "probe/section-x86-64.h"

#elif defined(LTT_PROBE_HAS_SECTION)

/* A single part of plain bytes; the caller stages all else. */
static inline bool lttp_section_write(const struct ltt_probe_thread *thread,
				      const struct ltt_probe_facility *facility, uint32_t index,
				      const struct ltt_probe_part *parts, uint32_t n)
{
	if (n != 1 || parts->size >= LTT_PROBE_PART_TEXT)
		return false;
	if (thread->mode != LTT_PROBE_MODE_FAST)
		ltt_probe_order();
	return ltt_probe_section_bytes(thread, facility, index, parts->size, parts->bytes);
}

#else

static inline bool lttp_section_write(const struct ltt_probe_thread *thread,
				      const struct ltt_probe_facility *facility, uint32_t index,
				      const struct ltt_probe_part *parts, uint32_t n)
{
	(void)thread, (void)facility, (void)index, (void)parts, (void)n;
	return false;
}

#endif

#endif /* LTTP_SECTION_H */
