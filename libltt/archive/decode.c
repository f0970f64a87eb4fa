/* decode.c - decompress gzip with zlib and zstd with libzstd.
 *
 * libarchive can decompress these streams too, but does not verify the checksum of gzip: a
 * corrupted byte would pass as a byte of an event.
 */
#include "archive/decode-priv.h"

#include "base/error-priv.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define BUFFER_BYTES (128 * 1024)

/* Makes inflateInit2() expect a gzip header and trailer. */
#define GZIP_WINDOW_BITS (15 + 16)

static const guint8 gzip_magic[] = {0x1f, 0x8b};
static const guint8 zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};

/* Of a frame without data, in which pzstd announces the size of the next one; the lower half of the first byte
 * is free. */
static const guint8 zstd_skippable[] = {0x50, 0x2a, 0x4d, 0x18};

struct LttDecoder {
	int fd; /* borrowed */
	LttDecodeLimits limits;
	LttPacking packing;
	gboolean is_file; /* a regular file, read from its beginning */
	guint8 *buffer;   /* packed bytes */
	gsize at;         /* offset in the buffer of the next unused byte */
	gsize end;
	gboolean has_ended;    /* the buffer holds the last bytes of the file */
	gboolean is_in_stream; /* inside a gzip member or zstd frame */
	guint64 n_packed;
	guint64 n_plain;
	z_stream gzip;
	ZSTD_DStream *zstd;
};

/* ---- packed bytes ---- */

