/* bookmarks-edit.c - change info/bookmarks.xml of a trace on disk.
 *
 * A lock on the folder info/ protects reading, changing and replacing the file, so that concurrent
 * changes are not lost. A file with parts that cannot be parsed is not changed, because these parts
 * would be lost.
 */
#include "archive/store-priv.h"
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
	/* Nothing is written through a link, which a stranger may have made. */
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int result;

	if (fd < 0 && errno == ENOTDIR && g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
		ltt_fail(
			error, LTT_ERROR_IO,
			"%s: is a symbolic link: expected a directory, as bookmarks are kept in it",
			path);
		return -1;
	}
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

/* Returns: FALSE with @error if there are remarks */
static gboolean allow(const char *path, const GPtrArray *remarks, LttError code, GError **error)
{
	const LttRemark *first;

	if (remarks->len == 0)
		return TRUE;
	first = remarks->pdata[0];
	return ltt_fail(error, code, "%s: line %u: %s; nothing was changed, as that would be lost",
			path, first->line, first->message);
}

GPtrArray *ltt_bookmarks_read(const char *directory, GPtrArray *remarks, GError **error)
{
	g_autoptr(LttStore) store = ltt_store_open_directory(directory, error);
	g_autoptr(GString) text = NULL;

	if (store == NULL)
		return NULL;
	if (ltt_store_look(store, file_name) == LTT_STORED_NOTHING)
		return ltt_bookmarks_new();
	text = ltt_store_read(store, file_name, LTT_MAX_XML_BYTES, error);
	if (text != NULL)
		return ltt_bookmarks_parse(text->str, text->len, remarks);
	g_prefix_error(error, "%s/%s: ", directory, file_name);
	return NULL;
}

static GPtrArray *read_all(const char *directory, const char *path, GError **error)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) bookmarks = ltt_bookmarks_read(directory, remarks, error);

	if (bookmarks != NULL && !allow(path, remarks, LTT_ERROR_DESCRIPTION, error))
		return NULL;
	return g_steal_pointer(&bookmarks);
}

/* Checks that the result can be parsed again, since it may exceed a limit, and writes it. */
static gboolean write_all(const char *directory, const char *path, const GPtrArray *bookmarks,
			  GError **error)
{
	g_autofree char *text = ltt_bookmarks_print(bookmarks);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);

	g_ptr_array_unref(ltt_bookmarks_parse(text, strlen(text), remarks));
	return allow(path, remarks, LTT_ERROR_LIMIT, error) &&
	       ltt_directory_write(directory, file_name, text, error);
}

gboolean ltt_bookmarks_add(const char *directory, const LttBookmark *bookmark, GError **error)
{
	g_autofree char *path = g_build_filename(directory, file_name, NULL);
	g_autoptr(GPtrArray) bookmarks = NULL;
	const int lock = lock_folder(directory, error);
	gboolean done = FALSE;

	if (lock < 0)
		return FALSE;
	bookmarks = read_all(directory, path, error);
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
	bookmarks = read_all(directory, path, error);
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
