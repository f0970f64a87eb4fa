/* latency-compare.c - what got slower from one trace to another (ltt-latency.h). */
#include <ltt/ltt-hash.h>
#include <ltt/ltt-latency.h>

#include <math.h>

/* @n_compared: the number of comparisons, by which p is corrected */
static void judge(LttLatencyChange *change, guint n_compared)
{
	change->verdict = LTT_LATENCY_TOO_FEW;
	if (change->before == NULL || change->after == NULL ||
	    !ltt_distribution_compare(change->before, change->after, &change->change))
		return;
	change->change.p = MIN(change->change.p * n_compared, 1);
	if (change->change.p >= LTT_LATENCY_SIGNIFICANCE)
		change->verdict = LTT_LATENCY_NOISE;
	else
		change->verdict = change->change.later_is_longer > 0.5 ? LTT_LATENCY_SLOWER
								       : LTT_LATENCY_FASTER;
}

static gint compare_changes(gconstpointer a, gconstpointer b)
{
	const LttLatencyChange *first = a;
	const LttLatencyChange *second = b;
	const double first_size = fabs(first->change.later_is_longer - 0.5);
	const double second_size = fabs(second->change.later_is_longer - 0.5);

	if (first->verdict != second->verdict)
		return first->verdict < second->verdict ? -1 : 1;
	if (first_size != second_size)
		return first_size > second_size ? -1 : 1;
	return g_strcmp0(first->name, second->name);
}

/* A NULL key cannot be hashed as a string. */
static const char *key_of(const LttLatencyGroup *group)
{
	static const char no_name[] = "";

	return group->name != NULL ? group->name : no_name;
}

static gboolean can_compare(const LttLatencyChange *change)
{
	return change->before != NULL && change->after != NULL &&
	       ltt_distribution_get_n(change->before) >= LTT_MIN_COMPARED &&
	       ltt_distribution_get_n(change->after) >= LTT_MIN_COMPARED;
}

/* Returns: the groups of both, without verdicts */
static GArray *match_groups(const LttLatencySummary *before, const LttLatencySummary *after)
{
	g_autoptr(GHashTable) places = g_hash_table_new(ltt_hash_text, g_str_equal);
	GArray *changes = g_array_new(FALSE, TRUE, sizeof(LttLatencyChange));

	for (guint i = 0; i < before->n_groups; i++) {
		const LttLatencyChange change = {.name = before->groups[i].name,
						 .before = before->groups[i].durations};

		g_array_append_val(changes, change);
		g_hash_table_insert(places, (gpointer)key_of(&before->groups[i]),
				    GUINT_TO_POINTER(changes->len));
	}
	for (guint i = 0; i < after->n_groups; i++) {
		const guint place =
			GPOINTER_TO_UINT(g_hash_table_lookup(places, key_of(&after->groups[i])));
		const LttLatencyChange change = {.name = after->groups[i].name,
						 .after = after->groups[i].durations};

		if (place > 0)
			g_array_index(changes, LttLatencyChange, place - 1).after = change.after;
		else
			g_array_append_val(changes, change);
	}
	return changes;
}

GArray *ltt_latency_compare(const LttLatencySummary *before, const LttLatencySummary *after,
			    LttLatencyChange *all)
{
	GArray *changes = match_groups(before, after);
	guint n_compared = 0;

	*all = (LttLatencyChange){.before = before->durations, .after = after->durations};
	judge(all, 1);
	for (guint i = 0; i < changes->len; i++)
		n_compared += can_compare(&g_array_index(changes, LttLatencyChange, i)) ? 1 : 0;
	for (guint i = 0; i < changes->len; i++)
		judge(&g_array_index(changes, LttLatencyChange, i), n_compared);
	g_array_sort(changes, compare_changes);
	return changes;
}
