/* ltt-probe-stage.h - a payload gathered in a buffer.
 *
 * For ltt-probe.h alone: programs do not use anything here.
 *
 * Payloads with loops or branches (elements of varying size, unions) are gathered in a stage, by a
 * function that is not inlined, because a stage takes half a kilobyte of stack:
 *
 *	struct ltt_probe_stage stage;
 *
 *	ltt_probe_stage_open(&stage);
 *	do {
 *		ltt_probe_stage_string(&stage, path);
 *		ltt_probe_stage_put(&stage, &flags, sizeof(flags));
 *		...
 *	} while (ltt_probe_stage_again(&stage));
 *	ltt_probe_stage_write(&stage, &FACILITY, INDEX);
 *
 * The loop runs a second time if the stage was too small the first time:
 *
 *	first:   start                         at        end
 *	           v                            v         v
 *	bytes:     | path ... 0 | flags | ...   |  free   |  448 bytes, on the stack
 *
 *	second:  start                                   at                end
 *	           v                                      v                 v
 *	mapping:   | path ... 0 | flags | ... more items  |      free       |  the largest payload
 *
 * If the values have no encoding (a sequence longer than its length field can count, a union code
 * out of range), generated code calls ltt_probe_stage_refuse(), and the event counts as lost.
 */
#ifndef LTT_PROBE_H
#include <ltt/ltt-probe.h>
#elif !defined(LTT_PROBE_STAGE_H)
#define LTT_PROBE_STAGE_H

/* Bytes of payload that fit without a mapping. */
#define LTT_PROBE_STAGE_BYTES 448

struct ltt_probe_stage {
	char *at;           /* where the next byte goes */
	char *end;          /* of the room */
	char *start;        /* of the payload: `bytes`, or a mapping of the library */
	uint32_t too_small; /* number of bytes that did not fit; at most UINT32_MAX */
	uint32_t refused;
	char bytes[LTT_PROBE_STAGE_BYTES];
};

/* Exchanges the room for a larger, empty one. Returns 1, or 0 on failure: the event is then lost. */
LTT_PROBE_API int ltt_probe_stage_grow(struct ltt_probe_stage *stage);

/* Releases the room that ltt_probe_stage_grow() took. */
LTT_PROBE_API void ltt_probe_stage_release(struct ltt_probe_stage *stage);

LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_open(struct ltt_probe_stage *stage)
{
	stage->at = stage->start = stage->bytes;
	stage->end = stage->bytes + sizeof(stage->bytes);
	stage->too_small = 0;
	stage->refused = 0;
}

/* Records that @size bytes did not fit. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_lack(struct ltt_probe_stage *stage, size_t size)
{
	stage->too_small = size < UINT32_MAX - stage->too_small ? stage->too_small + (uint32_t)size
								: UINT32_MAX;
}

/* Appends @size bytes. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_put(struct ltt_probe_stage *stage, const void *bytes,
						 size_t size)
{
	if (__builtin_expect(size > (size_t)(stage->end - stage->at), 0)) {
		ltt_probe_stage_lack(stage, size);
	} else if (size != 0) {
		memcpy(stage->at, bytes, size);
		stage->at += size;
	}
}

/* Appends an array of @count items of @item_size bytes, a constant. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_items(struct ltt_probe_stage *stage, const void *items,
						   size_t count, size_t item_size)
{
	if (__builtin_expect(count > (size_t)(stage->end - stage->at) / item_size, 0))
		ltt_probe_stage_lack(stage, count < UINT32_MAX / item_size ? count * item_size
									   : UINT32_MAX);
	else
		ltt_probe_stage_put(stage, items, count * item_size);
}

/* Appends a string with its 0; NULL as the empty string. The result is one string even if another
 * thread changes @text during the call. */
LTT_PROBE_API void ltt_probe_stage_string(struct ltt_probe_stage *stage, const char *text);

/* Appends a text that ends at its first 0 or after @length bytes. */
LTT_PROBE_API void ltt_probe_stage_text(struct ltt_probe_stage *stage, const char *text,
					size_t length);

/* Records that the description has no encoding for the values. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_refuse(struct ltt_probe_stage *stage)
{
	stage->refused = 1;
}

/* Whether the payload must be gathered again. */
LTT_PROBE_ALWAYS_INLINE int ltt_probe_stage_again(struct ltt_probe_stage *stage)
{
	return __builtin_expect(stage->too_small, 0) && !stage->refused &&
	       ltt_probe_stage_grow(stage);
}

/* Writes the event, or counts it as lost. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_write(struct ltt_probe_stage *stage,
						   struct ltt_probe_facility *facility,
						   uint32_t index)
{
	const uint64_t size = (uint64_t)(stage->at - stage->start);

	if (__builtin_expect(stage->refused, 0))
		ltt_probe_emit(facility, index, LTT_PROBE_REFUSED, NULL);
	else if (__builtin_expect(stage->too_small, 0))
		ltt_probe_emit(facility, index, size + stage->too_small, NULL);
	else
		ltt_probe_write_bytes(facility, index, size, stage->start);
	if (__builtin_expect(stage->start != stage->bytes, 0))
		ltt_probe_stage_release(stage);
}

#endif /* LTT_PROBE_STAGE_H */
