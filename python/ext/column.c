/* column.c - see column.h.
 *
 * The values lie in the arrays of batches. A buffer of one batch is the memory of its array; for
 * several batches it is a copy, which is made when a buffer is requested for the first time.
 */
#include "column.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

static PyTypeObject *column_type;

typedef struct Chunk {
	LttBatch *batch; /* owned */
	const LttArray *array;
	gsize first; /* row of its first value */
} Chunk;

typedef struct Column {
	PyObject base;
	PyObject *owner;
	const LttColumn *column;
	GArray *chunks; /* of Chunk */
	gsize n_values;
	gsize n_nulls;
	GPtrArray *texts;   /* ENUM: what the numbers of a buffer stand for */
	guint8 *joined;     /* NULL: not made */
	gboolean is_masked; /* from Column.values: buffers of nulls are allowed */
	ArrayLayout layout; /* format NULL: values have several sizes */
	Py_ssize_t shape[2];
	Py_ssize_t strides[2];
} Column;

static void clear_chunk(gpointer chunk)
{
	ltt_batch_unref(((Chunk *)chunk)->batch);
}

static void add_chunk(Column *self, LttBatch *batch, const LttArray *array)
{
	const Chunk chunk = {ltt_batch_ref(batch), array, self->n_values};

	g_array_append_val(self->chunks, chunk);
	self->n_values += array->n_values;
	self->n_nulls += array->n_nulls;
}

static Column *make(PyObject *owner, const LttColumn *column)
{
	Column *self = (Column *)PyType_GenericAlloc(column_type, 0);

	if (self == NULL)
		return NULL;
	self->owner = Py_NewRef(owner);
	self->column = column;
	self->chunks = g_array_new(FALSE, FALSE, sizeof(Chunk));
	g_array_set_clear_func(self->chunks, clear_chunk);
	return self;
}

static void settle(Column *self)
{
	if (!array_get_layout(self->column, &self->layout))
		self->layout.format = NULL;
	self->shape[0] = (Py_ssize_t)self->n_values;
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
		add_chunk(self, batches->pdata[i], ltt_batch_get_array(batches->pdata[i], index));
	settle(self);
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Column *self = (Column *)object;

	if (self->chunks != NULL)
		g_array_unref(self->chunks);
	if (self->texts != NULL)
		g_ptr_array_unref(self->texts);
	free(self->joined);
	Py_XDECREF(self->owner);
	ext_free(object);
}

static const Chunk *get_chunk(const Column *self, guint index)
{
	return &g_array_index(self->chunks, Chunk, index);
}

/* Makes the list of all texts, the labels first, which are the same in all chunks. */
static void need_texts(Column *self)
{
	g_autoptr(GHashTable) known = NULL;

	if (self->texts != NULL)
		return;
	known = g_hash_table_new(g_str_hash, g_str_equal);
	self->texts = g_ptr_array_new();
	for (guint i = 0; i < self->column->n_labels; i++)
		g_ptr_array_add(self->texts, (gpointer)self->column->labels[i]);
	for (guint i = 0; i < self->chunks->len; i++) {
		const LttArray *array = get_chunk(self, i)->array;

		for (guint j = self->column->n_labels; j < array->n_texts; j++) {
			if (g_hash_table_add(known, (gpointer)array->texts[j]))
				g_ptr_array_add(self->texts, (gpointer)array->texts[j]);
		}
	}
}

/* Returns: (transfer full): the index among all texts for each index of a chunk */
static gint32 *map_texts(const Column *self, const LttArray *array)
{
	gint32 *map = g_new(gint32, array->n_texts);

	for (guint i = 0; i < array->n_texts; i++) {
		guint j = i;

		while (i >= self->column->n_labels &&
		       !g_str_equal(self->texts->pdata[j], array->texts[i]))
			j = j + 1 < self->texts->len ? j + 1 : self->column->n_labels;
		map[i] = (gint32)j;
	}
	return map;
}

static void copy_codes(Column *self, const LttArray *array, gint32 *to)
{
	const gint32 *codes = array->values;
	g_autofree gint32 *map = NULL;

	need_texts(self);
	if (array->n_texts <= self->column->n_labels) {
		memcpy(to, codes, array->n_values * sizeof(*to));
		return;
	}
	map = map_texts(self, array);
	for (gsize i = 0; i < array->n_values; i++)
		to[i] = ltt_array_is_null(array, i) ? 0 : map[codes[i]];
}

/* ---- buffers ---- */

