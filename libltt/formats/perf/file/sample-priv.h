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

/* ---- sample-id.c: the sample_id at the end of records ---- */

/* A sample_id has those words of 8 bytes that the sample_type of its record's event names. A packed
 * one has those of any event (@mask: the bits of sample_type), so that all have the same size:
 *
 *	mask                    TID  TIME  ID  CPU
 *	record of this event         TIME  ID           misses two words
 *	packed                  0    TIME  ID  0
 */

/* Returns: the size of a packed sample_id */
gsize ltt_perf_id_packed_bytes(guint64 mask);

/* Appends a packed sample_id. @id: that of a record of the event @attr; NULL: none, all zeros */
void ltt_perf_id_pack(guint64 mask, const LttPerfAttr *attr, const guint8 *id, GByteArray *out);

/* Appends the words of a packed sample_id that the event's records have. */
void ltt_perf_id_unpack(guint64 mask, const LttPerfAttr *attr, const guint8 *packed,
			GByteArray *out);

/* Returns: the event of the record that had this packed sample_id; NULL: not known. The event is
 * found as it was when the record was read: by the id at the place where the first event has it. */
const LttPerfAttr *ltt_perf_id_find_attr(guint64 mask, LttPerfAttrs *attrs, const guint8 *packed);

/* ---- registers.c ---- */

/**
 * ltt_perf_register_name:
 * @machine: (nullable): machine name of the recorded system, as from uname(2)
 * @bit: of sample_regs_user or sample_regs_intr
 *
 * Returns: (transfer full): an identifier, other than that of any other bit; regN where the
 *   machine does not call it anything, rN where the machine is not known
 */
char *ltt_perf_register_name(const char *machine, guint bit);

#endif
