/* core.c - see core.h.
 *
 * A problem is reported once for a trace, however often its block is read.
 */
#include "core.h"

#include "failure.h"

#include <ltt/ltt-hash.h>

typedef struct Noted {
	char *tracefile; /* NULL: the trace as a whole */
	gint64 block;
	gint64 byte;
	char *message;
	char *text; /* all of it, as the command prints it */
} Noted;

struct Core {
	gint n_refs; /* atomic */
	LttTrace *trace;
	LttSymbols *symbols;
	GMutex lock; /* of all below */
	LttTables *tables;
	GPtrArray *problems; /* of Noted */
	GHashTable *known;   /* the texts inside */
	guint n_taken;       /* of the problems that the trace itself keeps */
	guint n_warned;
	gboolean is_pending; /* core_warn_later() was called */
	gboolean is_quiet;
};

static void free_noted(gpointer data)
{
	Noted *noted = data;

	g_free(noted->tracefile);
	g_free(noted->message);
	g_free(noted->text);
	g_free(noted);
}

Core *core_new(LttTrace *trace)
{
	Core *core = g_new0(Core, 1);

	core->n_refs = 1;
	core->trace = trace;
	core->symbols = ltt_symbols_new(trace);
	g_mutex_init(&core->lock);
	core->problems = g_ptr_array_new_with_free_func(free_noted);
	core->known = g_hash_table_new(ltt_hash_text, g_str_equal);
	return core;
}

Core *core_ref(Core *core)
{
	g_atomic_int_inc(&core->n_refs);
	return core;
}

void core_unref(Core *core)
{
	if (core == NULL || !g_atomic_int_dec_and_test(&core->n_refs))
		return;
	ltt_tables_free(core->tables);
	ltt_symbols_free(core->symbols);
	ltt_trace_free(core->trace);
	g_hash_table_unref(core->known);
	g_ptr_array_unref(core->problems);
	g_mutex_clear(&core->lock);
	g_free(core);
}

LttTrace *core_get_trace(const Core *core)
{
	return core->trace;
}

LttSymbols *core_get_symbols(const Core *core)
{
	return core->symbols;
}

LttTables *core_need_tables(Core *core)
{
	LttTables *tables;

	g_mutex_lock(&core->lock);
	if (core->tables == NULL)
		core->tables = ltt_tables_new(core->trace);
	tables = core->tables;
	g_mutex_unlock(&core->lock);
	return tables;
}

/* ---- problems ---- */

static void note(Core *core, const LttProblem *problem)
{
	char *text = ltt_problem_to_string(problem);
	Noted *noted;

	if (g_hash_table_contains(core->known, text)) {
		g_free(text);
		return;
	}
	noted = g_new(Noted, 1);
	*noted = (Noted){
		.tracefile = g_strdup(problem->tracefile),
		.block = problem->block,
		.byte = problem->byte,
		.message = g_strdup(problem->message),
		.text = text,
	};
	g_ptr_array_add(core->problems, noted);
	g_hash_table_add(core->known, text);
}

/* Takes over the problems that the trace has found by itself. */
static void take_problems(Core *core)
{
	for (; core->n_taken < ltt_trace_get_n_problems(core->trace); core->n_taken++)
		note(core, ltt_trace_get_problem(core->trace, core->n_taken));
}

void core_note(const LttProblem *problem, gpointer data)
{
	Core *core = data;

	g_mutex_lock(&core->lock);
	note(core, problem);
	g_mutex_unlock(&core->lock);
}

void core_silence(Core *core)
{
	g_mutex_lock(&core->lock);
	core->is_quiet = TRUE;
	g_mutex_unlock(&core->lock);
}

gboolean core_is_quiet(Core *core)
{
	gboolean is_quiet;

	g_mutex_lock(&core->lock);
	is_quiet = core->is_quiet;
	g_mutex_unlock(&core->lock);
	return is_quiet;
}

/* Returns: (transfer full) (nullable): the text of the next problem to warn of */
static char *take_text(Core *core)
{
	char *text = NULL;

	g_mutex_lock(&core->lock);
	take_problems(core);
	if (!core->is_quiet && core->n_warned < core->problems->len)
		text = g_strdup(((Noted *)core->problems->pdata[core->n_warned++])->text);
	g_mutex_unlock(&core->lock);
	return text;
}

gboolean core_warn(Core *core)
{
	gboolean goes_on = TRUE;
	char *text;

	while (goes_on && (text = take_text(core)) != NULL) {
		goes_on = failure_warn(text);
		g_free(text);
	}
	return goes_on;
}

gboolean core_pass_error(Core *core, GError *error)
{
	LttProblem problem;

	if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		failure_raise(error);
		return FALSE;
	}
	ltt_problem_from_error(error, &problem);
	core_note(&problem, core);
	g_error_free(error);
	return core_warn(core);
}

static int warn_now(void *data)
{
	Core *core = data;
	gboolean ok;

	g_mutex_lock(&core->lock);
	core->is_pending = FALSE;
	g_mutex_unlock(&core->lock);
	ok = core_warn(core);
	core_unref(core);
	return ok ? 0 : -1;
}

void core_warn_later(Core *core)
{
	gboolean is_new;

	g_mutex_lock(&core->lock);
	take_problems(core);
	is_new = !core->is_pending && !core->is_quiet && core->n_warned < core->problems->len;
	core->is_pending = core->is_pending || is_new;
	g_mutex_unlock(&core->lock);
	if (!is_new || Py_AddPendingCall(warn_now, core_ref(core)) == 0)
		return;
	/* Too many calls are pending: the next use of the trace warns. */
	g_mutex_lock(&core->lock);
	core->is_pending = FALSE;
	g_mutex_unlock(&core->lock);
	core_unref(core);
}

static PyObject *number_or_none(gint64 number)
{
	return number == LTT_NOWHERE ? Py_NewRef(Py_None) : PyLong_FromLongLong(number);
}

/* Returns: (nullable): a problem by index; they are never removed */
static const Noted *get_noted(Core *core, guint index)
{
	const Noted *noted = NULL;

	g_mutex_lock(&core->lock);
	take_problems(core);
	if (index < core->problems->len)
		noted = core->problems->pdata[index];
	g_mutex_unlock(&core->lock);
	return noted;
}

PyObject *core_list_problems(Core *core)
{
	PyObject *list = PyList_New(0);
	const Noted *noted;

	for (guint i = 0; list != NULL && (noted = get_noted(core, i)) != NULL; i++) {
		if (!ext_append(list,
				Py_BuildValue("NNNNN", ext_text_or_none(noted->tracefile),
					      number_or_none(noted->block),
					      number_or_none(noted->byte),
					      ext_text(noted->message, strlen(noted->message)),
					      ext_text_or_none(noted->text))))
			Py_CLEAR(list);
	}
	return list;
}
