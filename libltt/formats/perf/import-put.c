/* import-put.c - write an event of perf_file. */
#include "formats/perf/import-priv.h"

gboolean ltt_perf_import_put(LttPerfImport *import, guint index, GError **error)
{
	LttTracefileWriter *file =
		ltt_trace_writer_open(import->job->writer, LTT_PERF_FILE_CONTROL, error);
	const gboolean ok = file != NULL &&
			    ltt_tracefile_writer_event(file, import->least_ns,
						       (guint16)(import->file.base_code + index),
						       import->payload.bytes->data,
						       import->payload.bytes->len, error);

	ltt_payload_reset(&import->payload);
	return ok;
}
