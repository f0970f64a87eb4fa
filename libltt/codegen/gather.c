/* gather.c - generate the statements that pass a large payload to the probe.
 *
 * The walk follows the description. Values of constant size are collected in a packed struct until
 * something else follows: a string, the elements of a sequence, a long array, a branch. A length of
 * a sequence or a code of a union is read once, so that the payload is consistent even if another
 * thread changes it meanwhile. Loops end when the stage is full; the payload is then gathered again
 * in a larger stage, or lost.
 *
 * If the walk meets neither loop nor branch, the same statements make a list of parts. The parts
 * must live until the list is written, so the packed structs are then variables of the function.
 */
#include "codegen/gather-priv.h"

#include "codegen/declare-priv.h"
#include "codegen/packed-priv.h"

#include <ltt/ltt-layout.h>

/* Arrays and structs up to this many bytes are packed as a whole. */
#define WHOLE_MAX_BYTES 32

/* As in <ltt/ltt-probe-parts.h> */
#define PARTS_MAX 16

typedef struct Gather {
	LttText *text;
	const char *target; /* "parts" or "stage" */
	gboolean is_list;   /* of parts */
	LttPacked *packed;  /* collected values, for the next statement */
	guint n_variables;  /* for the numbers in their names */
} Gather;

gboolean ltt_parameter_is_pointer(const LttCMember *parameter)
{
	return parameter->type->kind == LTT_STRUCT || parameter->type->kind == LTT_UNION;
}

/* Writes "ltt_probe_stage_VERB(&ltt_stage, ARGUMENTS);" or the same for parts; the arguments end
 * with a NULL. */
