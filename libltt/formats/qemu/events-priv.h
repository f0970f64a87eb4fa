/* events-priv.h - convert events of a QEMU log to events of a trace, and back.
 *
 * eventdefs/qemu_replay.xml lists the event types in the order of LttQemuKind and with the same
 * names. So the kind of an event is the index of its type in the facility.
 */
#ifndef LTT_FORMATS_QEMU_EVENTS_PRIV_H
#define LTT_FORMATS_QEMU_EVENTS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/qemu/events-priv.h is private to libltt"
#endif

#include "formats/qemu/file/qemu-priv.h"

#include <eventdefs/qemu_replay.h>
#include <eventdefs/qemu_replay_file.h>

#define LTT_QEMU_FACILITY      "qemu_replay"
#define LTT_QEMU_FILE_FACILITY "qemu_replay_file"

/**
 * ltt_qemu_write_event:
 * @release: the release that wrote the log
 * @samples: scratch memory
 *
 * Makes the payload of a trace event from an event of the log.
 */
void ltt_qemu_write_event(LttPayload *payload, const LttQemuRelease *release, GByteArray *samples,
			  const LttQemuEvent *event);

/**
 * ltt_qemu_read_event:
 * @reader: a reader of ltt_offline_qemu_replay
 * @samples: scratch memory; @out may refer to it
 * @out: (out): its kind is LTT_QEMU_N_KINDS if the event does not come from a log
 *
 * Returns: FALSE with the error of ltt_offline_reader_read()
 */
gboolean ltt_qemu_read_event(LttOfflineReader *reader, const LttEvent *event, GByteArray *samples,
			     LttQemuEvent *out, GError **error);

#endif
