/* events-priv.h - what importer and exporter of revent agree upon: names in
 * eventdefs/revent.xml and revent_file.xml. */
#ifndef LTT_FORMATS_REVENT_EVENTS_PRIV_H
#define LTT_FORMATS_REVENT_EVENTS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/revent/events-priv.h is private to libltt"
#endif

#include "formats/revent/file/revent-priv.h"

#define LTT_REVENT_FACILITY      "revent"
#define LTT_REVENT_FILE_FACILITY "revent_file"
#define LTT_REVENT_ODD           "odd"
#define LTT_REVENT_UNKNOWN       "unknown"
#define LTT_REVENT_NS_PER_US     1000

/* Returns: (nullable): the name of the event for a type: "EV_KEY"; NULL: Linux has none */
const char *ltt_revent_type_name(guint16 type);

/* Returns: FALSE, and @type not set, if it is not one of these names */
gboolean ltt_revent_type_from_name(const char *name, guint16 *type);

#endif
