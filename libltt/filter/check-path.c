/* check-path.c - follow the path of a filter in the descriptions of events, and suggest a similar
 * name.
 *
 * Examines types, not layouts, because a facility that is not loaded yet has no layouts.
 */
#include "filter/doubt-priv.h"

#include <ltt/ltt-nearest.h>

static gboolean has_fields(const LttType *type)
{
	return ltt_type_get_kind(type) == LTT_STRUCT || ltt_type_get_kind(type) == LTT_UNION;
}

static const LttType *find_member(const LttType *type, const char *name)
{
	for (guint i = 0; has_fields(type) && i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (g_str_equal(field->name, name))
			return field->type;
	}
	return NULL;
}

static const LttType *find_element(const LttType *type, const LttPathStep *step)
{
	if (ltt_type_get_kind(type) == LTT_SEQUENCE ||
	    (ltt_type_get_kind(type) == LTT_ARRAY &&
	     (step->is_any || step->index < ltt_type_get_n_elements(type))))
		return ltt_type_get_element(type);
	return NULL;
}

static LttFinding follow_from(const LttType *type, const GArray *path, guint first)
{
	LttFinding finding = {.n_steps = first, .last = ltt_type_resolve(type)};

	for (; finding.n_steps < path->len; finding.n_steps++) {
		const LttPathStep *step = &g_array_index(path, LttPathStep, finding.n_steps);
		const LttType *next = step->name != NULL ? find_member(finding.last, step->name)
							 : find_element(finding.last, step);

		if (next == NULL)
			return finding;
		finding.last = ltt_type_resolve(next);
	}
	finding.type = finding.last;
	return finding;
}

LttFinding ltt_path_follow(const LttEventType *type, const LttOperand *operand)
{
	const GArray *path = operand->path;
	LttFinding finding = {0};

	if (type->type == NULL)
		return finding;
	if (g_str_equal(g_array_index(path, LttPathStep, 0).name, "data"))
		finding = follow_from(type->type, path, 1);
	return finding.type != NULL || finding.n_steps > 1 ? finding
							   : follow_from(type->type, path, 0);
}

/* ---- names that are meant ---- */

/* Returns: (transfer full): the first steps of a path, as text */
static GString *path_text(const GArray *path, guint n_steps)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < n_steps; i++) {
		const LttPathStep *step = &g_array_index(path, LttPathStep, i);

		if (step->name != NULL)
			g_string_append_printf(text, "%s%s", i > 0 ? "." : "", step->name);
		else if (step->is_any)
			g_string_append(text, "[*]");
		else
			g_string_append_printf(text, "[%" G_GUINT64_FORMAT "]", step->index);
	}
	return text;
}

/* Returns: (transfer container): the names that can follow the first @n_steps steps of a path */
static GPtrArray *list_names(const GPtrArray *types, const LttOperand *operand, guint n_steps)
{
	static const char *const attributes[] = {"event", "facility", "time", "cpu",
						 "pid",   "tid",      "comm", "host"};
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < types->len; i++) {
		const LttFinding finding = ltt_path_follow(types->pdata[i], operand);

		if (finding.last == NULL || finding.n_steps != n_steps || !has_fields(finding.last))
			continue;
		for (guint j = 0; j < ltt_type_get_n_fields(finding.last); j++)
			g_ptr_array_add(names, (gpointer)ltt_type_get_field(finding.last, j)->name);
	}
	for (guint i = 0; n_steps == 0 && i < G_N_ELEMENTS(attributes); i++)
		g_ptr_array_add(names, (gpointer)attributes[i]);
	g_ptr_array_add(names, NULL);
	return names;
}

char *ltt_path_find_near(const GPtrArray *types, const LttOperand *operand)
{
	const GArray *path = operand->path;
	const LttPathStep *wrong;
	const char *near;
	g_autoptr(GPtrArray) names = NULL;
	g_autoptr(GString) meant = NULL;
	guint n_steps = 0;

	for (guint i = 0; i < types->len; i++)
		n_steps = MAX(n_steps, ltt_path_follow(types->pdata[i], operand).n_steps);
	g_return_val_if_fail(n_steps < path->len, NULL);
	wrong = &g_array_index(path, LttPathStep, n_steps);
	if (wrong->name == NULL)
		return NULL;
	names = list_names(types, operand, n_steps);
	near = ltt_nearest(wrong->name, (const char *const *)names->pdata);
	if (near == NULL)
		return NULL;
	meant = path_text(path, n_steps);
	g_string_append_printf(meant, "%s%s", n_steps > 0 ? "." : "", near);
	return g_strdup(meant->str);
}
