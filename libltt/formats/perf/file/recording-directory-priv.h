/* recording-directory-priv.h - list the files of a recording directory other than `data`. */
#ifndef LTT_FORMATS_PERF_FILE_RECORDING_DIRECTORY_PRIV_H
#define LTT_FORMATS_PERF_FILE_RECORDING_DIRECTORY_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/recording-directory-priv.h is private to libltt"
#endif

#include "formats/perf/file/perf-priv.h"

/* List names in @directory:
 *
 *	streams: data.0, data.1 ... in the order of their numbers, of which some may be missing
 *	copies: the files in the folders kcore_dir and kcore_dir__PID, which perf record --kcore and
 *	    perf inject create: kcore_dir/kallsyms, kcore_dir/kcore, kcore_dir/modules
 *
 * Return: (transfer full) (nullable): an array of (char *); NULL with LTT_ERROR_IO
 */
GPtrArray *ltt_perf_folder_list_streams(const char *directory, GError **error);
GPtrArray *ltt_perf_folder_list_copies(const char *directory, GError **error);

/* Reports the missing numbers of data.0, data.1 ... up to the last one in @streams. If there is no
 * stream at all, reports data.0, unless the directory has copies: perf then wrote no streams. */
void ltt_perf_folder_tell_missing(const char *directory, const GPtrArray *streams,
				  const LttPerfTell *tell);

#endif
