/* heap.c - see heap-priv.h. */
#include "base/heap-priv.h"

#include <string.h>

void ltt_heap_init(LttHeap *heap, guint item_bytes, LttHeapBefore is_before)
{
	*heap = (LttHeap){
		.items = g_array_new(FALSE, FALSE, item_bytes),
		.is_before = is_before,
	};
}

void ltt_heap_clear(LttHeap *heap)
{
	g_clear_pointer(&heap->items, g_array_unref);
}

static char *item_at(const LttHeap *heap, guint i)
{
	return heap->items->data + (gsize)i * g_array_get_element_size(heap->items);
}

static void move(const LttHeap *heap, guint to, gconstpointer item)
{
	memmove(item_at(heap, to), item, g_array_get_element_size(heap->items));
}

gpointer ltt_heap_peek(const LttHeap *heap)
{
	return heap->items->len > 0 ? item_at(heap, 0) : NULL;
}

void ltt_heap_push(LttHeap *heap, gconstpointer item)
{
	guint at = heap->items->len;

	g_array_set_size(heap->items, at + 1);
	while (at > 0 && heap->is_before(item, item_at(heap, (at - 1) / 2))) {
		move(heap, at, item_at(heap, (at - 1) / 2));
		at = (at - 1) / 2;
	}
	move(heap, at, item);
}

/* Replaces the first item with @item, which must not be in the heap, and sifts it down. */
static void sink(LttHeap *heap, gconstpointer item)
{
	const guint n_items = heap->items->len;
	guint at = 0;

	for (;;) {
		guint child = 2 * at + 1;

		if (child + 1 < n_items &&
		    heap->is_before(item_at(heap, child + 1), item_at(heap, child)))
			child++;
		if (child >= n_items || !heap->is_before(item_at(heap, child), item))
			break;
		move(heap, at, item_at(heap, child));
		at = child;
	}
	move(heap, at, item);
}

void ltt_heap_replace(LttHeap *heap, gconstpointer item)
{
	sink(heap, item);
}

void ltt_heap_pop(LttHeap *heap, gpointer item)
{
	const guint last = heap->items->len - 1;

	if (item != NULL)
		memcpy(item, item_at(heap, 0), g_array_get_element_size(heap->items));
	g_array_set_size(heap->items, last);
	if (last > 0)
		sink(heap, item_at(heap, last)); /* its memory remains */
}
