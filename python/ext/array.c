/* array.c - see array.h. */
#include "array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_BYTES ((gsize)2 << 20)

static const char *const kind_names[] = {
	[LTT_COLUMN_TIME] = "time",
	[LTT_COLUMN_INT] = "int",
	[LTT_COLUMN_UINT] = "uint",
	[LTT_COLUMN_FLOAT] = "float",
	[LTT_COLUMN_STRING] = "string",
	[LTT_COLUMN_ENUM] = "enum",
	[LTT_COLUMN_FIXED_BYTES] = "fixed_bytes",
	[LTT_COLUMN_BYTES] = "bytes",
	[LTT_COLUMN_FIXED_LIST] = "fixed_list",
	[LTT_COLUMN_LIST] = "list",
	[LTT_COLUMN_STRUCT] = "struct",
	[LTT_COLUMN_UNION] = "union",
};

const char *array_kind_name(LttColumnKind kind)
{
	return kind_names[kind];
}

/* ---- values ---- */

static PyObject *get_int(const LttArray *array, gsize i)
{
	switch (array->column->width_bytes) {
	case 1:
		return PyLong_FromLong(((const gint8 *)array->values)[i]);
	case 2:
		return PyLong_FromLong(((const gint16 *)array->values)[i]);
	case 4:
		return PyLong_FromLong(((const gint32 *)array->values)[i]);
	default:
		return PyLong_FromLongLong(((const gint64 *)array->values)[i]);
	}
}

static PyObject *get_uint(const LttArray *array, gsize i)
{
	switch (array->column->width_bytes) {
	case 1:
		return PyLong_FromLong(((const guint8 *)array->values)[i]);
	case 2:
		return PyLong_FromLong(((const guint16 *)array->values)[i]);
	case 4:
		return PyLong_FromUnsignedLong(((const guint32 *)array->values)[i]);
	default:
		return PyLong_FromUnsignedLongLong(((const guint64 *)array->values)[i]);
	}
}

static PyObject *get_float(const LttArray *array, gsize i)
{
	return PyFloat_FromDouble(array->column->width_bytes == 4
					  ? (double)((const float *)array->values)[i]
					  : ((const double *)array->values)[i]);
}

static PyObject *get_enum(const LttArray *array, gsize i)
{
	const gint32 index = ((const gint32 *)array->values)[i];
	const char *text = array->texts[index];

	if ((guint)index < array->column->n_labels)
		return ext_text(text, strlen(text));
	return PyLong_FromString(text, NULL, 10);
}

static PyObject *get_bytes(const LttArray *array, gsize i)
{
	const char *bytes = array->values;
	const gint32 first = array->offsets[i];

	if (array->column->kind == LTT_COLUMN_STRING)
		return ext_text(bytes + first, (gsize)(array->offsets[i + 1] - first));
	return PyBytes_FromStringAndSize(bytes + first, array->offsets[i + 1] - first);
}

