/* flatten.c - decompress records and concatenate streams (flatten-priv.h; doc/perf.md, 1.5).
 *
 * The payloads of all compressed records of a stream together are one zstd frame, which has no end.
 * A record can begin in one payload and end in the next one, with other records between the two. So
 * the decompressed bytes are collected in a buffer, from which complete records are written.
 */
#include "formats/perf/file/flatten-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "formats/perf/file/recording-directory-priv.h"

#include <string.h>
#include <zstd.h>

#define COPY_BYTES   ((guint64)128 * 1024)
#define DATA_SIZE_AT LTT_PERF_RECORD_HEADER_BYTES /* of COMPRESSED2 */
#define GATHER_BYTES ((gsize)256 * 1024)
#define MOST_WINDOW  27 /* log2 of the maximum window size of a zstd frame */

static const LttPerfFlatLimits default_limits = {LTT_PERF_FLAT_FREE_BYTES, LTT_PERF_FLAT_MAX_RATIO};

typedef struct Flattener {
	LttByteOrder order;
	LttScratch *out;
	LttPerfFlat *flat;
	LttPerfFlatLimits limits;
	guint64 expanded_bytes; /* decompressed size so far */
	const LttPerfTell *tell;
	ZSTD_DStream *zstd;
	guint8 *gathered; /* buffer of GATHER_BYTES for decompressed bytes */
	gsize n_gathered;
	gboolean is_broken;   /* the frame of this stream is damaged; this has been reported */
	gboolean has_streams; /* the recording is a directory */
} Flattener;

static gboolean put(Flattener *flattener, const guint8 *bytes, gsize length, GError **error)
{
	return ltt_scratch_put(flattener->out, ltt_scratch_get_size(flattener->out), bytes, length,
			       error);
}

static gboolean copy(Flattener *flattener, LttWindow *window, guint64 begin, guint64 end,
		     GError **error)
{
	while (begin < end) {
		const gsize length = (gsize)MIN(COPY_BYTES, end - begin);
		const guint8 *bytes = ltt_window_get(window, begin, length, error);

		if (bytes == NULL || !put(flattener, bytes, length, error))
			return FALSE;
		begin += length;
	}
	return TRUE;
}

/* Writes the complete records in the buffer. */
static gboolean hand_on(Flattener *flattener, guint64 place, GError **error)
{
	gsize at = 0;

	while (flattener->n_gathered - at >= LTT_PERF_RECORD_HEADER_BYTES) {
		const guint16 size = ltt_load_u16(flattener->gathered + at + 6, flattener->order);

		if (size < LTT_PERF_RECORD_HEADER_BYTES) {
			ltt_perf_tell(flattener->tell, place,
				      "a compressed record has a size of %u; expected at least 8. "
				      "The rest of the compressed records is omitted",
				      size);
			flattener->is_broken = TRUE;
			at = flattener->n_gathered;
			break;
		}
		if (size > flattener->n_gathered - at)
			break;
		if (!put(flattener, flattener->gathered + at, size, error))
			return FALSE;
		at += size;
	}
	memmove(flattener->gathered, flattener->gathered + at, flattener->n_gathered - at);
	flattener->n_gathered -= at;
	return TRUE;
}

/* Returns: whether the decompressed size is within the limits */
static gboolean check_ratio(Flattener *flattener, guint64 place)
{
	const guint64 expanded_bytes = flattener->expanded_bytes;

	if (expanded_bytes <= flattener->limits.free_bytes ||
	    expanded_bytes / flattener->limits.max_ratio <= flattener->flat->compressed_bytes)
		return TRUE;
	ltt_perf_tell(flattener->tell, place,
		      "the compressed records expand at least by a factor of %" G_GUINT64_FORMAT
		      "; expected at most %" G_GUINT64_FORMAT ". The rest of them is omitted",
		      expanded_bytes / flattener->flat->compressed_bytes,
		      flattener->limits.max_ratio);
	flattener->is_broken = TRUE;
	return FALSE;
}

static gboolean inflate(Flattener *flattener, guint64 place, const guint8 *bytes, gsize length,
			GError **error)
{
	ZSTD_inBuffer in = {.src = bytes, .size = length};
	gboolean is_full;

	do {
		ZSTD_outBuffer out = {.dst = flattener->gathered,
				      .size = GATHER_BYTES,
				      .pos = flattener->n_gathered};
		const gsize result = ZSTD_decompressStream(flattener->zstd, &out, &in);

		if (ZSTD_isError(result)) {
			ltt_perf_tell(flattener->tell, place + in.pos,
				      "zstd: %s; the rest of the compressed records is omitted",
				      ZSTD_getErrorName(result));
			flattener->is_broken = TRUE;
			return TRUE;
		}
		is_full = out.pos == out.size;
		flattener->expanded_bytes += out.pos - flattener->n_gathered;
		flattener->n_gathered = out.pos;
		if (!check_ratio(flattener, place))
			return TRUE;
		if (!hand_on(flattener, place, error))
			return FALSE;
	} while (!flattener->is_broken && (in.pos < in.size || is_full));
	return TRUE;
}

