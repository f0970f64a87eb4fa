/* zone-priv.h - the local time zone. */
#ifndef LTT_BASE_ZONE_PRIV_H
#define LTT_BASE_ZONE_PRIV_H

#ifndef LTT_BUILDING
#error "base/zone-priv.h is private to libltt"
#endif

#include <glib.h>

/* Returns: (transfer full): the zone of the environment variable TZ, or else of the system; UTC if that
 * is unknown or its file is not a description of a zone */
GTimeZone *ltt_zone_new_local(void);

/* Returns: (transfer full): the date in @zone at @seconds since 1970-01-01 UTC */
GDateTime *ltt_zone_date(GTimeZone *zone, gint64 seconds);

#endif
