/* latency.c - see ltt-latency.h. */
#include "analysis/key-priv.h"
#include "base/error-priv.h"
#include "base/heap-priv.h"
#include "base/job-priv.h"

#include <ltt/ltt-latency.h>

#include <string.h>

/* A group under construction, also the key of the table of groups. */
typedef struct Group {
	LttKeyValue value; /* its text is owned */
	LttDistribution *durations;
} Group;

typedef struct Latency {
	const LttLatencyRequest *request;
	LttPairs *pairs;
	LttDistribution *all;
	GHashTable *groups; /* Group to itself */
	GPtrArray *listed;  /* the same in the order of their first pairs; borrowed */
	Group *rest;        /* pairs without a group, or above the limit of groups; NULL: none */
	Group *last;        /* of the last pair; NULL: none */
	guint64 n_kept;     /* durations in all groups */
	gboolean is_reduced;
	LttHeap longest; /* of LttLatencyPair, the shortest first */
} Latency;

/* ---- groups ---- */

static guint hash_group(gconstpointer data)
{
	return (guint)ltt_key_hash(&((const Group *)data)->value);
}

static gboolean equal_groups(gconstpointer a, gconstpointer b)
{
	return ltt_key_equal(&((const Group *)a)->value, &((const Group *)b)->value);
}

static void free_group(gpointer data)
{
	Group *group = data;

	if (group == NULL)
		return;
	g_free((char *)group->value.text);
	ltt_distribution_free(group->durations);
	g_free(group);
}

static Group *new_group(const Latency *latency, const LttKeyValue *value)
{
	Group *group = g_new(Group, 1);

	*group = (Group){.value = *value, .durations = ltt_distribution_new()};
	if (value->text != NULL)
		group->value.text = g_strndup(value->text, value->length);
	if (latency->is_reduced)
		ltt_distribution_reduce(group->durations);
	return group;
}

static Group *find_rest(Latency *latency)
{
	const LttKeyValue none = {.kind = LTT_KEY_NONE};

	if (latency->rest == NULL)
		latency->rest = new_group(latency, &none);
	return latency->rest;
}

static Group *find_group(Latency *latency, const LttKeyValue *value)
{
	const Group asked = {.value = *value};
	Group *group = latency->last;

	if (value->kind == LTT_KEY_NONE)
		return find_rest(latency);
	if (group != NULL && equal_groups(group, &asked))
		return group;
	group = g_hash_table_lookup(latency->groups, &asked);
	if (group == NULL && g_hash_table_size(latency->groups) >= LTT_MAX_LATENCY_GROUPS)
		return find_rest(latency);
	if (group == NULL) {
		group = new_group(latency, value);
		g_hash_table_add(latency->groups, group);
		g_ptr_array_add(latency->listed, group);
	}
	latency->last = group;
	return group;
}

/* All groups share one limit of exact durations. */
static void reduce_groups(Latency *latency)
{
	latency->is_reduced = TRUE;
	if (latency->rest != NULL)
		ltt_distribution_reduce(latency->rest->durations);
	for (guint i = 0; i < latency->listed->len; i++)
		ltt_distribution_reduce(((Group *)latency->listed->pdata[i])->durations);
}

static void add_to_group(Latency *latency, const LttPair *pair)
{
	Group *group = find_group(latency, &pair->group);

	if (!latency->is_reduced && latency->n_kept++ >= LTT_MAX_EXACT_DURATIONS)
		reduce_groups(latency);
	ltt_distribution_add(group->durations, pair->end_ns - pair->begin_ns);
}

/* ---- the longest ---- */

/* The shorter comes first, then the later. */
static gboolean is_shorter(gconstpointer a, gconstpointer b)
{
	const LttLatencyPair *first = a;
	const LttLatencyPair *second = b;
	const guint64 first_ns = first->end_ns - first->begin_ns;
	const guint64 second_ns = second->end_ns - second->begin_ns;

	return first_ns != second_ns ? first_ns < second_ns : first->begin_ns > second->begin_ns;
}

static void clear_pair(LttLatencyPair *pair)
{
	g_free(pair->key);
	g_free(pair->group);
}

static void note_longest(Latency *latency, const LttPair *pair)
{
	const LttTrace *trace = latency->request->pairs.trace;
	LttLatencyPair *shortest = ltt_heap_peek(&latency->longest);
	const gboolean is_full = latency->longest.items->len >= latency->request->n_longest;
	LttLatencyPair added = {
		.begin_ns = pair->begin_ns,
		.end_ns = pair->end_ns,
		.begin_tracefile = (LttTracefile *)pair->begin->tracefile,
		.end_tracefile = (LttTracefile *)pair->end->tracefile,
		.has_thread = pair->begin->has_thread,
		.pid = pair->begin->pid,
		.tid = pair->begin->tid,
	};

	if (is_full && !is_shorter(shortest, &added))
		return;
	added.key = ltt_key_value_to_text(&pair->key, trace);
	if (pair->group.kind != LTT_KEY_NONE)
		added.group = ltt_key_value_to_text(&pair->group, trace);
	if (is_full) {
		clear_pair(shortest);
		ltt_heap_replace(&latency->longest, &added);
	} else {
		ltt_heap_push(&latency->longest, &added);
	}
}

