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
