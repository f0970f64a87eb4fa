/* description.c - the descriptions in a recording under way. */
#include "record/description-priv.h"

#include "base/error-priv.h"
#include "session/registry.h"

#include <ltt/ltt-eventdefs.h>

#include <errno.h>

gboolean ltt_record_load(struct lttp_session *session, const LttFacility *facility, guint32 *base,
			 GError **error)
{
	g_autofree char *xml = ltt_eventdefs_print(facility);
	const char *name = ltt_facility_get_name(facility);
	const int result = lttp_registry_load(session, name, ltt_facility_get_checksum(facility),
					      ltt_facility_get_n_events(facility), xml, base);

	if (result == -EOVERFLOW)
		return ltt_fail(
			error, LTT_ERROR_LIMIT,
			"facility \"%s\": the recording has no event ids left; select fewer "
			"kernel events",
			name);
	return result == 0 || ltt_fail_io(error, session->directory, "load a facility", -result);
}

static char *get_system_path(const struct lttp_session *session)
{
	return g_build_filename(session->directory, "info", "system.xml", NULL);
}

LttSystem *ltt_record_read_system(const struct lttp_session *session, GError **error)
{
	g_autofree char *path = get_system_path(session);

	return ltt_system_read(path, error);
}

gboolean ltt_record_write_system(const struct lttp_session *session, const LttSystem *system,
				 GError **error)
{
	g_autofree char *path = get_system_path(session);
	g_autofree char *text = ltt_system_print(system);
	g_autoptr(GError) failure = NULL;

	return g_file_set_contents(path, text, -1, &failure) ||
	       ltt_fail(error, LTT_ERROR_IO, "%s", failure->message);
}
