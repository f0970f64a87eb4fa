/* events.c - see events.h.
 *
 * The library reads some events at a time into a chunk, without the lock of the interpreter; the
 * steps of the iterator make objects of them. An error ends a chunk, so a warning comes where the
 * damage is.
 */
#include "events.h"

#include "event.h"
#include "selection.h"
#include "work.h"

#include <string.h>

#define CHUNK_EVENTS 256
#define CHUNK_BYTES  (256 * 1024) /* of payloads; a larger one has a chunk of its own */

static PyTypeObject *events_type;

typedef struct Events {
	PyObject base;
	Trace *trace; /* owned */
	Core *core;
	LttSelect *select;
	LttMerge *merge;
	gboolean is_reading; /* some thread fills the chunk, without the lock */

	LttEvent chunk[CHUNK_EVENTS]; /* payload: an offset in `payloads` */
	GByteArray *payloads;
	guint next;
	guint n_events;
	LttStep end;   /* what follows the chunk */
	GError *error; /* of LTT_STEP_ERROR */

	/* The type of the last event. */
	const LttEventType *last;
	const LttLayout *last_layout;
	EventType *last_type; /* of the trace */
} Events;

PyObject *events_new(Trace *trace, PyObject *selection)
{
	Core *core = trace_get_core(trace);
	LttSelect *select = core != NULL ? selection_new(core, selection) : NULL;
	Events *self;

	if (select == NULL)
		return NULL;
	self = (Events *)PyType_GenericAlloc(events_type, 0);
	if (self == NULL) {
		ltt_select_free(select);
		return NULL;
	}
	self->trace = (Trace *)Py_NewRef((PyObject *)trace);
	self->core = core_ref(core);
	self->select = select;
	self->merge = ltt_merge_new(core_get_trace(core), select);
	self->payloads = g_byte_array_sized_new(CHUNK_EVENTS);
	self->end = LTT_STEP_EVENT;
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Events *self = (Events *)object;

	ltt_merge_free(self->merge);
	ltt_select_free(self->select);
	if (self->payloads != NULL)
		g_byte_array_unref(self->payloads);
	g_clear_error(&self->error);
	core_unref(self->core);
	Py_XDECREF((PyObject *)self->trace);
	ext_free(object);
}

/* ---- chunks ---- */

static void add_to_chunk(Events *self, const LttEvent *event)
{
	LttEvent *copy = &self->chunk[self->n_events++];

	*copy = *event;
	copy->payload = GSIZE_TO_POINTER(self->payloads->len);
	if (event->payload_bytes > 0)
		g_byte_array_append(self->payloads, event->payload, event->payload_bytes);
}

/* Reads the next events. Returns: FALSE with an exception */
static gboolean fill_chunk(Events *self)
{
	const LttEvent *event;
	Work work;

	if (self->is_reading) {
		PyErr_SetString(PyExc_ValueError,
				"another thread is taking a step of this iterator");
		return FALSE;
	}
	self->is_reading = TRUE;
	self->next = 0;
	self->n_events = 0;
	g_byte_array_set_size(self->payloads, 0);
	work_begin(&work);
	ltt_merge_set_progress(self->merge, work_on_progress, &work);
	do {
		self->end = ltt_merge_next(self->merge, &event, &self->error);
		if (self->end == LTT_STEP_EVENT)
			add_to_chunk(self, event);
	} while (self->end == LTT_STEP_EVENT && self->n_events < CHUNK_EVENTS &&
		 self->payloads->len < CHUNK_BYTES);
	work_end(&work);
	self->is_reading = FALSE;
	return TRUE;
}

/* Continues after an error. Returns: FALSE with an exception */
static gboolean pass_error(Events *self)
{
	GError *error = g_steal_pointer(&self->error);

	self->end = LTT_STEP_EVENT;
	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		ltt_merge_skip_block(self->merge);
	return core_pass_error(self->core, error);
}

/* ---- the iterator ---- */

static PyObject *make_event(Events *self)
{
	LttEvent event = self->chunk[self->next++];

	event.payload = self->payloads->data + GPOINTER_TO_SIZE(event.payload);
	if (event.type != self->last || event.layout != self->last_layout) {
		self->last_type = trace_need_type(self->trace, event.type, event.layout);
		if (self->last_type == NULL)
			return NULL;
		self->last = event.type;
		self->last_layout = event.layout;
	}
	return event_new(self->last_type, &event);
}

/* Warns of the problems that were found since the last call. Returns: NULL */
static PyObject *end(Events *self)
{
	core_warn(self->core);
	return NULL;
}

static PyObject *next(PyObject *object)
{
	Events *self = (Events *)object;

	if (self->is_reading) {
		PyErr_SetString(PyExc_ValueError,
				"another thread is taking a step of this iterator");
		return NULL;
	}
	while (self->next == self->n_events) {
		if (trace_get_core(self->trace) == NULL)
			return NULL;
		if (self->end == LTT_STEP_END)
			return end(self);
		if (self->end == LTT_STEP_ERROR && !pass_error(self))
			return NULL;
		if (!fill_chunk(self))
			return NULL;
	}
	if (trace_get_core(self->trace) == NULL)
		return NULL;
	return make_event(self);
}

static PyType_Slot slots[] = {
	{Py_tp_doc, "An iterator over events in order of time, from Trace.events()."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_iter, PyObject_SelfIter},
	{Py_tp_iternext, next},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Events",
	.basicsize = sizeof(Events),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean events_add(PyObject *module)
{
	events_type = ext_add_type(module, &spec);
	return events_type != NULL;
}
