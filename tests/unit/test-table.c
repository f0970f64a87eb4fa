/* Tables: the rows are the events of the type, in all ways of reading. */
#include "support-random-trace.h"
#include "support-table.h"
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-value.h>

#include <string.h>

static const char *const samples[] = {
	"big-endian", "crashed", "every-type",  "flight-recorder",
	"heartbeats", "one-cpu", "sparse-cpus", "two-versions",
};

/* Reads a table in one way, and compares. Returns: the number of rows */
static guint64 check_table(const LttTableRequest *given, LttTrace *trace, const char *label)
{
	const LttTable *table = given->table;
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTableReader) reader = ltt_table_read(given, &error);
	TableSource source;
	LttBatch *batch;
	guint64 n_rows = 0;
	guint64 n_wrong = 0;

	UNIT_ASSERT_OK(reader != NULL, error);
	table_source_init(&source, trace, given->is_ordered);
	while (ltt_table_reader_next(reader, &batch, &error) == LTT_STEP_EVENT) {
		CU_ASSERT_TRUE(ltt_batch_get_n_rows(batch) > 0);
		for (gsize i = 0; i < ltt_batch_get_n_rows(batch); i++) {
			const LttEvent *event = table_source_next(&source, table);

			n_wrong += event == NULL || !table_row_is(table, batch, i, event);
		}
		n_rows += ltt_batch_get_n_rows(batch);
		ltt_batch_unref(batch);
	}
	CU_ASSERT_PTR_NULL(error);
	n_wrong += table_source_next(&source, table) != NULL;
	if (n_wrong > 0)
		g_printerr("# %s: %s: %" G_GUINT64_FORMAT " rows differ\n", label,
			   ltt_table_get_name(table), n_wrong);
	CU_ASSERT_EQUAL(n_wrong, 0);
	table_source_clear(&source);
	return n_rows;
}

/* Reads all tables of a trace, in every way. Returns: the number of rows */
static guint64 check_trace(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTrace) trace = ltt_trace_open(path, &error);
	g_autoptr(LttTables) tables = NULL;
	g_autoptr(GArray) single = NULL;
	guint64 n_rows = 0;

	UNIT_ASSERT_OK(trace != NULL, error);
	tables = ltt_tables_new(trace);
	single = ltt_partitions_new(trace, NULL, 1);
	for (guint i = 0; i < ltt_tables_get_n(tables); i++) {
		LttTableRequest request = {
			.table = ltt_tables_get(tables, i),
			.n_threads = 1,
		};
		guint64 n_here;

		n_here = check_table(&request, trace, path);
		n_rows += n_here;
		request.batch_rows = 3;
		CU_ASSERT_EQUAL(check_table(&request, trace, path), n_here);
		request.n_threads = 3;
		CU_ASSERT_EQUAL(check_table(&request, trace, path), n_here);
		request.partitions = (const LttPartition *)(gpointer)single->data;
		request.n_partitions = single->len;
		CU_ASSERT_EQUAL(check_table(&request, trace, path), n_here);
		request.partitions = NULL;
		request.is_ordered = TRUE;
		CU_ASSERT_EQUAL(check_table(&request, trace, path), n_here);
	}
	return n_rows;
}

static void test_samples(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(samples); i++) {
		g_autofree char *name = g_build_filename("ltt", samples[i], NULL);
		char *path = unit_data_path(name);

		CU_ASSERT_TRUE(check_trace(path) > 0);
		free(path);
	}
}

static void test_random_traces(void)
{
	for (guint32 seed = 1; seed <= 24; seed++) {
		const LttArch arch = {
			.byte_order = seed % 2 ? LTT_LITTLE_ENDIAN : LTT_BIG_ENDIAN,
			.size = (LttArchSize)(seed / 2 % LTT_N_ARCH_SIZES),
		};
		g_autofree char *name = g_strdup_printf("random-%u", seed);
		char *path = unit_temp_path(name);
		RandomTrace random;

		random_trace_init(&random, arch, seed % 3 ? 512 : 4096, seed);
		random_trace_write(&random, path);
		CU_ASSERT_TRUE(check_trace(path) > 0);
		random_trace_clear(&random);
		free(path);
	}
}

