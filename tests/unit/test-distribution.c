/* Distributions: percentiles, histograms and comparisons, against plain computations. */
#include "unit.h"

#include <ltt/ltt-distribution.h>

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
	const guint64 first = *(const guint64 *)a;
	const guint64 second = *(const guint64 *)b;

	return first < second ? -1 : first > second;
}

/* Numbers of all magnitudes: a random one, shifted by a random number of bits. */
static guint64 any_number(GRand *random)
{
	const guint64 number = (guint64)g_rand_int(random) << 32 | g_rand_int(random);

	return number >> g_rand_int_range(random, 0, 64);
}

static void fill(LttDistribution *distribution, guint64 *numbers, guint n, guint32 seed)
{
	GRand *random = g_rand_new_with_seed(seed);

	for (guint i = 0; i < n; i++) {
		numbers[i] = any_number(random);
		ltt_distribution_add(distribution, numbers[i]);
	}
	qsort(numbers, n, sizeof(*numbers), compare_numbers);
	g_rand_free(random);
}

static const double percents[] = {0, 0.1, 1, 25, 50, 90, 99, 99.9, 100};

static void test_percentiles_are_exact(void)
{
	static const guint counts[] = {1, 2, 10, 999, 1000, 1001};
	guint64 numbers[1001];

	for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
		const guint n = counts[i];
		g_autoptr(LttDistribution) distribution = ltt_distribution_new();

		fill(distribution, numbers, n, n);
		CU_ASSERT_TRUE(ltt_distribution_is_exact(distribution));
		CU_ASSERT_EQUAL(ltt_distribution_get_min(distribution), numbers[0]);
		CU_ASSERT_EQUAL(ltt_distribution_get_max(distribution), numbers[n - 1]);
		for (guint j = 0; j < G_N_ELEMENTS(percents); j++) {
			/* In tenths of a percent, so that the product is exact. */
			const guint tenths = (guint)lrint(percents[j] * 10);
			const guint rank = MAX(1, (tenths * n + 999) / 1000);

			CU_ASSERT_EQUAL(ltt_distribution_get_percentile(distribution, percents[j]),
					numbers[rank - 1]);
		}
	}
}

/* Of many durations only a part is sorted for a percentile. */
static void test_percentiles_of_many(void)
{
	static guint64 numbers[20000];
	const guint n = G_N_ELEMENTS(numbers);

	for (guint i = 0; i < 3; i++) {
		g_autoptr(LttDistribution) distribution = ltt_distribution_new();

		fill(distribution, numbers, n - 1, i);
		numbers[n - 1] = G_MAXUINT64;
		ltt_distribution_add(distribution, numbers[n - 1]);
		for (guint rank = 1; rank <= n; rank += i == 0 ? 1 : 1999)
			if (ltt_distribution_get_percentile(distribution, rank * 100.0 / n) !=
			    numbers[rank - 1])
				CU_FAIL_FATAL("a percentile is wrong");
		/* After more durations. */
		ltt_distribution_add(distribution, 0);
		CU_ASSERT_EQUAL(ltt_distribution_get_percentile(distribution, 0), 0);
		CU_ASSERT_EQUAL(ltt_distribution_get_percentile(distribution, 100), G_MAXUINT64);
	}
}

/* All are equal, so all of them are in one bucket. */
static void test_percentiles_of_equals(void)
{
	g_autoptr(LttDistribution) distribution = ltt_distribution_new();

	for (guint i = 0; i < 5000; i++)
		ltt_distribution_add(distribution, 12345);
	for (guint j = 0; j < G_N_ELEMENTS(percents); j++)
		CU_ASSERT_EQUAL(ltt_distribution_get_percentile(distribution, percents[j]), 12345);
}

static void test_sketches_keep_their_promise(void)
{
	static guint64 numbers[20000];
	g_autoptr(LttDistribution) exact = ltt_distribution_new();
	g_autoptr(LttDistribution) sketch = ltt_distribution_new();

	fill(exact, numbers, G_N_ELEMENTS(numbers), 5);
	ltt_distribution_merge(sketch, exact);
	CU_ASSERT_TRUE(ltt_distribution_is_exact(sketch));
	ltt_distribution_reduce(sketch);
	CU_ASSERT_FALSE(ltt_distribution_is_exact(sketch));
	CU_ASSERT_EQUAL(ltt_distribution_get_n(sketch), G_N_ELEMENTS(numbers));
	CU_ASSERT_EQUAL(ltt_distribution_get_min(sketch), numbers[0]);
	CU_ASSERT_EQUAL(ltt_distribution_get_max(sketch), numbers[G_N_ELEMENTS(numbers) - 1]);
	CU_ASSERT_EQUAL(ltt_distribution_get_mean(sketch), ltt_distribution_get_mean(exact));
	for (guint i = 0; i < G_N_ELEMENTS(percents); i++) {
		const double right = (double)ltt_distribution_get_percentile(exact, percents[i]);
		const double got = (double)ltt_distribution_get_percentile(sketch, percents[i]);

		CU_ASSERT_TRUE(fabs(got - right) <= right * LTT_DISTRIBUTION_ERROR + 0.5);
	}
	/* What is merged into a sketch is counted, too. */
	ltt_distribution_merge(sketch, exact);
	CU_ASSERT_EQUAL(ltt_distribution_get_n(sketch), 2 * G_N_ELEMENTS(numbers));
}

