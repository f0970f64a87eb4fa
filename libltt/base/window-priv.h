/* window-priv.h - bytes anywhere in a file, through a cache of fixed size.
 *
 * For files that are read in nearly the order of their bytes, or along a few such orders at a time.
 * Read with pread(), not mapped: a file that is cut short meanwhile is an error and no signal.
 */
#ifndef LTT_WINDOW_PRIV_H
#define LTT_WINDOW_PRIV_H

#ifndef LTT_BUILDING
#error "window-priv.h is private to libltt"
#endif

#include <glib.h>

/* What is asked for at once, beyond this, takes memory of its own: whoever asks has compared the
 * number with a ceiling, which may be this one. */
#define LTT_WINDOW_MAX_BYTES (256 * 1024)

/* Places for panes, at most, and how many of those that gave way last are remembered. */
#define LTT_WINDOW_PLACES 512
#define LTT_WINDOW_GONE   64

typedef struct LttWindow {
	/* What was lent last, with the bytes around it: what is asked for next is nearly always
	 * there. */
	const guint8 *lent;
	guint64 lent_begin; /* in the file */
	gsize lent_bytes;

	int fd;
	char *name;
	guint64 size_bytes;
	guint n_places;
	guint64 held[LTT_WINDOW_PLACES]; /* which pane of the file is in each place */
	guint64 gone[LTT_WINDOW_GONE];   /* and which were there lately, in a ring */
	guint next_gone;
	guint8 *panes;
	guint8 *across; /* for what lies across panes */
	gsize across_bytes;
} LttWindow;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, or LTT_ERROR_UNSUPPORTED if @path is
 * no plain file */
LttWindow *ltt_window_open(const char *path, GError **error);

/* The same on a descriptor, which is taken over; @name is for messages. */
LttWindow *ltt_window_new(int fd, const char *name, GError **error);
void ltt_window_free(LttWindow *window); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttWindow, ltt_window_free)

/* Returns: the size of the file when it was opened */
guint64 ltt_window_get_size(const LttWindow *window);

/* Returns: the descriptor, which stays the window's */
int ltt_window_get_fd(const LttWindow *window);

/* Returns: what messages call the file */
const char *ltt_window_get_name(const LttWindow *window);

/* ltt_window_get() for what is not there yet. */
const guint8 *ltt_window_fetch(LttWindow *window, guint64 offset, gsize length, GError **error);

/**
 * ltt_window_get:
 * @length: not beyond the end of the file
 *
 * Returns: (nullable): the bytes at @offset, good until the next call; NULL with LTT_ERROR_IO, or
 * LTT_ERROR_LIMIT if there is no memory for so many
 */
static inline const guint8 *ltt_window_get(LttWindow *window, guint64 offset, gsize length,
					   GError **error)
{
	const guint64 skipped = offset - window->lent_begin;

	if (G_LIKELY(skipped < window->lent_bytes && length <= window->lent_bytes - skipped))
		return window->lent + skipped;
	return ltt_window_fetch(window, offset, length, error);
}

/* What needs no reading, as it was lent together with what was asked for last.
 * Returns: (nullable): the bytes from @offset on, @length of them; NULL if there are none */
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
