/* support-table.h - compare the rows of tables with the events of a trace. */
#ifndef SUPPORT_TABLE_H
#define SUPPORT_TABLE_H

#include <ltt/ltt-merge.h>
#include <ltt/ltt-table.h>
#include <ltt/ltt-value.h>

/* Whether row @i of an array is the value. */
gboolean table_value_is(const LttArray *array, gsize i, const LttValue *value);

/* Whether row @i of a batch with all columns of @table is the event. */
gboolean table_row_is(const LttTable *table, const LttBatch *batch, gsize i, const LttEvent *event);

/* A sequence of events: tracefile by tracefile, or merged. Skips damage. */
typedef struct TableSource {
	LttTrace *trace;
	LttSelect *all;
	LttMerge *merge; /* NULL: tracefile by tracefile */
	LttCursor *cursor;
	guint next_file;
} TableSource;

void table_source_init(TableSource *source, LttTrace *trace, gboolean is_merged);
void table_source_clear(TableSource *source);

/* Returns: the next event that is a row of @table; NULL at the end */
const LttEvent *table_source_next(TableSource *source, const LttTable *table);

#endif
