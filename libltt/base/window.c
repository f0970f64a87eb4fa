/* window.c - a direct-mapped cache over a file.
 *
 * The file is divided into panes of PANE_BYTES. Pane n can only be in place n modulo the number of
 * places. The cache starts with few places, so that it stays in the processor's cache, and grows
 * when a recently evicted pane is needed again. Panes in adjacent places are one piece of memory. A
 * request that spans others is assembled in a separate buffer.
 *
 *	file     | 0 | 1 | 2 | 3 | 4 | 5 | 6 | ...        panes
 *	           |   |           |   |
 *	cache    | 4 | 1 | - | - |                        4 places: 4 has evicted 0
 */
#include "base/window-priv.h"

#include "base/error-priv.h"
#include "base/read-at-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PANE_BYTES    ((guint64)16 * 1024)
#define PANES_AHEAD   4 /* read at once where reading is sequential */
#define FEWEST_PLACES 16
#define NO_PANE       G_MAXUINT64

/* Returns: FALSE, with nothing changed, if out of memory */
static gboolean set_places(LttWindow *window, guint n_places)
{
	guint8 *panes = ltt_read_buffer_new(n_places * PANE_BYTES);

	if (panes == NULL)
		return FALSE;
	free(window->panes);
	window->panes = panes;
	window->n_places = n_places;
	for (guint i = 0; i < n_places; i++)
		window->held[i] = NO_PANE;
	for (guint i = 0; i < LTT_WINDOW_GONE; i++)
		window->gone[i] = NO_PANE;
	return TRUE;
}

LttWindow *ltt_window_new(int fd, const char *name, GError **error)
{
	LttWindow *window;
	struct stat status;

	if (fstat(fd, &status) < 0) {
		ltt_fail_io(error, name, "look at the file", errno);
		close(fd);
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		close(fd);
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: not a regular file", name);
		return NULL;
	}
	window = g_new0(LttWindow, 1);
	window->fd = fd;
	window->name = g_strdup(name);
	window->size_bytes = (guint64)status.st_size;
	if (!set_places(window, FEWEST_PLACES)) {
		ltt_window_free(window);
		ltt_fail(error, LTT_ERROR_LIMIT, "%s: no memory for a window", name);
		return NULL;
	}
	return window;
}

LttWindow *ltt_window_open(const char *path, GError **error)
{
	const int fd = open(path, O_RDONLY | LTT_OPEN_FOREIGN);

	if (fd < 0) {
		ltt_fail_io(error, path, "open the file", errno);
		return NULL;
	}
	return ltt_window_new(fd, path, error);
}

void ltt_window_free(LttWindow *window)
{
	if (window == NULL)
		return;
	close(window->fd);
	g_free(window->name);
	free(window->panes);
	g_free(window->across);
	g_free(window);
}

guint64 ltt_window_get_size(const LttWindow *window)
{
	return window->size_bytes;
}

int ltt_window_get_fd(const LttWindow *window)
{
	return window->fd;
}

const char *ltt_window_get_name(const LttWindow *window)
{
	return window->name;
}

gboolean ltt_window_has(const LttWindow *window, guint64 offset, guint64 length)
{
	return offset <= window->size_bytes && length <= window->size_bytes - offset;
}

/* Returns: the number of panes to read from pane @number on, whose places are adjacent */
static guint count_wanted(const LttWindow *window, guint64 number)
{
	const guint64 n_panes = (window->size_bytes + PANE_BYTES - 1) / PANE_BYTES;
	const guint n_adjacent = window->n_places - (guint)(number % window->n_places);

	if (number != window->next_pane)
		return 1;
	return (guint)MIN(MIN(PANES_AHEAD, n_adjacent), n_panes - number);
}

