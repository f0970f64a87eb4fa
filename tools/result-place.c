/* result-place.c - see result-place.h.
 *
 * Names are no help: a trace may be reached by links, as its parts may be. Files and directories are
 * the same if their inodes are. A directory of a trace that is a link counts only for what is directly
 * in it, so that a trace with a link to "/" does not refuse every result.
 */
#include "result-place.h"

#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Inode {
	dev_t device;
	ino_t number;
} Inode;

/* What writing a result may change. If it is a link: the link, or the file to which it leads. */
typedef struct Touched {
	GArray *direct; /* of Inode: the result, if it exists, and its directory */
	GArray *above;  /* all directories above it, too */
} Touched;

/* Adds the nearest existing file or directory of @path, and @n_levels of the directories above it. */
static void add_upwards(GArray *inodes, const char *path, guint n_levels)
{
	char *resolved = realpath(path, NULL);
	struct stat status;

	if (resolved == NULL) {
		g_autofree char *folder = g_path_get_dirname(path);

		if (!g_str_equal(folder, path))
			add_upwards(inodes, folder, n_levels);
		return;
	}
	for (guint i = 0; i <= n_levels && *resolved != '\0'; i++) {
		if (stat(resolved, &status) == 0)
			g_array_append_vals(inodes, &(Inode){status.st_dev, status.st_ino}, 1);
		*strrchr(resolved, '/') = '\0';
	}
	free(resolved);
}

static void touched_init(Touched *touched, const char *result)
{
	g_autofree char *bare = g_strdup(result);
	g_autofree char *folder = NULL;

	for (gsize length = strlen(bare); length > 1 && bare[length - 1] == '/'; length--)
		bare[length - 1] = '\0';
	folder = g_path_get_dirname(bare);
	touched->direct = g_array_new(FALSE, FALSE, sizeof(Inode));
	add_upwards(touched->direct, folder, 0);
	add_upwards(touched->direct, bare, 1);
	touched->above = g_array_new(FALSE, FALSE, sizeof(Inode));
	add_upwards(touched->above, folder, G_MAXINT);
	add_upwards(touched->above, bare, G_MAXINT);
}

static void touched_clear(Touched *touched)
{
	g_array_unref(touched->direct);
	g_array_unref(touched->above);
}

static gboolean has(const GArray *inodes, const struct stat *status)
{
	for (guint i = 0; i < inodes->len; i++) {
		const Inode *inode = &g_array_index(inodes, Inode, i);

		if (inode->device == status->st_dev && inode->number == status->st_ino)
			return TRUE;
	}
	return FALSE;
}

/* Whether a directory of a trace, or one of the files in it, is touched. */
static gboolean is_folder_touched(const Touched *touched, const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	struct stat status;
	const char *name;
	gboolean found = stat(folder, &status) == 0 && has(touched->direct, &status);

	while (!found && dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		found = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
			has(touched->direct, &status);
	}
	return found;
}

/* A directory that is no trace cannot be read, and what is written into it does not matter. */
static gboolean is_trace_touched(const Touched *touched, const char *trace)
{
	static const char *const names[] = {"info", "eventdefs", "control", "cpu", NULL};
	g_autofree char *system = g_build_filename(trace, "info", "system.xml", NULL);
	struct stat status;
	gboolean found;

	if (stat(trace, &status) < 0 ||
	    (S_ISDIR(status.st_mode) && !g_file_test(system, G_FILE_TEST_EXISTS)))
		return FALSE;
	found = has(touched->above, &status);
	for (guint i = 0; !found && names[i] != NULL; i++) {
		g_autofree char *folder = g_build_filename(trace, names[i], NULL);

		found = is_folder_touched(touched, folder);
	}
	return found;
}

/* A recording of perf can be a directory with a file "data". */
static gboolean is_recording_touched(const Touched *touched, const char *recording)
{
	g_autofree char *data = g_build_filename(recording, "data", NULL);
	struct stat status;

	return g_file_test(data, G_FILE_TEST_EXISTS) && stat(recording, &status) == 0 &&
	       has(touched->above, &status);
}

gboolean result_place_check_recording(const char *result, const char *recording)
{
	Touched touched;
	gboolean is_inside;

	touched_init(&touched, result);
	is_inside = is_recording_touched(&touched, recording);
	touched_clear(&touched);
	if (is_inside)
		tool_fail("%s: belongs to the recording %s, which is read; expected a path outside "
			  "of it",
			  result, recording);
	return !is_inside;
}

gboolean result_place_check(const char *result, char *const *paths, guint n_paths)
{
	Touched touched;
	guint i = 0;

	if (result == NULL || *result == '\0' || g_str_equal(result, "-"))
		return TRUE;
	touched_init(&touched, result);
	while (i < n_paths && !is_trace_touched(&touched, paths[i]))
		i++;
	touched_clear(&touched);
	if (i < n_paths)
		tool_fail("%s: belongs to the trace %s, which is read; expected a path outside of "
			  "it",
			  result, paths[i]);
	return i == n_paths;
}
