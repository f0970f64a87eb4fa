/* ends.c - see ends-priv.h. */
#include "sync/ends-priv.h"

#include "base/error-priv.h"
#include "base/job-priv.h"
#include "reader/trace-priv.h"
#include "sync/earlier-priv.h"
#include "sync/rule-priv.h"

#include <ltt/ltt-merge.h>
#include <ltt/ltt-nearest.h>
#include <ltt/ltt-time.h>

/* The ends that an event type is: several if several rules name it. */
typedef struct EndType {
	GArray *readers; /* of LttSyncReader */
	guint n_without; /* ends whose fields this version of the type does not have */
} EndType;

typedef struct Reading {
	const LttSyncRequest *request;
	GPtrArray *rules; /* of LttSyncRule */
	LttKeySort *sort;
	LttSyncCounts *counts;
	guint machine;       /* of the current trace */
	guint64 *errors_ns;  /* of its tracefiles, as ltt_sync_list_errors() */
	GHashTable *by_type; /* of the current trace: LttEventType to EndType */
} Reading;

/* ---- rules ---- */

static void free_rule(gpointer rule)
{
	ltt_sync_rule_free(rule);
}

/* Returns: (nullable) (element-type LttSyncRule) */
static GPtrArray *parse_rules(const LttSyncRequest *request, GError **error)
{
	GPtrArray *rules = g_ptr_array_new_with_free_func(free_rule);

	for (guint i = 0; request->rules[i] != NULL; i++) {
		LttSyncRule *rule = ltt_sync_rule_parse(request->rules[i], error);

		if (rule == NULL) {
			g_ptr_array_unref(rules);
			return NULL;
		}
		g_ptr_array_add(rules, rule);
	}
	return rules;
}

/* Returns: whether any trace describes the event type; adds the names of all to @names */
static gboolean is_known(const LttSyncRequest *request, const char *name, GPtrArray *names)
{
	gboolean found = FALSE;

	for (guint i = 0; i < request->n_traces; i++) {
		g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(request->traces[i]);

		for (guint j = 0; j < facilities->len; j++) {
			const LttFacility *facility = facilities->pdata[j];

			for (guint k = 0; k < ltt_facility_get_n_events(facility); k++) {
				const LttEventType *type = ltt_facility_get_event(facility, k);

				found = found || g_str_equal(type->full_name, name);
				g_ptr_array_add(names, type->full_name);
			}
		}
	}
	return found;
}

static gboolean check_name(const LttSyncRequest *request, const char *name, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *near;

	if (is_known(request, name, names))
		return TRUE;
	g_ptr_array_add(names, NULL);
	near = ltt_nearest(name, (const char *const *)names->pdata);
	return ltt_fail(error, LTT_ERROR_INVALID, "%s: no trace has such an event type%s%s%s", name,
			near != NULL ? "; did you mean " : "", near != NULL ? near : "",
			near != NULL ? "?" : "");
}

static gboolean check_names(const Reading *reading, GError **error)
{
	for (guint i = 0; i < reading->rules->len; i++) {
		const LttSyncRule *rule = reading->rules->pdata[i];

		for (guint end = 0; end < LTT_N_SYNC_ENDS; end++)
			if (!check_name(reading->request, rule->names[end], error))
				return FALSE;
	}
	return TRUE;
}

/* ---- events ---- */

static void free_type(gpointer data)
{
	EndType *type = data;

	for (guint i = 0; i < type->readers->len; i++)
		ltt_sync_reader_clear(&g_array_index(type->readers, LttSyncReader, i));
	g_array_unref(type->readers);
	g_free(type);
}

static EndType *new_type(const Reading *reading, const LttEvent *event)
{
	EndType *type = g_new0(EndType, 1);

	type->readers = g_array_new(FALSE, FALSE, sizeof(LttSyncReader));
	for (guint i = 0; i < reading->rules->len; i++) {
		const LttSyncRule *rule = reading->rules->pdata[i];

		for (guint end = 0; end < LTT_N_SYNC_ENDS; end++) {
			LttSyncReader reader;

			if (!g_str_equal(event->type->full_name, rule->names[end]))
				continue;
			if (ltt_sync_reader_init(&reader, rule, end, event->layout))
				g_array_append_val(type->readers, reader);
			else
				type->n_without++;
		}
	}
	return type;
}

