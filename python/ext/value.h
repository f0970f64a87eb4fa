/* value.h - values of payloads as Python objects. */
#ifndef VALUE_H
#define VALUE_H

#include "budget.h"

/* Returns: (transfer full) (nullable): NULL with an exception
 *
 *	int, uint        int                string            str
 *	float            float              enum              str; int if it has no label
 *	struct           dict               union             dict of the member that is there
 *	array, sequence  list; bytes if the elements are uint of size 1
 */
PyObject *value_to_python(const LttValue *value);

/* The same for one of several values. @budget: what they may become together */
PyObject *value_to_python_within(const LttValue *value, Budget *budget);

/* The numbers of an enum, also inside lists and structs, instead of its labels. */
PyObject *value_to_code(const LttValue *value);

/**
 * value_follow:
 * @path: what follows a name: "", ".x", "[2].y"
 * @value: (inout): set to the value that the path leads to
 *
 * Returns: FALSE if there is none: an unknown name, another member of a union, an element after the
 *   end, or no path
 */
gboolean value_follow(const char *path, LttValue *value);

#endif
