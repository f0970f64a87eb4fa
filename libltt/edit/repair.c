/* repair.c - write a clean copy: a cut of everything that counts lost events.
 *
 * Losses are known only after reading a tracefile. So control/facilities, which may have to load
 * the tracer facility to record them, is written last.
 */
#include "edit/edit-priv.h"
#include "model/ondisk-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-repair.h>

static void free_loss(gpointer data)
{
	LttRepairLoss *loss = data;

	g_free(loss->tracefile);
	g_free(loss);
}

void ltt_repair_summary_clear(LttRepairSummary *summary)
{
	g_clear_pointer(&summary->losses, g_ptr_array_unref);
}

/* If the tracer facility is not loaded, gives it the last event ids, if they are unused. */
static void settle_tracer(LttEdit *edit)
{
	const LttSlots *slots = edit->trace->slots;
	const LttFacility *tracer = ltt_eventdefs_get_shipped("tracer");
	const guint32 base_code = LTT_N_IDS - ltt_facility_get_n_events(tracer);

	if (ltt_edit_find_id(slots, LTT_ROLE_EVENTS_LOST, NULL) >= 0 ||
	    slots->slots->len > base_code)
		return;
	edit->tracer = tracer;
	edit->tracer_base = base_code;
}

static guint64 sum_up(const GPtrArray *losses)
{
	guint64 n_gone = 0;

	for (guint i = 0; i < losses->len; i++)
		n_gone += ((const LttRepairLoss *)losses->pdata[i])->n_events;
	return n_gone;
}

gboolean ltt_repair(const LttRepairRequest *request, LttRepairSummary *summary, GError **error)
{
	const LttCutRequest all = {
		.trace = request->trace, .path = request->path, .callbacks = request->callbacks};
	LttEdit edit = {.trace = request->trace,
			.request = &all,
			.to_ns = G_MAXUINT64,
			.is_repair = TRUE,
			.losses = g_ptr_array_new_with_free_func(free_loss)};
	gboolean done;

	settle_tracer(&edit);
	done = ltt_edit_run(&edit, error) && ltt_edit_settle(&edit, error);
	if (done && summary != NULL)
		*summary = (LttRepairSummary){.n_events = edit.summary.n_events,
					      .n_gone = sum_up(edit.losses),
					      .is_counted = !edit.has_uncounted,
					      .losses = g_steal_pointer(&edit.losses)};
	ltt_edit_clear(&edit);
	return done;
}
