/* export-image.c - the bytes of a recording, piece by piece at their places in a scratch file,
 * and what of them goes out.
 */
#include "formats/perf/export-priv.h"

#include "base/bytes-priv.h"

#define WRITE_BYTES ((guint64)128 * 1024)

/* ---- what is put there ---- */

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

/* The key of a piece: its size and its kind are one number. */
gboolean ltt_perf_export_note(LttPerfExport *export, LttPerfPieceKind kind, guint64 place,
			      guint32 size, GError **error)
{
	const LttKey key = {.place = place, .group = 0, .time = 0, .size = size | kind << 24};

	return ltt_key_sort_add(export->pieces, &key, error);
}

static LttPerfPieceKind kind_of(const LttKey *key)
{
	return (LttPerfPieceKind)(key->size >> 24);
}

static guint64 size_of(const LttKey *key)
{
	return key->size & 0xffffff;
}

/* ---- what of it goes out ---- */

/* What the loop over all pieces knows of the one before. */
typedef struct Before {
	guint64 end;
	gboolean is_kept;
	gboolean is_aux; /* an AUX record, or of its payload */
} Before;

/* @type: of a record, else 0. What followed a record goes with it. In pipe form only records are
 * kept, as all else becomes header and features. The streams of a directory now follow each other,
 * which rounds know nothing of. */
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
	/* In a plain file, nobody would find the streams behind one that was damaged. */
	if (kind_of(key) == LTT_PERF_PIECE_DAMAGE &&
	    export->container.form == LTT_PERF_CONTAINER_DIRECTORY)
		return FALSE;
	return !export->meta->is_pipe;
}

static gboolean read_type(LttPerfExport *export, const LttKey *key, guint32 *type, GError **error)
{
	const guint8 *bytes;

	*type = 0;
	if (kind_of(key) != LTT_PERF_PIECE_RECORD)
		return TRUE;
	bytes = ltt_window_get(export->window, key->place, sizeof(*type), error);
	if (bytes != NULL)
		*type = ltt_load_u32(bytes, export->meta->order);
	return bytes != NULL;
}

/* Counts a piece that is among the records, or is one. */
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

/* perf refuses a file without any record: it takes it for one of a recorder that was killed. So
 * where none of the records goes out, there is one that says nothing. It takes the place of the
 * first one of those. */
static gboolean fill(LttPerfExport *export, GError **error)
{
	const LttPerfSpan *records = &export->container.records;
	const LttKey key = {.place = records->begin,
			    .size = LTT_PERF_RECORD_HEADER_BYTES | LTT_PERF_PIECE_RECORD << 24};
	guint8 record[LTT_PERF_RECORD_HEADER_BYTES] = {0};

	if (export->records_bytes > 0 || records->end - records->begin < sizeof(record))
		return TRUE;
	ltt_store_u32(record, LTT_PERF_FINISHED_ROUND, export->meta->order);
	ltt_store_u16(record + 6, sizeof(record), export->meta->order);
	export->records_bytes = sizeof(record);
	return ltt_perf_export_put(export, key.place, record, sizeof(record), error) &&
	       ltt_key_sort_add(export->kept, &key, error);
}

gboolean ltt_perf_export_choose(LttPerfExport *export, GError **error)
{
	g_autoptr(GError) failed = NULL;
	Before before = {0};
	LttKey key;

	export->kept = ltt_key_sort_new(LTT_KEY_SORT_HELD, NULL);
	while (ltt_key_sort_next(export->pieces, &key, &failed)) {
		guint32 type;

		if (!read_type(export, &key, &type, error))
			return FALSE;
		before.is_kept = is_wanted(export, &key, type, &before);
		before.end = MAX(before.end, key.place + size_of(&key));
		if (!before.is_kept)
			continue;
		count(export, &key, type, &before);
		if (!ltt_key_sort_add(export->kept, &key, error))
			return FALSE;
	}
	if (failed == NULL)
		return fill(export, error) && ltt_key_sort_end(export->kept, error);
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

/* ---- how it goes out ---- */

gboolean ltt_perf_export_write_image(LttPerfExport *export, guint64 place, guint64 size,
				     GError **error)
{
	while (size > 0) {
		const gsize length = (gsize)MIN(size, WRITE_BYTES);
		const guint8 *bytes = ltt_window_get(export->window, place, length, error);

		if (bytes == NULL || !export->request->write((const char *)bytes, length,
							     export->request->write_data, error))
			return FALSE;
		place += length;
		size -= length;
	}
	return TRUE;
}

gboolean ltt_perf_export_write_kept(LttPerfExport *export, GError **error)
{
	g_autoptr(GError) failed = NULL;
	guint64 begin = 0;
	guint64 end = 0;
	LttKey key;

	while (ltt_key_sort_next(export->kept, &key, &failed)) {
		/* Pieces that adjoin are written together. */
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
