/* directory.c - make, fill, list and remove a directory with folders. */
#define _GNU_SOURCE /* nftw */

#include "base/directory-priv.h"

#include "base/error-priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL_MAY        0777 /* restricted by the umask */
#define FILE_MAY       0666 /* the same */
#define GROUP_SHIFT    3    /* from the rights of others to those of the group */
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

/* Gives a new file the mode and, if permitted, the owner and group of the file that it replaces.
 * Returns: 0 or an errno */
static int keep_rights(int fd, const struct stat *replaced)
{
	mode_t mode = replaced->st_mode & ALL_MAY;

	/* Another group may do no more than others. */
	if (fchown(fd, replaced->st_uid, replaced->st_gid) != 0 &&
	    fchown(fd, (uid_t)-1, replaced->st_gid) != 0)
		mode = (mode & ~(mode_t)S_IRWXG) | (mode & S_IRWXO) << GROUP_SHIFT;
	return fchmod(fd, mode) == 0 ? 0 : errno;
}

/* Opens a new file. @replaced: (nullable) Returns: a descriptor, or minus an errno */
static int open_new(const char *path, const struct stat *replaced)
{
	const mode_t mode = replaced != NULL ? S_IRUSR | S_IWUSR : FILE_MAY;
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	const int errnum = fd < 0 ? errno : replaced != NULL ? keep_rights(fd, replaced) : 0;

	if (errnum == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -errnum;
}

/* Writes a new file: what has its name, which may be a link to another file, is removed before.
 * @replaced: (nullable): the file whose rights it gets, before it has contents. Returns: 0 or an
 *   errno */
static int write_text(const char *path, const char *text, const struct stat *replaced)
{
	FILE *file;
	int errnum = 0;
	int fd;

	if (g_remove(path) != 0 && errno != ENOENT)
		return errno;
	fd = open_new(path, replaced);
	if (fd < 0)
		return -fd;
	file = fdopen(fd, "w");
	if (file == NULL) {
		errnum = errno;
		close(fd);
		return errnum;
	}
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
	struct stat replaced;
	/* What a link points to is not replaced. */
	const gboolean has_replaced =
		lstat(final_path, &replaced) == 0 && S_ISREG(replaced.st_mode);
	int errnum = write_text(aside_path, text, has_replaced ? &replaced : NULL);

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
