/* pairs.c - see ltt-pair.h.
 *
 *	merge ──► begin: push by key      open begins (open-priv.h)
 *	      └─► end:   pop by key  ──► pair
 */
#include "analysis/function-names-priv.h"
#include "analysis/open-priv.h"
#include "analysis/pair-types-priv.h"

#include "filter/select-priv.h"
#include "reader/block-priv.h"

#include <ltt/ltt-merge.h>

#include <string.h>

/* A begin without an end so far. */
typedef struct OpenBegin {
	LttEvent event;
	guint8 *payload; /* owned; NULL: not kept */
	LttKeyValue group;
	char *group_text; /* owned; NULL: the group is no string */
	gboolean passes;  /* it satisfies the filter */
} OpenBegin;

struct LttPairs {
	const LttTrace *trace;
	LttPairTypes types;
	gboolean keeps_begins;
	LttSelect *select; /* of the merge; NULL: all events */
	LttFilter *filter; /* NULL: none */
	LttMerge *merge;
	LttFunctionNames *names;
	LttOpenTable *open;
	LttPairCounts counts;
	LttPair pair;
	const OpenBegin *begin; /* of the pair; in the table */
};

static void clear_begin(gpointer data)
{
	OpenBegin *begin = data;

	g_clear_pointer(&begin->payload, g_free);
	g_clear_pointer(&begin->group_text, g_free);
}

/* The merge selects by time and CPU, and pair-types.c by name. */
static void set_select(LttPairs *pairs, const LttSelect *select)
{
	const LttFilter *filter = select != NULL ? ltt_select_get_filter(select) : NULL;

	pairs->filter = filter != NULL ? ltt_filter_dup(filter) : NULL;
	if (select == NULL)
		return;
	pairs->select = ltt_select_dup_without_names(select);
	ltt_select_set_filter(pairs->select, NULL);
}

LttPairs *ltt_pairs_new(const LttPairRequest *request, GError **error)
{
	LttPairs *pairs = g_new0(LttPairs, 1);

	if (!ltt_pair_types_init(&pairs->types, request, error)) {
		ltt_pairs_free(pairs);
		return NULL;
	}
	pairs->trace = request->trace;
	pairs->keeps_begins = request->keeps_begins;
	pairs->names = ltt_function_names_new(LTT_SYMBOL_PLACE);
	ltt_function_names_set_symbols(pairs->names, request->symbols);
	set_select(pairs, request->select);
	pairs->open = ltt_open_table_new(
		sizeof(OpenBegin), LTT_MAX_OPEN_PAIRS,
		request->keeps_begins || pairs->types.has_group ? clear_begin : NULL);
	pairs->merge = ltt_merge_new(request->trace, pairs->select);
	ltt_merge_read_ahead(pairs->merge);
	return pairs;
}

void ltt_pairs_free(LttPairs *pairs)
{
	if (pairs == NULL)
		return;
	ltt_merge_free(pairs->merge);
	ltt_open_table_free(pairs->open);
	ltt_filter_free(pairs->filter);
	ltt_select_free(pairs->select);
	ltt_pair_types_clear(&pairs->types);
	ltt_function_names_free(pairs->names);
	g_free(pairs);
}

void ltt_pairs_set_callbacks(LttPairs *pairs, const LttJobCallbacks *callbacks)
{
	ltt_merge_set_callbacks(pairs->merge, callbacks);
}

static gboolean passes(LttPairs *pairs, LttPairRole role, const LttEvent *event)
{
	return pairs->filter == NULL || !pairs->types.is_filtered[role] ||
	       ltt_filter_matches(pairs->filter, event);
}

/* ---- begins ---- */

/* Copies the payload with the readable bytes after it. */
static void keep_payload(OpenBegin *begin, const LttEvent *event)
{
	begin->payload = g_malloc0(event->payload_bytes + LTT_BLOCK_SLACK_BYTES);
	memcpy(begin->payload, event->payload, event->payload_bytes);
	begin->event.payload = begin->payload;
}

/* Gets the group of an event; an address in code becomes the name of its function. */
static gboolean get_group(LttPairs *pairs, const LttPairType *type, const LttEvent *event,
			  LttKeyValue *group)
{
	const char *name = NULL;

	if (!ltt_key_get(&type->group, event, group))
		return FALSE;
	if (type->group_is_code)
		name = ltt_function_names_find(pairs->names, event, group->number);
	if (name != NULL)
		*group =
			(LttKeyValue){.kind = LTT_KEY_STRING, .text = name, .length = strlen(name)};
	return TRUE;
}

