/* raw-type.c - the type of a tracepoint's events. */
#include "tracepoint/raw-priv.h"

#include <ltt/ltt-hash.h>

/* Returns: (transfer full): @name, or NAME_2, NAME_3 ... if @names contains it */
static char *make_unique(GHashTable *names, const char *name)
{
	char *unique = g_strdup(name);

	for (guint n = 2; g_hash_table_contains(names, unique); n++) {
		g_free(unique);
		unique = g_strdup_printf("%s_%u", name, n);
	}
	g_hash_table_add(names, g_strdup(unique));
	return unique;
}

static LttType *make_number(const LttTracepointField *field)
{
	const LttWidth width = (LttWidth)field->width;
	LttType *type = field->is_signed ? ltt_type_new_int(width) : ltt_type_new_uint(width);

	if (field->is_hex)
		ltt_type_set_format(type, "0x%x");
	return type;
}

static LttType *make_field_type(const LttTracepointField *field)
{
	switch (field->kind) {
	case LTT_TRACEPOINT_NUMBER:
		return make_number(field);
	case LTT_TRACEPOINT_ARRAY:
		return ltt_type_new_array(field->count, make_number(field));
	case LTT_TRACEPOINT_LOC_ARRAY:
		return ltt_type_new_sequence(LTT_WIDTH_4, make_number(field));
	case LTT_TRACEPOINT_LOC_TEXTS:
		return ltt_type_new_array(field->count, ltt_type_new_string());
	default:
		return ltt_type_new_string();
	}
}

/* Whether the field is the result of a system call. */
static gboolean is_result(const LttTracepoint *tracepoint, const LttTracepointField *field)
{
	return g_str_has_prefix(tracepoint->name, "sys_exit") && g_str_equal(field->name, "ret") &&
	       field->kind == LTT_TRACEPOINT_NUMBER && field->is_signed;
}

LttType *ltt_tracepoint_make_type(const LttTracepoint *tracepoint)
{
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	LttType *type = ltt_type_new_struct();

	for (guint i = 0; i < tracepoint->fields->len; i++) {
		const LttTracepointField *field =
			&g_array_index(tracepoint->fields, LttTracepointField, i);
		g_autofree char *name = NULL;
		g_autofree char *unique = NULL;

		if (ltt_tracepoint_field_is_implied(field))
			continue;
		name = ltt_tracepoint_identifier(field->name);
		unique = make_unique(names, name);
		ltt_type_add_field(type, unique, NULL, make_field_type(field));
		/* Text output shows the print format in place of the fields of this event. */
		ltt_type_show_field(type, g_str_has_prefix(field->name, "common_")
						  ? LTT_SHOW_HIDDEN
						  : LTT_SHOW_FIRST);
		if (is_result(tracepoint, field))
			ltt_type_set_field_role(type, LTT_FIELD_ERRNO);
	}
	return type;
}
