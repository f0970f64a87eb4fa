/* events.c - see events.h.
 *
 * The library reads some events at a time into a chunk, without the lock of the interpreter; the
 * steps of the iterator make objects of them. An error ends a chunk, so a warning comes where the
 * damage is.
 */
#include "events.h"

#include "event.h"
#include "iterator.h"
#include "work.h"

#include <string.h>

#define CHUNK_EVENTS 256
#define CHUNK_BYTES  (256 * 1024) /* of payloads; a larger one has a chunk of its own */

static PyTypeObject *events_type;

typedef struct Events {
	Iterator base;
	LttMerge *merge;

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
	Events *self = iterator_new(events_type, trace, selection);

	if (self == NULL)
		return NULL;
	self->merge = ltt_merge_new(core_get_trace(self->base.core), self->base.select);
	self->payloads = g_byte_array_sized_new(CHUNK_EVENTS);
	self->end = LTT_STEP_EVENT;
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Events *self = (Events *)object;

	ltt_merge_free(self->merge);
	if (self->payloads != NULL)
		g_byte_array_unref(self->payloads);
	g_clear_error(&self->error);
	iterator_free(&self->base);
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
	Work work;
	const LttJobCallbacks callbacks = {.on_progress = work_on_progress, .user_data = &work};
	const LttEvent *event;

	if (!iterator_may_read(&self->base))
		return FALSE;
	self->base.is_reading = TRUE;
	self->next = 0;
	self->n_events = 0;
	g_byte_array_set_size(self->payloads, 0);
	work_begin(&work);
	ltt_merge_set_callbacks(self->merge, &callbacks);
	do {
		self->end = ltt_merge_next(self->merge, &event, &self->error);
		if (self->end == LTT_STEP_EVENT)
			add_to_chunk(self, event);
	} while (self->end == LTT_STEP_EVENT && self->n_events < CHUNK_EVENTS &&
		 self->payloads->len < CHUNK_BYTES);
	work_end(&work);
	self->base.is_reading = FALSE;
	return TRUE;
}

/* Continues after an error. Returns: FALSE with an exception */
static gboolean pass_error(Events *self)
{
	GError *error = g_steal_pointer(&self->error);

	self->end = LTT_STEP_EVENT;
	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		ltt_merge_skip_block(self->merge);
	return core_pass_error(self->base.core, error);
}

/* ---- the iterator ---- */

static PyObject *make_event(Events *self)
{
	LttEvent event = self->chunk[self->next++];

	event.payload = self->payloads->data + GPOINTER_TO_SIZE(event.payload);
	if (event.type != self->last || event.layout != self->last_layout) {
		self->last_type = trace_need_type(self->base.trace, event.type, event.layout);
		if (self->last_type == NULL)
			return NULL;
		self->last = event.type;
		self->last_layout = event.layout;
	}
	return event_new(self->last_type, &event);
}

static PyObject *next(PyObject *object)
{
	Events *self = (Events *)object;

	if (!iterator_may_read(&self->base))
		return NULL;
	while (self->next == self->n_events) {
		if (self->end == LTT_STEP_END)
			return iterator_end(&self->base);
		if (self->end == LTT_STEP_ERROR && !pass_error(self))
			return NULL;
		if (!fill_chunk(self))
			return NULL;
	}
	/* Another thread may have closed the trace meanwhile. */
	if (trace_get_core(self->base.trace) == NULL)
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
