/* opening.c - see opening.h.
 *
 * Suggestions are for mistyped paths: the search compares names in a few directories only.
 */
#include "opening.h"

#include "progress.h"
#include "tool.h"

#include <ltt/ltt-import.h>
#include <ltt/ltt-nearest.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define MAX_LEVELS_UP 3
#define MAX_NAMES     1000 /* entries of a directory that are compared */

static const char *const archive_endings[] = {".tar", ".tgz", ".tar.gz", ".tar.zst", ".tzst", NULL};

static gboolean is_trace(const char *path)
{
	g_autofree char *system = g_build_filename(path, "info", "system.xml", NULL);

	return g_file_test(system, G_FILE_TEST_IS_REGULAR);
}

/* Whether a directory is certainly no trace: without permission to search it, it may be one. */
static gboolean lacks_system(const char *path)
{
	g_autofree char *system = g_build_filename(path, "info", "system.xml", NULL);

	return g_access(system, F_OK) < 0 && errno == ENOENT;
}

/* Returns: (transfer full) (nullable): the nearest parent of @path that is a trace */
static char *find_above(const char *path)
{
	g_autofree char *at = g_strdup(path);

	for (int level = 0; level < MAX_LEVELS_UP; level++) {
		g_autofree char *above = g_path_get_dirname(at);

		if (is_trace(above))
			return g_steal_pointer(&above);
		g_free(at);
		at = g_steal_pointer(&above);
	}
	return NULL;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(char *const *)a, *(char *const *)b);
}

static gboolean is_archive(const char *name)
{
	for (const char *const *ending = archive_endings; *ending != NULL; ending++) {
		if (g_str_has_suffix(name, *ending))
			return TRUE;
	}
	return FALSE;
}

/* Returns: (transfer full): sorted names of the traces in a directory, and of files with the suffix
 * of an archive; ends with NULL */
static GPtrArray *list_traces(const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	for (int i = 0; dir != NULL && i < MAX_NAMES && (name = g_dir_read_name(dir)) != NULL;
	     i++) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (is_trace(path) || is_archive(name))
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return names;
}

static char *find_inside(const char *folder)
{
	g_autoptr(GPtrArray) names = list_traces(folder);

	return names->len > 1 ? g_build_filename(folder, names->pdata[0], NULL) : NULL;
}

static char *find_beside(const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *name = g_path_get_basename(path);
	g_autoptr(GPtrArray) names = list_traces(folder);
	const char *near = ltt_nearest(name, (const char *const *)names->pdata);

	if (near == NULL)
		return NULL;
	return g_str_equal(folder, ".") ? g_strdup(near) : g_build_filename(folder, near, NULL);
}

/* Prints why @path could not be opened: for a recording of another tool the command that converts it,
 * else the error, with the path of a trace above, in or beside @path if there is one. */
static int fail_to_open(const char *path, const GError *error)
{
	const gboolean is_there = g_file_test(path, G_FILE_TEST_EXISTS);
	const gboolean is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
	const LttImportKind *kind;
	g_autofree char *meant = NULL;

	if (is_trace(path))
		return tool_fail_error(error);
	kind = ltt_import_recognise(path);
	if (kind != NULL)
		return tool_fail("%s: is a %s recording, not a trace; convert it with `ltt import "
				 "%s -o DIR`",
				 path, kind->name, path);
	meant = is_there ? find_above(path) : find_beside(path);
	if (meant == NULL && is_folder)
		meant = find_inside(path);
	if (meant != NULL)
		return tool_fail("%s; did you mean %s?", error->message, meant);
	if (is_folder && lacks_system(path))
		return tool_fail("%s; a trace directory contains this file", error->message);
	return tool_fail_error(error);
}

LttTrace *opening_open(const char *path)
{
	const LttTraceRequest request = {.path = path, .callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	LttTrace *trace;

	progress_start(g_get_prgname(), FALSE);
	trace = ltt_trace_open_job(&request, &error);
	progress_end();
	if (trace == NULL)
		fail_to_open(path, error);
	return trace;
}
