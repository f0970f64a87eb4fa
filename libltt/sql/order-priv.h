/* order-priv.h - sorts that can be cancelled: qsort() of 100 million values takes longer than Ctrl-C may.
 *
 * Quicksort in place, so that the limits on memory hold: a partition looks whether to go on after each 262,144
 * comparisons, and parts of at most 65,536 items are left to g_qsort_with_data(). Pivots are medians of three at
 * pseudorandom places.
 */
#ifndef LTT_SQL_ORDER_PRIV_H
#define LTT_SQL_ORDER_PRIV_H

#ifndef LTT_BUILDING
#error "sql/order-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/source-priv.h"

#define LTT_SQL_MOST_ITEM_BYTES 64

typedef struct LttSqlOrder {
	gsize item_bytes; /* at most LTT_SQL_MOST_ITEM_BYTES */
	GCompareDataFunc compare;
	gpointer data; /* for @compare */
	LttSqlEnv *env;
} LttSqlOrder;

/* Sorts @n items. Returns: FALSE with LTT_ERROR_CANCELLED; the items are then in any order */
gboolean ltt_sql_sort(const LttSqlOrder *order, gpointer items, gsize n, GError **error);

/* Moves the items so that the one at @rank is the one that sorting would put there. @rank: below @n.
 * Returns: (transfer none) (nullable): this item; NULL with LTT_ERROR_CANCELLED */
gconstpointer ltt_sql_select_rank(const LttSqlOrder *order, gpointer items, gsize n, gsize rank,
				  GError **error);

#endif
