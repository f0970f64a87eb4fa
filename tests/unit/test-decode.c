/* Compressed and plain bytes: round trips, limits, and errors of a stream. */
#include "unit.h"

#include "archive/decode-priv.h"
#include "archive/encode-priv.h"
#include "archive/members-priv.h"

#include <ltt/ltt-error.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define N_PLAIN 300000

static const LttDecodeLimits no_limits = {.max_bytes = G_MAXUINT64};

static gboolean take(const char *bytes, gsize length, gpointer out, GError **error)
{
	(void)error;
	g_byte_array_append(out, (const guint8 *)bytes, (guint)length);
	return TRUE;
}

/* Bytes with moderate entropy. */
static GByteArray *make_plain(void)
{
	GByteArray *plain = g_byte_array_new();

	g_byte_array_set_size(plain, N_PLAIN);
	for (guint i = 0; i < N_PLAIN; i++)
		plain->data[i] = (guint8)((i * i / 77) ^ (i >> 9));
	return plain;
}

static GByteArray *pack(LttPacking packing, const GByteArray *plain, guint piece)
{
	GByteArray *packed = g_byte_array_new();
	g_autoptr(LttEncoder) encoder = ltt_encoder_new(packing, take, packed, NULL);

	for (guint at = 0; at < plain->len; at += piece)
		CU_ASSERT_TRUE(ltt_encoder_write(encoder, plain->data + at,
						 MIN(piece, plain->len - at), NULL));
	CU_ASSERT_TRUE(ltt_encoder_end(encoder, NULL));
	return packed;
}

/* Writes bytes to a file for a decoder. Returns: the open file */
static int open_bytes(const GByteArray *bytes)
{
	g_autofree char *path = unit_temp_path("packed");
	int fd;

	g_file_set_contents(path, (const char *)bytes->data, (gssize)bytes->len, NULL);
	fd = g_open(path, O_RDONLY, 0);
	CU_ASSERT_TRUE_FATAL(fd >= 0);
	return fd;
}

/* Returns: the decompressed bytes; *error is set on failure */
static GByteArray *unpack(const GByteArray *packed, const LttDecodeLimits *limits, guint piece,
			  GError **error)
{
	GByteArray *plain = g_byte_array_new();
	g_autofree guint8 *buffer = g_malloc(piece);
	const int fd = open_bytes(packed);
	g_autoptr(LttDecoder) decoder = ltt_decoder_new(fd, limits, error);
	gssize got;

	while ((got = ltt_decoder_read(decoder, buffer, piece, error)) > 0)
		g_byte_array_append(plain, buffer, (guint)got);
	CU_ASSERT_EQUAL(got < 0, error != NULL && *error != NULL);
	if (got == 0) {
		CU_ASSERT_EQUAL(ltt_decoder_get_n_packed(decoder), packed->len);
		CU_ASSERT_EQUAL(ltt_decoder_get_n_plain(decoder), plain->len);
		CU_ASSERT_EQUAL(ltt_decoder_read(decoder, buffer, piece, error), 0);
	}
	close(fd);
	return plain;
}

static void test_there_and_back(void)
{
	static const guint pieces[] = {1, 511, 100000, N_PLAIN};
	g_autoptr(GByteArray) plain = make_plain();

	for (LttPacking packing = LTT_PACKING_NONE; packing <= LTT_PACKING_ZSTD; packing++)
		for (guint i = 0; i < G_N_ELEMENTS(pieces); i++) {
			g_autoptr(GError) error = NULL;
			g_autoptr(GByteArray) packed = pack(packing, plain, pieces[i]);
			g_autoptr(GByteArray) again =
				unpack(packed, &no_limits, pieces[3 - i], &error);

			UNIT_ASSERT_OK(error == NULL, error);
			CU_ASSERT_EQUAL_FATAL(again->len, plain->len);
			CU_ASSERT_EQUAL(memcmp(again->data, plain->data, plain->len), 0);
		}
}

static void test_nothing(void)
{
	g_autoptr(GByteArray) nothing = g_byte_array_new();

	for (LttPacking packing = LTT_PACKING_NONE; packing <= LTT_PACKING_ZSTD; packing++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GByteArray) packed = pack(packing, nothing, 1);
		g_autoptr(GByteArray) again = unpack(packed, &no_limits, 10, &error);

		UNIT_ASSERT_OK(error == NULL, error);
		CU_ASSERT_EQUAL(again->len, 0);
		CU_ASSERT_EQUAL(packed->len == 0, packing == LTT_PACKING_NONE);
	}
}

/* Concatenated streams are one stream. */
static void test_two_streams(void)
{
	g_autoptr(GByteArray) plain = make_plain();

	for (LttPacking packing = LTT_PACKING_GZIP; packing <= LTT_PACKING_ZSTD; packing++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GByteArray) packed = pack(packing, plain, N_PLAIN);
		g_autoptr(GByteArray) second = pack(packing, plain, N_PLAIN);
		g_autoptr(GByteArray) again = NULL;

		g_byte_array_append(packed, second->data, second->len);
		again = unpack(packed, &no_limits, 4096, &error);
		UNIT_ASSERT_OK(error == NULL, error);
		CU_ASSERT_EQUAL_FATAL(again->len, 2 * N_PLAIN);
		CU_ASSERT_EQUAL(memcmp(again->data + N_PLAIN, plain->data, N_PLAIN), 0);
	}
}

static void assert_error(const GByteArray *packed, const LttDecodeLimits *limits, LttError code,
			 const char *message)
{
	g_autoptr(GError) error = NULL;

	g_byte_array_unref(unpack(packed, limits, 4096, &error));

	CU_ASSERT_TRUE(g_error_matches(error, LTT_ERROR, (int)code));
	if (error != NULL && !g_str_has_suffix(error->message, message))
		UNIT_ASSERT_TEXT(error->message, message);
}

