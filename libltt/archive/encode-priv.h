/* encode-priv.h - compress a stream of bytes with gzip or zstd.
 *
 * The output depends on the input only: it contains no time and no name. It ends with a checksum.
 */
#ifndef LTT_ENCODE_PRIV_H
#define LTT_ENCODE_PRIV_H

#ifndef LTT_BUILDING
#error "encode-priv.h is private to libltt"
#endif

#include "archive/decode-priv.h"

#include <ltt/ltt-print.h>

typedef struct LttEncoder LttEncoder;

/* @write: receives the compressed bytes in pieces of some 128 KiB.
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT if out of memory */
LttEncoder *ltt_encoder_new(LttPacking packing, LttWriteFunc write, gpointer user_data,
			    GError **error);
void ltt_encoder_free(LttEncoder *encoder); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttEncoder, ltt_encoder_free)

/* Return: FALSE with the error of the write function; the encoder can then only be freed */
gboolean ltt_encoder_write(LttEncoder *encoder, gconstpointer bytes, gsize length, GError **error);
gboolean ltt_encoder_end(LttEncoder *encoder, GError **error);

#endif
