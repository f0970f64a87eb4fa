/* ltt-type.h - the types of the event description language (doc/format.md, 8).
 *
 * A type represents a description, with symbolic sizes ("long"). Build it from the inside out with
 * the ltt_type_new functions. It is reference counted, and immutable once a facility that uses it
 * is sealed (ltt-facility.h). An LttLayout (ltt-layout.h) gives its sizes and offsets on one
 * architecture.
 *
 *	<array size="3"><uint size="2"/></array>
 *	ltt_type_new_array(3, ltt_type_new_uint(LTT_WIDTH_2))
 */
#ifndef LTT_TYPE_H
#define LTT_TYPE_H

#include <ltt/ltt-arch.h>

G_BEGIN_DECLS

typedef enum LttTypeKind {
	LTT_INT,
	LTT_UINT,
	LTT_FLOAT,
	LTT_STRING,
	LTT_ENUM,
	LTT_ARRAY,
	LTT_SEQUENCE,
	LTT_STRUCT,
	LTT_UNION,
	LTT_TYPEREF,
} LttTypeKind;
#define LTT_N_TYPE_KINDS 10

typedef struct LttType LttType;

/* Where text output shows a member (doc/format.md, 8.7). */
typedef enum LttShow {
	LTT_SHOW_USUAL,
	LTT_SHOW_FIRST,  /* before the others */
	LTT_SHOW_HIDDEN, /* only on request */
} LttShow;

/* The meaning of a member's numbers. */
typedef enum LttFieldRole {
	LTT_FIELD_PLAIN,    /* no special one */
	LTT_FIELD_COUNTER,  /* a level at the time of its event (doc/format.md, 8.9) */
	LTT_FIELD_ERRNO,    /* a result of Linux: failures are negative error numbers (8.7) */
	LTT_FIELD_FUNCTION, /* the address of a function in the process (8.9) */
	LTT_FIELD_CODE,     /* addresses in code: a uint, or an array or sequence of it (8.7) */
} LttFieldRole;

/* A member of a struct or a union. */
typedef struct LttField {
	char *name;
	char *description; /* NULL: none */
	LttType *type;
	LttShow show;
	LttFieldRole role;
} LttField;

/* A label of an enum. If not negative, value holds the bits of a guint64. */
typedef struct LttLabel {
	char *name;
	gint64 value;
	gboolean is_negative;
} LttLabel;

/* Create a type. A type passed as an argument is (transfer full); strings are copied. Sealing the
 * facility, not these functions, checks that names are C identifiers, labels fit their size etc.
 *
 * Return: (transfer full): a new type with one reference */
LttType *ltt_type_new_int(LttWidth width);
LttType *ltt_type_new_uint(LttWidth width);
LttType *ltt_type_new_float(LttWidth width);
LttType *ltt_type_new_string(void);
LttType *ltt_type_new_enum(LttWidth width);
LttType *ltt_type_new_array(guint64 n_elements, LttType *element);
LttType *ltt_type_new_sequence(LttWidth length_width, LttType *element);
LttType *ltt_type_new_struct(void);
LttType *ltt_type_new_union(LttWidth code_width);
LttType *ltt_type_new_typeref(const char *name);

/* Add a label to an enum, a member to a struct or union, a printf format to a number, enum or
 * string. @field: (transfer full); @description: (nullable) */
void ltt_type_add_label(LttType *type, const char *name, gint64 value);
void ltt_type_add_label_unsigned(LttType *type, const char *name, guint64 value);
void ltt_type_add_field(LttType *type, const char *name, const char *description, LttType *field);
void ltt_type_set_format(LttType *type, const char *format);

/* Sets where text output shows the member added last. */
void ltt_type_show_field(LttType *type, LttShow show);

/* Sets the role of the member added last. */
void ltt_type_set_field_role(LttType *type, LttFieldRole role);

LttType *ltt_type_ref(LttType *type);
void ltt_type_unref(LttType *type); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttType, ltt_type_unref)

LttTypeKind ltt_type_get_kind(const LttType *type);

/* Returns: the size of an int, uint, float or enum, of a sequence's length, of a union's code;
 *   LTT_WIDTH_NONE for other types */
LttWidth ltt_type_get_width(const LttType *type);

/* Returns: (nullable): the printf format as written. It is untrusted text: ltt-format.h */
const char *ltt_type_get_format(const LttType *type);

/* Return: (transfer none): element type of an array or sequence; count of an array */
const LttType *ltt_type_get_element(const LttType *type);
guint64 ltt_type_get_n_elements(const LttType *type);

/* Members of a struct or union, in order; 0 for other types. */
guint ltt_type_get_n_fields(const LttType *type);
const LttField *ltt_type_get_field(const LttType *type, guint index);

/* Labels of an enum, in order; 0 for other types. */
guint ltt_type_get_n_labels(const LttType *type);
const LttLabel *ltt_type_get_label(const LttType *type, guint index);

/* Returns: whether the type is an int, or an enum with a negative label */
gboolean ltt_type_is_signed(const LttType *type);

/* Returns: the name that a typeref refers to */
const char *ltt_type_get_ref_name(const LttType *type);

/* Returns: (transfer none) (nullable): the type that a chain of typerefs ends at, or @type if it is
 *   no typeref; NULL for a typeref whose facility is not sealed */
const LttType *ltt_type_resolve(const LttType *type);

/* Returns: the name of the XML element: "int" ... "typeref" */
const char *ltt_type_kind_name(LttTypeKind kind);

G_END_DECLS

#endif /* LTT_TYPE_H */
