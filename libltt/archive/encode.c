/* encode.c - compress gzip with zlib and zstd with libzstd.
 *
 * libarchive can compress too, but omits the checksum of zstd, without which a corrupted byte goes
 * unnoticed.
 */
#include "archive/encode-priv.h"

#include "base/error-priv.h"

#include <zlib.h>
#include <zstd.h>

#define BUFFER_BYTES (128 * 1024)

/* Makes deflateInit2() write a gzip header, by default without a file name and time. */
#define GZIP_WINDOW_BITS (15 + 16)
#define GZIP_MEMORY      8 /* zlib's own choice */

struct LttEncoder {
	LttPacking packing;
	LttWriteFunc write;
	gpointer user_data;
	guint8 *buffer;
	gsize length; /* bytes in the buffer */
	z_stream gzip;
	gboolean has_gzip;
	ZSTD_CCtx *zstd;
};

/* Flushes the buffer. */
static gboolean hand_on(LttEncoder *encoder, GError **error)
{
	const gsize length = encoder->length;

	encoder->length = 0;
	return length == 0 ||
	       encoder->write((const char *)encoder->buffer, length, encoder->user_data, error);
}

static gboolean make_room(LttEncoder *encoder, GError **error)
{
	return encoder->length < BUFFER_BYTES || hand_on(encoder, error);
}

static gboolean write_gzip(LttEncoder *encoder, gconstpointer bytes, gsize length, int flush,
			   GError **error)
{
	z_stream *stream = &encoder->gzip;
	int result;

	stream->next_in = (Bytef *)bytes; /* zlib does not write there */
	stream->avail_in = (uInt)length;
	do {
		if (!make_room(encoder, error))
			return FALSE;
		stream->next_out = encoder->buffer + encoder->length;
		stream->avail_out = (uInt)(BUFFER_BYTES - encoder->length);
		result = deflate(stream, flush);
		g_assert(result != Z_STREAM_ERROR);
		encoder->length = BUFFER_BYTES - stream->avail_out;
	} while (flush == Z_FINISH ? result != Z_STREAM_END : stream->avail_in > 0);
	return TRUE;
}

static gboolean write_zstd(LttEncoder *encoder, gconstpointer bytes, gsize length,
			   ZSTD_EndDirective end, GError **error)
{
	ZSTD_inBuffer in = {bytes, length, 0};
	gsize result;

	do {
		ZSTD_outBuffer out = {encoder->buffer, BUFFER_BYTES, encoder->length};

		if (!make_room(encoder, error))
			return FALSE;
		out.pos = encoder->length;
		result = ZSTD_compressStream2(encoder->zstd, &out, &in, end);
		if (ZSTD_isError(result))
			return ltt_fail(error, LTT_ERROR_LIMIT, "zstd: %s",
					ZSTD_getErrorName(result));
		encoder->length = out.pos;
	} while (end == ZSTD_e_end ? result > 0 : in.pos < in.size);
	return TRUE;
}

static gboolean write_plain(LttEncoder *encoder, gconstpointer bytes, gsize length, GError **error)
{
	const guint8 *at = bytes;

	while (length > 0) {
		const gsize piece = MIN(length, BUFFER_BYTES - encoder->length);

		memcpy(encoder->buffer + encoder->length, at, piece);
		encoder->length += piece;
		at += piece;
		length -= piece;
		if (!make_room(encoder, error))
			return FALSE;
	}
	return TRUE;
}

gboolean ltt_encoder_write(LttEncoder *encoder, gconstpointer bytes, gsize length, GError **error)
{
	g_assert(length <= G_MAXINT);
	switch (encoder->packing) {
	case LTT_PACKING_GZIP:
		return write_gzip(encoder, bytes, length, Z_NO_FLUSH, error);
	case LTT_PACKING_ZSTD:
		return write_zstd(encoder, bytes, length, ZSTD_e_continue, error);
	case LTT_PACKING_NONE:
		break;
	}
	return write_plain(encoder, bytes, length, error);
}

gboolean ltt_encoder_end(LttEncoder *encoder, GError **error)
{
	if (encoder->packing == LTT_PACKING_GZIP && !write_gzip(encoder, NULL, 0, Z_FINISH, error))
		return FALSE;
	if (encoder->packing == LTT_PACKING_ZSTD &&
	    !write_zstd(encoder, NULL, 0, ZSTD_e_end, error))
		return FALSE;
	return hand_on(encoder, error);
}

static gboolean begin(LttEncoder *encoder)
{
	switch (encoder->packing) {
	case LTT_PACKING_GZIP:
		encoder->has_gzip =
			deflateInit2(&encoder->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
				     GZIP_WINDOW_BITS, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
		return encoder->has_gzip;
	case LTT_PACKING_ZSTD:
		encoder->zstd = ZSTD_createCCtx();
		return encoder->zstd != NULL &&
		       !ZSTD_isError(ZSTD_CCtx_setParameter(encoder->zstd, ZSTD_c_checksumFlag, 1));
	case LTT_PACKING_NONE:
		break;
	}
	return TRUE;
}

LttEncoder *ltt_encoder_new(LttPacking packing, LttWriteFunc write, gpointer user_data,
			    GError **error)
{
	g_autoptr(LttEncoder) encoder = g_new0(LttEncoder, 1);

	encoder->packing = packing;
	encoder->write = write;
	encoder->user_data = user_data;
	encoder->buffer = g_malloc(BUFFER_BYTES);
	if (begin(encoder))
		return g_steal_pointer(&encoder);
	ltt_fail(error, LTT_ERROR_LIMIT, "no memory to pack it");
	return NULL;
}

void ltt_encoder_free(LttEncoder *encoder)
{
	if (encoder == NULL)
		return;
	if (encoder->has_gzip)
		deflateEnd(&encoder->gzip);
	ZSTD_freeCCtx(encoder->zstd);
	g_free(encoder->buffer);
	g_free(encoder);
}
