/* programs-priv.h - BPF programs that were loaded while perf recorded: feature BPF_PROG_INFO.
 *
 * It is u32 count, and for each program
 *
 *	u32 bytes of the info, u32 bytes of the data, u64 which arrays are in the data
 *	struct bpf_prog_info of <linux/bpf.h>, as long as that was when perf was built; where it has
 *	    addresses of arrays there are offsets in the data
 *	the data
 */
#ifndef LTT_FORMATS_PERF_FILE_PROGRAMS_PRIV_H
#define LTT_FORMATS_PERF_FILE_PROGRAMS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/programs-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

#define LTT_PERF_PROGRAM_HEAD_BYTES 16

/* Returns: the bytes of a program, by its first ones */
guint64 ltt_perf_program_get_size(const guint8 head[LTT_PERF_PROGRAM_HEAD_BYTES],
				  LttByteOrder order);

/**
 * ltt_perf_program_pack:
 * @program: all of its bytes
 * @most_bytes: what @out may come to; arrays that are too large for that are left empty
 * @out: appended are, packed, the fields of perf_file.bpf_prog_info (eventdefs/perf_file.xml); what
 *   an older kernel does not tell is 0
 *
 * Returns: FALSE, with @fault set and @out as it was, if an array is not where the info says
 */
gboolean ltt_perf_program_pack(const guint8 *program, gsize program_bytes, LttByteOrder order,
			       guint most_bytes, GByteArray *out, LttPerfFault *fault);

#endif
