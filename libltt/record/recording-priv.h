/* recording-priv.h - the end of a recording in two steps, for attachment.c. */
#ifndef LTT_RECORDING_PRIV_H
#define LTT_RECORDING_PRIV_H

#ifndef LTT_BUILDING
#error "recording-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include <ltt/ltt-recording.h>

/* Returns: the globs of facilities that are on */
const char *ltt_recording_get_globs(const LttRecording *recording);

/* Lets no event in any more. */
void ltt_recording_stop(LttRecording *recording);

/* Whether a process has it open still. */
gboolean ltt_recording_is_attached(const LttRecording *recording);

/* The rest of ltt_recording_finish(). @is_quiet: processes that have it open touch no tracefile */
gboolean ltt_recording_close(LttRecording *recording, gboolean is_quiet,
			     LttRecordingTotals *totals);

#endif
