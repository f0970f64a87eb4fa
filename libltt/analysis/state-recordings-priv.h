/* state-recordings-priv.h - the times of the recordings (reader/recordings-priv.h), outside of which no state is
 * known. */
#ifndef LTT_ANALYSIS_STATE_RECORDINGS_PRIV_H
#define LTT_ANALYSIS_STATE_RECORDINGS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/state-recordings-priv.h is private to libltt; use <ltt/ltt-states.h>"
#endif

#include <ltt/ltt-trace.h>

typedef struct LttStateRecording {
	guint32 machine;
	guint64 start_ns;
	guint64 end_ns; /* of a trace that is being recorded: G_MAXUINT64 */
} LttStateRecording;

typedef struct LttStateRecordings LttStateRecordings;

LttStateRecordings *ltt_state_recordings_new(LttTrace *trace);
void ltt_state_recordings_free(LttStateRecordings *recordings);

/* @id: of a tracefile of the trace */
LttStateRecording ltt_state_recordings_get(const LttStateRecordings *recordings, guint32 id);

#endif
