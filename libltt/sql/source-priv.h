/* source-priv.h - where the rows of a table come from.
 *
 * A source returns rows in runs of columns, in the layout of LttArray. Everything above, the
 * cursors, indices and filters, sees only these runs.
 *
 *	LttTableReader ──► source-table.c  ──┐
 *	LttMerge       ──► source-events.c ──┼─► LttSqlRun ──► cursor.c ──► SQLite
 *	lists          ──► list.c          ──┘        └──────► index.c
 */
#ifndef LTT_SQL_SOURCE_PRIV_H
#define LTT_SQL_SOURCE_PRIV_H

#ifndef LTT_BUILDING
#error "sql/source-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include <ltt/ltt-job.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-symbols.h>
#include <ltt/ltt-table.h>

/* The largest text or blob. A JSON function takes 0.4 s for it, and cannot be cancelled in this time. */
#define LTT_MAX_SQL_VALUE_BYTES (16 * 1024 * 1024)

/* Appends to the value that begins at @start. A value that is too large is cut after the first byte above the limit, so
 * that SQLite rejects it where it is used, and it takes no more memory. */
void ltt_sql_append_cut(GString *text, gsize start, const char *bytes, gsize length);

/* How a value of an array becomes a value of SQL. */
typedef enum LttSqlForm {
	LTT_SQL_FORM_INT,    /* TIME, INT, UINT */
	LTT_SQL_FORM_WIDE,   /* UINT of 8 bytes: text above G_MAXINT64 */
	LTT_SQL_FORM_REAL,   /* FLOAT */
	LTT_SQL_FORM_TEXT,   /* STRING */
	LTT_SQL_FORM_LABEL,  /* ENUM: its text */
	LTT_SQL_FORM_NUMBER, /* ENUM: its number */
	LTT_SQL_FORM_JSON,   /* arrays and sequences */
	LTT_SQL_FORM_SYMBOL, /* address in code: its function; of several: JSON */
	/* Of the place of the event: */
	LTT_SQL_FORM_TRACEFILE,
	LTT_SQL_FORM_TRACE,
	LTT_SQL_FORM_HOST,
	LTT_SQL_FORM_PARAMETER, /* of a table-valued function */
} LttSqlForm;

#define LTT_SQL_MAX_DEPTH 16

/* A column of a table of SQL. */
typedef struct LttSqlColumn {
	char *name; /* owned */
	LttSqlForm form;
	gboolean is_hidden;
	const LttColumn *of;           /* where its values come from; NULL: the place */
	gint root;                     /* column of the source; -1: the place */
	guint depth;                   /* of the path from there */
	guint path[LTT_SQL_MAX_DEPTH]; /* children on the way to the values */
} LttSqlColumn;

/* Some rows. Read only. */
typedef struct LttSqlRun {
	gint n_refs; /* used by one thread */
	gsize n_rows;
	gint64 first_id;        /* of the first row; others follow */
	const gint64 *places;   /* NULL: rows have the ids above */
	const LttArray **roots; /* by column of the source; NULL: not read; owned */
	const guint
		*members;   /* without places: the trace of each row, of several; NULL: the first */
	const guint *hosts; /* likewise its machine; LTT_SQL_NO_HOST: a null */
	gsize n_bytes;      /* approximate size in memory */
	gpointer owner;     /* of the arrays */
	GDestroyNotify free_owner;
} LttSqlRun;

#define LTT_SQL_NO_HOST G_MAXUINT

LttSqlRun *ltt_sql_run_new(gsize n_rows, guint n_roots, gpointer owner, GDestroyNotify free_owner);
LttSqlRun *ltt_sql_run_ref(LttSqlRun *run);
void ltt_sql_run_unref(LttSqlRun *run); /* NULL is allowed and ignored */

/* Returns: the bytes of an array */
gsize ltt_sql_array_get_bytes(const LttArray *array);

#define LTT_SQL_MAX_PARAMETERS 3

/* What to read. */
typedef struct LttSqlScan {
	const guint8 *is_wanted; /* by column of the source */
	gboolean wants_places;
	gboolean is_ordered;                            /* by time */
	guint64 from_ns;                                /* window: from inclusive, to exclusive */
	guint64 to_ns;                                  /* G_MAXUINT64: no end */
	gint cpu;                                       /* -1: any */
	const char *parameters[LTT_SQL_MAX_PARAMETERS]; /* (nullable elements) */
	const char *type;   /* (nullable): `events`: only of this type */
	gboolean is_single; /* decode in the calling thread only */
} LttSqlScan;