/* ---- the trace ---- */

static gboolean read_pairs(Latency *latency, GError **error)
{
	const LttJobCallbacks *callbacks = &latency->request->callbacks;
	const LttPair *pair;
	LttStep step;

	ltt_pairs_set_callbacks(latency->pairs, callbacks);
	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_pairs_next(latency->pairs, &pair, &damage)) == LTT_STEP_EVENT) {
			ltt_distribution_add(latency->all, pair->end_ns - pair->begin_ns);
			if (latency->groups != NULL)
				add_to_group(latency, pair);
			if (latency->request->n_longest > 0)
				note_longest(latency, pair);
		}
		if (step == LTT_STEP_ERROR && !ltt_job_pass_damage(callbacks, damage, error))
			return FALSE;
		ltt_pairs_skip_block(latency->pairs);
	} while (step != LTT_STEP_END);
	return TRUE;
}

/* ---- the summary ---- */

/* Of groups with equal names, such as those of two machines, the first one comes first. */
static gint compare_groups(gconstpointer a, gconstpointer b)
{
	const LttLatencyGroup *first = a;
	const LttLatencyGroup *second = b;
	const guint64 first_n = ltt_distribution_get_n(first->durations);
	const guint64 second_n = ltt_distribution_get_n(second->durations);

	if (first_n != second_n)
		return first_n > second_n ? -1 : 1;
	return g_strcmp0(first->name, second->name);
}

static LttLatencyGroup finish_group(const Latency *latency, Group *group)
{
	return (LttLatencyGroup){
		.name = group->value.kind != LTT_KEY_NONE
				? ltt_key_value_to_text(&group->value,
							latency->request->pairs.trace)
				: NULL,
		.durations = g_steal_pointer(&group->durations),
	};
}

static void finish_groups(Latency *latency, LttLatencySummary *summary)
{
	GArray *groups = g_array_new(FALSE, FALSE, sizeof(LttLatencyGroup));

	for (guint i = 0; i < latency->listed->len; i++) {
		const LttLatencyGroup finished = finish_group(latency, latency->listed->pdata[i]);

		g_array_append_val(groups, finished);
	}
	if (latency->rest != NULL) {
		const LttLatencyGroup finished = finish_group(latency, latency->rest);

		g_array_append_val(groups, finished);
	}
	g_array_sort(groups, compare_groups);
	summary->n_groups = groups->len;
	summary->groups = (LttLatencyGroup *)(gpointer)g_array_free(groups, FALSE);
}

static void finish_longest(Latency *latency, LttLatencySummary *summary)
{
	summary->n_longest = latency->longest.items->len;
	summary->longest = g_new(LttLatencyPair, summary->n_longest);
	for (guint i = summary->n_longest; i > 0; i--)
		ltt_heap_pop(&latency->longest, &summary->longest[i - 1]);
}

static void finish(Latency *latency, LttLatencySummary *summary)
{
	*summary = (LttLatencySummary){
		.durations = g_steal_pointer(&latency->all),
		.key_name = ltt_pairs_get_key_name(latency->pairs),
	};
	ltt_pairs_get_counts(latency->pairs, &summary->counts);
	if (latency->groups != NULL)
		finish_groups(latency, summary);
	finish_longest(latency, summary);
}

static void clear(Latency *latency)
{
	LttLatencyPair pair;

	while (ltt_heap_peek(&latency->longest) != NULL) {
		ltt_heap_pop(&latency->longest, &pair);
		clear_pair(&pair);
	}
	ltt_heap_clear(&latency->longest);
	g_clear_pointer(&latency->groups, g_hash_table_unref);
	g_clear_pointer(&latency->listed, g_ptr_array_unref);
	free_group(latency->rest);
	ltt_distribution_free(latency->all);
	ltt_pairs_free(latency->pairs);
}

gboolean ltt_latency(const LttLatencyRequest *request, LttLatencySummary *summary, GError **error)
{
	LttPairRequest asked = request->pairs;
	Latency latency = {.request = request};
	gboolean ok;

	asked.keeps_begins = FALSE;
	latency.pairs = ltt_pairs_new(&asked, error);
	if (latency.pairs == NULL)
		return FALSE;
	latency.all = ltt_distribution_new();
	if (request->pairs.group != NULL) {
		latency.groups = g_hash_table_new_full(hash_group, equal_groups, free_group, NULL);
		latency.listed = g_ptr_array_new();
	}
	ltt_heap_init(&latency.longest, sizeof(LttLatencyPair), is_shorter);
	ok = read_pairs(&latency, error);
	if (ok)
		finish(&latency, summary);
	clear(&latency);
	return ok;
}

void ltt_latency_summary_clear(LttLatencySummary *summary)
{
	ltt_distribution_free(summary->durations);
	g_free(summary->key_name);
	for (guint i = 0; i < summary->n_groups; i++) {
		g_free(summary->groups[i].name);
		ltt_distribution_free(summary->groups[i].durations);
	}
	g_free(summary->groups);
	for (guint i = 0; i < summary->n_longest; i++)
		clear_pair(&summary->longest[i]);
	g_free(summary->longest);
	*summary = (LttLatencySummary){0};
}
