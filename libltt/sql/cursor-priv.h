/* cursor-priv.h - walk the rows of a table that satisfy the pushed-down conditions.
 *
 * A cursor scans the runs of a stream, walks groups, or probes an index:
 *
 *	scan    stream ──► run ──► rows that match
 *	probe   index  ──► entries of a key, or of a range of times ──► (run, row)
 *
 * If the value of a condition varies from call to call, the first call scans, and the second builds
 * the index. A query with a single call needs no memory for an index.
 */
#ifndef LTT_SQL_CURSOR_PRIV_H
#define LTT_SQL_CURSOR_PRIV_H

#ifndef LTT_BUILDING
#error "sql/cursor-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/groups-priv.h"
#include "sql/index-priv.h"
#include "sql/plan-priv.h"

/* Limits of time, in the form of the values. */
typedef struct LttSqlWindow {
	guint64 from_ns;
	guint64 to_ns; /* exclusive; G_MAXUINT64: none */
	gboolean is_empty;
} LttSqlWindow;

typedef struct LttSqlCursor {
	sqlite3_vtab_cursor base;
	LttSqlTable *table;
	gboolean is_at_end;
	const LttSqlRun *run; /* of the row */
	gsize row;

	const char *plan_text; /* of `plan` */
	LttSqlPlan plan;
	LttSqlMatch matches[LTT_SQL_MAX_TERMS];
	guint n_matches;

	/* Scan: */
	LttSqlStream *stream;    /* NULL: none */
	LttSqlRun *scanned;      /* owned */
	guint64 last_ns;         /* time of the last row, if rows come in order of time */
	LttSqlMatch probe_match; /* a value that is looked up once */
	gboolean has_probe_match;

	/* Groups: */
	LttSqlGroups *groups; /* NULL: none */
	LttSqlGroupPlace place;

	/* Probe: */
	LttSqlIndex *index; /* of the table; NULL: not looked up yet */
	gboolean is_probing;
	gboolean is_all; /* every entry */
	guint64 key;
	guint64 end_ns;
	guint32 entry;
} LttSqlCursor;

LttSqlCursor *ltt_sql_cursor_new(LttSqlTable *table);
void ltt_sql_cursor_free(LttSqlCursor *cursor);

/* Moves to the first row. @values: as xFilter gets them */
gboolean ltt_sql_cursor_start(LttSqlCursor *cursor, const char *plan_text, sqlite3_value **values,
			      GError **error);
gboolean ltt_sql_cursor_next(LttSqlCursor *cursor, GError **error);

/* The values of one call of xFilter. */
typedef struct LttSqlValues {
	LttSqlWindow fixed;   /* from constants; an index contains only the rows in it */
	LttSqlWindow varying; /* from values that differ between calls */
	sqlite3_value *hash;  /* NULL: none */
	guint hash_column;
	gboolean seeks;
	LttSqlScan scan;
} LttSqlValues;

/* conditions.c: read the values of all conditions except lists, and the values of a list. */
void ltt_sql_cursor_take_values(LttSqlCursor *cursor, sqlite3_value **arguments,
				LttSqlValues *values);
void ltt_sql_cursor_take_list(LttSqlCursor *cursor, guint column, sqlite3_value *list);

/* Returns: (transfer full): the key of an index; cursors with equal keys share the index */
char *ltt_sql_cursor_make_key(const LttSqlCursor *cursor, const LttSqlValues *values);

/* window.c: narrows a window by a comparison of the time. */
void ltt_sql_window_narrow(LttSqlWindow *window, LttSqlAction limit, sqlite3_value *value);

#endif