static PyObject *get_items(const LttArray *items, gsize first, gsize n_items, Budget *budget)
{
	PyObject *list = PyList_New(0);

	for (gsize i = 0; list != NULL && i < n_items; i++) {
		if (!ext_append(list, array_get(items, first + i, budget)))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *get_struct(const LttArray *array, gsize i, Budget *budget)
{
	PyObject *dict = PyDict_New();

	for (guint j = 0; dict != NULL && j < array->n_children; j++) {
		const LttArray *child = &array->children[j];

		if (!ext_set(dict, child->column->name, array_get(child, i, budget)))
			Py_CLEAR(dict);
	}
	return dict;
}

/* The tag is child 0; the member that it names is there. */
static PyObject *get_union(const LttArray *array, gsize i, Budget *budget)
{
	const LttArray *tag = &array->children[0];
	const LttArray *member = &array->children[((const gint32 *)tag->values)[i] + 1];
	PyObject *dict = PyDict_New();

	if (dict != NULL && !ext_set(dict, member->column->name, array_get(member, i, budget)))
		Py_CLEAR(dict);
	return dict;
}

PyObject *array_get(const LttArray *array, gsize i, Budget *budget)
{
	const guint64 n_elements = array->column->n_elements;

	if (!budget_take(budget))
		return NULL;
	if (ltt_array_is_null(array, i))
		return Py_NewRef(Py_None);
	switch (array->column->kind) {
	case LTT_COLUMN_TIME:
	case LTT_COLUMN_INT:
		return get_int(array, i);
	case LTT_COLUMN_UINT:
		return get_uint(array, i);
	case LTT_COLUMN_FLOAT:
		return get_float(array, i);
	case LTT_COLUMN_ENUM:
		return get_enum(array, i);
	case LTT_COLUMN_STRING:
	case LTT_COLUMN_BYTES:
		return get_bytes(array, i);
	case LTT_COLUMN_FIXED_BYTES:
		return PyBytes_FromStringAndSize((const char *)array->values + i * n_elements,
						 (Py_ssize_t)n_elements);
	case LTT_COLUMN_FIXED_LIST:
		return get_items(&array->children[0], i * n_elements, n_elements, budget);
	case LTT_COLUMN_LIST:
		return get_items(&array->children[0], (gsize)array->offsets[i],
				 (gsize)(array->offsets[i + 1] - array->offsets[i]), budget);
	case LTT_COLUMN_STRUCT:
		return get_struct(array, i, budget);
	case LTT_COLUMN_UNION:
		return get_union(array, i, budget);
	default:
		PyErr_SetString(PyExc_SystemError, "a column of an unknown kind");
		return NULL;
	}
}

/* ---- memory ---- */

/* Returns: the bytes of the values of an array, without those of its children */
static guint64 count_own_bytes(const LttArray *array)
{
	if (array->n_values == 0)
		return 0;
	switch (array->column->kind) {
	case LTT_COLUMN_STRING:
	case LTT_COLUMN_BYTES:
		return (guint64)array->offsets[array->n_values];
	case LTT_COLUMN_FIXED_BYTES:
		return array->n_values * array->column->n_elements;
	case LTT_COLUMN_ENUM:
	case LTT_COLUMN_LIST:
		return array->n_values * sizeof(gint32);
	default:
		return array->n_values * array->column->width_bytes;
	}
}

guint64 array_count_bytes(const LttArray *array)
{
	guint64 n_bytes = array->n_values + count_own_bytes(array);

	for (guint i = 0; i < array->n_children; i++)
		n_bytes += array_count_bytes(&array->children[i]) - array->children[i].n_values;
	return n_bytes;
}

/* Formats of numbers by size: of 1, 2, 4 and 8 bytes. */
static const char *choose(const char *const formats[4], guint8 width_bytes)
{
	return formats[width_bytes == 8 ? 3 : width_bytes / 2];
}

static gboolean get_number_layout(const LttColumn *column, ArrayLayout *layout)
{
	static const char *const ints[] = {"b", "h", "i", "q"};
	static const char *const uints[] = {"B", "H", "I", "Q"};
	static const char *const floats[] = {NULL, NULL, "f", "d"};

	*layout = (ArrayLayout){.item_bytes = column->width_bytes};
	if (column->kind == LTT_COLUMN_TIME || column->kind == LTT_COLUMN_INT)
		layout->format = choose(ints, column->width_bytes);
	else if (column->kind == LTT_COLUMN_UINT)
		layout->format = choose(uints, column->width_bytes);
	else if (column->kind == LTT_COLUMN_FLOAT)
		layout->format = choose(floats, column->width_bytes);
	else if (column->kind == LTT_COLUMN_ENUM)
		*layout = (ArrayLayout){.format = "i", .item_bytes = sizeof(gint32)};
	return layout->format != NULL;
}

gboolean array_get_layout(const LttColumn *column, ArrayLayout *layout)
{
	if (column->n_elements > 0 && column->kind == LTT_COLUMN_FIXED_BYTES) {
		*layout = (ArrayLayout){"B", 1, (Py_ssize_t)column->n_elements};
		return TRUE;
	}
	if (column->n_elements > 0 && column->kind == LTT_COLUMN_FIXED_LIST &&
	    column->children[0].kind != LTT_COLUMN_ENUM &&
	    get_number_layout(&column->children[0], layout)) {
		layout->n_items = (Py_ssize_t)column->n_elements;
		return TRUE;
	}
	return get_number_layout(column, layout);
}

gconstpointer array_get_numbers(const LttArray *array)
{
	return array->column->kind == LTT_COLUMN_FIXED_LIST ? array->children[0].values
							    : array->values;
}

gsize array_layout_bytes(const ArrayLayout *layout)
{
	return (gsize)(layout->item_bytes * MAX(layout->n_items, 1));
}

gpointer array_allocate(gsize n_values, gsize value_bytes)
{
	gsize n_bytes;
	gpointer memory;

	if (!g_size_checked_mul(&n_bytes, n_values, value_bytes) ||
	    n_bytes > G_MAXSSIZE - HUGE_BYTES)
		return NULL;
	if (n_bytes < 2 * HUGE_BYTES)
		return malloc(n_bytes);
	n_bytes = (n_bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	memory = aligned_alloc(HUGE_BYTES, n_bytes);
	if (memory != NULL)
		madvise(memory, n_bytes, MADV_HUGEPAGE);
	return memory;
}
