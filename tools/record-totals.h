/* record-totals.h - report the result of a recording. */
#ifndef RECORD_TOTALS_H
#define RECORD_TOTALS_H

#include "record-program.h"

/* Counts the events of the trace and prints their number. Then warns of losses with their reasons,
 * of processes that could not join, and of globs that no facility matches.
 *
 * @complete: as ltt_recording_finish() has it @wait_status: of the program, if one was run
 * @seconds: how long it ran */
void record_totals_tell(const RecordProgram *program, const LttRecording *recording,
			const LttRecordingTotals *totals, gboolean complete, int wait_status,
			double seconds);

#endif
