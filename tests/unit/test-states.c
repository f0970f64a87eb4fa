/* The states of threads and CPUs, from made sequences of events. */
#include "support-states.h"
#include "unit.h"

#include <string.h>

static void assert_states(const char *lines, const char *expected)
{
	g_autofree char *got = states_of(lines);

	UNIT_ASSERT_TEXT(got, expected);
}

static void test_running_and_waiting(void)
{
	assert_states("10 0 11 switch 0 WaitInterruptible\n"
		      "15 0 0 wakeup 11\n"
		      "17 0 0 switch 11 Running\n"
		      "20 0 11 other\n"
		      "25 0 11 switch 21 Running\n"
		      "30 0 21 switch 11 Running\n"
		      "40 0 11 switch 0 Zombie\n"
		      "42 0 0 irq 3\n",
		      "11     10-15 waiting unknown, 15-17 runnable, 17-25 running, 25-30 "
		      "preempted < 21, "
		      "30-40 running exits\n"
		      "21     10-25 unknown, 25-30 running, 30-42 preempted < 11\n"
		      "cpu 0  10-17 idle, 17-25 thread 11, 25-30 thread 21, 30-40 thread 11, 40-42 "
		      "idle\n");
}

static void test_states_by_bits(void)
{
	assert_states("10 0 11 bits 11 0 1\n"
		      "11 0 0 bits 0 12 0\n"
		      "12 0 12 bits 12 13 0x100\n"
		      "13 0 13 bits 13 14 2\n"
		      "14 0 14 bits 14 15 8\n"
		      "15 0 15 bits 15 0 0x20\n"
		      "16 0 0 irq 1\n",
		      "11     10-16 waiting unknown\n"
		      "12     10-11 unknown, 11-12 running, 12-16 preempted < 13\n"
		      "13     10-12 unknown, 12-13 running, 13-16 waiting! unknown\n"
		      "14     10-13 unknown, 13-14 running, 14-16 waiting stopped\n"
		      "15     10-14 unknown, 14-15 running exits\n"
		      "cpu 0  10-11 idle, 11-12 thread 12, 12-13 thread 13, 13-14 thread 14, 14-15 "
		      "thread 15, 15-16 idle\n");
}

static void test_what_it_waits_for(void)
{
	assert_states(
		"10 0 11 read\n"
		"11 0 11 switch 0 WaitInterruptible\n"
		"20 0 0 irq 7\n"
		"21 0 0 softirq 4\n"
		"22 0 0 waking 11\n"
		"23 0 0 wakeup 11\n"
		"24 0 0 /softirq\n"
		"25 0 0 /irq\n"
		"26 0 0 switch 11 Running\n"
		"27 0 11 /call\n"
		"28 0 11 fault 0x1000\n"
		"29 0 11 switch 0 WaitUninterruptible\n"
		"35 0 0 switch 11 Running\n"
		"36 0 11 futex 0xbeef\n"
		"37 0 11 kernel_fault\n"
		"38 0 11 switch 21 WaitInterruptible\n"
		"39 0 21 waking 11\n"
		"40 0 21 switch 11 WaitInterruptible\n"
		"41 0 11 /call\n"
		"42 0 11 call 9\n"
		"43 0 11 switch 0 WaitInterruptible\n"
		"44 0 0 irq 1\n",
		"11     10-11 running, 11-22 waiting read < softirq 4, 22-26 runnable < softirq "
		"4, 26-29 running faults=1, 29-35 waiting! page fault, 35-38 running faults=1, "
		"38-39 waiting futex 0xbeef < 21, 39-40 runnable < 21, 40-43 running, 43-44 "
		"waiting system call 9\n"
		"21     10-38 unknown, 38-40 running, 40-44 waiting unknown\n"
		"cpu 0  10-11 thread 11, 11-20 idle, 20-21 irq, 21-24 softirq, 24-25 irq, 25-26 "
		"idle, 26-29 thread 11, 29-35 idle, 35-38 thread 11, 38-40 thread 21, 40-43 "
		"thread 11, 43-44 idle\n");
}

