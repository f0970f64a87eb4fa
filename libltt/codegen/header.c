/* header.c - generate a header for traced programs.
 *
 * Nothing in it depends on the time, the machine or the version of this library, so that builds
 * are reproducible.
 */
#include "codegen/ctype-priv.h"
#include "codegen/declare-priv.h"
#include "codegen/frame-priv.h"
#include "codegen/function-priv.h"

#include <ltt/ltt-codegen.h>
#include <ltt/ltt-eventdefs.h>

#include "base/error-priv.h"

static const LttFrame frame = {
	.title = "to be called where they happen",
	.option = "header",
	.guard = "LTT_HEADER_",
	.include = "ltt/ltt-probe.h",
};

/* What the header assumes of the machine that compiles it. */
typedef struct Needs {
	gboolean has_symbolic; /* short, medium or long integers */
	gboolean has_float;
} Needs;

static void look_at(const LttCTypes *types, Needs *needs)
{
	for (guint i = 0; i < types->all->len; i++) {
		const LttCType *type = types->all->pdata[i];

		if (type->kind == LTT_FLOAT)
			needs->has_float = TRUE;
		else if (ltt_type_get_width(type->type) >= LTT_WIDTH_SHORT)
			needs->has_symbolic = TRUE;
	}
}

static void write_checks(LttText *text, const Needs *needs)
{
	if (needs->has_symbolic) {
		ltt_text_line(text, "#if __SIZEOF_SHORT__ != 2 || __SIZEOF_INT__ < 2 || "
				    "__SIZEOF_LONG__ != __SIZEOF_POINTER__");
		ltt_text_line(text,
			      "#error \"short, int and long are not of the sizes that a trace "
			      "can say\"");
		ltt_text_line(text, "#endif");
		ltt_text_gap(text);
	}
	if (needs->has_float) {
		ltt_text_line(text, "#if __SIZEOF_FLOAT__ != 4 || __SIZEOF_DOUBLE__ != 8");
		ltt_text_line(text, "#error \"float and double are not of 4 and 8 bytes\"");
		ltt_text_line(text, "#endif");
		ltt_text_gap(text);
	}
}

/* Writes the description, which the probe stores in the trace. The literal may be longer than ISO C
 * guarantees, hence __extension__. */
static void write_facility(LttText *text, const LttFacility *facility)
{
	g_autofree char *xml = ltt_eventdefs_print(facility);

	ltt_text_line(text, "__extension__ LTT_PROBE_DEFINE_FACILITY(%s, 0x%08x, %u,",
		      ltt_facility_get_name(facility), ltt_facility_get_checksum(facility),
		      ltt_facility_get_n_events(facility));
	text->indent++;
	ltt_text_string(text, xml, ")");
	text->indent--;
	ltt_text_gap(text);
}

/* Writes the functions of an event, after the types that it is the first to use. */
static void write_event(LttText *text, const LttCFunction *function)
{
	for (guint i = 0; i < function->parameters->len; i++)
		ltt_write_definitions(text,
				      g_array_index(function->parameters, LttCMember, i).type);
	ltt_write_function(text, function);
}

static void write_header(LttText *text, const LttCTypes *types)
{
	Needs needs = {FALSE, FALSE};

	ltt_write_frame_begin(text, types->facility, &frame);
	look_at(types, &needs);
	write_checks(text, &needs);
	ltt_write_frame_quiet(text);
	write_facility(text, types->facility);
	for (guint i = 0; i < ltt_facility_get_n_types(types->facility); i++)
		ltt_write_definitions(text, ltt_ctypes_get_named(types, i));
	for (guint i = 0; i < types->functions->len && !text->is_full; i++)
		write_event(text, &g_array_index(types->functions, LttCFunction, i));
	ltt_write_frame_end(text, types->facility, &frame);
}

char *ltt_codegen_header(const LttFacility *facility, GError **error)
{
	g_autoptr(LttCTypes) types = NULL;
	LttText text;

	if (g_str_equal(ltt_facility_get_name(facility), "builtin")) {
		ltt_fail(error, LTT_ERROR_INVALID,
			 "facility \"builtin\": its events are written by every tracer itself, "
			 "expected another name");
		return NULL;
	}
	types = ltt_ctypes_new(facility, LTT_FOR_PROBE, error);
	if (types == NULL)
		return NULL;
	ltt_text_init(&text, LTT_MAX_HEADER_BYTES);
	write_header(&text, types);
	return ltt_take_header(&text, facility, error);
}
