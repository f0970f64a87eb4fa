/* The map from cycles to time: bends, and lines between them. */
#include "unit.h"

#include "session/clock.h"

#include <glib.h>
#include <string.h>
#include <time.h>

enum { BITS = 36 };

#define LAST ((1ull << (64 - BITS)) - 3)

static guint64 bend(guint64 number, gint64 correction)
{
	return (number + 1) << BITS | ((guint64)correction & ((1ull << BITS) - 1));
}

/* A map of a clock of 1 GHz: bends each 2000 cycles; the first bends. */
static struct lttp_head *new_head(void)
{
	struct lttp_head *head = g_new0(struct lttp_head, 1);

	head->counter = LTTP_COUNTER_MONOTONIC;
	head->cycles_per_second = 1000000000;
	head->start_cycles = 1000000;
	head->start_ns = 5000000;
	head->start_monotonic_ns = 1000000;
	head->bend_cycles = 2000;
	head->bend_ns = 4000;
	for (unsigned i = 0; i < 3; i++)
		head->bends[i] = bend(i, 0);
	return head;
}

#define CHECK_MAP(head, at, expected_ns, end_cycles, end_ns)                                       \
	G_STMT_START                                                                               \
	{                                                                                          \
		struct lttp_instant now = {0, 0}, end = {0, 0};                                    \
		CU_ASSERT_TRUE(lttp_clock_map(head, at, &now, &end));                              \
		CU_ASSERT_EQUAL(now.cycles, at);                                                   \
		CU_ASSERT_EQUAL(now.ns, expected_ns);                                              \
		CU_ASSERT_EQUAL(end.cycles, end_cycles);                                           \
		CU_ASSERT_EQUAL(end.ns, end_ns);                                                   \
	}                                                                                          \
	G_STMT_END

static void test_lines(void)
{
	g_autofree struct lttp_head *head = new_head();

	/* The last bend is more than one step away: nothing is added. */
	CHECK_MAP(head, 1000000, 5000000, 1002000, 5004000);
	CHECK_MAP(head, 1000001, 5000002, 1002000, 5004000);
	CHECK_MAP(head, 1001999, 5003998, 1002000, 5004000);
	CU_ASSERT_EQUAL(head->bends[3], 0);
	/* A corrected bend: in units of 32 ns. */
	head->bends[1] = bend(1, 10);
	CHECK_MAP(head, 1001000, 5002160, 1002000, 5004320);
	head->bends[1] = bend(1, -10);
	CHECK_MAP(head, 1001000, 5001840, 1002000, 5003680);
	head->bends[3] = bend(3, 5);
	CHECK_MAP(head, 1002000, 5003680, 1004000, 5008000);
	CHECK_MAP(head, 1003000, 5005840, 1004000, 5008000);
	CU_ASSERT_EQUAL(head->bends[4], 0);
}

static void test_old_values(void)
{
	g_autofree struct lttp_head *head = new_head();
	struct lttp_instant now, end;

	CU_ASSERT_FALSE(lttp_clock_map(head, 999999, &now, &end));
	/* A damaged map. */
	for (unsigned i = 0; i < LTTP_BENDS; i++)
		head->bends[i] = bend(LAST, 0);
	CU_ASSERT_FALSE(lttp_clock_map(head, 1000000, &now, &end));
	CU_ASSERT_EQUAL(head->bends[0], bend(LAST, 0));
}

/* After the last bend the map is a line, with the speed of the whole map until then. */
static void test_last_bend(void)
{
	const guint64 last_cycles = 1000000 + LAST * 2000, last_ns = 5000000 + LAST * 4000;
	g_autofree struct lttp_head *head = new_head();
	struct lttp_instant at, until;

	head->bends[0] = bend(LAST - 1, 0);
	head->bends[1] = bend(LAST, 0);
	CHECK_MAP(head, last_cycles - 1000, last_ns - 2000, last_cycles, last_ns);
	CHECK_MAP(head, last_cycles, last_ns, last_cycles + 2000, last_ns + 4000);
	CHECK_MAP(head, last_cycles + 1999, last_ns + 3998, last_cycles + 2000, last_ns + 4000);
	CHECK_MAP(head, last_cycles + 2000, last_ns + 4000, last_cycles + 4000, last_ns + 8000);
	/* Twice as many steps. */
	CHECK_MAP(head, last_cycles + LAST * 2000 + 1000, last_ns + LAST * 4000 + 2000,
		  last_cycles + LAST * 2000 + 2000, last_ns + LAST * 4000 + 4000);
	CU_ASSERT_EQUAL(head->bends[2], bend(2, 0));
	CU_ASSERT_EQUAL(head->bends[3], 0);
	/* 128 ns less in that many steps. */
	head->bends[1] = bend(LAST, -4);
	CHECK_MAP(head, last_cycles + LAST * 2000, last_ns - 128 + LAST * 4000 - 128,
		  last_cycles + LAST * 2000 + 2000, last_ns - 128 + (LAST + 1) * 4000 - 129);
	/* The last bend follows an earlier one after a long pause. */
	head->bends[0] = bend(0, 0);
	head->bends[1] = bend(1, 0);
	CU_ASSERT_TRUE(lttp_clock_map(head, last_cycles + 1000, &at, &until));
	CU_ASSERT_EQUAL(head->bends[3] >> BITS, LAST + 1);
	CU_ASSERT_EQUAL(until.cycles, last_cycles + 2000);
}

