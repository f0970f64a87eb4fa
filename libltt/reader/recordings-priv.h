/* recordings-priv.h - the tracefiles whose threads are the same.
 *
 * A recording consists of the traces of one machine whose times overlap, such as a trace of the kernel
 * and one of a program. Two traces of a machine that follow each other are two recordings: nothing is
 * known of a thread between them, so no span and no state goes from one to the other.
 */
#ifndef LTT_READER_RECORDINGS_PRIV_H
#define LTT_READER_RECORDINGS_PRIV_H

#ifndef LTT_BUILDING
#error "reader/recordings-priv.h is private to libltt"
#endif

#include "reader/trace-priv.h"

typedef struct LttRecording {
	guint32 host;
	guint member; /* its first trace */
} LttRecording;

/* Sets the recordings of a joined trace, whose hosts are known, and that of each tracefile. Without it,
 * the recording of a tracefile is its host. */
void ltt_recordings_join(LttTrace *joined);

/* @index: that of a tracefile */
LttRecording ltt_trace_get_recording(const LttTrace *trace, guint32 index);

#endif
