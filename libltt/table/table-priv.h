/* table-priv.h - a table and the versions of its event type. */
#ifndef LTT_TABLE_TABLE_PRIV_H
#define LTT_TABLE_TABLE_PRIV_H

#ifndef LTT_BUILDING
#error "table/table-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include <ltt/ltt-table.h>

/* The columns that all tables begin with; only tables of several traces or machines have the last
 * two. */
typedef enum LttBaseColumn {
	LTT_BASE_TIME,
	LTT_BASE_CPU,
	LTT_BASE_PID,
	LTT_BASE_TID,
	LTT_BASE_TRACE,
	LTT_BASE_HOST,
	LTT_N_BASE_COLUMNS,
} LttBaseColumn;

/* A version of the event type: maps its fields to columns. */
typedef struct LttTableVersion {
	const LttEventType *type; /* of the trace */
	guint n_members;          /* of its struct; 1 if the payload is not a struct */
	guint *columns;           /* by member */
} LttTableVersion;

struct LttTable {
	gint n_refs; /* atomic: of the tables, readers and batches */
	char *name;
	char *description;   /* NULL: none */
	LttTrace *trace;     /* borrowed */
	LttEventRole role;   /* of its events */
	GArray *columns;     /* of LttColumn */
	guint n_base;        /* how many of these are an LttBaseColumn */
	gint32 *traces;      /* by member of a joined trace: index into the labels of `trace` */
	gint32 *hosts;       /* by host of the trace: index into the labels of `host` */
	GHashTable *by_name; /* -> index, plus 1 */
	GArray *versions;    /* of LttTableVersion */
};

LttTable *ltt_table_ref(const LttTable *table);
void ltt_table_unref(LttTable *table);

/* Returns: (nullable): the version with events of @type; NULL: the table has none */
const LttTableVersion *ltt_table_find_version(const LttTable *table, const LttEventType *type);

#endif
