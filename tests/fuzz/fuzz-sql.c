/* fuzz-sql.c - queries: each statement ends with rows or an error, within the limits. */
#include "fuzz.h"
#include "mutate-text.h"

#include <ltt/ltt-sql.h>

#define MAX_ROWS       200
#define MAX_STATEMENTS 8
#define MAX_STEPS      200000
#define MAX_BYTES      (64 * 1024 * 1024)

static LttTrace *trace;
static LttSql *sql; /* of the input before, if that could not change it */

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

static void open_session(void)
{
	LttSqlRequest request = {.trace = trace,
				 .n_threads = 1,
				 .max_memory_bytes = MAX_BYTES,
				 .max_index_bytes = MAX_BYTES,
				 .max_steps = MAX_STEPS};

	if (sql == NULL)
		sql = ltt_sql_new(&request, NULL);
	FUZZ_ASSERT(sql != NULL);
}

/* Half of the time is that of the start of a session, so inputs that only read share one. A replay
 * does not depend on the inputs before. */
static gboolean can_share(const char *text)
{
#ifdef FUZZER
	return !g_regex_match_simple(
		"\\b(create|insert|update|delete|drop|alter|replace|pragma|attach|"
		"detach|begin|commit|rollback|savepoint|reindex|vacuum)\\b",
		text, G_REGEX_CASELESS | G_REGEX_RAW, 0);
#else
	(void)text;
	return FALSE;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	const char *rest = text;

	open_trace();
	open_session();
	for (guint i = 0; i < MAX_STATEMENTS && rest[0] != '\0'; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, rest, &rest, &error);

		FUZZ_ASSERT(query == NULL || error == NULL);
		if (query == NULL || !try_rows(query))
			break;
	}
	if (!can_share(text))
		g_clear_pointer(&sql, ltt_sql_free);
	return 0;
}

#ifdef FUZZER
FUZZ_TEXT(0, "SELECT", "FROM events", "FROM spans", "FROM types", "FROM processes", "FROM threads",
	  "FROM losses", "FROM bookmarks", "FROM sched", "FROM thread_state", "FROM made0_ev1",
	  "FROM made1_ev8 a", "JOIN made2_ev9 b ON a.cpu = b.cpu",
	  "LEFT JOIN types t ON t.type = type", "FROM pairs('made0.ev1', 'made0.ev2', 'cpu')",
	  "FROM pairs('made1.ev3', 'made1.ev4')", "WHERE", "time > 1050000000001640421",
	  "time BETWEEN 1050000000001640421 AND 1050000000101640421", "time >= 1050000000.5",
	  "cpu = 0", "cpu IN (0, 1)", "type = 'made0.ev1'", "type LIKE 'made%'",
	  "type GLOB 'made*'", "value_code IN (1, 2)", "value IS NULL", "value = 'x'",
	  "value ->> '$[0]'", "data ->> '$.f0'", "args ->> 'x'", "json_extract(data, '$.f0')",
	  "json_each(data)", "rowid = 3", "rowid", "time", "dur", "cpu", "pid", "tid", "type",
	  "data", "host", "tracefile", "value", "value_code", "name", "depth", "state", "key",
	  "args", "n_events", "hidden", "f0", "ORDER BY time", "ORDER BY time DESC",
	  "ORDER BY 1, 2 DESC", "GROUP BY", "GROUP BY 1", "HAVING count(*) > 1", "LIMIT 5",
	  "LIMIT 3 OFFSET 2", "count(*)", "sum(dur)", "avg(value)", "min(time)", "max(time)",
	  "median(time)", "percentile(dur, 99)", "percentile(value, -1)", "histogram(dur)",
	  "bucket(time, '100ms')", "bucket(time, 3)", "dur(dur)", "symbol(1, pid, time)",
	  "symbol(1, pid)", "overlaps(time, 1, 2, 3)", "lag(time) OVER (ORDER BY time)",
	  "row_number() OVER (PARTITION BY cpu ORDER BY time)", "DISTINCT", "UNION ALL", "UNION",
	  "EXCEPT", "EXISTS", "NOT", "AND", "OR", "IN", "BETWEEN", "LIKE", "GLOB", "IS NULL",
	  "CASE WHEN", "THEN", "ELSE", "END", "AS", "a.", "b.", "WITH x AS (SELECT * FROM events)",
	  "FROM x", "CREATE VIEW v AS", "CREATE TABLE t AS", "CREATE INDEX i ON t(cpu)",
	  "CREATE VIRTUAL TABLE s USING span_join(sched PARTITIONED cpu, spans PARTITIONED cpu)",
	  "CREATE VIRTUAL TABLE s USING span_join(v, v);", "SELECT * FROM s",
	  "INSERT INTO t VALUES (1)", "UPDATE t SET cpu = 1", "DELETE FROM t", "DROP TABLE t",
	  "DROP VIEW v", "PRAGMA table_info(events)", "PRAGMA temp_store", "ATTACH 'x' AS y",
	  "EXPLAIN QUERY PLAN", "VALUES (1)", ";", ",", "*", "(", ")", "=", "<", ">=", "<>", "||",
	  "->>", "->", "'", "\"", "+", "-", "/", "%", "NULL", "'x'", "x'00ff'",
	  "printf('%d', value)", "format('%s', name)", "replace(name, 'a', 'bb')",
	  "instr(name, 'a')", "substr(name, 1, 2)", "strftime('%s', time)", "upper(name)",
	  "group_concat(name)", "length(data)", "typeof(value)", "randomblob(9)", "zeroblob(3)",
	  "trim(name, 'a')", "json_group_array(value)")
#endif
