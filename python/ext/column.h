/* column.h - ltt.Column: the values of a column, of one batch or of several. */
#ifndef COLUMN_H
#define COLUMN_H

#include "ext.h"

gboolean column_add(PyObject *module);

/**
 * column_new:
 * @owner: keeps @column alive
 * @batches: (element-type LttBatch): which the column takes references to
 * @index: of its arrays in the batches
 *
 * Returns: (transfer full) (nullable): NULL with an exception
 */
PyObject *column_new(PyObject *owner, const LttColumn *column, const GPtrArray *batches,
		     guint index);

#endif
