/* sample-priv.h - the fields of the samples of one event, after its sample_type. */
#ifndef LTT_FORMATS_PERF_FILE_SAMPLE_PRIV_H
#define LTT_FORMATS_PERF_FILE_SAMPLE_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/sample-priv.h is private to libltt"
#endif

#include "formats/perf/file/arena-priv.h"
#include "formats/perf/file/attr-priv.h"

/**
 * ltt_perf_sample_fields:
 * @machine: (nullable): machine name as from uname(2), selects the register names
 * @trace: (nullable): members of the raw bytes of a tracepoint; NULL: octets
 *
 * Returns: the fields, owned by @arena
 */
const LttPerfField *ltt_perf_sample_fields(LttPerfArena *arena, const LttPerfAttr *attr,
					   LttByteOrder order, const char *machine,
					   const LttPerfField *trace, guint n_trace,
					   guint *n_fields);

/**
 * ltt_perf_sample_id_fields:
 * @sample_type: bits of any number of events
 *
 * Returns: the fields of sample_id, owned by @arena
 */
const LttPerfField *ltt_perf_sample_id_fields(LttPerfArena *arena, guint64 sample_type,
					      guint *n_fields);

/* Returns: the fields of a READ record of an event with that read_format, owned by @arena */
const LttPerfField *ltt_perf_read_fields(LttPerfArena *arena, guint64 read_format, guint *n_fields);

#endif
