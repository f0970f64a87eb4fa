/* bookmarks-edit.c - change info/bookmarks.xml of a trace on disk.
 *
 * A lock on the folder info/ protects reading, changing and replacing the file, so that concurrent
 * changes are not lost. A file with parts that cannot be parsed is not changed, because these parts
 * would be lost.
 */
#include "base/directory-priv.h"
#include "base/error-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-eventdefs.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char file_name[] = "info/bookmarks.xml";

/* Returns: a descriptor that holds the lock; -1 with LTT_ERROR_IO if there is no such folder */
static int lock_folder(const char *directory, GError **error)
{
	g_autofree char *path = g_build_filename(directory, "info", NULL);
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result;

	if (fd < 0 && errno == ENOTDIR) {
		ltt_fail(error, LTT_ERROR_IO,
			 "%s: is not a directory: expected one, as bookmarks are kept in it",
			 directory);
		return -1;
	}
	if (fd < 0) {
		ltt_fail_io(error, path, "open", errno);
		return -1;
	}
	do {
		result = flock(fd, LOCK_EX);
	} while (result < 0 && errno == EINTR);
	/* Some file systems do not support locks: continue without. */
	return fd;
}

static GPtrArray *parse_all(const char *path, const char *text, gsize length, LttError code,
			    GError **error)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) bookmarks = ltt_bookmarks_parse(text, length, remarks);
	const LttRemark *first;

	if (remarks->len == 0)
		return g_steal_pointer(&bookmarks);
	first = remarks->pdata[0];
	ltt_fail(error, code, "%s: line %u: %s; nothing was changed, as that would be lost", path,
		 first->line, first->message);
	return NULL;
}

static GPtrArray *read_all(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) reason = NULL;
	gsize length;

	if (g_file_get_contents(path, &text, &length, &reason))
		return parse_all(path, text, length, LTT_ERROR_DESCRIPTION, error);
	if (g_error_matches(reason, G_FILE_ERROR, G_FILE_ERROR_NOENT))
		return ltt_bookmarks_new();
	ltt_fail(error, LTT_ERROR_IO, "%s", reason->message);
	return NULL;
}

/* Checks that the result can be parsed again, since it may exceed a limit, and writes it. */
static gboolean write_all(const char *directory, const char *path, const GPtrArray *bookmarks,
			  GError **error)
{
	g_autofree char *text = ltt_bookmarks_print(bookmarks);
	g_autoptr(GPtrArray) again = parse_all(path, text, strlen(text), LTT_ERROR_LIMIT, error);

	return again != NULL && ltt_directory_write(directory, file_name, text, error);
}

gboolean ltt_bookmarks_add(const char *directory, const LttBookmark *bookmark, GError **error)
{
	g_autofree char *path = g_build_filename(directory, file_name, NULL);
	g_autoptr(GPtrArray) bookmarks = NULL;
	const int lock = lock_folder(directory, error);
	gboolean done = FALSE;

	if (lock < 0)
		return FALSE;
	bookmarks = read_all(path, error);
	if (bookmarks != NULL) {
		g_ptr_array_add(bookmarks, ltt_bookmark_dup(bookmark));
		done = write_all(directory, path, bookmarks, error);
	}
	close(lock);
	return done;
}

/* Returns: a copy with @replacement for each bookmark that is meant, or without these if it is NULL */
static GPtrArray *copy_changed(const GPtrArray *bookmarks, LttBookmarkFunc is_meant,
			       gpointer user_data, const LttBookmark *replacement, guint *n_changed)
{
	GPtrArray *changed = ltt_bookmarks_new();

	*n_changed = 0;
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		if (is_meant(bookmark, i, user_data)) {
			bookmark = replacement;
			++*n_changed;
		}
		if (bookmark != NULL)
			g_ptr_array_add(changed, ltt_bookmark_dup(bookmark));
	}
	return changed;
}

static gboolean change(const char *directory, LttBookmarkFunc is_meant, gpointer user_data,
		       const LttBookmark *replacement, guint *n_changed, GError **error)
{
	g_autofree char *path = g_build_filename(directory, file_name, NULL);
	g_autoptr(GPtrArray) bookmarks = NULL;
	const int lock = lock_folder(directory, error);
	gboolean done = FALSE;

	if (lock < 0)
		return FALSE;
	bookmarks = read_all(path, error);
	if (bookmarks != NULL) {
		guint n;
		g_autoptr(GPtrArray) changed =
			copy_changed(bookmarks, is_meant, user_data, replacement, &n);

		done = n == 0 || write_all(directory, path, changed, error);
		if (done)
			*n_changed = n;
	}
	close(lock);
	return done;
}

gboolean ltt_bookmarks_remove(const char *directory, LttBookmarkFunc is_meant, gpointer user_data,
			      guint *n_removed, GError **error)
{
	return change(directory, is_meant, user_data, NULL, n_removed, error);
}

gboolean ltt_bookmarks_replace(const char *directory, LttBookmarkFunc is_meant, gpointer user_data,
			       const LttBookmark *replacement, guint *n_replaced, GError **error)
{
	return change(directory, is_meant, user_data, replacement, n_replaced, error);
}
