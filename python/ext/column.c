/* column.c - see column.h. */
#include "column.h"

#include "chunks.h"

#include <string.h>

static PyTypeObject *column_type;

typedef struct Column {
	PyObject base;
	PyObject *owner;
	Chunks chunks;
	gboolean is_masked; /* from Column.values: buffers of nulls are allowed */
	ArrayLayout layout; /* format NULL: values have several sizes */
	Py_ssize_t shape[2];
	Py_ssize_t strides[2];
} Column;

static Column *make(PyObject *owner, const LttColumn *column)
{
	Column *self = (Column *)PyType_GenericAlloc(column_type, 0);

	if (self == NULL)
		return NULL;
	self->owner = Py_NewRef(owner);
	chunks_init(&self->chunks, column);
	return self;
}

static void settle(Column *self)
{
	if (!array_get_layout(self->chunks.column, &self->layout))
		self->layout.format = NULL;
	self->shape[0] = (Py_ssize_t)self->chunks.n_values;
	self->shape[1] = self->layout.n_items;
	self->strides[0] = (Py_ssize_t)array_layout_bytes(&self->layout);
	self->strides[1] = self->layout.item_bytes;
}

PyObject *column_new(PyObject *owner, const LttColumn *column, const GPtrArray *batches,
		     guint index)
{
	Column *self = make(owner, column);

	if (self == NULL)
		return NULL;
	for (guint i = 0; i < batches->len; i++)
		chunks_add(&self->chunks, batches->pdata[i],
			   ltt_batch_get_array(batches->pdata[i], index));
	settle(self);
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Column *self = (Column *)object;

	chunks_clear(&self->chunks);
	Py_XDECREF(self->owner);
	ext_free(object);
}

/* ---- buffers ---- */

static int fail_to_export(Py_buffer *view, const char *why, const Column *self)
{
	view->obj = NULL;
	PyErr_Format(PyExc_BufferError, "column %s %s", self->chunks.column->name, why);
	return -1;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
	Column *self = (Column *)object;
	gpointer memory;

	if (self->layout.format == NULL)
		return fail_to_export(view, "has values of different sizes: use to_list()", self);
	if (self->chunks.n_nulls > 0 && !self->is_masked)
		return fail_to_export(view, "has nulls: use values and valid", self);
	if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE)
		return fail_to_export(view, "is read-only", self);
	if (self->layout.n_items > 0 && (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS)
		return fail_to_export(view, "is in the order of C, not of Fortran", self);
	memory = chunks_need_memory(&self->chunks, &self->layout);
	if (memory == NULL)
		return fail_to_export(view, "does not fit in memory", self);
	*view = (Py_buffer){
		.buf = memory,
		.obj = Py_NewRef(object),
		.len = self->shape[0] * self->strides[0],
		.itemsize = self->layout.item_bytes,
		.readonly = 1,
		.ndim = self->layout.n_items > 0 ? 2 : 1,
		.format = (flags & PyBUF_FORMAT) != 0 ? (char *)self->layout.format : NULL,
		.shape = (flags & PyBUF_ND) != 0 ? self->shape : NULL,
		.strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL,
	};
	return 0;
}

static PyObject *get_values(PyObject *object, void *closure)
{
	const Column *self = (const Column *)object;
	Column *masked = make(self->owner, self->chunks.column);
	PyObject *view;

	(void)closure;
	if (masked == NULL)
		return NULL;
	for (guint i = 0; i < self->chunks.chunks->len; i++) {
		const Chunk *chunk = chunks_get(&self->chunks, i);

		chunks_add(&masked->chunks, chunk->batch, chunk->array);
	}
	settle(masked);
	masked->is_masked = TRUE;
	view = PyMemoryView_FromObject((PyObject *)masked);
	Py_DECREF((PyObject *)masked);
	return view;
}

static PyObject *get_valid(PyObject *object, void *closure)
{
	const Column *self = (const Column *)object;
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)self->chunks.n_values);
	PyObject *view = bytes != NULL ? PyMemoryView_FromObject(bytes) : NULL;
	char *to = bytes != NULL ? PyBytes_AsString(bytes) : NULL;
	PyObject *result = NULL;

	(void)closure;
	for (guint i = 0; to != NULL && i < self->chunks.chunks->len; i++) {
		const LttArray *array = chunks_get(&self->chunks, i)->array;

		for (gsize j = 0; j < array->n_values; j++)
			*to++ = !ltt_array_is_null(array, j);
	}
	if (view != NULL)
		result = PyObject_CallMethod(view, "cast", "s", "?");
	Py_XDECREF(view);
	Py_XDECREF(bytes);
	return result;
}