static void keep_group(LttPairs *pairs, OpenBegin *begin, const LttPairType *type,
		       const LttEvent *event)
{
	if (!get_group(pairs, type, event, &begin->group))
		begin->group.kind = LTT_KEY_NONE;
	if (begin->group.kind != LTT_KEY_STRING)
		return;
	begin->group_text = g_memdup2(begin->group.text, begin->group.length + 1);
	begin->group.text = begin->group_text;
}

static void take_begin(LttPairs *pairs, const LttPairType *type, const LttEvent *event)
{
	const LttPairSide *side = &type->sides[LTT_PAIR_BEGIN];
	LttKeyValue key;
	OpenBegin *begin;

	if (!side->has_key || !ltt_key_get(&side->key, event, &key)) {
		pairs->counts.n_without_key++;
		return;
	}
	begin = ltt_open_table_push(pairs->open, 0, &key);
	if (begin == NULL) {
		pairs->counts.n_over_limit++;
		return;
	}
	/* Member by member: an initializer would clear all of it first. */
	begin->event = *event;
	begin->event.payload = NULL;
	begin->payload = NULL;
	begin->group.kind = LTT_KEY_NONE;
	begin->group_text = NULL;
	begin->passes = passes(pairs, LTT_PAIR_BEGIN, event);
	if (pairs->keeps_begins && event->payload_bytes > 0)
		keep_payload(begin, event);
	if (type->has_group && pairs->types.group_role == LTT_PAIR_BEGIN)
		keep_group(pairs, begin, type, event);
}

/* ---- ends ---- */

/* Sets the group of pairs->pair; the begin is pairs->begin. */
static void set_group(LttPairs *pairs, const LttPairType *type, const LttEvent *event)
{
	LttKeyValue *group = &pairs->pair.group;

	if (pairs->begin->group.kind != LTT_KEY_NONE)
		*group = pairs->begin->group;
	else if (!type->has_group || pairs->types.group_role != LTT_PAIR_END ||
		 !get_group(pairs, type, event, group))
		*group = (LttKeyValue){.kind = LTT_KEY_NONE};
}

/* Returns: whether pairs->pair is set */
static gboolean take_end(LttPairs *pairs, const LttPairType *type, const LttEvent *event)
{
	const LttPairSide *side = &type->sides[LTT_PAIR_END];
	LttPair *pair = &pairs->pair;

	if (!side->has_key || !ltt_key_get(&side->key, event, &pair->key)) {
		/* An event that is both a begin and an end is counted as a begin. */
		pairs->counts.n_without_key += !type->sides[LTT_PAIR_BEGIN].is_it;
		return FALSE;
	}
	pairs->begin = ltt_open_table_pop(pairs->open, 0, &pair->key);
	if (pairs->begin == NULL) {
		pairs->counts.n_lone_ends += !type->sides[LTT_PAIR_BEGIN].is_it;
		return FALSE;
	}
	if (!pairs->begin->passes || !passes(pairs, LTT_PAIR_END, event)) {
		pairs->counts.n_filtered++;
		return FALSE;
	}
	if (event->time_ns < pairs->begin->event.time_ns) {
		pairs->counts.n_early_ends++;
		return FALSE;
	}
	pair->begin_ns = pairs->begin->event.time_ns;
	pair->end_ns = event->time_ns;
	pair->begin = &pairs->begin->event;
	pair->end = event;
	set_group(pairs, type, event);
	pairs->counts.n_pairs++;
	return TRUE;
}

LttStep ltt_pairs_next(LttPairs *pairs, const LttPair **pair, GError **error)
{
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_merge_next(pairs->merge, &event, error)) == LTT_STEP_EVENT) {
		const LttPairType *type = ltt_pair_types_find(&pairs->types, event);
		gboolean is_pair;

		if (type == NULL)
			continue;
		is_pair = type->sides[LTT_PAIR_END].is_it && take_end(pairs, type, event);
		if (type->sides[LTT_PAIR_BEGIN].is_it)
			take_begin(pairs, type, event);
		if (!is_pair)
			continue;
		*pair = &pairs->pair;
		return LTT_STEP_EVENT;
	}
	return step;
}

void ltt_pairs_skip_block(LttPairs *pairs)
{
	ltt_merge_skip_block(pairs->merge);
}

void ltt_pairs_get_counts(const LttPairs *pairs, LttPairCounts *counts)
{
	*counts = pairs->counts;
	counts->n_open = ltt_open_table_get_n(pairs->open);
}

char *ltt_pairs_get_key_name(const LttPairs *pairs)
{
	const char *begin = pairs->types.keys[LTT_PAIR_BEGIN].text;
	const char *end = pairs->types.keys[LTT_PAIR_END].text;

	if (begin == NULL)
		return g_strdup(ltt_trace_has_threads(pairs->trace) ? "thread" : "tracefile");
	return g_str_equal(begin, end) ? g_strdup(begin) : g_strdup_printf("%s=%s", begin, end);
}