/* The number of a bend, and its deviation from the initial speed in ns. */
static gint64 correction_of(guint64 word, guint64 number)
{
	CU_ASSERT_EQUAL((word >> BITS) - 1, number);
	return ((gint64)(word << (64 - BITS)) >> (64 - BITS)) * 32;
}

/* Returns: the time between the bends of a map that started ten of them before @now_ns, when the machine ran. It is
 * so long that a preempted test does not matter */
static guint64 bends_before(guint64 now_ns)
{
	return MIN(now_ns / 20, 100000000000) / 64 * 64; /* corrections are in units of 32 ns */
}

/* A head whose clock is as fast as the counter, @speed times as fast as the map began, and that has three bends, from @first on.
 * Its tenth step ends at the present: @ns. */
static struct lttp_head *new_head_at(guint64 *ns, double speed, unsigned first)
{
	struct lttp_head *head = g_new0(struct lttp_head, 1);
	guint64 step;

	head->counter = LTTP_COUNTER_MONOTONIC;
	*ns = lttp_clock_read(head);
	step = bends_before(*ns);
	head->cycles_per_second = 1000000000;
	head->start_cycles = head->start_monotonic_ns = *ns - 10 * step;
	head->start_ns = 1ull << 60;
	head->bend_cycles = step;
	head->bend_ns = (guint64)((double)step / speed);
	for (unsigned i = 0; i < 3; i++)
		head->bends[i] =
			bend(first + i,
			     (gint64)((first + i) * ((double)step - (double)head->bend_ns) / 32));
	return head;
}

/* A bend is an estimate of the clock. */
static void check_estimate(double speed, double expected_share)
{
	guint64 ns;
	g_autofree struct lttp_head *head = new_head_at(&ns, speed, 8);
	const guint64 step = head->bend_cycles;
	struct lttp_instant now, end;
	gint64 correction;

	CU_ASSERT_TRUE(lttp_clock_map(head, ns, &now, &end));
	CU_ASSERT_EQUAL(head->bends[4], 0);
	CU_ASSERT_NOT_EQUAL(head->bends[3], 0);
	/* The next bend, 12: at least one step after now. */
	correction = correction_of(head->bends[3], 12);
	CU_ASSERT_DOUBLE_EQUAL((double)correction + 12 * (double)head->bend_ns,
			       (10 + 2 * expected_share) * (double)step, (double)step / 100);
	CU_ASSERT_EQUAL(end.cycles, head->start_cycles + 12 * head->bend_cycles);
	CU_ASSERT_DOUBLE_EQUAL((double)(now.ns - head->start_ns), 10 * (double)step,
			       (double)step / 1000);
}

/* A bend that the counter has passed when the thread estimates it: the thread was stopped after it had read the counter. */
static void check_late_estimate(double speed)
{
	guint64 ns;
	g_autofree struct lttp_head *head = new_head_at(&ns, speed, 3);
	const guint64 step = head->bend_cycles;
	struct lttp_instant now, end;

	CU_ASSERT_TRUE(lttp_clock_map(head, ns - 5 * step, &now, &end));
	CU_ASSERT_DOUBLE_EQUAL((double)correction_of(head->bends[3], 7) + 7 * (double)head->bend_ns,
			       7 * (double)step, (double)step / 100);
	CU_ASSERT_DOUBLE_EQUAL((double)(end.ns - now.ns), 2 * (double)step, (double)step / 100);
}

static void test_estimates(void)
{
	check_late_estimate(1);
	check_late_estimate(1.5);
	check_late_estimate(0.75);
	check_estimate(1, 1);
	check_estimate(1.5, 1);
	check_estimate(0.75, 1);
}

/* Between half and twice the initial speed: a clock that was set does not turn the map back. */
static void test_limits(void)
{
	for (int i = 0; i < 2; i++) {
		guint64 ns;
		g_autofree struct lttp_head *head = new_head_at(&ns, 1, 8);
		const guint64 step = head->bend_cycles;
		struct lttp_instant now, end;

		head->start_monotonic_ns = i == 0 ? ns - 1 : ns - 1000 * step;
		CU_ASSERT_TRUE(lttp_clock_map(head, ns, &now, &end));
		/* From bend 10, two steps. */
		CU_ASSERT_EQUAL(end.ns - head->start_ns, (i == 0 ? 11 : 14) * step);
	}
}

