/* tsp.c - see tsp-priv.h. */
#include "view/tsp/call-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-join.h>
#include <string.h>

/* ---- state ---- */

/* Returns: (transfer full): a UUID that depends on @name only */
static char *make_uuid(const char *name)
{
	g_autofree char *hex = g_compute_checksum_for_string(G_CHECKSUM_SHA256, name, -1);

	return g_strdup_printf("%.8s-%.4s-8%.3s-a%.3s-%.12s", hex, hex + 8, hex + 12, hex + 15,
			       hex + 18);
}

LttTsp *ltt_tsp_new(const LttTrace *trace, const char *title)
{
	LttTsp *tsp = g_new0(LttTsp, 1);
	g_autoptr(GString) all = g_string_new(NULL);

	tsp->title = title;
	tsp->n_traces = ltt_trace_get_n_members(trace);
	tsp->uuids = g_new0(char *, tsp->n_traces + 1);
	tsp->is_open = g_new0(gboolean, tsp->n_traces);
	for (guint i = 0; i < tsp->n_traces; i++) {
		g_autofree char *name = g_strdup_printf(
			"%u %s", i, ltt_trace_get_path(ltt_trace_get_member(trace, i)));

		tsp->uuids[i] = make_uuid(name);
		tsp->is_open[i] = TRUE;
		g_string_append(all, tsp->uuids[i]);
	}
	tsp->uuid = make_uuid(all->str);
	tsp->name = g_strdup(title);
	tsp->has_experiment = TRUE;
	g_mutex_init(&tsp->lock);
	return tsp;
}

void ltt_tsp_free(LttTsp *tsp)
{
	if (tsp == NULL)
		return;
	g_mutex_clear(&tsp->lock);
	g_strfreev(tsp->uuids);
	g_free(tsp->is_open);
	g_free(tsp->uuid);
	g_free(tsp->name);
	g_free(tsp);
}

/* ---- routes ---- */

#define OUTPUTS "experiments/*/outputs/"

/* "*" is one part of a path: the first one is a UUID. Earlier routes win. */
static const struct {
	const char *method;
	const char *path;
	LttTspFunc answer;
} routes[] = {
	{"GET", "health", ltt_tsp_health},
	{"GET", "identifier", ltt_tsp_identifier},
	{"GET", "config/types", ltt_tsp_nothing},
	{"GET", "traces", ltt_tsp_list_traces},
	{"POST", "traces", ltt_tsp_open_trace},
	{"GET", "traces/*", ltt_tsp_get_trace},
	{"DELETE", "traces/*", ltt_tsp_close_trace},
	{"GET", "experiments", ltt_tsp_list_experiments},
	{"POST", "experiments", ltt_tsp_create_experiment},
	{"GET", "experiments/*", ltt_tsp_get_experiment},
	{"DELETE", "experiments/*", ltt_tsp_delete_experiment},
	{"GET", "experiments/*/outputs", ltt_tsp_list_outputs},
	{"GET", OUTPUTS "markerSets", ltt_tsp_marker_sets},
	{"POST", OUTPUTS "timeGraph/spans/tree", ltt_tsp_span_tree},
	{"POST", OUTPUTS "timeGraph/spans/states", ltt_tsp_span_states},
	{"POST", OUTPUTS "timeGraph/spans/arrows", ltt_tsp_span_arrows},
	{"POST", OUTPUTS "timeGraph/spans/tooltip", ltt_tsp_span_tooltip},
	{"POST", OUTPUTS "timeGraph/states/tree", ltt_tsp_thread_tree},
	{"POST", OUTPUTS "timeGraph/states/states", ltt_tsp_thread_states},
	{"POST", OUTPUTS "timeGraph/states/arrows", ltt_tsp_thread_arrows},
	{"POST", OUTPUTS "timeGraph/states/tooltip", ltt_tsp_thread_tooltip},
	{"POST", OUTPUTS "XY/counters/tree", ltt_tsp_counter_tree},
	{"POST", OUTPUTS "XY/counters/xy", ltt_tsp_counters},
	{"POST", OUTPUTS "XY/density/tree", ltt_tsp_density_tree},
	{"POST", OUTPUTS "XY/density/xy", ltt_tsp_density},
	{"POST", OUTPUTS "data/types/tree", ltt_tsp_type_tree},
	{"POST", OUTPUTS "table/events/columns", ltt_tsp_event_columns},
	{"POST", OUTPUTS "table/events/lines", ltt_tsp_event_lines},
	{"GET", OUTPUTS "spans/annotations", ltt_tsp_annotation_categories},
	{"POST", OUTPUTS "spans/annotations", ltt_tsp_annotations},
	{"GET", OUTPUTS "density/annotations", ltt_tsp_annotation_categories},
	{"POST", OUTPUTS "density/annotations", ltt_tsp_annotations},
	{"GET", OUTPUTS "states/annotations", ltt_tsp_annotation_categories},
	{"POST", OUTPUTS "states/annotations", ltt_tsp_annotations},
	{"GET", OUTPUTS "counters/annotations", ltt_tsp_annotation_categories},
	{"POST", OUTPUTS "counters/annotations", ltt_tsp_annotations},
	{"POST", OUTPUTS "states/style", ltt_tsp_styles},
	{"POST", OUTPUTS "counters/style", ltt_tsp_styles},
	{"POST", OUTPUTS "spans/style", ltt_tsp_styles},
	{"POST", OUTPUTS "density/style", ltt_tsp_styles},
	{"GET", OUTPUTS "*/configTypes", ltt_tsp_nothing},
};

