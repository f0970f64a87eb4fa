/* trace.c - see trace.h. */
#include "trace.h"

Core *trace_get_core(Trace *self)
{
	if (self->core == NULL)
		PyErr_SetString(PyExc_ValueError, "the trace is closed");
	return self->core;
}

static guint hash_type(gconstpointer type)
{
	return g_direct_hash(((const EventType *)type)->type);
}

static gboolean is_same_type(gconstpointer a, gconstpointer b)
{
	const EventType *first = a;
	const EventType *second = b;

	return first->type == second->type && first->layout == second->layout;
}

static void drop_type(gpointer type)
{
	Py_DECREF((PyObject *)type);
}

EventType *trace_need_type(Trace *self, const LttEventType *type, const LttLayout *layout)
{
	const EventType wanted = {.type = type, .layout = layout};
	EventType *found = g_hash_table_lookup(self->types, &wanted);

	if (found != NULL || trace_get_core(self) == NULL)
		return found;
	found = event_type_new(self->core, type, layout);
	if (found != NULL)
		g_hash_table_add(self->types, found);
	return found;
}

void trace_init(Trace *self, Core *core)
{
	self->core = core;
	self->types = g_hash_table_new_full(hash_type, is_same_type, drop_type, NULL);
}

void trace_clear(Trace *self)
{
	if (self->types != NULL)
		g_hash_table_unref(self->types);
	trace_close(self);
}

void trace_close(Trace *self)
{
	core_unref(g_steal_pointer(&self->core));
}
