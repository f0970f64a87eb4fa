/* import-copies.c - import the copy of the kernel in a recording directory as raw bytes. perf needs
 * the copy to resolve addresses.
 */
#include "formats/perf/import-priv.h"

#include "formats/perf/file/recording-directory-priv.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

static gboolean put_piece(LttPerfImport *import, const char *name, LttWindow *window, guint64 at,
			  GError **error)
{
	const guint64 size = ltt_window_get_size(window);
	const gsize length = (gsize)MIN(LTT_PERF_PIECE_BYTES, size - at);
	const guint8 *bytes = ltt_window_get(window, at, length, error);

	if (bytes == NULL)
		return FALSE;
	write_perf_file_copy(&import->payload, &(const struct perf_file_copy){
						       .name = name,
						       .size = size,
						       .offset = at,
						       .octets = {length, bytes},
					       });
	return ltt_perf_import_put(import, perf_file_copy_index, error);
}

/* Writes a file in pieces. An empty file is one empty piece. */
static gboolean put_copy(LttPerfImport *import, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(import->job->request->path, name, NULL);
	g_autoptr(LttWindow) window = NULL;
	GStatBuf about;
	guint64 at = 0;

	/* Open regular files only: open() of a FIFO may block. */
	if (g_lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
		ltt_import_tell(import->job, LTT_NOWHERE,
				"%s: is not a regular file; it is omitted", name);
		return TRUE;
	}
	window = ltt_window_open(path, error);
	if (window == NULL)
		return FALSE;
	do {
		if (!put_piece(import, name, window, at, error))
			return FALSE;
		at += LTT_PERF_PIECE_BYTES;
	} while (at < ltt_window_get_size(window));
	return TRUE;
}

gboolean ltt_perf_import_copies(LttPerfImport *import, GError **error)
{
	g_autoptr(GPtrArray) names = ltt_perf_folder_list_copies(import->job->request->path, error);

	if (names == NULL)
		return FALSE;
	for (guint i = 0; i < names->len; i++)
		if (!put_copy(import, names->pdata[i], error))
			return FALSE;
	return TRUE;
}
