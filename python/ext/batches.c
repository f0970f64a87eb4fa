/* batches.c - see batches.h. */
#include "batches.h"

#include "array.h"
#include "column.h"
#include "decoding.h"
#include "failure.h"
#include "selection.h"
#include "stream.h"
#include "trace.h"
#include "work.h"

#include <string.h>

static PyTypeObject *batches_type;
static PyTypeObject *batch_type;

typedef struct Batches {
	PyObject base;
	Decoding *decoding;
	gboolean is_reading; /* some thread takes a step, without the lock */
} Batches;

typedef struct Batch {
	PyObject base;
	Batches *owner; /* owned; keeps the columns */
	LttBatch *batch;
} Batch;

static LttTableReader *reader_of(const Batches *self)
{
	return decoding_get_reader(self->decoding);
}

/* ---- what a trace has ---- */

PyObject *batches_list_tables(PyObject *trace, PyObject *unused)
{
	Core *core = trace_get_core((Trace *)trace);
	LttTables *tables = core != NULL ? core_need_tables(core) : NULL;
	PyObject *list = tables != NULL ? PyList_New(0) : NULL;

	(void)unused;
	for (guint i = 0; list != NULL && i < ltt_tables_get_n(tables); i++) {
		const LttTable *table = ltt_tables_get(tables, i);

		if (!ext_append(list,
				Py_BuildValue("sO", ltt_table_get_name(table),
					      ltt_table_is_hidden(table) ? Py_True : Py_False)))
			Py_CLEAR(list);
	}
	return list;
}

/* "uint32", "list of struct" */
static PyObject *describe(const LttColumn *column)
{
	const char *kind = array_kind_name(column->kind);

	if (column->kind == LTT_COLUMN_INT || column->kind == LTT_COLUMN_UINT ||
	    column->kind == LTT_COLUMN_FLOAT)
		return Py_BuildValue("sN", column->name,
				     PyUnicode_FromFormat("%s%d", kind, column->width_bytes * 8));
	return Py_BuildValue("ss", column->name, kind);
}

PyObject *batches_list_columns(PyObject *trace, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)trace);
	const LttTable *table;
	PyObject *name;
	PyObject *list;

	if (core == NULL || !PyArg_ParseTuple(arguments, "U", &name))
		return NULL;
	table = decoding_find_table(core, name);
	list = table != NULL ? PyList_New(0) : NULL;
	for (guint i = 0; list != NULL && i < ltt_table_get_n_columns(table); i++) {
		if (!ext_append(list, describe(ltt_table_get_column(table, i))))
			Py_CLEAR(list);
	}
	return list;
}

PyObject *batches_list_partitions(PyObject *trace, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)trace);
	guint64 part_bytes;
	PyObject *selection;
	LttSelect *select;
	GArray *partitions;
	PyObject *list;

	if (core == NULL ||
	    !PyArg_ParseTuple(arguments, "OO&", &selection, ext_take_guint64, &part_bytes))
		return NULL;
	select = selection_new(core, selection);
	if (select == NULL)
		return NULL;
	partitions = ltt_partitions_new(core_get_trace(core), select,
					part_bytes != 0 ? part_bytes : LTT_DEFAULT_PARTITION_BYTES);
	ltt_select_free(select);
	list = PyList_New(0);
	for (guint i = 0; list != NULL && i < partitions->len; i++) {
		g_autofree char *text =
			ltt_partition_to_text(&g_array_index(partitions, LttPartition, i));

		if (!ext_append(list, ext_text_or_none(text)))
			Py_CLEAR(list);
	}
	g_array_unref(partitions);
	return list;
}

PyObject *batches_read(PyObject *trace, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)trace);
	Decoding *decoding = core != NULL ? decoding_new(core, arguments) : NULL;
	Batches *self;

	if (decoding == NULL)
		return NULL;
	self = (Batches *)PyType_GenericAlloc(batches_type, 0);
	if (self != NULL)
		self->decoding = decoding;
	else
		decoding_free(decoding);
	return (PyObject *)self;
}

/* ---- batches ---- */

static void dealloc_batches(PyObject *object)
{
	decoding_free(((Batches *)object)->decoding);
	ext_free(object);
}

static LttStep take_step(Batches *self, LttBatch **batch, GError **error)
{
	LttStep step;
	Work work;

	self->is_reading = TRUE;
	work_begin(&work);
	decoding_set_progress(self->decoding, work_on_progress, &work);
	step = ltt_table_reader_next(reader_of(self), batch, error);
	work_end(&work);
	decoding_set_progress(self->decoding, NULL, NULL);
	self->is_reading = FALSE;
	return step;
}

static PyObject *next_batch(PyObject *object)
{
	Batches *self = (Batches *)object;
	GError *error = NULL;
	LttBatch *batch;
	LttStep step;
	Batch *made;

	if (self->is_reading) {
		PyErr_SetString(PyExc_ValueError,
				"another thread is taking a step of this iterator");
		return NULL;
	}
	step = take_step(self, &batch, &error);
	if (step == LTT_STEP_ERROR)
		return failure_raise(error);
	if (!core_warn(decoding_get_core(self->decoding))) {
		if (step == LTT_STEP_EVENT)
			ltt_batch_unref(batch);
		return NULL;
	}
	if (step == LTT_STEP_END)
		return NULL;
	made = (Batch *)PyType_GenericAlloc(batch_type, 0);
	if (made == NULL) {
		ltt_batch_unref(batch);
		return NULL;
	}
	made->owner = (Batches *)Py_NewRef(object);
	made->batch = batch;
	return (PyObject *)made;
}

