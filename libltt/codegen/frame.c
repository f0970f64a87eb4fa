/* frame.c - the first and last lines of a header: title, include guard, warnings. */
#include "codegen/frame-priv.h"

#include "codegen/ctype-priv.h"

static void write_title(LttText *text, const LttFacility *facility, const LttFrame *frame)
{
	g_autofree char *words = ltt_comment_words(ltt_facility_get_description(facility));

	ltt_text_line(text, "/* Events of the facility \"%s\", %s.",
		      ltt_facility_get_name(facility), frame->title);
	ltt_text_line(text, " *");
	if (words[0] != '\0') {
		ltt_text_comment_lines(text, "", words);
		ltt_text_line(text, " *");
	}
	ltt_text_line(text,
		      " * Made by `ltt compile --%s` from the facility's description; "
		      "change that, not this.",
		      frame->option);
	ltt_text_line(text, " */");
}

static void write_guard(LttText *text, const LttFacility *facility, const LttFrame *frame)
{
	const char *name = ltt_facility_get_name(facility);
	const guint32 checksum = ltt_facility_get_checksum(facility);
	g_autofree char *guard = g_strconcat(frame->guard, name, NULL);

	ltt_text_line(text, "#if defined(%s) && %s != 0x%08x", guard, guard, checksum);
	ltt_text_line(text, "#error \"two versions of the facility %s\"", name);
	ltt_text_line(text, "#endif");
	ltt_text_line(text, "#ifndef %s", guard);
	ltt_text_line(text, "#define %s 0x%08x", guard, checksum);
	ltt_text_gap(text);
	ltt_text_line(text, "#include <%s>", frame->include);
	ltt_text_gap(text);
}

void ltt_write_frame_begin(LttText *text, const LttFacility *facility, const LttFrame *frame)
{
	write_title(text, facility, frame);
	write_guard(text, facility, frame);
}

/* C casts are redundant where two types happen to be the same; declarations follow statements;
 * clang reports unused functions if it compiles a header as a main file. */
void ltt_write_frame_quiet(LttText *text)
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

void ltt_write_frame_end(LttText *text, const LttFacility *facility, const LttFrame *frame)
{
	ltt_text_line(text, "#pragma GCC diagnostic pop");
	ltt_text_gap(text);
	ltt_text_line(text, "#endif /* %s%s */", frame->guard, ltt_facility_get_name(facility));
}

char *ltt_take_header(LttText *text, const LttFacility *facility, GError **error)
{
	char *header = NULL;

	if (text->is_full)
		ltt_fail_long_header(facility, error);
	else
		header = g_string_free(g_steal_pointer(&text->bytes), FALSE);
	ltt_text_clear(text);
	return header;
}
