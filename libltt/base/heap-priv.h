/* heap-priv.h - the first of some items, in an order that the caller defines.
 *
 * A binary heap in an array: the children of item i are items 2 i + 1 and 2 i + 2. Replacing the
 * first item moves one item a level, so a merge that replaces it costs less than one that removes
 * it and adds another.
 */
#ifndef LTT_BASE_HEAP_PRIV_H
#define LTT_BASE_HEAP_PRIV_H

#ifndef LTT_BUILDING
#error "base/heap-priv.h is private to libltt"
#endif

#include <glib.h>

/* Returns: whether item @a comes before item @b. The heap keeps no order among others. */
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

/* Puts a copy of @item in place of the first item, which must be there. @item: not in the heap */
void ltt_heap_replace(LttHeap *heap, gconstpointer item);

/* Removes the first item, which must be there. @item: (out) (optional): set to it */
void ltt_heap_pop(LttHeap *heap, gpointer item);

#endif
