/* aside.c - see aside-priv.h.
 *
 * The temporary name is in the directory of the final one, so rename() can move it. If the machine
 * crashes, the suffix identifies the remains as incomplete.
 */
#define _GNU_SOURCE /* renameat2 */

#include "base/aside-priv.h"

#include "base/directory-priv.h"
#include "base/error-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define ALL_MAY  0777 /* restricted by the umask */
#define N_TRIALS 1000 /* temporary names to try; other processes may use some */

static gboolean fail_taken(const char *place, GError **error)
{
	return ltt_fail(error, LTT_ERROR_EXISTS, "%s: already exists; expected an unused name",
			place);
}

static gboolean is_there(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* Creates @path. Returns: FALSE; with LTT_ERROR_EXISTS, the caller tries another name */
typedef gboolean (*MakeFunc)(const char *path, gpointer user_data, GError **error);

static gboolean make(LttAside *aside, const char *place, MakeFunc make_at, gpointer user_data,
		     GError **error)
{
	g_autofree char *bare = g_strdup(place);

	/* "out/" and "out" are the same path. */
	for (gsize length = strlen(bare); length > 1 && bare[length - 1] == '/'; length--)
		bare[length - 1] = '\0';
	if (is_there(bare))
		return fail_taken(bare, error);
	for (guint i = 0;; i++) {
		g_autofree char *path = g_strdup_printf("%s.part%u", bare, i);
		g_autoptr(GError) why = NULL;

		if (make_at(path, user_data, &why)) {
			*aside = (LttAside){.place = g_steal_pointer(&bare),
					    .path = g_steal_pointer(&path)};
			return TRUE;
		}
		if (!g_error_matches(why, LTT_ERROR, LTT_ERROR_EXISTS) || i + 1 == N_TRIALS) {
			g_propagate_error(error, g_steal_pointer(&why));
			return FALSE;
		}
	}
}

static gboolean make_directory_at(const char *path, gpointer user_data, GError **error)
{
	(void)user_data;
	if (g_mkdir(path, ALL_MAY) == 0)
		return TRUE;
	return errno == EEXIST ? fail_taken(path, error)
			       : ltt_fail_io(error, path, "make the directory", errno);
}

static gboolean make_file_at(const char *path, gpointer file, GError **error)
{
	return ltt_out_file_make(file, path, error);
}

gboolean ltt_aside_make_directory(LttAside *aside, const char *place, GError **error)
{
	return make(aside, place, make_directory_at, NULL, error);
}

gboolean ltt_aside_make_file(LttAside *aside, const char *place, LttOutFile *file, GError **error)
{
	return make(aside, place, make_file_at, file, error);
}

/* Not every file system supports RENAME_NOREPLACE. Without it there is a race: the rename replaces
 * a file or an empty directory that another process creates after the check. */
static int move(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (is_there(to)) {
		errno = EEXIST;
		return -1;
	}
	return g_rename(from, to);
}

static gboolean settle(const LttAside *aside, const char *path, GError **error)
{
	if (move(path, aside->place) == 0)
		return TRUE;
	return errno == EEXIST ? fail_taken(aside->place, error)
			       : ltt_fail_io(error, aside->place, "put in its place", errno);
}

gboolean ltt_aside_settle(LttAside *aside, GError **error)
{
	if (!settle(aside, aside->path, error))
		return FALSE;
	g_clear_pointer(&aside->path, g_free);
	return TRUE;
}

gboolean ltt_aside_settle_part(LttAside *aside, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(aside->path, name, NULL);

	if (!settle(aside, path, error))
		return FALSE;
	ltt_directory_remove(aside->path);
	g_clear_pointer(&aside->path, g_free);
	return TRUE;
}

void ltt_aside_clear(LttAside *aside)
{
	if (aside->path != NULL)
		ltt_directory_remove(aside->path);
	g_clear_pointer(&aside->path, g_free);
	g_clear_pointer(&aside->place, g_free);
}
