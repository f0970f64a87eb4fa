/* facilities.h - the facilities of the preloaded library.
 *
 * The program loads the library for some sets of functions, and the trace describes only their
 * facilities. So a facility is not registered by a constructor of its own, as in other programs, but
 * by start.c.
 */
#ifndef PRELOAD_FACILITIES_H
#define PRELOAD_FACILITIES_H

#include <ltt/ltt-probe.h>

/* Replaces the definition of <ltt/ltt-probe.h>, which the generated headers use. */
#undef LTT_PROBE_FACILITY_OF_ABI
#define LTT_PROBE_FACILITY_OF_ABI(ABI, SWITCHES, NAME, CHECKSUM, EVENTS, XML)                      \
	__attribute__((weak, visibility("hidden"))) struct ltt_probe_facility                      \
		ltt_probe_facility_##NAME##_##CHECKSUM = {0,     0,   ABI, CHECKSUM, EVENTS,  0,   \
							  #NAME, XML, 0,   {0, 0},   SWITCHES};    \
	static struct ltt_probe_facility *const preload_facility_##NAME __attribute__((unused)) =  \
		&ltt_probe_facility_##NAME##_##CHECKSUM;

/* Exports a function, which replaces that of libc. */
#define PRELOAD_EXPORT __attribute__((visibility("default")))

/* The address of the code that called the function. */
#define PRELOAD_CALLER() ((uint64_t)(uintptr_t)__builtin_return_address(0))

#endif