/* ---- one table ---- */

/* A trace of two CPUs: 4 blocks of 1 KiB in each, and more. */
static LttTrace *open_random(void)
{
	const LttArch arch = {.byte_order = LTT_BIG_ENDIAN, .size = LTT_LP64};
	char *path = unit_temp_path("random-one");
	g_autoptr(GError) error = NULL;
	RandomTrace random;
	LttTrace *trace;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		random_trace_init(&random, arch, 1024, 5);
		random_trace_write(&random, path);
		random_trace_clear(&random);
	}
	trace = ltt_trace_open(path, &error);
	UNIT_ASSERT_OK(trace != NULL, error);
	free(path);
	return trace;
}

/* The table with the most rows. */
static const LttTable *find_longest(LttTrace *trace, const LttTables *tables, guint64 *n_rows)
{
	const LttTable *longest = NULL;

	*n_rows = 0;
	for (guint i = 0; i < ltt_tables_get_n(tables); i++) {
		const LttTableRequest request = {.table = ltt_tables_get(tables, i)};
		const guint64 n = check_table(&request, trace, "random-one");

		if (n > *n_rows) {
			*n_rows = n;
			longest = request.table;
		}
	}
	return longest;
}

/* Reads all rows, and adds their times to @times. Returns: the number of rows */
static guint64 read_times(const LttTableRequest *given, GArray *times)
{
	static const char *const columns[] = {"time", NULL};
	LttTableRequest request = *given;
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTableReader) reader = NULL;
	LttBatch *batch;
	guint64 n_rows = 0;

	request.columns = columns;
	reader = ltt_table_read(&request, &error);
	UNIT_ASSERT_OK(reader != NULL, error);
	CU_ASSERT_EQUAL(ltt_table_reader_get_n_columns(reader), 1);
	CU_ASSERT_STRING_EQUAL(ltt_table_reader_get_column(reader, 0)->name, "time");
	while (ltt_table_reader_next(reader, &batch, &error) == LTT_STEP_EVENT) {
		g_array_append_vals(times, ltt_batch_get_array(batch, 0)->values,
				    (guint)ltt_batch_get_n_rows(batch));
		n_rows += ltt_batch_get_n_rows(batch);
		ltt_batch_unref(batch);
	}
	CU_ASSERT_PTR_NULL(error);
	return n_rows;
}

static void test_window_and_cpus(void)
{
	g_autoptr(LttTrace) trace = open_random();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(gint64));
	guint64 n_rows;
	const LttTable *table = find_longest(trace, tables, &n_rows);
	LttTableRequest request = {.table = table, .is_ordered = TRUE};
	guint64 from_ns;
	guint64 to_ns;
	guint64 n_expected = 0;

	CU_ASSERT_EQUAL(read_times(&request, all), n_rows);
	from_ns = (guint64)g_array_index(all, gint64, all->len / 4);
	to_ns = (guint64)g_array_index(all, gint64, all->len / 2);
	for (guint i = 0; i < all->len; i++) {
		const guint64 time_ns = (guint64)g_array_index(all, gint64, i);

		n_expected += time_ns >= from_ns && time_ns < to_ns;
		CU_ASSERT_TRUE(i == 0 || time_ns >= (guint64)g_array_index(all, gint64, i - 1));
	}
	CU_ASSERT_TRUE(n_expected > 0 && n_expected < n_rows);
	ltt_select_set_window(select, from_ns, to_ns);
	for (guint i = 0; i < 4; i++) {
		g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));

		request = (LttTableRequest){
			.table = table, .select = select, .is_ordered = i == 3, .n_threads = i};
		CU_ASSERT_EQUAL(read_times(&request, times), n_expected);
		for (guint j = 0; j < times->len; j++) {
			CU_ASSERT_TRUE((guint64)g_array_index(times, gint64, j) >= from_ns);
			CU_ASSERT_TRUE((guint64)g_array_index(times, gint64, j) < to_ns);
		}
	}
}

