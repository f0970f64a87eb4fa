/* list-priv.h - tables with few rows: a list of rows becomes a run. */
#ifndef LTT_SQL_LIST_PRIV_H
#define LTT_SQL_LIST_PRIV_H

#ifndef LTT_BUILDING
#error "sql/list-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/table-priv.h"

/* Columns of a list: of TIME or INT of 8 bytes, FLOAT of 8 bytes, or STRING. */
typedef struct LttSqlList LttSqlList;

/* Initializers of an LttColumn. */
#define LTT_SQL_TIME_COLUMN(column_name)                                                           \
	{                                                                                          \
		.name = (column_name), .kind = LTT_COLUMN_TIME, .width_bytes = 8                   \
	}
#define LTT_SQL_INT_COLUMN(column_name)                                                            \
	{                                                                                          \
		.name = (column_name), .kind = LTT_COLUMN_INT, .width_bytes = 8                    \
	}
#define LTT_SQL_UINT_COLUMN(column_name)                                                           \
	{                                                                                          \
		.name = (column_name), .kind = LTT_COLUMN_UINT, .width_bytes = 8                   \
	}
#define LTT_SQL_TEXT_COLUMN(column_name)                                                           \
	{                                                                                          \
		.name = (column_name), .kind = LTT_COLUMN_STRING                                   \
	}

/* A text that is one of some words. */
#define LTT_SQL_WORD_COLUMN(column_name, words)                                                    \
	{                                                                                          \
		.name = (column_name), .kind = LTT_COLUMN_STRING, .labels = (words),               \
		.n_labels = G_N_ELEMENTS(words)                                                    \
	}

LttSqlList *ltt_sql_list_new(const LttColumn *columns, guint n_columns);

/* Add the next value of a row, from the first column to the last. */
void ltt_sql_list_add_int(LttSqlList *list, gint64 value);
void ltt_sql_list_add_float(LttSqlList *list, double value);
void ltt_sql_list_add_text(LttSqlList *list, const char *text); /* NULL: a null */
void ltt_sql_list_add_null(LttSqlList *list);

/* Adds the origin of the next row: the number of the trace, of those that were joined, and of the machine,
 * or LTT_SQL_NO_HOST. For all rows, or for none. */
void ltt_sql_list_add_origin(LttSqlList *list, guint member, guint host);

/* Returns: (transfer full): the rows; takes the list */
LttSqlRun *ltt_sql_list_finish(LttSqlList *list);
void ltt_sql_list_free(LttSqlList *list);

/* Returns: (transfer full): a table. @make makes its rows when they are first read
 * @columns: (array length=n_columns): must live as long as the table */
LttSqlTable *ltt_sql_list_table(LttSqlEnv *env, const char *name, const char *description,
				const LttColumn *columns, guint n_columns, LttSqlListFunc make,
				gpointer user_data);

#endif
