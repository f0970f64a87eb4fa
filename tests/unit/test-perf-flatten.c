/* Compressed records of perf: the size of the result is limited. */
#define _GNU_SOURCE /* memfd_create */

#include "unit.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/flatten-priv.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#define HEADER_BYTES 8
#define RECORD_BYTES 4096
#define N_RECORDS    256

/* A compressed record that contains N_RECORDS records of zeros. */
static GByteArray *make_compressed(void)
{
	g_autoptr(GByteArray) plain = g_byte_array_new();
	GByteArray *record = g_byte_array_new();
	gsize packed_bytes;

	g_byte_array_set_size(plain, RECORD_BYTES * N_RECORDS);
	memset(plain->data, 0, plain->len);
	for (guint i = 0; i < N_RECORDS; i++) {
		ltt_store_u32(plain->data + i * RECORD_BYTES, LTT_PERF_SAMPLE, LTT_LITTLE_ENDIAN);
		ltt_store_u16(plain->data + i * RECORD_BYTES + 6, RECORD_BYTES, LTT_LITTLE_ENDIAN);
	}
	g_byte_array_set_size(record, HEADER_BYTES + (guint)ZSTD_compressBound(plain->len));
	packed_bytes = ZSTD_compress(record->data + HEADER_BYTES, record->len - HEADER_BYTES,
				     plain->data, plain->len, 1);
	CU_ASSERT_TRUE_FATAL(!ZSTD_isError(packed_bytes) && packed_bytes < RECORD_BYTES);
	g_byte_array_set_size(record, HEADER_BYTES + (guint)packed_bytes);
	memset(record->data, 0, HEADER_BYTES);
	ltt_store_u32(record->data, LTT_PERF_COMPRESSED, LTT_LITTLE_ENDIAN);
	ltt_store_u16(record->data + 6, (guint16)record->len, LTT_LITTLE_ENDIAN);
	return record;
}

static void take_message(guint64 byte, const char *message, gpointer user_data)
{
	g_string_append_printf(user_data, "%" G_GUINT64_FORMAT ": %s\n", byte, message);
}

/* Returns: the size of the result */
static guint64 flatten(const LttPerfFlatLimits *limits, GString *told)
{
	g_autoptr(GByteArray) file = make_compressed();
	g_autoptr(LttScratch) out = ltt_scratch_new(NULL, NULL);
	const LttPerfTell tell = {.func = take_message, .user_data = told};
	const LttPerfSpan records = {0, file->len};
	const int fd = memfd_create("compressed", MFD_CLOEXEC);
	g_autoptr(LttWindow) window = NULL;
	LttPerfFlat flat;

	CU_ASSERT_EQUAL_FATAL(write(fd, file->data, file->len), file->len);
	window = ltt_window_new(fd, "compressed", NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(window);
	CU_ASSERT_TRUE_FATAL(ltt_perf_flatten(window, LTT_LITTLE_ENDIAN, records, NULL, limits, out,
					      &flat, &tell, NULL));
	CU_ASSERT_EQUAL(flat.n_compressed, 1);
	CU_ASSERT_EQUAL(flat.compressed_bytes, file->len - HEADER_BYTES);
	CU_ASSERT_EQUAL(flat.records.end, ltt_scratch_get_size(out));
	g_array_unref(flat.damage);
	return flat.records.end;
}

static void test_all_of_it(void)
{
	g_autoptr(GString) told = g_string_new(NULL);

	CU_ASSERT_EQUAL(flatten(NULL, told), RECORD_BYTES * N_RECORDS);
	CU_ASSERT_STRING_EQUAL(told->str, "");
}

static void test_too_much_of_it(void)
{
	const LttPerfFlatLimits limits = {.free_bytes = (guint64)1 << 16, .max_ratio = 10};
	g_autoptr(GString) told = g_string_new(NULL);

	CU_ASSERT_TRUE(flatten(&limits, told) < RECORD_BYTES * N_RECORDS);
	CU_ASSERT_PTR_NOT_NULL(strstr(told->str, "; expected at most 10. The rest of them is "
						 "omitted\n"));
}

static void test_much_but_free(void)
{
	const LttPerfFlatLimits limits = {.free_bytes = RECORD_BYTES * N_RECORDS, .max_ratio = 10};
	g_autoptr(GString) told = g_string_new(NULL);

	CU_ASSERT_EQUAL(flatten(&limits, told), RECORD_BYTES * N_RECORDS);
	CU_ASSERT_STRING_EQUAL(told->str, "");
}

UNIT_MAIN("perf-flatten", UNIT(test_all_of_it), UNIT(test_too_much_of_it), UNIT(test_much_but_free))
