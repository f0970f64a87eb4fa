/* events-priv.h - what importer and exporter of QEMU's logs agree upon: names in
 * eventdefs/qemu_replay.xml and qemu_replay_file.xml. Events are called as their kinds, arguments
 * as in the reader's specifications. */
#ifndef LTT_FORMATS_QEMU_EVENTS_PRIV_H
#define LTT_FORMATS_QEMU_EVENTS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/qemu/events-priv.h is private to libltt"
#endif

#include "formats/qemu/file/qemu-priv.h"

#define LTT_QEMU_FACILITY      "qemu_replay"
#define LTT_QEMU_FILE_FACILITY "qemu_replay_file"

/* Both numbers of an audio event have this size in a trace, whatever they have in the log. */
#define LTT_QEMU_AUDIO_WIDTH LTT_WIDTH_8

#endif
