/* heap-priv.h - a binary heap: finds the first item in an order that the caller defines.
 *
 * The items are in an array: the children of item i are items 2 i + 1 and 2 i + 2. Replacing the
 * first item moves one item per level, so a merge that replaces it costs less than one that removes
 * it and adds another.
 */
#ifndef LTT_BASE_HEAP_PRIV_H
#define LTT_BASE_HEAP_PRIV_H

#ifndef LTT_BUILDING
#error "base/heap-priv.h is private to libltt"
#endif

#include <glib.h>

/* Returns: whether item @a comes before item @b. The order of equal items is undefined. */
typedef gboolean (*LttHeapBefore)(gconstpointer a, gconstpointer b);

typedef struct LttHeap {
	GArray *items;
	LttHeapBefore is_before;
} LttHeap;

void ltt_heap_init(LttHeap *heap, guint item_bytes, LttHeapBefore is_before);
void ltt_heap_clear(LttHeap *heap);

/* Returns: (nullable): the first item; NULL: the heap is empty. Valid until the heap changes */
gpointer ltt_heap_peek(const LttHeap *heap);

/* Adds a copy of @item. */
void ltt_heap_push(LttHeap *heap, gconstpointer item);

/* Replaces the first item, which must exist, with a copy of @item. @item: not in the heap */
void ltt_heap_replace(LttHeap *heap, gconstpointer item);

/* Removes the first item, which must exist. @item: (out) (optional): set to the removed item */
void ltt_heap_pop(LttHeap *heap, gpointer item);

#endif
