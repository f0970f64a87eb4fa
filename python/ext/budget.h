/* budget.h - a limit for the Python objects that values of a trace become.
 *
 * A few bytes of a trace can stand for many values: a sequence of structs without members, a union of structs.
 * As columns they take little memory (ltt-table.h), but an object takes 8 to 200 bytes. The contents of a trace
 * are untrusted, so the objects that one call makes must be in proportion to the bytes that they are made from.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include "ext.h"

#define BUDGET_OBJECTS ((guint64)4 * 1024 * 1024)

typedef struct Budget {
	guint64 n_objects;
	guint64 n_left;
} Budget;

/* Allows BUDGET_OBJECTS, and one for each byte. */
void budget_init(Budget *self, guint64 n_bytes);

/* Takes one object. Returns: FALSE with an exception, an ltt.Error of the kind "limit" */
gboolean budget_take(Budget *self);

#endif