/* ---- a sequence ---- */

static Py_ssize_t length(PyObject *object)
{
	return (Py_ssize_t)((const Column *)object)->chunks.n_values;
}

/* The interpreter adds the length to negative indices. */
static PyObject *get_item(PyObject *object, Py_ssize_t index)
{
	const Column *self = (const Column *)object;

	if (index < 0 || (gsize)index >= self->chunks.n_values) {
		PyErr_SetString(PyExc_IndexError, "the column has no such row");
		return NULL;
	}
	return chunks_get_value(&self->chunks, (gsize)index);
}

static PyObject *to_list(PyObject *object, PyObject *unused)
{
	const Column *self = (const Column *)object;
	PyObject *list = PyList_New((Py_ssize_t)self->chunks.n_values);
	Budget budget;

	(void)unused;
	budget_init(&budget, chunks_count_bytes(&self->chunks));
	for (guint i = 0; list != NULL && i < self->chunks.chunks->len; i++) {
		const Chunk *chunk = chunks_get(&self->chunks, i);

		for (gsize j = 0; list != NULL && j < chunk->array->n_values; j++) {
			PyObject *item = array_get(chunk->array, j, &budget);

			if (item == NULL ||
			    PyList_SetItem(list, (Py_ssize_t)(chunk->first + j), item) < 0)
				Py_CLEAR(list);
		}
	}
	return list;
}

/* ---- attributes ---- */

static PyObject *get_name(PyObject *object, void *closure)
{
	(void)closure;
	return PyUnicode_FromString(((const Column *)object)->chunks.column->name);
}

static PyObject *get_kind(PyObject *object, void *closure)
{
	(void)closure;
	return PyUnicode_FromString(array_kind_name(((const Column *)object)->chunks.column->kind));
}

static PyObject *get_null_count(PyObject *object, void *closure)
{
	(void)closure;
	return PyLong_FromSize_t(((const Column *)object)->chunks.n_nulls);
}

static PyObject *get_labels(PyObject *object, void *closure)
{
	const GPtrArray *texts = chunks_need_texts(&((Column *)object)->chunks);
	PyObject *list = PyList_New(0);

	(void)closure;
	for (guint i = 0; list != NULL && i < texts->len; i++) {
		const char *text = texts->pdata[i];

		if (!ext_append(list, ext_text(text, strlen(text))))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *repr(PyObject *object)
{
	const Column *self = (const Column *)object;

	return PyUnicode_FromFormat("<ltt.Column %s: %zd values>", self->chunks.column->name,
				    (Py_ssize_t)self->chunks.n_values);
}

static PyGetSetDef attributes[] = {
	{"name", get_name, NULL, "name of the column", NULL},
	{"kind", get_kind, NULL,
	 "\"time\", \"int\", \"uint\", \"float\", \"string\", \"enum\", \"fixed_bytes\", "
	 "\"bytes\",\n"
	 "\"fixed_list\", \"list\", \"struct\" or \"union\"",
	 NULL},
	{"null_count", get_null_count, NULL, "number of values that are None", NULL},
	{"labels", get_labels, NULL,
	 "of an enum: the texts that the numbers of its buffer stand for", NULL},
	{"values", get_values, NULL, "a memoryview of the numbers; a null has any number", NULL},
	{"valid", get_valid, NULL, "a memoryview of bools: whether each value is not None", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
	{"to_list", to_list, METH_NOARGS, "to_list($self, /)\n--\n\nThe values as Python objects."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc, "The values of a column: a sequence.\n\n"
		    "Columns of numbers without nulls, and of arrays of numbers, have the buffer\n"
		    "protocol: numpy.asarray(column) copies nothing. The numbers of an enum are\n"
		    "indices into labels."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_getset, attributes},
	{Py_tp_methods, methods},
	{Py_tp_repr, repr},
	{Py_tp_iter, PySeqIter_New},
	{Py_sq_length, length},
	{Py_sq_item, get_item},
	{Py_bf_getbuffer, get_buffer},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Column",
	.basicsize = sizeof(Column),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean column_add(PyObject *module)
{
	column_type = ext_add_type(module, &spec);
	return column_type != NULL;
}
