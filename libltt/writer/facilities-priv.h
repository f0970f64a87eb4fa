/* facilities-priv.h - the facilities of a trace being made, and which event has which id. */
#ifndef LTT_FACILITIES_PRIV_H
#define LTT_FACILITIES_PRIV_H

#ifndef LTT_BUILDING
#error "facilities-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <ltt/ltt-layout.h>

/* What an event id stands for. */
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
	GPtrArray *loaded; /* of LttLoaded, owned, in the order of their ids */
	GArray *events;    /* of LttLoadedEvent: those of id LTT_ID_FIRST_ORDINARY and up */
} LttLoads;

void ltt_loads_init(LttLoads *loads, const LttArch *arch);
void ltt_loads_clear(LttLoads *loads);

/* Returns: (nullable): the facility of that name and canonical text, if it is there */
const LttLoaded *ltt_loads_find(const LttLoads *loads, const LttFacility *facility);

/* Whether @facility, which is not there yet, can be added: an id for each of its events, a name
 * that is not reserved, a checksum that tells it from the others of its name.
 * Returns: FALSE with LTT_ERROR_LIMIT or LTT_ERROR_INVALID */
gboolean ltt_loads_check(const LttLoads *loads, const LttFacility *facility, GError **error);

/* Returns: (transfer full): the name under which @facility is to be described: "NAME.xml", for
 * another version of a name that is there "NAME-CHECKSUM.xml" */
char *ltt_loads_get_file_name(const LttLoads *loads, const LttFacility *facility);

const LttLoaded *ltt_loads_add(LttLoads *loads, const LttFacility *facility);

/* Returns: (nullable): NULL if no facility has @id, builtin events included */
const LttLoadedEvent *ltt_loads_get_event(const LttLoads *loads, guint16 id);

#endif