/* Sets @uuid to the part at the first "*". */
static gboolean matches(const char *pattern, char *const *parts, const char **uuid)
{
	g_auto(GStrv) wanted = g_strsplit(pattern, "/", -1);
	guint i = 0;

	*uuid = NULL;
	for (; wanted[i] != NULL && parts[i] != NULL; i++) {
		if (!g_str_equal(wanted[i], "*")) {
			if (!g_str_equal(wanted[i], parts[i]))
				return FALSE;
		} else if (*uuid == NULL) {
			*uuid = parts[i];
		}
	}
	return wanted[i] == NULL && parts[i] == NULL;
}

/* Returns: whether a path of an experiment names the one that there is */
static gboolean has_experiment(const LttTspCall *call)
{
	gboolean is_there;

	g_mutex_lock(&call->tsp->lock);
	is_there = call->tsp->has_experiment && g_str_equal(call->uuid, call->tsp->uuid);
	g_mutex_unlock(&call->tsp->lock);
	return is_there;
}

static gboolean dispatch(LttTspCall *call, const LttTspRequest *request, char *const *parts,
			 GError **error)
{
	gboolean is_known = FALSE;

	for (guint i = 0; i < G_N_ELEMENTS(routes); i++) {
		if (!matches(routes[i].path, parts, &call->uuid))
			continue;
		is_known = TRUE;
		if (!g_str_equal(request->method, routes[i].method))
			continue;
		if (call->uuid != NULL && g_str_equal(parts[0], "experiments") &&
		    !has_experiment(call))
			return ltt_tsp_refuse(call, MHD_HTTP_NOT_FOUND, "no such experiment");
		return routes[i].answer(call, error);
	}
	return is_known ? ltt_tsp_refuse(call, MHD_HTTP_METHOD_NOT_ALLOWED,
					 "the method is not supported here")
			: ltt_tsp_refuse(call, MHD_HTTP_NOT_FOUND, "not found");
}

guint ltt_tsp_answer(const LttTspRequest *request, GString *answer)
{
	g_auto(GStrv) parts = g_strsplit(request->path, "/", 16);
	LttTspCall call = {
		.view = {.map = request->map,
			 .title = request->tsp->title,
			 .connection = request->connection,
			 .answer = answer},
		.tsp = request->tsp,
		.status = MHD_HTTP_OK,
	};
	g_autoptr(LttTspBody) body = NULL;
	g_autoptr(GError) error = NULL;

	body = ltt_tsp_body_new(request->body, request->body_length, &error);
	call.body = body;
	if (body != NULL && dispatch(&call, request, parts, &error))
		return call.status;
	if (g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		return 0;
	ltt_tsp_refuse(&call,
		       g_error_matches(error, LTT_ERROR, LTT_ERROR_INVALID)
			       ? MHD_HTTP_BAD_REQUEST
			       : MHD_HTTP_INTERNAL_SERVER_ERROR,
		       error->message);
	return call.status;
}
