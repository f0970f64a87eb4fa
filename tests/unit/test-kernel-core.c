/* Tracepoints as events of core: which ones are converted, and from which raw events. */
#include "unit.h"

#include "record/kernel/core-priv.h"

#include <string.h>

#define COMMON_FIELDS "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"

static const char softirq[] = "name: softirq_entry\nID: 7\nformat:\n" COMMON_FIELDS
			      "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n";

static const char exec[] = "name: sched_process_exec\nID: 8\nformat:\n" COMMON_FIELDS
			   "\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n";

static LttTracepoint *parse(const char *text)
{
	LttTracepoint *tracepoint = ltt_tracepoint_parse(text, strlen(text), 8);

	CU_ASSERT_PTR_NOT_NULL_FATAL(tracepoint);
	return tracepoint;
}

/* Converts a raw event. Returns: (transfer full): the payload */
static GByteArray *convert(const char *system, const char *text, const void *raw, gsize raw_bytes)
{
	g_autoptr(LttTracepoint) tracepoint = parse(text);
	g_autofree guint8 *exact = g_memdup2(raw, raw_bytes); /* sanitizers watch its end */
	LttCoreFields fields;
	const LttCoreSource source = {.fields = &fields, .raw = exact, .raw_bytes = raw_bytes};
	const LttCoreMapping *mapping = ltt_core_find(system, tracepoint, &fields);
	LttCoreState state = {.waits = g_hash_table_new(NULL, NULL)};
	const LttArch arch = ltt_arch_native();
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, &arch);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mapping);
	mapping->convert(&state, &source, &payload);
	g_hash_table_unref(state.waits);
	return g_byte_array_ref(payload.bytes);
}

static void test_number(void)
{
	const guint32 raw[] = {0, 0, 9};
	g_autoptr(GByteArray) payload = convert("irq", softirq, raw, sizeof(raw));
	const guint32 vector = 9;

	CU_ASSERT_EQUAL_FATAL(payload->len, sizeof(vector));
	CU_ASSERT_EQUAL(memcmp(payload->data, &vector, sizeof(vector)), 0);
}

static void test_text(void)
{
	const guint32 raw[] = {0, 0, 3 << 16 | 16, 5, 0x00612f};
	const guint32 outside[] = {0, 0, 3 << 16 | 18, 5, 0x00612f};
	g_autoptr(GByteArray) payload = convert("sched", exec, raw, sizeof(raw));
	g_autoptr(GByteArray) empty = convert("sched", exec, outside, sizeof(outside));

	if (LTT_NATIVE_ENDIAN == LTT_LITTLE_ENDIAN) {
		CU_ASSERT_EQUAL_FATAL(payload->len, 4 + 3);
		CU_ASSERT_EQUAL(memcmp(payload->data, "\5\0\0\0/a", 7), 0);
	}
	CU_ASSERT_EQUAL(empty->len, 4 + 1);
}

static void test_short_raw_event(void)
{
	const guint32 raw[] = {0, 0};
	g_autoptr(GByteArray) payload = convert("irq", softirq, raw, sizeof(raw));

	CU_ASSERT_EQUAL(payload->len, 4);
}

/* A tracepoint whose field has another kind keeps its own type. */
static void test_another_kind(void)
{
	static const struct {
		const char *system;
		const char *text;
	} cases[] = {
		{"irq", "name: softirq_entry\nID: 7\nformat:\n" COMMON_FIELDS
			"\tfield:char vec[4];\toffset:8;\tsize:4;\tsigned:0;\n"},
		{"irq", "name: softirq_entry\nID: 7\nformat:\n" COMMON_FIELDS
			"\tfield:__data_loc u32[] vec;\toffset:8;\tsize:4;\tsigned:0;\n"},
		{"sched", "name: sched_process_exec\nID: 8\nformat:\n" COMMON_FIELDS
			  "\tfield:u32 filename;\toffset:8;\tsize:4;\tsigned:0;\n"
			  "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"},
		{"irq", exec},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(LttTracepoint) tracepoint = parse(cases[i].text);
		LttCoreFields fields;

		CU_ASSERT_PTR_NULL(ltt_core_find(cases[i].system, tracepoint, &fields));
	}
}

UNIT_MAIN("kernel-core", UNIT(test_number), UNIT(test_text), UNIT(test_short_raw_event),
	  UNIT(test_another_kind))
