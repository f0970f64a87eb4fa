/* query.c - see query.h.
 *
 * Each query has a database of its own, so that queries may run in several threads.
 */
#include "query.h"

#include "failure.h"
#include "trace.h"
#include "work.h"

#include <ltt/ltt-sql.h>

#include <string.h>

static PyTypeObject *query_type;

typedef struct Query {
	PyObject base;
	Core *core;
	LttSql *sql;
	LttSqlQuery *query; /* NULL: no statement */
	Work *work;         /* of the current step; NULL: none */
	gboolean has_ended;
	GError *failure;  /* that ended the query before its last row; NULL: none */
	GPtrArray *slips; /* texts of warnings of the statements so far */
} Query;

/* ---- work ---- */

static void on_problem(const LttProblem *problem, gpointer self)
{
	core_note(problem, ((Query *)self)->core);
}

static gboolean on_progress(const LttProgress *progress, gpointer user_data)
{
	const Query *self = user_data;

	return self->work == NULL || work_on_progress(progress, self->work);
}

/* Returns: FALSE with an exception: another thread uses the database */
static gboolean begin(Query *self, Work *work)
{
	if (self->work != NULL) {
		PyErr_SetString(PyExc_ValueError, "another thread is taking a step of this query");
		return FALSE;
	}
	self->work = work;
	work_begin(work);
	return TRUE;
}

static void end(Query *self, Work *work)
{
	work_end(work);
	self->work = NULL;
}

/* ---- statements ---- */

static void note_doubts(Query *self, const LttSqlQuery *query)
{
	const GPtrArray *doubts = ltt_sql_query_get_doubts(query);

	for (guint i = 0; i < doubts->len; i++) {
		const LttDoubt *doubt = doubts->pdata[i];

		g_ptr_array_add(self->slips,
				doubt->nearest != NULL
					? g_strdup_printf("%s; did you mean '%s'?", doubt->message,
							  doubt->nearest)
					: g_strdup(doubt->message));
	}
}

/* Returns: FALSE with an exception, if warnings are errors */
static gboolean warn_of_slips(const Query *self)
{
	const guint n_slips = core_is_quiet(self->core) ? 0 : self->slips->len;

	for (guint i = 0; i < n_slips; i++) {
		if (!failure_warn_of_selection(self->slips->pdata[i]))
			return FALSE;
	}
	return TRUE;
}

/* Runs a statement without a result. */
static gboolean run_whole(LttSqlQuery *query, GError **error)
{
	LttStep step;

	do {
		step = ltt_sql_query_next(query, error);
	} while (step == LTT_STEP_EVENT);
	ltt_sql_query_free(query);
	return step == LTT_STEP_END;
}

/* Runs the statements of a text without a result, and compiles the last one with a result. */
static gboolean prepare(Query *self, const char *text, GError **error)
{
	const char *rest = text;
	LttSqlQuery *query;

	while ((query = ltt_sql_query_new(self->sql, rest, &rest, error)) != NULL) {
		note_doubts(self, query);
		if (ltt_sql_query_get_n_columns(query) > 0) {
			ltt_sql_query_free(self->query);
			self->query = query;
		} else if (!run_whole(query, error)) {
			return FALSE;
		}
	}
	return *error == NULL;
}

/* Returns: FALSE with an exception */
static gboolean start(Query *self, LttSqlRequest *request, const char *text)
{
	GError *error = NULL;
	gboolean ok = FALSE;
	Work work;

	request->trace = core_get_trace(self->core);
	request->callbacks = (LttJobCallbacks){on_problem, on_progress, self};
	if (!begin(self, &work))
		return FALSE;
	self->sql = ltt_sql_new(request, &error);
	if (self->sql != NULL)
		ok = prepare(self, text, &error);
	end(self, &work);
	if (!ok)
		failure_raise(error);
	return ok && warn_of_slips(self);
}

PyObject *query_run(PyObject *trace, PyObject *arguments)
{
	Core *core = trace_get_core((Trace *)trace);
	LttSqlRequest request = {0};
	const char *text;
	Query *self;

	if (core == NULL || !PyArg_ParseTuple(arguments, "spO&", &text, &request.all,
					      ext_take_guint, &request.n_threads))
		return NULL;
	self = (Query *)PyType_GenericAlloc(query_type, 0);
	if (self == NULL)
		return NULL;
	self->core = core_ref(core);
	self->slips = g_ptr_array_new_with_free_func(g_free);
	if (!start(self, &request, text))
		Py_CLEAR(self);
	return (PyObject *)self;
}

