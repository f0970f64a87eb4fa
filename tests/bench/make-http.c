/* make-http.c - make a trace of requests and responses, to measure SQL and analysis.
 *
 * usage: make-http REQUESTS DIR
 *
 * Of five events, two are requests, two are their responses, and one is a tick, as in a server. The
 * responses come up to 64 requests later, on one of two CPUs. The same arguments give the same trace.
 */
#include <ltt/ltt.h>

#include <stdio.h>

#define CYCLES_PER_S   1000000000U
#define START_NS       (1700000000 * (guint64)LTT_NS_PER_S)
#define BLOCK_BYTES    (256 * 1024)
#define CYCLES_BETWEEN 400
#define N_CPUS         2
#define N_OPEN         64
#define N_PATHS        40

static const char description[] =
	"<facility name=\"http\">"
	"<event name=\"request\"><struct><field name=\"id\"><uint size=\"4\"/></field>"
	"<field name=\"port\"><uint size=\"2\"/></field><field "
	"name=\"path\"><string/></field></struct></event>"
	"<event name=\"response\" ltt:ends=\"request\" ltt:key=\"id\">"
	"<struct><field name=\"id\"><uint size=\"4\"/></field>"
	"<field name=\"status\"><enum size=\"1\"><label name=\"OK\" value=\"0\"/>"
	"<label name=\"NOT_FOUND\" value=\"1\"/><label name=\"ERROR\" value=\"2\"/></enum></field>"
	"<field name=\"bytes\"><uint size=\"8\"/></field></struct></event>"
	"<event name=\"tick\"/></facility>";

enum {
	REQUEST,
	RESPONSE,
	TICK,
};

typedef struct Making {
	LttTraceWriter *writer;
	LttTracefileWriter *files[N_CPUS];
	GRand *random;
	LttPayload payload;
	guint32 id; /* of the first event type */
	guint64 cycles;
	guint32 open[N_OPEN]; /* ids of requests without a response */
	guint n_open;
} Making;

static gboolean write_event(Making *making, guint type, GError **error)
{
	const gint cpu = g_rand_int_range(making->random, 0, N_CPUS);

	making->cycles += (guint64)g_rand_int_range(making->random, 1, CYCLES_BETWEEN);
	return ltt_tracefile_writer_event(making->files[cpu], making->cycles,
					  (guint16)(making->id + type), making->payload.bytes->data,
					  making->payload.bytes->len, error);
}

static gboolean write_request(Making *making, guint32 number, GError **error)
{
	char path[32];

	g_snprintf(path, sizeof(path), "/page/%d", g_rand_int_range(making->random, 0, N_PATHS));
	ltt_payload_reset(&making->payload);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_4, number);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_2, 1024 + number % 60000);
	ltt_payload_add_string(&making->payload, path);
	making->open[making->n_open++] = number;
	return write_event(making, REQUEST, error);
}

static gboolean write_response(Making *making, GError **error)
{
	const guint which = (guint)g_rand_int_range(making->random, 0, (gint32)making->n_open);
	const guint luck = (guint)g_rand_int_range(making->random, 0, 100);

	ltt_payload_reset(&making->payload);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_4, making->open[which]);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_1, luck < 90 ? 0 : luck < 98 ? 1 : 2);
	ltt_payload_add_int(&making->payload, LTT_WIDTH_8, 200 + luck * luck);
	making->open[which] = making->open[--making->n_open];
	return write_event(making, RESPONSE, error);
}

static gboolean write_events(Making *making, guint32 n_requests, GError **error)
{
	for (guint32 i = 0; i < n_requests; i++) {
		if (!write_request(making, i, error) ||
		    (making->n_open == N_OPEN && !write_response(making, error)))
			return FALSE;
		ltt_payload_reset(&making->payload);
		if (i % 2 == 0 && !write_event(making, TICK, error))
			return FALSE;
	}
	while (making->n_open > 0) {
		if (!write_response(making, error))
			return FALSE;
	}
	return ltt_trace_writer_close(making->writer, error);
}

static gboolean make(Making *making, guint32 n_requests, GError **error)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, sizeof(description) - 1, remarks);

	if (!ltt_trace_writer_load(making->writer, facilities->pdata[0], &making->id, error))
		return FALSE;
	for (guint i = 0; i < N_CPUS; i++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", i);

		making->files[i] = ltt_trace_writer_open(making->writer, name, error);
		if (making->files[i] == NULL)
			return FALSE;
	}
	return write_events(making, n_requests, error);
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
	g_autoptr(GError) error = NULL;
	Making making = {.cycles = CYCLES_PER_S};
	gboolean is_made = FALSE;

	if (argc != 3) {
		fprintf(stderr, "usage: make-http REQUESTS DIR\n");
		return 2;
	}
	ltt_system_seal(system, NULL);
	making.writer = writer = ltt_trace_writer_new(argv[2], system, &options, &error);
	making.random = g_rand_new_with_seed(7);
	ltt_payload_init(&making.payload, ltt_system_get_arch(system));
	is_made = writer != NULL &&
		  make(&making, (guint32)g_ascii_strtoull(argv[1], NULL, 10), &error);
	ltt_payload_clear(&making.payload);
	g_rand_free(making.random);
	if (is_made)
		return 0;
	fprintf(stderr, "make-http: %s\n", error->message);
	return 2;
}
