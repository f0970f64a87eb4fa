/* export-image.c - the image: a scratch file with the pieces of the recording at their original
 * offsets. Selects the pieces to export and writes them.
 */
#include "formats/perf/export-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "base/read-at-priv.h"

#include <stdlib.h>

#define WRITE_BYTES ((guint64)128 * 1024)

/* ---- writing to the image ---- */

gboolean ltt_perf_export_put(LttPerfExport *export, guint64 place, gconstpointer bytes,
			     gsize length, GError **error)
{
	return ltt_scratch_put(export->image, place, bytes, length, error);
}

gboolean ltt_perf_export_reopen(LttPerfExport *export, GError **error)
{
	const int fd = ltt_scratch_dup(export->image, error);

	g_clear_pointer(&export->window, ltt_window_free);
	if (fd < 0)
		return FALSE;
	export->window = ltt_window_new(fd, "perf.data", error);
	return export->window != NULL;
}

/* The size of the key of a piece contains the size and the kind of the piece. */
#define SIZE_BITS  24
#define MOST_BYTES (((guint32)1 << SIZE_BITS) - 1)

static LttPerfPieceKind kind_of(const LttKey *key)
{
	return (LttPerfPieceKind)(key->size >> SIZE_BITS);
}

static guint64 size_of(const LttKey *key)
{
	return key->size & MOST_BYTES;
}

static gboolean end_run(LttPerfExport *export, GError **error)
{
	const LttKey run = export->run;

	export->run.size = 0;
	return run.size == 0 || ltt_key_sort_add(export->pieces, &run, error);
}

gboolean ltt_perf_export_note(LttPerfExport *export, LttPerfPieceKind kind, guint64 place,
			      guint32 size, GError **error)
{
	const LttKey key = {.place = place, .size = size | kind << SIZE_BITS};
	LttKey *run = &export->run;

	if (kind != LTT_PERF_PIECE_RECORD)
		return ltt_key_sort_add(export->pieces, &key, error);
	if (run->size != 0 && place == run->place + size_of(run) &&
	    size <= MOST_BYTES - size_of(run)) {
		run->size += size;
		return TRUE;
	}
	if (!end_run(export, error))
		return FALSE;
	*run = key;
	return TRUE;
}

gboolean ltt_perf_export_end_pieces(LttPerfExport *export, GError **error)
{
	return end_run(export, error) && ltt_key_sort_end(export->pieces, error);
}

/* ---- selecting the pieces ---- */

/* State of the loop over all pieces. */
typedef struct Before {
	guint64 end;      /* end of the previous piece */
	gboolean is_kept; /* the previous piece is kept */
	gboolean is_aux;  /* the previous piece is an AUX record or its payload */
	LttKey kept;      /* adjacent pieces that are not in export->kept yet; size 0: none */
} Before;

/* Returns whether to keep a piece. A payload is kept together with its record. In pipe form, only
 * records are kept, because the other pieces become header and features. Records of finished rounds
 * of a directory are omitted: they are not valid in the concatenated streams.
 * @type: type of the record; 0: the piece is not a record */
static gboolean is_wanted(const LttPerfExport *export, const LttKey *key, guint32 type,
			  const Before *before)
{
	if (key->place < before->end)
		return FALSE;
	if (kind_of(key) == LTT_PERF_PIECE_PAYLOAD)
		return before->is_kept && key->place == before->end;
	if (kind_of(key) == LTT_PERF_PIECE_RECORD)
		return export->container.form != LTT_PERF_CONTAINER_DIRECTORY ||
		       type != LTT_PERF_FINISHED_ROUND;
	/* A reader of a plain file cannot find the streams after damage. */
	if (kind_of(key) == LTT_PERF_PIECE_DAMAGE &&
	    export->container.form == LTT_PERF_CONTAINER_DIRECTORY)
		return FALSE;
	return !export->meta->is_pipe;
}

/* Removes the first record from a run. @type: (out): its type. Returns: FALSE with LTT_ERROR_IO */
static gboolean take_record(LttPerfExport *export, LttKey *run, LttKey *record, guint32 *type,
			    GError **error)
{
	const LttByteOrder order = export->meta->order;
	const guint8 *bytes =
		ltt_window_get(export->window, run->place, LTT_PERF_RECORD_HEADER_BYTES, error);
	guint32 size;

	if (bytes == NULL)
		return FALSE;
	*type = ltt_load_u32(bytes, order);
	size = ltt_load_u16(bytes + 6, order);
	/* If the trace was modified, another record can have overwritten the header. */
	if (size < LTT_PERF_RECORD_HEADER_BYTES || size > size_of(run))
		size = (guint32)size_of(run);
	*record = *run;
	record->size = size | LTT_PERF_PIECE_RECORD << SIZE_BITS;
	run->place += size;
	run->size -= size;
	return TRUE;
}

