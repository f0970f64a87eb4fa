/* ctype-priv.h - the types of a facility as C types: with names and sizes.
 *
 * The tree is built once from the description; the code generators walk it. It has no typerefs: a
 * named type is one node, to which several others may point. A type at a field is named after the
 * path to the field (F_E_FIELD, F_E_FIELD_INNER), inside a named type after that type
 * (F_TYPENAME, F_TYPENAME_FIELD). Arrays and sequences have the name of their element type, which
 * alone needs one in C.
 */
#ifndef LTT_CTYPE_PRIV_H
#define LTT_CTYPE_PRIV_H

#ifndef LTT_BUILDING
#error "ctype-priv.h is private to libltt; use <ltt/ltt-codegen.h>"
#endif

#include "codegen/names-priv.h"

#include <ltt/ltt-facility.h>

/* The programs that the generated code is for. In an offline program, the sizes of short, medium
 * and long are those of the trace, so they have the widest C types; an enum is an integer, which
 * also holds values without a label. */
typedef enum LttCodeUse {
	LTT_FOR_PROBE,
	LTT_FOR_OFFLINE,
} LttCodeUse;

typedef struct LttCType LttCType;

#define LTT_WIRE_VARIES G_MAXUINT64

/* A member of a struct or union, or a parameter of a function. */
typedef struct LttCMember {
	const char *name;        /* in C */
	const char *length_name; /* parameter with the length of a sequence or string; else NULL */
	const char *description; /* untrusted; NULL: none */
	LttCType *type;
} LttCMember;

struct LttCType {
	LttCodeUse use;
	LttTypeKind kind;        /* not LTT_TYPEREF */
	const LttType *type;     /* its description */
	const char *description; /* of a named type; NULL: none */
	const char *tag;         /* enum, struct, union; a sequence that is an element or named */
	LttCType *element;       /* array, sequence */
	GArray *members;         /* of LttCMember: struct, union */
	const char *code_tag;    /* union: tag of the enum of its codes */
	GPtrArray *enumerators;  /* of const char *: for each label of an enum, member of a union */
	LttNames *member_names;  /* owns the members' names */
	guint64 wire_bytes;      /* size of each value in a trace of ILP64, or LTT_WIRE_VARIES */
	guint64 n_empty_values;  /* as in LttLayout; 0 unless wire_bytes is 0 */
	gboolean is_plain;   /* same bytes in memory as in the trace: numbers, arrays of numbers */
	gboolean is_written; /* the header has its definition */
};

/* The functions that are generated for an event. */
typedef struct LttCFunction {
	const LttEventType *event;
	const char *name;         /* "trace_F_E"; offline "write_F_E" */
	const char *n_name;       /* "trace_F_E_n": takes strings with lengths */
	const char *enabled_name; /* "trace_F_E_enabled" */
	const char *gather_name;  /* of its out-of-line function */
	const char *read_name;    /* offline: "read_F_E" */
	const char *index_name;   /* offline: enumerator "F_E_index" */
	const char *struct_tag;   /* offline: "F_E", the struct of all parameters */
	GArray *parameters;       /* of LttCMember */
} LttCFunction;

/* All types of a facility, and its functions. */
typedef struct LttCTypes {
	const LttFacility *facility;
	LttCodeUse use;
	LttNames *names;   /* in the scope of the header */
	GPtrArray *all;    /* of LttCType, owned */
	GHashTable *named; /* name of a type -> LttCType */
	GArray *functions; /* of LttCFunction, one for each event */
} LttCTypes;

/* Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT if the names alone exceed
 *   LTT_MAX_HEADER_BYTES */
LttCTypes *ltt_ctypes_new(const LttFacility *facility, LttCodeUse use, GError **error);
void ltt_ctypes_free(LttCTypes *types); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttCTypes, ltt_ctypes_free)

/* Returns: the C type of named type @index of the facility */
static inline LttCType *ltt_ctypes_get_named(const LttCTypes *types, guint index)
{
	const LttNamedType *named = ltt_facility_get_type(types->facility, index);

	return (LttCType *)g_hash_table_lookup(types->named, named->name);
}

/* Returns: the number of members of a struct or union; 0 for other types */
static inline guint ltt_ctype_n_members(const LttCType *type)
{
	return type->members != NULL ? type->members->len : 0;
}

static inline const LttCMember *ltt_ctype_member(const LttCType *type, guint index)
{
	return &g_array_index(type->members, LttCMember, index);
}

/* Returns: the type without the arrays around it */
static inline LttCType *ltt_ctype_core(const LttCType *type)
{
	while (type->kind == LTT_ARRAY)
		type = type->element;
	return (LttCType *)type;
}

/* Sets the LTT_ERROR_LIMIT of a header that is too long. Returns: FALSE */
gboolean ltt_fail_long_header(const LttFacility *facility, GError **error);

#endif