/* Reads once. Returns: FALSE with LTT_ERROR_IO */
static gboolean read_some(LttDecoder *decoder, guint8 *bytes, gsize length, gsize *n_read,
			  GError **error)
{
	ssize_t got;

	do {
		got = read(decoder->fd, bytes, length);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return ltt_fail(error, LTT_ERROR_IO, "could not read: %s", g_strerror(errno));
	decoder->has_ended = got == 0;
	decoder->n_packed += (guint64)got;
	*n_read = (gsize)got;
	return TRUE;
}

/* Reads into the buffer until it holds @n_wanted bytes or the file ends. */
static gboolean fill(LttDecoder *decoder, gsize n_wanted, GError **error)
{
	memmove(decoder->buffer, decoder->buffer + decoder->at, decoder->end - decoder->at);
	decoder->end -= decoder->at;
	decoder->at = 0;
	while (decoder->end < n_wanted && !decoder->has_ended) {
		gsize n_read = 0;

		if (!read_some(decoder, decoder->buffer + decoder->end, BUFFER_BYTES - decoder->end,
			       &n_read, error))
			return FALSE;
		decoder->end += n_read;
	}
	return TRUE;
}

static gboolean begins_with(const LttDecoder *decoder, const guint8 *magic, gsize length)
{
	return decoder->end - decoder->at >= length &&
	       memcmp(decoder->buffer + decoder->at, magic, length) == 0;
}

static gboolean begins_with_zstd(const LttDecoder *decoder)
{
	const guint8 *at = decoder->buffer + decoder->at;

	if (begins_with(decoder, zstd_magic, sizeof(zstd_magic)))
		return TRUE;
	return decoder->end - decoder->at >= sizeof(zstd_skippable) &&
	       (at[0] & 0xf0) == zstd_skippable[0] &&
	       memcmp(at + 1, zstd_skippable + 1, sizeof(zstd_skippable) - 1) == 0;
}

/* ---- the kinds of compression: each consumes bytes of the buffer and produces some ---- */

static gssize fail_to_unpack(const LttDecoder *decoder, const char *packing, const char *reason,
			     GError **error)
{
	ltt_fail(error, LTT_ERROR_CORRUPT, "packed byte %" G_GUINT64_FORMAT ": %s: %s",
		 decoder->n_packed - (decoder->end - decoder->at), packing, reason);
	return -1;
}

static gssize read_plain(LttDecoder *decoder, guint8 *bytes, gsize length, GError **error)
{
	gsize n = MIN(length, decoder->end - decoder->at);

	if (n == 0)
		return read_some(decoder, bytes, length, &n, error) ? (gssize)n : -1;
	memcpy(bytes, decoder->buffer + decoder->at, n);
	decoder->at += n;
	return (gssize)n;
}

/* Begins the next member of a gzip file, if there is one. Zeros may pad the end, as on a tape.
 * Returns: 1: another member begins; 0: this is the end; -1 with @error set */
static int begin_member(LttDecoder *decoder, GError **error)
{
	if (!fill(decoder, sizeof(gzip_magic), error))
		return -1;
	if (begins_with(decoder, gzip_magic, sizeof(gzip_magic))) {
		decoder->is_in_stream = TRUE;
		inflateReset(&decoder->gzip);
		return 1;
	}
	do {
		for (; decoder->at < decoder->end; decoder->at++)
			if (decoder->buffer[decoder->at] != 0) {
				ltt_fail(error, LTT_ERROR_CORRUPT,
					 "data that is not gzip follows the end");
				return -1;
			}
		if (!fill(decoder, 1, error))
			return -1;
	} while (decoder->end > 0);
	return 0;
}

static gssize read_gzip(LttDecoder *decoder, guint8 *bytes, gsize length, GError **error)
{
	z_stream *stream = &decoder->gzip;
	const int begun = decoder->is_in_stream ? 1 : begin_member(decoder, error);
	int result;

	if (begun <= 0)
		return begun;
	if (decoder->at == decoder->end && !fill(decoder, 1, error))
		return -1;
	stream->next_in = decoder->buffer + decoder->at;
	stream->avail_in = (uInt)(decoder->end - decoder->at);
	stream->next_out = bytes;
	stream->avail_out = (uInt)length;
	result = inflate(stream, Z_NO_FLUSH);
	decoder->at = decoder->end - stream->avail_in;
	if (result == Z_STREAM_END)
		decoder->is_in_stream = FALSE;
	else if (result != Z_OK && result != Z_BUF_ERROR)
		return fail_to_unpack(decoder, "gzip",
				      stream->msg != NULL ? stream->msg : zError(result), error);
	return (gssize)(length - stream->avail_out);
}

static gssize read_zstd(LttDecoder *decoder, guint8 *bytes, gsize length, GError **error)
{
	ZSTD_inBuffer in;
	ZSTD_outBuffer out = {bytes, length, 0};
	gsize result;

	if (decoder->at == decoder->end && !fill(decoder, 1, error))
		return -1;
	if (decoder->end == 0 && !decoder->is_in_stream)
		return 0;
	in = (ZSTD_inBuffer){decoder->buffer, decoder->end, decoder->at};
	result = ZSTD_decompressStream(decoder->zstd, &out, &in);
	decoder->at = in.pos;
	if (ZSTD_isError(result))
		return fail_to_unpack(decoder, "zstd", ZSTD_getErrorName(result), error);
	decoder->is_in_stream = result != 0;
	return (gssize)out.pos;
}

/* One step of any kind of compression. It may produce no bytes before the end. */
static gssize read_step(LttDecoder *decoder, guint8 *bytes, gsize length, GError **error)
{
	switch (decoder->packing) {
	case LTT_PACKING_GZIP:
		return read_gzip(decoder, bytes, length, error);
	case LTT_PACKING_ZSTD:
		return read_zstd(decoder, bytes, length, error);
	case LTT_PACKING_NONE:
		break;
	}
	return read_plain(decoder, bytes, length, error);
}

/* ---- all kinds ---- */

static gboolean is_at_end(const LttDecoder *decoder)
{
	return decoder->has_ended && decoder->at == decoder->end;
}

static gboolean check_limits(const LttDecoder *decoder, GError **error)
{
	const LttDecodeLimits *limits = &decoder->limits;

	if (decoder->n_plain > limits->max_bytes)
		return ltt_fail(error, LTT_ERROR_LIMIT,
				"more than %" G_GUINT64_FORMAT " bytes come out of it",
				limits->max_bytes);
	if (limits->max_ratio > 0 && decoder->n_plain > limits->free_bytes &&
	    (decoder->n_plain - limits->free_bytes) / limits->max_ratio > decoder->n_packed)
		return ltt_fail(error, LTT_ERROR_LIMIT,
				"more than %" G_GUINT64_FORMAT
				" bytes come out of each of the first %" G_GUINT64_FORMAT
				" packed ones",
				limits->max_ratio, decoder->n_packed);
	return TRUE;
}

gssize ltt_decoder_read(LttDecoder *decoder, gpointer bytes, gsize length, GError **error)
{
	const guint8 *const before = bytes;
	gssize got;

	g_assert(before != NULL && length > 0 && length <= G_MAXINT);
	do {
		const gboolean was_at_end = is_at_end(decoder);

		got = read_step(decoder, bytes, length, error);
		if (got != 0)
			break;
		if (decoder->is_in_stream && was_at_end) {
			ltt_fail(error, LTT_ERROR_CORRUPT,
				 "it is truncated: the file ends within the compressed data");
			return -1;
		}
	} while (!is_at_end(decoder) || decoder->is_in_stream);
	if (got > 0)
		decoder->n_plain += (guint64)got;
	return got > 0 && !check_limits(decoder, error) ? -1 : got;
}

guint64 ltt_decoder_skip(LttDecoder *decoder, guint64 length)
{
	const gsize buffered = decoder->end - decoder->at;
	struct stat status;
	off_t at;
	guint64 n;

	if (!ltt_decoder_is_in_place(decoder) || length <= buffered)
		return 0;
	at = lseek(decoder->fd, 0, SEEK_CUR);
	if (at < 0 || fstat(decoder->fd, &status) < 0 || status.st_size <= at)
		return 0;
	n = MIN(length - buffered, (guint64)(status.st_size - at));
	if (lseek(decoder->fd, (off_t)n, SEEK_CUR) < 0)
		return 0;
	decoder->at = decoder->end;
	decoder->n_packed += n;
	decoder->n_plain += buffered + n;
	return buffered + n;
}

LttPacking ltt_decoder_get_packing(const LttDecoder *decoder)
{
	return decoder->packing;
}

gboolean ltt_decoder_is_in_place(const LttDecoder *decoder)
{
	return decoder->packing == LTT_PACKING_NONE && decoder->is_file;
}

guint64 ltt_decoder_get_n_packed(const LttDecoder *decoder)
{
	return decoder->n_packed;
}

guint64 ltt_decoder_get_n_plain(const LttDecoder *decoder)
{
	return decoder->n_plain;
}

static gboolean begin(LttDecoder *decoder, GError **error)
{
	gboolean ok = TRUE;

	if (begins_with(decoder, gzip_magic, sizeof(gzip_magic))) {
		decoder->packing = LTT_PACKING_GZIP;
		ok = inflateInit2(&decoder->gzip, GZIP_WINDOW_BITS) == Z_OK;
	} else if (begins_with_zstd(decoder)) {
		decoder->packing = LTT_PACKING_ZSTD;
		decoder->zstd = ZSTD_createDStream();
		ok = decoder->zstd != NULL;
	}
	return ok || ltt_fail(error, LTT_ERROR_LIMIT, "no memory to unpack it");
}

LttDecoder *ltt_decoder_new(int fd, const LttDecodeLimits *limits, GError **error)
{
	g_autoptr(LttDecoder) decoder = g_new0(LttDecoder, 1);
	struct stat status;

	decoder->fd = fd;
	decoder->limits = *limits;
	decoder->is_file =
		fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
	decoder->buffer = g_malloc(BUFFER_BYTES);
	if (!fill(decoder, sizeof(zstd_magic), error) || !begin(decoder, error))
		return NULL;
	return g_steal_pointer(&decoder);
}

void ltt_decoder_free(LttDecoder *decoder)
{
	if (decoder == NULL)
		return;
	if (decoder->packing == LTT_PACKING_GZIP)
		inflateEnd(&decoder->gzip);
	ZSTD_freeDStream(decoder->zstd);
	g_free(decoder->buffer);
	g_free(decoder);
}
