/* extent.c - compile the plan for measuring values of a type. */
#include "reader/extent-priv.h"

#include <ltt/ltt-trace.h>

/* Maximum of a number of fixed bytes: no block has more. Sums of such numbers fit 64 bits. */
#define MAX_FIXED_BYTES ((guint64)1 << 31)

/* Behind so many parts, a struct within a struct is one part. Types that refer to each other could
 * multiply otherwise. */
#define MOST_PARTS 64

static gboolean has_simple_elements(const LttLayout *layout)
{
	return layout->kind == LTT_SEQUENCE && layout->element->is_fixed &&
	       layout->element->min_bytes > 0 && layout->element->min_bytes <= MAX_FIXED_BYTES;
}

static guint32 get_member_bytes(const LttLayout *layout)
{
	if (layout->kind == LTT_STRING)
		return LTT_EXTENT_IS_STRING;
	return layout->is_fixed && layout->min_bytes <= MAX_FIXED_BYTES ? (guint32)layout->min_bytes
									: LTT_EXTENT_IS_OTHER;
}

static void plan_union(LttExtentPart *part, const LttLayout *layout)
{
	part->kind = LTT_EXTENT_UNION;
	part->width_bytes = layout->width_bytes;
	part->n_members = layout->n_members;
	part->member_bytes = g_new(guint32, layout->n_members);
	for (guint i = 0; i < layout->n_members; i++)
		part->member_bytes[i] = get_member_bytes(layout->members[i].layout);
}

static void add_part(GArray *parts, const LttLayout *layout, guint32 lead_bytes)
{
	LttExtentPart part = {.lead_bytes = lead_bytes, .kind = LTT_EXTENT_OTHER, .layout = layout};

	if (layout->kind == LTT_STRING) {
		part.kind = LTT_EXTENT_STRING;
	} else if (layout->kind == LTT_UNION) {
		plan_union(&part, layout);
	} else if (has_simple_elements(layout)) {
		part.kind = LTT_EXTENT_SEQUENCE;
		part.width_bytes = layout->width_bytes;
		part.element_bytes = (guint32)layout->element->min_bytes;
	}
	g_array_append_val(parts, part);
}

/* Adds the members of a struct, and those of structs in it. @fixed_bytes: before the struct
 * and after the last part. Returns: the number of bytes after the last part */
static guint64 add_members(GArray *parts, const LttLayout *layout, guint64 fixed_bytes)
{
	for (guint i = 0; i < layout->n_members; i++) {
		const LttLayout *member = layout->members[i].layout;

		if (member->is_fixed && member->min_bytes <= MAX_FIXED_BYTES - fixed_bytes) {
			fixed_bytes += member->min_bytes;
			continue;
		}
		if (member->kind == LTT_STRUCT && !member->is_fixed && parts->len < MOST_PARTS) {
			fixed_bytes = add_members(parts, member, fixed_bytes);
			continue;
		}
		add_part(parts, member, (guint32)fixed_bytes);
		fixed_bytes = 0;
	}
	return fixed_bytes;
}

LttExtent *ltt_extent_new(const LttLayout *layout)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(LttExtentPart));
	LttExtent *extent = g_new0(LttExtent, 1);

	if (layout->kind == LTT_STRUCT)
		extent->tail_bytes = (guint32)add_members(parts, layout, 0);
	else
		add_part(parts, layout, 0);
	extent->n_parts = parts->len;
	extent->parts = (LttExtentPart *)(gpointer)g_array_free(parts, FALSE);
	return extent;
}

void ltt_extent_free(LttExtent *extent)
{
	if (extent == NULL)
		return;
	for (guint i = 0; i < extent->n_parts; i++)
		g_free(extent->parts[i].member_bytes);
	g_free(extent->parts);
	g_free(extent);
}
