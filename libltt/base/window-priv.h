/* window-priv.h - random access to a file through a cache of bounded size.
 *
 * Made for files that are read nearly sequentially, or in a few sequential streams at a time. Uses
 * pread() instead of mmap(): truncating the file meanwhile causes an error, not a SIGBUS.
 */
#ifndef LTT_WINDOW_PRIV_H
#define LTT_WINDOW_PRIV_H

#ifndef LTT_BUILDING
#error "window-priv.h is private to libltt"
#endif

#include <glib.h>

/* A larger request allocates a buffer of its own, so the caller must check the length against a
 * limit first, such as this one. */
#define LTT_WINDOW_MAX_BYTES (256 * 1024)

/* Maximum number of panes in the cache, and length of the history of evicted panes. */
#define LTT_WINDOW_PLACES 512
#define LTT_WINDOW_GONE   64

typedef struct LttWindow {
	/* The range that served the last request. It nearly always serves the next one too. */
	const guint8 *lent;
	guint64 lent_begin; /* in the file */
	gsize lent_bytes;

	int fd;
	char *name;
	guint64 size_bytes;
	guint n_places;
	guint64 held[LTT_WINDOW_PLACES]; /* number of the pane in each place */
	guint64 gone[LTT_WINDOW_GONE];   /* ring buffer of recently evicted panes */
	guint next_gone;
	guint64 next_pane; /* after those read last */
	guint8 *panes;
	guint8 *across; /* buffer for requests that span panes */
	gsize across_bytes;
} LttWindow;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, LTT_ERROR_UNSUPPORTED if @path is
 *   not a regular file, or LTT_ERROR_LIMIT if out of memory */
LttWindow *ltt_window_open(const char *path, GError **error);

/* The same for a descriptor. @fd: (transfer full), also on failure; @name: for messages */
LttWindow *ltt_window_new(int fd, const char *name, GError **error);
void ltt_window_free(LttWindow *window); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttWindow, ltt_window_free)

/* Returns: the size of the file when it was opened */
guint64 ltt_window_get_size(const LttWindow *window);

/* Returns: the descriptor, owned by the window */
int ltt_window_get_fd(const LttWindow *window);

/* Returns: the name of the file in messages */
const char *ltt_window_get_name(const LttWindow *window);

/* The slow path of ltt_window_get(): outside the range of the last request. */
const guint8 *ltt_window_fetch(LttWindow *window, guint64 offset, gsize length, GError **error);

/**
 * ltt_window_get:
 * @length: must not reach past the end of the file
 *
 * Returns: (nullable): the bytes at @offset, valid until the next call; NULL with LTT_ERROR_IO, or
 *   LTT_ERROR_LIMIT if out of memory
 */
static inline const guint8 *ltt_window_get(LttWindow *window, guint64 offset, gsize length,
					   GError **error)
{
	const guint64 skipped = offset - window->lent_begin;

	if (G_LIKELY(skipped < window->lent_bytes && length <= window->lent_bytes - skipped))
		return window->lent + skipped;
	return ltt_window_fetch(window, offset, length, error);
}

/* Gets bytes without reading the file, from the range of the last request.
 * Returns: (nullable): @length bytes at @offset; NULL if they are not all in that range */
static inline const guint8 *ltt_window_get_lent(const LttWindow *window, guint64 offset,
						gsize *length)
{
	const guint64 skipped = offset - window->lent_begin;

	if (skipped >= window->lent_bytes)
		return NULL;
	*length = window->lent_bytes - (gsize)skipped;
	return window->lent + skipped;
}

/* Returns: whether [@offset, @offset + @length) is inside the file */
gboolean ltt_window_has(const LttWindow *window, guint64 offset, guint64 length);

#endif
