/* recording-options.h - the recording options of `ltt record` and `ltt attach`. */
#ifndef RECORDING_OPTIONS_H
#define RECORDING_OPTIONS_H

#include <ltt/ltt-recording.h>

/* --flight, --block-size and so on; ends with an entry without a name. */
extern const GOptionEntry recording_options[];

/* Sets @options from the command line. @snapshot_signal: (out): of --snapshot-on; not changed if
 * that is not given. Returns: FALSE, with a message printed, if a value is wrong */
gboolean recording_options_take(LttRecordingOptions *options, int *snapshot_signal);

/* Returns: the name of one of these options that was given; NULL if none was */
const char *recording_options_given(void);

/* Handles the signal of --snapshot-on: copies the trace to the next DIR.snapshot.N that does not
 * exist, and reports it. @n_taken: (inout): the last N */
void recording_take_snapshot(LttRecording *recording, guint *n_taken);

#endif
