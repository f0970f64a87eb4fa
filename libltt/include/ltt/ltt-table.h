/* ltt-table.h - the events of one type as a table, decoded into columns.
 *
 * A table has a row for each event of a type and these columns: `time`, `cpu` (null for control
 * files and lanes), `pid` and `tid` (null where unknown), and then the fields of the event by name.
 * If several traces are read as one (ltt-join.h), the enums `trace`, the path of the trace, and
 * `host`, the node_name of its machine or "", are before the fields; they are never null.
 * A field with the name of a column before it gets `field_` before its name. A payload that is not a
 * struct is a column `value`.
 *
 *	g_autoptr(LttTables) tables = ltt_tables_new(trace);
 *	const LttTable *table = ltt_tables_find(tables, "http.request");
 *	const char *const columns[] = {"time", "status", NULL};
 *	const LttTableRequest request = {.table = table, .columns = columns};
 *	g_autoptr(LttTableReader) reader = ltt_table_read(&request, &error);
 *	LttBatch *batch;
 *	while (ltt_table_reader_next(reader, &batch, &error) == LTT_STEP_EVENT) {
 *		const gint64 *time = ltt_batch_get_array(batch, 0)->values;
 *		...
 *		ltt_batch_unref(batch);
 *	}
 *
 * Only the requested columns are decoded, and no memory is allocated for single events. The
 * arrays have the memory layout of Apache Arrow; ltt-arrow.h passes them to other libraries.
 *
 * An event type that a trace has in two versions is one table with the columns of both, null where
 * a version has no such field, if fields of the same name have the same type; numbers of different
 * sizes have the same type. Otherwise each further version is a separate table, with its number
 * after the name: "http.request_2".
 */
#ifndef LTT_TABLE_H
#define LTT_TABLE_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-partition.h>

G_BEGIN_DECLS

/* ---- columns ---- */

typedef enum LttColumnKind {
	LTT_COLUMN_TIME,        /* gint64: ns since 1970-01-01 UTC */
	LTT_COLUMN_INT,         /* gint8 to gint64 */
	LTT_COLUMN_UINT,        /* guint8 to guint64 */
	LTT_COLUMN_FLOAT,       /* float or double */
	LTT_COLUMN_STRING,      /* UTF-8; each invalid sequence of bytes became U+FFFD */
	LTT_COLUMN_ENUM,        /* gint32: an index into the texts of the array */
	LTT_COLUMN_FIXED_BYTES, /* n_elements bytes: an array of uint of size 1 */
	LTT_COLUMN_BYTES,       /* bytes: a sequence of uint of size 1 */
	LTT_COLUMN_FIXED_LIST,  /* n_elements of the child: an array */
	LTT_COLUMN_LIST,        /* elements of the child: a sequence */
	LTT_COLUMN_STRUCT,      /* the children */
	LTT_COLUMN_UNION,       /* the children: first "tag", an enum of the names of the members,
				 * then the members, of which all but the active one are null. A
				 * member with the name of an earlier child has the prefix "field_".
				 * Arrays in it are LTT_COLUMN_BYTES or LTT_COLUMN_LIST. So are arrays of
				 * which a null would be large, in a column that a version lacks */
} LttColumnKind;

/* Read only; lives as long as its table. */
typedef struct LttColumn {
	const char *name; /* "item" for elements */
	LttColumnKind kind;
	guint8 width_bytes; /* of a value of TIME, INT, UINT and FLOAT; else 0 */
	gboolean may_be_null;
	LttFieldRole role;         /* of the field that is the column */
	guint64 n_elements;        /* FIXED_BYTES, FIXED_LIST; of others, it has no meaning */
	const char *const *labels; /* ENUM: the labels, each once */
	guint n_labels;
	guint n_children;
	const struct LttColumn *children;
} LttColumn;

/* ---- tables ---- */

typedef struct LttTable LttTable;
typedef struct LttTables LttTables;

/* Returns: (transfer full): a table for each event type that the trace describes, hidden ones
 *   included; in the order of their names. The trace must outlive the tables. */
LttTables *ltt_tables_new(LttTrace *trace);
void ltt_tables_free(LttTables *tables); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTables, ltt_tables_free)

guint ltt_tables_get_n(const LttTables *tables);
const LttTable *ltt_tables_get(const LttTables *tables, guint index);

/* Returns: (nullable): the table named @name ("http.request") */
const LttTable *ltt_tables_find(const LttTables *tables, const char *name);

const char *ltt_table_get_name(const LttTable *table);
const char *ltt_table_get_description(const LttTable *table); /* (nullable): of the event type */

/* Returns: whether dumps show its events only on request (ltt_event_is_hidden()) */
gboolean ltt_table_is_hidden(const LttTable *table);

guint ltt_table_get_n_columns(const LttTable *table);
const LttColumn *ltt_table_get_column(const LttTable *table, guint index);

/* Returns: the index of the column named @name; -1: there is none */
gint ltt_table_find_column(const LttTable *table, const char *name);

/* ---- reading ---- */

