/* page-file.c - see page-file-priv.h. */
#include "view/page-file-priv.h"

#include <ltt/ltt-error.h>

char *ltt_view_read_page_file(const char *folder, const char *name, gsize *length, GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GError) failure = NULL;
	char *text = NULL;

	if (g_file_get_contents(path, &text, length, &failure))
		return text;
	if (g_error_matches(failure, G_FILE_ERROR, G_FILE_ERROR_NOENT))
		g_set_error(error, LTT_ERROR, LTT_ERROR_IO,
			    "%s: no such file: ltt was built without node, which makes the page; "
			    "--png needs no page",
			    path);
	else
		g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "%s", failure->message);
	return NULL;
}
