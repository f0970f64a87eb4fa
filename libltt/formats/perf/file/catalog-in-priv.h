/* catalog-in-priv.h - inside of a catalog: for catalog.c and convert.c. */
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

/* Samples that are kept as bytes for one reason. */
typedef struct LttPerfKept {
	guint64 n;
	guint64 first; /* place of the first one */
} LttPerfKept;

struct LttPerfCatalog {
	const LttPerfMeta *meta;
	LttPerfArena *arena;
	GHashTable *names; /* "facility.event" */
	GArray *shapes;    /* of LttPerfShape */
	guint n_kinds;
	guint64 id_mask; /* bits of sample_type that any sample_id has */
	const LttPerfField *id_fields;
	guint n_id_fields;
	GByteArray *spare;       /* a record unpacked again */
	LttPerfMemo memo;        /* of values in parts */
	LttPerfKept unknown;     /* samples whose event is not in the header */
	LttPerfKept undescribed; /* samples of events beyond the limits of a catalog */
};

#endif
