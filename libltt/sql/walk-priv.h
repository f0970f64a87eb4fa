/* walk-priv.h - streams of rows that are found one by one: spans and pairs. */
#ifndef LTT_SQL_WALK_PRIV_H
#define LTT_SQL_WALK_PRIV_H

#ifndef LTT_BUILDING
#error "sql/walk-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/list-priv.h"

typedef struct LttSqlWalk LttSqlWalk;

struct LttSqlWalk {
	LttSqlStream base;
	const LttColumn *columns;
	guint n_columns;
	/* Finds the next row and adds it to @list; adds the size of its long values to @n_bytes.
	 * Returns: as ltt_merge_next() */
	LttStep (*add)(LttSqlWalk *walk, LttSqlList *list, gsize *n_bytes, GError **error);
	void (*skip_block)(LttSqlWalk *walk); /* continues after the damage that stopped `add` */
	gint64 next_id;
};

/* Sets the trace and the machine of the next row: those of an event. */
void ltt_sql_walk_add_origin_of(const LttSqlWalk *walk, LttSqlList *list,
				const LttTracefile *tracefile);

/* LttSqlSourceClass.next of a walk. Returns a run of some rows, and reports damage. */
LttStep ltt_sql_walk_next(LttSqlStream *stream, LttSqlRun **run, GError **error);

/* Returns: (transfer full): a table whose rows a walk finds. @class: its `next` is
 *   ltt_sql_walk_next(), and its `free` ltt_sql_walk_free_source()
 * @is_function: parameters will be added */
LttSqlTable *ltt_sql_walk_make_table(LttSqlEnv *env, const LttSqlSourceClass *class,
				     const char *name, const char *description,
				     const LttColumn *columns, guint n_columns,
				     gboolean is_function);
void ltt_sql_walk_free_source(LttSqlSource *source);

#endif
