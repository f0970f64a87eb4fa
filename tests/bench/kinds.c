/* kinds.c - see kinds.h */
#include "kinds.h"

#include "bench-trace.h"
#include "measure.h"

enum { HEADER_BYTES = 6 };

static const uint64_t values[32] = {1, 2, 3};
static const char text[] = "a string of 20 bytes";

/* Stores an event header with volatile accesses, which a compiler cannot remove. */
static inline void store_header(char *at, uint64_t cycles)
{
	*(volatile uint16_t *)(void *)at = 7;
	*(volatile uint32_t *)(void *)(at + 2) = (uint32_t)cycles;
}

static inline void store_none(char *at, uint64_t i)
{
	(void)at;
	(void)i;
}

static inline void store_two(char *at, uint64_t i)
{
	*(volatile uint64_t *)(void *)at = i;
	*(volatile uint64_t *)(void *)(at + 8) = i * 3;
}

static inline void store_bytes(char *at, const void *bytes, size_t size)
{
	memcpy(at, bytes, size);
	__asm__ __volatile__("" ::: "memory");
}

static inline void store_eight(char *at, uint64_t i)
{
	(void)i;
	store_bytes(at, values, 8 * sizeof(values[0]));
}

static inline void store_many(char *at, uint64_t i)
{
	(void)i;
	store_bytes(at, values, sizeof(values));
}

static inline void store_text(char *at, uint64_t i)
{
	(void)i;
	store_bytes(at, text, sizeof(text));
}

/* Each kind has its own loop, because a call through a function pointer per event would be
 * measured, too. */
#define DEFINE_KIND(NAME, BYTES, TRACE)                                                            \
	static __attribute__((noinline)) void trace_##NAME(uint64_t events)                        \
	{                                                                                          \
		for (uint64_t i = 0; i < events; i++)                                              \
			TRACE;                                                                     \
	}                                                                                          \
	static __attribute__((noinline)) void floor_##NAME(char *buffer, uint64_t events,          \
							   bool ordered)                           \
	{                                                                                          \
		size_t at = 0;                                                                     \
		for (uint64_t i = 0; i < events; i++) {                                            \
			store_header(buffer + at, read_counter(ordered));                          \
			store_##NAME(buffer + at + HEADER_BYTES, i);                               \
			at += HEADER_BYTES + (BYTES);                                              \
			if (at + HEADER_BYTES + (BYTES) > WARM_BYTES)                              \
				at = 0;                                                            \
		}                                                                                  \
	}

DEFINE_KIND(none, 0, trace_bench_none())
DEFINE_KIND(two, 16, trace_bench_two(i, i * 3))
DEFINE_KIND(eight, 64, trace_bench_eight(values))
DEFINE_KIND(many, 256, trace_bench_many(values))
DEFINE_KIND(text, sizeof(text), trace_bench_text(text))

const struct kind kinds[KINDS] = {
	{"none", trace_none, floor_none},    {"two", trace_two, floor_two},
	{"eight", trace_eight, floor_eight}, {"many", trace_many, floor_many},
	{"text", trace_text, floor_text},
};

uint64_t floor_once(char *at, uint64_t size, bool ordered)
{
	const uint64_t events = size / (HEADER_BYTES + 16);

	for (uint64_t i = 0; i < events; i++, at += HEADER_BYTES + 16) {
		store_header(at, read_counter(ordered));
		store_two(at + HEADER_BYTES, i);
	}
	return events;
}
