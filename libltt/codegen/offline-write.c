/* offline-write.c - generate the functions that write a struct as a payload.
 *
 * The walk follows the description. Values of constant size that follow each other form a run: the
 * payload is extended by the whole run at once, and each value is stored at a constant offset in
 * it. Anything else ends the run: a string, a number of symbolic size, the elements of a sequence.
 *
 *	ltt_at = ltt_payload_extend(ltt_payload, 13);
 *	ltt_offline_store_4(ltt_at, (guint32)ltt_event->version, ltt_order);
 *	memcpy(ltt_at + 4, ltt_event->reserved, 8);
 *	ltt_offline_store_1(ltt_at + 12, (guint8)ltt_event->release);
 *
 * A struct that its type cannot hold (a length too large for its field, a code of no member) gives
 * an empty payload. A type with a length or a code is never empty, so the trace writer rejects it.
 */
#include "codegen/offline-priv.h"

#include "codegen/declare-priv.h"
#include "codegen/packed-priv.h"

typedef struct Walk {
	LttText *text;     /* body of the function */
	GPtrArray *stores; /* of the run, statements, owned */
	guint64 run_bytes;
	guint n_variables; /* for the numbers in their names */
	gboolean uses_at;
	gboolean uses_order;
} Walk;

/* Returns: the size of a number in every trace; 0: its size is symbolic, or it is not a number */
static guint number_bytes(const LttCType *type)
{
	const LttWidth width = ltt_type_get_width(type->type);

	if (type->kind == LTT_FLOAT)
		return ltt_arch_float_bytes(width);
	if (type->kind != LTT_INT && type->kind != LTT_UINT && type->kind != LTT_ENUM)
		return 0;
	return width < LTT_WIDTH_SHORT ? (guint)width : 0;
}

/* Returns: the number of innermost elements of nested arrays; 1 for another type */
static guint64 count_core(const LttCType *type)
{
	guint64 count = 1;

	for (; type->kind == LTT_ARRAY; type = type->element)
		count *= ltt_type_get_n_elements(type->type);
	return count;
}

static void write_call(Walk *walk, const char *function, ...) G_GNUC_NULL_TERMINATED;

