/* csv.c - CSV by RFC 4180, with a header line.
 *
 * If all events are of one type each of its fields is a column: members of structs and unions have
 * dotted names, all but one member of a union are empty, and arrays are JSON. Otherwise one column
 * contains all values as JSON. In both cases a line is a template in which commas and empty fields
 * are text.
 */
#include "print/csv-field-priv.h"
#include "print/printer-priv.h"

/* Returns: the number of columns of a value */
static guint count_columns(const LttLayout *layout)
{
	guint n = 0;

	if (layout->kind != LTT_STRUCT && layout->kind != LTT_UNION)
		return 1;
	for (guint i = 0; i < layout->n_members; i++)
		n += count_columns(layout->members[i].layout);
	return n;
}

static void add_commas(LttTemplateBuilder *builder, guint n)
{
	for (; n > 0; n--)
		g_string_append_c(builder->text, ',');
}

/* Adds the columns of a value, each after a comma. */
static void add_cell(LttTemplateBuilder *builder, const LttLayout *layout);

static void append_label(GString *text, const char *name, gconstpointer user_data)
{
	(void)user_data;
	ltt_csv_append(text, name);
}

static void add_union(LttTemplateBuilder *builder, const LttLayout *layout)
{
	LttHole hole = {.kind = LTT_HOLE_CHOICE,
			.width_bytes = layout->width_bytes,
			.sub = g_new(LttTemplate *, layout->n_members),
			.n_sub = layout->n_members};
	const guint n_columns = count_columns(layout);
	guint before = 0;

	for (guint i = 0; i < layout->n_members; i++) {
		const LttLayout *member = layout->members[i].layout;
		LttTemplateBuilder line;

		ltt_template_builder_init(&line);
		add_commas(&line, before);
		add_cell(&line, member);
		before += count_columns(member);
		add_commas(&line, n_columns - before);
		hole.sub[i] = ltt_template_builder_end_part(&line);
	}
	ltt_template_builder_add(builder, hole);
}

static void add_json_cell(LttTemplateBuilder *builder, const LttLayout *layout,
			  const LttChoice *choice)
{
	ltt_template_builder_add(builder,
				 (LttHole){.kind = LTT_HOLE_CELL,
					   .sub = ltt_template_list(ltt_template_new(
						   layout, &ltt_style_json, FALSE, choice)),
					   .n_sub = 1});
}

static void add_scalar(LttTemplateBuilder *builder, const LttLayout *layout)
{
	LttHole hole = {.width_bytes = layout->width_bytes, .is_signed = layout->is_signed};

	switch (layout->kind) {
	case LTT_INT:
		hole.kind = LTT_HOLE_INT;
		break;
	case LTT_FLOAT:
		hole.kind = LTT_HOLE_FLOAT;
		break;
	case LTT_STRING:
		hole.kind = LTT_HOLE_CSV_STRING;
		break;
	case LTT_ENUM:
		hole.kind = LTT_HOLE_ENUM;
		ltt_hole_set_labels(&hole, layout->type, append_label, NULL);
		break;
	default:
		hole.kind = LTT_HOLE_UINT;
		break;
	}
	ltt_template_builder_add(builder, hole);
}

static void add_cell(LttTemplateBuilder *builder, const LttLayout *layout)
{
	switch (layout->kind) {
	case LTT_STRUCT:
		for (guint i = 0; i < layout->n_members; i++)
			add_cell(builder, layout->members[i].layout);
		break;
	case LTT_UNION:
		add_union(builder, layout);
		break;
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		add_commas(builder, 1);
		add_json_cell(builder, layout, NULL);
		break;
	default:
		add_commas(builder, 1);
		add_scalar(builder, layout);
		break;
	}
}

/* Adds the columns of the selected members of the payload. */
static void add_payload(LttTemplateBuilder *builder, const LttLayout *layout,
			const LttChoice *choice)
{
	guint done = 0;

	if (layout->kind != LTT_STRUCT) {
		add_cell(builder, layout);
		return;
	}
	for (guint i = 0; i < layout->n_members; i++) {
		if (!ltt_choice_has(choice, &layout->members[i]))
			continue;
		for (; done < i; done++)
			ltt_template_builder_skip(builder, layout->members[done].layout);
		add_cell(builder, layout->members[i].layout);
		done = i + 1;
	}
}

/* Appends the names of columns, each after a comma. @path: of the value; empty for the payload, which
 * is called "value" if it has no members */
static void add_names(GString *text, const char *path, const LttType *type)
{
	const LttType *resolved = ltt_type_resolve(type);
	const LttTypeKind kind = ltt_type_get_kind(resolved);

	if (kind != LTT_STRUCT && kind != LTT_UNION) {
		g_string_append_c(text, ',');
		ltt_csv_append(text, path[0] != '\0' ? path : "value");
		return;
	}
	for (guint i = 0; i < ltt_type_get_n_fields(resolved); i++) {
		const LttField *field = ltt_type_get_field(resolved, i);
		g_autofree char *inner = path[0] != '\0' ? g_strconcat(path, ".", field->name, NULL)
							 : g_strdup(field->name);

		add_names(text, inner, field->type);
	}
}

