/* recording-priv.h - the end of a recording in two steps, for attachment.c. */
#ifndef LTT_RECORDING_PRIV_H
#define LTT_RECORDING_PRIV_H

#ifndef LTT_BUILDING
#error "recording-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include "session/session.h"

#include <ltt/ltt-recording.h>

/* Returns: (transfer none): the session, for what the recorder itself writes */
struct lttp_session *ltt_recording_get_session(LttRecording *recording);

/* Returns: the globs of enabled facilities */
const char *ltt_recording_get_globs(const LttRecording *recording);

/* Returns: whether the recording contains the interrupts and processes of the machine */
gboolean ltt_recording_has_machine(const LttRecording *recording);

/* Ends the session: no later event is written. */
void ltt_recording_stop(LttRecording *recording);

/* Whether a process is attached. */
gboolean ltt_recording_is_attached(const LttRecording *recording);

/* Completes the trace. @is_quiet: attached processes touch no tracefile */
gboolean ltt_recording_close(LttRecording *recording, gboolean is_quiet,
			     LttRecordingTotals *totals);

#endif
