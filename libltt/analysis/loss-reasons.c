/* loss-reasons.c - why events were lost, as the facility `losses` reports (doc/format.md, 11.7).
 *
 * All of its few events are in control/processes; a merged trace has several such files, with a
 * number after the name. Each event counts the losses since the one before, so their sum is right
 * for any part of a trace.
 */
#include "base/sum-priv.h"
#include "filter/select-priv.h"
#include "reader/cursor-priv.h"
#include "reader/live-priv.h"
#include "reader/trace-priv.h"

#include <eventdefs/losses.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-loss-reasons.h>

#include <string.h>

#define PROCESSES "control/processes"

/* The reason that counts events of the tracer. */
#define PROCESS_EVENT "process_event"

/* What is added up for one reason or one event type. */
typedef struct Sum {
	guint64 n_events;
	guint64 n_bytes;
} Sum;

typedef struct Losses {
	GHashTable *reasons; /* name -> Sum */
	GHashTable *types;
	LttOfflineReader *reader; /* losses */
	guint64 from_ns;
	guint64 span_ns;
	guint64 n_unfiled;
} Losses;

static void add(GHashTable *sums, const char *name, guint64 n_events, guint64 n_bytes)
{
	Sum *sum = g_hash_table_lookup(sums, name);

	if (sum == NULL) {
		sum = g_new0(Sum, 1);
		g_hash_table_insert(sums, g_strdup(name), sum);
	}
	ltt_sum_add(&sum->n_events, n_events);
	sum->n_bytes = MAX(sum->n_bytes, n_bytes);
}

/* ---- events ---- */

static void take(gpointer data, const LttEvent *event)
{
	Losses *losses = data;
	struct losses_lost lost;
	struct losses_too_large large;

	if (event->role != LTT_ROLE_TRACER || event->time_ns - losses->from_ns >= losses->span_ns)
		return;
	switch (ltt_offline_reader_find(losses->reader, event)) {
	case losses_lost_index:
		if (read_losses_lost(losses->reader, event, &lost, NULL))
			add(losses->reasons, lost.reason, lost.events, 0);
		break;
	case losses_too_large_index:
		if (read_losses_too_large(losses->reader, event, &large, NULL))
			add(losses->types, large.event, large.events, large.bytes);
		break;
	default:
		break;
	}
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

/* Returns: whether @select includes control/processes */
static gboolean read_events(Losses *losses, LttTrace *trace, const LttSelect *select)
{
	gboolean is_selected = FALSE;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);

		if (!g_str_has_prefix(ltt_tracefile_get_name(tracefile), PROCESSES) ||
		    (select != NULL && !ltt_select_wants_tracefile(select, tracefile)))
			continue;
		ltt_cursor_visit_readable(tracefile, take, losses);
		is_selected = TRUE;
	}
	return is_selected;
}

/* ---- the session state ---- */

static void add_unreported(const LttLiveLoss *loss, gpointer data)
{
	Losses *losses = data;

	add(loss->is_type ? losses->types : losses->reasons, loss->name, loss->n_events,
	    loss->n_bytes);
}

static void read_state(Losses *losses, const LttTrace *trace)
{
	g_autoptr(LttLive) live = NULL;

	/* An unreadable state is not a problem of the trace. */
	if (!ltt_live_open(ltt_trace_get_path(trace), &live, NULL) || live == NULL)
		return;
	ltt_live_each_unreported_loss(live, add_unreported, losses);
	losses->n_unfiled = ltt_live_count_unfiled_losses(live);
}

/* ---- the result ---- */

static gint compare_types(gconstpointer left, gconstpointer right)
{
	const LttLossType *a = left;
	const LttLossType *b = right;

	if (a->n_events != b->n_events)
		return a->n_events > b->n_events ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Returns: the LttLossType of each name in @sums, in the order of LttLossReasons */
static GArray *list_sums(GHashTable *sums)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(LttLossType));
	GHashTableIter iter;
	gpointer name;
	gpointer value;

	g_hash_table_iter_init(&iter, sums);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		const Sum *sum = value;
		const LttLossType type = {g_strdup(name), sum->n_events, sum->n_bytes};

		g_array_append_val(list, type);
	}
	g_array_sort(list, compare_types);
	return list;
}

static void list_reasons(const Losses *losses, LttLossReasons *out)
{
	g_autoptr(GArray) list = list_sums(losses->reasons);

	out->n_reasons = list->len;
	out->reasons = g_new(LttLossReason, list->len);
	for (guint i = 0; i < list->len; i++) {
		const LttLossType *sum = &g_array_index(list, LttLossType, i);

		out->reasons[i] = (LttLossReason){sum->name, sum->n_events};
	}
}

static void list_types(const Losses *losses, LttLossReasons *out)
{
	GArray *list = list_sums(losses->types);

	out->n_types = list->len;
	out->types = (LttLossType *)(gpointer)g_array_free(list, FALSE);
}

/* Events of the tracer are not events that the programs lost. */
static guint64 take_process_events(const Losses *losses)
{
	const Sum *sum = g_hash_table_lookup(losses->reasons, PROCESS_EVENT);
	const guint64 n_events = sum != NULL ? sum->n_events : 0;

	g_hash_table_remove(losses->reasons, PROCESS_EVENT);
	return n_events;
}

LttLossReasons *ltt_loss_reasons_new(LttTrace *trace, const LttSelect *select)
{
	LttLossReasons *out = g_new0(LttLossReasons, 1);
	guint64 from_ns = 0;
	guint64 to_ns = G_MAXUINT64;
	const gboolean has_window =
		select != NULL && ltt_select_get_window(select, &from_ns, &to_ns);
	Losses losses = {.from_ns = from_ns, .span_ns = to_ns > from_ns ? to_ns - from_ns : 0};

	losses.reasons = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, g_free);
	losses.types = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, g_free);
	losses.reader = ltt_offline_reader_new(&ltt_offline_losses);
	if (has_reasons(trace) && read_events(&losses, trace, select) && !has_window)
		read_state(&losses, trace);
	out->n_unfiled = losses.n_unfiled;
	out->n_process_events = take_process_events(&losses);
	list_reasons(&losses, out);
	list_types(&losses, out);
	g_hash_table_unref(losses.reasons);
	g_hash_table_unref(losses.types);
	ltt_offline_reader_free(losses.reader);
	return out;
}

void ltt_loss_reasons_free(LttLossReasons *reasons)
{
	if (reasons == NULL)
		return;
	for (guint i = 0; i < reasons->n_reasons; i++)
		g_free((char *)reasons->reasons[i].name);
	for (guint i = 0; i < reasons->n_types; i++)
		g_free((char *)reasons->types[i].name);
	g_free(reasons->reasons);
	g_free(reasons->types);
	g_free(reasons);
}
