/* problems.c - the problems found while a trace is opened and read. */
#include "base/error-priv.h"
#include "reader/trace-priv.h"

void ltt_trace_add_problem(LttTrace *trace, const char *tracefile, gint64 block, gint64 byte,
			   const char *message)
{
	if (trace->joined != NULL)
		trace = trace->joined;
	g_mutex_lock(&trace->lock);
	g_ptr_array_add(trace->problems, ltt_problem_new(tracefile, block, byte, message));
	g_mutex_unlock(&trace->lock);
}

void ltt_trace_add_problem_printf(LttTrace *trace, const char *tracefile, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	ltt_trace_add_problem(trace, tracefile, LTT_NOWHERE, LTT_NOWHERE, message);
}

void ltt_tracefile_note_failure(LttTracefile *tracefile, const GError *error)
{
	LttProblem problem;

	if (error == NULL || g_error_matches(error, LTT_ERROR, LTT_ERROR_CORRUPT))
		return;
	ltt_problem_from_error(error, &problem);
	ltt_trace_add_problem(tracefile->trace, tracefile->name, problem.block, problem.byte,
			      problem.message);
}

guint ltt_trace_get_n_problems(LttTrace *trace)
{
	guint n_problems;

	g_mutex_lock(&trace->lock);
	n_problems = trace->problems->len;
	g_mutex_unlock(&trace->lock);
	return n_problems;
}

const LttProblem *ltt_trace_get_problem(LttTrace *trace, guint index)
{
	const LttProblem *problem;

	g_mutex_lock(&trace->lock);
	problem = trace->problems->pdata[index];
	g_mutex_unlock(&trace->lock);
	return problem;
}
