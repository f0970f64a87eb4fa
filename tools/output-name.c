/* output-name.c - see output-name.h. */
#include "output-name.h"

/* Returns: the base name without characters that a shell needs quoted, and without "-" and "." at
 * the start */
static char *get_plain_name(const char *program)
{
	g_autofree char *base = g_path_get_basename(program);
	const char *start = base;

	g_strcanon(base, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "+-_.", '_');
	while (*start == '-' || *start == '.')
		start++;
	return g_strdup(*start != '\0' ? start : "trace");
}

char *output_name(const char *program, guint number)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_local();
	g_autofree char *time = g_date_time_format(now, "%Y%m%d-%H%M%S");
	g_autofree char *name = get_plain_name(program);

	return number <= 1 ? g_strdup_printf("%s-%s", name, time)
			   : g_strdup_printf("%s-%s-%u", name, time, number);
}
