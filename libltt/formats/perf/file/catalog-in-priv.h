/* catalog-in-priv.h - the internals of a catalog, for catalog.c and convert.c. */
#ifndef LTT_FORMATS_PERF_FILE_CATALOG_IN_PRIV_H
#define LTT_FORMATS_PERF_FILE_CATALOG_IN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/catalog-in-priv.h is private to libltt"
#endif

#include "formats/perf/file/catalog-priv.h"
#include "formats/perf/file/number-parts-priv.h"

/* Order of the shapes: the unknown shape, the record kinds, the events. */
#define LTT_PERF_SHAPE_UNKNOWN 0
#define LTT_PERF_SHAPE_KINDS   1

/* Samples that are kept as raw bytes for the same reason. */
typedef struct LttPerfKept {
	guint64 n;
	guint64 first; /* least file offset of such a sample */
} LttPerfKept;

struct LttPerfCatalog {
	const LttPerfMeta *meta;
	LttPerfArena *arena;
	GHashTable *names; /* used names, as "facility.event" */
	GArray *shapes;    /* of LttPerfShape */
	guint n_kinds;
	guint64 id_mask; /* union of the sample_type of all events with a sample_id */
	const LttPerfField *id_fields;
	guint n_id_fields;
	GByteArray *spare;         /* scratch memory for an unpacked record */
	LttPerfMemo memo;          /* cache of packed values */
	LttPerfMemo unpacked_memo; /* cache of unpacked values */
	LttPerfKept unknown;       /* samples of events that are not in the header */
	LttPerfKept undescribed;   /* samples of events that exceed the limits of a catalog */
};

#endif
