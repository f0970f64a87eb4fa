/* column-priv.h - make columns of layouts, and join the columns of two versions of a type. */
#ifndef LTT_TABLE_COLUMN_PRIV_H
#define LTT_TABLE_COLUMN_PRIV_H

#ifndef LTT_BUILDING
#error "table/column-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include <ltt/ltt-layout.h>
#include <ltt/ltt-table.h>

/* Makes the column of a value. All strings are copies. */
void ltt_column_init(LttColumn *column, const char *name, const LttLayout *layout);

/* Returns: (transfer full): the name of the column of a field: its own, after as many "field_" as make it
 * different from those in the set @taken */
char *ltt_column_dup_name(GHashTable *taken, const char *name);

/* Makes a column of numbers. */
void ltt_column_init_number(LttColumn *column, const char *name, LttColumnKind kind,
			    guint8 width_bytes, gboolean may_be_null);

/* Makes a column of texts that are known in advance. @codes: (out): the index of each text in the
 * labels of the column, which has equal texts once */
void ltt_column_init_texts(LttColumn *column, const char *name, const char *const *texts,
			   guint n_texts, gint32 *codes);
void ltt_column_clear(LttColumn *column);

/* Returns: whether one column can hold the values of both. Widths of numbers and labels of enums
 * may differ */
gboolean ltt_columns_agree(const LttColumn *a, const LttColumn *b);

/* Marks a column that a version does not have. Its arrays become lists if a null would take much space. */
void ltt_column_let_be_null(LttColumn *column);

/* Widens @column to hold also the values of @other, with which it must agree. */
void ltt_column_widen(LttColumn *column, const LttColumn *other);

#endif
