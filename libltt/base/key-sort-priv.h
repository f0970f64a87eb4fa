/* key-sort-priv.h - external merge sort of small keys, in bounded memory.
 *
 * A natural merge sort: nearly sorted input costs little, because ascending runs in it are merged
 * as they are. Above a limit, keys spill to an anonymous temporary file.
 */
#ifndef LTT_KEY_SORT_PRIV_H
#define LTT_KEY_SORT_PRIV_H

#ifndef LTT_BUILDING
#error "key-sort-priv.h is private to libltt"
#endif

#include <glib.h>

/* The sort order is group, then time, then place. */
typedef struct LttKey {
	guint64 time;
	guint64 place;
	guint32 group;
	guint32 size; /* not part of the order */
} LttKey;

typedef struct LttKeySort LttKeySort;

/* Keys held in memory before they spill to a file. */
#define LTT_KEY_SORT_HELD (512 * 1024)

/* @n_held: maximum number of keys in memory; @directory: as for ltt_scratch_new() */
LttKeySort *ltt_key_sort_new(gsize n_held, const char *directory);
void ltt_key_sort_free(LttKeySort *sort); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttKeySort, ltt_key_sort_free)

/* Add a key; end adding and sort. No key may be added after the end.
 * Return: FALSE with LTT_ERROR_IO */
gboolean ltt_key_sort_add(LttKeySort *sort, const LttKey *key, GError **error);
gboolean ltt_key_sort_end(LttKeySort *sort, GError **error);

/* Gets the next key in order. Returns: FALSE at the end, or with @error set if reading failed */
gboolean ltt_key_sort_next(LttKeySort *sort, LttKey *key, GError **error);

#endif
