/* mutate-tar.c - see mutate-tar.h.
 *
 * A random byte in compressed data only changes the place of an error.
 */
#define _GNU_SOURCE /* memfd_create */

#include "mutate-tar.h"

#include "archive/decode-priv.h"
#include "archive/encode-priv.h"
#include "mutate.h"
#include "tar-sums.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_PLAIN_BYTES ((gsize)256 * 1024)
#define SIZE_AT         124
#define SIZE_BYTES      12

typedef struct Tar {
	guint8 *bytes; /* MAX_PLAIN_BYTES */
	gsize size;
	gsize at; /* of the chosen header */
	gsize member_bytes;
	GRand *dice;
} Tar;

typedef struct Field {
	guint16 at;
	guint16 size;
	const char *values; /* of a number in octal digits; separated by spaces, . is nothing */
} Field;

static const Field fields[] = {
	{0, 100,
	 ". / . .. ../x /etc/x trace trace/ trace/cpu/0 trace/cpu/00 trace//cpu/0 "
	 "./trace/info/system.xml "
	 "trace/info/system.xml trace/control/facilities trace/x/../y trace/.hidden a/b/c/d \xff "
	 "cpu/0"},
	{100, 8, "0000644 0000755 0004755 0000000 7777777 . abc"},
	{SIZE_AT, SIZE_BYTES,
	 "00000000000 00000000001 00000000777 00000001000 77777777777 . \x80 \xff 0000000000x"},
	{156, 1, "0 1 2 3 4 5 6 7 g x L K S D V M N A . \xff"},
	{157, 100, ". x ../x /etc/passwd trace/cpu/0"},
	{257, 8, "ustar ustar\x20\x20 . ustaR"},
	{345, 155, ". trace .. / prefix/prefix"},
};

static guint64 below(const Tar *tar, guint64 n)
{
	return mutate_below(tar->dice, n);
}

/* ---- the members ---- */

/* Returns: the bytes of the member whose header is at @at; FALSE if there is none */
static gsize measure(const Tar *tar, gsize at)
{
	char digits[SIZE_BYTES + 1] = {0};
	guint64 size;

	memcpy(digits, tar->bytes + at + SIZE_AT, SIZE_BYTES);
	size = MIN(g_ascii_strtoull(digits, NULL, 8), MAX_PLAIN_BYTES);
	size = (size + TAR_BLOCK_BYTES - 1) / TAR_BLOCK_BYTES * TAR_BLOCK_BYTES;
	return MIN(TAR_BLOCK_BYTES + size, tar->size - at);
}

static void choose(Tar *tar)
{
	gsize n = 0;

	for (gsize at = 0; at + TAR_BLOCK_BYTES <= tar->size; at += measure(tar, at))
		if (below(tar, ++n) == 0) {
			tar->at = at;
			tar->member_bytes = measure(tar, at);
		}
}

static void change_field(Tar *tar)
{
	const Field *field = &fields[below(tar, G_N_ELEMENTS(fields))];
	g_auto(GStrv) values = g_strsplit(field->values, " ", -1);
	const char *value = values[below(tar, g_strv_length(values))];

	memset(tar->bytes + tar->at + field->at, 0, field->size);
	if (strcmp(value, ".") != 0)
		memcpy(tar->bytes + tar->at + field->at, value, MIN(strlen(value), field->size));
}

static void change_bytes(Tar *tar)
{
	const Field *field = &fields[below(tar, G_N_ELEMENTS(fields))];

	LLVMFuzzerMutate(tar->bytes + tar->at + field->at, field->size, field->size);
}

static void change_contents(Tar *tar)
{
	if (tar->member_bytes > TAR_BLOCK_BYTES)
		LLVMFuzzerMutate(tar->bytes + tar->at + TAR_BLOCK_BYTES,
				 tar->member_bytes - TAR_BLOCK_BYTES,
				 tar->member_bytes - TAR_BLOCK_BYTES);
}

