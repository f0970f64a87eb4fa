/* events-priv.h - events of a log as events of a trace, and back.
 *
 * The event types of eventdefs/qemu_replay.xml have the names and the order of LttQemuKind, so the
 * kind of an event is its index in the facility.
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
 * @release: of the log
 * @samples: scratch memory
 *
 * Makes the payload of an event of the log.
 */
void ltt_qemu_write_event(LttPayload *payload, const LttQemuRelease *release, GByteArray *samples,
			  const LttQemuEvent *event);

/**
 * ltt_qemu_read_event:
 * @reader: of ltt_offline_qemu_replay
 * @samples: scratch memory; @out may borrow from it
 * @out: (out): kind is LTT_QEMU_N_KINDS if the event is none of a log
 *
 * Returns: FALSE as ltt_offline_reader_read()
 */
gboolean ltt_qemu_read_event(LttOfflineReader *reader, const LttEvent *event, GByteArray *samples,
			     LttQemuEvent *out, GError **error);

#endif
