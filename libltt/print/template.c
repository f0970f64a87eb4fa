/* template.c - make the template of an event type from its layout.
 *
 * Structs disappear: their braces and the names of their members become text. The result is a flat
 * list of holes for numbers and strings, with inner templates for elements and union members.
 */
#include "print/errno-names-priv.h"
#include "print/template-priv.h"

const LttStyle ltt_style_json = {
	.struct_open = "{",
	.struct_close = "}",
	.name_open = "\"",
	.name_close = "\":",
	.between = ',',
	.string_escape = LTT_ESCAPE_JSON,
	.label_escape = LTT_ESCAPE_JSON,
	.label_quote = "\"",
	.quotes_nan = TRUE,
	.uses_formats = FALSE,
};

/* The text style and the short style differ in .is_short only. */
#define TEXT_STYLE                                                                                 \
	.struct_open = "{", .struct_close = "}", .name_open = "", .name_close = "=",               \
	.between = ' ', .string_escape = LTT_ESCAPE_TEXT, .label_escape = LTT_ESCAPE_LABEL,        \
	.label_quote = "", .quotes_nan = FALSE, .uses_formats = TRUE

const LttStyle ltt_style_text = {TEXT_STYLE};

const LttStyle ltt_style_short = {TEXT_STYLE, .is_short = TRUE};

static LttPiece take_piece(GString *text)
{
	LttPiece piece = {.length = text->len};

	piece.bytes = g_malloc0(MAX(text->len, LTT_PIECE_BYTES));
	memcpy(piece.bytes, text->str, text->len);
	g_string_truncate(text, 0);
	return piece;
}

static void clear_hole(LttHole *hole)
{
	g_free(hole->lead.bytes);
	for (guint i = 0; i < hole->n_sub; i++)
		ltt_template_free(hole->sub[i]);
	g_free(hole->sub);
	for (guint i = 0; i < hole->n_labels; i++)
		g_free(hole->labels[i].text.bytes);
	g_free(hole->labels);
	ltt_format_spec_free(hole->format);
}

void ltt_template_free(LttTemplate *tmpl)
{
	if (tmpl == NULL)
		return;
	ltt_template_free_program(tmpl);
	for (guint i = 0; i < tmpl->n_holes; i++)
		clear_hole(&tmpl->holes[i]);
	g_free(tmpl->holes);
	g_free(tmpl->tail.bytes);
	g_free(tmpl);
}

gboolean ltt_template_is_empty(const LttTemplate *tmpl)
{
	return tmpl->n_holes == 0 && tmpl->tail.length == 0;
}

void ltt_template_builder_init(LttTemplateBuilder *builder)
{
	builder->text = g_string_new(NULL);
	builder->holes = g_array_new(FALSE, FALSE, sizeof(LttHole));
}

LttTemplate *ltt_template_builder_end_part(LttTemplateBuilder *builder)
{
	LttTemplate *tmpl = g_new0(LttTemplate, 1);

	tmpl->tail = take_piece(builder->text);
	tmpl->n_holes = builder->holes->len;
	tmpl->holes = (LttHole *)(gpointer)g_array_free(builder->holes, FALSE);
	g_string_free(builder->text, TRUE);
	return tmpl;
}

LttTemplate *ltt_template_builder_end(LttTemplateBuilder *builder)
{
	LttTemplate *tmpl = ltt_template_builder_end_part(builder);

	ltt_template_compile(tmpl);
	return tmpl;
}

void ltt_template_builder_add(LttTemplateBuilder *builder, LttHole hole)
{
	hole.lead = take_piece(builder->text);
	g_array_append_val(builder->holes, hole);
}

LttTemplate **ltt_template_list(LttTemplate *only)
{
	LttTemplate **list = g_new(LttTemplate *, 1);

	list[0] = only;
	return list;
}

static gint compare_labels(gconstpointer a, gconstpointer b, gpointer user_data)
{
	const LttHoleLabel *first = a;
	const LttHoleLabel *second = b;

	(void)user_data;
	return first->value < second->value ? -1 : first->value > second->value;
}

/* Of labels with equal values the first is kept, because the sort is stable. */
void ltt_hole_set_labels(LttHole *hole, const LttType *type, LttLabelFunc prepare,
			 gconstpointer user_data)
{
	const guint n_labels = ltt_type_get_n_labels(type);
	guint kept = 0;

	hole->labels = g_new0(LttHoleLabel, n_labels);
	for (guint i = 0; i < n_labels; i++) {
		const LttLabel *label = ltt_type_get_label(type, i);
		g_autoptr(GString) text = g_string_new(NULL);

		prepare(text, label->name, user_data);
		hole->labels[i] = (LttHoleLabel){(guint64)label->value, take_piece(text)};
	}
	if (n_labels > 1)
		g_qsort_with_data(hole->labels, (gint)n_labels, sizeof(LttHoleLabel),
				  compare_labels, NULL);
	for (guint i = 0; i < n_labels; i++) {
		if (kept > 0 && hole->labels[kept - 1].value == hole->labels[i].value)
			g_free(hole->labels[i].text.bytes);
		else
			hole->labels[kept++] = hole->labels[i];
	}
	hole->n_labels = kept;
}

