/* recording-directory-priv.h - the files of a recording directory other than `data`. */
#ifndef LTT_FORMATS_PERF_FILE_RECORDING_DIRECTORY_PRIV_H
#define LTT_FORMATS_PERF_FILE_RECORDING_DIRECTORY_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/recording-directory-priv.h is private to libltt"
#endif

#include "formats/perf/file/perf-priv.h"

/* Return: (transfer full) (nullable): names in @directory, of char; NULL with LTT_ERROR_IO
 *
 * streams: data.0, data.1 ..., by their numbers, of which some may be missing
 * copies: all that is in folders kcore_dir and kcore_dir__PID, in which perf record --kcore and
 * perf inject keep the kernel of a machine: kcore_dir/kallsyms, kcore_dir/kcore, kcore_dir/modules
 */
GPtrArray *ltt_perf_folder_list_streams(const char *directory, GError **error);
GPtrArray *ltt_perf_folder_list_copies(const char *directory, GError **error);

/* Reports which of data.0, data.1 ... up to the last of @streams are not there. Where there is no
 * stream, the kernel's copies say that none was written. */
void ltt_perf_folder_tell_missing(const char *directory, const GPtrArray *streams,
				  const LttPerfTell *tell);

#endif
