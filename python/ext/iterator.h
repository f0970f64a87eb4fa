/* iterator.h - the common part of the iterators over a trace: what they read, and in which thread.
 *
 * The struct of each iterator begins with this one.
 */
#ifndef ITERATOR_H
#define ITERATOR_H

#include "trace.h"

typedef struct Iterator {
	PyObject base;
	Trace *trace;        /* owned */
	Core *core;          /* owned; of the trace, also after it is closed */
	LttSelect *select;   /* owned */
	gboolean is_reading; /* some thread takes a step, without the lock of the interpreter */
} Iterator;

/* Allocates an iterator; the caller sets the members that @type adds. Returns: (transfer full)
 * (nullable): NULL with an exception */
gpointer iterator_new(PyTypeObject *type, Trace *trace, PyObject *selection);

/* Frees the iterator, after the members that its type adds. */
void iterator_free(Iterator *self);

/* Returns: FALSE with an exception if another thread takes a step, or if the trace is closed */
gboolean iterator_may_read(const Iterator *self);

/* Warns of the problems that were found since the last warning. Returns: NULL, the result of the last
 * step */
PyObject *iterator_end(const Iterator *self);

#endif
