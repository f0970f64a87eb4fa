/* make-messages.c - make traces of machines that send each other messages, with clocks of their own.
 *
 * usage: make-messages [OPTION...] DIR
 *
 * Makes DIR/0, DIR/1, ... Machine i exchanges messages with machine i+1. Every event has the true
 * time, which is the clock of machine 0, so that a test can compare. The same options give the same
 * traces.
 */
#include <ltt/ltt.h>

#include <math.h>
#include <stdio.h>

#define START_NS (1700000000 * (guint64)LTT_NS_PER_S)
#define PER_PPM  1e-6

static gint seed = 1;
static gint n_machines = 2;
static gint seconds = 10;
static gint rate = 100;
static double delay_us = 30;
static double back_delay_us = -1;
static double jitter_us = 50;
static double drift_ppm = 50;
static double wander_ppm = 0;
static gint lost_percent = 0;
static gboolean is_one_way;
static gint silent = -1;

static const GOptionEntry options[] = {
	{"seed", 0, 0, G_OPTION_ARG_INT, &seed, "seed of the random numbers", "N"},
	{"machines", 0, 0, G_OPTION_ARG_INT, &n_machines, "number of traces", "N"},
	{"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "length of the traces", "N"},
	{"rate", 0, 0, G_OPTION_ARG_INT, &rate, "messages a second in each direction", "N"},
	{"delay", 0, 0, G_OPTION_ARG_DOUBLE, &delay_us, "minimum delay, in microseconds", "N"},
	{"back-delay", 0, 0, G_OPTION_ARG_DOUBLE, &back_delay_us,
	 "minimum delay to the lower trace", "N"},
	{"jitter", 0, 0, G_OPTION_ARG_DOUBLE, &jitter_us,
	 "mean of the random delay, in microseconds", "N"},
	{"drift", 0, 0, G_OPTION_ARG_DOUBLE, &drift_ppm, "greatest difference of rates", "PPM"},
	{"wander", 0, 0, G_OPTION_ARG_DOUBLE, &wander_ppm, "greatest change of the rate", "PPM"},
	{"lost", 0, 0, G_OPTION_ARG_INT, &lost_percent, "messages that do not arrive", "PERCENT"},
	{"one-way", 0, 0, G_OPTION_ARG_NONE, &is_one_way, "only to the higher number", NULL},
	{"silent", 0, 0, G_OPTION_ARG_INT, &silent, "a machine without messages", "N"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const char description[] =
	"<facility name=\"rpc\">"
	"<event name=\"send\"><struct><field name=\"id\"><uint size=\"8\"/></field>"
	"<field name=\"truth\"><uint size=\"8\"/></field></struct></event>"
	"<event name=\"receive\"><struct><field name=\"id\"><uint size=\"8\"/></field>"
	"<field name=\"truth\"><uint size=\"8\"/></field></struct></event>"
	"</facility>";

enum { SEND, RECEIVE };

typedef struct Event {
	double truth_ns; /* since the start */
	guint64 id;
	guint kind;
} Event;

typedef struct Machine {
	GArray *events; /* of Event */
	double *clock;  /* what it shows, since the start, at each full second */
	double offset_ns;
} Machine;

static double get_uniform(GRand *random, double most)
{
	return most > 0 ? g_rand_double_range(random, -most, most) : 0;
}

/* The rate of a clock changes a little in each second. */
static void make_clock(Machine *machine, GRand *random, gboolean is_true)
{
	const double drift = get_uniform(random, drift_ppm) * PER_PPM;
	double wander = 0;

	machine->offset_ns = is_true ? 0 : get_uniform(random, 1e9);
	machine->clock = g_new(double, seconds + 3);
	machine->clock[0] = 0;
	for (gint i = 0; i < seconds + 2; i++) {
		wander += get_uniform(random, wander_ppm * PER_PPM) / 10;
		wander = CLAMP(wander, -wander_ppm * PER_PPM, wander_ppm * PER_PPM);
		machine->clock[i + 1] =
			machine->clock[i] + 1e9 * (is_true ? 1 : 1 + drift + wander);
	}
}

static guint64 read_clock(const Machine *machine, double truth_ns)
{
	const guint second = (guint)(truth_ns / 1e9);
	const double part = truth_ns / 1e9 - second;
	const double shown = machine->clock[second] +
			     part * (machine->clock[second + 1] - machine->clock[second]);

	return START_NS + (guint64)(gint64)floor(shown + machine->offset_ns);
}

static void add_event(Machine *machine, double truth_ns, guint64 id, guint kind)
{
	const Event event = {truth_ns, id, kind};

	g_array_append_val(machine->events, event);
}

static void send(Machine *from, Machine *to, GRand *random, double least_us, guint64 id)
{
	const double sent_ns = g_rand_double_range(random, 0, seconds * 1e9);
	const double jitter_ns = -log(1 - g_rand_double(random)) * jitter_us * 1000;

	add_event(from, sent_ns, id, SEND);
	if (g_rand_int_range(random, 0, 100) >= lost_percent)
		add_event(to, sent_ns + least_us * 1000 + MIN(jitter_ns, 1e9), id, RECEIVE);
}

static void exchange(Machine *machines, GRand *random)
{
	guint64 id = 1;

	for (gint i = 0; i + 1 < n_machines; i++) {
		for (gint j = 0; i != silent && i + 1 != silent && j < rate * seconds; j++) {
			send(&machines[i], &machines[i + 1], random, delay_us, id++);
			if (!is_one_way)
				send(&machines[i + 1], &machines[i], random,
				     back_delay_us >= 0 ? back_delay_us : delay_us, id++);
		}
	}
}

static gint compare_events(gconstpointer a, gconstpointer b)
{
	const double first = ((const Event *)a)->truth_ns;
	const double second = ((const Event *)b)->truth_ns;

	return first < second ? -1 : first > second;
}

static gboolean write_events(const Machine *machine, LttTraceWriter *writer, guint32 base,
			     GError **error)
{
	LttTracefileWriter *file = ltt_trace_writer_open(writer, "cpu/0", error);
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, ltt_trace_writer_get_arch(writer));
	for (guint i = 0; file != NULL && i < machine->events->len; i++) {
		const Event *event = &g_array_index(machine->events, Event, i);

		ltt_payload_reset(&payload);
		ltt_payload_add_int(&payload, LTT_WIDTH_8, event->id);
		ltt_payload_add_int(&payload, LTT_WIDTH_8, START_NS + (guint64)event->truth_ns);
		if (!ltt_tracefile_writer_event(file, read_clock(machine, event->truth_ns),
						(guint16)(base + event->kind), payload.bytes->data,
						payload.bytes->len, error))
			return FALSE;
	}
	return file != NULL && ltt_trace_writer_close(writer, error);
}

static gboolean write_trace(const Machine *machine, const char *folder, gint number, GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/%d", folder, number);
	g_autofree char *name = g_strdup_printf("machine-%d", number);
	g_autoptr(LttSystem) system = ltt_system_new_local(4096);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, sizeof(description) - 1, remarks);
	g_autoptr(LttTraceWriter) writer = NULL;
	guint32 base;

	ltt_system_set(system, "boot_id", NULL);
	ltt_system_set(system, "node_name", name);
	ltt_system_seal(system, NULL);
	g_array_sort(machine->events, compare_events);
	writer = ltt_trace_writer_new(path, system, NULL, error);
	return writer != NULL &&
	       ltt_trace_writer_load(writer, facilities->pdata[0], &base, error) &&
	       write_events(machine, writer, base, error);
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new("DIR");
	g_autoptr(GError) error = NULL;
	g_autofree Machine *machines = NULL;
	GRand *random;
	gboolean ok = TRUE;

	g_option_context_add_main_entries(context, options, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || argc != 2) {
		fprintf(stderr, "usage: make-messages [OPTION...] DIR\n");
		return 2;
	}
	g_mkdir_with_parents(argv[1], 0777);
	random = g_rand_new_with_seed((guint32)seed);
	machines = g_new0(Machine, n_machines);
	for (gint i = 0; i < n_machines; i++) {
		machines[i].events = g_array_new(FALSE, FALSE, sizeof(Event));
		make_clock(&machines[i], random, i == 0);
	}
	exchange(machines, random);
	for (gint i = 0; i < n_machines; i++) {
		ok = ok && write_trace(&machines[i], argv[1], i, &error);
		g_array_unref(machines[i].events);
		g_free(machines[i].clock);
	}
	g_rand_free(random);
	if (!ok)
		fprintf(stderr, "make-messages: %s\n", error->message);
	return ok ? 0 : 2;
}
