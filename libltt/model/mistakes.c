/* mistakes.c - collect the mistakes of a description. */
#include "model/mistakes-priv.h"

#include "model/facility-priv.h"

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

static void add(GPtrArray *mistakes, guint line, gboolean is_harmless, char *message)
{
	LttMistake *mistake = g_new(LttMistake, 1);

	*mistake = (LttMistake){.line = line, .is_harmless = is_harmless, .message = message};
	g_ptr_array_add(mistakes, mistake);
}

void ltt_mistakes_add(GPtrArray *mistakes, guint line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(mistakes, line, FALSE, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

void ltt_mistakes_add_harmless(GPtrArray *mistakes, guint line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(mistakes, line, TRUE, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

gboolean ltt_mistakes_are_harmless(const GPtrArray *mistakes)
{
	for (guint i = 0; i < mistakes->len; i++) {
		if (!((const LttMistake *)mistakes->pdata[i])->is_harmless)
			return FALSE;
	}
	return TRUE;
}

/* Format: doc/format.md, 8.3. */
gboolean ltt_name_is_valid(const char *name)
{
	if (!g_ascii_isalpha(name[0]) && name[0] != '_')
		return FALSE;
	for (const char *at = name; *at != '\0'; at++) {
		if (!g_ascii_isalnum(*at) && *at != '_')
			return FALSE;
	}
	return TRUE;
}
