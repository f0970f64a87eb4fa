/* programs-priv.h - the feature BPF_PROG_INFO: BPF programs that were loaded during the recording.
 *
 * The feature consists of a u32 count and, for each program, of
 *
 *	u32 size of the info, u32 size of the data, u64 bit set of the arrays in the data
 *	the info: struct bpf_prog_info of <linux/bpf.h>, with the size that it had when perf was
 *	    built; its addresses of arrays are replaced with offsets in the data
 *	the data
 */
#ifndef LTT_FORMATS_PERF_FILE_PROGRAMS_PRIV_H
#define LTT_FORMATS_PERF_FILE_PROGRAMS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/programs-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

#define LTT_PERF_PROGRAM_HEAD_BYTES 16

/* Returns: the size in bytes of the program that begins with @head */
guint64 ltt_perf_program_get_size(const guint8 head[LTT_PERF_PROGRAM_HEAD_BYTES],
				  LttByteOrder order);

/**
 * ltt_perf_program_pack:
 * @program: the program, including its head
 * @most_bytes: maximum size of @out; arrays that do not fit are packed as empty
 * @out: the packed fields of perf_file.bpf_prog_info (eventdefs/perf_file.xml) are appended to it;
 *   fields that an older kernel does not have are 0
 *
 * Returns: FALSE, with @fault set and @out unchanged, if the info contains an invalid offset or
 * size
 */
gboolean ltt_perf_program_pack(const guint8 *program, gsize program_bytes, LttByteOrder order,
			       guint most_bytes, GByteArray *out, LttPerfFault *fault);

#endif
