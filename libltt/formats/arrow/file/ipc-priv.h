/* ipc-priv.h - write Arrow arrays as an Arrow IPC stream.
 *
 *	stream    | schema | dictionary ... | batch | ... | end |
 *	message   | -1 | size of metadata | metadata (FlatBuffer), padded to 8 bytes | body |
 *	body      | buffer, padded to 8 bytes | ...
 *
 * A dictionary precedes the first batch that refers to it. If it changes, it is written again.
 */
#ifndef LTT_FORMATS_ARROW_FILE_IPC_PRIV_H
#define LTT_FORMATS_ARROW_FILE_IPC_PRIV_H

#ifndef LTT_BUILDING
#error "formats/arrow/file/ipc-priv.h is private to libltt"
#endif

#include "formats/arrow/file/flatbuffer-priv.h"

#include <ltt/ltt-arrow.h>

/* ---- ipc.c ---- */

/* Receives the next bytes. Returns: FALSE with the error that ends the stream */
typedef gboolean (*LttIpcWrite)(gconstpointer bytes, gsize length, gpointer user_data,
				GError **error);

typedef struct LttIpcWriter LttIpcWriter;

/* @schema: (transfer full): a struct of the columns. Returns: (transfer full) */
LttIpcWriter *ltt_ipc_writer_new(struct ArrowSchema *schema, LttIpcWrite write, gpointer user_data);
void ltt_ipc_writer_free(LttIpcWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttIpcWriter, ltt_ipc_writer_free)

/* Write the parts of a stream; call them in this order. Return: FALSE with the error of @write */
gboolean ltt_ipc_write_schema(LttIpcWriter *writer, GError **error);
gboolean ltt_ipc_write_batch(LttIpcWriter *writer, const struct ArrowArray *batch, GError **error);
gboolean ltt_ipc_write_end(LttIpcWriter *writer, GError **error);

/* ---- ipc-schema.c ---- */

/* Returns: the size of a value in bytes. @format: of a number or a fixed_size_binary */
guint ltt_ipc_get_width(const char *format);

/* Writes the table Schema. Returns: its offset */
guint32 ltt_ipc_add_schema(GByteArray *buffer, const struct ArrowSchema *schema);

#endif