static void test_damage(void)
{
	static const char *const checksums[] = {
		[LTT_PACKING_GZIP] = "gzip: incorrect data check",
		[LTT_PACKING_ZSTD] = "zstd: Restored data doesn't match checksum"};
	static const guint check_behind[] = {[LTT_PACKING_GZIP] = 8, [LTT_PACKING_ZSTD] = 4};
	g_autoptr(GByteArray) plain = make_plain();

	for (LttPacking packing = LTT_PACKING_GZIP; packing <= LTT_PACKING_ZSTD; packing++) {
		g_autoptr(GByteArray) packed = pack(packing, plain, N_PLAIN);

		packed->data[packed->len - check_behind[packing]] ^= 1;
		assert_error(packed, &no_limits, LTT_ERROR_CORRUPT, checksums[packing]);
		packed->data[packed->len - check_behind[packing]] ^= 1;
		g_byte_array_set_size(packed, packed->len - 1);
		assert_error(packed, &no_limits, LTT_ERROR_CORRUPT,
			     "it is truncated: the file ends within the compressed data");
	}
}

/* Sizes at the limits succeed; one byte more fails. */
static void test_limits(void)
{
	g_autoptr(GByteArray) zeros = g_byte_array_new();
	LttDecodeLimits limits = {.max_bytes = N_PLAIN};

	g_byte_array_set_size(zeros, N_PLAIN);
	memset(zeros->data, 0, N_PLAIN);
	for (LttPacking packing = LTT_PACKING_GZIP; packing <= LTT_PACKING_ZSTD; packing++) {
		g_autoptr(GByteArray) packed = pack(packing, zeros, N_PLAIN);
		g_autoptr(GError) error = NULL;

		g_byte_array_unref(unpack(packed, &limits, 4096, &error));

		UNIT_ASSERT_OK(error == NULL, error);
		assert_error(packed, &(LttDecodeLimits){.max_bytes = N_PLAIN - 1}, LTT_ERROR_LIMIT,
			     "more than 299999 bytes come out of it");
	}
}

static void test_ratio(void)
{
	g_autoptr(GByteArray) zeros = g_byte_array_new();
	g_autoptr(GByteArray) packed = NULL;
	LttDecodeLimits limits = {.max_bytes = N_PLAIN, .max_ratio = 5, .free_bytes = N_PLAIN};
	g_autoptr(GError) error = NULL;

	g_byte_array_set_size(zeros, N_PLAIN);
	memset(zeros->data, 0, N_PLAIN);
	packed = pack(LTT_PACKING_GZIP, zeros, N_PLAIN);
	g_byte_array_unref(unpack(packed, &limits, 4096, &error));
	UNIT_ASSERT_OK(error == NULL, error);
	limits.free_bytes = 1000;
	{
		g_autofree char *message = g_strdup_printf(
			"more than 5 bytes come out of each of the first %u packed ones",
			packed->len);

		assert_error(packed, &limits, LTT_ERROR_LIMIT, message);
	}
}

/* ---- names ---- */

static void assert_settled(const char *name, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *settled = ltt_name_settle(name, &error);

	UNIT_ASSERT_TEXT(settled, expected);
	CU_ASSERT_EQUAL(settled == NULL, error != NULL);
}

static void test_names(void)
{
	assert_settled("foo/cpu/0", "foo/cpu/0");
	assert_settled("./foo/./cpu/", "foo/cpu");
	assert_settled("./", "");
	assert_settled(".", "");
	assert_settled("a..b/..c", "a..b/..c");
	assert_settled("", NULL);
	assert_settled("/", NULL);
	assert_settled("/foo", NULL);
	assert_settled("foo//bar", NULL);
	assert_settled("..", NULL);
	assert_settled("foo/..", NULL);
	assert_settled("foo/../bar", NULL);
	assert_settled("\xff", NULL);
	assert_settled("\xc0\xaf", NULL);
	assert_settled("1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17",
		       "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17");
	assert_settled("1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18", NULL);
	CU_ASSERT_TRUE(ltt_name_is_hidden(".foo"));
	CU_ASSERT_TRUE(ltt_name_is_hidden("foo/.bar/x"));
	CU_ASSERT_FALSE(ltt_name_is_hidden("foo/bar.x"));
}

static void test_root(void)
{
	g_autoptr(LttMembers) members = ltt_members_new();

	CU_ASSERT_PTR_NULL(ltt_members_get_root(members));
	CU_ASSERT_TRUE(ltt_members_add(members, "cpu/info/system.xml", FALSE, NULL));
	CU_ASSERT_EQUAL(ltt_members_count(members), 3);
	UNIT_ASSERT_TEXT(ltt_members_get_root(members), "cpu");
	CU_ASSERT_TRUE(ltt_members_add(members, "beside", TRUE, NULL));
	CU_ASSERT_PTR_NULL(ltt_members_get_root(members));
	CU_ASSERT_TRUE(ltt_members_add(members, "info/system.xml", FALSE, NULL));
	UNIT_ASSERT_TEXT(ltt_members_get_root(members), "");
	CU_ASSERT_FALSE(ltt_members_add(members, "info", FALSE, NULL));
	CU_ASSERT_TRUE(ltt_members_add(members, "info", TRUE, NULL));
	CU_ASSERT_FALSE(ltt_members_add(members, "info/system.xml/x", FALSE, NULL));
}

UNIT_MAIN("decode", UNIT(test_there_and_back), UNIT(test_nothing), UNIT(test_two_streams),
	  UNIT(test_damage), UNIT(test_limits), UNIT(test_ratio), UNIT(test_names), UNIT(test_root))
