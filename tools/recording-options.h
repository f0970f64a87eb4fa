/* recording-options.h - options that `ltt record` and `ltt attach` share: how to record. */
#ifndef RECORDING_OPTIONS_H
#define RECORDING_OPTIONS_H

#include <ltt/ltt-recording.h>

/* --flight, --block-size and so on; ends with an entry without a name. */
extern const GOptionEntry recording_options[];

/* Takes what was given. @snapshot_signal: (out): of --snapshot-on; as it was if that was not given
 * Returns: FALSE if a value is wrong, which has been said */
gboolean recording_options_take(LttRecordingOptions *options, int *snapshot_signal);

/* Returns: the name of an option that was given; NULL: none of them */
const char *recording_options_given(void);

/* What the signal of --snapshot-on asks for: copies the trace to the next DIR.snapshot.N that is
 * not there, and says so. @n_taken: the last N */
void recording_take_snapshot(LttRecording *recording, guint *n_taken);

#endif
