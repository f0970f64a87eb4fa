/* offline.c - generate a header for programs that write or read events with libltt. */
#include "codegen/declare-priv.h"
#include "codegen/frame-priv.h"
#include "codegen/offline-priv.h"

#include <ltt/ltt-codegen.h>

static const LttFrame frame = {
	.title = "as C structs that libltt writes and reads",
	.option = "offline",
	.guard = "LTT_OFFLINE_HEADER_",
	.include = "ltt/ltt-offline.h",
};

static const LttCFunction *get_function(const LttCTypes *types, guint index)
{
	return &g_array_index(types->functions, LttCFunction, index);
}

static void write_indexes(LttText *text, const LttCTypes *types)
{
	if (types->functions->len == 0)
		return;
	ltt_text_line(text, "/* The id of an event is the base code of its facility in the trace "
			    "plus its index. */");
	ltt_text_open(text, "enum {");
	for (guint i = 0; i < types->functions->len && !text->is_full; i++)
		ltt_text_line(text, "%s = %u,", get_function(types, i)->index_name, i);
	ltt_text_close(text, "};");
	ltt_text_gap(text);
}

static void write_reader(LttText *text, const LttCFunction *function)
{
	g_autofree char *head = g_strdup_printf("static inline gboolean %s(", function->read_name);
	g_autofree char *out = g_strdup_printf("struct %s *ltt_out", function->struct_tag);
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	g_ptr_array_add(list, (gpointer) "LttOfflineReader *ltt_reader");
	g_ptr_array_add(list, (gpointer) "const LttEvent *ltt_event");
	g_ptr_array_add(list, out);
	g_ptr_array_add(list, (gpointer) "GError **ltt_error");
	ltt_text_list(text, head, list, ")");
	ltt_text_open(text, "{");
	ltt_text_line(text,
		      "return ltt_offline_reader_read(ltt_reader, ltt_event, %u, ltt_out, "
		      "ltt_error);",
		      function->event->index);
	ltt_text_close(text, "}");
	ltt_text_gap(text);
}

static void write_event(LttText *text, const LttCFunction *function)
{
	if (function->event->type == NULL)
		return;
	for (guint i = 0; i < function->parameters->len; i++)
		ltt_write_definitions(text,
				      g_array_index(function->parameters, LttCMember, i).type);
	ltt_write_event_struct(text, function->struct_tag, function->parameters,
			       function->event->description);
	ltt_write_offline_writer(text, function);
	write_reader(text, function);
}

static void write_header(LttText *text, const LttCTypes *types)
{
	ltt_write_frame_begin(text, types->facility, &frame);
	ltt_write_frame_quiet(text);
	write_indexes(text, types);
	for (guint i = 0; i < ltt_facility_get_n_types(types->facility); i++)
		ltt_write_definitions(text, ltt_ctypes_get_named(types, i));
	for (guint i = 0; i < types->functions->len && !text->is_full; i++)
		write_event(text, get_function(types, i));
	ltt_write_offline_tables(text, types);
	ltt_write_frame_end(text, types->facility, &frame);
}

char *ltt_codegen_offline(const LttFacility *facility, GError **error)
{
	g_autoptr(LttCTypes) types = ltt_ctypes_new(facility, LTT_FOR_OFFLINE, error);
	LttText text;

	if (types == NULL)
		return NULL;
	ltt_text_init(&text, LTT_MAX_HEADER_BYTES);
	write_header(&text, types);
	return ltt_take_header(&text, facility, error);
}
