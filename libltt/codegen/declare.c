/* declare.c - declarations and definitions of C types.
 *
 * ISO C has no array of 0 elements: it is declared with 1 element, which is never read. Nor has it
 * a struct without members, whose size differs between GNU C and C++: it gets an unused member.
 */
#include "codegen/declare-priv.h"

const char *ltt_c_integer(LttWidth width, gboolean is_signed)
{
	switch (width) {
	case LTT_WIDTH_1:
		return is_signed ? "int8_t" : "uint8_t";
	case LTT_WIDTH_2:
		return is_signed ? "int16_t" : "uint16_t";
	case LTT_WIDTH_4:
		return is_signed ? "int32_t" : "uint32_t";
	case LTT_WIDTH_8:
		return is_signed ? "int64_t" : "uint64_t";
	case LTT_WIDTH_SHORT:
		return is_signed ? "short" : "unsigned short";
	case LTT_WIDTH_MEDIUM:
		return is_signed ? "int" : "unsigned int";
	default:
		return is_signed ? "long" : "unsigned long";
	}
}

const char *ltt_c_integer_of(const LttCType *type, gboolean is_signed)
{
	const LttWidth width = ltt_type_get_width(type->type);

	if (type->use == LTT_FOR_PROBE || width < LTT_WIDTH_SHORT)
		return ltt_c_integer(width, is_signed);
	return ltt_c_integer(width == LTT_WIDTH_SHORT ? LTT_WIDTH_2 : LTT_WIDTH_8, is_signed);
}

static char *specifier(const LttCType *type)
{
	const LttWidth width = ltt_type_get_width(type->type);

	switch (type->kind) {
	case LTT_INT:
	case LTT_UINT:
		return g_strdup(ltt_c_integer_of(type, type->kind == LTT_INT));
	case LTT_FLOAT:
		return g_strdup(ltt_arch_float_bytes(width) == 4 ? "float" : "double");
	case LTT_ENUM:
		return type->use == LTT_FOR_OFFLINE
			       ? g_strdup(ltt_c_integer_of(type, ltt_type_is_signed(type->type)))
			       : g_strdup_printf("enum %s", type->tag);
	default:
		g_assert(type->tag != NULL);
		return g_strdup_printf("struct %s", type->tag);
	}
}

/* "name[3][4]" for an array of 3 arrays of 4 */
static char *with_dimensions(const LttCType *type, const char *declarator)
{
	GString *text = g_string_new(declarator);

	for (; type->kind == LTT_ARRAY; type = type->element) {
		const guint64 n_elements = ltt_type_get_n_elements(type->type);

		g_string_append_printf(text, "[%" G_GUINT64_FORMAT "]", MAX(n_elements, 1));
	}
	return g_string_free(text, FALSE);
}

char *ltt_c_declaration(const LttCType *type, const char *declarator, gboolean is_const)
{
	const LttCType *core = ltt_ctype_core(type);
	g_autofree char *name = with_dimensions(type, declarator);
	g_autofree char *word = NULL;

	if (core->kind == LTT_STRING)
		return g_strdup_printf("const char *%s%s", is_const ? "const " : "", name);
	word = specifier(core);
	return g_strdup_printf("%s%s %s", is_const ? "const " : "", word, name);
}

char *ltt_c_pointer(const LttCType *type, const char *name)
{
	const gboolean is_array = type->kind == LTT_ARRAY;
	g_autofree char *declarator =
		g_strconcat(is_array ? "(*" : "*", name, is_array ? ")" : "", NULL);

	return ltt_c_declaration(type, declarator, TRUE);
}

/* ---- definitions ---- */

static char *label_value(const LttLabel *label)
{
	const gint64 value = label->value;

	if (!label->is_negative && value < 0)
		return g_strdup_printf("%" G_GUINT64_FORMAT "ULL", (guint64)value);
	if (value == G_MININT64)
		return g_strdup_printf("(-%" G_GINT64_FORMAT "LL - 1)", G_MAXINT64);
	if (value == G_MININT32)
		return g_strdup_printf("(-%d - 1)", G_MAXINT32);
	return g_strdup_printf("%" G_GINT64_FORMAT "%s", value, value == (gint32)value ? "" : "LL");
}

static gboolean fits_int(const LttLabel *label)
{
	return label->value == (gint32)label->value && label->is_negative == (label->value < 0);
}

static gboolean all_fit_int(const LttCType *type)
{
	for (guint i = 0; i < ltt_type_get_n_labels(type->type); i++) {
		if (!fits_int(ltt_type_get_label(type->type, i)))
			return FALSE;
	}
	return TRUE;
}

/* Writes an enumerator, with its label in a comment if the name differs from it. */
static void write_enumerator(LttText *text, const LttCType *type, guint index)
{
	const LttLabel *label = ltt_type_get_label(type->type, index);
	const char *name = type->enumerators->pdata[index];
	g_autofree char *value = label_value(label);
	g_autofree char *expected = g_strdup_printf("%s_%s", type->tag, label->name);
	g_autofree char *words = NULL;

	if (g_str_equal(name, expected)) {
		ltt_text_line(text, "%s = %s,", name, value);
		return;
	}
	words = ltt_comment_words(label->name);
	ltt_text_line(text, "%s = %s, /* %s */", name, value, words);
}

