/* array.h - the values of an LttArray as Python objects, and as one block of memory. */
#ifndef ARRAY_H
#define ARRAY_H

#include "budget.h"

/* Returns: (transfer full) (nullable): a value, None if it is null; NULL with an exception. Types are
 *   those of value.h. @budget: for this value, and others of the same call */
PyObject *array_get(const LttArray *array, gsize index, Budget *budget);

/* Returns: the bytes of the values of an array and its children, and one for each of its values */
guint64 array_count_bytes(const LttArray *array);

/* The layout of values that have the same size: what a Py_buffer says. */
typedef struct ArrayLayout {
	const char *format; /* of a number, as in the module struct */
	Py_ssize_t item_bytes;
	Py_ssize_t n_items; /* of a value; 0: a value is one number */
} ArrayLayout;

/* Returns: whether the values of a column are numbers, or arrays of as many numbers each */
gboolean array_get_layout(const LttColumn *column, ArrayLayout *layout);

/* Returns: the numbers of an array with such a layout */
gconstpointer array_get_numbers(const LttArray *array);

/* Returns: the bytes of a value in such a layout */
gsize array_layout_bytes(const ArrayLayout *layout);

/* Allocates memory for values. A large block consists of huge pages if the system has them, because
 * the fault of a small page takes longer than copying values into the page. Returns: (nullable): memory
 * for free(); NULL if there is not enough */
gpointer array_allocate(gsize n_values, gsize value_bytes);

const char *array_kind_name(LttColumnKind kind);

#endif