static EndType *find_type(Reading *reading, const LttEvent *event)
{
	EndType *type = g_hash_table_lookup(reading->by_type, event->type);

	if (type == NULL) {
		type = new_type(reading, event);
		g_hash_table_insert(reading->by_type, (gpointer)event->type, type);
	}
	return type;
}

/* Returns: the earliest possible time of a send, or the latest possible time of a receive. So a message
 * limits the clocks correctly even if an earlier merge converted the time of the event. */
static guint64 get_time(const Reading *reading, const LttEvent *event, LttSyncEnd end)
{
	const guint64 error_ns =
		reading->errors_ns == NULL
			? 0
			: reading->errors_ns[ltt_tracefile_get_index(event->tracefile)];

	return end == LTT_SYNC_SEND
		       ? event->time_ns - MIN(event->time_ns, error_ns)
		       : event->time_ns + MIN(LTT_MAX_TIME_NS - event->time_ns, error_ns);
}

static gboolean take_event(Reading *reading, const LttEvent *event, GError **error)
{
	const EndType *type = find_type(reading, event);
	guint index;

	reading->counts->n_without_id += type->n_without;
	for (guint i = 0; i < type->readers->len; i++) {
		const LttSyncReader *reader = &g_array_index(type->readers, LttSyncReader, i);
		LttKey key = {
			.place = get_time(reading, event, reader->end),
			.size = LTT_SYNC_KEY_OF(reading->machine, reader->end),
		};

		if (!ltt_sync_reader_get(reader, event, &key.time)) {
			reading->counts->n_without_id++;
			continue;
		}
		g_ptr_array_find(reading->rules, reader->rule, &index);
		key.group = index;
		if (!ltt_key_sort_add(reading->sort, &key, error))
			return FALSE;
		if (reader->end == LTT_SYNC_SEND)
			reading->counts->n_sends++;
		else
			reading->counts->n_receives++;
	}
	return TRUE;
}

/* Returns: a selection of all events that are ends */
static LttSelect *select_ends(const Reading *reading)
{
	g_autoptr(GString) names = g_string_new(NULL);
	LttSelect *select = ltt_select_new();

	for (guint i = 0; i < reading->rules->len; i++) {
		const LttSyncRule *rule = reading->rules->pdata[i];

		for (guint end = 0; end < LTT_N_SYNC_ENDS; end++)
			g_string_append_printf(names, "%s%s", names->len > 0 ? "," : "",
					       rule->names[end]);
	}
	ltt_select_set_events(select, names->str, NULL); /* names of event types are not empty */
	return select;
}

static gboolean read_trace(Reading *reading, LttTrace *trace, GError **error)
{
	g_autoptr(LttSelect) select = select_ends(reading);
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, select);

	ltt_merge_set_callbacks(merge, &reading->request->callbacks);
	ltt_merge_read_ahead(merge);
	while (TRUE) {
		g_autoptr(GError) reason = NULL;
		const LttEvent *event;

		switch (ltt_merge_next(merge, &event, &reason)) {
		case LTT_STEP_END:
			return TRUE;
		case LTT_STEP_EVENT:
			if (!take_event(reading, event, error))
				return FALSE;
			break;
		default:
			if (!ltt_job_pass_damage(&reading->request->callbacks, reason, error))
				return FALSE;
			ltt_merge_skip_block(merge);
		}
	}
}

static gboolean read_traces(Reading *reading, const guint *machines, GError **error)
{
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < reading->request->n_traces; i++) {
		reading->machine = machines[i];
		reading->by_type = g_hash_table_new_full(NULL, NULL, NULL, free_type);
		reading->errors_ns = ltt_sync_list_errors(reading->request->traces[i]);
		ok = read_trace(reading, reading->request->traces[i], error);
		g_free(reading->errors_ns);
		g_hash_table_unref(reading->by_type);
	}
	return ok;
}

gboolean ltt_sync_add_ends(const LttSyncRequest *request, const guint *machines, LttKeySort *sort,
			   LttSyncCounts *counts, GError **error)
{
	Reading reading = {.request = request, .sort = sort, .counts = counts};
	gboolean ok;

	reading.rules = parse_rules(request, error);
	if (reading.rules == NULL)
		return FALSE;
	ok = check_names(&reading, error) && read_traces(&reading, machines, error);
	g_ptr_array_unref(reading.rules);
	return ok;
}