/* Writes "FUNCTION(ltt_payload, ARGUMENTS);". */
static void write_call(Walk *walk, const char *function, ...)
{
	g_autofree char *head = g_strconcat(function, "(", NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	va_list arguments;
	char *argument;

	g_ptr_array_add(list, (gpointer) "ltt_payload");
	va_start(arguments, function);
	while ((argument = va_arg(arguments, char *)) != NULL)
		g_ptr_array_add(list, argument);
	va_end(arguments);
	ltt_text_list(walk->text, head, list, ");");
}

/* ---- runs ---- */

static void flush(Walk *walk)
{
	if (walk->run_bytes == 0)
		return;
	ltt_text_line(walk->text,
		      "ltt_at = ltt_payload_extend(ltt_payload, %" G_GUINT64_FORMAT ");",
		      walk->run_bytes);
	for (guint i = 0; i < walk->stores->len; i++)
		ltt_text_line(walk->text, "%s", (const char *)walk->stores->pdata[i]);
	g_ptr_array_set_size(walk->stores, 0);
	walk->run_bytes = 0;
	walk->uses_at = TRUE;
}

/* Returns: (transfer full): the place of the next value in the run */
static char *next_place(const Walk *walk)
{
	return walk->run_bytes == 0
		       ? g_strdup("ltt_at")
		       : g_strdup_printf("ltt_at + %" G_GUINT64_FORMAT, walk->run_bytes);
}

static void add_to_run(Walk *walk, char *statement, guint64 bytes)
{
	g_ptr_array_add(walk->stores, statement);
	walk->run_bytes += bytes;
}

static void add_uint(Walk *walk, guint bytes, const char *from)
{
	g_autofree char *place = next_place(walk);

	add_to_run(walk,
		   g_strdup_printf("ltt_offline_store_%u(%s, (guint%u)%s%s);", bytes, place,
				   bytes * 8, from, bytes > 1 ? ", ltt_order" : ""),
		   bytes);
	walk->uses_order = walk->uses_order || bytes > 1;
}

static void add_float(Walk *walk, guint bytes, const char *from)
{
	g_autofree char *place = next_place(walk);

	add_to_run(walk,
		   g_strdup_printf("ltt_offline_store_%s(%s, %s, ltt_order);",
				   bytes == 4 ? "float" : "double", place, from),
		   bytes);
	walk->uses_order = TRUE;
}

/* Writes a number of symbolic size: @width is the name of an LttWidth. */
static void write_symbolic(Walk *walk, LttWidth width, const char *from)
{
	g_autofree char *value = g_strconcat("(guint64)", from, NULL);

	flush(walk);
	write_call(walk, "ltt_payload_add_int",
		   width == LTT_WIDTH_SHORT    ? "LTT_WIDTH_SHORT"
		   : width == LTT_WIDTH_MEDIUM ? "LTT_WIDTH_MEDIUM"
					       : "LTT_WIDTH_LONG",
		   value, NULL);
}

static void write_number(Walk *walk, const LttCType *type, const char *from)
{
	const guint bytes = number_bytes(type);

	if (type->kind == LTT_FLOAT)
		add_float(walk, bytes, from);
	else if (bytes > 0)
		add_uint(walk, bytes, from);
	else
		write_symbolic(walk, ltt_type_get_width(type->type), from);
}

/* ---- arrays and sequences ---- */

static void write_value(Walk *walk, const LttCType *type, const LttFrom *from);

static void write_refusal(Walk *walk, const char *condition)
{
	ltt_text_open(walk->text, "if (%s) {", condition);
	ltt_text_line(walk->text, "ltt_payload_reset(ltt_payload);");
	ltt_text_line(walk->text, "return;");
	ltt_text_close(walk->text, "}");
}

static void write_loop(Walk *walk, const LttCType *element, const LttFrom *from, const char *count)
{
	g_autofree char *index = g_strdup_printf("ltt_i%u", ++walk->n_variables);
	g_autofree char *condition = g_strdup_printf("%s < %s", index, count);
	const LttFrom at = {.text = ltt_from_element(from, index)};

	flush(walk);
	ltt_text_loop(walk->text, index, condition);
	write_value(walk, element, &at);
	flush(walk);
	ltt_text_close(walk->text, "}");
	g_free(at.text);
}

/* Writes @count elements that follow each other in memory. */
static void write_elements(Walk *walk, const LttCType *element, const LttFrom *from,
			   const char *count)
{
	const guint bytes = number_bytes(ltt_ctype_core(element));
	const guint64 n_each = count_core(element);
	g_autofree char *n_numbers =
		n_each == 1 ? g_strdup(count)
			    : g_strdup_printf("%s * %" G_GUINT64_FORMAT, count, n_each);
	g_autofree char *each = g_strdup_printf("%u", bytes);

	if (element->wire_bytes == 0)
		return;
	if (bytes == 0) {
		write_loop(walk, element, from, count);
		return;
	}
	flush(walk);
	if (bytes == 1)
		write_call(walk, "ltt_payload_add_bytes", from->text, n_numbers, NULL);
	else
		write_call(walk, "ltt_payload_add_array", from->text, n_numbers, each, NULL);
}

static void write_array(Walk *walk, const LttCType *type, const LttFrom *from)
{
	g_autofree char *count =
		g_strdup_printf("%" G_GUINT64_FORMAT, ltt_type_get_n_elements(type->type));
	g_autofree char *place = next_place(walk);

	if (number_bytes(ltt_ctype_core(type)) == 1)
		add_to_run(walk,
			   g_strdup_printf("memcpy(%s, %s, %" G_GUINT64_FORMAT ");", place,
					   from->text, type->wire_bytes),
			   type->wire_bytes);
	else
		write_elements(walk, type->element, from, count);
}

static void write_length(Walk *walk, const LttCType *type, const char *length)
{
	const LttWidth width = ltt_type_get_width(type->type);
	g_autofree char *condition = NULL;

	if (width < LTT_WIDTH_8)
		condition = g_strdup_printf("(guint%u)%s != %s", (guint)width * 8, length, length);
	else if (width == LTT_WIDTH_SHORT)
		condition = g_strdup_printf("(guint16)%s != %s", length, length);
	else if (width != LTT_WIDTH_8)
		condition = g_strdup_printf("!ltt_offline_fits(ltt_payload, LTT_WIDTH_%s, %s)",
					    width == LTT_WIDTH_MEDIUM ? "MEDIUM" : "LONG", length);
	if (condition != NULL)
		write_refusal(walk, condition);
	if (width < LTT_WIDTH_SHORT)
		add_uint(walk, (guint)width, length);
	else
		write_symbolic(walk, width, length);
}

static void write_sequence(Walk *walk, const LttCType *type, const LttFrom *from)
{
	g_autofree char *length = ltt_from_member(from, "length");
	const LttFrom items = {.text = ltt_from_member(from, "items")};

	write_length(walk, type, length);
	write_elements(walk, type->element, &items, length);
	g_free(items.text);
}

/* ---- structs and unions ---- */

static void write_member(Walk *walk, const LttCMember *member, const LttFrom *from)
{
	const LttFrom inner = {.text = ltt_from_member(from, member->name)};

	write_value(walk, member->type, &inner);
	g_free(inner.text);
}

static void write_union(Walk *walk, const LttCType *type, const LttFrom *from)
{
	const LttWidth width = ltt_type_get_width(type->type);
	g_autofree char *code = ltt_from_member(from, "code");
	const LttFrom members = {.text = ltt_from_member(from, "u")};

	if (width < LTT_WIDTH_SHORT)
		add_uint(walk, (guint)width, code);
	else
		write_symbolic(walk, width, code);
	flush(walk);
	ltt_text_line(walk->text, "switch (%s) {", code);
	for (guint i = 0; i < ltt_ctype_n_members(type) && !walk->text->is_full; i++) {
		ltt_text_open(walk->text, "case %u:", i);
		write_member(walk, ltt_ctype_member(type, i), &members);
		flush(walk);
		ltt_text_line(walk->text, "break;");
		walk->text->indent--;
	}
	ltt_text_open(walk->text, "default:");
	ltt_text_line(walk->text, "ltt_payload_reset(ltt_payload);");
	ltt_text_line(walk->text, "return;");
	walk->text->indent--;
	ltt_text_line(walk->text, "}");
	g_free(members.text);
}

/* ---- the walk ---- */

static void write_value(Walk *walk, const LttCType *type, const LttFrom *from)
{
	if (type->wire_bytes == 0 || walk->text->is_full)
		return;
	switch (type->kind) {
	case LTT_STRING:
		flush(walk);
		write_call(walk, "ltt_payload_add_string", from->text, NULL);
		break;
	case LTT_ARRAY:
		write_array(walk, type, from);
		break;
	case LTT_SEQUENCE:
		write_sequence(walk, type, from);
		break;
	case LTT_STRUCT:
		for (guint i = 0; i < ltt_ctype_n_members(type); i++)
			write_member(walk, ltt_ctype_member(type, i), from);
		break;
	case LTT_UNION:
		write_union(walk, type, from);
		break;
	default:
		write_number(walk, type, from->text);
		break;
	}
}

static void write_body(Walk *walk, const LttCFunction *function)
{
	const LttFrom event = {.text = (char *)"ltt_event", .is_pointer = TRUE};
	const GArray *members = function->parameters;

	walk->stores = g_ptr_array_new_with_free_func(g_free);
	walk->text->indent = 1;
	ltt_text_line(walk->text, "ltt_payload_reset(ltt_payload);");
	for (guint i = 0; i < members->len; i++)
		write_member(walk, &g_array_index(members, LttCMember, i), &event);
	flush(walk);
	g_ptr_array_unref(walk->stores);
}

void ltt_write_offline_writer(LttText *text, const LttCFunction *function)
{
	g_autofree char *head = g_strdup_printf("static inline void %s(", function->name);
	g_autofree char *parameter =
		g_strdup_printf("const struct %s *ltt_event", function->struct_tag);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	LttText body;
	Walk walk = {.text = &body};

	ltt_text_init(&body, text->limit_bytes - text->bytes->len);
	write_body(&walk, function);
	g_ptr_array_add(list, (gpointer) "LttPayload *ltt_payload");
	g_ptr_array_add(list, parameter);
	ltt_text_list(text, head, list, ")");
	ltt_text_open(text, "{");
	if (walk.uses_order)
		ltt_text_line(text, "const LttByteOrder ltt_order = ltt_payload->arch.byte_order;");
	if (walk.uses_at)
		ltt_text_line(text, "guint8 *ltt_at;");
	if (walk.uses_order || walk.uses_at)
		ltt_text_gap(text);
	if (strstr(body.bytes->str, "ltt_event") == NULL)
		ltt_text_line(text, "(void)ltt_event;");
	ltt_text_append(text, &body);
	ltt_text_close(text, "}");
	ltt_text_gap(text);
	ltt_text_clear(&body);
}
