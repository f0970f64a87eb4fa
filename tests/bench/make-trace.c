/* make-trace.c - make a trace with many idle CPUs, to measure the cost of idle files in a merge.
 *
 * usage: make-trace HOT IDLE EVENTS DIR
 *
 * Events have two 64-bit fields, 22 bytes on disk. HOT CPUs are busy; IDLE CPUs share one event of a
 * hundred. Four control files have an event at the start and one at the end. The events of busy
 * CPUs interleave irregularly, as in a real recording. The same arguments give the same trace.
 */
#include <ltt/ltt.h>

#include <stdio.h>
#include <stdlib.h>

#define CYCLES_PER_S   2600000000U
#define START_NS       (1050000000 * (guint64)LTT_NS_PER_S)
#define BLOCK_BYTES    (256 * 1024)
#define CYCLES_BETWEEN 200
#define N_CONTROL      4
#define ONE_IDLE_IN    100

static const char description[] =
	"<facility name=\"bench\"><event name=\"pair\"><struct>"
	"<field name=\"a\"><uint size=\"8\"/></field><field name=\"b\"><uint size=\"8\"/></field>"
	"</struct></event></facility>";

typedef struct Making {
	LttTraceWriter *writer;
	GPtrArray *hot; /* of LttTracefileWriter */
	GPtrArray *idle;
	GPtrArray *control;
	GRand *random;
	LttPayload payload;
	guint16 id;
} Making;

static gboolean open_files(Making *making, const char *form, guint first, guint n_files,
			   GPtrArray *files, GError **error)
{
	for (guint i = first; i < first + n_files; i++) {
		g_autofree char *name = g_strdup_printf(form, i);
		LttTracefileWriter *file = ltt_trace_writer_open(making->writer, name, error);

		if (file == NULL)
			return FALSE;
		g_ptr_array_add(files, file);
	}
	return TRUE;
}

static gboolean write_event(Making *making, LttTracefileWriter *file, guint64 cycles,
			    guint64 number, GError **error)
{
	ltt_payload_reset(&making->payload);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_8, number);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_8, number * 3);
	return ltt_tracefile_writer_event(file, cycles, making->id, making->payload.bytes->data,
					  making->payload.bytes->len, error);
}

static gboolean write_control(Making *making, guint64 cycles, GError **error)
{
	for (guint i = 0; i < making->control->len; i++) {
		if (!write_event(making, making->control->pdata[i], cycles, i, error))
			return FALSE;
	}
	return TRUE;
}

static LttTracefileWriter *choose_file(const Making *making)
{
	const GPtrArray *files =
		making->idle->len > 0 && g_rand_int_range(making->random, 0, ONE_IDLE_IN) == 0
			? making->idle
			: making->hot;

	return files->pdata[g_rand_int_range(making->random, 0, (gint32)files->len)];
}

static gboolean write_events(Making *making, guint64 n_events, GError **error)
{
	guint64 cycles = CYCLES_PER_S;

	if (!write_control(making, cycles, error))
		return FALSE;
	for (guint64 i = 0; i < n_events; i++) {
		cycles += (guint64)g_rand_int_range(making->random, 1, CYCLES_BETWEEN);
		if (!write_event(making, choose_file(making), cycles, i, error))
			return FALSE;
	}
	return write_control(making, cycles, error);
}

static gboolean make(Making *making, guint n_hot, guint n_idle, guint64 n_events, GError **error)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, sizeof(description) - 1, remarks);
	guint32 id;

	if (!ltt_trace_writer_load(making->writer, facilities->pdata[0], &id, error) ||
	    !open_files(making, "cpu/%u", 0, n_hot, making->hot, error) ||
	    !open_files(making, "cpu/%u", n_hot, n_idle, making->idle, error) ||
	    !open_files(making, "control/idle-%u", 0, N_CONTROL, making->control, error))
		return FALSE;
	making->id = (guint16)id;
	return write_events(making, n_events, error) &&
	       ltt_trace_writer_close(making->writer, error);
}

int main(int argc, char **argv)
{
	const LttWriterOptions options = {
		.line = {.cycles = CYCLES_PER_S,
			 .time_ns = START_NS,
			 .dt_ns = LTT_NS_PER_S,
			 .dc_cycles = CYCLES_PER_S},
	};
	g_autoptr(LttSystem) system = ltt_system_new_local(BLOCK_BYTES);
	g_autoptr(LttTraceWriter) writer = NULL;
	g_autoptr(GPtrArray) hot = g_ptr_array_new();
	g_autoptr(GPtrArray) idle = g_ptr_array_new();
	g_autoptr(GPtrArray) control = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	Making making = {.hot = hot, .idle = idle, .control = control};
	gboolean is_made = FALSE;

	if (argc != 5) {
		fprintf(stderr, "usage: make-trace HOT IDLE EVENTS DIR\n");
		return 2;
	}
	ltt_system_set(system, "cpu", "64");
	ltt_system_seal(system, NULL);
	making.writer = writer = ltt_trace_writer_new(argv[4], system, &options, &error);
	making.random = g_rand_new_with_seed(22);
	ltt_payload_init(&making.payload, ltt_system_get_arch(system));
	is_made = writer != NULL && make(&making, (guint)atoi(argv[1]), (guint)atoi(argv[2]),
					 g_ascii_strtoull(argv[3], NULL, 10), &error);
	ltt_payload_clear(&making.payload);
	g_rand_free(making.random);
	if (is_made)
		return 0;
	fprintf(stderr, "make-trace: %s\n", error->message);
	return 2;
}