static void write_call(Gather *gather, const char *verb, ...)
{
	g_autofree char *head = g_strdup_printf("ltt_probe_%s_%s(", gather->target, verb);
	g_autofree char *target = g_strconcat("&ltt_", gather->target, NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	va_list arguments;
	char *argument;

	g_ptr_array_add(list, target);
	va_start(arguments, verb);
	while ((argument = va_arg(arguments, char *)) != NULL)
		g_ptr_array_add(list, argument);
	va_end(arguments);
	ltt_text_list(gather->text, head, list, ");");
}

static void write_put(Gather *gather, const char *variable)
{
	g_autofree char *address = g_strconcat("&", variable, NULL);
	g_autofree char *size = g_strconcat("sizeof(", variable, ")", NULL);

	write_call(gather, "put", address, size, NULL);
}

/* Writes the statements that put the collected values. */
static void flush(Gather *gather)
{
	LttText *text = gather->text;
	const char *plain;

	if (ltt_packed_is_empty(gather->packed))
		return;
	plain = ltt_packed_get_plain(gather->packed);
	if (plain != NULL) {
		write_put(gather, plain);
	} else if (gather->is_list) {
		g_autofree char *run = g_strdup_printf("ltt_run%u", ++gather->n_variables);

		ltt_packed_declare(text, gather->packed, run);
		ltt_packed_fill(text, gather->packed, run);
		write_put(gather, run);
	} else {
		ltt_text_open(text, "{");
		ltt_packed_declare(text, gather->packed, "ltt_run");
		ltt_text_gap(text);
		ltt_packed_fill(text, gather->packed, "ltt_run");
		write_put(gather, "ltt_run");
		ltt_text_close(text, "}");
	}
	ltt_packed_free(gather->packed);
	gather->packed = ltt_packed_new();
}

static void make_room(Gather *gather, guint64 wire_bytes)
{
	if (gather->packed->wire_bytes + wire_bytes > LTT_PACKED_MAX_BYTES)
		flush(gather);
}

static void add_uint(Gather *gather, const char *name, LttWidth width, const char *from)
{
	make_room(gather, 8);
	ltt_packed_add_uint(gather->packed, name, width, from);
}

static void gather_value(Gather *gather, const char *name, const LttCType *type,
			 const LttFrom *from, const char *length);

/* ---- arrays and sequences ---- */

/* Writes a loop that puts @count elements one by one. */
static void gather_elements(Gather *gather, const char *name, const LttCType *element,
			    const LttFrom *from, const char *count)
{
	g_autofree char *index = g_strdup_printf("ltt_i%u", ++gather->n_variables);
	g_autofree char *condition =
		g_strdup_printf("%s < %s && !ltt_stage.too_small", index, count);
	const LttFrom at = {.text = ltt_from_element(from, index)};

	ltt_text_loop(gather->text, index, condition);
	gather_value(gather, name, element, &at, NULL);
	flush(gather);
	ltt_text_close(gather->text, "}");
	g_free(at.text);
}

static void gather_items(Gather *gather, const char *name, const LttCType *element,
			 const LttFrom *from, const char *count)
{
	if (element->wire_bytes == 0)
		return;
	flush(gather);
	if (element->is_plain) {
		g_autofree char *size = g_strdup_printf("sizeof(%s[0])", from->text);

		write_call(gather, "items", from->text, count, size, NULL);
	} else {
		gather_elements(gather, name, element, from, count);
	}
}

static void gather_array(Gather *gather, const char *name, const LttCType *type,
			 const LttFrom *from)
{
	g_autofree char *count =
		g_strdup_printf("%" G_GUINT64_FORMAT, ltt_type_get_n_elements(type->type));

	gather_items(gather, name, type->element, from, count);
}

/* Writes the check for a length that its field cannot hold, or that readers reject.
 * @length: as the program gives it; @variable: in the width of the field */
static void write_length_check(Gather *gather, const LttCType *type, const char *length,
			       const char *variable)
{
	const LttWidth width = ltt_type_get_width(type->type);
	const guint64 n_empty_values = type->element->n_empty_values;
	const gboolean is_narrow = width != LTT_WIDTH_8 && width != LTT_WIDTH_LONG;

	if (is_narrow) { /* may be narrower than a size_t */
		ltt_text_open(gather->text, "if (%s != %s)", variable, length);
		write_call(gather, "refuse", NULL);
		gather->text->indent--;
	}
	if (n_empty_values > 0) {
		ltt_text_open(gather->text, "if (%s > %" G_GUINT64_FORMAT ")", length,
			      LTT_MAX_EMPTY_VALUES / n_empty_values);
		write_call(gather, "refuse", NULL);
		gather->text->indent--;
	}
}

/* @length: the parameter with the length; NULL: it is a member of @from */
static void gather_sequence(Gather *gather, const char *name, const LttCType *type,
			    const LttFrom *from, const char *length)
{
	const LttWidth width = ltt_type_get_width(type->type);
	const char *integer = ltt_c_integer(width, FALSE);
	g_autofree char *length_name = g_strconcat(name, "_length", NULL);
	g_autofree char *variable = g_strdup_printf("ltt_length%u", ++gather->n_variables);
	g_autofree char *member = ltt_from_member(from, "length");
	LttFrom items = {.text = length == NULL ? ltt_from_member(from, "items")
						: g_strdup(from->text)};

	if (length == NULL)
		length = member;
	ltt_text_line(gather->text, "const %s %s = (%s)%s;", integer, variable, integer, length);
	ltt_text_gap(gather->text);
	write_length_check(gather, type, length, variable);
	add_uint(gather, length_name, width, variable);
	gather_items(gather, name, type->element, &items, variable);
	g_free(items.text);
}

/* ---- structs and unions ---- */

static void gather_member(Gather *gather, const LttCMember *member, const LttFrom *from)
{
	const LttFrom inner = {.text = ltt_from_member(from, member->name)};

	gather_value(gather, member->name, member->type, &inner, NULL);
	g_free(inner.text);
}

static void gather_union(Gather *gather, const LttCType *type, const LttFrom *from)
{
	const LttWidth width = ltt_type_get_width(type->type);
	g_autofree char *variable = g_strdup_printf("ltt_code%u", ++gather->n_variables);
	g_autofree char *code = ltt_from_member(from, "code");
	const LttFrom members = {.text = ltt_from_member(from, "u")};

	ltt_text_line(gather->text, "const %s %s = %s;", ltt_c_integer(width, FALSE), variable,
		      code);
	ltt_text_gap(gather->text);
	add_uint(gather, "code", width, variable);
	flush(gather);
	ltt_text_line(gather->text, "switch (%s) {", variable);
	for (guint i = 0; i < ltt_ctype_n_members(type) && !gather->text->is_full; i++) {
		ltt_text_open(gather->text, "case %u: {", i);
		gather_member(gather, ltt_ctype_member(type, i), &members);
		flush(gather);
		ltt_text_line(gather->text, "break;");
		ltt_text_close(gather->text, "}");
	}
	ltt_text_open(gather->text, "default:");
	write_call(gather, "refuse", NULL);
	ltt_text_line(gather->text, "break;");
	ltt_text_close(gather->text, "}");
	g_free(members.text);
}

/* ---- the walk ---- */

/* Returns: whether a value is packed as a whole, not part by part */
static gboolean is_whole(const LttCType *type)
{
	if (type->kind == LTT_ARRAY || type->kind == LTT_STRUCT)
		return type->wire_bytes <= WHOLE_MAX_BYTES;
	return type->wire_bytes != LTT_WIRE_VARIES;
}

/* @length: of a sequence or string that is a parameter; else NULL */
static void gather_value(Gather *gather, const char *name, const LttCType *type,
			 const LttFrom *from, const char *length)
{
	if (type->wire_bytes == 0 || gather->text->is_full)
		return;
	if (is_whole(type)) {
		make_room(gather, type->wire_bytes);
		ltt_packed_add(gather->packed, name, type, from);
		return;
	}
	switch (type->kind) {
	case LTT_STRING:
		flush(gather);
		if (length != NULL)
			write_call(gather, "text", from->text, length, NULL);
		else
			write_call(gather, "string", from->text, NULL);
		break;
	case LTT_ARRAY:
		gather_array(gather, name, type, from);
		break;
	case LTT_SEQUENCE:
		gather_sequence(gather, name, type, from, length);
		break;
	case LTT_UNION:
		gather_union(gather, type, from);
		break;
	default:
		g_assert(type->kind == LTT_STRUCT);
		for (guint i = 0; i < ltt_ctype_n_members(type); i++)
			gather_member(gather, ltt_ctype_member(type, i), from);
		break;
	}
}

static void write_walk(Gather *gather, const GArray *parameters)
{
	for (guint i = 0; i < parameters->len; i++) {
		const LttCMember *parameter = &g_array_index(parameters, LttCMember, i);
		const LttFrom from = {.text = (char *)parameter->name,
				      .is_pointer = ltt_parameter_is_pointer(parameter)};

		gather_value(gather, parameter->name, parameter->type, &from,
			     parameter->length_name);
	}
	flush(gather);
	ltt_packed_free(gather->packed);
}

void ltt_write_parts(LttText *text, const GArray *parameters)
{
	Gather gather = {
		.text = text, .target = "parts", .is_list = TRUE, .packed = ltt_packed_new()};

	write_walk(&gather, parameters);
}

void ltt_write_gathering(LttText *text, const GArray *parameters)
{
	Gather gather = {.text = text, .target = "stage", .packed = ltt_packed_new()};

	write_walk(&gather, parameters);
}

/* ---- list or stage ---- */

/* Bytes of constant size, and other values. */
typedef struct Count {
	guint64 bytes;
	guint n_others;
	gboolean varies; /* has loops or branches */
} Count;

static void count_value(Count *count, const LttCType *type)
{
	if (type->wire_bytes == 0 || count->varies || count->n_others > PARTS_MAX)
		return;
	if (is_whole(type)) {
		count->bytes += type->wire_bytes;
	} else if (type->kind == LTT_STRUCT) {
		for (guint i = 0; i < ltt_ctype_n_members(type); i++)
			count_value(count, ltt_ctype_member(type, i)->type);
	} else {
		if (type->kind == LTT_SEQUENCE)
			count->bytes += 8; /* the length */
		count->n_others++;
		count->varies = type->kind == LTT_UNION ||
				(type->element != NULL && type->element->wire_bytes != 0 &&
				 !type->element->is_plain);
	}
}

gboolean ltt_is_list_of_parts(const GArray *parameters)
{
	const guint64 run_bytes_min = LTT_PACKED_MAX_BYTES - WHOLE_MAX_BYTES;
	Count count = {0};

	for (guint i = 0; i < parameters->len; i++)
		count_value(&count, g_array_index(parameters, LttCMember, i).type);
	/* Assumes a packed struct before each of the other values and after the last. */
	return !count.varies && 2 * count.n_others + 1 + count.bytes / run_bytes_min <= PARTS_MAX;
}
