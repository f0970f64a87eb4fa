/* sample-priv.h - the fields of samples and of the sample_id of other records. */
#ifndef LTT_FORMATS_PERF_FILE_SAMPLE_PRIV_H
#define LTT_FORMATS_PERF_FILE_SAMPLE_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/sample-priv.h is private to libltt"
#endif

#include "formats/perf/file/arena-priv.h"
#include "formats/perf/file/attr-priv.h"

/* ---- sample.c ---- */

/**
 * ltt_perf_sample_fields:
 * @machine: (nullable): machine name as from uname(2); selects the names of registers
 * @trace: (nullable): members of the raw bytes of a tracepoint; NULL: sequence of bytes
 *
 * Returns: the fields, owned by @arena
 */
const LttPerfField *ltt_perf_sample_fields(LttPerfArena *arena, const LttPerfAttr *attr,
					   LttByteOrder order, const char *machine,
					   const LttPerfField *trace, guint n_trace,
					   guint *n_fields);

/**
 * ltt_perf_sample_id_fields:
 * @sample_type: union of the sample_type of any number of events
 *
 * Returns: the fields of sample_id, owned by @arena
 */
const LttPerfField *ltt_perf_sample_id_fields(LttPerfArena *arena, guint64 sample_type,
					      guint *n_fields);

/* Returns: the fields of a READ record of an event with this read_format, owned by @arena */
const LttPerfField *ltt_perf_read_fields(LttPerfArena *arena, guint64 read_format, guint *n_fields);

/* ---- sample-id.c: the sample_id at the end of records ---- */

/* A sample_id contains the words of 8 bytes whose bits are set in the sample_type of its event. A
 * packed sample_id contains the words of all events, so that all have the same size. @mask is the
 * union of the sample_type of all events:
 *
 *	mask                    TID  TIME  ID  CPU
 *	record of this event         TIME  ID           lacks two words
 *	packed                  0    TIME  ID  0
 */

/* Returns: the size of a packed sample_id */
gsize ltt_perf_id_packed_bytes(guint64 mask);

/* Appends a packed sample_id. @id: (nullable): the sample_id of a record of the event @attr; NULL:
 * the record has none, append zeros */
void ltt_perf_id_pack(guint64 mask, const LttPerfAttr *attr, const guint8 *id, GByteArray *out);

/* Appends the words of a packed sample_id that records of the event @attr contain. */
void ltt_perf_id_unpack(guint64 mask, const LttPerfAttr *attr, const guint8 *packed,
			GByteArray *out);

/* Finds the event of the record from which this packed sample_id was made, by the same method as
 * for the record: by the id at the position that the first event determines.
 * Returns: (nullable): NULL if it is unknown */
const LttPerfAttr *ltt_perf_id_find_attr(guint64 mask, LttPerfAttrs *attrs, const guint8 *packed);

/* ---- registers.c ---- */

/**
 * ltt_perf_register_name:
 * @machine: (nullable): machine name of the recorded system, as from uname(2)
 * @bit: bit number in sample_regs_user or sample_regs_intr
 *
 * Returns: (transfer full): a unique identifier: the name of the register; regN if it has no name
 *   on this machine; rN if the machine is unknown
 */
char *ltt_perf_register_name(const char *machine, guint bit);

#endif