/* Reads pane @number, and perhaps further ones, into their places, evicting the panes there. */
static gboolean read_panes(LttWindow *window, guint64 number, GError **error)
{
	const guint place = (guint)(number % window->n_places);
	const guint n_panes = count_wanted(window, number);
	guint8 *pane = window->panes + place * PANE_BYTES;
	const guint64 begin = number * PANE_BYTES;
	const gsize length = (gsize)MIN(n_panes * PANE_BYTES, window->size_bytes - begin);
	gsize done;
	int errnum;

	for (guint i = 0; i < n_panes; i++) {
		window->gone[window->next_gone++ % LTT_WINDOW_GONE] = window->held[place + i];
		window->held[place + i] = NO_PANE;
	}
	errnum = ltt_read_at(window->fd, pane, length, begin, &done);
	if (errnum == ENODATA)
		return ltt_fail(error, LTT_ERROR_IO,
				"%s: byte %" G_GUINT64_FORMAT
				": the file ends here; expected the %" G_GUINT64_FORMAT
				" bytes that it had at first",
				window->name, begin + done, window->size_bytes);
	if (errnum != 0)
		return ltt_fail_io(error, window->name, "read", errnum);
	for (guint i = 0; i < n_panes; i++)
		window->held[place + i] = number + i;
	window->next_pane = number + n_panes;
	return TRUE;
}

static gboolean was_here(const LttWindow *window, guint64 number)
{
	for (guint i = 0; i < LTT_WINDOW_GONE; i++)
		if (window->gone[i] == number)
			return TRUE;
	return FALSE;
}

/* @number: must not be past the end. Returns: (nullable): the pane; NULL with @error set */
static const guint8 *get_pane(LttWindow *window, guint64 number, GError **error)
{
	guint place = (guint)(number % window->n_places);

	if (window->held[place] != number) {
		/* If out of memory, the cache keeps its size. */
		if (window->n_places < LTT_WINDOW_PLACES && was_here(window, number))
			(void)set_places(window, 2 * window->n_places);
		if (!read_panes(window, number, error))
			return NULL;
		place = (guint)(number % window->n_places);
	}
	return window->panes + place * PANE_BYTES;
}

static gboolean need_across(LttWindow *window, gsize length, GError **error)
{
	const gsize wanted = MAX(length, LTT_WINDOW_MAX_BYTES);
	guint8 *across;

	if (length <= window->across_bytes)
		return TRUE;
	across = g_try_realloc(window->across, wanted);
	if (across == NULL)
		return ltt_fail(error, LTT_ERROR_LIMIT, "%s: no memory for %zu bytes", window->name,
				length);
	window->across = across;
	window->across_bytes = wanted;
	return TRUE;
}

static const guint8 *get_across(LttWindow *window, guint64 offset, gsize length, GError **error)
{
	gsize done = 0;

	if (!need_across(window, length, error))
		return NULL;
	while (done < length) {
		const guint64 at = offset + done;
		const gsize here = (gsize)MIN(PANE_BYTES - at % PANE_BYTES, length - done);
		const guint8 *pane = get_pane(window, at / PANE_BYTES, error);

		if (pane == NULL)
			return NULL;
		memcpy(window->across + done, pane + at % PANE_BYTES, here);
		done += here;
	}
	return window->across;
}

/* Returns: the number of panes in adjacent places from pane @number on, which is in its place */
static guint count_adjacent(const LttWindow *window, guint64 number)
{
	const guint place = (guint)(number % window->n_places);
	const guint most = MIN(PANES_AHEAD, window->n_places - place);
	guint n = 1;

	while (n < most && window->held[place + n] == number + n)
		n++;
	return n;
}

static const guint8 *lend(LttWindow *window, const guint8 *bytes, guint64 begin, gsize length)
{
	window->lent = bytes;
	window->lent_begin = begin;
	window->lent_bytes = bytes != NULL ? length : 0;
	return bytes;
}

const guint8 *ltt_window_fetch(LttWindow *window, guint64 offset, gsize length, GError **error)
{
	const guint64 in_pane = offset % PANE_BYTES;
	const guint64 begin = offset - in_pane;
	const guint8 *pane;
	guint64 n_bytes;

	g_return_val_if_fail(ltt_window_has(window, offset, length), NULL);
	if (length == 0)
		return (const guint8 *)"";
	pane = get_pane(window, begin / PANE_BYTES, error);
	if (pane == NULL)
		return lend(window, NULL, 0, 0);
	n_bytes = MIN(count_adjacent(window, begin / PANE_BYTES) * PANE_BYTES,
		      window->size_bytes - begin);
	if (in_pane + length > n_bytes)
		return lend(window, get_across(window, offset, length, error), offset, length);
	return lend(window, pane, begin, (gsize)n_bytes) + in_pane;
}
