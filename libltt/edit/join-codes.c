/* join-codes.c - map the event ids of several traces to the ids of the new trace. */
#include "edit/join-priv.h"

#include <string.h>

/* Returns: whether a type has a size that depends on the machine, such as that of int or long */
static gboolean has_machine_sizes(const LttFacility *facility)
{
	static const char *const kinds[] = {"int(", "enum(", "sequence(", "union("};
	const char *text = ltt_facility_get_canonical(facility);

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		for (const char *at = text; (at = strstr(at, kinds[i])) != NULL;) {
			at += strlen(kinds[i]);
			if (g_str_has_prefix(at, "medium") || g_str_has_prefix(at, "long"))
				return TRUE;
		}
	}
	return FALSE;
}

/* Returns: whether any facility of the trace has such a type */
static gboolean describes_machine_sizes(const LttTrace *trace)
{
	for (guint i = 0; i < trace->described->len; i++) {
		if (has_machine_sizes(trace->described->pdata[i]))
			return TRUE;
	}
	return FALSE;
}

gboolean ltt_join_can_copy(const LttJoinWriting *writing, const LttTrace *member)
{
	const LttArch *arch = ltt_system_get_arch(member->system);

	return !ltt_system_is_dialect_22(member->system) &&
	       arch->byte_order == writing->arch.byte_order &&
	       (arch->size == writing->arch.size || !describes_machine_sizes(member));
}

/* Loads a facility of a member in the new trace, unless it is already loaded. */
gboolean ltt_join_load(LttJoinWriting *writing, const LttFacility *facility, guint32 *base_code,
		       GError **error)
{
	gpointer known;

	if (g_hash_table_lookup_extended(writing->codes, facility, NULL, &known)) {
		*base_code = GPOINTER_TO_UINT(known);
		return TRUE;
	}
	*base_code = 0;
	if (!g_str_equal(ltt_facility_get_name(facility), "builtin") &&
	    !ltt_trace_writer_load(writing->writer, facility, base_code, error))
		return FALSE;
	g_hash_table_insert(writing->codes, (gpointer)facility, GUINT_TO_POINTER(*base_code));
	return TRUE;
}

gboolean ltt_join_find_id(LttJoinWriting *writing, const LttEventType *type, guint16 *id,
			  GError **error)
{
	guint32 base_code;

	if (!ltt_join_load(writing, type->facility, &base_code, error))
		return FALSE;
	*id = (guint16)(base_code + type->index);
	return TRUE;
}

gboolean ltt_join_load_all(LttJoinWriting *writing, const LttTrace *member, GError **error)
{
	const GPtrArray *loads = member->slots->loads;
	guint32 base_code;

	for (guint i = 0; i < loads->len; i++) {
		const LttLoad *one = loads->pdata[i];

		if (!ltt_join_load(writing, one->facility, &base_code, error))
			return FALSE;
	}
	return TRUE;
}

const LttLayout *ltt_join_find_layout(LttJoinWriting *writing, const LttEventType *type)
{
	LttLayouts *layouts = g_hash_table_lookup(writing->layouts, type->facility);

	if (layouts == NULL) {
		layouts = ltt_layouts_new(type->facility, &writing->arch);
		g_hash_table_insert(writing->layouts, (gpointer)type->facility, layouts);
	}
	return ltt_layouts_get(layouts, type->index);
}
