/* stat-losses.c - why events were lost, as the facility `losses` tells (doc/format.md, 11.7).
 *
 * Its events are few, and all in control/processes: of a merged trace, in the files of that name
 * with a number behind. Each counts what is new since the one before, so their sum is right in any
 * part of a trace.
 */
#include "analysis/stat-priv.h"

#include "filter/select-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-value.h>

#define PROCESSES "control/processes"

/* What is added up for one reason or one event type. */
typedef struct Sum {
	guint64 n_events;
	guint64 n_bytes;
} Sum;

typedef struct Losses {
	GHashTable *reasons; /* name -> Sum */
	GHashTable *large_types;
	guint64 from_ns;
	guint64 span_ns;
} Losses;

static gboolean get_number(const LttValue *payload, const char *name, guint64 *number)
{
	LttValue value;

	if (!ltt_value_find(payload, name, &value) || value.layout->kind != LTT_UINT)
		return FALSE;
	*number = ltt_value_get_uint(&value);
	return TRUE;
}

/* Adds to the sum of what the field @field names. */
static void add(GHashTable *sums, const LttValue *payload, const char *field, guint64 n_bytes)
{
	LttValue name;
	guint64 n_events;
	Sum *sum;

	if (!ltt_value_find(payload, field, &name) || name.layout->kind != LTT_STRING ||
	    !get_number(payload, "events", &n_events))
		return;
	sum = g_hash_table_lookup(sums, ltt_value_get_string(&name, NULL));
	if (sum == NULL) {
		sum = g_new0(Sum, 1);
		g_hash_table_insert(sums, g_strdup(ltt_value_get_string(&name, NULL)), sum);
	}
	sum->n_events += n_events;
	sum->n_bytes = MAX(sum->n_bytes, n_bytes);
}

static void take(Losses *losses, const LttEvent *event)
{
	guint64 n_bytes;
	LttValue payload;

	if (event->role != LTT_ROLE_TRACER || event->time_ns - losses->from_ns >= losses->span_ns ||
	    !ltt_event_get_value(event, &payload))
		return;
	if (g_str_equal(event->type->full_name, "losses.lost"))
		add(losses->reasons, &payload, "reason", 0);
	else if (g_str_equal(event->type->full_name, "losses.too_large") &&
		 get_number(&payload, "bytes", &n_bytes))
		add(losses->large_types, &payload, "event", n_bytes);
}

static void read_tracefile(Losses *losses, LttTracefile *tracefile)
{
	g_autoptr(LttCursor) cursor = ltt_cursor_new(tracefile);
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_cursor_next(cursor, &event, NULL)) != LTT_STEP_END) {
		if (step == LTT_STEP_EVENT)
			take(losses, event);
		else
			ltt_cursor_skip_block(cursor); /* the counting pass reports it */
	}
}

/* ---- the result ---- */

static gint compare_losses(gconstpointer left, gconstpointer right)
{
	const LttStatLoss *a = left;
	const LttStatLoss *b = right;

	if (a->n_events != b->n_events)
		return a->n_events > b->n_events ? -1 : 1;
	return strcmp(a->reason, b->reason);
}

static gint compare_large_types(gconstpointer left, gconstpointer right)
{
	const LttStatLargeType *a = left;
	const LttStatLargeType *b = right;

	if (a->n_events != b->n_events)
		return a->n_events > b->n_events ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void give(const Losses *losses, LttStat *stat)
{
	GArray *reasons = g_array_new(FALSE, FALSE, sizeof(LttStatLoss));
	GArray *types = g_array_new(FALSE, FALSE, sizeof(LttStatLargeType));
	GHashTableIter iter;
	gpointer name;
	gpointer value;

	g_hash_table_iter_init(&iter, losses->reasons);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		const LttStatLoss loss = {g_strdup(name), ((Sum *)value)->n_events};

		g_array_append_val(reasons, loss);
	}
	g_hash_table_iter_init(&iter, losses->large_types);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		const Sum *sum = value;
		const LttStatLargeType type = {g_strdup(name), sum->n_events, sum->n_bytes};

		g_array_append_val(types, type);
	}
	g_array_sort(reasons, compare_losses);
	g_array_sort(types, compare_large_types);
	stat->n_losses = reasons->len;
	stat->losses = (LttStatLoss *)(gpointer)g_array_free(reasons, FALSE);
	stat->n_large_types = types->len;
	stat->large_types = (LttStatLargeType *)(gpointer)g_array_free(types, FALSE);
}

static gboolean has_reasons(const LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);

		if (g_str_equal(ltt_facility_get_name(load->facility), "losses"))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_wanted(const LttStatTask *task, const LttTracefile *tracefile)
{
	return g_str_has_prefix(ltt_tracefile_get_name(tracefile), PROCESSES) &&
	       (task->select == NULL || ltt_select_wants_tracefile(task->select, tracefile));
}

void ltt_stat_read_losses(const LttStatTask *task, LttStat *stat)
{
	Losses losses = {.from_ns = task->from_ns, .span_ns = task->span_ns};

	if (!has_reasons(task->trace))
		return;
	losses.reasons = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	losses.large_types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(task->trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(task->trace, i);

		if (is_wanted(task, tracefile))
			read_tracefile(&losses, tracefile);
	}
	give(&losses, stat);
	g_hash_table_unref(losses.reasons);
	g_hash_table_unref(losses.large_types);
}

void ltt_stat_free_losses(LttStat *stat)
{
	for (guint i = 0; i < stat->n_losses; i++)
		g_free((char *)stat->losses[i].reason);
	for (guint i = 0; i < stat->n_large_types; i++)
		g_free((char *)stat->large_types[i].name);
	g_free(stat->losses);
	g_free(stat->large_types);
}
