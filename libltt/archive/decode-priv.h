/* decode-priv.h - decompress a file that may be compressed with gzip or zstd.
 *
 * The first bytes determine the compression. Checksums are verified; the end of the file in the
 * middle of a compressed stream is an error.
 */
#ifndef LTT_DECODE_PRIV_H
#define LTT_DECODE_PRIV_H

#ifndef LTT_BUILDING
#error "decode-priv.h is private to libltt"
#endif

#include <glib.h>

typedef enum LttPacking {
	LTT_PACKING_NONE,
	LTT_PACKING_GZIP, /* RFC 1952, any number of members */
	LTT_PACKING_ZSTD, /* RFC 8878, any number of frames, in windows of up to 128 MiB */
} LttPacking;

/* Limits on the decompressed bytes. */
typedef struct LttDecodeLimits {
	guint64 max_bytes;
	guint64 max_ratio; /* beyond free_bytes: plain bytes per packed byte; 0: no limit */
	guint64 free_bytes;
} LttDecodeLimits;

typedef struct LttDecoder LttDecoder;

/* @fd: borrowed; read from its current offset; may be a pipe. Errors of a decoder carry no place.
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO */
LttDecoder *ltt_decoder_new(int fd, const LttDecodeLimits *limits, GError **error);
void ltt_decoder_free(LttDecoder *decoder); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttDecoder, ltt_decoder_free)

LttPacking ltt_decoder_get_packing(const LttDecoder *decoder);

/* Returns: whether the file is uncompressed and seekable: pread() at the same offsets gives the
 *   same bytes */
gboolean ltt_decoder_is_in_place(const LttDecoder *decoder);

/* Returns: the number of bytes read from the file so far */
guint64 ltt_decoder_get_n_packed(const LttDecoder *decoder);

/* Returns: the number of plain bytes returned or skipped so far */
guint64 ltt_decoder_get_n_plain(const LttDecoder *decoder);

/* Reads up to @length bytes. Returns: the number of bytes read, at least 1; 0 at the end; -1 with
 * LTT_ERROR_IO, LTT_ERROR_CORRUPT or LTT_ERROR_LIMIT */
gssize ltt_decoder_read(LttDecoder *decoder, gpointer bytes, gsize length, GError **error);

/* Skips bytes if that is possible without reading them. Returns: the number of bytes skipped; 0:
 * they must be read */
guint64 ltt_decoder_skip(LttDecoder *decoder, guint64 length);

#endif