static void check_histogram(LttDistribution *distribution, const guint64 *numbers, guint n,
			    guint max_rows)
{
	g_autoptr(GArray) rows = ltt_distribution_get_histogram(distribution, max_rows);
	guint at = 0;

	CU_ASSERT_TRUE(rows->len >= 1 && rows->len <= max_rows);
	CU_ASSERT_TRUE(g_array_index(rows, LttHistogramRow, 0).n > 0);
	CU_ASSERT_TRUE(g_array_index(rows, LttHistogramRow, rows->len - 1).n > 0);
	for (guint i = 0; i < rows->len; i++) {
		const LttHistogramRow *row = &g_array_index(rows, LttHistogramRow, i);
		guint64 in_row = 0;

		for (; at < n && (numbers[at] < row->to_ns || row->to_ns == G_MAXUINT64); at++) {
			CU_ASSERT_TRUE(numbers[at] >= row->from_ns);
			in_row++;
		}
		CU_ASSERT_EQUAL(row->n, in_row);
		CU_ASSERT_TRUE(i == 0 || row->from_ns == row[-1].to_ns);
	}
	CU_ASSERT_EQUAL(at, n);
}

static void test_histograms(void)
{
	guint64 numbers[1000];

	for (guint32 seed = 1; seed <= 8; seed++) {
		g_autoptr(LttDistribution) distribution = ltt_distribution_new();
		const guint n = seed == 1 ? 1 : G_N_ELEMENTS(numbers);

		fill(distribution, numbers, n, seed);
		for (guint max_rows = 1; max_rows <= 80; max_rows++)
			check_histogram(distribution, numbers, n, max_rows);
		ltt_distribution_reduce(distribution);
		for (guint max_rows = 1; max_rows <= 80; max_rows++)
			check_histogram(distribution, numbers, n, max_rows);
	}
}

static void add_all(LttDistribution *distribution, const guint64 *numbers, guint n)
{
	for (guint i = 0; i < n; i++)
		ltt_distribution_add(distribution, numbers[i]);
}

/* The expected U is the count over all pairs; p follows from it by the formula for ties. */
static void test_mann_whitney(void)
{
	static const guint64 before[] = {19, 22, 16, 29, 24, 21, 22, 30, 17, 25};
	static const guint64 after[] = {20, 11, 17, 12, 13, 19, 10, 22};
	g_autoptr(LttDistribution) first = ltt_distribution_new();
	g_autoptr(LttDistribution) second = ltt_distribution_new();
	LttDistributionChange change;
	LttDistributionChange back;

	add_all(first, before, G_N_ELEMENTS(before));
	CU_ASSERT_FALSE(ltt_distribution_compare(first, second, &change));
	add_all(second, after, G_N_ELEMENTS(after));
	CU_ASSERT_TRUE(ltt_distribution_compare(first, second, &change));
	CU_ASSERT_DOUBLE_EQUAL(change.later_is_longer, 12.0 / 80, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(change.p, 0.014244441556854642, 1e-12);
	CU_ASSERT_TRUE(ltt_distribution_compare(second, first, &back));
	CU_ASSERT_DOUBLE_EQUAL(back.later_is_longer, 1 - change.later_is_longer, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(back.p, change.p, 1e-12);
}

static void test_equal_sets_do_not_differ(void)
{
	g_autoptr(LttDistribution) first = ltt_distribution_new();
	g_autoptr(LttDistribution) second = ltt_distribution_new();
	LttDistributionChange change;

	for (guint i = 0; i < 100; i++) {
		ltt_distribution_add(first, 7);
		ltt_distribution_add(second, 7);
	}
	CU_ASSERT_TRUE(ltt_distribution_compare(first, second, &change));
	CU_ASSERT_EQUAL(change.later_is_longer, 0.5);
	CU_ASSERT_EQUAL(change.p, 1);
	ltt_distribution_reduce(second);
	CU_ASSERT_TRUE(ltt_distribution_compare(first, second, &change));
	CU_ASSERT_EQUAL(change.later_is_longer, 0.5);
}

static void assert_sum(const LttDistribution *distribution, const char *expected)
{
	g_autoptr(GString) text = g_string_new("=");

	ltt_distribution_append_sum(distribution, text);
	CU_ASSERT_STRING_EQUAL(text->str + 1, expected);
}

/* Sums that a double, or 64 bits, cannot hold, and those around the groups of digits. */
static void test_sums(void)
{
	g_autoptr(LttDistribution) distribution = ltt_distribution_new();
	g_autoptr(LttDistribution) copy = ltt_distribution_new();

	assert_sum(distribution, "0");
	ltt_distribution_add(distribution, G_GUINT64_CONSTANT(8589934589999998001));
	assert_sum(distribution, "8589934589999998001");
	ltt_distribution_add(distribution, G_GUINT64_CONSTANT(1410065410000001998));
	assert_sum(distribution, "9999999999999999999");
	ltt_distribution_add(distribution, 1);
	assert_sum(distribution, "10000000000000000000");
	ltt_distribution_add(distribution, 7);
	ltt_distribution_merge(copy, distribution);
	ltt_distribution_reduce(distribution);
	for (guint i = 0; i < 60; i++) {
		g_autoptr(LttDistribution) same = ltt_distribution_new();

		ltt_distribution_merge(same, distribution);
		ltt_distribution_merge(distribution, same);
	}
	assert_sum(distribution, "11529215046068469768070450532247928832"); /* * 2^60 */
	ltt_distribution_reduce(copy);
	assert_sum(copy, "10000000000000000007");
}

UNIT_MAIN("distributions", UNIT(test_percentiles_are_exact), UNIT(test_percentiles_of_many),
	  UNIT(test_percentiles_of_equals), UNIT(test_sketches_keep_their_promise),
	  UNIT(test_histograms), UNIT(test_mann_whitney), UNIT(test_equal_sets_do_not_differ),
	  UNIT(test_sums))