static void write_enum(LttText *text, const LttCType *type)
{
	const guint n_labels = ltt_type_get_n_labels(type->type);

	/* In ISO C, enumerators must be ints. */
	ltt_text_open(text, "%senum %s {", all_fit_int(type) ? "" : "__extension__ ", type->tag);
	for (guint i = 0; i < n_labels && !text->is_full; i++)
		write_enumerator(text, type, i);
	ltt_text_close(text, "};");
}

static void write_sequence_members(LttText *text, const LttCType *type)
{
	g_autofree char *items = NULL;

	g_assert(type->element != NULL);
	items = ltt_c_pointer(type->element, "items");
	ltt_text_line(text, "size_t length;");
	ltt_text_line(text, "%s;", items);
}

static void write_member(LttText *text, const LttCType *type, const char *name, const char *words)
{
	const LttCType *core = ltt_ctype_core(type);
	g_autofree char *declaration = NULL;

	if (core->kind == LTT_SEQUENCE && core->tag == NULL) {
		declaration = with_dimensions(type, name);
		if (words[0] != '\0')
			ltt_text_comment(text, words);
		ltt_text_open(text, "struct {");
		write_sequence_members(text, core);
		ltt_text_close(text, "} %s;", declaration);
		return;
	}
	declaration = ltt_c_declaration(type, name, FALSE);
	ltt_text_member(text, declaration, words);
}

/* Offline, an enum is an integer; the comment lists its constants. */
static char *describe_member(const LttCMember *member)
{
	const LttCType *core = ltt_ctype_core(member->type);
	g_autofree char *words = ltt_comment_words(member->description);

	if (core->use == LTT_FOR_PROBE || core->kind != LTT_ENUM)
		return g_steal_pointer(&words);
	return g_strdup_printf("enum %s%s%s", core->tag, words[0] != '\0' ? ": " : "", words);
}

static void write_struct_members(LttText *text, const GArray *members)
{
	for (guint i = 0; i < members->len && !text->is_full; i++) {
		const LttCMember *member = &g_array_index(members, LttCMember, i);
		g_autofree char *words = describe_member(member);

		write_member(text, member->type, member->name, words);
	}
	if (members->len == 0)
		ltt_text_line(text, "char ltt_nothing; /* not in the trace */");
}

/* Writes the enum of the codes of a union. */
static void write_codes(LttText *text, const LttCType *type)
{
	if (ltt_ctype_n_members(type) == 0)
		return;
	ltt_text_open(text, "enum %s {", type->code_tag);
	for (guint i = 0; i < ltt_ctype_n_members(type) && !text->is_full; i++)
		ltt_text_line(text, "%s = %u,", (const char *)type->enumerators->pdata[i], i);
	ltt_text_close(text, "};");
	ltt_text_gap(text);
}

static void write_union_members(LttText *text, const LttCType *type)
{
	ltt_text_line(text, "%s code; /* which member of u is there: an enum %s */",
		      ltt_c_integer_of(type, FALSE), type->code_tag);
	ltt_text_open(text, "union {");
	for (guint i = 0; i < ltt_ctype_n_members(type) && !text->is_full; i++) {
		const LttCMember *member = ltt_ctype_member(type, i);
		g_autofree char *description = describe_member(member);
		g_autofree char *words = g_strdup_printf(
			"code %u%s%s", i, description[0] != '\0' ? ": " : "", description);

		write_member(text, member->type, member->name, words);
	}
	ltt_text_close(text, "} u;");
}

static void write_definition(LttText *text, const LttCType *type)
{
	g_autofree char *words = ltt_comment_words(type->description);

	if (type->kind == LTT_UNION)
		write_codes(text, type);
	if (words[0] != '\0')
		ltt_text_comment(text, words);
	if (type->kind == LTT_ENUM) {
		write_enum(text, type);
	} else {
		ltt_text_open(text, "struct %s {", type->tag);
		if (type->kind == LTT_STRUCT)
			write_struct_members(text, type->members);
		else if (type->kind == LTT_UNION)
			write_union_members(text, type);
		else
			write_sequence_members(text, type);
		ltt_text_close(text, "};");
	}
	ltt_text_gap(text);
}

void ltt_write_definitions(LttText *text, LttCType *type)
{
	if (type->is_written || text->is_full)
		return;
	type->is_written = TRUE;
	if (type->element != NULL)
		ltt_write_definitions(text, type->element);
	for (guint i = 0; i < ltt_ctype_n_members(type); i++)
		ltt_write_definitions(text, ltt_ctype_member(type, i)->type);
	if (type->tag != NULL)
		write_definition(text, type);
}

void ltt_write_event_struct(LttText *text, const char *tag, const GArray *members,
			    const char *description)
{
	g_autofree char *words = ltt_comment_words(description);

	if (words[0] != '\0')
		ltt_text_comment(text, words);
	ltt_text_open(text, "struct %s {", tag);
	write_struct_members(text, members);
	ltt_text_close(text, "};");
	ltt_text_gap(text);
}
