/* parts.c - events whose payload is in memory: parts (<ltt/ltt-probe-parts.h>), or plain bytes. */
#include "probe/section.h"

/* Gathers the parts in a stage, and writes that. */
static void write_staged(struct ltt_probe_facility *facility, uint32_t index,
			 const struct ltt_probe_part *parts, const struct ltt_probe_part *end)
{
	struct ltt_probe_stage stage;

	ltt_probe_stage_open(&stage);
	do {
		for (const struct ltt_probe_part *part = parts; part < end; part++) {
			if (part->size >= LTT_PROBE_PART_TEXT)
				ltt_probe_stage_text(&stage, part->bytes,
						     part->size - LTT_PROBE_PART_TEXT);
			else
				ltt_probe_stage_put(&stage, part->bytes, part->size);
		}
	} while (ltt_probe_stage_again(&stage));
	ltt_probe_stage_write(&stage, facility, index);
}

/* Not inlined, so that the callers need not save registers for it. */
static __attribute__((noinline)) void emit_parts(struct ltt_probe_facility *facility,
						 uint32_t index, const struct ltt_probe_part *parts,
						 const struct ltt_probe_part *end)
{
	if (end - parts == 1 && parts->size < LTT_PROBE_PART_TEXT)
		ltt_probe_emit(facility, index, parts->size, parts->bytes);
	else
		write_staged(facility, index, parts, end);
}

void ltt_probe_write_parts(struct ltt_probe_facility *facility, uint32_t index,
			   const struct ltt_probe_part *parts, uint32_t n)
{
	const struct lttp_call call =
		lttp_section_call(facility, index, (uintptr_t)parts, (uintptr_t)(parts + n));

	if (__builtin_expect(lttp_section_parts(call), 1))
		return;
	emit_parts((struct ltt_probe_facility *)lttp_unpark(call.facility),
		   (uint32_t)lttp_unpark(call.index),
		   (const struct ltt_probe_part *)lttp_unpark(call.from),
		   (const struct ltt_probe_part *)lttp_unpark(call.end));
}

void ltt_probe_write_bytes(struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
			   const void *bytes)
{
	const struct lttp_call call =
		lttp_section_call(facility, index, (uintptr_t)bytes, (uintptr_t)bytes + size);
	uintptr_t from;

	if (__builtin_expect(lttp_section_bytes(call), 1))
		return;
	from = lttp_unpark(call.from);
	ltt_probe_emit((struct ltt_probe_facility *)lttp_unpark(call.facility),
		       (uint32_t)lttp_unpark(call.index), lttp_unpark(call.end) - from,
		       (const void *)from);
}
