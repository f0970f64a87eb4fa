/* ipc-in-priv.h - what the files of the IPC writer share. */
#ifndef LTT_FORMATS_ARROW_FILE_IPC_IN_PRIV_H
#define LTT_FORMATS_ARROW_FILE_IPC_IN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/arrow/file/ipc-in-priv.h is private to libltt"
#endif

#include "formats/arrow/file/flatbuffer-priv.h"
#include "formats/arrow/file/ipc-priv.h"

/* Returns: the bytes of a value of a format of numbers or of fixed_size_binary */
guint ltt_ipc_get_width(const char *format);

/* Writes the table Schema. Returns: where it lies */
guint32 ltt_ipc_add_schema(GByteArray *buffer, const struct ArrowSchema *schema);

#endif