/* An interrupt inside a softirq inside a thread. */
static void test_nested_interrupts(void)
{
	assert_states(
		"10 0 11 read\n"
		"12 0 11 softirq 1\n"
		"14 0 11 irq 5\n"
		"15 0 11 irq 6\n"
		"16 0 11 /irq\n"
		"17 0 11 /irq\n"
		"19 0 11 /softirq\n"
		"22 0 11 /call\n",
		"11     10-22 running\n"
		"cpu 0  10-12 thread 11, 12-14 softirq, 14-17 irq, 17-19 softirq, 19-22 thread "
		"11\n");
}

/* The first event of a CPU is the end of an interrupt, or the end is missing. */
static void test_halves_of_interrupts(void)
{
	assert_states(
		"10 0 11 /irq\n"
		"12 0 11 irq 5\n"
		"14 0 11 switch 0 WaitInterruptible\n"
		"16 0 0 irq 1\n"
		"18 0 0 /softirq\n"
		"20 0 0 irq 1\n",
		"11     10-12 running, 12-14 unknown, 14-20 waiting unknown\n"
		"cpu 0  10-12 thread 11, 12-14 unknown, 14-16 idle, 16-18 unknown, 18-20 idle\n");
}

static void test_migration(void)
{
	assert_states(
		"10 0 11 switch 0 Running\n"
		"12 1 0 switch 11 Running\n"
		"15 1 11 switch 0 WaitInterruptible\n"
		"16 0 0 wakeup 11\n"
		"17 0 0 switch 11 Running\n"
		"19 1 0 irq 1\n"
		"20 0 11 read\n",
		"11     10-12 preempted, 12-15 running, 15-16 waiting unknown, 16-17 runnable, "
		"17-20 running\n"
		"cpu 0  10-17 idle, 17-20 thread 11\n"
		"cpu 1  10-12 unknown, 12-15 thread 11, 15-19 idle, 19-20 unknown\n");
}

static void test_fork_and_exit(void)
{
	assert_states("10 0 11 fork 20\n"
		      "11 0 11 wakeup 20\n"
		      "12 1 0 switch 20 Running\n"
		      "15 1 20 switch 0 Zombie\n"
		      "20 0 11 fork 20\n"
		      "22 1 0 switch 20 Running\n"
		      "25 1 20 read\n"
		      "30 0 11 read\n",
		      "11     10-30 running\n"
		      "20     10-12 runnable < 11, 12-15 running exits, 20-22 runnable < 11, 22-25 "
		      "running, 25-30 unknown\n"
		      "cpu 0  10-30 thread 11\n"
		      "cpu 1  10-12 unknown, 12-15 thread 20, 15-22 idle, 22-25 thread 20, 25-30 "
		      "unknown\n");
}

/* A second thread replaces the program, and gets the id of the process. */
static void test_exec(void)
{
	assert_states("10 0 12 read\n"
		      "15 0 10 exec\n"
		      "20 0 10 /call\n"
		      "25 0 10 switch 0 WaitInterruptible\n",
		      "10     15-25 running\n"
		      "12     10-15 running exits\n"
		      "cpu 0  10-15 thread 12, 15-25 thread 10\n");
}

/* Thread 11 is woken while it leaves its CPU, and while it only tries to. */
static void test_wakeup_races(void)
{
	assert_states(
		"10 0 11 read\n"
		"11 1 21 waking 11\n"
		"12 0 11 switch 0 WaitInterruptible\n"
		"13 1 21 wakeup 11\n"
		"14 0 0 switch 11 Running\n"
		"15 1 31 waking 11\n"
		"16 1 31 wakeup 11\n"
		"17 0 11 switch 0 WaitInterruptible\n"
		"18 1 31 irq 1\n"
		"19 1 31 wakeup 11\n",
		"11     10-12 running, 12-13 waiting read < 21, 13-14 runnable < 21, 14-17 "
		"running, 17-19 waiting read < irq 1\n"
		"21     10-11 unknown, 11-13 running, 13-19 unknown\n"
		"31     10-15 unknown, 15-19 running\n"
		"cpu 0  10-12 thread 11, 12-14 idle, 14-17 thread 11, 17-19 unknown\n"
		"cpu 1  10-11 unknown, 11-13 thread 21, 13-15 unknown, 15-18 thread 31, 18-19 "
		"irq\n");
}

