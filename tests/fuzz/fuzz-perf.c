/* fuzz-perf.c - perf recordings: every byte is in one part, and every record converts to fields
 * and back. */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"

#include "formats/perf/file/catalog-priv.h"
#include "formats/perf/file/record-scan-priv.h"
#include "mutate-perf.h"
#include "mutate.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static LttWindow *open_window(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return ltt_window_new(fd, "fuzz", NULL);
}

static void try_record(LttPerfCatalog *catalog, const LttPerfPiece *piece, const LttPerfTell *tell)
{
	g_autoptr(GByteArray) packed = g_byte_array_new();
	g_autoptr(GByteArray) record = g_byte_array_new();
	const guint shape =
		ltt_perf_catalog_pack(catalog, ltt_perf_catalog_find(catalog, &piece->record),
				      &piece->record, piece->place, packed, tell);
	guint64 place;

	FUZZ_ASSERT(packed->len <= LTT_PERF_MAX_PACKED_BYTES + 2 * G_MAXUINT16);
	FUZZ_ASSERT(
		ltt_perf_catalog_unpack(catalog, shape, packed->data, packed->len, record, &place));
	FUZZ_ASSERT(place == piece->place && record->len == piece->size &&
		    memcmp(record->data, piece->record.bytes, record->len) == 0);
}

static void scan(LttWindow *window, LttPerfMeta *meta, LttPerfCatalog *catalog)
{
	const LttPerfTell tell = {.func = NULL};
	const LttPerfSpan records = {meta->data.offset, meta->data_end};
	guint64 end = 0;
	LttPerfPiece piece;
	LttPerfScan scan;

	ltt_perf_scan_init(&scan, window, meta, records, &tell);
	while (ltt_perf_scan_next(&scan, &piece, NULL)) {
		LttPerfThread thread;
		LttPerfStamp stamp;

		FUZZ_ASSERT(piece.place == end && piece.size > 0);
		end += piece.size;
		if (piece.kind != LTT_PERF_PIECE_RECORD)
			continue;
		ltt_perf_record_stamp(meta, &piece.record, &stamp);
		ltt_perf_record_thread(meta, &piece.record, &thread);
		if (catalog != NULL)
			try_record(catalog, &piece, &tell);
	}
	FUZZ_ASSERT(end == ltt_window_get_size(window));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const LttPerfTell tell = {.func = NULL};
	g_autoptr(LttWindow) window = open_window(data, size);
	g_autoptr(LttPerfMeta) meta = ltt_perf_meta_read(window, NULL, &tell, NULL);
	g_autoptr(LttPerfCatalog) catalog = NULL;

	if (meta == NULL)
		return 0;
	/* In a pipe, records describe other records. */
	scan(window, meta, NULL);
	FUZZ_ASSERT(ltt_perf_meta_end(meta, window, &tell, NULL));
	catalog = ltt_perf_catalog_new(meta);
	scan(window, meta, catalog);
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_perf(data, size, max_size, seed);
}
#endif
