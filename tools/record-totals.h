/* record-totals.h - what `ltt record` and `ltt attach` say when a recording has ended. */
#ifndef RECORD_TOTALS_H
#define RECORD_TOTALS_H

#include "record-program.h"

/* Counts the events of the trace and says how many there are, then warns of whatever is missing:
 * losses with their reasons, processes that could not join, facilities that did not match.
 *
 * @complete: as ltt_recording_finish() has it
 * @wait_status: of the program, if one was run
 * @seconds: how long it ran */
void record_totals_tell(const RecordProgram *program, const LttRecording *recording,
			const LttRecordingTotals *totals, gboolean complete, int wait_status,
			double seconds);

#endif