/* Each CPU has an idle thread of id 0. */
static void test_idle_threads(void)
{
	assert_states("10 0 0 irq 1\n"
		      "11 1 0 irq 2\n"
		      "12 0 0 /irq\n"
		      "13 1 0 /irq\n"
		      "14 0 0 irq 1\n"
		      "15 1 0 irq 1\n",
		      "cpu 0  10-12 irq, 12-14 idle, 14-15 unknown\n"
		      "cpu 1  10-11 unknown, 11-13 irq, 13-15 idle\n");
}

/* Events of CPU 0 are lost between 12 and 20: what ran there is unknown, and so are waiting threads,
 * which may have run. Thread 21 was on another CPU all the time. */
static void test_lost_events(void)
{
	assert_states("10 0 11 switch 12 WaitInterruptible\n"
		      "10 1 21 read\n"
		      "12 0 12 read\n"
		      "15 1 21 read\n"
		      "20 0 - lost 5\n"
		      "22 1 21 wakeup 11\n"
		      "24 0 11 read\n"
		      "26 1 21 read\n",
		      "11     10-12 waiting unknown, 12-22 unknown, 22-24 unknown, 24-26 unknown\n"
		      "12     10-12 running, 12-26 unknown\n"
		      "21     10-26 running\n"
		      "cpu 0  10-12 thread 12, 12-24 unknown, 24-26 unknown\n"
		      "cpu 1  10-26 thread 21\n");
}

/* A total is repeated at the begin of a block. */
static void test_repeated_totals(void)
{
	assert_states("10 0 - lost 5\n"
		      "10 0 11 read\n"
		      "15 0 - lost 5\n"
		      "20 0 11 /call\n",
		      "11     10-20 running\n"
		      "cpu 0  10-20 thread 11\n");
}

/* Switches are missing, although nothing was lost: only some threads are recorded. */
static void test_missing_switches(void)
{
	assert_states("10 0 11 switch 31 WaitInterruptible\n"
		      "20 0 41 switch 11 WaitInterruptible\n"
		      "25 0 11 switch 0 WaitInterruptible\n"
		      "30 1 11 read\n"
		      "35 1 11 switch 0 WaitInterruptible\n"
		      "40 1 0 irq 1\n",
		      "11     10-20 waiting unknown, 20-25 running, 25-30 unknown, 30-35 running, "
		      "35-40 unknown\n"
		      "31     10-40 unknown\n"
		      "41     10-20 unknown, 20-40 waiting unknown\n"
		      "cpu 0  10-20 unknown, 20-25 thread 11, 25-40 unknown\n"
		      "cpu 1  10-30 unknown, 30-35 thread 11, 35-40 idle\n");
}

/* Some kernels have no event when a CPU that was idle switches to a thread. The thread has been woken, so
 * it is still in the same system call. */
