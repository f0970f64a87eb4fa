/* state-tally.c - see state-tally-priv.h. */
#include "analysis/state-tally-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

struct LttTally {
	LttStateTally sums;
	GHashTable *waits; /* cause to LttStateWaitSum, whose cause is that of the table */
};

LttTally *ltt_tally_new(void)
{
	LttTally *tally = g_new0(LttTally, 1);

	tally->waits = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, g_free);
	return tally;
}

void ltt_tally_free(LttTally *tally)
{
	if (tally == NULL)
		return;
	g_hash_table_unref(tally->waits);
	g_free(tally);
}

static void add_wait(LttTally *tally, const LttStretch *stretch, guint64 length_ns)
{
	g_autofree char *cause = ltt_wait_to_text(&stretch->wait);
	LttStateWaitSum *wait = g_hash_table_lookup(tally->waits, cause);

	if (wait == NULL && g_hash_table_size(tally->waits) >= LTT_MAX_STATE_CAUSES) {
		g_free(cause);
		cause = g_strdup("others");
		wait = g_hash_table_lookup(tally->waits, cause);
	}
	if (wait == NULL) {
		wait = g_new0(LttStateWaitSum, 1);
		wait->cause = cause;
		g_hash_table_insert(tally->waits, g_steal_pointer(&cause), wait);
	}
	if (length_ns > wait->time.longest_ns)
		wait->waker = stretch->waker;
	ltt_state_time_add(&wait->time, length_ns);
}

void ltt_tally_add(LttTally *tally, const LttStretch *stretch, guint64 from_ns, guint64 to_ns)
{
	const guint64 begin_ns = MAX(stretch->begin_ns, from_ns);
	const guint64 end_ns = MIN(stretch->end_ns, to_ns);

	if (begin_ns >= end_ns)
		return;
	ltt_state_time_add(&tally->sums.states[stretch->state], end_ns - begin_ns);
	if (stretch->state == LTT_THREAD_WAITING)
		add_wait(tally, stretch, end_ns - begin_ns);
	tally->sums.n_syscalls += stretch->n_syscalls;
	tally->sums.n_faults += stretch->n_faults;
}

static gint compare_waits(gconstpointer left, gconstpointer right)
{
	const LttStateWaitSum *a = left;
	const LttStateWaitSum *b = right;

	if (a->time.total_ns != b->time.total_ns)
		return a->time.total_ns > b->time.total_ns ? -1 : 1;
	return strcmp(a->cause, b->cause);
}

void ltt_tally_finish(const LttTally *tally, LttStateTally *out)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(LttStateWaitSum));
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, tally->waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		LttStateWaitSum wait = *(const LttStateWaitSum *)data;

		wait.cause = g_strdup(wait.cause);
		g_array_append_val(waits, wait);
	}
	g_array_sort(waits, compare_waits);
	*out = tally->sums;
	out->n_waits = waits->len;
	out->waits = (LttStateWaitSum *)(gpointer)g_array_free(waits, FALSE);
}

void ltt_state_tally_clear(LttStateTally *tally)
{
	for (guint i = 0; i < tally->n_waits; i++)
		g_free(tally->waits[i].cause);
	g_free(tally->waits);
	*tally = (LttStateTally){.n_waits = 0};
}