/* Returns: (transfer full) (nullable): the selection of its window and CPU; NULL: no such CPU */
LttSelect *ltt_sql_scan_new_select(const LttSqlScan *scan, gboolean all, GError **error);

typedef struct LttSqlSource LttSqlSource;
typedef struct LttSqlStream LttSqlStream;

/* A kind of source. */
typedef struct LttSqlSourceClass {
	/* Returns: (transfer full) (nullable): a stream before the first run */
	LttSqlStream *(*open)(LttSqlSource *source, const LttSqlScan *scan, GError **error);
	/* @run: (out) (transfer full). Returns: LTT_STEP_EVENT with a run, END or ERROR */
	LttStep (*next)(LttSqlStream *stream, LttSqlRun **run, GError **error);
	void (*close)(LttSqlStream *stream);
	void (*free)(LttSqlSource *source);
} LttSqlSourceClass;

/* The parts of the database that its sources use. */
typedef struct LttSqlEnv {
	LttTrace *trace;
	LttSymbols *symbols;
	gboolean all;
	guint n_threads;
	gboolean is_small; /* the rows of a table may be kept in memory */
	LttJobCallbacks callbacks;
	GHashTable *reported;       /* texts of the problems reported so far */
	volatile gint is_cancelled; /* atomic */
	gint n_streams;             /* number of open streams */
	guint n_joins; /* number of span_joins that are searched, each within the one before */
} LttSqlEnv;

/* An LttProblemFunc. Reports each problem of the trace once. */
void ltt_sql_env_report(const LttProblem *problem, gpointer data);

/* An LttProgressFunc: cancels if the query is cancelled. */
gboolean ltt_sql_env_progress(const LttProgress *progress, gpointer env);

/* Handles the error of a step over events. Returns: TRUE if the error is damage, which is then
 * reported, and the caller skips the block; FALSE with @error if the query must end */
gboolean ltt_sql_env_skip(LttSqlEnv *env, GError *failure, GError **error);

/* Returns: whether rows have a trace and a machine: of several traces, or of one with several machines */
gboolean ltt_sql_env_has_origins(const LttSqlEnv *env);

/* Returns: FALSE with LTT_ERROR_CANCELLED if the query is cancelled */
gboolean ltt_sql_env_goes_on(LttSqlEnv *env, GError **error);

struct LttSqlSource {
	const LttSqlSourceClass *class;
	LttSqlEnv *env;
	guint n_roots;
	gint time_root; /* the column with the times of events; -1: none */
	gint cpu_root;  /* -1: none */
	gint pid_root;  /* of tables with columns of LTT_SQL_FORM_SYMBOL */
	gint type_root; /* `events`: the type; -1: none */
	gboolean has_places;
	gboolean is_ordered; /* rows can be read in order of time */
	gboolean can_group;  /* all rows may be kept in memory */
	double n_rows;       /* estimate */
};

struct LttSqlStream {
	LttSqlSource *source;
};

/* Called with a run, which the caller owns. Returns: FALSE with an error to stop reading */
typedef gboolean (*LttSqlRunFunc)(LttSqlRun *run, gpointer user_data, GError **error);

/* Reads all runs of a scan. Returns: FALSE with the error of the source or of @take, or with
 * LTT_ERROR_CANCELLED */
gboolean ltt_sql_source_read(LttSqlSource *source, const LttSqlScan *scan, LttSqlRunFunc take,
			     gpointer user_data, GError **error);

/* Returns: (transfer full): the events of a type */
LttSqlSource *ltt_sql_source_table(LttSqlEnv *env, const LttTable *table);

/* Returns: the name of the LttTable of such a source: "http.request" */
const char *ltt_sql_source_table_get_name(const LttSqlSource *source);

/* Returns: (transfer full): all events; its columns are LttSqlEventsRoot */
LttSqlSource *ltt_sql_source_events(LttSqlEnv *env);

typedef enum LttSqlEventsRoot {
	LTT_SQL_EVENTS_TIME,
	LTT_SQL_EVENTS_CPU,
	LTT_SQL_EVENTS_PID,
	LTT_SQL_EVENTS_TID,
	LTT_SQL_EVENTS_TYPE,
	LTT_SQL_EVENTS_DATA,
	LTT_SQL_N_EVENTS_ROOTS,
} LttSqlEventsRoot;

extern const LttColumn ltt_sql_events_columns[LTT_SQL_N_EVENTS_ROOTS];

/* Makes all rows of a list (list-priv.h). */
typedef LttSqlRun *(*LttSqlListFunc)(LttSqlEnv *env, gpointer user_data, GError **error);

#endif
