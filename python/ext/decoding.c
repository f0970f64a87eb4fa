/* decoding.c - see decoding.h. */
#include "decoding.h"

#include "failure.h"
#include "selection.h"

struct Decoding {
	Core *core;
	LttSelect *select;
	LttTableReader *reader;
	LttProgressFunc on_progress;
	gpointer progress_data;
};

static gboolean on_progress(const LttProgress *progress, gpointer user_data)
{
	const Decoding *decoding = user_data;

	return decoding->on_progress == NULL ||
	       decoding->on_progress(progress, decoding->progress_data);
}

static void on_problem(const LttProblem *problem, gpointer user_data)
{
	core_note(problem, ((Decoding *)user_data)->core);
}

/* Returns: (nullable): the name of the table that was probably meant */
static const char *find_nearest(LttTables *tables, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < ltt_tables_get_n(tables); i++)
		g_ptr_array_add(names, (gpointer)ltt_table_get_name(ltt_tables_get(tables, i)));
	g_ptr_array_add(names, NULL);
	return ltt_nearest(name, (const char *const *)names->pdata);
}

const LttTable *decoding_find_table(Core *core, PyObject *name)
{
	const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
	const LttTable *table;
	const char *nearest;

	if (text == NULL)
		return NULL;
	table = ltt_tables_find(core_need_tables(core), text);
	if (table != NULL)
		return table;
	nearest = find_nearest(core_need_tables(core), text);
	failure_raise(g_error_new(LTT_ERROR, LTT_ERROR_INVALID,
				  "%s: the trace has no such event type%s%s%s", text,
				  nearest != NULL ? "; did you mean " : "",
				  nearest != NULL ? nearest : "", nearest != NULL ? "?" : ""));
	return NULL;
}

/* Returns: FALSE with an exception. @strings: (out): NULL for None; else the names, then NULL */
static gboolean read_columns(PyObject *columns, GPtrArray **strings)
{
	const Py_ssize_t n_columns = columns == Py_None ? 0 : PySequence_Size(columns);

	*strings = NULL;
	if (columns == Py_None)
		return TRUE;
	if (n_columns < 0)
		return FALSE;
	*strings = g_ptr_array_new_with_free_func(g_free);
	for (Py_ssize_t i = 0; i < n_columns; i++) {
		PyObject *item = PySequence_GetItem(columns, i);
		const char *text = item != NULL ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;

		if (text != NULL)
			g_ptr_array_add(*strings, g_strdup(text));
		Py_XDECREF(item);
		if (text == NULL)
			return FALSE;
	}
	g_ptr_array_add(*strings, NULL);
	return TRUE;
}

static Decoding *start(Core *core, LttTableRequest *request, LttSelect *select)
{
	Decoding *decoding = g_new0(Decoding, 1);
	GError *error = NULL;

	decoding->core = core_ref(core);
	decoding->select = select;
	request->select = select;
	request->callbacks = (LttJobCallbacks){on_problem, on_progress, decoding};
	decoding->reader = ltt_table_read(request, &error);
	if (decoding->reader != NULL)
		return decoding;
	decoding_free(decoding);
	failure_raise(error);
	return NULL;
}

Decoding *decoding_new(Core *core, PyObject *arguments)
{
	LttTableRequest request = {0};
	GPtrArray *names = NULL;
	Decoding *decoding = NULL;
	LttSelect *select;
	PyObject *name;
	PyObject *columns;
	PyObject *selection;

	if (!PyArg_ParseTuple(arguments, "UOOIpI", &name, &columns, &selection, &request.n_threads,
			      &request.is_ordered, &request.batch_rows))
		return NULL;
	request.table = decoding_find_table(core, name);
	if (request.table == NULL)
		return NULL;
	if (read_columns(columns, &names)) {
		request.columns = names != NULL ? (const char *const *)names->pdata : NULL;
		select = selection_new(core, selection);
		if (select != NULL)
			decoding = start(core, &request, select);
	}
	if (names != NULL)
		g_ptr_array_unref(names);
	return decoding;
}

void decoding_free(Decoding *decoding)
{
	if (decoding == NULL)
		return;
	ltt_table_reader_free(decoding->reader);
	ltt_select_free(decoding->select);
	core_unref(decoding->core);
	g_free(decoding);
}

Core *decoding_get_core(const Decoding *decoding)
{
	return decoding->core;
}

LttTableReader *decoding_get_reader(const Decoding *decoding)
{
	return decoding->reader;
}

LttTableReader *decoding_take_reader(Decoding *decoding)
{
	return g_steal_pointer(&decoding->reader);
}

void decoding_set_progress(Decoding *decoding, LttProgressFunc function, gpointer user_data)
{
	decoding->on_progress = function;
	decoding->progress_data = user_data;
}
