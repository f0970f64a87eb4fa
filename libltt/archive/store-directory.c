/* store-directory.c - a store backed by a trace directory: names are paths below it. */
#include "archive/store-priv.h"

#include "base/error-priv.h"
#include "base/read-at-priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean list_directory(const LttStore *store, const char *folder, GPtrArray *names,
			       GError **error)
{
	g_autofree char *path = g_build_filename(store->path, folder, NULL);
	DIR *dir = opendir(path);
	const struct dirent *entry;
	int errnum;

	if (dir == NULL)
		return errno == ENOENT ||
		       ltt_fail(error, LTT_ERROR_IO, "could not read the directory: %s",
				g_strerror(errno));
	errno = 0;
	/* cppcheck-suppress readdirCalled ; the stream is private */
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.')
			g_ptr_array_add(names, g_strdup(entry->d_name));
		errno = 0;
	}
	errnum = errno;
	closedir(dir);
	return errnum == 0 || ltt_fail(error, LTT_ERROR_IO, "could not read the directory: %s",
				       g_strerror(errnum));
}

/* Returns: whether @path resolves to a path inside the store */
static gboolean is_inside(const LttStore *store, const char *path)
{
	g_autofree char *place = realpath(path, NULL);
	g_autofree char *root = realpath(store->path, NULL);
	const char *rest = place != NULL && root != NULL && g_str_has_prefix(place, root)
				   ? place + strlen(root)
				   : "";

	return *rest == '/';
}

static LttStoredKind look_in_directory(const LttStore *store, const char *name)
{
	g_autofree char *path = g_build_filename(store->path, name, NULL);
	struct stat status;

	/* What cannot be examined is taken for a file, so that opening it reports why. */
	if (lstat(path, &status) < 0)
		return errno == ENOENT || errno == ENOTDIR ? LTT_STORED_NOTHING : LTT_STORED_FILE;
	if (S_ISLNK(status.st_mode)) {
		if (stat(path, &status) < 0)
			return LTT_STORED_OTHER;
		if (!is_inside(store, path))
			return LTT_STORED_LINK_OUT;
	}
	if (S_ISDIR(status.st_mode))
		return LTT_STORED_FOLDER;
	return S_ISREG(status.st_mode) ? LTT_STORED_FILE : LTT_STORED_OTHER;
}

static gboolean open_in_directory(const LttStore *store, const char *name, LttStoredFile *file,
				  GError **error)
{
	g_autofree char *path = g_build_filename(store->path, name, NULL);
	const int fd = open(path, O_RDONLY | LTT_OPEN_FOREIGN);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0) {
		ltt_fail(error, LTT_ERROR_IO, "could not open: %s", g_strerror(errno));
	} else if (!S_ISREG(status.st_mode)) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "it is not a regular file");
	} else {
		*file = (LttStoredFile){fd, TRUE, 0, (guint64)status.st_size};
		return TRUE;
	}
	if (fd >= 0)
		close(fd);
	return FALSE;
}

static char *dup_path(const LttStore *store, const char *name)
{
	return g_build_filename(store->path, name, NULL);
}

/* The path may be too long, or of a directory that was removed: then there is no name. */
static gboolean find_name(const LttStore *store, char **name, GError **error)
{
	g_autofree char *path = realpath(store->path, NULL);

	*name = path != NULL ? g_path_get_basename(path) : NULL;
	return path != NULL || errno == ENAMETOOLONG || errno == ENOENT ||
	       ltt_fail_io(error, store->path, "find the name", errno);
}

static void free_directory(LttStore *store)
{
	g_free(store);
}

LttStore *ltt_store_open_directory(const char *path, GError **error)
{
	static const LttStoreKind kind = {list_directory, look_in_directory, open_in_directory,
					  dup_path,       find_name,         free_directory};
	LttStore *store;

	if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
		ltt_fail(error, LTT_ERROR_IO, "%s: %s", path,
			 g_file_test(path, G_FILE_TEST_EXISTS)
				 ? "not a directory: expected that of a trace"
				 : "no such directory");
		return NULL;
	}
	store = g_new(LttStore, 1);
	*store = (LttStore){&kind, g_strdup(path)};
	return store;
}
