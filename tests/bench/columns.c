/* columns.c - decode all rows of a table, for the benchmark.
 *
 * usage: columns TRACE THREADS TABLE [COLUMN...]      without columns: all of them
 */
#include <ltt/ltt-table.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const GError *error)
{
	fprintf(stderr, "columns: %s\n", error->message);
	return 1;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTrace) trace = NULL;
	g_autoptr(LttTables) tables = NULL;
	g_autoptr(LttTableReader) reader = NULL;
	LttTableRequest request = {0};
	LttBatch *batch;
	LttStep step;
	gsize n_rows = 0;

	if (argc < 4) {
		fputs("usage: columns TRACE THREADS TABLE [COLUMN...]\n", stderr);
		return 2;
	}
	trace = ltt_trace_open(argv[1], &error);
	if (trace == NULL)
		return fail(error);
	tables = ltt_tables_new(trace);
	request.table = ltt_tables_find(tables, argv[3]);
	if (request.table == NULL) {
		fprintf(stderr, "columns: %s: no such table\n", argv[3]);
		return 1;
	}
	request.n_threads = (guint)strtoul(argv[2], NULL, 10);
	if (argc > 4)
		request.columns = (const char *const *)(argv + 4);
	reader = ltt_table_read(&request, &error);
	if (reader == NULL)
		return fail(error);
	while ((step = ltt_table_reader_next(reader, &batch, &error)) == LTT_STEP_EVENT) {
		n_rows += ltt_batch_get_n_rows(batch);
		ltt_batch_unref(batch);
	}
	if (step == LTT_STEP_ERROR)
		return fail(error);
	printf("%zu\n", n_rows);
	return 0;
}
