/* traces.c - traces and the experiment. Clients open only the traces of `ltt view`: a path that they
 * send is compared with those, and no file is read for it. */
#include "view/tsp/call-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-join.h>
#include <string.h>

/* ---- models ---- */

typedef struct Count {
	guint64 n;
	guint64 first_ns;
	guint64 last_ns;
} Count;

/* Counts the events of one trace. The lock of the map is held. */
static Count count_trace(const LttViewMap *map, guint trace)
{
	Count count = {.first_ns = G_MAXUINT64};
	guint next = 0;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(map->trace); i++) {
		const LttTracefile *tracefile = ltt_trace_get_tracefile(map->trace, i);
		const LttStatTracefile *stat;

		if (next == map->stat.n_tracefiles)
			break;
		stat = &map->stat.tracefiles[next];
		if (!g_str_equal(stat->label, ltt_tracefile_get_label(tracefile)))
			continue;
		next++;
		if (ltt_trace_find_member(map->trace, tracefile) != trace ||
		    stat->count.n_events == 0)
			continue;
		count.n += stat->count.n_events;
		count.first_ns = MIN(count.first_ns, stat->count.first_ns);
		count.last_ns = MAX(count.last_ns, stat->count.last_ns);
	}
	if (count.n == 0)
		count.first_ns = count.last_ns = map->axis.start_ns;
	return count;
}

static void append_times(GString *out, guint64 first_ns, guint64 last_ns, guint64 n,
			 gboolean is_complete)
{
	g_string_append_printf(out,
			       ",\"start\":%" G_GUINT64_FORMAT ",\"end\":%" G_GUINT64_FORMAT
			       ",\"nbEvents\":%" G_GUINT64_FORMAT ",\"indexingStatus\":\"%s\"",
			       first_ns, last_ns, n, is_complete ? "COMPLETED" : "RUNNING");
}

static void append_trace(LttTspCall *call, guint trace)
{
	LttViewMap *map = call->view.map;
	const LttTrace *member = ltt_trace_get_member(map->trace, trace);
	const char *host = ltt_system_get(ltt_trace_get_system(member), "node_name");
	GString *out = call->view.answer;
	g_autofree char *name = g_path_get_basename(ltt_trace_get_path(member));
	Count count;
	gboolean is_counted;
	gboolean is_complete;

	g_string_append_c(out, '{');
	ltt_tsp_append_text(out, "UUID", call->tsp->uuids[trace]);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "name", name);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "path", ltt_trace_get_path(member));
	ltt_view_map_lock(map);
	is_counted = map->stage > LTT_VIEW_COUNTING;
	is_complete = is_counted && !g_atomic_int_get(&map->is_running);
	count = count_trace(map, trace);
	if (!is_counted)
		count = (Count){.first_ns = map->axis.start_ns, .last_ns = map->axis.end_ns - 1};
	ltt_view_map_unlock(map);
	append_times(out, count.first_ns, count.last_ns, count.n, is_complete);
	g_string_append(out, ",\"properties\":{");
	ltt_tsp_append_text(out, "host", host != NULL ? host : "");
	g_string_append(out, "}}");
}

static void append_experiment(LttTspCall *call, const char *name)
{
	LttViewMap *map = call->view.map;
	GString *out = call->view.answer;

	g_string_append_c(out, '{');
	ltt_tsp_append_text(out, "UUID", call->tsp->uuid);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "name", name);
	ltt_view_map_lock(map);
	append_times(out, map->axis.start_ns, map->axis.end_ns - 1, map->stat.total.n_events,
		     map->stage > LTT_VIEW_COUNTING && !g_atomic_int_get(&map->is_running));
	ltt_view_map_unlock(map);
	g_string_append(out, ",\"traces\":[");
	for (guint i = 0; i < call->tsp->n_traces; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		append_trace(call, i);
	}
	g_string_append(out, "]}");
}

/* ---- traces ---- */

/* Returns: the number of the trace of the path; n_traces: there is none */
static guint find_trace(const LttTspCall *call)
{
	guint i = 0;

	while (i < call->tsp->n_traces && !g_str_equal(call->tsp->uuids[i], call->uuid))
		i++;
	return i;
}

static gboolean is_open(LttTsp *tsp, guint trace)
{
	gboolean is_it;

	g_mutex_lock(&tsp->lock);
	is_it = trace < tsp->n_traces && tsp->is_open[trace];
	g_mutex_unlock(&tsp->lock);
	return is_it;
}

gboolean ltt_tsp_list_traces(LttTspCall *call, GError **error)
{
	const char *separator = "";

	(void)error;
	g_string_append_c(call->view.answer, '[');
	for (guint i = 0; i < call->tsp->n_traces; i++) {
		if (!is_open(call->tsp, i))
			continue;
		g_string_append(call->view.answer, separator);
		append_trace(call, i);
		separator = ",";
	}
	g_string_append_c(call->view.answer, ']');
	return TRUE;
}

