/* input-priv.h - the bytes of a recording, at any offset, wherever it comes from.
 *
 * A regular file is read where it is, through a window. What cannot be read twice, such as a pipe,
 * is first copied into a file without a name. Whoever asks for many bytes at once has compared the
 * number with a ceiling: as much memory is taken.
 */
#ifndef LTT_INPUT_PRIV_H
#define LTT_INPUT_PRIV_H

#ifndef LTT_BUILDING
#error "input-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttInput LttInput;

/**
 * ltt_input_open:
 * @path: "-" is standard input
 * @directory: (nullable): where there is room for a copy; NULL: where temporary files go
 *
 * Returns: (nullable): NULL with LTT_ERROR_IO, or LTT_ERROR_UNSUPPORTED for a directory
 */
LttInput *ltt_input_open(const char *path, const char *directory, GError **error);

/* @bytes: borrowed. @name: for messages */
LttInput *ltt_input_new_memory(const char *name, gconstpointer bytes, gsize length);

void ltt_input_free(LttInput *input); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttInput, ltt_input_free)

/* Returns: the path, or "standard input" */
const char *ltt_input_get_name(const LttInput *input);

guint64 ltt_input_get_size(const LttInput *input);

/* Returns: the bytes from @offset to the end; 0 behind the end */
guint64 ltt_input_get_rest(const LttInput *input, guint64 offset);

/**
 * ltt_input_get:
 * @bytes: (out): @length bytes, lent until the next call
 *
 * Returns: FALSE with
 *   LTT_ERROR_CORRUPT  there are fewer bytes: "NAME: byte 12: ..."
 *   LTT_ERROR_LIMIT    there is no memory for so many
 *   LTT_ERROR_IO       they could not be read, or the file has become shorter
 */
gboolean ltt_input_get(LttInput *input, guint64 offset, gsize length, const guint8 **bytes,
		       GError **error);

/* Returns: a descriptor on the file for the caller to close; -1 with LTT_ERROR_IO, or
 * LTT_ERROR_UNSUPPORTED if all of it is in memory */
int ltt_input_dup(const LttInput *input, GError **error);

#endif
