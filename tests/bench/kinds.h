/* kinds.h - the measured kinds of events, and the floor of each. */
#ifndef LTT_BENCH_KINDS_H
#define LTT_BENCH_KINDS_H

#include <stdbool.h>
#include <stdint.h>

enum { KINDS = 5, KIND_TWO = 1 };

struct kind {
	const char *name;
	/* Traces this many events. */
	void (*trace)(uint64_t events);
	/* Reads the cycle counter and stores the bytes of as many consecutive events in @buffer of
	 * WARM_BYTES, and nothing else. */
	void (*floor)(char *buffer, uint64_t events, bool ordered);
};

/* Fits the L2 cache of a processor. */
enum { WARM_BYTES = 1 << 20 };

extern const struct kind kinds[KINDS];

/* Stores events of two 64-bit fields in @size bytes at @at; returns their number. */
uint64_t floor_once(char *at, uint64_t size, bool ordered);

#endif /* LTT_BENCH_KINDS_H */