/* What to read. */
typedef struct LttTableRequest {
	const LttTable *table;
	const char *const *columns; /* names, then NULL; NULL: all columns of the table */
	LttSelect *select;          /* (nullable): window, CPUs and filter; its names are ignored */
	const LttPartition *partitions; /* to read; NULL: all that @select allows */
	guint n_partitions;
	gboolean is_ordered;   /* rows in the merged order of the trace; else in the order of the
			      * partitions, and ascending in each tracefile. Excludes @partitions */
	guint n_threads;       /* that decode, including that of the caller; 0: one per processor.
			      * Ordered: always one */
	guint batch_rows;      /* approximate number of rows in a batch; 0: 65,536 */
	gboolean with_places;  /* ltt_batch_get_places() */
	gboolean with_numbers; /* LttArray.numbers */
	/* Called in the thread of ltt_table_reader_next(). Problems: damaged or unreadable blocks,
	 * whose events after the damage are missing; in the order of the partitions. Progress: at
	 * least after each partition, or in merged order after every few thousand events. Cancelling
	 * ends ltt_table_reader_next() with LTT_ERROR_CANCELLED; a further call continues */
	LttJobCallbacks callbacks;
} LttTableRequest;

#define LTT_DEFAULT_BATCH_ROWS 65536
#define LTT_MAX_TABLE_THREADS  64

typedef struct LttTableReader LttTableReader;

/**
 * ltt_table_read:
 *
 * Copies the request, but not the objects that it points to, which must outlive the reader. Until the
 * reader is freed, the selection must not be used for anything else.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID if the table has no column of a
 *   name in @request, or a column is requested twice
 */
LttTableReader *ltt_table_read(const LttTableRequest *request, GError **error);
void ltt_table_reader_free(LttTableReader *reader); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTableReader, ltt_table_reader_free)

/* Returns: the number of columns that are read, and each, in the order of the request */
guint ltt_table_reader_get_n_columns(const LttTableReader *reader);
const LttColumn *ltt_table_reader_get_column(const LttTableReader *reader, guint index);

/* The values of a column. All arrays of a batch have the same number of values. Read only. */
typedef struct LttArray {
	const LttColumn *column;
	gsize n_values;
	gsize n_nulls;
	const guint8 *validity; /* bit i, counted from the lowest, is set if value i is not null;
				 * NULL: none is null */
	gconstpointer values;   /* of numbers: the numbers; of enums: the indices; of strings and
				 * bytes: the bytes; else NULL */
	const gint32
		*offsets; /* STRING, BYTES, LIST: n_values + 1; value i lies from offset i up to
				 * offset i + 1, of the bytes or of the values of the child */
	guint n_children;
	const struct LttArray *children;
	const char *const *texts; /* ENUM: the texts that the indices refer to: the labels of the
				   * column, then the numbers without a label in this batch */
	guint n_texts;
	const gint64 *numbers; /* ENUM, with LttTableRequest.with_numbers: the numbers in the trace;
				* those of a uint above G_MAXINT64 wrap. Else NULL */
} LttArray;

typedef struct LttBatch LttBatch;

/**
 * ltt_table_reader_next:
 * @batch: (out) (transfer full): the next rows, at least one; set on LTT_STEP_EVENT
 *
 * Returns: LTT_STEP_EVENT, LTT_STEP_END, or LTT_STEP_ERROR with LTT_ERROR_CANCELLED, or
 *   LTT_ERROR_LIMIT if the next event takes too many bytes in the columns: more than 64 MiB, and 16 for each
 *   byte of its payload, or more than 1792 MiB. Nothing can be read after it
 */
LttStep ltt_table_reader_next(LttTableReader *reader, LttBatch **batch, GError **error);

gsize ltt_batch_get_n_rows(const LttBatch *batch);
const LttArray *ltt_batch_get_array(const LttBatch *batch, guint index);

/* The place of an event: the index of its tracefile and the byte in the file. No two events of a
 * trace have the same place, and an event always has the same one. */
#define LTT_PLACE_BITS             44
#define LTT_PLACE_TRACEFILE(place) ((guint)((guint64)(place) >> LTT_PLACE_BITS))

gint64 ltt_event_get_place(const LttEvent *event);

/* Returns: (nullable): the places of the rows; NULL: without LttTableRequest.with_places */
const gint64 *ltt_batch_get_places(const LttBatch *batch);

/* A batch outlives its reader, its tables and its trace. Any thread may drop a reference. */
LttBatch *ltt_batch_ref(LttBatch *batch);
void ltt_batch_unref(LttBatch *batch); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttBatch, ltt_batch_unref)

static inline gboolean ltt_array_is_null(const LttArray *array, gsize i)
{
	return array->validity != NULL && (array->validity[i / 8] >> (i % 8) & 1) == 0;
}

/* Returns: value @i of an array of TIME, INT or UINT; a UINT above G_MAXINT64 wraps */
static inline gint64 ltt_array_get_int(const LttArray *array, gsize i)
{
	const gboolean is_unsigned = array->column->kind == LTT_COLUMN_UINT;

	switch (array->column->width_bytes) {
	case 1:
		return is_unsigned ? ((const guint8 *)array->values)[i]
				   : ((const gint8 *)array->values)[i];
	case 2:
		return is_unsigned ? ((const guint16 *)array->values)[i]
				   : ((const gint16 *)array->values)[i];
	case 4:
		return is_unsigned ? (gint64)((const guint32 *)array->values)[i]
				   : (gint64)((const gint32 *)array->values)[i];
	default:
		return ((const gint64 *)array->values)[i];
	}
}

G_END_DECLS

#endif /* LTT_TABLE_H */
