/* perf.c - detect perf.data files, classify records, and report damage (perf-priv.h). */
#include "formats/perf/file/perf-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

#define MAGIC_1      "PERFFILE"
#define MAGIC_LITTLE "PERFILE2"
#define MAGIC_BIG    "2ELIFREP"
#define MAGIC_BYTES  8

LttPerfForm ltt_perf_detect(const guint8 *bytes, gsize length, LttByteOrder *order, guint *version)
{
	guint64 size;

	if (length < LTT_PERF_PIPE_HEADER_BYTES)
		return LTT_PERF_NOT;
	*version = 2;
	if (memcmp(bytes, MAGIC_LITTLE, MAGIC_BYTES) == 0) {
		*order = LTT_LITTLE_ENDIAN;
	} else if (memcmp(bytes, MAGIC_BIG, MAGIC_BYTES) == 0) {
		*order = LTT_BIG_ENDIAN;
	} else if (memcmp(bytes, MAGIC_1, MAGIC_BYTES) == 0) {
		*version = 1;
		*order = ltt_load_u64(bytes + MAGIC_BYTES, LTT_BIG_ENDIAN) <
					 ltt_load_u64(bytes + MAGIC_BYTES, LTT_LITTLE_ENDIAN)
				 ? LTT_BIG_ENDIAN
				 : LTT_LITTLE_ENDIAN;
	} else {
		return LTT_PERF_NOT;
	}
	size = ltt_load_u64(bytes + MAGIC_BYTES, *order);
	return size == LTT_PERF_PIPE_HEADER_BYTES ? LTT_PERF_PIPE : LTT_PERF_FILE;
}

/* ---- classes of records ---- */

gboolean ltt_perf_is_meta(guint32 type)
{
	return type == LTT_PERF_ATTR || type == LTT_PERF_EVENT_TYPE ||
	       type == LTT_PERF_TRACING_DATA || type == LTT_PERF_FEATURE ||
	       type == LTT_PERF_SIMPLEPERF_TRACING_DATA;
}

gboolean ltt_perf_is_compressed(guint32 type)
{
	return type == LTT_PERF_COMPRESSED || type == LTT_PERF_COMPRESSED2;
}

gboolean ltt_perf_record_has_tracing(const LttPerfRecord *record, LttByteOrder order)
{
	return record->type == LTT_PERF_TRACING_DATA && record->size >= LTT_PERF_TRACING_AT &&
	       ltt_load_u32(record->bytes + LTT_PERF_RECORD_HEADER_BYTES, order) <=
		       record->size - LTT_PERF_TRACING_AT;
}

/* ---- reports ---- */

void ltt_perf_tell(const LttPerfTell *tell, guint64 byte, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	if (tell->func == NULL)
		return;
	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	tell->func(byte, message, tell->user_data);
}
