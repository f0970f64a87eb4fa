/* function.c - generate the functions that record an event.
 *
 * A payload of a few bytes is packed in the caller, where the compiler may know the values of its
 * fields, and passed in words. Any other payload is gathered by an out-of-line function, which keeps
 * its buffers off the caller's stack and the caller small while tracing is off. That function takes
 * a length with each string, so it serves trace_F_E() and trace_F_E_n(). All functions are static:
 * facilities whose names give the same identifiers ("a_b" and "c", "a" and "b_c") can be in one
 * program, though not in one source file.
 */
#include "codegen/function-priv.h"

#include "codegen/declare-priv.h"
#include "codegen/gather-priv.h"
#include "codegen/packed-priv.h"

static const LttCMember *get_parameter(const LttCFunction *function, guint index)
{
	return &g_array_index(function->parameters, LttCMember, index);
}

static char *facility_symbol(const LttCFunction *function, const char *prefix)
{
	const LttFacility *facility = function->event->facility;

	return g_strdup_printf("%s_%s_0x%08x", prefix, ltt_facility_get_name(facility),
			       ltt_facility_get_checksum(facility));
}

/* Returns: the name of the variable that LTT_PROBE_DEFINE_FACILITY() defines */
static char *facility_variable(const LttCFunction *function)
{
	return facility_symbol(function, "ltt_probe_facility");
}

/* ---- parameters ---- */

/* How the parameters give the lengths of strings. */
typedef enum Strings {
	STRINGS_END,         /* by a NUL */
	STRINGS_ARE_COUNTED, /* by a parameter after each */
} Strings;

static gboolean has_strings(const LttCFunction *function)
{
	for (guint i = 0; i < function->parameters->len; i++) {
		if (get_parameter(function, i)->type->kind == LTT_STRING)
			return TRUE;
	}
	return FALSE;
}

static void add_parameter(GPtrArray *list, const LttCMember *parameter, Strings strings)
{
	const LttCType *type = parameter->type;

	switch (type->kind) {
	case LTT_SEQUENCE:
		g_ptr_array_add(list, g_strdup_printf("size_t %s", parameter->length_name));
		g_ptr_array_add(list, ltt_c_pointer(type->element, parameter->name));
		break;
	case LTT_ARRAY:
		g_ptr_array_add(list, ltt_c_pointer(type->element, parameter->name));
		break;
	case LTT_STRUCT:
	case LTT_UNION:
		g_ptr_array_add(list, ltt_c_pointer(type, parameter->name));
		break;
	default:
		g_ptr_array_add(list, ltt_c_declaration(type, parameter->name, FALSE));
		if (type->kind == LTT_STRING && strings == STRINGS_ARE_COUNTED)
			g_ptr_array_add(list, g_strdup_printf("size_t %s", parameter->length_name));
		break;
	}
}

static void write_head(LttText *text, const LttCFunction *function, const char *prefix,
		       const char *name, Strings strings)
{
	g_autofree char *head = g_strdup_printf("%s%s(", prefix, name);
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < function->parameters->len; i++)
		add_parameter(list, get_parameter(function, i), strings);
	if (list->len == 0)
		g_ptr_array_add(list, g_strdup("void"));
	ltt_text_list(text, head, list, ")");
	ltt_text_open(text, "{");
}

/* Avoids warnings about parameters that take no bytes in the trace, and so are never read. */
static void write_unread(LttText *text, const LttCFunction *function)
{
	for (guint i = 0; i < function->parameters->len; i++) {
		const LttCMember *parameter = get_parameter(function, i);
		const LttCType *type = parameter->type;

		if (type->wire_bytes == 0 ||
		    (type->kind == LTT_SEQUENCE && type->element->wire_bytes == 0))
			ltt_text_line(text, "(void)%s;", parameter->name);
	}
}

/* ---- the comment ---- */

static gboolean has_words(const char *description)
{
	g_autofree char *words = ltt_comment_words(description);

	return words[0] != '\0';
}

static gboolean is_described(const LttCFunction *function)
{
	for (guint i = 0; i < function->parameters->len; i++) {
		if (has_words(get_parameter(function, i)->description))
			return TRUE;
	}
	return has_words(function->event->description);
}

static void write_words(LttText *text, const char *lead, const char *description)
{
	g_autofree char *words = ltt_comment_words(description);

	ltt_text_comment_lines(text, lead, words);
}

static void write_comment(LttText *text, const LttCFunction *function)
{
	if (!is_described(function))
		return;
	ltt_text_line(text, "/**");
	ltt_text_line(text, " * %s:", function->name);
	for (guint i = 0; i < function->parameters->len; i++) {
		const LttCMember *parameter = get_parameter(function, i);
		g_autofree char *lead = g_strdup_printf("@%s: ", parameter->name);

		write_words(text, lead, parameter->description);
	}
	if (has_words(function->event->description)) {
		ltt_text_line(text, " *");
		write_words(text, "", function->event->description);
	}
	ltt_text_line(text, " */");
}

/* ---- bodies ---- */

static void write_gate(LttText *text, const LttCFunction *function)
{
	g_autofree char *on = facility_symbol(function, "ltt_probe_on");

	ltt_text_line(text, "if (!%s())", on);
	ltt_text_line(text, "\treturn;");
}

/* Writes the function of an event whose payload takes no bytes. */
static void write_empty(LttText *text, const LttCFunction *function)
{
	g_autofree char *facility = facility_variable(function);

	write_head(text, function, "static inline void ", function->name, STRINGS_END);
	write_unread(text, function);
	write_gate(text, function);
	ltt_text_line(text, "ltt_probe_write(&%s, %u, 0, NULL);", facility, function->event->index);
	ltt_text_close(text, "}");
}

