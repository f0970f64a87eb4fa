/* fuzz-sql.c - queries: each statement ends with rows or an error, within the limits. */
#include "fuzz.h"

#include <ltt/ltt-sql.h>

#define MAX_ROWS       200
#define MAX_STATEMENTS 8
#define MAX_STEPS      200000
#define MAX_BYTES      (64 * 1024 * 1024)

static LttTrace *trace;

static void open_trace(void)
{
	const char *root = g_getenv("LTT_SOURCE");
	g_autofree char *path = g_build_filename(root != NULL ? root : ".", "tests", "data", "ltt",
						 "every-type", NULL);

	if (trace == NULL)
		trace = ltt_trace_open(path, NULL);
	FUZZ_ASSERT(trace != NULL);
}

static gboolean try_rows(LttSqlQuery *query)
{
	g_autoptr(GError) error = NULL;
	LttStep step = LTT_STEP_END;

	for (guint i = 0; i < MAX_ROWS; i++) {
		step = ltt_sql_query_next(query, &error);
		FUZZ_ASSERT((step == LTT_STEP_ERROR) == (error != NULL));
		if (step != LTT_STEP_EVENT)
			break;
		for (guint column = 0; column < ltt_sql_query_get_n_columns(query); column++) {
			gsize length;
			const char *text = ltt_sql_query_get_text(query, column, &length);

			FUZZ_ASSERT(ltt_sql_query_get_name(query, column) != NULL);
			FUZZ_ASSERT(text != NULL ||
				    ltt_sql_query_get_kind(query, column) == LTT_SQL_NULL);
		}
	}
	return step != LTT_STEP_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(LttSql) sql = NULL;
	const char *rest = text;
	LttSqlRequest request = {.n_threads = 1,
				 .max_memory_bytes = MAX_BYTES,
				 .max_index_bytes = MAX_BYTES,
				 .max_steps = MAX_STEPS};

	open_trace();
	request.trace = trace;
	sql = ltt_sql_new(&request, NULL);
	FUZZ_ASSERT(sql != NULL);
	for (guint i = 0; i < MAX_STATEMENTS && rest[0] != '\0'; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, rest, &rest, &error);

		FUZZ_ASSERT(query == NULL || error == NULL);
		if (query == NULL || !try_rows(query))
			break;
	}
	return 0;
}
