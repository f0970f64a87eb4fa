/* Values of columns as JSON, up to a limit. */
#include "unit.h"

#include <ltt/ltt-print.h>
#include <ltt/ltt-table.h>

#include <stdlib.h>

/* Checks the text of a value with each limit. */
static void check_limits(const LttArray *array, gsize i)
{
	g_autoptr(GString) whole = g_string_new(NULL);

	ltt_json_append_value(whole, array, i);
	for (gsize most = 0; most <= whole->len + 1; most++) {
		g_autoptr(GString) text = g_string_new(NULL);
		const gboolean fits = ltt_json_append_value_within(text, array, i, most);

		CU_ASSERT_EQUAL(fits, whole->len <= most);
		CU_ASSERT_TRUE(fits ? g_string_equal(text, whole) : text->len > most);
	}
}

static void test_json_with_a_limit(void)
{
	char *path = unit_data_path("ltt/every-type");
	g_autoptr(GError) error = NULL;
	g_autoptr(LttTrace) trace = ltt_trace_open(path, &error);
	g_autoptr(LttTables) tables = NULL;
	LttBatch *batch;

	UNIT_ASSERT_OK(trace != NULL, error);
	tables = ltt_tables_new(trace);
	for (guint i = 0; i < ltt_tables_get_n(tables); i++) {
		const LttTableRequest request = {.table = ltt_tables_get(tables, i)};
		g_autoptr(LttTableReader) reader = ltt_table_read(&request, &error);

		while (ltt_table_reader_next(reader, &batch, &error) == LTT_STEP_EVENT) {
			for (guint j = 0; j < ltt_table_reader_get_n_columns(reader); j++)
				check_limits(ltt_batch_get_array(batch, j), 0);
			ltt_batch_unref(batch);
		}
	}
	free(path);
}

/* A list of many values stops soon after the limit. */
static void test_json_of_a_long_list(void)
{
	enum { N = 1000000, MOST = 1000 };
	const LttColumn empty = {.name = "item", .kind = LTT_COLUMN_STRUCT};
	const LttColumn list = {
		.name = "s", .kind = LTT_COLUMN_LIST, .n_children = 1, .children = &empty};
	const gint32 offsets[] = {0, N};
	const LttArray items = {.column = &empty, .n_values = N};
	const LttArray array = {.column = &list,
				.n_values = 1,
				.offsets = offsets,
				.n_children = 1,
				.children = &items};
	g_autoptr(GString) text = g_string_new(NULL);

	CU_ASSERT_FALSE(ltt_json_append_value_within(text, &array, 0, MOST));
	CU_ASSERT_TRUE(text->len > MOST && text->len < MOST + 10);
	CU_ASSERT_FALSE(ltt_json_append_value_within(text, &array, 0, MOST));
	CU_ASSERT_TRUE(text->len < MOST + 20);
}

UNIT_MAIN("array-json", UNIT(test_json_with_a_limit), UNIT(test_json_of_a_long_list))
