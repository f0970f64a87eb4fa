/* space-priv.h - check the disk space and the limits before a recording. */
#ifndef LTT_RECORD_SPACE_PRIV_H
#define LTT_RECORD_SPACE_PRIV_H

#ifndef LTT_BUILDING
#error "record/space-priv.h is private to libltt; use <ltt/ltt-recording.h>"
#endif

#include <ltt/ltt-recording.h>

/**
 * ltt_record_check_space:
 * @path: the future trace
 *
 * Returns: FALSE with LTT_ERROR_INVALID if the file system or a limit of this process has no space
 *   for the flight recorder, LTT_ERROR_IO if it has none for the first blocks. TRUE if this is
 *   unknown: creating the trace then finds out
 */
gboolean ltt_record_check_space(const char *path, const LttRecordingOptions *options,
				GError **error);

#endif