static void test_missing_switches_from_idle(void)
{
	assert_states(
		"10 0 11 read\n"
		"12 0 11 switch 0 WaitUninterruptible\n"
		"20 0 0 wakeup 11\n"
		"22 0 11 wakeup 21\n"
		"24 0 11 switch 0 WaitUninterruptible\n"
		"30 0 0 wakeup 11\n"
		"32 0 11 /call\n"
		"34 0 11 switch 21 Running\n"
		"36 0 21 switch 0 WaitInterruptible\n"
		"40 0 11 switch 0 WaitInterruptible\n"
		"42 0 0 switch 21 Running\n",
		"11     10-12 running, 12-20 waiting! read, 20-22 unknown, 22-24 running, 24-30 "
		"waiting! "
		"read, 30-32 unknown, 32-34 running, 34-40 unknown, 40-42 unknown\n"
		"21     10-22 unknown, 22-34 runnable < 11, 34-36 running, 36-42 waiting unknown\n"
		"cpu 0  10-12 thread 11, 12-20 idle, 20-22 unknown, 22-24 thread 11, 24-30 idle, "
		"30-32 unknown, 32-34 "
		"thread 11, 34-36 thread 21, 36-40 unknown, 40-42 idle\n");
}

/* The state of threads at the start, as the recorder writes it. */
static void test_state_at_start(void)
{
	assert_states("5 - - thread 11 WaitInterruptible 202 0xabc\n"
		      "5 - - thread 12 WaitUninterruptible -1 0\n"
		      "5 - - thread 13 Running -2 0\n"
		      "5 - - thread 14 Traced -1 0\n"
		      "5 - - thread 15 Zombie -1 0\n"
		      "10 0 21 wakeup 11\n"
		      "12 0 21 switch 13 WaitInterruptible\n"
		      "14 0 13 read\n"
		      "20 0 13 read\n",
		      "11     10-20 runnable < 21\n"
		      "12     10-20 waiting! other\n"
		      "13     10-12 unknown, 12-20 running\n"
		      "14     10-20 waiting stopped\n"
		      "21     10-12 running, 12-20 waiting unknown\n"
		      "cpu 0  10-12 thread 21, 12-20 thread 13\n");
	assert_states("5 - - thread 11 WaitInterruptible 202 0xabc\n"
		      "10 0 21 read\n"
		      "12 0 21 wakeup 11\n",
		      "11     10-12 waiting system call 202 0xabc < 21\n"
		      "21     10-12 running\n"
		      "cpu 0  10-12 thread 21\n");
}

static void test_no_states(void)
{
	g_autoptr(LttTrace) trace = states_scene("10 0 11 other\n20 0 11 other\n");
	g_autofree char *got = states_describe(trace, 0, G_MAXUINT64);

	UNIT_ASSERT_TEXT(got, "");
	CU_ASSERT_TRUE(ltt_states_are_recorded(trace)); /* core is loaded */
}

/* ---- windows ---- */

/* Random events of three CPUs, with losses, contradictions and halves of interrupts. */
static char *random_lines(GRand *random)
{
	static const char *const words[] = {"read",  "/call", "futex 1",     "fault 2",
					    "irq 1", "/irq",  "softirq 2",   "/softirq",
					    "exec",  "other", "kernel_fault"};
	static const char *const states[] = {"Running", "WaitInterruptible", "WaitUninterruptible",
					     "Zombie", "Traced"};
	GString *lines = g_string_new("1 - - thread 12 WaitInterruptible 7 0\n");
	guint current[3] = {11, 0, 12};
	guint lost = 0;

	for (guint time = 10; time < 400; time += (guint)g_rand_int_range(random, 0, 3)) {
		const guint cpu = (guint)g_rand_int_range(random, 0, 3);
		const guint tid = (guint)g_rand_int_range(random, 0, 4) + 10;
		const gint what = g_rand_int_range(random, 0, 100);
		const guint thread = what == 99 ? tid : current[cpu];

		g_string_append_printf(lines, "%u %u ", time, cpu);
		if (what < 40) {
			g_string_append_printf(lines, "%u switch %u %s\n", thread,
					       tid == 10 ? 0 : tid,
					       states[g_rand_int_range(random, 0, 5)]);
			current[cpu] = tid == 10 ? 0 : tid;
		} else if (what < 60) {
			g_string_append_printf(lines, "%u %s %u\n", thread,
					       what < 48   ? "waking"
					       : what < 56 ? "wakeup"
							   : "fork",
					       tid);
		} else if (what < 63) {
			g_string_append_printf(lines, "- lost %u\n", ++lost);
		} else {
			g_string_append_printf(
				lines, "%u %s\n", thread,
				words[g_rand_int_range(random, 0, G_N_ELEMENTS(words))]);
		}
	}
	return g_string_free(lines, FALSE);
}

