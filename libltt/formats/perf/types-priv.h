/* types-priv.h - make facilities from the shapes of a perf recording. */
#ifndef LTT_FORMATS_PERF_TYPES_PRIV_H
#define LTT_FORMATS_PERF_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/types-priv.h is private to libltt"
#endif

#include "formats/perf/file/catalog-priv.h"

#include <ltt/ltt-facility.h>

/* Names of facilities and control files in an imported trace (doc/perf.md). */
#define LTT_PERF_FILE_FACILITY "perf_file"
#define LTT_PERF_FILE_CONTROL  "control/perf_file"
#define LTT_PERF_CONTROL       "control/perf"
#define LTT_PERF_SESSION       "control/perf_session"
#define LTT_PERF_PROCESSES     "control/processes"

/* The event type of a shape. */
typedef struct LttPerfEventOf {
	guint facility; /* index in LttPerfTypes.facilities */
	guint event;    /* index in the facility */
} LttPerfEventOf;

typedef struct LttPerfTypes {
	GPtrArray *facilities; /* of LttFacility, owned, sealed */
	GArray *events;        /* of LttPerfEventOf, by index of the shape */
} LttPerfTypes;

/* Makes the facilities of all shapes. If a facility exceeds the limits of a description, removes
 * events from @catalog.
 * Returns: FALSE with LTT_ERROR_DESCRIPTION if this does not help; there is nothing to clear
 * then */
gboolean ltt_perf_types_init(LttPerfTypes *types, LttPerfCatalog *catalog, GError **error);
void ltt_perf_types_clear(LttPerfTypes *types);

#endif
