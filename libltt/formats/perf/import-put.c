/* import-put.c - an event of perf_file (import-priv.h). */
#include "formats/perf/import-priv.h"

gboolean ltt_perf_import_put(LttPerfImport *import, const char *event, GError **error)
{
	LttTracefileWriter *file =
		ltt_trace_writer_open(import->job->writer, LTT_PERF_FILE_CONTROL, error);
	const gboolean ok =
		file != NULL &&
		ltt_tracefile_writer_event(
			file, import->least_ns, (guint16)ltt_import_get_id(&import->file, event),
			import->payload.bytes->data, import->payload.bytes->len, error);

	ltt_payload_reset(&import->payload);
	return ok;
}