/* Time in each state, by subject; the second index is LttThreadState or LttCpuState. */
typedef struct Sums {
	guint64 threads[20][LTT_N_THREAD_STATES];
	guint64 cpus[3][LTT_N_CPU_STATES];
} Sums;

/* Adds the part in [from, to) of the stretches that are read in [window, ...). */
static void add_up(LttTrace *trace, guint64 window_from, guint64 window_to, guint64 from,
		   guint64 to, Sums *sums)
{
	g_autoptr(LttStates) states = ltt_states_new(trace, window_from, window_to);
	const LttStretch *stretch;

	while (ltt_states_next(states, &stretch, NULL) == LTT_STEP_EVENT) {
		const guint64 begin = MAX(stretch->begin_ns, from);
		const guint64 end = MIN(stretch->end_ns, to);

		if (begin >= end)
			continue;
		if (stretch->subject == LTT_STRETCH_OF_THREAD)
			sums->threads[stretch->tid][stretch->state] += end - begin;
		else
			sums->cpus[ltt_tracefile_get_cpu(stretch->cpu)][stretch->cpu_state] +=
				end - begin;
	}
}

static guint64 sum(const guint64 *times, guint n)
{
	guint64 total = 0;

	for (guint i = 0; i < n; i++)
		total += times[i];
	return total;
}

/* The states of a CPU cover the window, and those of a thread do not overlap. */
static void check_totals(const Sums *sums, guint64 length)
{
	for (guint i = 0; i < G_N_ELEMENTS(sums->cpus); i++)
		CU_ASSERT_EQUAL(sum(sums->cpus[i], LTT_N_CPU_STATES), length);
	for (guint i = 0; i < G_N_ELEMENTS(sums->threads); i++)
		CU_ASSERT_TRUE(sum(sums->threads[i], LTT_N_THREAD_STATES) <= length);
}

/* A window has the part of the whole that lies in it. */
static void test_random_windows(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(14);

	for (guint n = 0; n < 40; n++) {
		g_autofree char *lines = random_lines(random);
		g_autoptr(LttTrace) trace = states_scene(lines);
		guint64 start;
		guint64 end;

		g_assert(ltt_trace_get_span(trace, &start, &end));
		for (guint i = 0; i < 10; i++) {
			const guint64 from =
				(guint64)g_rand_int_range(random, (gint)start, (gint)end);
			const guint64 to = from + (guint64)g_rand_int_range(random, 1, 200);
			Sums of_window = {0};
			Sums of_whole = {0};

			add_up(trace, from, to, 0, G_MAXUINT64, &of_window);
			add_up(trace, 0, G_MAXUINT64, from, to, &of_whole);
			check_totals(&of_window, MIN(to, end) - from);
			CU_ASSERT_EQUAL(memcmp(&of_window, &of_whole, sizeof(Sums)), 0);
		}
	}
}

UNIT_MAIN("states", UNIT(test_running_and_waiting), UNIT(test_states_by_bits),
	  UNIT(test_what_it_waits_for), UNIT(test_nested_interrupts),
	  UNIT(test_halves_of_interrupts), UNIT(test_migration), UNIT(test_fork_and_exit),
	  UNIT(test_exec), UNIT(test_wakeup_races), UNIT(test_idle_threads), UNIT(test_lost_events),
	  UNIT(test_repeated_totals), UNIT(test_missing_switches),
	  UNIT(test_missing_switches_from_idle), UNIT(test_state_at_start), UNIT(test_no_states),
	  UNIT(test_random_windows))
