/* decoding.h - a table that is being read, with all that the reader borrows.
 *
 * Knows nothing of Python objects once it is made: consumers of Arrow streams use it in any thread.
 */
#ifndef DECODING_H
#define DECODING_H

#include "core.h"

typedef struct Decoding Decoding;

/**
 * decoding_new:
 * @arguments: (table, columns, selection, threads, ordered, batch_rows, partitions): str; None or a
 *   sequence of str; selection.h; int; bool; int; None or a sequence of str, which are partitions as
 *   text (ltt-partition.h)
 *
 * Returns: (transfer full) (nullable): NULL with an exception
 */
Decoding *decoding_new(Core *core, PyObject *arguments);
void decoding_free(Decoding *decoding); /* NULL is allowed and ignored */

Core *decoding_get_core(const Decoding *decoding);
LttTableReader *decoding_get_reader(const Decoding *decoding);

/* Returns: (transfer full): the reader, which is not freed with @decoding any more */
LttTableReader *decoding_take_reader(Decoding *decoding);

/* What is called during ltt_table_reader_next(); FALSE cancels. NULL: nothing */
void decoding_set_progress(Decoding *decoding, LttProgressFunc function, gpointer user_data);

/* Returns: (nullable): NULL with an exception */
const LttTable *decoding_find_table(Core *core, PyObject *name);

#endif
