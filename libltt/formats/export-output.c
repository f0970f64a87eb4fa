/* export-output.c - what makes a recording of a trace again, whatever its kind: the bytes on their
 * way out, and the word for traces that are none. */
#include "formats/export-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-trace.h>

/* Room that most parts have enough of; without any, no bytes would have no place. */
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

gboolean ltt_export_refuse(const LttExportRequest *request, const char *kind, const char *facility,
			   GError **error)
{
	const LttSystem *system = ltt_trace_get_system(request->trace);
	const char *recording = ltt_system_get(system, "recording");

	if (recording != NULL && !g_str_has_prefix(recording, kind))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: was imported from a recording of another kind: expected %s, "
				"this is %s",
				ltt_trace_get_path(request->trace), kind, recording);
	return ltt_fail(error, LTT_ERROR_INVALID,
			"%s: has no events %s; expected a recording of %s that was imported",
			ltt_trace_get_path(request->trace), facility, kind);
}

gboolean ltt_export_refuse_several(const LttExportRequest *request, const char *kind,
				   GError **error)
{
	return ltt_fail(error, LTT_ERROR_INVALID,
			"%s: was merged of several recordings of %s: expected the trace of one",
			ltt_trace_get_path(request->trace), kind);
}