gboolean ltt_tsp_open_trace(LttTspCall *call, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

	if (!ltt_tsp_body_get_texts(call->body, "uri", paths, error))
		return FALSE;
	if (paths->len != 1) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "uri: expected the path of a trace");
		return FALSE;
	}
	for (guint i = 0; i < call->tsp->n_traces; i++) {
		const char *path =
			ltt_trace_get_path(ltt_trace_get_member(call->view.map->trace, i));
		g_autofree char *own = g_canonicalize_filename(path, NULL);
		g_autofree char *asked = g_canonicalize_filename(paths->pdata[0], NULL);

		if (!g_str_equal(own, asked))
			continue;
		g_mutex_lock(&call->tsp->lock);
		call->tsp->is_open[i] = TRUE;
		g_mutex_unlock(&call->tsp->lock);
		append_trace(call, i);
		return TRUE;
	}
	return ltt_tsp_refuse(call, MHD_HTTP_NOT_FOUND,
			      "not a trace of this server: give it to `ltt view`");
}

gboolean ltt_tsp_get_trace(LttTspCall *call, GError **error)
{
	const guint trace = find_trace(call);

	(void)error;
	if (!is_open(call->tsp, trace))
		return ltt_tsp_refuse(call, MHD_HTTP_NOT_FOUND, "no such trace");
	append_trace(call, trace);
	return TRUE;
}

gboolean ltt_tsp_close_trace(LttTspCall *call, GError **error)
{
	const guint trace = find_trace(call);
	gboolean is_used;

	(void)error;
	if (!is_open(call->tsp, trace))
		return ltt_tsp_refuse(call, MHD_HTTP_NOT_FOUND, "no such trace");
	g_mutex_lock(&call->tsp->lock);
	is_used = call->tsp->has_experiment;
	if (!is_used)
		call->tsp->is_open[trace] = FALSE;
	g_mutex_unlock(&call->tsp->lock);
	if (is_used)
		return ltt_tsp_refuse(call, MHD_HTTP_CONFLICT, "the experiment uses the trace");
	append_trace(call, trace);
	return TRUE;
}

/* ---- the experiment ---- */

/* Returns: (transfer full) (nullable): its name; NULL: there is none */
static char *copy_name(LttTsp *tsp)
{
	char *name;

	g_mutex_lock(&tsp->lock);
	name = tsp->has_experiment ? g_strdup(tsp->name) : NULL;
	g_mutex_unlock(&tsp->lock);
	return name;
}

gboolean ltt_tsp_list_experiments(LttTspCall *call, GError **error)
{
	g_autofree char *name = copy_name(call->tsp);

	(void)error;
	g_string_append_c(call->view.answer, '[');
	if (name != NULL)
		append_experiment(call, name);
	g_string_append_c(call->view.answer, ']');
	return TRUE;
}

/* Returns: whether @uuids are those of all traces, which are open */
static gboolean are_all(LttTsp *tsp, const GPtrArray *uuids)
{
	guint n = 0;

	for (guint i = 0; i < tsp->n_traces; i++) {
		for (guint j = 0; j < uuids->len; j++) {
			if (g_str_equal(tsp->uuids[i], uuids->pdata[j]) && is_open(tsp, i)) {
				n++;
				break;
			}
		}
	}
	return n == tsp->n_traces && uuids->len == n;
}

gboolean ltt_tsp_create_experiment(LttTspCall *call, GError **error)
{
	g_autoptr(GPtrArray) uuids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *name = NULL;

	if (!ltt_tsp_body_get_texts(call->body, "traces", uuids, error) ||
	    !ltt_tsp_body_get_texts(call->body, "name", names, error))
		return FALSE;
	if (!are_all(call->tsp, uuids)) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "traces: expected the UUIDs of all traces of this server");
		return FALSE;
	}
	g_mutex_lock(&call->tsp->lock);
	call->tsp->has_experiment = TRUE;
	if (names->len == 1) {
		g_free(call->tsp->name);
		call->tsp->name = g_strdup(names->pdata[0]);
	}
	g_mutex_unlock(&call->tsp->lock);
	name = copy_name(call->tsp);
	append_experiment(call, name != NULL ? name : call->tsp->title);
	return TRUE;
}

gboolean ltt_tsp_get_experiment(LttTspCall *call, GError **error)
{
	g_autofree char *name = copy_name(call->tsp);

	(void)error;
	append_experiment(call, name != NULL ? name : call->tsp->title);
	return TRUE;
}

gboolean ltt_tsp_delete_experiment(LttTspCall *call, GError **error)
{
	if (!ltt_tsp_get_experiment(call, error))
		return FALSE;
	g_mutex_lock(&call->tsp->lock);
	call->tsp->has_experiment = FALSE;
	g_mutex_unlock(&call->tsp->lock);
	return TRUE;
}