/* Returns: whether a column before the fields has this name */
static gboolean is_taken(const LttPrinter *printer, const char *name)
{
	static const char *const always[] = {"time", "tracefile", "event", NULL};
	static const char *const of_threads[] = {"pid", "tid", NULL};

	return g_strv_contains(always, name) ||
	       (printer->has_threads && g_strv_contains(of_threads, name)) ||
	       (ltt_trace_has_hosts(printer->trace) && g_str_equal(name, "host"));
}

static gboolean has_field(const LttType *type, const char *name)
{
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		if (g_str_equal(ltt_type_get_field(type, i)->name, name))
			return TRUE;
	}
	return FALSE;
}

/* Returns: (transfer full): the name of a field, with the prefix "field_" if another column has that name. Members
 * have dotted names, which no other column has. */
static char *dup_free_name(const LttPrinter *printer, const LttType *type, const LttField *field)
{
	const LttTypeKind kind = ltt_type_get_kind(ltt_type_resolve(field->type));
	g_autoptr(GString) free_name = g_string_new(field->name);

	if (kind == LTT_STRUCT || kind == LTT_UNION || !is_taken(printer, field->name))
		return g_strdup(field->name);
	do
		g_string_prepend(free_name, "field_");
	while (has_field(type, free_name->str));
	return g_strdup(free_name->str);
}

static void add_payload_names(GString *text, const LttPrinter *printer, const LttType *payload)
{
	const LttType *type = ltt_type_resolve(payload);

	if (ltt_type_get_kind(type) != LTT_STRUCT) {
		add_names(text, "", type);
		return;
	}
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (ltt_printer_has_field(printer, field->name)) {
			g_autofree char *name = dup_free_name(printer, type, field);

			add_names(text, name, field->type);
		}
	}
}

static void begin(LttPrinter *printer)
{
	g_autoptr(GString) text = g_string_new("time,tracefile");

	if (ltt_trace_has_hosts(printer->trace))
		g_string_append(text, ",host");
	g_string_append(text, ",event");
	if (printer->has_threads)
		g_string_append(text, ",pid,tid");
	if (printer->columns == NULL) {
		g_string_append(text, ",data");
	} else if (printer->columns->type != NULL) {
		add_payload_names(text, printer, printer->columns->type);
	}
	g_string_append_c(text, '\n');
	ltt_sink_add(&printer->sink, text->str, text->len);
}

static void append_valid(GString *text, const char *name)
{
	g_autoptr(GString) valid = g_string_new(NULL);

	ltt_string_add_escaped(valid, name, strlen(name), LTT_ESCAPE_NONE);
	ltt_csv_append(text, valid->str);
}

static void prepare_tracefile(const LttPrinter *printer, GString *text,
			      const LttTracefile *tracefile)
{
	const char *host = ltt_printer_get_host(printer, tracefile);
	const char *name = ltt_tracefile_get_name(tracefile);

	g_string_assign(text, ",");
	append_valid(text, name);
	if (host != NULL) {
		g_string_append_c(text, ',');
		append_valid(text, host);
	}
	g_string_append_c(text, ',');
}

static void prepare(LttPrinter *printer, LttPrintedType *printed, const LttEvent *event)
{
	LttTemplateBuilder builder;
	const LttChoice choice = ltt_printer_get_choice(printer);

	ltt_csv_append(printed->head, event->type->full_name);
	ltt_template_builder_init(&builder);
	if (printer->columns == NULL) {
		add_commas(&builder, 1);
		if (event->layout != NULL)
			add_json_cell(&builder, event->layout, &choice);
		else
			g_string_append(builder.text, "{}");
	} else if (event->layout != NULL) {
		add_payload(&builder, event->layout, &choice);
	}
	printed->data = ltt_template_builder_end(&builder);
}

static void append_middle(LttPrinter *printer, GString *text, const LttPrintedType *printed,
			  const GString *tracefile, const LttEvent *event)
{
	g_string_append_len(text, tracefile->str, (gssize)tracefile->len);
	g_string_append_len(text, printed->head->str, (gssize)printed->head->len);
	if (event->has_thread)
		ltt_printer_append_thread(printer, text, ",", ",", event);
	else if (printer->has_threads)
		g_string_append(text, ",,");
}

const LttPrinterFormat ltt_print_csv = {
	.name = "csv",
	.start = "",
	.end = "\n",
	.begin = begin,
	.prepare = prepare,
	.prepare_tracefile = prepare_tracefile,
	.append_middle = append_middle,
};
