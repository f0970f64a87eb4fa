/* zone.c - see zone-priv.h.
 *
 * GLib falls back to UTC for a zone that it does not find, but expects that a file it finds describes
 * a zone (tzfile(5)), and prints critical messages otherwise. So this code looks at the file first.
 */
#include "base/zone-priv.h"

#include <stdio.h>
#include <string.h>

#define LOCAL_FILE  "/etc/localtime"
#define FOLDER      "/usr/share/zoneinfo"
#define MAGIC       "TZif"
#define HEADER_SIZE 44

/* Returns: (transfer full): the file in which GLib looks for the zone */
static char *find_file(const char *name)
{
	const char *folder = g_getenv("TZDIR");

	if (name == NULL)
		return g_strdup(LOCAL_FILE);
	if (*name == ':')
		name++;
	if (g_path_is_absolute(name))
		return g_strdup(name);
	return g_build_filename(folder != NULL ? folder : FOLDER, name, NULL);
}

/* Returns: whether a file that exists cannot describe a zone */
static gboolean is_unusable(const char *path)
{
	guint8 header[HEADER_SIZE];
	gboolean is_zone;
	FILE *file;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return FALSE;
	file = fopen(path, "rbe");
	if (file == NULL)
		return FALSE;
	is_zone = fread(header, sizeof(header), 1, file) == 1 &&
		  memcmp(header, MAGIC, strlen(MAGIC)) == 0;
	fclose(file);
	return !is_zone;
}

GTimeZone *ltt_zone_new_local(void)
{
	g_autofree char *path = find_file(g_getenv("TZ"));

	return is_unusable(path) ? g_time_zone_new_utc() : g_time_zone_new_local();
}

GDateTime *ltt_zone_date(GTimeZone *zone, gint64 seconds)
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(seconds);

	return g_date_time_to_timezone(date, zone);
}
