/* open-priv.h - items that have begun and not ended: a stack of items for each key.
 *
 * An open-addressing hash table finds the stack of a key; the items are in one array, linked from
 * the top of each stack down:
 *
 *	slots   | id=7 |      | id=3 |      |      | id=9 |
 *	           |             |                    |
 *	items   [ a ][ b ][ free ][ c ][ d ]◄─────────┘
 *	           ▲   │
 *	           └───┘ below
 *
 * Finding, adding and removing take constant time and, for keys that are numbers, no allocation.
 */
#ifndef LTT_ANALYSIS_OPEN_PRIV_H
#define LTT_ANALYSIS_OPEN_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/open-priv.h is private to libltt"
#endif

#include <ltt/ltt-pair.h>

typedef struct LttOpenTable LttOpenTable;

/* @item_bytes: size of an item; @clear_item: (nullable): frees what an item owns */
LttOpenTable *ltt_open_table_new(gsize item_bytes, guint32 max_items, GDestroyNotify clear_item);
void ltt_open_table_free(LttOpenTable *table); /* NULL is allowed and ignored */

/* Adds an item to the stack of @key; the caller sets all of it. @space: distinguishes keys of different kinds
 * Returns: (nullable): the item, which does not move; NULL if @max_items exist already */
gpointer ltt_open_table_push(LttOpenTable *table, guint32 space, const LttKeyValue *key);

/* Removes the top item of the stack of @key. Returns: (nullable): the item, valid until the next call of
 * this function that returns an item, which clears it; NULL if the stack is empty */
gpointer ltt_open_table_pop(LttOpenTable *table, guint32 space, const LttKeyValue *key);

guint32 ltt_open_table_get_n(const LttOpenTable *table);

/* Calls @visit for each item, in any order. */
void ltt_open_table_foreach(LttOpenTable *table, GFunc visit, gpointer user_data);

#endif
