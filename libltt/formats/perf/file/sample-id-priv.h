/* sample-id-priv.h - the sample_id at the end of records, packed for the events of a trace. */
#ifndef LTT_FORMATS_PERF_FILE_SAMPLE_ID_PRIV_H
#define LTT_FORMATS_PERF_FILE_SAMPLE_ID_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/sample-id-priv.h is private to libltt"
#endif

#include "formats/perf/file/attr-priv.h"

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

#endif
