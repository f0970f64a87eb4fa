/* catalog-priv.h - the shapes that the records of one recording have, and records in and out of
 * them.
 *
 * Each kind of record and each event that was recorded has a shape: a name and its fields. A
 * record becomes, packed (field-priv.h),
 *
 *	its fields
 *	its sample_id, if records have one: all words that any event gives it, 0 where this has none
 *	u16 misc, u64 place in the file
 *	u16 count, so many bytes: all of the record behind its header, where the fields do not tell
 *	    them to the byte; else none
 *
 * The same header and sections make the same catalog, so that what was packed by one can be
 * unpacked by another.
 */
#ifndef LTT_FORMATS_PERF_FILE_CATALOG_PRIV_H
#define LTT_FORMATS_PERF_FILE_CATALOG_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/catalog-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"
#include "formats/perf/file/steps-priv.h"

/* Facility of all that is no tracepoint. */
#define LTT_PERF_FACILITY "perf"

typedef struct LttPerfShape {
	const char *facility; /* "perf", or the system of a tracepoint; an identifier */
	const char *name;     /* "mmap2", "cycles"; an identifier */
	const char *description;
	const char *print; /* of a tracepoint: its print format; NULL: none */
	guint32 type;
	gint attr; /* number of the event; -1: no sample */
	const LttPerfField *fields;
	guint n_fields;
	const LttPerfSteps *steps; /* of a sample, compiled; NULL: none */
	gboolean has_id;           /* a sample_id follows the fields */
	gboolean is_unknown;       /* the shape of what has no other: one field, the type */
} LttPerfShape;

typedef struct LttPerfCatalog LttPerfCatalog;

/* Returns: (transfer full): the shapes; @meta must outlive them, and change no more */
LttPerfCatalog *ltt_perf_catalog_new(const LttPerfMeta *meta);
void ltt_perf_catalog_free(LttPerfCatalog *catalog); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfCatalog, ltt_perf_catalog_free)

/* Gives up the later half of the events, samples of which become what is unknown.
 * Returns: FALSE if there is none */
gboolean ltt_perf_catalog_halve(LttPerfCatalog *catalog);

guint ltt_perf_catalog_get_n(const LttPerfCatalog *catalog);
const LttPerfShape *ltt_perf_catalog_get(const LttPerfCatalog *catalog, guint index);

/* Returns: the fields of sample_id, n of them; none if no record has one */
const LttPerfField *ltt_perf_catalog_get_id_fields(const LttPerfCatalog *catalog, guint *n);

/* Finds the shape of a record. @record: its attr was found. Returns: its number */
guint ltt_perf_catalog_find(const LttPerfCatalog *catalog, const LttPerfRecord *record);

/* Returns: whether a record of shape @index, packed, has its bytes behind the header as they are,
 * as many samples do: ltt_perf_catalog_copy() can pack it */
gboolean ltt_perf_catalog_is_copied(const LttPerfCatalog *catalog, guint index,
				    const LttPerfRecord *record);

/* Returns: the size of a record that ltt_perf_catalog_copy() packs */
gsize ltt_perf_catalog_get_copied_bytes(const LttPerfRecord *record);

/* Writes such a record, packed, to @packed. */
void ltt_perf_catalog_copy(const LttPerfCatalog *catalog, const LttPerfRecord *record,
			   guint64 place, guint8 *packed);

/**
 * ltt_perf_catalog_pack:
 * @index: the shape of the record
 * @out: the packed record is appended
 *
 * Returns: the shape that was used. A record that does not fit @index is reported and packed as
 *   unknown
 */
guint ltt_perf_catalog_pack(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			    guint64 place, GByteArray *out, const LttPerfTell *tell);

/* Reports how many samples were packed as unknown because they have no shape: once for each reason,
 * at the first of them. */
void ltt_perf_catalog_end(const LttPerfCatalog *catalog, const LttPerfTell *tell);

/**
 * ltt_perf_catalog_unpack:
 * @index: number of the shape
 * @out: the record is appended, its header too
 * @place: (out): where it was
 *
 * Returns: FALSE if it cannot have come from a record
 */
gboolean ltt_perf_catalog_unpack(LttPerfCatalog *catalog, guint index, const guint8 *packed,
				 gsize packed_bytes, GByteArray *out, guint64 *place);

#endif
