/* name.c - check the name of a facility, type, event or field (doc/format.md, 8.3). */
#include "model/facility-priv.h"
#include <ltt/ltt-facility.h>

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