static void prepare_label(GString *text, const char *name, gconstpointer user_data)
{
	const LttStyle *style = user_data;

	g_string_append(text, style->label_quote);
	ltt_string_add_escaped(text, name, strlen(name), style->label_escape);
	g_string_append(text, style->label_quote);
}

static void add_name(LttTemplateBuilder *builder, const char *name, const LttStyle *style)
{
	g_string_append(builder->text, style->name_open);
	ltt_string_add_escaped(builder->text, name, strlen(name), style->string_escape);
	g_string_append(builder->text, style->name_close);
}

static void add_member(LttTemplateBuilder *builder, const LttMember *member, const LttStyle *style)
{
	add_name(builder, member->name, style);
	ltt_template_builder_add_value(builder, member->layout, style, FALSE);
}

/* Adds an address in code, or a list of them. */
static void add_code(LttTemplateBuilder *builder, const LttMember *member, const LttStyle *style)
{
	LttStyle code = *style;

	code.is_code = TRUE;
	add_member(builder, member, &code);
}

static gboolean is_code(const LttLayout *layout, guint index, const LttStyle *style)
{
	const LttFieldRole role = style->addresses != NULL && layout->kind == LTT_STRUCT
					  ? ltt_type_get_field(layout->type, index)->role
					  : LTT_FIELD_PLAIN;

	return role == LTT_FIELD_FUNCTION || role == LTT_FIELD_CODE;
}

/* Adds a result of Linux: failures are numbers with a label, such as "-2 (ENOENT)". */
static void add_result(LttTemplateBuilder *builder, const LttMember *member, const LttStyle *style)
{
	guint n_names;
	const LttErrnoName *names = ltt_errno_names(style->machine, &n_names);
	LttHole hole = {.kind = LTT_HOLE_ENUM,
			.width_bytes = member->layout->width_bytes,
			.is_signed = TRUE,
			.labels = g_new0(LttHoleLabel, n_names),
			.n_labels = n_names};

	/* As unsigned numbers, the negated ones ascend backwards. */
	for (guint i = 0; i < n_names; i++) {
		const LttErrnoName *name = &names[n_names - 1 - i];
		g_autoptr(GString) text = g_string_new(NULL);

		g_string_printf(text, "-%d (%s)", name->number, name->name);
		hole.labels[i] = (LttHoleLabel){(guint64)-name->number, take_piece(text)};
	}
	add_name(builder, member->name, style);
	ltt_template_builder_add(builder, hole);
}

static gboolean is_result(const LttLayout *layout, guint index, const LttStyle *style)
{
	return style->names_errors && layout->members[index].layout->kind == LTT_INT &&
	       ltt_type_get_field(layout->type, index)->role == LTT_FIELD_ERRNO;
}

/* Skipped members get a hole only if a written one follows. */
static void add_struct(LttTemplateBuilder *builder, const LttLayout *layout, const LttStyle *style,
		       gboolean bare, const LttChoice *choice)
{
	gboolean is_first = TRUE;
	guint done = 0;

	if (!bare)
		g_string_append(builder->text, style->struct_open);
	for (guint i = 0; i < layout->n_members; i++) {
		if (choice != NULL && !ltt_choice_has(choice, &layout->members[i]))
			continue;
		for (; done < i; done++)
			ltt_template_builder_skip(builder, layout->members[done].layout);
		if (!is_first)
			g_string_append_c(builder->text, style->between);
		if (is_result(layout, i, style))
			add_result(builder, &layout->members[i], style);
		else if (is_code(layout, i, style))
			add_code(builder, &layout->members[i], style);
		else
			add_member(builder, &layout->members[i], style);
		is_first = FALSE;
		done = i + 1;
	}
	if (!bare)
		g_string_append(builder->text, style->struct_close);
}

static void add_union(LttTemplateBuilder *builder, const LttLayout *layout, const LttStyle *style,
		      gboolean bare)
{
	LttHole hole = {.kind = LTT_HOLE_CHOICE,
			.width_bytes = layout->width_bytes,
			.sub = g_new(LttTemplate *, layout->n_members),
			.n_sub = layout->n_members};

	for (guint i = 0; i < layout->n_members; i++) {
		LttTemplateBuilder member;

		ltt_template_builder_init(&member);
		add_member(&member, &layout->members[i], style);
		hole.sub[i] = ltt_template_builder_end_part(&member);
	}
	if (!bare)
		g_string_append(builder->text, style->struct_open);
	ltt_template_builder_add(builder, hole);
	if (!bare)
		g_string_append(builder->text, style->struct_close);
}

static gboolean is_octet(const LttLayout *layout)
{
	return (layout->kind == LTT_UINT || layout->kind == LTT_INT) && layout->width_bytes == 1;
}