static void write_constant(LttText *text, const LttCFunction *function)
{
	g_autofree char *facility = facility_variable(function);
	g_autoptr(LttPacked) packed = ltt_packed_new();

	for (guint i = 0; i < function->parameters->len; i++) {
		const LttCMember *parameter = get_parameter(function, i);
		const LttFrom from = {.text = (char *)parameter->name,
				      .is_pointer = ltt_parameter_is_pointer(parameter)};

		ltt_packed_add(packed, parameter->name, parameter->type, &from);
	}
	write_head(text, function, "static inline void ", function->name, STRINGS_END);
	ltt_packed_declare(text, packed, "ltt_payload");
	ltt_text_line(text, "uint64_t ltt_words[LTT_PROBE_WORDS(sizeof(ltt_payload))];");
	ltt_text_gap(text);
	write_unread(text, function);
	write_gate(text, function);
	ltt_packed_fill(text, packed, "ltt_payload");
	ltt_text_line(text, "LTT_PROBE_PACK(ltt_words, ltt_payload);");
	ltt_text_line(text, "ltt_probe_write(&%s, %u, sizeof(ltt_payload), ltt_words);", facility,
		      function->event->index);
	ltt_text_close(text, "}");
}

static void write_gatherer(LttText *text, const LttCFunction *function)
{
	const gboolean is_list = ltt_is_list_of_parts(function->parameters);
	const char *target = is_list ? "parts" : "stage";
	g_autofree char *facility = facility_variable(function);

	ltt_text_line(text, "static __attribute__((noinline, unused)) void");
	write_head(text, function, "", function->gather_name, STRINGS_ARE_COUNTED);
	ltt_text_line(text, "struct ltt_probe_%s ltt_%s;", target, target);
	ltt_text_gap(text);
	write_unread(text, function);
	ltt_text_line(text, "ltt_probe_%s_open(&ltt_%s);", target, target);
	if (is_list) {
		ltt_write_parts(text, function->parameters);
	} else {
		ltt_text_open(text, "do {");
		ltt_write_gathering(text, function->parameters);
		ltt_text_close(text, "} while (ltt_probe_stage_again(&ltt_stage));");
	}
	ltt_text_line(text, "ltt_probe_%s_write(&ltt_%s, &%s, %u);", target, target, facility,
		      function->event->index);
	ltt_text_close(text, "}");
	ltt_text_gap(text);
}

static void write_gathered(LttText *text, const LttCFunction *function, const char *name,
			   Strings strings)
{
	g_autofree char *call = g_strdup_printf("%s(", function->gather_name);
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();

	for (guint i = 0; i < function->parameters->len; i++) {
		const LttCMember *parameter = get_parameter(function, i);

		if (parameter->type->kind == LTT_SEQUENCE)
			g_ptr_array_add(arguments, (gpointer)parameter->length_name);
		g_ptr_array_add(arguments, (gpointer)parameter->name);
		if (parameter->type->kind == LTT_STRING)
			g_ptr_array_add(arguments, strings == STRINGS_ARE_COUNTED
							   ? (gpointer)parameter->length_name
							   : (gpointer) "SIZE_MAX");
	}
	write_head(text, function, "static inline void ", name, strings);
	write_gate(text, function);
	ltt_text_list(text, call, arguments, ");");
	ltt_text_close(text, "}");
}

/* Returns: the size of the payload in a trace of ILP64; or LTT_WIRE_VARIES */
static guint64 payload_bytes(const LttCFunction *function)
{
	guint64 sum = 0;

	for (guint i = 0; i < function->parameters->len; i++) {
		const LttCType *type = get_parameter(function, i)->type;

		if (type->wire_bytes == LTT_WIRE_VARIES)
			return LTT_WIRE_VARIES;
		sum += type->wire_bytes;
	}
	return sum;
}

/* Returns: whether an out-of-line function gathers the payload */
static gboolean is_gathered(const LttCFunction *function, guint64 bytes)
{
	return bytes > LTT_PACKED_MAX_BYTES ||
	       (bytes > LTT_WORDS_MAX_BYTES && ltt_is_list_of_parts(function->parameters));
}

static void write_counted(LttText *text, const LttCFunction *function)
{
	g_autofree char *words = g_strdup_printf(
		"%s() with the length of each string, which ends there or at a 0 before.",
		function->name);

	ltt_text_comment(text, words);
	write_gathered(text, function, function->n_name, STRINGS_ARE_COUNTED);
	ltt_text_gap(text);
}

static void write_enabled(LttText *text, const LttCFunction *function)
{
	g_autofree char *on = facility_symbol(function, "ltt_probe_on");
	g_autofree char *words = g_strdup_printf("Whether %s() would do anything.", function->name);

	ltt_text_comment(text, words);
	ltt_text_line(text, "static inline int %s(void)", function->enabled_name);
	ltt_text_open(text, "{");
	ltt_text_line(text, "return %s();", on);
	ltt_text_close(text, "}");
	ltt_text_gap(text);
}

void ltt_write_function(LttText *text, const LttCFunction *function)
{
	const guint64 bytes = payload_bytes(function);
	const gboolean gathered = is_gathered(function, bytes);

	if (gathered)
		write_gatherer(text, function);
	write_comment(text, function);
	if (gathered)
		write_gathered(text, function, function->name, STRINGS_END);
	else if (bytes > 0)
		write_constant(text, function);
	else
		write_empty(text, function);
	ltt_text_gap(text);
	if (has_strings(function))
		write_counted(text, function);
	write_enabled(text, function);
}
