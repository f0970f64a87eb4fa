/* facility-priv.h - the struct of a facility, and its internal functions. */
#ifndef LTT_FACILITY_PRIV_H
#define LTT_FACILITY_PRIV_H

#ifndef LTT_BUILDING
#error "facility-priv.h is private to libltt; use <ltt/ltt-facility.h>"
#endif

#include <ltt/ltt-facility.h>

struct LttFacility {
	gatomicrefcount refs;
	char *name;
	char *description; /* NULL: none */
	gboolean is_bookkeeping;
	GPtrArray *events;   /* of LttEventType, owned */
	GPtrArray *types;    /* of LttNamedType, owned */
	GHashTable *by_name; /* event name -> LttEventType, once sealed */
	char *canonical;     /* once sealed */
	guint32 checksum;
	guint line;
};

/* Sets the line of the facility, or of the event or named type added last. */
void ltt_facility_set_line(LttFacility *facility, guint line);
void ltt_facility_set_event_line(LttFacility *facility, guint line);
void ltt_facility_set_type_line(LttFacility *facility, guint line);

/* Declares what the event type added last says about the states of threads and CPUs. @state:
 * (nullable): as LttEventType.state */
void ltt_facility_set_state(LttFacility *facility, const char *state);

/* Like ltt_facility_seal(), for event types that others define, such as tracepoints of the kernel: declarations
 * that do not fit the types are removed, as if they had not been made. */
gboolean ltt_facility_seal_foreign(LttFacility *facility, GError **error);

/* Returns: whether @name is a C identifier, as names in descriptions must be */
gboolean ltt_name_is_valid(const char *name);

/* Compares event types of different traces.
 * Returns: whether they have the same index in facilities with the same canonical text */
gboolean ltt_event_type_is_same(const LttEventType *a, const LttEventType *b);

/* @facility: typerefs must be resolved
 * Returns: (transfer full) (nullable): the canonical text (doc/format.md, 5); NULL if it is longer
 *   than LTT_MAX_CANONICAL_BYTES */
char *ltt_canonical_text(const LttFacility *facility);

/* Compares types whose typerefs are resolved.
 * Returns: whether they have the same canonical text, of at most LTT_MAX_CANONICAL_BYTES */
gboolean ltt_type_is_same(const LttType *a, const LttType *b);

/* Returns: the CRC-32 of IEEE 802.3, reflected, as in zlib */
guint32 ltt_crc32(const char *bytes, gsize length);

#endif