/* Returns: the template of an element and of the separator after it */
static LttTemplate *new_element(const LttLayout *layout, const LttStyle *style, gboolean is_part)
{
	LttTemplateBuilder element;

	ltt_template_builder_init(&element);
	ltt_template_builder_add_value(&element, layout, style, FALSE);
	g_string_append_c(element.text, style->between);
	return is_part ? ltt_template_builder_end_part(&element)
		       : ltt_template_builder_end(&element);
}

static void add_elements(LttTemplateBuilder *builder, const LttLayout *layout,
			 const LttStyle *style)
{
	const gboolean is_short = style->is_short && is_octet(layout->element);

	if (!is_short)
		g_string_append_c(builder->text, '[');
	ltt_template_builder_add(
		builder,
		(LttHole){.kind = is_short ? LTT_HOLE_OCTETS : LTT_HOLE_REPEAT,
			  .width_bytes = layout->width_bytes,
			  .n_elements = layout->n_elements,
			  .sub = ltt_template_list(new_element(layout->element, style, !is_short)),
			  .n_sub = 1});
	if (!is_short)
		g_string_append_c(builder->text, ']');
}

/* Adds a number in a format for which there is an op. Frees the format. */
static void add_simply_formatted(LttTemplateBuilder *builder, LttHole *hole)
{
	LttFormatSpec *format = g_steal_pointer(&hole->format);

	hole->kind = format->conversion == 'd'   ? LTT_HOLE_INT
		     : format->conversion == 'u' ? LTT_HOLE_UINT
						 : LTT_HOLE_HEX;
	hole->n_digits = (guint8)MAX(format->format->width, 0);
	g_string_append_len(builder->text, format->prefix->str, (gssize)format->prefix->len);
	ltt_template_builder_add(builder, *hole);
	g_string_append_len(builder->text, format->suffix->str, (gssize)format->suffix->len);
	ltt_format_spec_free(format);
}

/* A number, string or enum. */
static void add_scalar(LttTemplateBuilder *builder, const LttLayout *layout, const LttStyle *style)
{
	static const LttHoleKind kinds[LTT_N_TYPE_KINDS] = {
		[LTT_INT] = LTT_HOLE_INT,     [LTT_UINT] = LTT_HOLE_UINT,
		[LTT_FLOAT] = LTT_HOLE_FLOAT, [LTT_STRING] = LTT_HOLE_STRING,
		[LTT_ENUM] = LTT_HOLE_ENUM,
	};
	LttHole hole = {.kind = kinds[layout->kind],
			.type = layout->kind,
			.width_bytes = layout->width_bytes,
			.is_signed = layout->is_signed,
			.quotes_nan = style->quotes_nan,
			.escape = style->string_escape};
	const char *quote = layout->kind == LTT_STRING ? "\"" : "";

	if (style->is_code && layout->kind == LTT_UINT) {
		hole.kind = LTT_HOLE_ADDRESS;
		hole.addresses = style->addresses;
		ltt_template_builder_add(builder, hole);
		return;
	}
	if (style->uses_formats)
		hole.format = ltt_format_spec_new(layout->type, layout->kind == LTT_STRING
									? style->string_escape
									: style->label_escape);
	if (hole.format != NULL && hole.format->is_simple) {
		add_simply_formatted(builder, &hole);
		return;
	}
	if (hole.format != NULL)
		hole.kind = LTT_HOLE_FORMAT;
	if (layout->kind == LTT_ENUM)
		ltt_hole_set_labels(&hole, layout->type, prepare_label, style);
	g_string_append(builder->text, quote);
	ltt_template_builder_add(builder, hole);
	g_string_append(builder->text, quote);
}

void ltt_template_builder_add_value(LttTemplateBuilder *builder, const LttLayout *layout,
				    const LttStyle *style, gboolean bare)
{
	switch (layout->kind) {
	case LTT_STRUCT:
		add_struct(builder, layout, style, bare, NULL);
		break;
	case LTT_UNION:
		add_union(builder, layout, style, bare);
		break;
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		add_elements(builder, layout, style);
		break;
	default:
		add_scalar(builder, layout, style);
		break;
	}
}

void ltt_template_builder_skip(LttTemplateBuilder *builder, const LttLayout *layout)
{
	LttHole hole = {.kind = LTT_HOLE_SKIP, .n_elements = layout->min_bytes};

	if (!layout->is_fixed) {
		hole.sub = ltt_template_list(ltt_template_new(layout, &ltt_style_json, TRUE, NULL));
		hole.n_sub = 1;
	}
	ltt_template_builder_add(builder, hole);
}

LttTemplate *ltt_template_new(const LttLayout *layout, const LttStyle *style, gboolean bare,
			      const LttChoice *choice)
{
	LttTemplateBuilder builder;

	ltt_template_builder_init(&builder);
	if (layout != NULL && layout->kind == LTT_STRUCT)
		add_struct(&builder, layout, style, bare, choice);
	else if (layout != NULL)
		ltt_template_builder_add_value(&builder, layout, style, bare);
	else if (!bare)
		g_string_append_printf(builder.text, "%s%s", style->struct_open,
				       style->struct_close);
	return ltt_template_builder_end(&builder);
}