static gpointer get_memory(Column *self)
{
	const gsize value_bytes = array_layout_bytes(&self->layout);
	static guint64 nothing;

	if (self->n_values == 0)
		return &nothing;
	if (self->chunks->len == 1)
		return (gpointer)array_get_numbers(get_chunk(self, 0)->array);
	if (self->joined != NULL)
		return self->joined;
	self->joined = array_allocate(self->n_values, value_bytes);
	for (guint i = 0; self->joined != NULL && i < self->chunks->len; i++) {
		const Chunk *chunk = get_chunk(self, i);
		guint8 *to = self->joined + chunk->first * value_bytes;

		if (self->column->kind == LTT_COLUMN_ENUM)
			copy_codes(self, chunk->array, (gint32 *)(gpointer)to);
		else
			memcpy(to, array_get_numbers(chunk->array),
			       chunk->array->n_values * value_bytes);
	}
	return self->joined;
}

static int fail_to_export(Py_buffer *view, const char *why, const Column *self)
{
	view->obj = NULL;
	PyErr_Format(PyExc_BufferError, "column %s %s", self->column->name, why);
	return -1;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
	Column *self = (Column *)object;
	gpointer memory;

	if (self->layout.format == NULL)
		return fail_to_export(view, "has values of different sizes: use to_list()", self);
	if (self->n_nulls > 0 && !self->is_masked)
		return fail_to_export(view, "has nulls: use values and valid", self);
	if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE)
		return fail_to_export(view, "is read-only", self);
	if (self->layout.n_items > 0 && (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS)
		return fail_to_export(view, "is in the order of C, not of Fortran", self);
	memory = get_memory(self);
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
	Column *masked = make(self->owner, self->column);
	PyObject *view;

	(void)closure;
	if (masked == NULL)
		return NULL;
	for (guint i = 0; i < self->chunks->len; i++)
		add_chunk(masked, get_chunk(self, i)->batch, get_chunk(self, i)->array);
	settle(masked);
	masked->is_masked = TRUE;
	view = PyMemoryView_FromObject((PyObject *)masked);
	Py_DECREF((PyObject *)masked);
	return view;
}

static PyObject *get_valid(PyObject *object, void *closure)
{
	const Column *self = (const Column *)object;
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)self->n_values);
	PyObject *view = bytes != NULL ? PyMemoryView_FromObject(bytes) : NULL;
	char *to = bytes != NULL ? PyBytes_AsString(bytes) : NULL;
	PyObject *result = NULL;

	(void)closure;
	for (guint i = 0; to != NULL && i < self->chunks->len; i++) {
		const LttArray *array = get_chunk(self, i)->array;

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
	return (Py_ssize_t)((const Column *)object)->n_values;
}

/* The interpreter adds the length to negative indices. */
static PyObject *get_item(PyObject *object, Py_ssize_t index)
{
	const Column *self = (const Column *)object;
	guint low = 0;
	guint high = self->chunks->len;

	if (index < 0 || (gsize)index >= self->n_values) {
		PyErr_SetString(PyExc_IndexError, "the column has no such row");
		return NULL;
	}
	while (high - low > 1) {
		const guint middle = (low + high) / 2;

		if (get_chunk(self, middle)->first <= (gsize)index)
			low = middle;
		else
			high = middle;
	}
	return array_get(get_chunk(self, low)->array, (gsize)index - get_chunk(self, low)->first);
}

static PyObject *to_list(PyObject *object, PyObject *unused)
{
	const Column *self = (const Column *)object;
	PyObject *list = PyList_New((Py_ssize_t)self->n_values);

	(void)unused;
	for (guint i = 0; list != NULL && i < self->chunks->len; i++) {
		const Chunk *chunk = get_chunk(self, i);

		for (gsize j = 0; list != NULL && j < chunk->array->n_values; j++) {
			PyObject *item = array_get(chunk->array, j);

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
	return PyUnicode_FromString(((const Column *)object)->column->name);
}

static PyObject *get_kind(PyObject *object, void *closure)
{
	(void)closure;
	return PyUnicode_FromString(array_kind_name(((const Column *)object)->column->kind));
}

static PyObject *get_null_count(PyObject *object, void *closure)
{
	(void)closure;
	return PyLong_FromSize_t(((const Column *)object)->n_nulls);
}

static PyObject *get_labels(PyObject *object, void *closure)
{
	Column *self = (Column *)object;
	PyObject *list = PyList_New(0);

	(void)closure;
	need_texts(self);
	for (guint i = 0; list != NULL && i < self->texts->len; i++) {
		const char *text = self->texts->pdata[i];

		if (!ext_append(list, ext_text(text, strlen(text))))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *repr(PyObject *object)
{
	const Column *self = (const Column *)object;

	return PyUnicode_FromFormat("<ltt.Column %s: %zd values>", self->column->name,
				    (Py_ssize_t)self->n_values);
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
