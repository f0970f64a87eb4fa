/* support-random-trace.c - write random events of random facilities to several files. */
#include "support-random-trace.h"

#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-error.h>

#define N_EVENTS 400

const char *const random_file_names[RANDOM_N_FILES] = {"control/things", "cpu/0", "cpu/1", "cpu/3"};

static void clear_event(gpointer data)
{
	g_free(((RandomEvent *)data)->text);
}

void random_trace_init(RandomTrace *trace, LttArch arch, guint64 block_bytes, guint32 seed)
{
	*trace = (RandomTrace){.arch = arch, .block_bytes = block_bytes};
	trace->label = g_strdup_printf("seed %u, %s, %s-endian, blocks of %" G_GUINT64_FORMAT, seed,
				       ltt_arch_size_name(arch.size),
				       ltt_byte_order_name(arch.byte_order), block_bytes);
	trace->random = g_rand_new_with_seed(seed);
	for (guint i = 0; i < RANDOM_N_FACILITIES; i++) {
		/* Two of one name: two versions. */
		trace->facilities[i] = random_facility(trace->random, i < 2 ? "same" : "other");
		trace->layouts[i] = ltt_layouts_new(trace->facilities[i], &arch);
	}
	for (guint i = 0; i < RANDOM_N_FILES; i++) {
		trace->events[i] = g_array_new(FALSE, FALSE, sizeof(RandomEvent));
		g_array_set_clear_func(trace->events[i], clear_event);
	}
}

void random_trace_clear(RandomTrace *trace)
{
	for (guint i = 0; i < RANDOM_N_FACILITIES; i++) {
		ltt_layouts_free(trace->layouts[i]);
		ltt_facility_unref(trace->facilities[i]);
	}
	for (guint i = 0; i < RANDOM_N_FILES; i++)
		g_array_unref(trace->events[i]);
	g_rand_free(trace->random);
	g_free(trace->label);
}

/* Mostly short; some as long as a delta can be, and longer. */
static guint64 random_delta(GRand *random)
{
	static const guint64 edges[] = {0, 1, G_MAXUINT32, (guint64)G_MAXUINT32 + 1, 40000000000};

	if (g_rand_int_range(random, 0, 16) == 0)
		return edges[g_rand_int_range(random, 0, G_N_ELEMENTS(edges))];
	return (guint64)g_rand_int_range(random, 0, 100000);
}

static void write_event(RandomTrace *trace, LttTracefileWriter *file, guint number, guint64 cycles,
			LttPayload *payload)
{
	const guint which = (guint)g_rand_int_range(trace->random, 0, RANDOM_N_FACILITIES);
	const LttFacility *facility = trace->facilities[which];
	const guint index = (guint)g_rand_int_range(trace->random, 0,
						    (gint32)ltt_facility_get_n_events(facility));
	const LttLayout *layout = ltt_layouts_get(trace->layouts[which], index);
	const gsize room = trace->block_bytes - 62;
	GString *text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	RandomEvent event = {.cycles = cycles};

	g_string_printf(text, "%s/%08x ", ltt_facility_get_event(facility, index)->full_name,
			ltt_facility_get_checksum(facility));
	ltt_payload_reset(payload);
	if (layout != NULL)
		random_value(trace->random, layout, payload, text);
	event.text = g_string_free(text, FALSE);
	if (ltt_tracefile_writer_event(file, cycles, (guint16)(trace->base_codes[which] + index),
				       payload->bytes->data, payload->bytes->len, &error)) {
		CU_ASSERT(payload->bytes->len <= room);
		g_array_append_val(trace->events[number], event);
		trace->n_accepted++;
		return;
	}
	CU_ASSERT(payload->bytes->len > room);
	UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT, "room for");
	clear_event(&event);
	trace->n_too_large++;
}

void random_trace_write(RandomTrace *trace, const char *path)
{
	g_autoptr(LttSystem) system =
		unit_system_new(trace->arch.byte_order, trace->arch.size, trace->block_bytes);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTraceWriter) writer =
		ltt_trace_writer_new(path, system, &trace->options, &error);
	LttTracefileWriter *files[RANDOM_N_FILES];
	guint64 cycles[RANDOM_N_FILES];
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, &trace->arch);
	UNIT_ASSERT_OK(writer != NULL, error);
	for (guint i = 0; i < RANDOM_N_FACILITIES; i++)
		UNIT_ASSERT_OK(ltt_trace_writer_load(writer, trace->facilities[i],
						     &trace->base_codes[i], &error),
			       error);
	for (guint i = 0; i < RANDOM_N_FILES; i++) {
		files[i] = ltt_trace_writer_open(writer, random_file_names[i], &error);
		UNIT_ASSERT_OK(files[i] != NULL, error);
		cycles[i] = 1000000000000000000 + random_delta(trace->random);
	}
	for (guint i = 0; i < N_EVENTS; i++) {
		const guint number = (guint)g_rand_int_range(trace->random, 0, RANDOM_N_FILES);

		cycles[number] += random_delta(trace->random);
		write_event(trace, files[number], number, cycles[number], &payload);
	}
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
}
