/* order.c - see order-priv.h. */
#include "sql/order-priv.h"

#include <string.h>

#define SMALL_PART 65536
#define LOOK_MASK  (262144 - 1)

typedef struct Part {
	const LttSqlOrder *order;
	char *items;
	gsize n;
	guint64 random; /* state of a linear congruential generator */
	guint64 n_compared;
} Part;

static char *at(const Part *part, gsize index)
{
	return part->items + index * part->order->item_bytes;
}

static gint compare(const Part *part, gconstpointer a, gconstpointer b)
{
	return part->order->compare(a, b, part->order->data);
}

/* Returns: an item of the third @third of the part */
static const char *choose(Part *part, gsize third)
{
	const gsize from = part->n / 3 * third;

	part->random = part->random * G_GUINT64_CONSTANT(6364136223846793005) + 1;
	return at(part, from + (gsize)(part->random >> 32) % (part->n / 3));
}

static const char *choose_pivot(Part *part)
{
	const char *a = choose(part, 0);
	const char *b = choose(part, 1);
	const char *c = choose(part, 2);

	if (compare(part, a, b) > 0) {
		const char *other = a;

		a = b;
		b = other;
	}
	/* a <= b */
	if (compare(part, b, c) <= 0)
		return b;
	return compare(part, a, c) > 0 ? a : c;
}

static void swap(const Part *part, char *a, char *b)
{
	char item[LTT_SQL_MOST_ITEM_BYTES];

	memcpy(item, a, part->order->item_bytes);
	memcpy(a, b, part->order->item_bytes);
	memcpy(b, item, part->order->item_bytes);
}

static gboolean looks_on(Part *part, GError **error)
{
	return (++part->n_compared & LOOK_MASK) != 0 ||
	       ltt_sql_env_goes_on(part->order->env, error);
}

/* Hoare's partition: none of the first *n_low items is greater than one of the others. Both parts have items,
 * because two of the three that the pivot was chosen from are not less than it, and two not greater. */
static gboolean divide(Part *part, gsize *n_low, GError **error)
{
	const gsize bytes = part->order->item_bytes;
	char pivot[LTT_SQL_MOST_ITEM_BYTES];
	char *low = part->items;
	char *high = at(part, part->n - 1);

	memcpy(pivot, choose_pivot(part), bytes);
	for (;; low += bytes, high -= bytes) {
		for (; compare(part, low, pivot) < 0; low += bytes) {
			if (!looks_on(part, error))
				return FALSE;
		}
		for (; compare(part, pivot, high) < 0; high -= bytes) {
			if (!looks_on(part, error))
				return FALSE;
		}
		if (low >= high)
			break;
		swap(part, low, high);
		if (!looks_on(part, error))
			return FALSE;
	}
	*n_low = (gsize)(high - part->items) / bytes + 1;
	return TRUE;
}

static void sort_small(const Part *part)
{
	g_qsort_with_data(part->items, (gint)part->n, part->order->item_bytes, part->order->compare,
			  part->order->data);
}

static gboolean is_sorted(Part *part, gboolean *result, GError **error)
{
	for (gsize i = 1; i < part->n; i++) {
		if (!looks_on(part, error))
			return FALSE;
		if (compare(part, at(part, i - 1), at(part, i)) > 0)
			return TRUE;
	}
	*result = TRUE;
	return TRUE;
}

/* Recurses into the smaller half only, so that the depth is at most the logarithm. */
static gboolean sort_part(Part *part, GError **error)
{
	gsize n_low;

	while (part->n > SMALL_PART) {
		Part smaller = *part;

		if (!divide(part, &n_low, error))
			return FALSE;
		if (n_low <= part->n / 2) {
			smaller.n = n_low;
			part->items = at(part, n_low);
			part->n -= n_low;
		} else {
			smaller.items = at(part, n_low);
			smaller.n -= n_low;
			part->n = n_low;
		}
		smaller.n_compared = part->n_compared;
		if (!sort_part(&smaller, error))
			return FALSE;
		part->n_compared = smaller.n_compared;
	}
	sort_small(part);
	return TRUE;
}

gboolean ltt_sql_sort(const LttSqlOrder *order, gpointer items, gsize n, GError **error)
{
	Part part = {.order = order, .items = items, .n = n, .random = n};
	gboolean done = FALSE;

	if (!is_sorted(&part, &done, error))
		return FALSE;
	return done || sort_part(&part, error);
}

gconstpointer ltt_sql_select_rank(const LttSqlOrder *order, gpointer items, gsize n, gsize rank,
				  GError **error)
{
	Part part = {.order = order, .items = items, .n = n, .random = n};
	gsize n_low;

	while (part.n > SMALL_PART) {
		if (!divide(&part, &n_low, error))
			return NULL;
		if (rank < n_low) {
			part.n = n_low;
		} else {
			part.items = at(&part, n_low);
			part.n -= n_low;
			rank -= n_low;
		}
	}
	sort_small(&part);
	return at(&part, rank);
}
