/* type.c - build and query types. */
#include "model/type-priv.h"

static const char *const kind_names[LTT_N_TYPE_KINDS] = {
	[LTT_INT] = "int",           [LTT_UINT] = "uint",     [LTT_FLOAT] = "float",
	[LTT_STRING] = "string",     [LTT_ENUM] = "enum",     [LTT_ARRAY] = "array",
	[LTT_SEQUENCE] = "sequence", [LTT_STRUCT] = "struct", [LTT_UNION] = "union",
	[LTT_TYPEREF] = "typeref",
};

static void clear_field(gpointer data)
{
	LttField *field = data;

	g_free(field->name);
	g_free(field->description);
	ltt_type_unref(field->type);
}

static void clear_label(gpointer data)
{
	g_free(((LttLabel *)data)->name);
}

static LttType *new_type(LttTypeKind kind, LttWidth width)
{
	LttType *type = g_new0(LttType, 1);

	g_atomic_ref_count_init(&type->refs);
	type->kind = kind;
	type->width = width;
	if (kind == LTT_STRUCT || kind == LTT_UNION) {
		type->fields = g_array_new(FALSE, FALSE, sizeof(LttField));
		g_array_set_clear_func(type->fields, clear_field);
	}
	if (kind == LTT_ENUM) {
		type->labels = g_array_new(FALSE, FALSE, sizeof(LttLabel));
		g_array_set_clear_func(type->labels, clear_label);
	}
	return type;
}

LttType *ltt_type_new_int(LttWidth width)
{
	return new_type(LTT_INT, width);
}

LttType *ltt_type_new_uint(LttWidth width)
{
	return new_type(LTT_UINT, width);
}

LttType *ltt_type_new_float(LttWidth width)
{
	return new_type(LTT_FLOAT, width);
}

LttType *ltt_type_new_string(void)
{
	return new_type(LTT_STRING, LTT_WIDTH_NONE);
}

LttType *ltt_type_new_enum(LttWidth width)
{
	return new_type(LTT_ENUM, width);
}

LttType *ltt_type_new_array(guint64 n_elements, LttType *element)
{
	LttType *type = new_type(LTT_ARRAY, LTT_WIDTH_NONE);

	type->n_elements = n_elements;
	type->element = element;
	return type;
}

LttType *ltt_type_new_sequence(LttWidth length_width, LttType *element)
{
	LttType *type = new_type(LTT_SEQUENCE, length_width);

	type->element = element;
	return type;
}

LttType *ltt_type_new_struct(void)
{
	return new_type(LTT_STRUCT, LTT_WIDTH_NONE);
}

LttType *ltt_type_new_union(LttWidth code_width)
{
	return new_type(LTT_UNION, code_width);
}

LttType *ltt_type_new_typeref(const char *name)
{
	LttType *type = new_type(LTT_TYPEREF, LTT_WIDTH_NONE);

	type->ref_name = g_strdup(name);
	return type;
}

void ltt_type_add_label(LttType *type, const char *name, gint64 value)
{
	LttLabel label = {.name = g_strdup(name), .value = value, .is_negative = value < 0};

	g_assert(type->kind == LTT_ENUM);
	g_array_append_val(type->labels, label);
}

void ltt_type_add_label_unsigned(LttType *type, const char *name, guint64 value)
{
	LttLabel label = {.name = g_strdup(name), .value = (gint64)value};

	g_assert(type->kind == LTT_ENUM);
	g_array_append_val(type->labels, label);
}

void ltt_type_add_field(LttType *type, const char *name, const char *description, LttType *field)
{
	LttField added = {
		.name = g_strdup(name), .description = g_strdup(description), .type = field};

	g_assert(type->fields != NULL);
	g_array_append_val(type->fields, added);
}

void ltt_type_show_field(LttType *type, LttShow show)
{
	g_assert(type->fields != NULL && type->fields->len > 0);
	g_array_index(type->fields, LttField, type->fields->len - 1).show = show;
}

void ltt_type_set_field_role(LttType *type, LttFieldRole role)
{
	g_assert(type->fields != NULL && type->fields->len > 0);
	g_array_index(type->fields, LttField, type->fields->len - 1).role = role;
}

void ltt_type_set_format(LttType *type, const char *format)
{
	g_free(type->format);
	type->format = g_strdup(format);
}

void ltt_type_set_line(LttType *type, guint line)
{
	type->line = line;
}

LttType *ltt_type_ref(LttType *type)
{
	g_atomic_ref_count_inc(&type->refs);
	return type;
}

void ltt_type_unref(LttType *type)
{
	if (type == NULL || !g_atomic_ref_count_dec(&type->refs))
		return;
	ltt_type_unref(type->element);
	g_clear_pointer(&type->fields, g_array_unref);
	g_clear_pointer(&type->labels, g_array_unref);
	g_free(type->format);
	g_free(type->ref_name);
	g_free(type);
}

LttTypeKind ltt_type_get_kind(const LttType *type)
{
	return type->kind;
}

LttWidth ltt_type_get_width(const LttType *type)
{
	return type->width;
}

const char *ltt_type_get_format(const LttType *type)
{
	return type->format;
}

const LttType *ltt_type_get_element(const LttType *type)
{
	return type->element;
}

guint64 ltt_type_get_n_elements(const LttType *type)
{
	return type->n_elements;
}

guint ltt_type_get_n_fields(const LttType *type)
{
	return type->fields != NULL ? type->fields->len : 0;
}

const LttField *ltt_type_get_field(const LttType *type, guint index)
{
	g_return_val_if_fail(index < ltt_type_get_n_fields(type), NULL);
	return &g_array_index(type->fields, LttField, index);
}

guint ltt_type_get_n_labels(const LttType *type)
{
	return type->labels != NULL ? type->labels->len : 0;
}

const LttLabel *ltt_type_get_label(const LttType *type, guint index)
{
	g_return_val_if_fail(index < ltt_type_get_n_labels(type), NULL);
	return &g_array_index(type->labels, LttLabel, index);
}

gboolean ltt_type_is_signed(const LttType *type)
{
	if (type->kind == LTT_INT)
		return TRUE;
	for (guint i = 0; i < ltt_type_get_n_labels(type); i++) {
		if (ltt_type_get_label(type, i)->is_negative)
			return TRUE;
	}
	return FALSE;
}

const char *ltt_type_get_ref_name(const LttType *type)
{
	return type->ref_name;
}

const LttType *ltt_type_resolve(const LttType *type)
{
	while (type != NULL && type->kind == LTT_TYPEREF)
		type = type->target;
	return type;
}

const char *ltt_type_kind_name(LttTypeKind kind)
{
	return kind_names[kind];
}
