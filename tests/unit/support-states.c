/* support-states.c - see support-states.h. */
#include "support-states.h"

#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-payload.h>
#include <ltt/ltt-writer.h>

#include <string.h>

#define NUMBER(name) "<field name='" name "'><uint size='8'/></field>"

static const char more_xml[] =
	"<facility name='more'>"
	"<event name='waking' ltt:state='waking thread=pid'><struct>" NUMBER(
		"pid") "</struct></event>"
		       "<event name='read' ltt:state='syscall_entry name=read'/>"
		       "<event name='futex' ltt:state='syscall_entry name=futex "
		       "address=uaddr'><struct>" NUMBER(
			       "uaddr") "</struct></event>"
					"<event name='fault' ltt:state='fault "
					"address=address'><struct>" NUMBER(
						"address") "</struct></event>"
							   "<event name='kernel_fault' "
							   "ltt:state='kernel_fault'/>"
							   "<event name='thread' ltt:show='hidden' "
							   "ltt:state='thread thread=tid "
							   "process=pid state=state "
							   "number=number "
							   "address=address'><struct>" NUMBER("tid") NUMBER(
								   "pid") "<field "
									  "name='state'><enum "
									  "size='4'>Running "
									  "WaitInterruptible "
									  "WaitUninterruptible "
									  "Zombie "
									  "Traced</enum></"
									  "field><field "
									  "name='number'><int "
									  "size='8'/></"
									  "field>" NUMBER(
										  "address") "</"
											     "struc"
											     "t></"
											     "event"
											     ">"
											     "<even"
											     "t "
											     "name="
											     "'bits"
											     "' "
											     "ltt:"
											     "state"
											     "='"
											     "switc"
											     "h "
											     "out="
											     "prev "
											     "in="
											     "next "
											     "state"
											     "=prev"
											     "_stat"
											     "e'><"
											     "struc"
											     "t"
											     ">" NUMBER("prev") NUMBER(
												     "next")
												     NUMBER("prev_state") "</struct></event>"
															  "<event name='other'/>"
															  "</facility>";

enum { WAKING, READ, FUTEX, FAULT, KERNEL_FAULT, THREAD, BITS, OTHER };

typedef struct Scene {
	LttTraceWriter *writer;
	guint32 tracer;
	guint32 core;
	guint32 more;
	LttPayload payload;
} Scene;

static guint64 number(char **words, guint index)
{
	return index < g_strv_length(words) ? g_ascii_strtoull(words[index], NULL, 0) : 0;
}

static guint32 label(const char *text)
{
	static const char *const labels[] = {
		"Running", "WaitInterruptible", "WaitUninterruptible", "Zombie", "Traced", NULL};

	for (guint32 i = 0; labels[i] != NULL; i++)
		if (g_str_equal(labels[i], text))
			return i;
	g_assert_not_reached();
}

static void write_event(Scene *scene, LttTracefileWriter *file, guint64 time_ns, guint32 id)
{
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_tracefile_writer_event(file, time_ns, (guint16)id,
						  scene->payload.bytes->data,
						  scene->payload.bytes->len, &error),
		       error);
	ltt_payload_reset(&scene->payload);
}

static void add_numbers(Scene *scene, char **words, guint from, guint n)
{
	for (guint i = from; i < from + n; i++)
		ltt_payload_add_int(&scene->payload, LTT_WIDTH_8, number(words, i));
}

/* Events of core: their index, and their fields: t: the current thread, 1: the first argument, l: the
 * label of the second one, z, Z: zero of 1 and 8 bytes, s: a string. */
static guint32 fill_core(Scene *scene, char **words, guint32 tid)
{
	static const struct {
		const char *word;
		guint32 index;
		const char *fields;
	} events[] = {
		{"switch", 0, "t1l"}, {"wakeup", 1, "11"}, {"irq", 2, "1z"},  {"/irq", 3, ""},
		{"softirq", 4, "1"},  {"/softirq", 5, ""}, {"call", 8, "1Z"}, {"/call", 9, "Z"},
		{"fork", 11, "t1"},   {"exec", 12, "ts"},
	};
	const guint64 first = number(words, 1);
	guint i = 0;

	while (i < G_N_ELEMENTS(events) && !g_str_equal(events[i].word, words[0]))
		i++;
	if (i == G_N_ELEMENTS(events))
		return G_MAXUINT32;
	for (const char *field = events[i].fields; *field != '\0'; field++) {
		if (*field == 's')
			ltt_payload_add_string(&scene->payload, "x");
		else
			ltt_payload_add_int(&scene->payload,
					    *field == 'z'   ? LTT_WIDTH_1
					    : *field == 'Z' ? LTT_WIDTH_8
							    : LTT_WIDTH_4,
					    *field == 't'   ? tid
					    : *field == '1' ? first
					    : *field == 'l' ? label(words[2])
							    : 0);
	}
	return events[i].index;
}

