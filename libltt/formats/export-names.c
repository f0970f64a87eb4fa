/* export-names.c - the names of the files of a split export. */
#include "formats/export-priv.h"

#include <string.h>

/* Maximum bytes of a name without its suffix: file systems allow 255 in all. */
#define MAX_NAME_BYTES 200

/* A file's name of an event's, which is a stranger's: letters, digits and "_-.", no point first. */
static GString *make_safe(const char *full_name)
{
	GString *name = g_string_new_len(full_name, (gssize)MIN(strlen(full_name), MAX_NAME_BYTES));

	for (gsize i = 0; i < name->len; i++)
		if (!g_ascii_isalnum(name->str[i]) && strchr("_-.", name->str[i]) == NULL)
			name->str[i] = '_';
	if (name->len == 0 || name->str[0] == '.')
		g_string_prepend_c(name, '_');
	return name;
}

/* Another version of an event, or an event whose name differs only in what files' names do not
 * have, gets "-2", "-3" behind its name. */
char *ltt_export_make_path(const LttExportRequest *request, GHashTable *names,
			   const char *full_name)
{
	g_autoptr(GString) name = make_safe(full_name);
	g_autofree char *key = g_ascii_strdown(name->str, -1);
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(names, key)) + 1;

	for (; number > 1; number++) {
		g_autofree char *numbered = g_strdup_printf("%s-%u", key, number);

		if (g_hash_table_contains(names, numbered))
			continue;
		g_string_append_printf(name, "-%u", number);
		g_hash_table_insert(names, g_steal_pointer(&numbered), GUINT_TO_POINTER(1));
		break;
	}
	g_hash_table_insert(names, g_steal_pointer(&key), GUINT_TO_POINTER(number));
	g_string_append_printf(name, ".%s", request->kind);
	return g_build_filename(request->path, name->str, NULL);
}
