/* catalog-priv.h - the shapes of the records of a recording, and the conversion of records.
 *
 * Each kind of record and each recorded event has a shape, which consists of a name and a list of
 * fields. A packed record (field-priv.h) consists of
 *
 *	the fields
 *	the sample_id, if records have one: the words of all events, 0 if the record lacks a word
 *	u16 misc, u64 offset in the file
 *	u16 count, count bytes: the record without its header, if unpacking the fields does not
 *	    restore it exactly; otherwise count is 0
 *
 * Recordings with the same header and sections have the same catalog. So the export can unpack the
 * records that the import has packed.
 */
#ifndef LTT_FORMATS_PERF_FILE_CATALOG_PRIV_H
#define LTT_FORMATS_PERF_FILE_CATALOG_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/catalog-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"
#include "formats/perf/file/steps-priv.h"

/* Facility of all events that are not tracepoints. */
#define LTT_PERF_FACILITY "perf"

typedef struct LttPerfShape {
	const char *facility; /* "perf", or the system of a tracepoint; an identifier */
	const char *name;     /* "mmap2", "cycles"; an identifier */
	const char *description;
	const char *print;  /* print format of a tracepoint; NULL: none */
	const char *system; /* of a tracepoint, as its name; NULL: no format of it */
	const char *tracepoint;
	guint32 type; /* of the records */
	gint attr;    /* number of the attr of a sample; -1: not a sample */
	const LttPerfField *fields;
	guint n_fields;
	const LttPerfSteps *steps; /* compiled fields of a sample; NULL: none */
	gboolean has_id;           /* a sample_id follows the fields */
	gboolean is_unknown;       /* for records without a shape; its only field is the type */
} LttPerfShape;

typedef struct LttPerfCatalog LttPerfCatalog;

/* Returns: (transfer full): a catalog. @meta must outlive it and must not change any more */
LttPerfCatalog *ltt_perf_catalog_new(const LttPerfMeta *meta);
void ltt_perf_catalog_free(LttPerfCatalog *catalog); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfCatalog, ltt_perf_catalog_free)

/* Removes the second half of the events from the catalog. Their samples get the unknown shape.
 * Returns: FALSE if there are no events */
gboolean ltt_perf_catalog_halve(LttPerfCatalog *catalog);

guint ltt_perf_catalog_get_n(const LttPerfCatalog *catalog);
const LttPerfShape *ltt_perf_catalog_get(const LttPerfCatalog *catalog, guint index);

/* Returns: the fields of sample_id. @n: (out): number of fields; 0 if records have no sample_id */
const LttPerfField *ltt_perf_catalog_get_id_fields(const LttPerfCatalog *catalog, guint *n);

/* Finds the shape of a record, whose attr must be set. Returns: the index of the shape */
guint ltt_perf_catalog_find(const LttPerfCatalog *catalog, const LttPerfRecord *record);

/* Returns: the maximum packed size of a sample of @record_bytes */
gsize ltt_perf_catalog_get_sample_room(const LttPerfSteps *steps, gsize record_bytes);

/**
 * ltt_perf_catalog_pack_sample:
 * @steps: the steps of its shape
 * @packed: (out): a buffer of ltt_perf_catalog_get_sample_room()
 *
 * Fast path of ltt_perf_catalog_pack().
 *
 * Returns: (nullable): the end of the packed sample; NULL if the steps cannot pack it
 */
guint8 *ltt_perf_catalog_pack_sample(LttPerfCatalog *catalog, const LttPerfSteps *steps,
				     const LttPerfRecord *record, guint64 place, guint8 *packed);

/**
 * ltt_perf_catalog_pack:
 * @index: index of the shape of the record
 * @out: the packed record is appended to it
 *
 * Returns: the index of the used shape. A record that does not match the shape @index is reported
 *   and packed with the unknown shape
 */
guint ltt_perf_catalog_pack(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			    guint64 place, GByteArray *out, const LttPerfTell *tell);

/* Reports the number of samples that were packed with the unknown shape because they have no other:
 * one report for each reason, at the first of these samples. */
void ltt_perf_catalog_end(const LttPerfCatalog *catalog, const LttPerfTell *tell);

/**
 * ltt_perf_catalog_unpack:
 * @index: index of the shape
 * @out: the record is appended to it, including its header
 * @place: (out): offset of the record in the file
 *
 * Returns: FALSE if @packed is not a packed record of this shape
 */
gboolean ltt_perf_catalog_unpack(LttPerfCatalog *catalog, guint index, const guint8 *packed,
				 gsize packed_bytes, GByteArray *out, guint64 *place);

#endif