static void test_cpus(void)
{
	g_autoptr(LttTrace) trace = open_random();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));
	guint64 n_rows;
	const LttTable *table = find_longest(trace, tables, &n_rows);
	const char *const columns[] = {"cpu", NULL};
	LttTableRequest request = {.table = table, .select = select, .columns = columns};
	g_autoptr(LttTableReader) reader = NULL;
	g_autoptr(GArray) partitions = NULL;
	LttBatch *batch;
	guint64 n_of_cpu = 0;

	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "1", NULL));
	reader = ltt_table_read(&request, NULL);
	while (ltt_table_reader_next(reader, &batch, NULL) == LTT_STEP_EVENT) {
		const LttArray *cpus = ltt_batch_get_array(batch, 0);

		CU_ASSERT_EQUAL(cpus->n_nulls, 0);
		for (gsize i = 0; i < cpus->n_values; i++)
			CU_ASSERT_EQUAL(((const gint32 *)cpus->values)[i], 1);
		n_of_cpu += cpus->n_values;
		ltt_batch_unref(batch);
	}
	CU_ASSERT_TRUE(n_of_cpu > 0 && n_of_cpu < n_rows);
	/* Also with given partitions. */
	partitions = ltt_partitions_new(trace, NULL, 1);
	request.partitions = (const LttPartition *)(gpointer)partitions->data;
	request.n_partitions = partitions->len;
	CU_ASSERT_EQUAL(read_times(&request, times), n_of_cpu);
}

static void test_filter(void)
{
	g_autoptr(LttTrace) trace = open_random();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttFilter) filter = ltt_filter_new("cpu == 1", NULL);
	g_autoptr(LttFilter) none = ltt_filter_new("no_such_field == 1", NULL);
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));
	guint64 n_rows;
	const LttTable *table = find_longest(trace, tables, &n_rows);
	guint64 n_of_filter;

	ltt_select_set_filter(select, filter);
	n_of_filter = read_times(&(LttTableRequest){.table = table, .select = select}, times);
	CU_ASSERT_TRUE(n_of_filter > 0 && n_of_filter < n_rows);
	CU_ASSERT_EQUAL(read_times(&(LttTableRequest){.table = table,
						      .select = select,
						      .n_threads = 1,
						      .is_ordered = TRUE},
				   times),
			n_of_filter);
	ltt_select_set_filter(select, none);
	CU_ASSERT_EQUAL(read_times(&(LttTableRequest){.table = table, .select = select}, times), 0);
}

