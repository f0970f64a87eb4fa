/* facilities-priv.h - the facilities of a trace that is being written, and their event ids. */
#ifndef LTT_FACILITIES_PRIV_H
#define LTT_FACILITIES_PRIV_H

#ifndef LTT_BUILDING
#error "facilities-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <ltt/ltt-layout.h>

/* The event type of an id. */
typedef struct LttLoadedEvent {
	const LttEventType *type;
	const LttLayout *layout; /* NULL: no payload */
} LttLoadedEvent;

typedef struct LttLoaded {
	LttFacility *facility; /* owned */
	LttLayouts *layouts;   /* owned */
	guint32 base_code;
} LttLoaded;

typedef struct LttLoads {
	LttArch arch;
	GPtrArray *loaded;   /* of LttLoaded, owned, in ascending order of ids */
	GHashTable *by_name; /* name to GPtrArray of LttLoaded: the versions of a facility */
	GArray *events;      /* of LttLoadedEvent, indexed by id - LTT_ID_FIRST_ORDINARY */
} LttLoads;

void ltt_loads_init(LttLoads *loads, const LttArch *arch);
void ltt_loads_clear(LttLoads *loads);

/* Returns: (nullable): the loaded facility with the name and canonical text of @facility */
const LttLoaded *ltt_loads_find(const LttLoads *loads, const LttFacility *facility);

/* Checks that @facility, which is not loaded yet, can be added: there is an id for each of its
 * events, its name is not reserved, its checksum differs from those of the same name.
 * Returns: FALSE with LTT_ERROR_LIMIT or LTT_ERROR_INVALID */
gboolean ltt_loads_check(const LttLoads *loads, const LttFacility *facility, GError **error);

/* Returns: (transfer full): the file name for the description of @facility: "NAME.xml", or
 *   "NAME-CHECKSUM.xml" if another version of that name is loaded */
char *ltt_loads_get_file_name(const LttLoads *loads, const LttFacility *facility);

const LttLoaded *ltt_loads_add(LttLoads *loads, const LttFacility *facility);

/* Returns: (nullable): NULL if no facility has @id, and for ids of builtin events */
const LttLoadedEvent *ltt_loads_get_event(const LttLoads *loads, guint16 id);

#endif
