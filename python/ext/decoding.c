/* decoding.c - see decoding.h. */
#include "decoding.h"

#include "failure.h"
#include "selection.h"

struct Decoding {
	Core *core;
	LttSelect *select;
	GArray *partitions; /* of LttPartition; NULL: all */
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
	const char *text = ext_get_utf8(name);
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
static gboolean read_strings(PyObject *list, GPtrArray **strings)
{
	const Py_ssize_t n_strings = list == Py_None ? 0 : PySequence_Size(list);

	*strings = NULL;
	if (list == Py_None)
		return TRUE;
	if (n_strings < 0)
		return FALSE;
	*strings = g_ptr_array_new_with_free_func(g_free);
	for (Py_ssize_t i = 0; i < n_strings; i++) {
		PyObject *item = PySequence_GetItem(list, i);
		const char *text = item != NULL ? ext_get_utf8(item) : NULL;

		if (text != NULL)
			g_ptr_array_add(*strings, g_strdup(text));
		Py_XDECREF(item);
		if (text == NULL) {
			g_ptr_array_unref(g_steal_pointer(strings));
			return FALSE;
		}
	}
	g_ptr_array_add(*strings, NULL);
	return TRUE;
}

/* Returns: FALSE with an exception. @partitions: (out): NULL for None */
static gboolean read_partitions(Core *core, PyObject *texts, GArray **partitions)
{
	GPtrArray *strings;
	GError *error = NULL;
	gboolean ok = TRUE;

	*partitions = NULL;
	if (!read_strings(texts, &strings))
		return FALSE;
	if (strings == NULL)
		return TRUE;
	*partitions = g_array_new(FALSE, FALSE, sizeof(LttPartition));
	for (guint i = 0; ok && i + 1 < strings->len; i++) {
		LttPartition partition;

		ok = ltt_partition_from_text(core_get_trace(core), strings->pdata[i], &partition,
					     &error);
		if (ok)
			g_array_append_val(*partitions, partition);
	}
	g_ptr_array_unref(strings);
	if (!ok) {
		g_clear_pointer(partitions, g_array_unref);
		failure_raise(error);
	}
	return ok;
}

/* @partitions: (transfer full) (nullable) */
static Decoding *start(Core *core, LttTableRequest *request, LttSelect *select, GArray *partitions)
{
	Decoding *decoding = g_new0(Decoding, 1);
	GError *error = NULL;

	decoding->core = core_ref(core);
	decoding->select = select;
	decoding->partitions = partitions;
	request->select = select;
	if (partitions != NULL) {
		/* The address is not NULL if there are none: NULL means all. */
		static const LttPartition none;

		request->partitions =
			partitions->len > 0 ? (const LttPartition *)partitions->data : &none;
		request->n_partitions = partitions->len;
	}
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
	PyObject *texts;
	GArray *partitions;

	if (!PyArg_ParseTuple(arguments, "UOOO&pO&O", &name, &columns, &selection, ext_take_guint,
			      &request.n_threads, &request.is_ordered, ext_take_guint,
			      &request.batch_rows, &texts))
		return NULL;
	request.table = decoding_find_table(core, name);
	if (request.table == NULL)
		return NULL;
	if (read_strings(columns, &names) && read_partitions(core, texts, &partitions)) {
		request.columns = names != NULL ? (const char *const *)names->pdata : NULL;
		select = selection_new(core, selection);
		if (select != NULL)
			decoding = start(core, &request, select, partitions);
		else
			g_clear_pointer(&partitions, g_array_unref);
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
	g_clear_pointer(&decoding->partitions, g_array_unref);
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
