/* slices.c - find pairs of event types and keep the open slices of each thread (slices-priv.h). */
#include "formats/chrome/slices-priv.h"

#define MAX_DEPTH 1000

static const struct {
	const char *begin;
	const char *end;
} pairs[] = {
	{"entry", "exit"}, {"enter", "exit"}, {"begin", "end"}, {"start", "end"}, {"start", "stop"},
};

/* Returns: (nullable): the event type of the same facility whose name has @other in place of word
 * @at */
static const LttEventType *find_other(const LttEventType *type, char **words, guint at,
				      const char *other)
{
	char *own = words[at];
	g_autofree char *name = NULL;

	words[at] = (char *)other;
	name = g_strjoinv("_", words);
	words[at] = own;
	return ltt_facility_find_event(type->facility, name);
}

static char *join_others(char **words, guint left_out)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; words[i] != NULL; i++) {
		if (i != left_out)
			g_string_append_printf(name, "%s%s", name->len > 0 ? "_" : "", words[i]);
	}
	return g_string_free(name, FALSE);
}

LttSliceRole ltt_slice_find(const LttEventType *type, const LttEventType **begin, char **name)
{
	g_auto(GStrv) words = g_strsplit(type->name, "_", 0);
	LttSliceRole role = LTT_SLICE_NONE;

	*begin = NULL;
	*name = NULL;
	for (guint i = 0; role == LTT_SLICE_NONE && words[i] != NULL; i++) {
		for (guint j = 0; role == LTT_SLICE_NONE && j < G_N_ELEMENTS(pairs); j++) {
			if (g_str_equal(words[i], pairs[j].begin) &&
			    find_other(type, words, i, pairs[j].end) != NULL) {
				role = LTT_SLICE_BEGIN;
				*begin = type;
			} else if (g_str_equal(words[i], pairs[j].end)) {
				*begin = find_other(type, words, i, pairs[j].begin);
				role = *begin != NULL ? LTT_SLICE_END : LTT_SLICE_NONE;
			}
		}
		if (role != LTT_SLICE_NONE)
			*name = join_others(words, i);
	}
	return role;
}

/* ---- open slices ---- */

struct LttSlices {
	GHashTable *threads; /* thread -> GPtrArray of LttEventType, the latest last */
};

static void free_stack(gpointer stack)
{
	g_ptr_array_unref(stack);
}

LttSlices *ltt_slices_new(void)
{
	LttSlices *slices = g_new(LttSlices, 1);

	slices->threads = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_stack);
	return slices;
}

void ltt_slices_free(LttSlices *slices)
{
	if (slices == NULL)
		return;
	g_hash_table_unref(slices->threads);
	g_free(slices);
}

gboolean ltt_slices_begin(LttSlices *slices, guint64 thread, const LttEventType *begin)
{
	GPtrArray *stack = g_hash_table_lookup(slices->threads, &thread);

	if (stack == NULL) {
		stack = g_ptr_array_new();
		g_hash_table_insert(slices->threads, g_memdup2(&thread, sizeof(thread)), stack);
	}
	if (stack->len >= MAX_DEPTH)
		return FALSE;
	g_ptr_array_add(stack, (gpointer)begin);
	return TRUE;
}

guint ltt_slices_end(LttSlices *slices, guint64 thread, const LttEventType *begin)
{
	GPtrArray *stack = g_hash_table_lookup(slices->threads, &thread);

	for (guint i = stack != NULL ? stack->len : 0; i > 0; i--) {
		if (stack->pdata[i - 1] == begin) {
			const guint n_ended = stack->len - (i - 1);

			g_ptr_array_set_size(stack, (gint)(i - 1));
			return n_ended;
		}
	}
	return 0;
}