static guint32 fill_more(Scene *scene, char **words)
{
	static const struct {
		const char *word;
		guint32 index;
		guint n_numbers;
	} events[] = {
		{"waking", WAKING, 1}, {"read", READ, 0}, {"futex", FUTEX, 1},
		{"fault", FAULT, 1},   {"bits", BITS, 3}, {"kernel_fault", KERNEL_FAULT, 0},
		{"other", OTHER, 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(events); i++) {
		if (!g_str_equal(events[i].word, words[0]))
			continue;
		add_numbers(scene, words, 1, events[i].n_numbers);
		return events[i].index;
	}
	g_assert_not_reached();
}

static void add_thread(Scene *scene, guint64 time_ns, char **words)
{
	const guint64 tid = number(words, 1);

	ltt_payload_add_int(&scene->payload, LTT_WIDTH_8, tid);
	ltt_payload_add_int(&scene->payload, LTT_WIDTH_8, tid - tid % 10);
	ltt_payload_add_int(&scene->payload, LTT_WIDTH_4, label(words[2]));
	ltt_payload_add_int(&scene->payload, LTT_WIDTH_8,
			    (guint64)g_ascii_strtoll(words[3], NULL, 0));
	ltt_payload_add_int(&scene->payload, LTT_WIDTH_8, number(words, 4));
	write_event(scene, ltt_trace_writer_open(scene->writer, "control/processes", NULL), time_ns,
		    scene->more + THREAD);
}

static void add_line(Scene *scene, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	const guint64 time_ns = number(words, 0);
	const guint32 tid = (guint32)number(words, 2);
	g_autofree char *name = g_strconcat("cpu/", words[1], NULL);
	LttTracefileWriter *file;
	guint32 id;

	if (g_str_equal(words[3], "thread")) {
		add_thread(scene, time_ns, words + 3);
		return;
	}
	file = ltt_trace_writer_open(scene->writer, name, NULL);
	if (g_str_equal(words[3], "lost")) {
		add_numbers(scene, words, 4, 1);
		write_event(scene, file, time_ns, scene->tracer + 1);
		return;
	}
	if (!g_str_equal(words[2], "-")) {
		ltt_payload_add_int(&scene->payload, LTT_WIDTH_4, tid - tid % 10);
		ltt_payload_add_int(&scene->payload, LTT_WIDTH_4, tid);
		write_event(scene, file, time_ns, scene->tracer);
	}
	id = fill_core(scene, words + 3, tid);
	id = id != G_MAXUINT32 ? scene->core + id : scene->more + fill_more(scene, words + 3);
	write_event(scene, file, time_ns, id);
}

LttTrace *states_scene(const char *lines)
{
	static guint n_scenes;
	g_autofree char *name = g_strdup_printf("states-%u", n_scenes++);
	g_autofree char *path = unit_temp_path(name);
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 4096);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) more = ltt_eventdefs_parse(more_xml, strlen(more_xml), remarks);
	g_auto(GStrv) split = g_strsplit(lines, "\n", -1);
	g_autoptr(GError) error = NULL;
	Scene scene = {.writer = ltt_trace_writer_new(path, system, NULL, NULL)};
	LttTrace *trace;

	CU_ASSERT_EQUAL_FATAL(remarks->len, 0);
	ltt_payload_init(&scene.payload, ltt_trace_writer_get_arch(scene.writer));
	g_assert(ltt_trace_writer_load(scene.writer, ltt_eventdefs_get_shipped("tracer"),
				       &scene.tracer, NULL) &&
		 ltt_trace_writer_load(scene.writer, ltt_eventdefs_get_shipped("core"), &scene.core,
				       NULL) &&
		 ltt_trace_writer_load(scene.writer, more->pdata[0], &scene.more, NULL));
	for (guint i = 0; split[i] != NULL; i++)
		if (split[i][0] != '\0')
			add_line(&scene, split[i]);
	UNIT_ASSERT_OK(ltt_trace_writer_close(scene.writer, &error), error);
	ltt_trace_writer_free(scene.writer);
	ltt_payload_clear(&scene.payload);
	trace = ltt_trace_open(path, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

/* ---- the states ---- */

static void append_waker(GString *text, const LttWaker *waker)
{
	switch (waker->kind) {
	case LTT_WAKER_THREAD:
		g_string_append_printf(text, " < %u", waker->tid);
		break;
	case LTT_WAKER_IRQ:
		g_string_append_printf(text, " < irq %u", waker->number);
		break;
	case LTT_WAKER_SOFTIRQ:
		g_string_append_printf(text, " < softirq %u", waker->number);
		break;
	default:
		break;
	}
}

static void append_thread(GString *text, const LttStretch *stretch)
{
	static const char *const states[LTT_N_THREAD_STATES] = {"unknown", "running", "runnable",
								"preempted", "waiting"};
	g_autofree char *wait = ltt_wait_to_text(&stretch->wait);

	g_string_append(text, states[stretch->state]);
	if (stretch->state == LTT_THREAD_WAITING)
		g_string_append_printf(text, "%s %s", stretch->wait.is_uninterruptible ? "!" : "",
				       wait);
	append_waker(text, &stretch->waker);
	if (stretch->has_exited)
		g_string_append(text, " exits");
	if (stretch->n_faults > 0)
		g_string_append_printf(text, " faults=%u", stretch->n_faults);
}

static void append_cpu(GString *text, const LttStretch *stretch)
{
	static const char *const states[LTT_N_CPU_STATES] = {"unknown", "thread", "softirq", "irq",
							     "idle"};

	g_string_append(text, states[stretch->cpu_state]);
	if (stretch->cpu_state == LTT_CPU_THREAD)
		g_string_append_printf(text, " %u", stretch->tid);
}

/* Of one subject. */
typedef struct Row {
	GString *text;
	guint64 end_ns;
	gboolean is_cpu;
	gboolean has_exited; /* a new thread may get its id */
} Row;

static void free_row(gpointer row)
{
	g_string_free(((Row *)row)->text, TRUE);
	g_free(row);
}

static void add_stretch(GTree *rows, const LttStretch *stretch, guint64 from_ns)
{
	const gboolean is_cpu = stretch->subject == LTT_STRETCH_OF_CPU;
	g_autofree char *key =
		is_cpu ? g_strdup_printf("cpu %d ", ltt_tracefile_get_cpu(stretch->cpu))
		       : g_strdup_printf("%-6u", stretch->tid);
	Row *row = g_tree_lookup(rows, key);
	GString *text;

	if (row == NULL) {
		row = g_new0(Row, 1);
		*row = (Row){g_string_new(key), is_cpu ? from_ns : stretch->begin_ns, is_cpu,
			     FALSE};
		g_tree_insert(rows, g_steal_pointer(&key), row);
	} else {
		g_string_append_c(row->text, ',');
	}
	text = row->text;
	CU_ASSERT_TRUE(row->has_exited || stretch->begin_ns == row->end_ns);
	row->has_exited = stretch->has_exited;
	CU_ASSERT_TRUE(stretch->begin_ns < stretch->end_ns);
	row->end_ns = stretch->end_ns;
	g_string_append_printf(text, " %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " ",
			       stretch->begin_ns, stretch->end_ns);
	if (is_cpu)
		append_cpu(text, stretch);
	else
		append_thread(text, stretch);
}

typedef struct Joining {
	GString *all;
	guint64 to_ns;
} Joining;

static gboolean join(gpointer key, gpointer value, gpointer data)
{
	Joining *joining = data;
	const Row *row = value;

	(void)key;
	if (row->is_cpu)
		CU_ASSERT_EQUAL(row->end_ns, joining->to_ns);
	g_string_append_printf(joining->all, "%s\n", row->text->str);
	return FALSE;
}

static gint compare_keys(gconstpointer a, gconstpointer b, gpointer data)
{
	(void)data;
	return strcmp(a, b);
}

char *states_describe(LttTrace *trace, guint64 from_ns, guint64 to_ns)
{
	g_autoptr(LttStates) states = ltt_states_new(trace, from_ns, to_ns);
	GTree *rows = g_tree_new_full(compare_keys, NULL, g_free, free_row);
	g_autoptr(GError) error = NULL;
	const LttStretch *stretch;
	guint64 start_ns;
	guint64 end_ns;
	LttStep step;
	Joining joining;

	g_assert(ltt_trace_get_span(trace, &start_ns, &end_ns));
	while ((step = ltt_states_next(states, &stretch, &error)) == LTT_STEP_EVENT)
		add_stretch(rows, stretch, MAX(from_ns, start_ns));
	UNIT_ASSERT_OK(step == LTT_STEP_END, error);
	joining = (Joining){g_string_new(NULL), MIN(to_ns, end_ns)};
	g_tree_foreach(rows, join, &joining);
	g_tree_unref(rows);
	return g_string_free(joining.all, FALSE);
}

char *states_of(const char *lines)
{
	g_autoptr(LttTrace) trace = states_scene(lines);

	return states_describe(trace, 0, G_MAXUINT64);
}
