/* stream.c - see stream.h.
 *
 * A consumer calls the functions of a stream in any thread, with the lock of the interpreter or
 * without it, and may release the stream after the trace is closed or the interpreter has ended. So
 * they take no lock of Python. Only the thread that made the stream takes it, to check for signals,
 * because no Python code runs while a consumer in C waits for an array.
 */
#include "stream.h"

#include "decoding.h"
#include "trace.h"

#include <errno.h>
#include <string.h>

#define SIGNAL_INTERVAL_US 50000

typedef struct Stream {
	struct ArrowArrayStream inner; /* of the library */
	Decoding *decoding;
	GThread *creator; /* the thread that the stream was made in */
	gint64 next_us;
} Stream;

/* An exception of a signal handler, to be raised when the consumer is back in Python. */
typedef struct Raised {
	PyObject *type;
	PyObject *value;
	PyObject *traceback;
} Raised;

static int raise_now(void *data)
{
	Raised *raised = data;

	PyErr_Restore(raised->type, raised->value, raised->traceback);
	g_free(raised);
	return -1;
}

static void raise_later(void)
{
	Raised *raised = g_new(Raised, 1);

	PyErr_Fetch(&raised->type, &raised->value, &raised->traceback);
	if (Py_AddPendingCall(raise_now, raised) == 0)
		return;
	PyErr_Restore(raised->type, raised->value, raised->traceback);
	PyErr_WriteUnraisable(NULL);
	g_free(raised);
}

/* Lets the handlers of signals run. */
static gboolean on_progress(const LttProgress *progress, gpointer user_data)
{
	Stream *stream = user_data;
	const gint64 now_us = g_get_monotonic_time();
	PyGILState_STATE state;
	gboolean goes_on;

	(void)progress;
	if (stream->next_us == 0)
		stream->next_us = now_us + SIGNAL_INTERVAL_US;
	if (now_us < stream->next_us || g_thread_self() != stream->creator)
		return TRUE;
	stream->next_us = now_us + SIGNAL_INTERVAL_US;
	state = PyGILState_Ensure();
	goes_on = PyErr_CheckSignals() == 0;
	if (!goes_on)
		raise_later();
	PyGILState_Release(state);
	return goes_on;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	Stream *own = stream->private_data;

	return own->inner.get_schema(&own->inner, schema);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
	Stream *own = stream->private_data;
	int failure = own->inner.get_next(&own->inner, array);

	core_warn_later(decoding_get_core(own->decoding));
	return failure;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	Stream *own = stream->private_data;

	return own->inner.get_last_error(&own->inner);
}

static void release(struct ArrowArrayStream *stream)
{
	Stream *own = stream->private_data;

	if (stream->release == NULL)
		return;
	own->inner.release(&own->inner);
	decoding_free(own->decoding);
	g_free(own);
	stream->private_data = NULL;
	stream->release = NULL;
}

/* ---- capsules ---- */

static void free_stream(PyObject *capsule)
{
	struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");

	if (stream->release != NULL)
		stream->release(stream);
	g_free(stream);
}

static void free_schema(PyObject *capsule)
{
	struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");

	if (schema->release != NULL)
		schema->release(schema);
	g_free(schema);
}

static void free_array(PyObject *capsule)
{
	struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");

	if (array->release != NULL)
		array->release(array);
	g_free(array);
}

PyObject *stream_get(PyObject *trace, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)trace);
	Decoding *decoding = core != NULL ? decoding_new(core, arguments) : NULL;
	struct ArrowArrayStream *stream;
	PyObject *capsule;
	Stream *own;

	if (decoding == NULL)
		return NULL;
	own = g_new0(Stream, 1);
	own->decoding = decoding;
	own->creator = g_thread_self();
	decoding_set_progress(decoding, on_progress, own);
	ltt_arrow_stream_init(&own->inner, decoding_take_reader(decoding), NULL);
	stream = g_new(struct ArrowArrayStream, 1);
	*stream = (struct ArrowArrayStream){
		.get_schema = get_schema,
		.get_next = get_next,
		.get_last_error = get_last_error,
		.release = release,
		.private_data = own,
	};
	capsule = PyCapsule_New(stream, "arrow_array_stream", free_stream);
	if (capsule == NULL) {
		stream->release(stream);
		g_free(stream);
	}
	return capsule;
}

static PyObject *make_schema(LttTableReader *reader)
{
	struct ArrowSchema *schema = g_new0(struct ArrowSchema, 1);
	PyObject *capsule;

	ltt_arrow_schema_init(schema, reader, NULL);
	capsule = PyCapsule_New(schema, "arrow_schema", free_schema);
	if (capsule == NULL) {
		schema->release(schema);
		g_free(schema);
	}
	return capsule;
}

PyObject *stream_get_schema(PyObject *trace, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)trace);
	Decoding *decoding = core != NULL ? decoding_new(core, arguments) : NULL;
	PyObject *capsule = decoding != NULL ? make_schema(decoding_get_reader(decoding)) : NULL;

	decoding_free(decoding);
	return capsule;
}

PyObject *stream_make_array(LttBatch *batch, LttTableReader *reader)
{
	PyObject *schema = make_schema(reader);
	struct ArrowArray *array;
	PyObject *capsule;

	if (schema == NULL)
		return NULL;
	array = g_new0(struct ArrowArray, 1);
	ltt_arrow_array_init(array, ltt_batch_ref(batch));
	capsule = PyCapsule_New(array, "arrow_array", free_array);
	if (capsule == NULL) {
		array->release(array);
		g_free(array);
		Py_DECREF(schema);
		return NULL;
	}
	return Py_BuildValue("NN", schema, capsule);
}
