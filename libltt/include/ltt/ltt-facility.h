/* ltt-facility.h - a named group of event types, the unit of description (doc/format.md, 8).
 *
 * A facility comes from XML (ltt-eventdefs.h) or from code:
 *
 *	LttFacility *f = ltt_facility_new("disk");
 *	LttType *payload = ltt_type_new_struct();
 *	ltt_type_add_field(payload, "sector", NULL, ltt_type_new_uint(LTT_WIDTH_8));
 *	ltt_facility_add_event(f, "read", "A sector was read", payload);
 *	ltt_facility_seal(f, &error);
 *
 * Sealing checks everything, resolves typerefs and computes the checksum. A sealed facility is
 * immutable and may be used from several threads.
 */
#ifndef LTT_FACILITY_H
#define LTT_FACILITY_H

#include <ltt/ltt-type.h>

G_BEGIN_DECLS

/* Limits; a description that exceeds one is an error (doc/format.md, 8.6). */
#define LTT_MAX_TYPE_DEPTH      64                 /* nesting; a typeref counts as a level */
#define LTT_MAX_CANONICAL_BYTES (1024 * 1024)      /* the text that the checksum covers */
#define LTT_MAX_EVENTS          4096               /* event types in a facility */
#define LTT_MAX_FIXED_BYTES     ((guint64)1 << 31) /* minimum size of an event's payload */
#define LTT_MAX_ARRAY_ELEMENTS  ((guint64)G_MAXINT32)

typedef struct LttFacility LttFacility;

/* One type of event. Read only; lives as long as its facility. */
typedef struct LttEventType {
	const LttFacility *facility;
	guint index;       /* in the facility; the event id is the base code plus this */
	char *name;        /* "schedchange" */
	char *full_name;   /* "core.schedchange" */
	char *description; /* NULL: none */
	char *print; /* print expression (doc/format.md, 8.7); untrusted. NULL: show the fields */
	gboolean is_hidden; /* dumps show it only on request */
	LttType *type;      /* payload; NULL: none */
	char *ends; /* the event type of the facility whose events it ends (doc/format.md, 8.9);
		       NULL: not declared */
	char *key; /* field that a begin and its end have in common: "FIELD", or "FIELD=FIELD" of the
		       begin and of the end; NULL: their thread */
	char *state; /* effect of the event on the states of threads and CPUs (doc/format.md,
			8.10): "wakeup thread=pid"; NULL: nothing */
	guint line;  /* in the description; 0: unknown */
} LttEventType;

/* A named type, the target of typerefs. Read only. */
typedef struct LttNamedType {
	char *name;
	char *description; /* NULL: none */
	LttType *type;
	guint line;
} LttNamedType;

/* Returns: (transfer full): an empty facility with one reference */
LttFacility *ltt_facility_new(const char *name);

/* Add an event type or a named type to a facility that is not sealed yet.
 * @description: (nullable): copied, as is @name
 * @type: (transfer full): nullable for an event */
void ltt_facility_add_event(LttFacility *facility, const char *name, const char *description,
			    LttType *type);
void ltt_facility_add_type(LttFacility *facility, const char *name, const char *description,
			   LttType *type);

/* Set the print expression (nullable) and the hidden flag of the event type added last. */
void ltt_facility_set_print(LttFacility *facility, const char *print);
void ltt_facility_set_hidden(LttFacility *facility, gboolean is_hidden);

/* At the end of a field in a key: begin and end are of the same process. */
#define LTT_KEY_OF_PROCESS "@pid"

/* Declares that the event type added last ends what events of the type @ends began. @key: (nullable):
 * as LttEventType.key */
void ltt_facility_set_ends(LttFacility *facility, const char *ends, const char *key);

void ltt_facility_set_description(LttFacility *facility, const char *description);

/* Sets whether the events describe the recording from which a trace was imported, and not the
 * machine (doc/format.md, 8.8). Importers set it. */
void ltt_facility_set_bookkeeping(LttFacility *facility, gboolean is_bookkeeping);

/**
 * ltt_facility_seal:
 *
 * Checks names, sizes, labels, formats, typerefs, recursion and the limits.
 *
 * Returns: FALSE with LTT_ERROR_DESCRIPTION and all mistakes in the message, one line each
 *   ("line 12: ..." where lines are known); the facility can then only be unreffed
 */
gboolean ltt_facility_seal(LttFacility *facility, GError **error);

LttFacility *ltt_facility_ref(LttFacility *facility);
void ltt_facility_unref(LttFacility *facility); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFacility, ltt_facility_unref)

const char *ltt_facility_get_name(const LttFacility *facility);
const char *ltt_facility_get_description(const LttFacility *facility); /* (nullable) */

gboolean ltt_facility_is_bookkeeping(const LttFacility *facility);

/* Returns: the CRC-32 that identifies a version of a facility (doc/format.md, 5) */
guint32 ltt_facility_get_checksum(const LttFacility *facility);

/* Returns: the canonical text, of which the checksum is the CRC-32 */
const char *ltt_facility_get_canonical(const LttFacility *facility);

guint ltt_facility_get_n_events(const LttFacility *facility);
const LttEventType *ltt_facility_get_event(const LttFacility *facility, guint index);

/* Returns: (nullable): the event named @name ("schedchange") */
const LttEventType *ltt_facility_find_event(const LttFacility *facility, const char *name);

guint ltt_facility_get_n_types(const LttFacility *facility);
const LttNamedType *ltt_facility_get_type(const LttFacility *facility, guint index);

G_END_DECLS

#endif /* LTT_FACILITY_H */
