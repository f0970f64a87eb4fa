/* ltt-probe.h of the tests: what generated headers use, but events are printed instead of traced.
 *
 * The names have the meanings of "For generated code" in the real <ltt/ltt-probe.h>. Each event
 * becomes a line on standard output, "FACILITY INDEX BYTES" with the bytes in hexadecimal, or
 * "FACILITY INDEX lost". So a test sees the exact payload without a trace.
 */
#ifndef LTT_PROBE_H
#define LTT_PROBE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LTT_PROBE_ABI 2

struct ltt_probe_facility {
	uint32_t on;
	uint32_t base;
	uint32_t abi;
	uint32_t checksum;
	uint32_t events;
	uint32_t registered;
	const char *name;
	const char *xml;
	struct ltt_probe_facility *next;
	uint64_t reserved[2];
	uint32_t *switches;
};

void ltt_probe_register(struct ltt_probe_facility *facility);
void ltt_probe_unregister(struct ltt_probe_facility *facility);
void ltt_probe_write(struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
		     const uint64_t *words);

/* Nothing is started or stopped here. */
struct ltt_probe_options;
int ltt_probe_start(const char *dir, const struct ltt_probe_options *options);
void ltt_probe_stop(void);

/* How many facilities are registered. */
unsigned int stub_count_facilities(void);

#define LTT_PROBE_DEFINE_FACILITY(NAME, CHECKSUM, EVENTS, XML)                                     \
	__attribute__((weak, visibility("hidden"))) struct ltt_probe_facility                      \
		ltt_probe_facility_##NAME##_##CHECKSUM = {                                         \
			0, 0, LTT_PROBE_ABI, CHECKSUM, EVENTS, 0, #NAME, XML, 0, {0, 0}, 0};       \
	static void __attribute__((constructor)) ltt_probe_register_##NAME##_##CHECKSUM(void)      \
	{                                                                                          \
		ltt_probe_register(&ltt_probe_facility_##NAME##_##CHECKSUM);                       \
	}                                                                                          \
	static void __attribute__((destructor)) ltt_probe_unregister_##NAME##_##CHECKSUM(void)     \
	{                                                                                          \
		ltt_probe_unregister(&ltt_probe_facility_##NAME##_##CHECKSUM);                     \
	}                                                                                          \
	static inline int ltt_probe_on_##NAME##_##CHECKSUM(void)                                   \
	{                                                                                          \
		return ltt_probe_facility_##NAME##_##CHECKSUM.on != 0;                             \
	}

#define LTT_PROBE_WORDS(SIZE) (((SIZE) + 7) / 8)
#define LTT_PROBE_PACK(WORDS, PAYLOAD)                                                             \
	do {                                                                                       \
		(WORDS)[LTT_PROBE_WORDS(sizeof(PAYLOAD)) - 1] = 0;                                 \
		memcpy((WORDS), &(PAYLOAD), sizeof(PAYLOAD));                                      \
	} while (0)

#define LTT_PROBE_STAGE_BYTES 448

struct ltt_probe_stage {
	char *at;
	char *end;
	char *start;
	uint32_t too_small;
	uint32_t refused;
	char bytes[LTT_PROBE_STAGE_BYTES];
};

void ltt_probe_stage_open(struct ltt_probe_stage *stage);
void ltt_probe_stage_put(struct ltt_probe_stage *stage, const void *bytes, size_t size);
void ltt_probe_stage_items(struct ltt_probe_stage *stage, const void *items, size_t count,
			   size_t item_size);
void ltt_probe_stage_string(struct ltt_probe_stage *stage, const char *text);
void ltt_probe_stage_text(struct ltt_probe_stage *stage, const char *text, size_t length);
void ltt_probe_stage_refuse(struct ltt_probe_stage *stage);
int ltt_probe_stage_again(struct ltt_probe_stage *stage);
void ltt_probe_stage_write(struct ltt_probe_stage *stage, struct ltt_probe_facility *facility,
			   uint32_t index);

#define LTT_MAX_PROBE_PARTS 16

struct ltt_probe_part {
	const void *bytes;
	size_t size;
	int is_text;
};

struct ltt_probe_parts {
	uint32_t n;
	uint32_t refused;
	struct ltt_probe_part part[LTT_MAX_PROBE_PARTS];
};

void ltt_probe_parts_open(struct ltt_probe_parts *parts);
void ltt_probe_parts_put(struct ltt_probe_parts *parts, const void *bytes, size_t size);
void ltt_probe_parts_items(struct ltt_probe_parts *parts, const void *items, size_t count,
			   size_t item_size);
void ltt_probe_parts_text(struct ltt_probe_parts *parts, const char *text, size_t length);
void ltt_probe_parts_string(struct ltt_probe_parts *parts, const char *text);
void ltt_probe_parts_refuse(struct ltt_probe_parts *parts);
void ltt_probe_parts_write(struct ltt_probe_parts *parts, struct ltt_probe_facility *facility,
			   uint32_t index);

#ifdef __cplusplus
}
#endif

#endif /* LTT_PROBE_H */
