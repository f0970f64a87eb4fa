/* events-priv.h - events and other parts of a recording as events of a trace, and back. */
#ifndef LTT_FORMATS_REVENT_EVENTS_PRIV_H
#define LTT_FORMATS_REVENT_EVENTS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/revent/events-priv.h is private to libltt"
#endif

#include "formats/revent/file/revent-priv.h"

#include <eventdefs/revent.h>
#include <eventdefs/revent_file.h>

#define LTT_REVENT_FACILITY      "revent"
#define LTT_REVENT_FILE_FACILITY "revent_file"
#define LTT_REVENT_NS_PER_US     1000

/* ---- events.c ---- */

/* Returns: whether the time of the trace can represent the time of the event, and its padding is
 *   the usual one */
gboolean ltt_revent_is_regular(const LttReventEvent *event);

/* Makes the payload of an event. Returns: the index of its type in the facility revent */
guint ltt_revent_write_event(LttPayload *payload, const LttReventEvent *event);

/* @reader: of ltt_offline_revent. Returns: FALSE as ltt_offline_reader_read() */
gboolean ltt_revent_read_event(LttOfflineReader *reader, const LttEvent *event, LttReventEvent *out,
			       GError **error);

/* ---- parts.c ---- */

/* Makes the payload of another part. Returns: the index of its type in the facility revent_file */
guint ltt_revent_write_part(LttPayload *payload, const LttReventPart *part);

/**
 * ltt_revent_read_part:
 * @reader: of ltt_offline_revent_file
 * @piece: scratch memory; @part may borrow from it
 * @part: (out): kind is LTT_REVENT_END if the event has no bytes in a recording
 *
 * Returns: FALSE as ltt_offline_reader_read()
 */
gboolean ltt_revent_read_part(LttOfflineReader *reader, const LttEvent *event, GByteArray *piece,
			      LttReventPart *part, GError **error);

#endif
