/* value.c - see value.h.
 *
 * A type is at most LTT_MAX_TYPE_DEPTH deep, so recursion is bounded.
 */
#include "value.h"

#include <string.h>

/* How to make the objects. */
typedef struct Conversion {
	gboolean wants_codes; /* of enums, instead of their labels */
	Budget *budget;
} Conversion;

static PyObject *convert(const LttValue *value, const Conversion *conversion);

static PyObject *convert_struct(const LttValue *value, const Conversion *conversion)
{
	PyObject *dict = PyDict_New();
	LttValueIter iter;
	LttValue item;
	const char *name;

	ltt_value_iter_init(&iter, value);
	while (dict != NULL && ltt_value_iter_next(&iter, &item, &name)) {
		if (!ext_set(dict, name, convert(&item, conversion)))
			Py_CLEAR(dict);
	}
	return dict;
}

static PyObject *convert_bytes(const LttValue *value)
{
	const guint64 n_items = ltt_value_get_n_items(value);
	LttValue first;

	if (!ltt_value_get_item(value, 0, &first))
		return PyBytes_FromStringAndSize(NULL, 0);
	return PyBytes_FromStringAndSize((const char *)first.bytes, (Py_ssize_t)n_items);
}

static PyObject *convert_list(const LttValue *value, const Conversion *conversion)
{
	const LttLayout *element = value->layout->element;
	LttValueIter iter;
	PyObject *list;
	LttValue item;

	if (element->kind == LTT_UINT && element->width_bytes == 1)
		return convert_bytes(value);
	list = PyList_New(0);
	ltt_value_iter_init(&iter, value);
	while (list != NULL && ltt_value_iter_next(&iter, &item, NULL)) {
		if (!ext_append(list, convert(&item, conversion)))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *convert_integer(const LttValue *value)
{
	if (value->layout->is_signed)
		return PyLong_FromLongLong(ltt_value_get_int(value));
	return PyLong_FromUnsignedLongLong(ltt_value_get_uint(value));
}

static PyObject *convert_enum(const LttValue *value)
{
	const char *label = ltt_value_get_label(value);

	return label != NULL ? ext_text(label, strlen(label)) : convert_integer(value);
}

static PyObject *convert_string(const LttValue *value)
{
	gsize length;
	const char *bytes = ltt_value_get_string(value, &length);

	return ext_text(bytes, length);
}

static PyObject *convert(const LttValue *value, const Conversion *conversion)
{
	if (!budget_take(conversion->budget))
		return NULL;
	switch (value->layout->kind) {
	case LTT_INT:
	case LTT_UINT:
		return convert_integer(value);
	case LTT_FLOAT:
		return PyFloat_FromDouble(ltt_value_get_float(value));
	case LTT_STRING:
		return convert_string(value);
	case LTT_ENUM:
		return conversion->wants_codes ? convert_integer(value) : convert_enum(value);
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		return convert_list(value, conversion);
	case LTT_STRUCT:
	case LTT_UNION:
		return convert_struct(value, conversion);
	default:
		PyErr_SetString(PyExc_SystemError, "a layout has a typeref");
		return NULL;
	}
}

PyObject *value_to_python_within(const LttValue *value, Budget *budget)
{
	const Conversion conversion = {FALSE, budget};

	return convert(value, &conversion);
}

PyObject *value_to_python(const LttValue *value)
{
	Budget budget;

	budget_init(&budget, value->available);
	return value_to_python_within(value, &budget);
}

PyObject *value_to_code(const LttValue *value)
{
	Budget budget;
	const Conversion conversion = {TRUE, &budget};

	budget_init(&budget, value->available);
	return convert(value, &conversion);
}

/* ---- paths ---- */

static gboolean follow_name(const char **path, LttValue *value)
{
	const gsize length = strcspn(*path + 1, ".[");
	g_autofree char *name = g_strndup(*path + 1, length);
	LttValue found;

	if ((value->layout->kind != LTT_STRUCT && value->layout->kind != LTT_UNION) ||
	    !ltt_value_find(value, name, &found))
		return FALSE;
	*value = found;
	*path += 1 + length;
	return TRUE;
}

static gboolean follow_index(const char **path, LttValue *value)
{
	char *end;
	guint64 index;
	LttValue found;

	if (!g_ascii_isdigit((*path)[1]))
		return FALSE;
	index = g_ascii_strtoull(*path + 1, &end, 10);
	if (*end != ']' ||
	    (value->layout->kind != LTT_ARRAY && value->layout->kind != LTT_SEQUENCE) ||
	    !ltt_value_get_item(value, index, &found))
		return FALSE;
	*value = found;
	*path = end + 1;
	return TRUE;
}

gboolean value_follow(const char *path, LttValue *value)
{
	while (*path != '\0') {
		if (*path == '.' ? !follow_name(&path, value)
				 : *path != '[' || !follow_index(&path, value))
			return FALSE;
	}
	return TRUE;
}
