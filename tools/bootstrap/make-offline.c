/* make-offline.c - the part of `ltt compile --offline` that the build of libltt itself needs.
 *
 * usage: make-offline XML HEADER
 *
 * libltt writes and reads its shipped event types through generated code. This program is linked
 * with the rooms of the library up to codegen and generates that code before the rest is compiled.
 */
#include <ltt/ltt-codegen.h>
#include <ltt/ltt-eventdefs.h>

#include <stdio.h>

static gboolean make(const char *xml, const char *path, GError **error)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities = ltt_eventdefs_read(xml, remarks, error);
	g_autofree char *header = NULL;

	if (facilities == NULL)
		return FALSE;
	g_assert(facilities->len == 1 && remarks->len == 0);
	header = ltt_codegen_offline(facilities->pdata[0], error);
	return header != NULL && g_file_set_contents(path, header, -1, error);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (argc != 3) {
		fputs("usage: make-offline XML HEADER\n", stderr);
		return 2;
	}
	if (make(argv[1], argv[2], &error))
		return 0;
	fprintf(stderr, "make-offline: %s\n", error->message);
	return 2;
}