/* The oldest bend is replaced. */
static void test_ring(void)
{
	g_autofree struct lttp_head *head = new_head();
	struct lttp_instant now, end;

	head->start_cycles = head->start_monotonic_ns = lttp_clock_read(head) - 100000000;
	head->bend_cycles = 4000000;
	head->bend_ns = 4000000;
	for (unsigned i = 0; i < LTTP_BENDS; i++)
		head->bends[i] = bend(10 + (i + 3) % LTTP_BENDS, 0);
	CU_ASSERT_EQUAL(head->bends[5], bend(10, 0));
	CU_ASSERT_TRUE(lttp_clock_map(head, head->start_cycles + 16 * 4000000 + 1, &now, &end));
	CU_ASSERT_EQUAL(head->bends[5] >> BITS, 18 + 1);
	CU_ASSERT_EQUAL(head->bends[6], bend(11, 0));
	CU_ASSERT_EQUAL(head->bends[4], bend(17, 0));
	CU_ASSERT_EQUAL(end.cycles, head->start_cycles + 17 * 4000000);
	/* After a pause of 100 steps: none of them is needed. */
	CU_ASSERT_TRUE(lttp_clock_map(head, head->start_cycles + 118 * 4000000ull + 1, &now, &end));
	CU_ASSERT_EQUAL(head->bends[6] >> BITS, 120 + 1);
	CU_ASSERT_EQUAL(end.cycles, head->start_cycles + 120 * 4000000ull);
}

/* A line of a new session passes through the present time. */
static void test_start(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	struct lttp_instant now, end;
	struct timespec before, after;
	const guint32 beats_ms[] = {1000, 3600000, 1};

	for (unsigned i = 0; i < 3; i++) {
		guint64 second, beat, step;

		memset(head, 0, sizeof(*head));
		clock_gettime(CLOCK_REALTIME, &before);
		lttp_clock_start(head, beats_ms[i]);
		CU_ASSERT_TRUE(lttp_clock_now(head, &now));
		clock_gettime(CLOCK_REALTIME, &after);
		CU_ASSERT_TRUE(now.ns + 1000000 >=
			       (guint64)before.tv_sec * 1000000000 + (guint64)before.tv_nsec);
		CU_ASSERT_TRUE(now.ns <= (guint64)after.tv_sec * 1000000000 +
						 (guint64)after.tv_nsec + 1000000);
		CU_ASSERT_EQUAL(head->counter, lttp_clock_counter());
		second = head->cycles_per_second;
		CU_ASSERT_TRUE(second >= 1000000 && second <= 100000000000);
		beat = head->beat_cycles;
		CU_ASSERT_EQUAL(beat,
				(guint64)((unsigned __int128)second * beats_ms[i] / 1000) + 1);
		step = MIN(MAX(second, beat), 1u << 31);
		CU_ASSERT_EQUAL(head->bend_cycles, step);
		CU_ASSERT_EQUAL(head->bend_ns,
				(guint64)((unsigned __int128)step * 1000000000 / second));
		for (unsigned k = 0; k < 3; k++)
			CU_ASSERT_EQUAL(head->bends[k], bend(k, 0));
		CU_ASSERT_TRUE(lttp_clock_map(head, lttp_clock_read(head), &now, &end));
		CU_ASSERT_EQUAL(end.cycles, head->start_cycles + step);
		CU_ASSERT_TRUE(now.cycles >= head->start_cycles);
	}
}

static void test_counters(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	guint64 first, second;

	CU_ASSERT_TRUE(lttp_clock_readable(LTTP_COUNTER_MONOTONIC));
	CU_ASSERT_TRUE(lttp_clock_readable(lttp_clock_counter()));
	CU_ASSERT_FALSE(lttp_clock_readable(99));
#if defined(__x86_64__)
	CU_ASSERT_FALSE(lttp_clock_readable(LTTP_COUNTER_CNTVCT));
	CU_ASSERT_TRUE(lttp_clock_readable(LTTP_COUNTER_TSC));
	{
		g_autofree char *source = NULL;
		g_file_get_contents(
			"/sys/devices/system/clocksource/clocksource0/current_clocksource", &source,
			NULL, NULL);
		CU_ASSERT_EQUAL(lttp_clock_counter(), g_strcmp0(source, "tsc\n") == 0
							      ? LTTP_COUNTER_TSC
							      : LTTP_COUNTER_MONOTONIC);
	}
#endif
#if defined(__x86_64__)
	head->counter = LTTP_COUNTER_TSC;
	first = __builtin_ia32_rdtsc();
	second = lttp_clock_read(head);
	CU_ASSERT_TRUE(first <= second && second <= __builtin_ia32_rdtsc());
#endif
	head->counter = lttp_clock_counter();
	first = lttp_clock_read(head);
	second = lttp_clock_read(head);
	CU_ASSERT_TRUE(first <= second);
}

UNIT_MAIN("session-clock", UNIT(test_lines), UNIT(test_old_values), UNIT(test_last_bend),
	  UNIT(test_estimates), UNIT(test_limits), UNIT(test_ring), UNIT(test_start),
	  UNIT(test_counters))
