/* types-priv.h - the shapes of a perf recording as facilities. */
#ifndef LTT_FORMATS_PERF_TYPES_PRIV_H
#define LTT_FORMATS_PERF_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/types-priv.h is private to libltt"
#endif

#include "formats/perf/file/catalog-priv.h"

#include <ltt/ltt-facility.h>

/* Names of what an imported trace has: doc/perf.md. */
#define LTT_PERF_FILE_FACILITY "perf_file"
#define LTT_PERF_FILE_CONTROL  "control/perf_file"
#define LTT_PERF_CONTROL       "control/perf"
#define LTT_PERF_SESSION       "control/perf_session"
#define LTT_PERF_PROCESSES     "control/processes"

/* The event of a shape: its facility, and its place in it. */
typedef struct LttPerfEventOf {
	guint facility; /* index */
	guint event;
} LttPerfEventOf;

typedef struct LttPerfTypes {
	GPtrArray *facilities; /* of LttFacility, owned, sealed */
	GArray *events;        /* of LttPerfEventOf, by number of the shape */
} LttPerfTypes;

/* Where all events of @catalog are more than a facility can describe, it loses some of them.
 * Returns: FALSE, with nothing to clear, with LTT_ERROR_DESCRIPTION: it is too much still */
gboolean ltt_perf_types_init(LttPerfTypes *types, LttPerfCatalog *catalog, GError **error);
void ltt_perf_types_clear(LttPerfTypes *types);

#endif