static void test_wrong_columns(void)
{
	static const char *const strange[] = {"time", "jbo", NULL};
	static const char *const twice[] = {"time", "time", NULL};
	g_autoptr(LttTrace) trace = open_random();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	LttTableRequest request = {.table = ltt_tables_get(tables, 0), .columns = strange};
	g_autoptr(GError) error = NULL;

	CU_ASSERT_PTR_NULL(ltt_table_read(&request, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "has no column \"jbo\"");
	g_clear_error(&error);
	request.columns = twice;
	CU_ASSERT_PTR_NULL(ltt_table_read(&request, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, "requested twice");
	CU_ASSERT_PTR_NULL(ltt_tables_find(tables, "no.such"));
}

/* A reader freed in the middle, and a batch that outlives it and the trace. */
static void test_early_end(void)
{
	LttTrace *trace = open_random();
	LttTables *tables = ltt_tables_new(trace);
	LttBatch *kept = NULL;

	for (guint i = 0; i < ltt_tables_get_n(tables); i++) {
		const LttTableRequest request = {
			.table = ltt_tables_get(tables, i), .n_threads = 4, .batch_rows = 1};
		LttTableReader *reader = ltt_table_read(&request, NULL);
		LttBatch *batch;

		if (ltt_table_reader_next(reader, &batch, NULL) == LTT_STEP_EVENT) {
			ltt_batch_unref(kept);
			kept = batch;
		}
		ltt_table_reader_free(reader);
	}
	ltt_tables_free(tables);
	ltt_trace_free(trace);
	CU_ASSERT_STRING_EQUAL(ltt_batch_get_array(kept, 0)->column->name, "time");
	CU_ASSERT_TRUE(((const gint64 *)ltt_batch_get_array(kept, 0)->values)[0] > 0);
	ltt_batch_unref(kept);
}

static guint count_threads(void)
{
	g_autoptr(GDir) threads = g_dir_open("/proc/self/task", 0, NULL);
	guint n = 0;

	while (threads != NULL && g_dir_read_name(threads) != NULL)
		n++;
	return n;
}

/* The caller's thread is one of those requested. Threads of earlier tests may end at any time. */
static void test_number_of_threads(void)
{
	g_autoptr(LttTrace) trace = open_random();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	g_autoptr(GArray) partitions = ltt_partitions_new(trace, NULL, 1);
	g_autoptr(LttTableReader) reader = NULL;
	const guint n_before = count_threads();
	LttTableRequest request = {.table = ltt_tables_get(tables, 0), .n_threads = 3};

	request.partitions = (const LttPartition *)(gpointer)partitions->data;
	request.n_partitions = partitions->len;
	CU_ASSERT_TRUE(partitions->len >= request.n_threads);
	reader = ltt_table_read(&request, NULL);
	CU_ASSERT_TRUE(count_threads() <= n_before + request.n_threads - 1);
}

/* ---- partitions ---- */

static void test_partitions_as_text(void)
{
	g_autoptr(LttTrace) trace = open_random();
	g_autoptr(GArray) partitions = ltt_partitions_new(trace, NULL, 2048);
	g_autoptr(GError) error = NULL;
	LttPartition partition;

	CU_ASSERT_TRUE(partitions->len > 4);
	for (guint i = 0; i < partitions->len; i++) {
		const LttPartition *given = &g_array_index(partitions, LttPartition, i);
		g_autofree char *text = ltt_partition_to_text(given);

		UNIT_ASSERT_OK(ltt_partition_from_text(trace, text, &partition, &error), error);
		CU_ASSERT_PTR_EQUAL(partition.tracefile, given->tracefile);
		CU_ASSERT_EQUAL(partition.first_block, given->first_block);
		CU_ASSERT_EQUAL(partition.n_blocks, given->n_blocks);
		CU_ASSERT_EQUAL(partition.first_ns, given->first_ns);
		CU_ASSERT_EQUAL(partition.last_ns, given->last_ns);
		CU_ASSERT_TRUE(given->n_blocks <= 2);
		CU_ASSERT_TRUE(given->first_ns <= given->last_ns);
	}
}

static void test_wrong_partitions(void)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{"", "is not a partition"},
		{"cpu/0", "is not a partition"},
		{"cpu/0 0 1 0.0", "is not a partition"},
		{"cpu/0 0 0 0.000000000 0.000000000", "is not a partition"},
		{"cpu/0 0 1 +0.5 0.5", "is not a partition"},
		{"cpu/0 0 1 0.5 x", "is not a partition"},
		{"cpu/77 0 1 0.0 1.0", "has no such tracefile"},
		{"cpu/1 1000000 1 0.0 1.0", "blocks with events"},
		{"cpu/1 0 1000000 0.0 1.0", "blocks with events"},
	};
	g_autoptr(LttTrace) trace = open_random();

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		LttPartition partition;

		CU_ASSERT_FALSE(ltt_partition_from_text(trace, cases[i].text, &partition, &error));
		UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID, cases[i].why);
	}
}

UNIT_MAIN("table", UNIT(test_number_of_threads), UNIT(test_samples), UNIT(test_random_traces),
	  UNIT(test_window_and_cpus), UNIT(test_cpus), UNIT(test_filter), UNIT(test_wrong_columns),
	  UNIT(test_early_end), UNIT(test_partitions_as_text), UNIT(test_wrong_partitions))
