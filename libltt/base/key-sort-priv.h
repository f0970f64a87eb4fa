/* key-sort-priv.h - any number of small keys in order, in memory of fixed size.
 *
 * Keys that come nearly in order cost little: the rows that are in order already are merged, not
 * sorted. What is more than a ceiling goes to a scratch file.
 */
#ifndef LTT_KEY_SORT_PRIV_H
#define LTT_KEY_SORT_PRIV_H

#ifndef LTT_BUILDING
#error "key-sort-priv.h is private to libltt"
#endif

#include <glib.h>

/* Sorted by group, then time, then place. */
typedef struct LttKey {
	guint64 time;
	guint64 place;
	guint32 group;
	guint32 size; /* does not count in the order */
} LttKey;

typedef struct LttKeySort LttKeySort;

/* Keys held in memory before a scratch file is used. */
#define LTT_KEY_SORT_HELD (512 * 1024)

/* @n_held: at most so many keys are in memory; @directory: as for ltt_scratch_new() */
LttKeySort *ltt_key_sort_new(gsize n_held, const char *directory);
void ltt_key_sort_free(LttKeySort *sort); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttKeySort, ltt_key_sort_free)

/* Return: FALSE with LTT_ERROR_IO. After the end of adding, none may be added. */
gboolean ltt_key_sort_add(LttKeySort *sort, const LttKey *key, GError **error);
gboolean ltt_key_sort_end(LttKeySort *sort, GError **error);

/* The next key in order. Returns: FALSE at the end, or, with @error set, if reading failed */
gboolean ltt_key_sort_next(LttKeySort *sort, LttKey *key, GError **error);

#endif
