/* Ending steps of merges and tables that take long: they are cancelled, and continue. */
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-merge.h>
#include <ltt/ltt-table.h>

#include <stdlib.h>

/* Cancels every second call. */
static gboolean cancel(const LttProgress *progress, gpointer user_data)
{
	guint *n_calls = user_data;

	CU_ASSERT_TRUE(progress->n_total == 0 || progress->n_done < progress->n_total);
	return ++*n_calls % 2 == 0;
}

static LttTrace *open_sample(void)
{
	char *path = unit_data_path("ltt/every-type");
	g_autoptr(GError) error = NULL;
	LttTrace *trace = ltt_trace_open(path, &error);

	UNIT_ASSERT_OK(trace != NULL, error);
	free(path);
	return trace;
}

/* Returns: the number of events; of the cancelled steps in @n_cancelled */
static guint count_events(LttTrace *trace, LttProgressFunc on_progress, guint *n_cancelled)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	const LttEvent *event;
	guint n_calls = 0;
	guint n_events = 0;
	const LttJobCallbacks callbacks = {.on_progress = on_progress, .user_data = &n_calls};
	LttStep step;

	ltt_merge_set_callbacks(merge, &callbacks);
	do {
		g_autoptr(GError) error = NULL;

		step = ltt_merge_next(merge, &event, &error);
		n_events += step == LTT_STEP_EVENT;
		if (step == LTT_STEP_ERROR) {
			UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
			++*n_cancelled;
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
	return n_events;
}

static void test_merge(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	guint n_cancelled = 0;
	const guint n_events = count_events(trace, NULL, &n_cancelled);

	CU_ASSERT_EQUAL(n_cancelled, 0);
	CU_ASSERT_TRUE(n_events > 100);
	CU_ASSERT_EQUAL(count_events(trace, cancel, &n_cancelled), n_events);
	CU_ASSERT_TRUE(n_cancelled > 1);
}

static gsize count_rows(LttTableRequest *request, guint *n_cancelled)
{
	guint n_calls = 0;
	LttTableReader *reader;
	gsize n_rows = 0;
	LttStep step;

	request->callbacks.user_data = &n_calls;
	reader = ltt_table_read(request, NULL);
	do {
		g_autoptr(GError) error = NULL;
		LttBatch *batch;

		step = ltt_table_reader_next(reader, &batch, &error);
		if (step == LTT_STEP_EVENT) {
			n_rows += ltt_batch_get_n_rows(batch);
			ltt_batch_unref(batch);
		} else if (step == LTT_STEP_ERROR) {
			UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
			++*n_cancelled;
		}
	} while (step != LTT_STEP_END);
	ltt_table_reader_free(reader);
	return n_rows;
}

static void test_table(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);

	for (guint i = 0; i < 3; i++) {
		LttTableRequest request = {.table = ltt_tables_find(tables, "made0.ev0"),
					   .n_threads = i + 1,
					   .is_ordered = i == 2};
		guint n_cancelled = 0;
		const gsize n_rows = count_rows(&request, &n_cancelled);

		CU_ASSERT_EQUAL(n_cancelled, 0);
		CU_ASSERT_TRUE(n_rows > 0);
		request.callbacks.on_progress = cancel;
		CU_ASSERT_EQUAL(count_rows(&request, &n_cancelled), n_rows);
		CU_ASSERT_TRUE(n_cancelled > 1);
	}
}

UNIT_MAIN("cancel", UNIT(test_merge), UNIT(test_table))