/* Updates the size of the records and the list of AUX records for a kept piece. */
static void count(LttPerfExport *export, const LttKey *key, guint32 type, Before *before)
{
	const LttPerfPieceKind kind = kind_of(key);

	before->is_aux =
		type == LTT_PERF_AUXTRACE || (kind == LTT_PERF_PIECE_PAYLOAD && before->is_aux);
	export->has_counts = export->has_counts || type == LTT_PERF_STAT;
	if (type == LTT_PERF_AUXTRACE) {
		const LttPerfAux aux = {.place = export->container.records.begin +
						 export->records_bytes};

		g_array_append_val(export->aux, aux);
	}
	if (before->is_aux)
		g_array_index(export->aux, LttPerfAux, export->aux->len - 1).size += size_of(key);
	if (kind != LTT_PERF_PIECE_HEAD && kind != LTT_PERF_PIECE_TAIL)
		export->records_bytes += size_of(key);
}

/* perf rejects a file without records, because it assumes that the recorder was killed. If no
 * record is exported, a dummy record takes the place of the first one. */
static gboolean fill(LttPerfExport *export, GError **error)
{
	const LttPerfSpan *records = &export->container.records;
	const LttKey key = {.place = records->begin,
			    .size = LTT_PERF_RECORD_HEADER_BYTES | LTT_PERF_PIECE_RECORD
									   << SIZE_BITS};
	guint8 record[LTT_PERF_RECORD_HEADER_BYTES] = {0};

	if (export->records_bytes > 0 || records->end - records->begin < sizeof(record))
		return TRUE;
	ltt_store_u32(record, LTT_PERF_FINISHED_ROUND, export->meta->order);
	ltt_store_u16(record + 6, sizeof(record), export->meta->order);
	export->records_bytes = sizeof(record);
	return ltt_perf_export_put(export, key.place, record, sizeof(record), error) &&
	       ltt_key_sort_add(export->kept, &key, error);
}

/* Decides whether to keep a piece. Merges adjacent kept pieces. */
static gboolean choose(LttPerfExport *export, const LttKey *key, guint32 type, Before *before,
		       GError **error)
{
	LttKey *last = &before->kept;

	/* A record that is both selected and needed is noted twice. The payload that follows belongs
	 * to the last of the pieces before it, not to such a duplicate. */
	if (key->place < before->end && size_of(key) <= before->end - key->place)
		return TRUE;
	before->is_kept = is_wanted(export, key, type, before);
	before->end = MAX(before->end, key->place + size_of(key));
	if (!before->is_kept)
		return TRUE;
	count(export, key, type, before);
	if (last->size != 0 && last->place + size_of(last) == key->place &&
	    size_of(key) <= MOST_BYTES - size_of(last)) {
		last->size += (guint32)size_of(key);
		return TRUE;
	}
	if (last->size != 0 && !ltt_key_sort_add(export->kept, last, error))
		return FALSE;
	*last = *key;
	return TRUE;
}

static gboolean choose_records(LttPerfExport *export, LttKey run, Before *before, GError **error)
{
	LttKey record;
	guint32 type;

	while (size_of(&run) > 0)
		if (!take_record(export, &run, &record, &type, error) ||
		    !choose(export, &record, type, before, error))
			return FALSE;
	return TRUE;
}

gboolean ltt_perf_export_choose(LttPerfExport *export, GError **error)
{
	g_autoptr(GError) failed = NULL;
	Before before = {0};
	LttKey key;

	export->kept = ltt_key_sort_new(LTT_KEY_SORT_HELD, NULL);
	while (ltt_key_sort_next(export->pieces, &key, &failed))
		if (kind_of(&key) == LTT_PERF_PIECE_RECORD
			    ? !choose_records(export, key, &before, error)
			    : !choose(export, &key, 0, &before, error))
			return FALSE;
	if (failed == NULL)
		return (before.kept.size == 0 ||
			ltt_key_sort_add(export->kept, &before.kept, error)) &&
		       fill(export, error) && ltt_key_sort_end(export->kept, error);
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

/* ---- writing the result ---- */

/* Large pieces bypass the window, which would copy them once more. */
gboolean ltt_perf_export_write_image(LttPerfExport *export, guint64 place, guint64 size,
				     GError **error)
{
	const LttExportRequest *request = export->request;
	char *buffer = ltt_read_buffer_new(WRITE_BYTES);
	gboolean ok = buffer != NULL || ltt_fail(error, LTT_ERROR_LIMIT, "no memory to write");

	while (ok && size > 0) {
		const gsize length = (gsize)MIN(size, WRITE_BYTES);
		const int errnum =
			ltt_read_at(ltt_window_get_fd(export->window), buffer, length, place, NULL);

		ok = errnum != 0 ? ltt_fail_io(error, ltt_window_get_name(export->window), "read",
					       errnum)
				 : request->write(buffer, length, request->write_data, error);
		place += length;
		size -= length;
	}
	free(buffer);
	return ok;
}

gboolean ltt_perf_export_write_kept(LttPerfExport *export, GError **error)
{
	g_autoptr(GError) failed = NULL;
	guint64 begin = 0;
	guint64 end = 0;
	LttKey key;

	while (ltt_key_sort_next(export->kept, &key, &failed)) {
		/* Write adjacent pieces together. */
		if (key.place != end) {
			if (!ltt_perf_export_write_image(export, begin, end - begin, error))
				return FALSE;
			begin = key.place;
		}
		end = key.place + size_of(&key);
	}
	if (failed == NULL)
		return ltt_perf_export_write_image(export, begin, end - begin, error);
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}
