/* Hostile SQL: statements of random words, and single ones that take all memory, write or run for long. */
#include "unit.h"

#include <ltt/ltt-sql.h>

#include <string.h>

#define N_STATEMENTS 4000
#define N_PER_DB     100
#define MAX_WORDS    14
#define MAX_ROWS     50
#define MAX_STEPS    20000
#define MAX_BYTES    (64 * 1024 * 1024)

#define DOUBLING                                                                                   \
	"WITH RECURSIVE c(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM c) SELECT length(x) "     \
	"FROM c"
#define ENDLESS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "

/* Half of the statements begin like one that is right. */
static const char *const beginnings[] = {
	"SELECT * FROM events WHERE time >",
	"SELECT *, irq_id FROM core_irq_entry WHERE irq_id IN (1, 2) AND time <",
	"SELECT irq_id, count(*) FROM core_irq_entry",
	"SELECT * FROM core_irq_entry a JOIN core_irq_exit b ON",
	"SELECT * FROM pairs(",
	"SELECT percentile(time, 50), cpu FROM events GROUP BY",
	"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT",
	"CREATE VIEW v AS SELECT",
	"CREATE VIRTUAL TABLE s USING span_join(",
	"EXPLAIN QUERY PLAN SELECT",
	"SELECT time FROM events ORDER BY",
};

static const char word_list[] = "SELECT * FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT "
				"ON USING UNION ALL EXCEPT AS IN LIKE GLOB BETWEEN "
				"AND OR NOT NULL IS CASE WHEN THEN END EXISTS COLLATE NOCASE OVER "
				"PARTITION WITH RECURSIVE CREATE VIEW VIRTUAL TABLE "
				"DROP INSERT INTO VALUES DELETE UPDATE SET ATTACH DETACH PRAGMA "
				"VACUUM BEGIN COMMIT ANALYZE REINDEX EXPLAIN TEMP "
				"TRIGGER INDEX ROLLBACK PARTITIONED events spans types losses "
				"processes threads bookmarks pairs core_irq_entry "
				"core_irq_exit core_file_open sqlite_master sqlite_schema "
				"pragma_table_info c x v s a b time cpu pid tid dur irq_id "
				"name data type tracefile rowid count(*) sum( max(time) "
				"percentile( median( histogram( bucket( dur( overlaps( "
				"lag(time) row_number() load_extension('x') writefile('x','y') "
				"zeroblob(1000000000) randomblob(9) json_extract( "
				"printf('%s', hex( replace( char(0) group_concat( ( ) ( ) , , ; = "
				"< > <> + - / % || ->> 0 1 -1 9223372036854775807 "
				"9223372036854775808 -9223372036854775808 1e308 1e-400 "
				"'core.irq_entry' 'core.irq_exit' 'cpu' '%' '' x'00' \" ' ? ?1 "
				":a @a [ ` -- /* \xff\xfe \x01";

static LttTrace *open_sample(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = unit_data_path("ltt/sparse-cpus");
	LttTrace *trace = ltt_trace_open(path, &error);

	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

static LttSql *open_database(LttTrace *trace)
{
	const LttSqlRequest request = {
		.trace = trace,
		.n_threads = 1,
		.max_memory_bytes = MAX_BYTES,
		.max_index_bytes = MAX_BYTES,
		.max_steps = MAX_STEPS,
	};
	g_autoptr(GError) error = NULL;
	LttSql *sql = ltt_sql_new(&request, &error);

	UNIT_ASSERT_OK(sql != NULL, error);
	return sql;
}

static void append_word(GString *text, GRand *rand, const char *const *list, guint n)
{
	g_string_append(text, list[g_rand_int_range(rand, 0, (gint32)n)]);
	g_string_append_c(text, ' ');
}

static char *make_statement(GRand *rand, char **words)
{
	GString *text = g_string_new(NULL);
	const gint n_words = g_rand_int_range(rand, 0, g_rand_int_range(rand, 1, MAX_WORDS));

	if (g_rand_boolean(rand))
		append_word(text, rand, beginnings, G_N_ELEMENTS(beginnings));
	for (gint i = 0; i < n_words; i++)
		append_word(text, rand, (const char *const *)words, g_strv_length(words));
	return g_string_free(text, FALSE);
}

/* Returns: whether the statement is right and its first rows can be read */
static gboolean try_statement(LttSql *sql, const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, text, NULL, &error);
	LttStep step = LTT_STEP_EVENT;

	CU_ASSERT_FALSE(query != NULL && error != NULL);
	if (query == NULL)
		return error == NULL;
	for (guint row = 0; row < MAX_ROWS && step == LTT_STEP_EVENT; row++) {
		step = ltt_sql_query_next(query, &error);
		for (guint i = 0; step == LTT_STEP_EVENT && i < ltt_sql_query_get_n_columns(query);
		     i++)
			ltt_sql_query_get_text(query, i, NULL);
	}
	CU_ASSERT_EQUAL(step == LTT_STEP_ERROR, error != NULL);
	return error == NULL;
}

