/* ltt-layout.h - sizes and offsets of a type on one architecture (doc/format.md, 8.4).
 *
 * A layout is computed once for each event type of a trace. It has no typerefs and no symbolic
 * sizes. It knows the size of types whose values all take the same number of bytes, and the offset
 * of each member up to and including the first one of variable size: finding such a member is one
 * addition.
 */
#ifndef LTT_LAYOUT_H
#define LTT_LAYOUT_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-type.h>

G_BEGIN_DECLS

typedef struct LttLayout LttLayout;

#define LTT_OFFSET_VARIES G_MAXUINT64

typedef struct LttMember {
	const char *name;
	const LttLayout *layout;
	guint64 offset_bytes; /* from the start of the struct, or from the end of a union's code;
				 or LTT_OFFSET_VARIES */
} LttMember;

/* Read only. */
struct LttLayout {
	const LttType *type;      /* never a typeref */
	LttTypeKind kind;         /* of type */
	guint8 width_bytes;       /* of a number, a sequence's length, a union's code; else 0 */
	gboolean is_signed;       /* int, and enum with a negative label */
	gboolean is_fixed;        /* every value takes min_bytes */
	guint32 n_empty_values;   /* if a value takes no bytes: 1 plus the number of values inside;
				   else 0 */
	guint64 min_bytes;        /* minimum size of a value */
	guint64 n_elements;       /* array */
	const LttLayout *element; /* array, sequence */
	guint n_members;          /* struct, union */
	const LttMember *members;
};

/* The layouts of all events of a facility on one architecture. */
typedef struct LttLayouts LttLayouts;

/**
 * ltt_layouts_new:
 * @facility: sealed; must outlive the layouts
 *
 * Returns: (transfer full): free it with ltt_layouts_free()
 */
LttLayouts *ltt_layouts_new(const LttFacility *facility, const LttArch *arch);
void ltt_layouts_free(LttLayouts *layouts); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttLayouts, ltt_layouts_free)

/* Returns: (transfer none) (nullable): the layout of event @index; NULL: it has no payload */
const LttLayout *ltt_layouts_get(const LttLayouts *layouts, guint index);

/* Limit on elements that take no bytes. Sealing a facility rejects longer arrays of them; a longer
 * sequence is damage. Nested elements multiply. */
#define LTT_MAX_EMPTY_VALUES 4096

/**
 * ltt_layout_measure:
 * @bytes: the first of @available bytes
 * @size_bytes: (out): the size of the value; set on success
 * @why: (out) (optional): a static text that says what is wrong; set on failure
 *
 * Measures and validates a value, trusting none of its counts, union codes and string ends. The
 * functions of ltt-value.h read a value that passes without leaving @bytes.
 *
 * Returns: FALSE if the value is longer than @available, a union's code names no member, a string
 *   has no NUL, or a sequence of elements that take no bytes is longer than LTT_MAX_EMPTY_VALUES
 */
gboolean ltt_layout_measure(const LttLayout *layout, const guint8 *bytes, gsize available,
			    LttByteOrder byte_order, gsize *size_bytes, const char **why);

G_END_DECLS

#endif /* LTT_LAYOUT_H */
