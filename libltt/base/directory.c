/* directory.c - make, fill, list and remove a directory with folders. */
#define _GNU_SOURCE /* nftw */

#include "base/directory-priv.h"

#include "base/error-priv.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define ALL_MAY        0777 /* restricted by the umask */
#define OPEN_DIRS      16
#define SUFFIX_ASIDE   ".new"
#define FOLDER_ATTEMPT "make the directory"

gboolean ltt_directory_make(const char *path, const char *const *folders, GError **error)
{
	if (g_mkdir(path, ALL_MAY) < 0) {
		if (errno == EEXIST)
			return ltt_fail(error, LTT_ERROR_EXISTS,
					"%s: already exists; expected the name of a new directory",
					path);
		return ltt_fail_io(error, path, FOLDER_ATTEMPT, errno);
	}
	for (guint i = 0; folders[i] != NULL; i++) {
		g_autofree char *folder = g_build_filename(path, folders[i], NULL);

		if (g_mkdir(folder, ALL_MAY) < 0) {
			ltt_fail_io(error, folder, FOLDER_ATTEMPT, errno);
			ltt_directory_remove(path);
			return FALSE;
		}
	}
	return TRUE;
}

/* Writes a new file: what has its name, which may be a link to another file, is removed before.
 * Returns: 0 or an errno */
static int write_text(const char *path, const char *text)
{
	FILE *file;
	int errnum = 0;

	if (g_remove(path) != 0 && errno != ENOENT)
		return errno;
	file = g_fopen(path, "wxe");
	if (file == NULL)
		return errno;
	if (fputs(text, file) < 0 || fflush(file) != 0)
		errnum = errno;
	if (fclose(file) != 0 && errnum == 0)
		errnum = errno;
	return errnum;
}

gboolean ltt_directory_write(const char *path, const char *name, const char *text, GError **error)
{
	g_autofree char *final_path = g_build_filename(path, name, NULL);
	g_autofree char *aside_path = g_strconcat(final_path, SUFFIX_ASIDE, NULL);
	int errnum = write_text(aside_path, text);

	if (errnum == 0 && g_rename(aside_path, final_path) < 0)
		errnum = errno;
	if (errnum == 0)
		return TRUE;
	g_remove(aside_path);
	return ltt_fail_io(error, final_path, "write", errnum);
}

GPtrArray *ltt_directory_list(const char *path, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	DIR *directory = opendir(path);
	const struct dirent *entry;
	int errnum;

	if (directory == NULL) {
		ltt_fail_io(error, path, "read the directory", errno);
		return NULL;
	}
	errno = 0;
	/* cppcheck-suppress readdirCalled ; the stream is private */
	while ((entry = readdir(directory)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			g_ptr_array_add(names, g_strdup(entry->d_name));
		errno = 0;
	}
	errnum = errno;
	closedir(directory);
	if (errnum == 0)
		return g_steal_pointer(&names);
	ltt_fail_io(error, path, "read the directory", errnum);
	return NULL;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	g_remove(path);
	return 0;
}

void ltt_directory_remove(const char *path)
{
	nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}