static void dealloc(PyObject *object)
{
	Query *self = (Query *)object;

	ltt_sql_query_free(self->query);
	ltt_sql_free(self->sql);
	if (self->slips != NULL)
		g_ptr_array_unref(self->slips);
	g_clear_error(&self->failure);
	core_unref(self->core);
	ext_free(object);
}

/* ---- rows ---- */

static PyObject *get_value(const LttSqlQuery *query, guint column)
{
	const LttSqlKind kind = ltt_sql_query_get_kind(query, column);
	const char *text;
	gsize length;

	if (kind == LTT_SQL_NULL)
		return Py_NewRef(Py_None);
	if (kind == LTT_SQL_INT)
		return PyLong_FromLongLong(ltt_sql_query_get_int(query, column));
	if (kind == LTT_SQL_FLOAT)
		return PyFloat_FromDouble(ltt_sql_query_get_float(query, column));
	text = ltt_sql_query_get_text(query, column, &length);
	if (kind == LTT_SQL_BYTES)
		return PyBytes_FromStringAndSize(text, (Py_ssize_t)length);
	return ext_text(text, length);
}

static PyObject *make_row(const LttSqlQuery *query)
{
	const guint n_columns = ltt_sql_query_get_n_columns(query);
	PyObject *row = PyTuple_New((Py_ssize_t)n_columns);

	for (guint i = 0; row != NULL && i < n_columns; i++) {
		PyObject *value = get_value(query, i);

		if (value == NULL || PyTuple_SetItem(row, (Py_ssize_t)i, value) < 0)
			Py_CLEAR(row);
	}
	return row;
}

/* A query that has failed does so again, and has not ended: the rows so far are not its result. */
static PyObject *next(PyObject *object)
{
	Query *self = (Query *)object;
	GError *error = NULL;
	LttStep step;
	Work work;

	if (self->failure != NULL)
		return failure_raise(g_error_copy(self->failure));
	if (self->query == NULL || self->has_ended)
		return NULL;
	if (!begin(self, &work))
		return NULL;
	step = ltt_sql_query_next(self->query, &error);
	end(self, &work);
	self->has_ended = step != LTT_STEP_EVENT;
	if (step == LTT_STEP_ERROR) {
		self->failure = g_error_copy(error);
		return failure_raise(error);
	}
	if (!core_warn(self->core)) {
		if (step == LTT_STEP_EVENT)
			self->failure = g_error_new_literal(LTT_ERROR, LTT_ERROR_CANCELLED,
							    "a warning ended the query");
		return NULL;
	}
	return step == LTT_STEP_EVENT ? make_row(self->query) : NULL;
}

static PyObject *get_columns(PyObject *object, void *closure)
{
	const LttSqlQuery *query = ((const Query *)object)->query;
	const guint n_columns = query != NULL ? ltt_sql_query_get_n_columns(query) : 0;
	PyObject *list = PyList_New(0);

	(void)closure;
	for (guint i = 0; list != NULL && i < n_columns; i++) {
		const char *name = ltt_sql_query_get_name(query, i);

		if (!ext_append(list, ext_text(name, strlen(name))))
			Py_CLEAR(list);
	}
	return list;
}

static PyGetSetDef attributes[] = {
	{"columns", get_columns, NULL, "names of the columns", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_doc,
	 "An iterator over the rows of an SQL query, tuples, of which Trace.sql() makes Result."},
	{Py_tp_dealloc, dealloc},
	{Py_tp_getset, attributes},
	{Py_tp_iter, PyObject_SelfIter},
	{Py_tp_iternext, next},
	{0, NULL},
};

static PyType_Spec spec = {
	.name = "ltt._ltt.Query",
	.basicsize = sizeof(Query),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	.slots = slots,
};

gboolean query_add(PyObject *module)
{
	query_type = ext_add_type(module, &spec);
	return query_type != NULL;
}
