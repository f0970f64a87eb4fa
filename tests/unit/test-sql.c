/* The C interface of SQL: values, limits and cancellation. */
#include "unit.h"

#include <ltt/ltt-sql.h>

#include <string.h>

static const char endless[] =
	"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

static LttTrace *open_sample(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = unit_data_path("ltt/sparse-cpus");
	LttTrace *trace = ltt_trace_open(path, &error);

	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

/* Runs a statement. Returns: the step after its first row */
static LttStep run(LttSql *sql, const char *text, gint64 *number, GError **error)
{
	g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, text, NULL, error);
	LttStep step;

	if (query == NULL)
		return LTT_STEP_ERROR;
	step = ltt_sql_query_next(query, error);
	if (step == LTT_STEP_EVENT && number != NULL)
		*number = ltt_sql_query_get_int(query, 0);
	return step;
}

static void expect_error(LttSql *sql, const char *text, LttError code)
{
	GError *error = NULL;

	CU_ASSERT_EQUAL(run(sql, text, NULL, &error), LTT_STEP_ERROR);
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, (gint)code));
	if (error != NULL && error->code != (gint)code)
		g_printerr("# %s: %s\n", text, error->message);
	g_clear_error(&error);
}

static void test_values(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	const LttSqlRequest request = {.trace = trace};
	g_autoptr(GError) error = NULL;
	g_autoptr(LttSql) sql = ltt_sql_new(&request, &error);
	const char *rest;
	g_autoptr(LttSqlQuery) query = ltt_sql_query_new(
		sql, "SELECT 1 AS a, 2.5, 'x', x'00ff', NULL; SELECT 2", &rest, &error);
	gsize length;

	UNIT_ASSERT_OK(query != NULL, error);
	CU_ASSERT_STRING_EQUAL(rest, " SELECT 2");
	CU_ASSERT_EQUAL(ltt_sql_query_get_n_columns(query), 5);
	CU_ASSERT_STRING_EQUAL(ltt_sql_query_get_name(query, 0), "a");
	CU_ASSERT_EQUAL(ltt_sql_query_next(query, &error), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(ltt_sql_query_get_kind(query, 0), LTT_SQL_INT);
	CU_ASSERT_EQUAL(ltt_sql_query_get_int(query, 0), 1);
	CU_ASSERT_EQUAL(ltt_sql_query_get_kind(query, 1), LTT_SQL_FLOAT);
	CU_ASSERT_EQUAL(ltt_sql_query_get_float(query, 1), 2.5);
	CU_ASSERT_STRING_EQUAL(ltt_sql_query_get_text(query, 2, NULL), "x");
	CU_ASSERT_EQUAL(memcmp(ltt_sql_query_get_text(query, 3, &length), "\0\xff", 2), 0);
	CU_ASSERT_EQUAL(length, 2);
	CU_ASSERT_EQUAL(ltt_sql_query_get_kind(query, 4), LTT_SQL_NULL);
	CU_ASSERT_PTR_NULL(ltt_sql_query_get_text(query, 4, NULL));
	CU_ASSERT_EQUAL(ltt_sql_query_next(query, &error), LTT_STEP_END);
	CU_ASSERT_PTR_NULL(ltt_sql_query_new(sql, " -- nothing\n", NULL, &error));
	CU_ASSERT_PTR_NULL(error);
}

static void test_schema(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	const LttSqlRequest request = {.trace = trace};
	g_autoptr(LttSql) sql = ltt_sql_new(&request, NULL);
	g_autoptr(GPtrArray) tables = ltt_sql_list_tables(sql, FALSE);
	g_autoptr(GPtrArray) all = ltt_sql_list_tables(sql, TRUE);
	g_autofree char *schema = ltt_sql_dup_schema(sql, "CORE_irq_entry");

	CU_ASSERT_TRUE(tables->len < all->len);
	CU_ASSERT_PTR_NOT_NULL(strstr(schema, "irq_id INTEGER"));
	CU_ASSERT_PTR_NULL(ltt_sql_dup_schema(sql, "nothing"));
	CU_ASSERT_TRUE(ltt_sql_is_complete("SELECT 1;"));
	CU_ASSERT_FALSE(ltt_sql_is_complete("SELECT 'a;"));
}

static void test_cancelling(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	const LttSqlRequest request = {.trace = trace};
	g_autoptr(LttSql) sql = ltt_sql_new(&request, NULL);
	g_autoptr(GError) error = NULL;
	gint64 n = 0;

	ltt_sql_cancel(sql);
	expect_error(sql, endless, LTT_ERROR_CANCELLED);
	ltt_sql_cancel(sql);
	expect_error(sql, "SELECT count(*) FROM core_irq_entry", LTT_ERROR_CANCELLED);
	CU_ASSERT_EQUAL(run(sql, "SELECT count(*) FROM core_irq_entry", &n, &error),
			LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(n, 155);
}

/* A step after the last one, or after a failure, does not begin the statement again. */
static void test_steps_after_the_last(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	const LttSqlRequest request = {.trace = trace};
	g_autoptr(LttSql) sql = ltt_sql_new(&request, NULL);
	g_autoptr(LttSqlQuery) one = ltt_sql_query_new(sql, "SELECT 1", NULL, NULL);
	g_autoptr(LttSqlQuery) stopped =
		ltt_sql_query_new(sql, "SELECT time FROM events", NULL, NULL);

	CU_ASSERT_EQUAL(ltt_sql_query_next(one, NULL), LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(ltt_sql_query_next(one, NULL), LTT_STEP_END);
	CU_ASSERT_EQUAL(ltt_sql_query_next(one, NULL), LTT_STEP_END);
	ltt_sql_cancel(sql);
	while (ltt_sql_query_next(stopped, NULL) == LTT_STEP_EVENT)
		continue;
	for (guint i = 0; i < 2; i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_EQUAL(ltt_sql_query_next(stopped, &error), LTT_STEP_ERROR);
		CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED));
	}
	CU_ASSERT_EQUAL(ltt_sql_query_next(stopped, NULL), LTT_STEP_ERROR);
}

#define TIME_JOIN                                                                                  \
	"SELECT count(*) FROM core_irq_entry a JOIN core_irq_exit b "                              \
	"ON b.time BETWEEN a.time - 5000 AND a.time"

typedef struct Ending {
	guint n_calls;
	guint last; /* the call that ends the query; 0: none does */
} Ending;

static gboolean on_progress(const LttProgress *progress, gpointer user_data)
{
	Ending *ending = user_data;

	(void)progress;
	return ++ending->n_calls != ending->last;
}

/* Queries that are open share indices. One that is cancelled while it builds an index leaves nothing in it. */
static void test_cancelling_at_each_call(void)
{
	static const char *const queries[] = {
		"SELECT count(*) FROM core_irq_entry a JOIN core_irq_exit b ON a.cpu = b.cpu",
		TIME_JOIN,
		"SELECT count(*) FROM (SELECT irq_id FROM core_irq_entry GROUP BY irq_id)",
	};
	g_autoptr(LttTrace) trace = open_sample();
	Ending ending = {0, 0};
	const LttSqlRequest request = {
		.trace = trace,
		.n_threads = 1,
		.callbacks = {.on_progress = on_progress, .user_data = &ending}};

	for (guint i = 0; i < G_N_ELEMENTS(queries); i++) {
		g_autoptr(LttSql) sql = ltt_sql_new(&request, NULL);
		g_autoptr(LttSqlQuery) open =
			ltt_sql_query_new(sql, "SELECT time FROM events", NULL, NULL);
		LttStep step = LTT_STEP_ERROR;
		gint64 expected = -1;

		CU_ASSERT_EQUAL(ltt_sql_query_next(open, NULL), LTT_STEP_EVENT);
		CU_ASSERT_EQUAL(run(sql, queries[i], &expected, NULL), LTT_STEP_EVENT);
		CU_ASSERT_TRUE(expected > 0);
		for (guint last = 1; step == LTT_STEP_ERROR; last++) {
			g_autoptr(LttSql) other = ltt_sql_new(&request, NULL);
			g_autoptr(LttSqlQuery) held =
				ltt_sql_query_new(other, "SELECT time FROM events", NULL, NULL);
			gint64 n = -1;

			CU_ASSERT_EQUAL(ltt_sql_query_next(held, NULL), LTT_STEP_EVENT);
			ending = (Ending){0, last};
			step = run(other, queries[i], &n, NULL);
			ending = (Ending){0, 0};
			CU_ASSERT_EQUAL(run(other, queries[i], &n, NULL), LTT_STEP_EVENT);
			CU_ASSERT_EQUAL(n, expected);
		}
	}
}

/* The selection of a percentile looks whether to go on, too. */
static void test_cancelling_a_percentile(void)
{
	static const char rows[] = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c "
				   "LIMIT 1000000) SELECT %s FROM c";
	static const char *const functions[] = {"total(x * 7919 % 1000003)",
						"median(x * 7919 % 1000003)"};
	g_autoptr(LttTrace) trace = open_sample();
	Ending endings[] = {{0, 0}, {0, 0}};
	gint64 n = 0;

	for (guint i = 0; i < 2; i++) {
		const LttSqlRequest request = {
			.trace = trace,
			.callbacks = {.on_progress = on_progress, .user_data = &endings[i]}};
		g_autoptr(LttSql) sql = ltt_sql_new(&request, NULL);
		g_autofree char *query = g_strdup_printf(rows, functions[i]);

		CU_ASSERT_EQUAL(run(sql, query, &n, NULL), LTT_STEP_EVENT);
		endings[i].last = endings[i].n_calls;
		endings[i].n_calls = 0;
		expect_error(sql, query, LTT_ERROR_CANCELLED);
	}
	CU_ASSERT_EQUAL(n, 500000);
	CU_ASSERT_TRUE(endings[1].last >= endings[0].last + 4);
}

static void test_limits(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	const LttSqlRequest request = {
		.trace = trace, .max_steps = 100000, .max_index_bytes = 1000};
	g_autoptr(LttSql) sql = ltt_sql_new(&request, NULL);
	const LttSqlSaveRequest save = {.sql = sql, .path = "/nowhere/at/all"};
	g_autoptr(GError) error = NULL;
	gint64 n = 0;

	expect_error(sql, endless, LTT_ERROR_LIMIT);
	expect_error(sql,
		     "SELECT count(*) FROM core_irq_entry a JOIN core_irq_exit b ON a.cpu = b.cpu",
		     LTT_ERROR_LIMIT);
	expect_error(sql, "SELECT zeroblob(1000000000)", LTT_ERROR_LIMIT);
	expect_error(sql, "DELETE FROM events", LTT_ERROR_INVALID);
	CU_ASSERT_EQUAL(run(sql, "SELECT count(*) FROM core_irq_entry", &n, &error),
			LTT_STEP_EVENT);
	CU_ASSERT_EQUAL(n, 155);
	CU_ASSERT_FALSE(ltt_sql_save(&save, NULL, &error));
	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, LTT_ERROR_IO));
}

UNIT_MAIN("sql", UNIT(test_values), UNIT(test_schema), UNIT(test_cancelling),
	  UNIT(test_steps_after_the_last), UNIT(test_cancelling_at_each_call),
	  UNIT(test_cancelling_a_percentile), UNIT(test_limits))
