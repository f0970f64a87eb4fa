/* input-priv.h - random access to the bytes of a recording: a file, a pipe or memory.
 *
 * A regular file is read in place, through a window. A pipe, or anything else that cannot be read
 * twice, is first copied into an anonymous temporary file. A request allocates memory for its whole
 * length, so the caller must check the length against a limit first.
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
 * @directory: (nullable): for the temporary file; NULL: the default (TMPDIR)
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

/* Returns: the number of bytes from @offset to the end; 0 past the end */
guint64 ltt_input_get_rest(const LttInput *input, guint64 offset);

/**
 * ltt_input_get:
 * @bytes: (out): @length bytes, valid until the next call
 *
 * Returns: FALSE with
 *   LTT_ERROR_CORRUPT  the input ends before: "NAME: byte 12: ..."
 *   LTT_ERROR_LIMIT    out of memory
 *   LTT_ERROR_IO       reading failed, or the file has become shorter
 */
gboolean ltt_input_get(LttInput *input, guint64 offset, gsize length, const guint8 **bytes,
		       GError **error);

/* Returns: a descriptor of the file for the caller to close; -1 with LTT_ERROR_IO, or
 *   LTT_ERROR_UNSUPPORTED if the input is in memory */
int ltt_input_dup(const LttInput *input, GError **error);

#endif
