/* Few messages, far from the ends of a trace: the bound holds at every time. */
#include "unit.h"

#include "sync/line-priv.h"

#include <math.h>

#define START_NS   (1700000000 * (guint64)1000000000)
#define SECOND_NS  1000000000
#define OFFSET_NS  (-137000000)
#define N_SEEDS    3000
#define WANDER     1e-6
#define MOST_DRIFT 300 /* ppm */

/* Two clocks that drift apart evenly. Times are relative to START_NS. */
typedef struct Clocks {
	double drift; /* ns per ns */
	LttSyncPoints points;
} Clocks;

static double get_second(const Clocks *clocks, double first_ns)
{
	return first_ns + OFFSET_NS + clocks->drift * first_ns;
}

/* @first_ns: at the end of the message at the first clock */
static void add_message(Clocks *clocks, LttSyncSide side, double first_ns, double delay_ns)
{
	const double at_ns = side == LTT_SYNC_ABOVE ? first_ns + delay_ns : first_ns - delay_ns;

	ltt_sync_points_add(&clocks->points, side, START_NS + (guint64)(gint64)floor(first_ns),
			    START_NS + (guint64)(gint64)floor(get_second(clocks, at_ns)));
}

/* Returns: the error of the line at a time of the first clock */
static double get_error(const Clocks *clocks, const LttSyncLine *line, gint64 time_ns)
{
	const guint64 at_ns = ltt_clock_map_at(line->map, START_NS + (guint64)time_ns);

	return fabs((double)(gint64)(at_ns - START_NS) - get_second(clocks, (double)time_ns));
}

static LttSyncLine *new_line(const Clocks *clocks)
{
	g_autoptr(GError) error = NULL;
	LttSyncRelation relation;
	LttSyncLine *line;
	double bad_x;

	CU_ASSERT_FATAL(ltt_sync_relate(&clocks->points, WANDER, &relation, &bad_x));
	line = ltt_sync_line_new(&clocks->points, &relation, &error);
	UNIT_ASSERT_OK(line != NULL, error);
	ltt_sync_relation_clear(&relation);
	return line;
}

/* From a second before the messages to a second after them. */
static void check_bound(const Clocks *clocks, guint seed)
{
	LttSyncLine *line = new_line(clocks);

	for (gint64 time_ns = -SECOND_NS; time_ns <= 2 * (gint64)SECOND_NS;
	     time_ns += SECOND_NS / 20) {
		const guint64 at_ns = START_NS + (guint64)time_ns;
		const double bound_ns = ltt_sync_line_get_bound(line, at_ns, at_ns);
		const double error_ns = get_error(clocks, line, time_ns);

		if (error_ns > bound_ns + 1)
			g_printerr("seed %u: at %" G_GINT64_FORMAT " ns: error %.0f ns, bound %.0f "
				   "ns\n",
				   seed, time_ns, error_ns, bound_ns);
		CU_ASSERT_TRUE(error_ns <= bound_ns + 1);
	}
	ltt_sync_line_free(line);
}

static gint compare_doubles(gconstpointer a, gconstpointer b)
{
	const double *first = a;
	const double *second = b;

	return *first < *second ? -1 : *first > *second;
}

static void test_random_messages(void)
{
	for (guint seed = 1; seed <= N_SEEDS; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		const guint n_messages = (guint)g_rand_int_range(random, 2, 12);
		const double span_ns = pow(10, g_rand_double_range(random, 3, 9));
		const double delay_ns = pow(10, g_rand_double_range(random, 2, 7));
		double times[12];
		Clocks clocks = {.drift = g_rand_double_range(random, -MOST_DRIFT, MOST_DRIFT) *
					  1e-6};

		for (guint i = 0; i < n_messages; i++)
			times[i] = g_rand_double_range(random, 0, span_ns);
		qsort(times, n_messages, sizeof(*times), compare_doubles);
		ltt_sync_points_init(&clocks.points);
		for (guint i = 0; i < n_messages; i++) {
			const double late_ns = delay_ns * g_rand_double_range(random, 0.1, 3);
			const gboolean is_above = i < 2 ? i == 0 : g_rand_boolean(random);

			add_message(&clocks, is_above ? LTT_SYNC_ABOVE : LTT_SYNC_BELOW, times[i],
				    late_ns);
		}
		check_bound(&clocks, seed);
		ltt_sync_points_clear(&clocks.points);
	}
}

/* A request and its reply, 50 ms apart, with delays of 1 ms and 10 ms: they do not determine the rate. */
static void test_a_request_and_a_reply(void)
{
	Clocks clocks = {.drift = 0};
	LttSyncLine *line;

	ltt_sync_points_init(&clocks.points);
	add_message(&clocks, LTT_SYNC_ABOVE, 0, 10e6);
	add_message(&clocks, LTT_SYNC_BELOW, 50e6, 1e6);
	line = new_line(&clocks);
	CU_ASSERT_TRUE(fabs(ltt_clock_map_get_rate_ppm(line->map)) < 0.1);
	/* Half of both delays, and what a rate of 2,000 ppm adds in 50 ms. */
	CU_ASSERT_TRUE(ltt_sync_line_get_bound(line, START_NS, START_NS) < 5.7e6);
	ltt_sync_line_free(line);
	ltt_sync_points_clear(&clocks.points);
}

UNIT_MAIN("sync-bound", UNIT(test_random_messages), UNIT(test_a_request_and_a_reply))
