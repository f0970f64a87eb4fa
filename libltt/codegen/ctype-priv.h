/* ctype-priv.h - the types of a facility as C has them: names chosen, sizes added up.
 *
 * A tree of these is made once from the description; what is written into the header then only
 * walks it. There are no typerefs in it: a named type is one node that others point to. What
 * stands at a field is named after the path to it (F_E_FIELD, F_E_FIELD_INNER), and in a named type
 * after that type (F_TYPENAME, F_TYPENAME_FIELD); arrays and sequences have the name of what they
 * are made of, since C needs one for that alone.
 */
#ifndef LTT_CTYPE_PRIV_H
#define LTT_CTYPE_PRIV_H

#ifndef LTT_BUILDING
#error "ctype-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/names-priv.h"

#include <ltt/ltt-facility.h>

typedef struct LttCType LttCType;

#define LTT_WIRE_VARIES G_MAXUINT64

/* A field: member of a struct or union, or parameter of a function. */
typedef struct LttCMember {
	const char *name;        /* in C */
	const char *length_name; /* parameter that counts a sequence or a string; else NULL */
	const char *description; /* untrusted; NULL: none */
	LttCType *type;
} LttCMember;

struct LttCType {
	LttTypeKind kind;        /* not LTT_TYPEREF */
	const LttType *type;     /* what it was made from */
	const char *description; /* of a named type; NULL: none */
	const char *tag;         /* enum, struct, union; a sequence that is an element or named */
	LttCType *element;       /* array, sequence */
	GArray *members;         /* of LttCMember: struct, union */
	const char *code_tag;    /* of the enum of its codes: union */
	GPtrArray *
		enumerators; /* of const char *: one for each label of an enum, member of a union */
	LttNames *member_names; /* owns the members' names */
	guint64 wire_bytes; /* what each value takes on the widest machine; or LTT_WIRE_VARIES */
	guint64 n_empty_values; /* as in LttLayout; 0 unless wire_bytes is 0 */
	gboolean is_plain; /* lies in memory as in the trace, packed: numbers and arrays of them */
	gboolean is_written; /* whether its definition is in the header */
};

/* What is made for an event. */
typedef struct LttCFunction {
	const LttEventType *event;
	const char *name;         /* "trace_F_E" */
	const char *n_name;       /* "trace_F_E_n", where strings have lengths */
	const char *enabled_name; /* "trace_F_E_enabled" */
	const char *gather_name;  /* of the function behind it, if it needs one */
	GArray *parameters;       /* of LttCMember */
} LttCFunction;

/* All types of a facility, and the functions that have them. */
typedef struct LttCTypes {
	const LttFacility *facility;
	LttNames *names;   /* of the whole header */
	GPtrArray *all;    /* of LttCType, owned */
	GHashTable *named; /* name of a type -> LttCType */
	GArray *functions; /* of LttCFunction, one for each event */
} LttCTypes;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT if names alone would be longer
 *   than a header may be */
LttCTypes *ltt_ctypes_new(const LttFacility *facility, GError **error);
void ltt_ctypes_free(LttCTypes *types); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttCTypes, ltt_ctypes_free)

/* Returns: what type @index of the facility is in C */
static inline LttCType *ltt_ctypes_get_named(const LttCTypes *types, guint index)
{
	const LttNamedType *named = ltt_facility_get_type(types->facility, index);

	return (LttCType *)g_hash_table_lookup(types->named, named->name);
}

/* Returns: members of a struct or union; 0 for the others */
static inline guint ltt_ctype_n_members(const LttCType *type)
{
	return type->members != NULL ? type->members->len : 0;
}

static inline const LttCMember *ltt_ctype_member(const LttCType *type, guint index)
{
	return &g_array_index(type->members, LttCMember, index);
}

/* Returns: the type with all arrays around it taken off */
static inline LttCType *ltt_ctype_core(const LttCType *type)
{
	while (type->kind == LTT_ARRAY)
		type = type->element;
	return (LttCType *)type;
}

/* Sets the LTT_ERROR_LIMIT of a header too long; FALSE. */
gboolean ltt_fail_long_header(const LttFacility *facility, GError **error);

#endif
