/* parts.c - writes events whose payload is a list of parts: see <ltt/ltt-probe-parts.h>. */
#include "probe/section.h"

/* What the restartable sequence did not write is gathered, and goes the usual way. */
static __attribute__((noinline)) void write_staged(struct ltt_probe_facility *facility,
						   uint32_t index,
						   const struct ltt_probe_part *parts, uint32_t n)
{
	struct ltt_probe_stage stage;

	ltt_probe_stage_open(&stage);
	do {
		for (uint32_t i = 0; i < n; i++) {
			if (parts[i].size >= LTT_PROBE_PART_TEXT)
				ltt_probe_stage_text(&stage, parts[i].bytes,
						     parts[i].size - LTT_PROBE_PART_TEXT);
			else
				ltt_probe_stage_put(&stage, parts[i].bytes, parts[i].size);
		}
	} while (ltt_probe_stage_again(&stage));
	ltt_probe_stage_write(&stage, facility, index);
}

void ltt_probe_write_parts(struct ltt_probe_facility *facility, uint32_t index,
			   const struct ltt_probe_part *parts, uint32_t n)
{
	const struct ltt_probe_thread *thread = &ltt_probe_thread;

	if (__builtin_expect(thread->mode != LTT_PROBE_MODE_NONE, 1) &&
	    __builtin_expect(lttp_section_write(thread, facility, index, parts, n), 1))
		return;
	if (n == 1 && parts->size < LTT_PROBE_PART_TEXT)
		ltt_probe_emit(facility, index, parts->size, parts->bytes);
	else
		write_staged(facility, index, parts, n);
}

void ltt_probe_write_bytes(struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
			   const void *bytes)
{
	const struct ltt_probe_part part = {bytes, size};

	ltt_probe_write_parts(facility, index, &part, 1);
}
