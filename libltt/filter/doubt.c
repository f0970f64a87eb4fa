/* doubt.c - lists of doubts, each of them once. */
#include "filter/doubt-priv.h"

static void free_doubt(gpointer data)
{
	LttDoubt *doubt = data;

	g_free(doubt->name);
	g_free(doubt->nearest);
	g_free(doubt->message);
	g_free(doubt);
}

GPtrArray *ltt_doubts_new(void)
{
	return g_ptr_array_new_with_free_func(free_doubt);
}

static gboolean has_message(gconstpointer doubt, gconstpointer message)
{
	return g_str_equal(((const LttDoubt *)doubt)->message, message);
}

void ltt_doubts_add(GPtrArray *doubts, LttDoubtKind kind, gint64 byte, const char *name,
		    const char *near, char *message)
{
	LttDoubt *doubt;

	if (g_ptr_array_find_with_equal_func(doubts, message, has_message, NULL)) {
		g_free(message);
		return;
	}
	doubt = g_new(LttDoubt, 1);
	*doubt = (LttDoubt){kind, byte, g_strdup(name), g_strdup(near), message};
	g_ptr_array_add(doubts, doubt);
}
