/* description-priv.h - the descriptions in a recording under way: its facilities and its system. */
#ifndef LTT_RECORD_DESCRIPTION_PRIV_H
#define LTT_RECORD_DESCRIPTION_PRIV_H

#ifndef LTT_BUILDING
#error "record/description-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include "session/session.h"

#include <ltt/ltt-facility.h>
#include <ltt/ltt-system.h>

/* Loads a facility into the session, unless it is loaded. @base: (out): the event id of its first
 * event. Returns: FALSE with LTT_ERROR_LIMIT (no event ids are left) or LTT_ERROR_IO */
gboolean ltt_record_load(struct lttp_session *session, const LttFacility *facility, guint32 *base,
			 GError **error);

/* Returns: (transfer full) (nullable): the contents of info/system.xml; NULL: @error is set */
LttSystem *ltt_record_read_system(const struct lttp_session *session, GError **error);

/* Replaces info/system.xml. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_record_write_system(const struct lttp_session *session, const LttSystem *system,
				 GError **error);

#endif
