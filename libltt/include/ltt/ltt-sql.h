/* ltt-sql.h - run SQL queries on a trace (doc/sql.md).
 *
 * The tables of an SQLite database are the events of a trace: `http_request` has the events
 * http.request, `events` has all events. Nothing is imported: a query reads only the columns that
 * it uses, from the blocks that it needs.
 *
 *	const LttSqlRequest request = {.trace = trace};
 *	g_autoptr(LttSql) sql = ltt_sql_new(&request, &error);
 *	g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, "select count(*) from events", NULL, &error);
 *	while (ltt_sql_query_next(query, &error) == LTT_STEP_EVENT)
 *		printf("%" G_GINT64_FORMAT "\n", ltt_sql_query_get_int(query, 0));
 *
 * The functions are in a separate library, libltt-sql, which links SQLite. The text of a query can
 * be untrusted: a query cannot write, open files or load code, and its memory is limited.
 *
 * Threads: a database and its queries are used by one thread at a time, except ltt_sql_cancel().
 */
#ifndef LTT_SQL_H
#define LTT_SQL_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttSql LttSql;

typedef struct LttSqlRequest {
	LttTrace *trace;          /* must outlive the database; a joined trace for several traces */
	gboolean all;             /* include hidden events in the table `events` */
	guint n_threads;          /* threads that decode; 0: one per processor, up to 4 */
	guint64 max_memory_bytes; /* limit of SQLite in the whole process; 0: it is not changed */
	guint64 max_index_bytes; /* limit of the indices of a query; 0: LTT_DEFAULT_SQL_INDEX_BYTES */
	guint64 max_steps; /* limit of steps of SQLite's virtual machine in a query, about 10 ns
			    * each; above it the query fails with LTT_ERROR_LIMIT; 0: no limit */
	/* Of each query, called in the thread that runs it. Problems: each damaged place of the
	 * trace, and each table that lacks columns (doc/sql.md), once for the database. Progress:
	 * at least every few milliseconds; the amount of work is unknown. Cancelling ends the
	 * query */
	LttJobCallbacks callbacks;
} LttSqlRequest;

#define LTT_DEFAULT_SQL_INDEX_BYTES ((guint64)8 << 30)

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT if there is no memory */
LttSql *ltt_sql_new(const LttSqlRequest *request, GError **error);
void ltt_sql_free(LttSql *sql); /* NULL is allowed and ignored. Free its queries first */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSql, ltt_sql_free)

/* Returns: (transfer full) (element-type utf8): the names of the tables, sorted; with
 *   @with_hidden, those of hidden events, too */
GPtrArray *ltt_sql_list_tables(const LttSql *sql, gboolean with_hidden);

/* Returns: (transfer full) (nullable): the table @name as a CREATE TABLE statement, with a comment
 *   that describes it; NULL: there is no such table */
char *ltt_sql_dup_schema(const LttSql *sql, const char *name);

/* Makes the query that is running, or the next step, fail with LTT_ERROR_CANCELLED. May be called
 * by any thread and by a signal handler. */
void ltt_sql_cancel(LttSql *sql);

typedef struct LttSqlSaveRequest {
	LttSql *sql;
	const char *path; /* file to create; must not exist */
	/* Replace those of the database. Problems: damaged places that no query has reported.
	 * Progress in events; their number is unknown */
	LttJobCallbacks callbacks;
} LttSqlSaveRequest;

typedef struct LttSqlSaveSummary {
	guint64 n_rows; /* of all tables */
} LttSqlSaveSummary;

/**
 * ltt_sql_save:
 * @summary: (out) (optional): set on success
 *
 * Writes all tables to an SQLite file: first to a temporary one, "@path.part0", which is renamed when it
 * is complete.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_EXISTS     @path already exists
 *   LTT_ERROR_IO         writing failed
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_sql_save(const LttSqlSaveRequest *request, LttSqlSaveSummary *summary, GError **error);

/* ---- queries ---- */

/* Returns: whether @text ends with a complete statement */
gboolean ltt_sql_is_complete(const char *text);

typedef struct LttSqlQuery LttSqlQuery;

typedef enum LttSqlKind {
	LTT_SQL_NULL,
	LTT_SQL_INT,
	LTT_SQL_FLOAT,
	LTT_SQL_TEXT,
	LTT_SQL_BYTES,
} LttSqlKind;

/**
 * ltt_sql_query_new:
 * @text: one or more statements
 * @rest: (out) (optional): the text after the first statement
 *
 * Compiles the first statement.
 *
 * Returns: (transfer full) (nullable): NULL with
 *   LTT_ERROR_INVALID  the SQL is wrong. The message suggests names of tables and columns
 *   LTT_ERROR_LIMIT    the statement is too long or too complex
 *   or NULL without an error if there is no statement, only space or comments
 */
LttSqlQuery *ltt_sql_query_new(LttSql *sql, const char *text, const char **rest, GError **error);
void ltt_sql_query_free(LttSqlQuery *query); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSqlQuery, ltt_sql_query_free)

/* Returns: (transfer none) (element-type LttDoubt): texts that the statement compares with a column by
 *   =, <>, IS or IN, but which the column never contains: labels that its enum does not have, or names of
 *   events or spans that the trace does not describe. Such a comparison has the same result for all rows.
 *   See ltt-filter.h */
const GPtrArray *ltt_sql_query_get_doubts(const LttSqlQuery *query);

/* Call it after ltt_sql_query_new() failed.
 * Returns: the offset of the error in the text of the query, in bytes; -1: unknown */
gint64 ltt_sql_get_mistake(const LttSql *sql);

/* Returns: the number of columns of the result, and the name of each; 0 for a statement without a
 *   result, such as CREATE VIEW */
guint ltt_sql_query_get_n_columns(const LttSqlQuery *query);
const char *ltt_sql_query_get_name(const LttSqlQuery *query, guint column);

/**
 * ltt_sql_query_next:
 *
 * Computes the next row of the result.
 *
 * Returns: LTT_STEP_EVENT with a row, LTT_STEP_END, or LTT_STEP_ERROR with
 *   LTT_ERROR_INVALID    the SQL fails on these rows
 *   LTT_ERROR_LIMIT      a limit of memory or length
 *   LTT_ERROR_CANCELLED
 *   LTT_ERROR_IO         a file could not be read
 */
LttStep ltt_sql_query_next(LttSqlQuery *query, GError **error);

/* Get a value of the row. _int truncates a float towards zero; _float may round an int; both return 0
 * for other types. _text returns NULL for a null, and a number as decimal digits. Text and bytes are
 * valid until the next step or the next call for this column. @length: (out) (optional): in bytes. */
LttSqlKind ltt_sql_query_get_kind(const LttSqlQuery *query, guint column);
gint64 ltt_sql_query_get_int(const LttSqlQuery *query, guint column);
double ltt_sql_query_get_float(const LttSqlQuery *query, guint column);
const char *ltt_sql_query_get_text(const LttSqlQuery *query, guint column, gsize *length);

G_END_DECLS

#endif /* LTT_SQL_H */
