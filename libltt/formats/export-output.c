/* export-output.c - the output side of exporters: names of files, bytes of a recording, and errors
 * for traces that do not contain one. */
#include "formats/export-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-trace.h>

#include <string.h>

/* ---- names of files ---- */

/* Maximum length of a name without its suffix; file systems allow 255 bytes. */
#define MAX_NAME_BYTES 200

/* Makes a file name from the name of an event, which is not trusted: replaces all bytes except ASCII
 * letters, digits and "_-.", and avoids a leading dot. */
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

/* If several event types have the same file name, the second one gets the suffix "-2", the third one
 * "-3". These are versions of an event, or names that differ only in replaced bytes. */
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

/* ---- the bytes of a recording ---- */

/* Initial size of the buffers, large enough for most parts. It must not be 0: GByteArray has no data
 * then. */
#define PART_BYTES 4096

gboolean ltt_export_make(const LttExportRequest *request, LttExportOutput *output,
			 LttExportMake make, gpointer user_data, GError **error)
{
	gboolean ok;

	output->part = g_byte_array_sized_new(PART_BYTES);
	output->piece = g_byte_array_sized_new(PART_BYTES);
	ltt_sink_init(&output->sink, request->write, request->write_data);
	ok = make(user_data, error);
	if (ok) {
		ltt_sink_hand_on(&output->sink);
		ok = ltt_sink_check(&output->sink, error);
	}
	ltt_sink_clear(&output->sink);
	g_byte_array_unref(output->piece);
	g_byte_array_unref(output->part);
	return ok;
}

gboolean ltt_export_put(LttExportOutput *output, gconstpointer bytes, gsize length, GError **error)
{
	ltt_sink_add(&output->sink, bytes, length);
	return ltt_sink_check(&output->sink, error);
}

/* ---- traces without a recording ---- */

gboolean ltt_export_refuse(const LttExportRequest *request, const char *kind, const char *facility,
			   GError **error)
{
	const LttSystem *system = ltt_trace_get_system(request->trace);
	const char *recording = ltt_system_get(system, LTT_SYSTEM_RECORDING);

	if (recording != NULL && !g_str_has_prefix(recording, kind))
		return ltt_fail(
			error, LTT_ERROR_INVALID,
			"%s: expected a trace imported from %s, but it was imported from %s",
			ltt_trace_get_path(request->trace), kind, recording);
	return ltt_fail(error, LTT_ERROR_INVALID,
			"%s: has no events of facility %s; expected a trace imported from %s",
			ltt_trace_get_path(request->trace), facility, kind);
}

gboolean ltt_export_refuse_several(const LttExportRequest *request, const char *kind,
				   GError **error)
{
	return ltt_fail(
		error, LTT_ERROR_INVALID,
		"%s: was merged from several recordings of %s; expected the trace of a single one",
		ltt_trace_get_path(request->trace), kind);
}
