/* ltt-facility.h - a named group of event types, the unit of description (doc/format.md, 8).
 *
 * A facility is made by reading XML (ltt-eventdefs.h) or by hand:
 *
 *	LttFacility *f = ltt_facility_new("disk");
 *	LttType *payload = ltt_type_new_struct();
 *	ltt_type_add_field(payload, "sector", NULL, ltt_type_new_uint(LTT_WIDTH_8));
 *	ltt_facility_add_event(f, "read", "A sector was read", payload);
 *	ltt_facility_seal(f, &error);
 *
 * Sealing checks everything, resolves typerefs and computes the checksum. From then on the
 * facility does not change and may be used from several threads.
 */
#ifndef LTT_FACILITY_H
#define LTT_FACILITY_H

#include <ltt/ltt-type.h>

G_BEGIN_DECLS

/* Ceilings; a description beyond one is an error (doc/format.md, 8.6). */
#define LTT_MAX_TYPE_DEPTH      64                 /* nesting; a typeref counts as a level */
#define LTT_MAX_CANONICAL_BYTES (1024 * 1024)      /* the text under the checksum */
#define LTT_MAX_EVENTS          4096               /* event types in a facility */
#define LTT_MAX_FIXED_BYTES     ((guint64)1 << 31) /* least size of an event's payload */
#define LTT_MAX_ARRAY_ELEMENTS  ((guint64)G_MAXINT32)

typedef struct LttFacility LttFacility;

/* One type of event. Read only; lives as long as its facility. */
typedef struct LttEventType {
	const LttFacility *facility;
	guint index;       /* place in the facility: its id is that plus the base code */
	char *name;        /* "schedchange" */
	char *full_name;   /* "core.schedchange" */
	char *description; /* NULL: none */
	char *print; /* how text shows it (doc/format.md, 8.7); untrusted. NULL: by its fields */
	gboolean is_hidden; /* dumps show it only when asked to */
	LttType *type;      /* payload; NULL: none */
	guint line;         /* in the description; 0: none */
} LttEventType;

/* A type with a name, for typerefs. Read only. */
typedef struct LttNamedType {
	char *name;
	char *description; /* NULL: none */
	LttType *type;
	guint line;
} LttNamedType;

/* Returns: (transfer full): an empty facility with one reference */
LttFacility *ltt_facility_new(const char *name);

/* Adds to a facility that is not sealed yet. Strings are copied; @description may be NULL. @type
 * (nullable for an event) is taken over. */
void ltt_facility_add_event(LttFacility *facility, const char *name, const char *description,
			    LttType *type);
void ltt_facility_add_type(LttFacility *facility, const char *name, const char *description,
			   LttType *type);

/* How text shows events of the type added last; whether dumps hide them. @print: (nullable) */
void ltt_facility_set_print(LttFacility *facility, const char *print);
void ltt_facility_set_hidden(LttFacility *facility, gboolean is_hidden);
void ltt_facility_set_description(LttFacility *facility, const char *description);

/**
 * ltt_facility_seal:
 *
 * Checks names, sizes, labels, formats, typerefs, recursion and the ceilings.
 *
 * Returns: FALSE with LTT_ERROR_DESCRIPTION and all mistakes in the message, a line each
 *   ("line 12: ..." where lines are known); the facility is then only good to be unreffed
 */
gboolean ltt_facility_seal(LttFacility *facility, GError **error);

LttFacility *ltt_facility_ref(LttFacility *facility);
void ltt_facility_unref(LttFacility *facility); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFacility, ltt_facility_unref)

const char *ltt_facility_get_name(const LttFacility *facility);
const char *ltt_facility_get_description(const LttFacility *facility); /* (nullable) */

/* Returns: the CRC-32 that tells versions of a facility apart (doc/format.md, 5) */
guint32 ltt_facility_get_checksum(const LttFacility *facility);

/* Returns: the text that the checksum is taken over */
const char *ltt_facility_get_canonical(const LttFacility *facility);

guint ltt_facility_get_n_events(const LttFacility *facility);
const LttEventType *ltt_facility_get_event(const LttFacility *facility, guint index);

/* Returns: (nullable): the event called @name ("schedchange") */
const LttEventType *ltt_facility_find_event(const LttFacility *facility, const char *name);

guint ltt_facility_get_n_types(const LttFacility *facility);
const LttNamedType *ltt_facility_get_type(const LttFacility *facility, guint index);

/* Returns: whether @name is a C identifier, as names in descriptions must be */
gboolean ltt_name_is_valid(const char *name);

/* Returns: whether two event types are the same, of descriptions that say the same: those of
 * several traces */
gboolean ltt_event_type_is_same(const LttEventType *a, const LttEventType *b);

G_END_DECLS

#endif /* LTT_FACILITY_H */