/* Words in a random order do not crash, leak, or change what the tables answer. */
static void test_random_words(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	g_auto(GStrv) words = g_strsplit(word_list, " ", -1);
	GRand *rand = g_rand_new_with_seed(13);
	guint n_right = 0;

	for (guint i = 0; i < N_STATEMENTS / N_PER_DB; i++) {
		g_autoptr(LttSql) sql = open_database(trace);
		g_autoptr(LttSqlQuery) query = NULL;

		for (guint k = 0; k < N_PER_DB; k++) {
			g_autofree char *text = make_statement(rand, words);

			n_right += try_statement(sql, text);
		}
		query = ltt_sql_query_new(sql, "SELECT count(*) FROM core_irq_entry", NULL, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(query);
		CU_ASSERT_EQUAL(ltt_sql_query_next(query, NULL), LTT_STEP_EVENT);
		CU_ASSERT_EQUAL(ltt_sql_query_get_int(query, 0), 155);
	}
	g_rand_free(rand);
	g_print("# %u of %u statements are right\n", n_right, (guint)N_STATEMENTS);
	CU_ASSERT_TRUE(n_right > 0 && n_right < N_STATEMENTS);
}

static void expect_failure(LttSql *sql, const char *text)
{
	if (try_statement(sql, text)) {
		CU_FAIL("a statement that must fail succeeds");
		g_print("# %.80s\n", text);
	}
}

/* Each ends at a limit, and not with the memory or the time of the machine. */
static void test_limits(void)
{
	static const char *const statements[] = {
		"SELECT zeroblob(2147483647)",
		"SELECT zeroblob(1 << 40)",
		"SELECT randomblob(2147483647)",
		"SELECT zeroblob(16777216) || zeroblob(1)",
		"SELECT replace(hex(zeroblob(3000000)), '0', hex(zeroblob(1000)))",
		"SELECT count(*) FROM events a, events b, events c, events d",
	};
	/* c is a table without an end. */
	static const char *const endless[] = {
		"SELECT count(*) FROM c",        "SELECT median(x) FROM c",
		"SELECT group_concat(x) FROM c", "SELECT count(*) FROM (SELECT DISTINCT x FROM c)",
		"SELECT x FROM c ORDER BY -x",   "SELECT count(*) FROM c a, c b, c d",
	};
	g_autoptr(LttTrace) trace = open_sample();
	g_autoptr(LttSql) sql = open_database(trace);

	for (guint i = 0; i < G_N_ELEMENTS(statements); i++)
		expect_failure(sql, statements[i]);
	for (guint i = 0; i < G_N_ELEMENTS(endless); i++) {
		g_autofree char *text = g_strconcat(ENDLESS, endless[i], NULL);

		expect_failure(sql, text);
	}
	expect_failure(sql, DOUBLING);
	/* A view may be written that refers to itself; it cannot be read. */
	try_statement(sql, "CREATE VIEW v AS SELECT * FROM v");
	expect_failure(sql, "SELECT * FROM v");
}

static char *repeat(const char *first, const char *part, guint n, const char *last)
{
	GString *text = g_string_new(first);

	for (guint i = 0; i < n; i++)
		g_string_append(text, part);
	g_string_append(text, last);
	return g_string_free(text, FALSE);
}

/* Texts of megabytes, and deep ones. */
static void test_long_texts(void)
{
	static const struct {
		const char *first;
		const char *part;
		guint n;
		const char *last;
	} cases[] = {
		{"SELECT '", "x", 100000000, "'"},
		{"SELECT ", "(", 1000000, "1"},
		{"SELECT ", "-", 900000, "1"},
		{"SELECT 1", " + 1", 100000, ""},
		{"SELECT 1", ", 1", 100000, ""},
		{"SELECT 1", " UNION SELECT 1", 50000, ""},
		{"SELECT 1 IN (1", ", 1", 400000, ")"},
		{"SELECT * FROM events", ", events", 1000, ""},
		{"SELECT ", "NOT ", 200000, "1"},
		{"SELECT abs", "(abs", 100000, ""},
		{"", "SELECT * FROM (", 60000, ""},
		{"SELECT \"", "\xf0\x9f", 100000, "\""},
	};
	g_autoptr(LttTrace) trace = open_sample();
	g_autoptr(LttSql) sql = open_database(trace);

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text =
			repeat(cases[i].first, cases[i].part, cases[i].n, cases[i].last);
		const gboolean is_list = strstr(text, " IN (") != NULL;

		/* A long list of numbers is what programs write; SQLite takes it. */
		if (!try_statement(sql, text) || is_list)
			continue;
		CU_FAIL("a long text is accepted");
		g_print("# %.40s\n", text);
	}
}

UNIT_MAIN("sql-hostile", UNIT(test_random_words), UNIT(test_limits), UNIT(test_long_texts))
