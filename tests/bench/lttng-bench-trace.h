/* lttng-bench-trace.h - the events of bench.xml as tracepoints of LTTng-UST.
 *
 * LTTng-UST includes it several times, with different definitions of the macros.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ltt_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng-bench-trace.h"

#if !defined(LTT_LTTNG_BENCH_TRACE_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTT_LTTNG_BENCH_TRACE_H

#include <stdint.h>

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(ltt_bench, none, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())

LTTNG_UST_TRACEPOINT_EVENT(ltt_bench, two, LTTNG_UST_TP_ARGS(uint64_t, a, uint64_t, b),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, a, a)
						       lttng_ust_field_integer(uint64_t, b, b)))

LTTNG_UST_TRACEPOINT_EVENT(ltt_bench, eight, LTTNG_UST_TP_ARGS(const uint64_t *, value),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_array(uint64_t, value, value, 8)))

LTTNG_UST_TRACEPOINT_EVENT(ltt_bench, many, LTTNG_UST_TP_ARGS(const uint64_t *, value),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_array(uint64_t, value, value, 32)))

LTTNG_UST_TRACEPOINT_EVENT(ltt_bench, text, LTTNG_UST_TP_ARGS(const char *, value),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_string(value, value)))

#endif

#include <lttng/tracepoint-event.h>
