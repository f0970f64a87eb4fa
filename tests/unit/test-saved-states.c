/* States that are read from the middle of a trace on are those that are read from its start on. */
#include "support-states.h"
#include "unit.h"

#include <string.h>

#define N_EVENTS 200
#define N_SCENES 12

static guint pick(GRand *random, guint n)
{
	return (guint)g_rand_int_range(random, 0, (gint32)n);
}

/* An event of a CPU; threads are 11 to 16. */
static void append_event(GString *lines, GRand *random, guint *current, guint64 *n_lost)
{
	static const char *const states[] = {"Running", "WaitInterruptible", "WaitUninterruptible",
					     "Zombie", "Traced"};
	static const char *const plain[] = {"read",      "/call",    "irq 3", "/irq",
					    "softirq 1", "/softirq", "other", "kernel_fault",
					    "exec",      "call 7"};
	const guint in = pick(random, 4) == 0 ? 0 : 11 + pick(random, 6);

	switch (pick(random, 8)) {
	case 0:
	case 1:
	case 2:
		g_string_append_printf(lines, "switch %u %s", in, states[pick(random, 5)]);
		*current = in;
		break;
	case 3:
		g_string_append_printf(lines, "%s %u", pick(random, 2) == 0 ? "waking" : "wakeup",
				       11 + pick(random, 6));
		break;
	case 4:
		g_string_append_printf(lines, "futex %u", pick(random, 3));
		break;
	case 5:
		if (pick(random, 4) == 0) {
			*n_lost += pick(random, 3);
			g_string_append_printf(lines, "lost %" G_GUINT64_FORMAT, *n_lost);
			break;
		}
		g_string_append_printf(lines, "fork %u", 11 + pick(random, 6));
		break;
	default:
		g_string_append(lines, plain[pick(random, G_N_ELEMENTS(plain))]);
		break;
	}
}

/* Returns: (transfer full): a trace of two CPUs, in which events are missing and contradict each other */
static LttTrace *make_trace(guint32 seed)
{
	GRand *random = g_rand_new_with_seed(seed);
	g_autoptr(GString) lines = g_string_new("5 - - thread 13 WaitInterruptible 35\n");
	guint current[2] = {0, 0};
	guint64 n_lost[2] = {0, 0};
	guint64 time_ns = 10;

	for (guint i = 0; i < N_EVENTS; i++) {
		const guint cpu = pick(random, 2);

		time_ns += pick(random, 4);
		g_string_append_printf(lines, "%" G_GUINT64_FORMAT " %u ", time_ns, cpu);
		g_string_append_printf(lines, pick(random, 6) == 0 ? "- " : "%u ", current[cpu]);
		append_event(lines, random, &current[cpu], &n_lost[cpu]);
		g_string_append_c(lines, '\n');
	}
	g_rand_free(random);
	return states_scene(lines->str);
}

typedef struct Place {
	guint64 time_ns; /* of the event before which the states were saved */
	guint n_given;   /* stretches before */
	LttSavedStates *saved;
} Place;

typedef struct Run {
	GArray *places; /* of Place; NULL: do not save */
	GPtrArray *lines;
	guint64 last_ns;
} Run;

static void save(LttStates *states, const LttEvent *event, gpointer data)
{
	Run *run = data;
	const Place place = {.time_ns = event->time_ns, .n_given = run->lines->len};

	if (event->time_ns > run->last_ns) {
		g_array_append_val(run->places, place);
		g_array_index(run->places, Place, run->places->len - 1).saved =
			ltt_states_save(states);
	}
	run->last_ns = event->time_ns;
}

static char *describe(const LttStretch *stretch)
{
	g_autofree char *wait = ltt_wait_to_text(&stretch->wait);
	const gboolean is_cpu = stretch->subject == LTT_STRETCH_OF_CPU;

	return g_strdup_printf("%s %d tid %u pid %u: %u%s-%u%s %d %s > %d < %d %u %u, %u %u",
			       is_cpu ? "cpu" : "thread",
			       stretch->cpu != NULL ? ltt_tracefile_get_cpu(stretch->cpu) : -1,
			       stretch->tid, stretch->has_pid ? stretch->pid : 0,
			       (guint)stretch->begin_ns, stretch->has_begun ? "" : "?",
			       (guint)stretch->end_ns, stretch->has_ended ? "" : "?",
			       is_cpu ? (int)stretch->cpu_state : (int)stretch->state, wait,
			       (int)stretch->next, (int)stretch->waker.kind, stretch->waker.tid,
			       stretch->waker.number, stretch->n_syscalls, stretch->n_faults);
}

