/* Fitted time values reproduce the times of the events exactly. */
#include "edit/fit-priv.h"
#include "unit.h"

#include "writer/block-writer-priv.h"

#include <ltt/ltt-time.h>

#define MAX_EVENTS 200

typedef struct Case {
	LttTimeValue from;
	LttInstant events[MAX_EVENTS];
	gsize n_events;
} Case;

/* Computes the times of events between @from and @to like a reader. */
static void expect_times(const Case *given, const LttTimeValue *to)
{
	const LttRate rate = ltt_rate_between(&given->from, to);
	guint64 most_ns = given->from.time_ns;

	for (gsize i = 0; i < given->n_events; i++) {
		guint64 time_ns;

		ltt_clock_times(&given->from, &rate, &given->events[i].cycles, 1, &time_ns);
		CU_ASSERT_EQUAL(time_ns, given->events[i].time_ns);
		most_ns = MAX(most_ns, time_ns);
	}
	CU_ASSERT(to->time_ns <= most_ns);
	CU_ASSERT(to->time_ns <= LTT_MAX_FOUND_NS);
	CU_ASSERT(to->cycles >= given->from.cycles);
}

/* Events up to @most_cycles after the time value, at a rate. */
static void fill(Case *given, GRand *random, const LttRate *rate, guint32 most_cycles)
{
	given->n_events = (gsize)g_rand_int_range(random, 1, MAX_EVENTS);
	for (gsize i = 0; i < given->n_events; i++) {
		LttInstant *event = &given->events[i];

		event->cycles =
			given->from.cycles + (guint64)(g_rand_double(random) * (double)most_cycles);
		ltt_clock_times(&given->from, rate, &event->cycles, 1, &event->time_ns);
	}
}

static void test_random_rates(void)
{
	static const guint32 spans[] = {10, 1000, 1000000, G_MAXUINT32};
	GRand *random = g_rand_new_with_seed(7);
	guint n_found = 0;

	for (guint i = 0; i < 4000; i++) {
		const guint64 dc = g_rand_int_range(random, 1, G_MAXINT32);
		const LttRate rate = {g_rand_int_range(random, -1000, G_MAXINT32), dc};
		Case given = {.from = {(guint64)g_rand_int(random) << 20,
				       1050000000 * (guint64)LTT_NS_PER_S}};
		LttTimeValue to;

		fill(&given, random, &rate, spans[i % G_N_ELEMENTS(spans)]);
		if (!ltt_fit(&given.from, given.events, given.n_events, &to))
			continue;
		expect_times(&given, &to);
		n_found++;
	}
	CU_ASSERT_EQUAL(n_found, 4000);
	g_rand_free(random);
}

/* At one nanosecond per cycle the last event itself is the time value. */
static void test_the_last_event_if_it_can_be(void)
{
	Case given = {.from = {100, 5000}, .events = {{110, 5010}, {170, 5070}}, .n_events = 2};
	LttTimeValue to;

	CU_ASSERT_TRUE(ltt_fit(&given.from, given.events, given.n_events, &to));
	CU_ASSERT_EQUAL(to.cycles, 170);
	CU_ASSERT_EQUAL(to.time_ns, 5070);
}

/* 7/3 of a nanosecond per cycle: the line to the last event does not reproduce the second one. */
static void test_the_simplest_rate(void)
{
	Case given = {.from = {0, 0}, .events = {{1, 2}, {3, 7}, {10, 23}}, .n_events = 3};
	LttTimeValue to;

	CU_ASSERT_TRUE(ltt_fit(&given.from, given.events, given.n_events, &to));
	CU_ASSERT_EQUAL(to.cycles, 9);
	CU_ASSERT_EQUAL(to.time_ns, 21);
	expect_times(&given, &to);
}

static void test_no_events_behind(void)
{
	Case given = {.from = {5, 6}, .events = {{5, 6}, {5, 6}}, .n_events = 2};
	LttTimeValue to;

	CU_ASSERT_TRUE(ltt_fit(&given.from, given.events, given.n_events, &to));
	CU_ASSERT_EQUAL(to.cycles, 5);
	CU_ASSERT_EQUAL(to.time_ns, 6);
}

/* Times clamped to 0, as those of a clock set far back. */
static void test_times_cut_off_at_zero(void)
{
	Case given = {.from = {0, 1000},
		      .events = {{1, 993}, {100, 300}, {200, 0}, {5000, 0}},
		      .n_events = 4};
	LttTimeValue to;

	CU_ASSERT_TRUE(ltt_fit(&given.from, given.events, given.n_events, &to));
	expect_times(&given, &to);
}

static void test_what_cannot_be_said(void)
{
	const Case beyond = {.from = {0, 1}, .events = {{1, LTT_MAX_TIME_NS}}, .n_events = 1};
	const Case contrary = {.from = {0, 0}, .events = {{10, 10}, {20, 50}}, .n_events = 2};
	const Case wrapping = {.from = {G_MAXUINT64, 0}, .events = {{3, 8}}, .n_events = 1};
	LttTimeValue to;

	CU_ASSERT_FALSE(ltt_fit(&beyond.from, beyond.events, 1, &to));
	CU_ASSERT_FALSE(ltt_fit(&contrary.from, contrary.events, 2, &to));
	CU_ASSERT_FALSE(ltt_fit(&wrapping.from, wrapping.events, 1, &to));
}

UNIT_MAIN("fit", UNIT(test_random_rates), UNIT(test_the_last_event_if_it_can_be),
	  UNIT(test_the_simplest_rate), UNIT(test_no_events_behind),
	  UNIT(test_times_cut_off_at_zero), UNIT(test_what_cannot_be_said))
