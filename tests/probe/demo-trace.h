/* demo-trace.h - the header for demo.xml, written by hand.
 *
 * The four kinds of events that a generator must support: without payload, of constant size, with a
 * string, and a sequence of structs that themselves vary in size.
 */
#ifndef LTT_DEMO_TRACE_H
#define LTT_DEMO_TRACE_H

#include <ltt/ltt-probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LTT_DEMO_XML                                                                               \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                             \
	"<facility name=\"demo\">\n"                                                               \
	"  <event name=\"tick\"/>\n"                                                               \
	"  <event name=\"pair\">\n"                                                                \
	"    <struct>\n"                                                                           \
	"      <field name=\"a\"><uint size=\"8\"/></field>\n"                                     \
	"      <field name=\"b\"><uint size=\"8\"/></field>\n"                                     \
	"    </struct>\n"                                                                          \
	"  </event>\n"                                                                             \
	"  <event name=\"open\">\n"                                                                \
	"    <struct>\n"                                                                           \
	"      <field name=\"path\"><string/></field>\n"                                           \
	"      <field name=\"fd\"><int size=\"4\"/></field>\n"                                     \
	"      <field name=\"flags\"><uint size=\"2\"/></field>\n"                                 \
	"    </struct>\n"                                                                          \
	"  </event>\n"                                                                             \
	"  <event name=\"points\">\n"                                                              \
	"    <sequence lengthsize=\"1\">\n"                                                        \
	"      <struct>\n"                                                                         \
	"        <field name=\"x\"><int size=\"2\"/></field>\n"                                    \
	"        <field name=\"name\"><string/></field>\n"                                         \
	"        <field name=\"weight\"><float size=\"8\"/></field>\n"                             \
	"      </struct>\n"                                                                        \
	"    </sequence>\n"                                                                        \
	"  </event>\n"                                                                             \
	"</facility>\n"

LTT_PROBE_DEFINE_FACILITY(demo, 0x6f1de5b0, 4, LTT_DEMO_XML)
#define DEMO ltt_probe_facility_demo_0x6f1de5b0

static inline void trace_demo_tick(void)
{
	if (!ltt_probe_on_demo_0x6f1de5b0())
		return;
	ltt_probe_write(&DEMO, 0, 0, NULL);
}

struct ltt_demo_pair_bytes {
	uint64_t a;
	uint64_t b;
} __attribute__((packed));

static inline void trace_demo_pair(uint64_t a, uint64_t b)
{
	struct ltt_demo_pair_bytes payload;
	uint64_t words[LTT_PROBE_WORDS(sizeof(payload))];

	if (!ltt_probe_on_demo_0x6f1de5b0())
		return;
	payload.a = a;
	payload.b = b;
	LTT_PROBE_PACK(words, payload);
	ltt_probe_write(&DEMO, 1, sizeof(payload), words);
}

static __attribute__((noinline, unused)) void ltt_write_demo_open(const char *path, int32_t fd,
								  uint16_t flags)
{
	struct ltt_probe_parts parts;

	ltt_probe_parts_open(&parts);
	ltt_probe_parts_string(&parts, path);
	ltt_probe_parts_put(&parts, &fd, sizeof(fd));
	ltt_probe_parts_put(&parts, &flags, sizeof(flags));
	ltt_probe_parts_write(&parts, &DEMO, 2);
}

static inline void trace_demo_open(const char *path, int32_t fd, uint16_t flags)
{
	if (ltt_probe_on_demo_0x6f1de5b0())
		ltt_write_demo_open(path, fd, flags);
}

struct demo_points_value {
	int16_t x;
	const char *name;
	double weight;
};

static __attribute__((noinline, unused)) void ltt_write_demo_points(
	size_t value_length, const struct demo_points_value *value)
{
	struct ltt_probe_stage stage;
	uint8_t length = (uint8_t)value_length;
	size_t i;

	ltt_probe_stage_open(&stage);
	if (value_length > UINT8_MAX)
		ltt_probe_stage_refuse(&stage);
	else
		do {
			ltt_probe_stage_put(&stage, &length, sizeof(length));
			for (i = 0; i < value_length; i++) {
				ltt_probe_stage_put(&stage, &value[i].x, sizeof(value[i].x));
				ltt_probe_stage_string(&stage, value[i].name);
				ltt_probe_stage_put(&stage, &value[i].weight,
						    sizeof(value[i].weight));
			}
		} while (ltt_probe_stage_again(&stage));
	ltt_probe_stage_write(&stage, &DEMO, 3);
}

static inline void trace_demo_points(size_t value_length, const struct demo_points_value *value)
{
	if (ltt_probe_on_demo_0x6f1de5b0())
		ltt_write_demo_points(value_length, value);
}

#ifdef __cplusplus
}
#endif

#endif /* LTT_DEMO_TRACE_H */
