/* space-priv.h - whether there is room for a recording, before it is begun. */
#ifndef LTT_RECORD_SPACE_PRIV_H
#define LTT_RECORD_SPACE_PRIV_H

#ifndef LTT_BUILDING
#error "record/space-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include <ltt/ltt-recording.h>

/**
 * ltt_record_check_space:
 * @path: where the trace is to be made
 *
 * Returns: FALSE with LTT_ERROR_INVALID for a flight recorder, or LTT_ERROR_IO for first blocks,
 *   that the file system or a limit of this process has no room for. What cannot be found out is no
 *   error: making the trace says what is wrong then
 */
gboolean ltt_record_check_space(const char *path, const LttRecordingOptions *options,
			       GError **error);

#endif