static gboolean expand(Flattener *flattener, guint64 place, const LttPerfRecord *record,
		       GError **error)
{
	/* The bytes of the window are valid until its next call, and there is none in the
	 * meantime. */
	const guint8 *bytes = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;

	flattener->flat->n_compressed++;
	if (record->type == LTT_PERF_COMPRESSED2) {
		guint64 told;

		if (length < sizeof(told))
			return TRUE;
		told = ltt_load_u64(bytes, flattener->order);
		bytes += sizeof(told);
		length -= sizeof(told);
		if (told > length)
			ltt_perf_tell(flattener->tell, place + DATA_SIZE_AT,
				      "%" G_GUINT64_FORMAT
				      " bytes of data; expected no more than the %zu of the record",
				      told, length);
		length = (gsize)MIN(told, length);
	}
	flattener->flat->compressed_bytes += length;
	if (flattener->is_broken)
		return TRUE;
	return inflate(flattener, place, bytes, length, error);
}

/* Adds the next @n_bytes of the result to the list of damage. */
static void note_damage(Flattener *flattener, guint64 n_bytes)
{
	const guint64 begin = ltt_scratch_get_size(flattener->out);
	const LttPerfSpan span = {begin, begin + n_bytes};

	g_array_append_val(flattener->flat->damage, span);
}

/* Copies a stream and decompresses its compressed records. */
static gboolean flatten_stream(Flattener *flattener, LttWindow *window, LttPerfSpan records,
			       GError **error)
{
	guint64 at = records.begin;

	ZSTD_initDStream(flattener->zstd);
	flattener->n_gathered = 0;
	flattener->is_broken = FALSE;
	while (at < records.end) {
		LttPerfRecord record;
		guint64 payload_bytes;
		const char *why = NULL;
		guint64 end;

		if (!ltt_perf_record_read(window, flattener->order, at, records.end, &record,
					  &payload_bytes, &why, error)) {
			if (why == NULL)
				return FALSE;
			/* A reader of the result finds the same damage, but cannot find the streams
			 * after it without this list. */
			if (flattener->has_streams) {
				ltt_perf_tell(flattener->tell, at,
					      "%s: %s; the %" G_GUINT64_FORMAT
					      " bytes from here are kept unchanged",
					      ltt_window_get_name(window), why, records.end - at);
				note_damage(flattener, records.end - at);
			}
			return copy(flattener, window, at, records.end, error);
		}
		end = at + record.size + MIN(payload_bytes, records.end - at - record.size);
		if (ltt_perf_is_compressed(record.type)) {
			if (!expand(flattener, at, &record, error))
				return FALSE;
		} else if (!copy(flattener, window, at, end, error)) {
			return FALSE;
		}
		at = end;
	}
	if (flattener->n_gathered > 0)
		ltt_perf_tell(flattener->tell, at,
			      "the compressed records end within a record: %zu bytes are omitted",
			      flattener->n_gathered);
	return TRUE;
}

static gboolean flatten_directory(Flattener *flattener, const char *directory, GError **error)
{
	g_autoptr(GPtrArray) streams = ltt_perf_folder_list_streams(directory, error);

	if (streams == NULL)
		return FALSE;
	ltt_perf_folder_tell_missing(directory, streams, flattener->tell);
	for (guint i = 0; i < streams->len; i++) {
		g_autofree char *path = g_build_filename(directory, streams->pdata[i], NULL);
		g_autoptr(LttWindow) window = ltt_window_open(path, error);
		LttPerfSpan records = {0};

		if (window == NULL)
			return FALSE;
		records.end = ltt_window_get_size(window);
		if (!flatten_stream(flattener, window, records, error))
			return FALSE;
		flattener->flat->n_streams++;
	}
	return TRUE;
}

gboolean ltt_perf_flatten(LttWindow *window, LttByteOrder order, LttPerfSpan records,
			  const char *directory, const LttPerfFlatLimits *limits, LttScratch *out,
			  LttPerfFlat *flat, const LttPerfTell *tell, GError **error)
{
	Flattener flattener = {.order = order,
			       .out = out,
			       .flat = flat,
			       .tell = tell,
			       .limits = limits != NULL ? *limits : default_limits,
			       .has_streams = directory != NULL};
	gboolean ok;

	*flat = (LttPerfFlat){.records.begin = records.begin,
			      .damage = g_array_new(FALSE, FALSE, sizeof(LttPerfSpan))};
	flattener.zstd = ZSTD_createDStream();
	if (flattener.zstd == NULL)
		return ltt_fail(error, LTT_ERROR_LIMIT, "no memory for zstd");
	ZSTD_DCtx_setParameter(flattener.zstd, ZSTD_d_windowLogMax, MOST_WINDOW);
	flattener.gathered = g_malloc(GATHER_BYTES);
	ok = copy(&flattener, window, 0, records.begin, error) &&
	     flatten_stream(&flattener, window, records, error) &&
	     (directory == NULL || flatten_directory(&flattener, directory, error));
	flat->records.end = ltt_scratch_get_size(out);
	ok = ok && copy(&flattener, window, records.end, ltt_window_get_size(window), error);
	g_free(flattener.gathered);
	ZSTD_freeDStream(flattener.zstd);
	return ok;
}
