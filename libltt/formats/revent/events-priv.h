/* events-priv.h - convert the parts of a recording of revent to events of a trace, and back. */
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

/* Returns: whether a trace can represent the time of the event and its padding is
 * LTT_REVENT_EVENT_PAD */
gboolean ltt_revent_is_regular(const LttReventEvent *event);

/* Writes the payload of an event. Returns: the index of its type in the facility revent */
guint ltt_revent_write_event(LttPayload *payload, const LttReventEvent *event);

/* @reader: a reader of ltt_offline_revent. Returns: FALSE with the error of
 * ltt_offline_reader_read() */
gboolean ltt_revent_read_event(LttOfflineReader *reader, const LttEvent *event, LttReventEvent *out,
			       GError **error);

/* ---- parts.c ---- */

/* Writes the payload of a part that is not an event. Returns: the index of its type in the facility
 * revent_file */
guint ltt_revent_write_part(LttPayload *payload, const LttReventPart *part);

/**
 * ltt_revent_read_part:
 * @reader: a reader of ltt_offline_revent_file
 * @piece: scratch memory; @part may refer to it
 * @part: (out): its kind is LTT_REVENT_END if the event has no bytes in a recording
 *
 * Returns: FALSE with the error of ltt_offline_reader_read()
 */
gboolean ltt_revent_read_part(LttOfflineReader *reader, const LttEvent *event, GByteArray *piece,
			      LttReventPart *part, GError **error);

#endif
