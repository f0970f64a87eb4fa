/* bench-trace.h - events of the sizes that are measured, as `ltt compile --header` writes them. */
#ifndef LTT_BENCH_TRACE_H
#define LTT_BENCH_TRACE_H

#include <ltt/ltt-probe.h>

#define LTT_BENCH_XML                                                                              \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                             \
	"<facility name=\"bench\">\n"                                                              \
	"  <event name=\"none\"/>\n"                                                               \
	"  <event name=\"two\">\n"                                                                 \
	"    <struct>\n"                                                                           \
	"      <field name=\"a\"><uint size=\"8\"/></field>\n"                                     \
	"      <field name=\"b\"><uint size=\"8\"/></field>\n"                                     \
	"    </struct>\n"                                                                          \
	"  </event>\n"                                                                             \
	"  <event name=\"eight\"><array size=\"8\"><uint size=\"8\"/></array></event>\n"           \
	"  <event name=\"many\"><array size=\"32\"><uint size=\"8\"/></array></event>\n"           \
	"  <event name=\"text\"><string/></event>\n"                                               \
	"</facility>\n"

LTT_PROBE_FACILITY(bench, 0xe2e13807u, 5, LTT_BENCH_XML)

static inline void trace_bench_none(void)
{
	if (ltt_probe_on(&ltt_facility_bench))
		ltt_probe_write(&ltt_facility_bench, 0, 0, NULL);
}

struct ltt_bench_two_bytes {
	uint64_t a;
	uint64_t b;
} __attribute__((packed));

static inline void trace_bench_two(uint64_t a, uint64_t b)
{
	struct ltt_bench_two_bytes payload;
	uint64_t words[LTT_PROBE_WORDS(sizeof(payload))];

	if (!ltt_probe_on(&ltt_facility_bench))
		return;
	payload.a = a;
	payload.b = b;
	LTT_PROBE_PACK(words, payload);
	ltt_probe_write(&ltt_facility_bench, 1, sizeof(payload), words);
}

static inline void trace_bench_eight(const uint64_t *value)
{
	if (ltt_probe_on(&ltt_facility_bench))
		ltt_probe_write_bytes(&ltt_facility_bench, 2, 8 * sizeof(*value), value);
}

static inline void trace_bench_many(const uint64_t *value)
{
	if (ltt_probe_on(&ltt_facility_bench))
		ltt_probe_write_bytes(&ltt_facility_bench, 3, 32 * sizeof(*value), value);
}

static __attribute__((noinline, unused)) void ltt_write_bench_text(const char *value)
{
	struct ltt_probe_stage stage;

	ltt_probe_stage_open(&stage);
	do {
		ltt_probe_stage_string(&stage, value);
	} while (ltt_probe_stage_again(&stage));
	ltt_probe_stage_write(&stage, &ltt_facility_bench, 4);
}

static inline void trace_bench_text(const char *value)
{
	if (ltt_probe_on(&ltt_facility_bench))
		ltt_write_bench_text(value);
}

#endif /* LTT_BENCH_TRACE_H */
