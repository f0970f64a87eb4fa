/* layout.c - compute the layouts of types on an architecture (doc/format.md, 8.4).
 *
 * Each LttType gets one layout, however many typerefs refer to it, so the layouts form a graph no
 * larger than the description. Sealing has bounded sizes and depth: nothing here can overflow.
 */
#include "base/bytes-priv.h"

#include <ltt/ltt-layout.h>

struct LttLayouts {
	LttArch arch;
	GHashTable *by_type; /* LttType -> LttLayout, owned */
	GPtrArray *events;   /* of LttLayout, borrowed from by_type; NULL: no payload */
};

static void free_layout(gpointer data)
{
	LttLayout *layout = data;

	g_free((LttMember *)layout->members);
	g_free(layout);
}

static const LttLayout *lay_out(LttLayouts *layouts, const LttType *type);

static void lay_out_struct(LttLayouts *layouts, LttLayout *layout, LttMember *members)
{
	guint64 offset = 0;

	layout->n_empty_values = 1;
	for (guint i = 0; i < layout->n_members; i++) {
		const LttLayout *part = members[i].layout =
			lay_out(layouts, ltt_type_get_field(layout->type, i)->type);

		members[i].offset_bytes = layout->is_fixed ? offset : LTT_OFFSET_VARIES;
		layout->is_fixed = layout->is_fixed && part->is_fixed;
		layout->n_empty_values += part->n_empty_values;
		offset += part->min_bytes;
	}
	layout->min_bytes = offset;
}

static void lay_out_union(LttLayouts *layouts, LttLayout *layout, LttMember *members)
{
	guint64 least = 0;

	for (guint i = 0; i < layout->n_members; i++) {
		const LttLayout *part = members[i].layout =
			lay_out(layouts, ltt_type_get_field(layout->type, i)->type);

		members[i].offset_bytes = layout->width_bytes;
		if (i > 0 && part->min_bytes != members[0].layout->min_bytes)
			layout->is_fixed = FALSE;
		layout->is_fixed = layout->is_fixed && part->is_fixed;
		least = i == 0 ? part->min_bytes : MIN(least, part->min_bytes);
	}
	layout->min_bytes = layout->width_bytes + least;
	/* Even if all members have the same size, the reader must validate the code. */
	layout->is_fixed = FALSE;
}

static void lay_out_members(LttLayouts *layouts, LttLayout *layout)
{
	LttMember *members;

	layout->n_members = ltt_type_get_n_fields(layout->type);
	members = g_new0(LttMember, layout->n_members);
	layout->members = members;
	for (guint i = 0; i < layout->n_members; i++)
		members[i].name = ltt_type_get_field(layout->type, i)->name;
	if (layout->kind == LTT_STRUCT)
		lay_out_struct(layouts, layout, members);
	else
		lay_out_union(layouts, layout, members);
}

static void lay_out_kind(LttLayouts *layouts, LttLayout *layout)
{
	switch (layout->kind) {
	case LTT_STRING:
		layout->is_fixed = FALSE;
		layout->min_bytes = 1;
		break;
	case LTT_ARRAY:
		layout->element = lay_out(layouts, ltt_type_get_element(layout->type));
		layout->n_elements = ltt_type_get_n_elements(layout->type);
		layout->is_fixed = layout->element->is_fixed || layout->n_elements == 0;
		layout->min_bytes = layout->n_elements * layout->element->min_bytes;
		if (layout->min_bytes == 0)
			layout->n_empty_values =
				1 + (guint32)layout->n_elements * layout->element->n_empty_values;
		break;
	case LTT_SEQUENCE:
		layout->element = lay_out(layouts, ltt_type_get_element(layout->type));
		layout->is_fixed = FALSE;
		layout->min_bytes = layout->width_bytes;
		break;
	case LTT_STRUCT:
	case LTT_UNION:
		lay_out_members(layouts, layout);
		break;
	default:
		layout->min_bytes = layout->width_bytes;
		break;
	}
	if (layout->min_bytes > 0)
		layout->n_empty_values = 0;
}

static const LttLayout *lay_out(LttLayouts *layouts, const LttType *type)
{
	const LttType *resolved = ltt_type_resolve(type);
	LttLayout *layout = g_hash_table_lookup(layouts->by_type, resolved);
	LttWidth width = ltt_type_get_width(resolved);

	if (layout != NULL)
		return layout;
	layout = g_new0(LttLayout, 1);
	layout->type = resolved;
	layout->kind = ltt_type_get_kind(resolved);
	layout->is_signed = ltt_type_is_signed(resolved);
	layout->is_fixed = TRUE;
	if (layout->kind == LTT_FLOAT)
		layout->width_bytes = (guint8)ltt_arch_float_bytes(width);
	else
		layout->width_bytes = (guint8)ltt_arch_integer_bytes(&layouts->arch, width);
	lay_out_kind(layouts, layout);
	g_hash_table_insert(layouts->by_type, (gpointer)resolved, layout);
	return layout;
}

LttLayouts *ltt_layouts_new(const LttFacility *facility, const LttArch *arch)
{
	LttLayouts *layouts = g_new0(LttLayouts, 1);

	g_assert(ltt_facility_get_canonical(facility) != NULL); /* sealed */
	layouts->arch = *arch;
	layouts->by_type = g_hash_table_new_full(NULL, NULL, NULL, free_layout);
	layouts->events = g_ptr_array_new();
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttType *type = ltt_facility_get_event(facility, i)->type;

		g_ptr_array_add(layouts->events,
				type != NULL ? (gpointer)lay_out(layouts, type) : NULL);
	}
	return layouts;
}

void ltt_layouts_free(LttLayouts *layouts)
{
	if (layouts == NULL)
		return;
	g_ptr_array_unref(layouts->events);
	g_hash_table_unref(layouts->by_type);
	g_free(layouts);
}

const LttLayout *ltt_layouts_get(const LttLayouts *layouts, guint index)
{
	g_return_val_if_fail(index < layouts->events->len, NULL);
	return layouts->events->pdata[index];
}
