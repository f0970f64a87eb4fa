/* ltt-layout.h - a type as bytes: sizes and offsets under one architecture (doc/format.md, 8.4).
 *
 * A layout is made once for each event type of a trace. It has no typerefs and no symbolic
 * sizes. Where every value of a type takes the same number of bytes, that number is known here,
 * and so is the offset of each member before the first one of varying size: reading such a
 * member is one addition.
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
	guint64 offset_bytes; /* from the start of the struct, or behind a union's code; or
			       * LTT_OFFSET_VARIES */
} LttMember;

/* Read only. */
struct LttLayout {
	const LttType *type;    /* what is laid out; never a typeref */
	LttTypeKind kind;       /* of type */
	guint8 width_bytes;     /* of a number, a sequence's length, a union's code; else 0 */
	gboolean is_signed;     /* int, and enum with a negative label */
	gboolean is_fixed;      /* every value takes min_bytes */
	guint32 n_empty_values; /* values that stand in no bytes, itself and all inside; 0: it takes
				   some */
	guint64 min_bytes;      /* the least that a value takes */
	guint64 n_elements;     /* array */
	const LttLayout *element; /* array, sequence */
	guint n_members;          /* struct, union */
	const LttMember *members;
};

/* The layouts of all events of a facility under one architecture. */
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

/* Returns: (transfer none) (nullable): the layout of event @index's payload; NULL: it has none */
const LttLayout *ltt_layouts_get(const LttLayouts *layouts, guint index);

/* Ceiling on elements that take no bytes: an array of them may have no more (that is checked
 * when the facility is sealed), nor may a sequence (that is damage). Nested ones multiply. */
#define LTT_MAX_EMPTY_VALUES 4096

/**
 * ltt_layout_measure:
 * @layout: what the bytes are
 * @bytes: the first of @available bytes
 * @byte_order: of the bytes
 * @size_bytes: (out): how many of them the value takes; set on success
 * @why: (out) (optional): a static text, what is wrong, set on failure
 *
 * Walks a value without trusting anything in it: counts, codes, ends of strings.
 * Whatever it accepts, ltt-value.h can read without going outside @bytes.
 *
 * Returns: FALSE if the bytes end before the value does, a union's code names no member, a string
 *   has no end, or a sequence of elements that take no bytes is longer than LTT_MAX_EMPTY_VALUES
 */
gboolean ltt_layout_measure(const LttLayout *layout, const guint8 *bytes, gsize available,
			    LttByteOrder byte_order, gsize *size_bytes, const char **why);

G_END_DECLS

#endif /* LTT_LAYOUT_H */
