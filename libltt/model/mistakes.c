/* mistakes.c - see mistakes-priv.h */
#include "model/mistakes-priv.h"

static void free_mistake(gpointer data)
{
	LttMistake *mistake = data;

	g_free(mistake->message);
	g_free(mistake);
}

GPtrArray *ltt_mistakes_new(void)
{
	return g_ptr_array_new_with_free_func(free_mistake);
}

void ltt_mistakes_add(GPtrArray *mistakes, guint line, const char *format, ...)
{
	LttMistake *mistake = g_new(LttMistake, 1);
	va_list arguments;

	va_start(arguments, format);
	mistake->line = line;
	mistake->message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_ptr_array_add(mistakes, mistake);
}