static void list(LttStates *states, Run *run)
{
	const LttStretch *stretch;

	run->lines = g_ptr_array_new_with_free_func(g_free);
	if (run->places != NULL)
		ltt_states_set_event_func(states, save, run);
	while (ltt_states_next(states, &stretch, NULL) == LTT_STEP_EVENT)
		g_ptr_array_add(run->lines, describe(stretch));
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The stretches that the end of the trace ends have no order. */
static void assert_same(GPtrArray *got, char *const *expected, guint n)
{
	g_autoptr(GPtrArray) wanted = g_ptr_array_new();

	for (guint i = 0; i < n; i++)
		g_ptr_array_add(wanted, expected[i]);
	g_ptr_array_sort(wanted, compare_lines);
	g_ptr_array_sort(got, compare_lines);
	CU_ASSERT_EQUAL_FATAL(got->len, n);
	for (guint i = 0; i < n; i++)
		UNIT_ASSERT_TEXT((char *)got->pdata[i], (char *)wanted->pdata[i]);
}

/* @to: (nullable): NULL: the end of the trace */
static void assert_same_between(LttTrace *trace, const Place *from, const Place *to,
				const GPtrArray *whole)
{
	g_autoptr(LttStates) states = ltt_states_new_from(trace, from->saved, from->time_ns,
							  to != NULL ? to->time_ns : G_MAXUINT64);
	const guint end = to != NULL ? to->n_given : whole->len;
	Run run = {0};

	list(states, &run);
	assert_same(run.lines, (char **)whole->pdata + from->n_given, end - from->n_given);
	g_ptr_array_unref(run.lines);
}

static void clear_place(gpointer data)
{
	ltt_saved_states_free(((Place *)data)->saved);
}

static void test_between_all_places(void)
{
	for (guint32 seed = 0; seed < N_SCENES; seed++) {
		g_autoptr(LttTrace) trace = make_trace(seed);
		g_autoptr(LttStates) states = ltt_states_new(trace, 0, G_MAXUINT64);
		g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
		Run run = {.places = places};

		g_array_set_clear_func(places, clear_place);
		list(states, &run);
		CU_ASSERT_TRUE(places->len > N_EVENTS / 2);
		CU_ASSERT_TRUE(run.lines->len > N_EVENTS / 2);
		for (guint i = 0; i < places->len; i++) {
			const Place *from = &g_array_index(places, Place, i);
			const guint to = i + (i + seed) % 40;

			assert_same_between(trace, from,
					    to < places->len ? &g_array_index(places, Place, to)
							     : NULL,
					    run.lines);
			CU_ASSERT_TRUE(ltt_saved_states_get_size(from->saved) > 0);
		}
		g_ptr_array_unref(run.lines);
	}
}

/* ---- some threads and CPUs ---- */

static gboolean is_odd(const LttStretch *subject, gpointer data)
{
	guint *n_calls = data;

	++*n_calls;
	return subject->subject == LTT_STRETCH_OF_CPU ? ltt_tracefile_get_cpu(subject->cpu) == 1
						      : subject->tid % 2 == 1;
}

/* Lists the stretches of the odd threads and of CPU 1 between two places. */
static GPtrArray *list_odd(LttTrace *trace, const Place *from, gboolean is_filtered)
{
	g_autoptr(LttStates) states =
		ltt_states_new_from(trace, from != NULL ? from->saved : NULL,
				    from != NULL ? from->time_ns : 0, G_MAXUINT64);
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	const LttStretch *stretch;
	guint n_calls = 0;

	if (is_filtered)
		ltt_states_set_wanted_func(states, is_odd, &n_calls);
	while (ltt_states_next(states, &stretch, NULL) == LTT_STEP_EVENT)
		if (is_filtered || is_odd(stretch, &n_calls))
			g_ptr_array_add(lines, describe(stretch));
	CU_ASSERT_TRUE(n_calls > 0);
	return lines;
}

static void test_wanted_ones(void)
{
	for (guint32 seed = 0; seed < N_SCENES; seed++) {
		g_autoptr(LttTrace) trace = make_trace(seed);
		g_autoptr(LttStates) states = ltt_states_new(trace, 0, G_MAXUINT64);
		g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
		Run run = {.places = places};

		g_array_set_clear_func(places, clear_place);
		list(states, &run);
		for (guint i = 0; i < places->len; i += 7) {
			const Place *from = i > 0 ? &g_array_index(places, Place, i) : NULL;
			g_autoptr(GPtrArray) wanted = list_odd(trace, from, FALSE);
			g_autoptr(GPtrArray) got = list_odd(trace, from, TRUE);

			CU_ASSERT_TRUE(wanted->len > 0 || i > 0);
			assert_same(got, (char **)wanted->pdata, wanted->len);
		}
		g_ptr_array_unref(run.lines);
	}
}

UNIT_MAIN("saved-states", UNIT(test_between_all_places), UNIT(test_wanted_ones))
