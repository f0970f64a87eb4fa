/* select-fields.c - find fields that a filter names but no event of the trace can have.
 *
 * Examines types, not layouts, because a facility that is not loaded yet has no layouts.
 */
#include "filter/filter-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

static const LttType *find_member(const LttType *type, const char *name)
{
	if (ltt_type_get_kind(type) != LTT_STRUCT && ltt_type_get_kind(type) != LTT_UNION)
		return NULL;
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (g_str_equal(field->name, name))
			return field->type;
	}
	return NULL;
}

static const LttType *find_element(const LttType *type, guint64 index)
{
	if (ltt_type_get_kind(type) == LTT_SEQUENCE ||
	    (ltt_type_get_kind(type) == LTT_ARRAY && index < ltt_type_get_n_elements(type)))
		return ltt_type_get_element(type);
	return NULL;
}

static gboolean leads_somewhere(const LttType *type, const GArray *path, guint first)
{
	for (guint i = first; type != NULL && i < path->len; i++) {
		const LttPathStep *step = &g_array_index(path, LttPathStep, i);

		type = ltt_type_resolve(type);
		type = step->name != NULL ? find_member(type, step->name)
					  : find_element(type, step->index);
	}
	return type != NULL;
}

static gboolean facility_has(const LttFacility *facility, const GArray *path)
{
	const gboolean is_data = g_str_equal(g_array_index(path, LttPathStep, 0).name, "data");

	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttType *type = ltt_facility_get_event(facility, i)->type;

		if (leads_somewhere(type, path, 0) || (is_data && leads_somewhere(type, path, 1)))
			return TRUE;
	}
	return FALSE;
}

static void add_strange(GPtrArray *strange, const LttOperand *operand, const char *expression,
			const GPtrArray *facilities)
{
	g_autofree char *text = NULL;

	if (operand->kind != LTT_OPERAND_PATH)
		return;
	for (guint i = 0; i < facilities->len; i++)
		if (facility_has(facilities->pdata[i], operand->path))
			return;
	text = g_strndup(expression + operand->at, operand->end - operand->at);
	if (!g_ptr_array_find_with_equal_func(strange, text, g_str_equal, NULL))
		g_ptr_array_add(strange, g_steal_pointer(&text));
}

GPtrArray *ltt_select_list_strange_fields(const LttSelect *select, const LttTrace *trace)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	GPtrArray *strange = g_ptr_array_new_with_free_func(g_free);
	const LttFilter *filter = ltt_select_get_filter(select);
	const char *expression = filter != NULL ? ltt_filter_get_expression(filter) : NULL;
	g_autoptr(GArray) tests = expression != NULL ? ltt_filter_parse(expression, NULL) : NULL;

	for (guint i = 0; tests != NULL && i < tests->len; i++) {
		const LttTest *test = &g_array_index(tests, LttTest, i);

		add_strange(strange, &test->left, expression, facilities);
		add_strange(strange, &test->right, expression, facilities);
	}
	return strange;
}
