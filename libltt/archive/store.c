/* store.c - the common part of all stores. See store-priv.h.
 *
 * Files are read with pread(), not through a mapping, so that truncation during a read causes an
 * error instead of SIGBUS.
 */
#include "archive/store-priv.h"

#include "base/error-priv.h"
#include "base/read-at-priv.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

LttStore *ltt_store_open_any(const char *path, const LttJobCallbacks *callbacks, GError **error)
{
	if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_DIR))
		return ltt_store_open_archive(path, callbacks, error);
	return ltt_store_open_directory(path, error);
}

const char *ltt_store_get_path(const LttStore *store)
{
	return store->path;
}

char *ltt_store_dup_place(const LttStore *store, const char *name)
{
	return store->kind->dup_place(store, name);
}

gboolean ltt_store_find_name(const LttStore *store, char **name, GError **error)
{
	return store->kind->find_name(store, name, error);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *ltt_store_list(const LttStore *store, const char *folder, GError **error)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	(void)store->kind->list(store, folder, names, error);
	g_ptr_array_sort(names, compare_names);
	return names;
}

LttStoredKind ltt_store_look(const LttStore *store, const char *name)
{
	return store->kind->look(store, name);
}

gboolean ltt_store_open(const LttStore *store, const char *name, LttStoredFile *file,
			GError **error)
{
	*file = (LttStoredFile){.fd = -1};
	return store->kind->open(store, name, file, error);
}

GString *ltt_store_read(const LttStore *store, const char *name, gsize max_bytes, GError **error)
{
	LttStoredFile file;
	GString *text = NULL;
	int errnum;

	if (!ltt_store_open(store, name, &file, error))
		return NULL;
	if (file.size_bytes > max_bytes) {
		ltt_fail(error, LTT_ERROR_LIMIT, "the file is larger than %zu bytes", max_bytes);
	} else {
		text = g_string_sized_new(file.size_bytes + 1);
		g_string_set_size(text, file.size_bytes);
		errnum = ltt_stored_file_read(&file, 0, text->str, text->len);
		if (errnum != 0) {
			ltt_fail(error, LTT_ERROR_IO, "could not read: %s", g_strerror(errnum));
			g_string_free(text, TRUE);
			text = NULL;
		}
	}
	ltt_stored_file_close(&file);
	return text;
}

int ltt_stored_file_read(const LttStoredFile *file, guint64 offset, gpointer bytes, gsize length)
{
	if (offset > file->size_bytes || length > file->size_bytes - offset)
		return ENODATA;
	return ltt_read_at(file->fd, bytes, length, file->offset + offset, NULL);
}

void ltt_stored_file_measure(LttStoredFile *file)
{
	struct stat status;

	if (file->fd >= 0 && fstat(file->fd, &status) == 0)
		file->size_bytes = (guint64)status.st_size;
}

void ltt_stored_file_close(LttStoredFile *file)
{
	if (file->owns_fd)
		close(file->fd);
	*file = (LttStoredFile){.fd = -1};
}
