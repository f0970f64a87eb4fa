/* header.c - a whole header: guard, checks, description, types, functions.
 *
 * The guard is made of the facility's name, not of a file's, so the same facility met twice is
 * nothing and another version of it an error; and headers can be put together in one file. Nothing
 * in a header depends on when, where or by which version it was made.
 */
#include "codegen/ctype-priv.h"
#include "codegen/declare-priv.h"
#include "codegen/function-priv.h"

#include <ltt/ltt-codegen.h>
#include <ltt/ltt-eventdefs.h>

#include "base/error-priv.h"

/* What of a machine the header must be able to rely on. */
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

/* Warnings that people may ask for and that code for C and C++ cannot avoid: the casts of C, which
 * are useless where two types happen to be the same; declarations where they are needed; functions
 * that are not used, which clang tells of when it compiles a header by itself. */
static void write_quiet(LttText *text)
{
	static const char *const lines[] = {
		"#pragma GCC diagnostic push",
		"#ifdef __cplusplus",
		"#pragma GCC diagnostic ignored \"-Wold-style-cast\"",
		"#else",
		"#pragma GCC diagnostic ignored \"-Wdeclaration-after-statement\"",
		"#endif",
		"#ifdef __clang__",
		"#pragma GCC diagnostic ignored \"-Wunused-function\"",
		"#elif defined(__cplusplus)",
		"#pragma GCC diagnostic ignored \"-Wuseless-cast\"",
		"#endif",
	};

	for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
		ltt_text_line(text, "%s", lines[i]);
	ltt_text_gap(text);
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

static void write_title(LttText *text, const LttFacility *facility)
{
	g_autofree char *words = ltt_comment_words(ltt_facility_get_description(facility));

	ltt_text_line(text, "/* Events of the facility \"%s\", to be called where they happen.",
		      ltt_facility_get_name(facility));
	ltt_text_line(text, " *");
	if (words[0] != '\0') {
		ltt_text_comment_lines(text, "", words);
		ltt_text_line(text, " *");
	}
	ltt_text_line(text, " * Made by `ltt compile --header` from the facility's description; "
			    "change that, not this.");
	ltt_text_line(text, " */");
}

static void write_guard(LttText *text, const LttFacility *facility)
{
	const char *name = ltt_facility_get_name(facility);
	const guint32 checksum = ltt_facility_get_checksum(facility);

	ltt_text_line(text, "#if defined(LTT_HEADER_%s) && LTT_HEADER_%s != 0x%08x", name, name,
		      checksum);
	ltt_text_line(text, "#error \"two versions of the facility %s\"", name);
	ltt_text_line(text, "#endif");
	ltt_text_line(text, "#ifndef LTT_HEADER_%s", name);
	ltt_text_line(text, "#define LTT_HEADER_%s 0x%08x", name, checksum);
	ltt_text_gap(text);
	ltt_text_line(text, "#include <ltt/ltt-probe.h>");
	ltt_text_gap(text);
}

/* The description as it goes into a trace. It may be longer than ISO C promises of a literal. */
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

/* A function behind the types that nobody else has. */
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

	write_title(text, types->facility);
	write_guard(text, types->facility);
	look_at(types, &needs);
	write_checks(text, &needs);
	write_quiet(text);
	write_facility(text, types->facility);
	for (guint i = 0; i < ltt_facility_get_n_types(types->facility); i++)
		ltt_write_definitions(text, ltt_ctypes_get_named(types, i));
	for (guint i = 0; i < types->functions->len && !text->is_full; i++)
		write_event(text, &g_array_index(types->functions, LttCFunction, i));
	ltt_text_line(text, "#pragma GCC diagnostic pop");
	ltt_text_gap(text);
	ltt_text_line(text, "#endif /* LTT_HEADER_%s */", ltt_facility_get_name(types->facility));
}

char *ltt_codegen_header(const LttFacility *facility, GError **error)
{
	g_autoptr(LttCTypes) types = NULL;
	LttText text;
	char *header = NULL;

	if (g_str_equal(ltt_facility_get_name(facility), "builtin")) {
		ltt_fail(error, LTT_ERROR_INVALID,
			 "facility \"builtin\": its events are written by every tracer itself, "
			 "expected another name");
		return NULL;
	}
	types = ltt_ctypes_new(facility, error);
	if (types == NULL)
		return NULL;
	ltt_text_init(&text, LTT_MAX_HEADER_BYTES);
	write_header(&text, types);
	if (text.is_full)
		ltt_fail_long_header(facility, error);
	else
		header = g_string_free(g_steal_pointer(&text.bytes), FALSE);
	ltt_text_clear(&text);
	return header;
}
