/* spans.c - see spans.h.
 *
 * Each step takes one span of the library; spans with their events are too large to read ahead.
 */
#include "spans.h"

#include "event.h"
#include "iterator.h"
#include "work.h"

#include <string.h>

static PyTypeObject *spans_type;

typedef struct Spans {
	Iterator base;
	LttSpans *spans;
} Spans;

PyObject *spans_new(Trace *trace, PyObject *selection)
{
	Spans *self = iterator_new(spans_type, trace, selection);

	if (self == NULL)
		return NULL;
	self->spans = ltt_spans_new(core_get_trace(self->base.core), self->base.select);
	ltt_spans_set_symbols(self->spans, core_get_symbols(self->base.core));
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Spans *self = (Spans *)object;

	ltt_spans_free(self->spans);
	iterator_free(&self->base);
}

static LttStep take_step(Spans *self, const LttSpan **span, GError **error)
{
	LttJobCallbacks callbacks;
	WorkOf of;
	LttStep step;

	self->base.is_reading = TRUE;
	callbacks = work_begin_job(&of, self->base.core);
	ltt_spans_set_callbacks(self->spans, &callbacks);
	step = ltt_spans_next(self->spans, span, error);
	work_end(&of.work);
	self->base.is_reading = FALSE;
	return step;
}

/* Continues after an error. @error: (transfer full). Returns: FALSE with an exception */
static gboolean pass_error(Spans *self, GError *error)
{
	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		ltt_spans_skip_block(self->spans);
	return core_pass_error(self->base.core, error);
}

static PyObject *make_event(Spans *self, const LttEvent *event)
{
	EventType *type;

	if (event == NULL)
		return Py_NewRef(Py_None);
	type = trace_need_type(self->base.trace, event->type, event->layout);
	return type != NULL ? event_new(type, event) : NULL;
}

static PyObject *describe_key(const Spans *self, const LttKeyValue *key)
{
	g_autofree char *text = NULL;

	if (key->kind == LTT_KEY_NONE)
		return Py_NewRef(Py_None);
	text = ltt_key_value_to_text(key, core_get_trace(self->base.core));
	return ext_text(text, strlen(text));
}

/* (id, parent, depth, name, begin_ns, end_ns, is_async, outcome, key, begin, end) */
static PyObject *describe(Spans *self, const LttSpan *span)
{
	static const char *const outcomes[] = {
		[LTT_SPAN_FINISHED] = "finished",
		[LTT_SPAN_CUT] = "cut",
		[LTT_SPAN_OPEN] = "open",
	};

	return Py_BuildValue("KKINKKOsNNN", span->id, span->parent, span->depth,
			     ext_text(span->name, strlen(span->name)), span->begin_ns, span->end_ns,
			     span->is_async ? Py_True : Py_False, outcomes[span->outcome],
			     describe_key(self, &span->key), make_event(self, span->begin),
			     make_event(self, span->end));
}

static PyObject *next(PyObject *object)
{
	Spans *self = (Spans *)object;
	const LttSpan *span;
	LttStep step;

	do {
		GError *error = NULL;

		if (!iterator_may_read(&self->base))
			return NULL;
		step = take_step(self, &span, &error);
		if (step == LTT_STEP_ERROR && !pass_error(self, error))
			return NULL;
	} while (step == LTT_STEP_ERROR);
	return step == LTT_STEP_END ? iterator_end(&self->base) : describe(self, span);
}

static PyType_Slot slots[] = {
	{Py_tp_doc, "An iterator over tuples, of which Trace.spans() makes Span."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_iter, PyObject_SelfIter},
	{Py_tp_iternext, next},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Spans",
	.basicsize = sizeof(Spans),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean spans_add(PyObject *module)
{
	spans_type = ext_add_type(module, &spec);
	return spans_type != NULL;
}
