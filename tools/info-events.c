/* info-events.c - `ltt info --events`: the event types that a trace can contain.
 *
 *	core.schedchange  out:uint32 in:uint32 out_state:enum
 *	    The scheduler switches from one process to another
 *	    out_state: what the first one is doing then; Running=0 WaitInterruptible=1
 *
 * The first word of a line that is not indented is the name, for --event and for the completion of
 * shells; the fields that follow can be used in filters. Sizes are those of the trace. Indented
 * lines have declarations, descriptions and enum labels.
 */
#include "info.h"
#include "tool.h"

static void add_type(GString *text, const LttType *type, const LttArch *arch);

static void add_fields(GString *text, const LttType *type, const LttArch *arch)
{
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		g_string_append_printf(text, "%s%s:", i > 0 ? " " : "", field->name);
		add_type(text, field->type, arch);
	}
}

static void add_number(GString *text, const char *kind, guint bytes)
{
	g_string_append_printf(text, "%s%u", kind, bytes * 8);
}

/* As in C and in filters, the outermost dimension comes first: int32[3][] is three sequences. */
static void add_dimensions(GString *text, const LttType *type)
{
	while (TRUE) {
		type = ltt_type_resolve(type);
		if (ltt_type_get_kind(type) == LTT_ARRAY)
			g_string_append_printf(text, "[%" G_GUINT64_FORMAT "]",
					       ltt_type_get_n_elements(type));
		else if (ltt_type_get_kind(type) == LTT_SEQUENCE)
			g_string_append(text, "[]");
		else
			return;
		type = ltt_type_get_element(type);
	}
}

static const LttType *innermost(const LttType *type)
{
	type = ltt_type_resolve(type);
	while (ltt_type_get_kind(type) == LTT_ARRAY || ltt_type_get_kind(type) == LTT_SEQUENCE)
		type = ltt_type_resolve(ltt_type_get_element(type));
	return type;
}

static void add_type(GString *text, const LttType *type, const LttArch *arch)
{
	const LttType *element = innermost(type);
	const LttTypeKind kind = ltt_type_get_kind(element);
	const char *name = ltt_type_kind_name(kind);

	if (kind == LTT_INT || kind == LTT_UINT) {
		add_number(text, name, ltt_arch_integer_bytes(arch, ltt_type_get_width(element)));
	} else if (kind == LTT_FLOAT) {
		add_number(text, name, ltt_arch_float_bytes(ltt_type_get_width(element)));
	} else if (kind == LTT_STRUCT || kind == LTT_UNION) {
		g_string_append_printf(text, "%s{", name);
		add_fields(text, element, arch);
		g_string_append_c(text, '}');
	} else {
		g_string_append(text, name);
	}
	add_dimensions(text, type);
}

/* ---- descriptions and labels ---- */

/* Prints a description on one line. */
static void print_note(const char *path, const char *description, const char *labels)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *text = NULL;
	g_autofree char *safe = NULL;
	g_autoptr(GString) note = g_string_new(NULL);

	words = g_strsplit_set(description != NULL ? description : "", " \t\r\n", 0);
	for (char **word = words; *word != NULL; word++)
		if (**word != '\0')
			g_string_append_printf(note, "%s%s", note->len > 0 ? " " : "", *word);
	if (note->len == 0 && *labels == '\0')
		return;
	text = g_strconcat(path, *path != '\0' ? ": " : "", note->str,
			   note->len > 0 && *labels != '\0' ? "; " : "", labels, NULL);
	safe = tool_escape(text);
	tool_print("    %s\n", safe);
}

static char *list_labels(const LttType *type)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < ltt_type_get_n_labels(type); i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		g_string_append_printf(text, "%s%s=", i > 0 ? " " : "", label->name);
		if (label->is_negative)
			g_string_append_printf(text, "%" G_GINT64_FORMAT, label->value);
		else
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, (guint64)label->value);
	}
	return g_string_free(text, FALSE);
}

static void print_notes(const LttType *type, const char *path, const char *description)
{
	const LttType *element = innermost(type);
	g_autofree char *labels = list_labels(element);

	print_note(path, description, labels);
	for (guint i = 0; i < ltt_type_get_n_fields(element); i++) {
		const LttField *field = ltt_type_get_field(element, i);
		g_autofree char *inner =
			g_strconcat(path, *path != '\0' ? "." : "", field->name, NULL);

		print_notes(field->type, inner, field->description);
	}
}

/* Prints what the event type ends, and its counters (doc/format.md, 8.9). */
static void print_declarations(const LttEventType *event)
{
	const LttType *type = event->type != NULL ? ltt_type_resolve(event->type) : NULL;

	if (event->ends != NULL)
		tool_print("    ends %s.%s, key %s\n", ltt_facility_get_name(event->facility),
			   event->ends, event->key != NULL ? event->key : "thread");
	for (guint i = 0; type != NULL && i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		if (field->role == LTT_FIELD_COUNTER)
			tool_print("    %s: a counter\n", field->name);
		else if (field->role == LTT_FIELD_ERRNO)
			tool_print("    %s: a result or a negated error number\n", field->name);
		else if (field->role == LTT_FIELD_FUNCTION)
			tool_print("    %s: the address of a function\n", field->name);
		else if (field->role == LTT_FIELD_CODE)
			tool_print("    %s: an address in code\n", field->name);
	}
}

static void print_event(const LttEventType *event, const LttArch *arch)
{
	g_autoptr(GString) text = g_string_new(event->full_name);

	if (event->type != NULL) {
		const LttType *type = ltt_type_resolve(event->type);

		g_string_append(text, "  ");
		if (ltt_type_get_kind(type) == LTT_STRUCT)
			add_fields(text, type, arch);
		else
			add_type(text, type, arch);
	}
	tool_print("%s\n", text->str);
	print_declarations(event);
	if (event->type != NULL)
		print_notes(event->type, "", event->description);
	else
		print_note("", event->description, "");
}

void info_each_event(LttTrace *trace, InfoEventFunc func, gpointer user_data)
{
	const LttArch *arch = ltt_system_get_arch(ltt_trace_get_system(trace));

	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);

		for (guint j = 0; j < ltt_facility_get_n_events(load->facility); j++)
			if (info_is_loaded(load))
				func(ltt_facility_get_event(load->facility, j), arch, user_data);
	}
}

static void print_one(const LttEventType *event, const LttArch *arch, gpointer user_data)
{
	(void)user_data;
	print_event(event, arch);
}

void info_print_events(LttTrace *trace)
{
	info_each_event(trace, print_one, NULL);
}