static void double_member(Tar *tar)
{
	if (tar->member_bytes > MAX_PLAIN_BYTES - tar->size)
		return;
	mutate_shift(tar->bytes, tar->at, tar->size, (gint64)tar->member_bytes);
	tar->size += tar->member_bytes;
}

static void drop_member(Tar *tar)
{
	mutate_shift(tar->bytes, tar->at + tar->member_bytes, tar->size,
		     -(gint64)tar->member_bytes);
	tar->size -= tar->member_bytes;
}

static void cut(Tar *tar)
{
	tar->size = tar->at + below(tar, tar->member_bytes + 1);
}

/* ---- compression ---- */

static LttPacking unpack(Tar *tar, const uint8_t *data, size_t size)
{
	const LttDecodeLimits limits = {.max_bytes = MAX_PLAIN_BYTES};
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	g_autoptr(LttDecoder) decoder = NULL;
	LttPacking packing = LTT_PACKING_NONE;
	gssize got;

	if (write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0)
		decoder = ltt_decoder_new(fd, &limits, NULL);
	if (decoder != NULL) {
		packing = ltt_decoder_get_packing(decoder);
		while (tar->size < MAX_PLAIN_BYTES &&
		       (got = ltt_decoder_read(decoder, tar->bytes + tar->size,
					       MAX_PLAIN_BYTES - tar->size, NULL)) > 0)
			tar->size += (gsize)got;
	}
	close(fd);
	return packing;
}

static gboolean gather(const char *bytes, gsize length, gpointer packed, GError **error)
{
	(void)error;
	g_byte_array_append(packed, (const guint8 *)bytes, (guint)length);
	return TRUE;
}

/* Returns: (transfer full): the archive, in one or two streams */
static GByteArray *pack(const Tar *tar, LttPacking packing)
{
	const gsize first = below(tar, 4) == 0 ? below(tar, tar->size + 1) : tar->size;
	const gsize sizes[] = {first, tar->size - first};
	GByteArray *packed = g_byte_array_new();
	gsize at = 0;

	for (guint i = 0; i < G_N_ELEMENTS(sizes); at += sizes[i++]) {
		g_autoptr(LttEncoder) encoder = NULL;

		if (sizes[i] == 0)
			continue;
		if (packing != LTT_PACKING_NONE)
			encoder = ltt_encoder_new(packing, gather, packed, NULL);
		if (encoder == NULL)
			g_byte_array_append(packed, tar->bytes + at, (guint)sizes[i]);
		else if (ltt_encoder_write(encoder, tar->bytes + at, sizes[i], NULL))
			ltt_encoder_end(encoder, NULL);
	}
	return packed;
}

size_t mutate_tar(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static void (*const changes[])(Tar *) = {
		change_field,    change_field,  change_field, change_bytes,
		change_contents, double_member, drop_member,  cut,
	};
	Tar tar = {.dice = g_rand_new_with_seed(seed)};
	g_autofree guint8 *bytes = g_malloc(MAX_PLAIN_BYTES);
	g_autoptr(GByteArray) packed = NULL;
	LttPacking packing;

	tar.bytes = bytes;
	if (!mutate_is_blind(tar.dice, 6)) {
		packing = unpack(&tar, data, size);
		for (guint64 n = 1 + below(&tar, 3); n > 0 && tar.size >= TAR_BLOCK_BYTES; n--) {
			choose(&tar);
			changes[below(&tar, G_N_ELEMENTS(changes))](&tar);
		}
		mend_tar(tar.bytes, tar.size);
		if (below(&tar, 16) == 0)
			packing = (LttPacking)below(&tar, LTT_PACKING_ZSTD + 1);
		packed = pack(&tar, packing);
	}
	g_rand_free(tar.dice);
	if (packed == NULL || packed->len == 0 || packed->len > max_size)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(data, packed->data, packed->len);
	return packed->len;
}
