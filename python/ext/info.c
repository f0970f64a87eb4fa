/* info.c - see info.h. The keys are those of `ltt info --json`; times are integers of nanoseconds. */
#include "info.h"

#include "conversions.h"
#include "trace.h"

#include <string.h>

gboolean info_set_time(PyObject *dict, const char *key, gboolean is_known, guint64 time_ns)
{
	return ext_set(dict, key,
		       is_known ? PyLong_FromUnsignedLongLong(time_ns) : Py_NewRef(Py_None));
}

/* The attribute cpu counts cpu files, lanes included; a user expects the CPUs of the machine. */
static PyObject *get_system(const LttSystem *system)
{
	const guint n_lanes = ltt_system_get_n_lanes(system);
	PyObject *dict = PyDict_New();

	for (guint i = 0; dict != NULL && i < ltt_system_get_n_attributes(system); i++) {
		const char *name;
		const char *value;
		PyObject *text;

		ltt_system_get_attribute(system, i, &name, &value);
		text = g_str_equal(name, "cpu") && n_lanes > 0
			       ? PyUnicode_FromFormat("%u", ltt_system_get_n_cpus(system) - n_lanes)
			       : ext_text_or_none(value);
		if (!ext_set(dict, name, text))
			Py_CLEAR(dict);
	}
	return dict;
}

static PyObject *list_facilities(const LttTrace *trace)
{
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);
		const char *name = ltt_facility_get_name(load->facility);

		if (!g_str_equal(name, "builtin") &&
		    !ext_append(list,
				Py_BuildValue("{s:s,s:I,s:I,s:I}", "name", name, "checksum",
					      load->checksum, "base_code", load->base_code,
					      "events", ltt_facility_get_n_events(load->facility))))
			Py_CLEAR(list);
	}
	return list;
}

gboolean info_set_host(PyObject *dict, const LttTrace *trace, guint host)
{
	const char *name = ltt_trace_get_host(trace, host);

	return !ltt_trace_has_hosts(trace) || ext_set(dict, "host", ext_text(name, strlen(name)));
}

static PyObject *get_tracefile(const LttTrace *trace, LttTracefile *tracefile)
{
	const LttTracefileSummary *summary = ltt_tracefile_get_summary(tracefile);
	PyObject *dict = Py_BuildValue("{s:N,s:K,s:K}", "name",
				       ext_text_or_none(ltt_tracefile_get_name(tracefile)),
				       "blocks", ltt_tracefile_get_n_blocks(tracefile),
				       "open_blocks", summary->n_open_blocks);

	if (dict != NULL &&
	    !(info_set_host(dict, trace, ltt_tracefile_get_host(tracefile)) &&
	      info_set_time(dict, "first", summary->has_events, summary->first_ns) &&
	      info_set_time(dict, "last", summary->has_events, summary->last_ns)))
		Py_CLEAR(dict);
	return dict;
}

static PyObject *list_tracefiles(LttTrace *trace)
{
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < ltt_trace_get_n_tracefiles(trace); i++) {
		if (!ext_append(list, get_tracefile(trace, ltt_trace_get_tracefile(trace, i))))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *get_bookmark(const LttBookmark *bookmark)
{
	const gboolean is_time = bookmark->unit == LTT_BOOKMARK_TIME;
	PyObject *dict = Py_BuildValue("{s:N,s:N}", "name", ext_text_or_none(bookmark->name),
				       "text", ext_text_or_none(bookmark->text));

	if (dict != NULL &&
	    !(ext_set(dict, "cpu",
		      bookmark->cpu >= 0 ? PyLong_FromLong(bookmark->cpu) : Py_NewRef(Py_None)) &&
	      info_set_time(dict, "start_time", is_time, bookmark->start) &&
	      info_set_time(dict, "end_time", is_time, bookmark->end) &&
	      info_set_time(dict, "start_cycle", !is_time, bookmark->start) &&
	      info_set_time(dict, "end_cycle", !is_time, bookmark->end)))
		Py_CLEAR(dict);
	return dict;
}

static PyObject *list_bookmarks(LttTrace *trace)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);
	PyObject *list = PyList_New(0);

	for (guint i = 0; list != NULL && i < bookmarks->len; i++) {
		if (!ext_append(list, get_bookmark(bookmarks->pdata[i])))
			Py_CLEAR(list);
	}
	return list;
}

PyObject *info_get_losses(const LttLossReasons *losses)
{
	PyObject *reasons = PyDict_New();
	PyObject *types = PyList_New(0);

	for (guint i = 0; reasons != NULL && i < losses->n_reasons; i++) {
		if (!ext_set(reasons, losses->reasons[i].name,
			     PyLong_FromUnsignedLongLong(losses->reasons[i].n_events)))
			Py_CLEAR(reasons);
	}
	for (guint i = 0; types != NULL && i < losses->n_types; i++) {
		const LttLossType *type = &losses->types[i];

		if (!ext_append(types,
				Py_BuildValue("{s:N,s:K,s:K}", "name", ext_text_or_none(type->name),
					      "events", type->n_events, "largest", type->n_bytes)))
			Py_CLEAR(types);
	}
	if (reasons != NULL && types != NULL)
		return Py_BuildValue("{s:N,s:K,s:N}", "lost_by_reason", reasons,
				     "lost_process_events", losses->n_process_events, "too_large",
				     types);
	Py_XDECREF(reasons);
	Py_XDECREF(types);
	return NULL;
}

PyObject *info_get(PyObject *object, PyObject *unused)
{
	Core *core = trace_get_core((Trace *)object);
	g_autoptr(LttLossReasons) losses = NULL;
	guint64 start_ns = 0;
	guint64 end_ns = 0;
	gboolean has_span;
	LttTrace *trace;
	PyObject *dict;
	PyObject *lost;

	(void)unused;
	if (core == NULL)
		return NULL;
	trace = core_get_trace(core);
	losses = ltt_loss_reasons_new(trace, NULL);
	has_span = ltt_trace_get_span(trace, &start_ns, &end_ns);
	dict = PyDict_New();
	lost = info_get_losses(losses);
	if (dict != NULL &&
	    !(ext_set(dict, "system", get_system(ltt_trace_get_system(trace))) &&
	      ext_set(dict, "facilities", list_facilities(trace)) &&
	      ext_set(dict, "tracefiles", list_tracefiles(trace)) &&
	      info_set_time(dict, "start", has_span, start_ns) &&
	      info_set_time(dict, "end", has_span, end_ns) &&
	      ext_set(dict, "bookmarks", list_bookmarks(trace)) && lost != NULL &&
	      PyDict_Update(dict, lost) == 0 &&
	      ext_set(dict, "conversions", conversions_list(trace)) && core_warn(core)))
		Py_CLEAR(dict);
	Py_XDECREF(lost);
	return dict;
}