/* column(batches, index) */
static PyObject *join_column(PyObject *object, PyObject *arguments)
{
	const Batches *self = (const Batches *)object;
	g_autoptr(GPtrArray) batches = g_ptr_array_new();
	PyObject *list;
	guint index;

	if (!PyArg_ParseTuple(arguments, "O!I", &PyList_Type, &list, &index))
		return NULL;
	if (index >= ltt_table_reader_get_n_columns(reader_of(self))) {
		PyErr_SetString(PyExc_IndexError, "there is no such column");
		return NULL;
	}
	for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
		PyObject *item = PyList_GetItem(list, i);

		if (!PyObject_TypeCheck(item, batch_type) || ((Batch *)item)->owner != self) {
			PyErr_SetString(PyExc_TypeError, "expected batches of this iterator");
			return NULL;
		}
		g_ptr_array_add(batches, ((Batch *)item)->batch);
	}
	return column_new(object, ltt_table_reader_get_column(reader_of(self), index), batches,
			  index);
}

static PyMethodDef batches_methods[] = {
	{"column", join_column, METH_VARARGS,
	 "column($self, batches, index, /)\n--\n\nOne column of several batches of this iterator."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot batches_slots[] = {
	{Py_tp_doc, "An iterator over the rows of a table, some at a time, from Table.batches()."},
	{Py_tp_dealloc, dealloc_batches},
	{Py_tp_iter, PyObject_SelfIter},
	{Py_tp_iternext, next_batch},
	{Py_tp_methods, batches_methods},
	{0, NULL},
};

static PyType_Spec batches_spec = {
	.name = "ltt._ltt.Batches",
	.basicsize = sizeof(Batches),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = batches_slots,
};

/* ---- a batch ---- */

static void dealloc_batch(PyObject *object)
{
	Batch *self = (Batch *)object;

	ltt_batch_unref(self->batch);
	Py_XDECREF((PyObject *)self->owner);
	ext_free(object);
}

static Py_ssize_t length(PyObject *object)
{
	return (Py_ssize_t)ltt_batch_get_n_rows(((const Batch *)object)->batch);
}

static PyObject *subscript(PyObject *object, PyObject *name)
{
	const Batch *self = (const Batch *)object;
	LttTableReader *reader = reader_of(self->owner);
	g_autoptr(GPtrArray) batches = g_ptr_array_new();
	const char *text = ext_get_utf8(name);

	if (text == NULL)
		return NULL;
	g_ptr_array_add(batches, self->batch);
	for (guint i = 0; i < ltt_table_reader_get_n_columns(reader); i++) {
		const LttColumn *column = ltt_table_reader_get_column(reader, i);

		if (g_str_equal(column->name, text))
			return column_new((PyObject *)self->owner, column, batches, i);
	}
	PyErr_SetObject(PyExc_KeyError, name);
	return NULL;
}

static PyObject *get_columns(PyObject *object, void *closure)
{
	const LttTableReader *reader = reader_of(((const Batch *)object)->owner);
	PyObject *list = PyList_New(0);

	(void)closure;
	for (guint i = 0; list != NULL && i < ltt_table_reader_get_n_columns(reader); i++) {
		const LttColumn *column = ltt_table_reader_get_column(reader, i);

		if (!ext_append(list, PyUnicode_FromString(column->name)))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *get_arrow(PyObject *object, PyObject *arguments)
{
	const Batch *self = (const Batch *)object;
	PyObject *requested = NULL;

	if (!PyArg_ParseTuple(arguments, "|O:__arrow_c_array__", &requested))
		return NULL;
	return stream_make_array(self->batch, reader_of(self->owner));
}

static PyGetSetDef batch_attributes[] = {
	{"columns", get_columns, NULL, "names of the columns", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef batch_methods[] = {
	{"__arrow_c_array__", get_arrow, METH_VARARGS,
	 "__arrow_c_array__($self, requested_schema=None, /)\n--\n\nThe rows, for libraries that "
	 "read "
	 "Arrow."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot batch_slots[] = {
	{Py_tp_doc, "Some rows of a table. batch[name] is a Column."},
	{Py_tp_dealloc, dealloc_batch},
	{Py_tp_getset, batch_attributes},
	{Py_tp_methods, batch_methods},
	{Py_mp_length, length},
	{Py_mp_subscript, subscript},
	{0, NULL},
};

static PyType_Spec batch_spec = {
	.name = "ltt._ltt.Batch",
	.basicsize = sizeof(Batch),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = batch_slots,
};

gboolean batches_add(PyObject *module)
{
	batches_type = ext_add_type(module, &batches_spec);
	batch_type = ext_add_type(module, &batch_spec);
	return batches_type != NULL && batch_type != NULL;
}
