/* make-trace.c - a trace to measure reading with: two cpu files of events of one kind.
 *
 * usage: make-trace pair|string|nested EVENTS DIR
 *
 *	pair    two 64-bit fields: 22 bytes on disk
 *	string  a path of some 20 bytes and a number
 *	nested  a sequence of one to four structs of two numbers, and a union
 *
 * The two files are written as two CPUs would: their events lie between one another in no regular
 * order. The same arguments give the same trace.
 */
#include <ltt/ltt.h>

#include <stdio.h>
#include <stdlib.h>

#define CYCLES_PER_S   2600000000U
#define START_NS       (1050000000 * (guint64)LTT_NS_PER_S)
#define BLOCK_BYTES    (256 * 1024)
#define CYCLES_BETWEEN 200

typedef struct Kind {
	const char *name;
	const char *description;
	void (*fill)(LttPayload *payload, guint64 number);
} Kind;

static void fill_pair(LttPayload *payload, guint64 number)
{
	ltt_payload_add_int(payload, LTT_WIDTH_8, number);
	ltt_payload_add_int(payload, LTT_WIDTH_8, number * 3);
}

static void fill_string(LttPayload *payload, guint64 number)
{
	char path[32];

	g_snprintf(path, sizeof(path), "/usr/include/f%05u.h", (guint)(number % 100000));
	ltt_payload_add_string(payload, path);
	ltt_payload_add_int(payload, LTT_WIDTH_4, number);
}

static void fill_nested(LttPayload *payload, guint64 number)
{
	const guint n_points = 1 + (guint)(number % 4);

	ltt_payload_add_int(payload, LTT_WIDTH_1, n_points);
	for (guint i = 0; i < n_points; i++) {
		ltt_payload_add_int(payload, LTT_WIDTH_4, number + i);
		ltt_payload_add_int(payload, LTT_WIDTH_2, i);
	}
	ltt_payload_add_int(payload, LTT_WIDTH_1, number % 2);
	if (number % 2 == 0)
		ltt_payload_add_int(payload, LTT_WIDTH_8, number);
	else
		ltt_payload_add_string(payload, "odd");
}

static const Kind kinds[] = {
	{"pair",
	 "<facility name=\"bench\"><event name=\"pair\"><struct>"
	 "<field name=\"a\"><uint size=\"8\"/></field><field name=\"b\"><uint size=\"8\"/></field>"
	 "</struct></event></facility>",
	 fill_pair},
	{"string",
	 "<facility name=\"bench\"><event name=\"opened\"><struct>"
	 "<field name=\"path\"><string/></field><field name=\"flags\"><uint size=\"4\"/></field>"
	 "</struct></event></facility>",
	 fill_string},
	{"nested",
	 "<facility name=\"bench\"><event name=\"drawn\"><struct>"
	 "<field name=\"points\"><sequence lengthsize=\"1\"><struct>"
	 "<field name=\"x\"><int size=\"4\"/></field><field name=\"y\"><int size=\"2\"/></field>"
	 "</struct></sequence></field>"
	 "<field name=\"by\"><union typecodesize=\"1\"><field name=\"id\"><uint "
	 "size=\"8\"/></field>"
	 "<field name=\"name\"><string/></field></union></field></struct></event></facility>",
	 fill_nested},
};

static gboolean write_events(LttTraceWriter *writer, const Kind *kind, guint64 n_events,
			     GError **error)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(kind->description, strlen(kind->description), remarks);
	GRand *random = g_rand_new_with_seed(22);
	LttTracefileWriter *cpus[2];
	LttPayload payload;
	guint64 cycles = CYCLES_PER_S;
	guint32 id;
	gboolean ok;

	ok = ltt_trace_writer_load(writer, facilities->pdata[0], &id, error) &&
	     (cpus[0] = ltt_trace_writer_open(writer, "cpu/0", error)) != NULL &&
	     (cpus[1] = ltt_trace_writer_open(writer, "cpu/1", error)) != NULL;
	ltt_payload_init(&payload, ltt_trace_writer_get_arch(writer));
	for (guint64 i = 0; ok && i < n_events; i++) {
		cycles += (guint64)g_rand_int_range(random, 1, CYCLES_BETWEEN);
		ltt_payload_reset(&payload);
		kind->fill(&payload, i);
		ok = ltt_tracefile_writer_event(cpus[g_rand_boolean(random)], cycles, (guint16)id,
						payload.bytes->data, payload.bytes->len, error);
	}
	ltt_payload_clear(&payload);
	g_rand_free(random);
	return ok && ltt_trace_writer_close(writer, error);
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
	const Kind *kind = NULL;

	for (guint i = 0; argc == 4 && i < G_N_ELEMENTS(kinds); i++) {
		if (g_str_equal(argv[1], kinds[i].name))
			kind = &kinds[i];
	}
	if (kind == NULL) {
		fprintf(stderr, "usage: make-trace pair|string|nested EVENTS DIR\n");
		return 2;
	}
	ltt_system_set(system, "cpu", "2");
	ltt_system_seal(system, NULL);
	writer = ltt_trace_writer_new(argv[3], system, &options, &error);
	if (writer != NULL &&
	    write_events(writer, kind, g_ascii_strtoull(argv[2], NULL, 10), &error))
		return 0;
	fprintf(stderr, "make-trace: %s\n", error->message);
	return 2;
}
