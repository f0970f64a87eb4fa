/* prepass.c - convert the XML of real files into well-formed XML (doc/format.md, 8.2).
 *
 * Traces of the LTT project have unquoted attributes, names in any case and files without a root,
 * which an XML parser rejects. So the prepass parses tags and writes them again. It knows the open
 * elements, so it also reports mismatched tags, with both lines; and it enforces the limits and
 * checks entities. Its output has no document type, no entity to expand and bounded depth.
 */
#include "xml/grammar-priv.h"
#include "xml/prepass-priv.h"
#include "xml/scan-priv.h"

#include <string.h>

#define WHITE " \t\n"

static gboolean count_part(LttScan *scan)
{
	if (++scan->n_parts <= LTT_MAX_XML_PARTS)
		return TRUE;
	return ltt_remarks_error(scan->remarks, scan->line,
				 "more than %d elements and attributes: expected a smaller file",
				 LTT_MAX_XML_PARTS);
}

/* ---- attributes ---- */

static gboolean take_quoted_value(LttScan *scan, const LttName *name)
{
	const char quote = *scan->at;
	const char *close = strchr(scan->at + 1, quote);
	const gsize length = close != NULL ? (gsize)(close - scan->at) : strlen(scan->at);
	const char *bracket = memchr(scan->at, '<', length);

	if (bracket != NULL)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "\"<\" in the value of attribute \"%.*s\": expected a "
					 "closing quote before it, or \"&lt;\"",
					 LTT_NAME(scan, name));
	if (close == NULL)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "value of attribute \"%.*s\" has no end: expected a "
					 "closing quote",
					 LTT_NAME(scan, name));
	if (!ltt_scan_copy_checked(scan, close))
		return FALSE;
	ltt_scan_copy_to(scan, close + 1);
	return TRUE;
}

static const char *unquoted_end(const char *at)
{
	while (*at != '\0' && strchr(WHITE "<>", *at) == NULL && (at[0] != '/' || at[1] != '>'))
		at++;
	return at;
}

/* An unquoted value may contain quotes. */
static gboolean take_unquoted_value(LttScan *scan, const LttName *name)
{
	const char *end = unquoted_end(scan->at);
	const char quote = memchr(scan->at, '"', (gsize)(end - scan->at)) == NULL ? '"' : '\'';
	const char *inner;

	if (end == scan->at)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "attribute \"%.*s\" without a value: expected one "
					 "after the \"=\"",
					 LTT_NAME(scan, name));
	if (*end == '<')
		return ltt_remarks_error(scan->remarks, scan->line,
					 "\"<\" in the value of attribute \"%.*s\": expected "
					 "\">\" before it, or \"&lt;\"",
					 LTT_NAME(scan, name));
	g_string_append_c(scan->out, quote);
	while (quote == '\'' && (inner = memchr(scan->at, '\'', (gsize)(end - scan->at))) != NULL) {
		if (!ltt_scan_copy_checked(scan, inner))
			return FALSE;
		g_string_append(scan->out, "&apos;");
		scan->at++;
	}
	if (!ltt_scan_copy_checked(scan, end))
		return FALSE;
	g_string_append_c(scan->out, quote);
	return TRUE;
}

static gboolean check_attribute(LttScan *scan, const LttName *name)
{
	if (scan->attributes->len >= LTT_MAX_XML_ATTRIBUTES)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "more than %d attributes in one element",
					 LTT_MAX_XML_ATTRIBUTES);
	for (guint i = 0; i < scan->attributes->len; i++) {
		if (ltt_scan_names_equal(scan, name, &g_array_index(scan->attributes, LttName, i)))
			return ltt_remarks_error(scan->remarks, scan->line,
						 "attribute \"%.*s\" occurs twice in one element",
						 LTT_NAME(scan, name));
	}
	g_array_append_val(scan->attributes, *name);
	return TRUE;
}

/* In known names with our prefix, replaces the colon by a point, which libxml2 accepts in names. */
static gboolean is_view(LttScan *scan, const LttName *name)
{
	static const char *const known[] = {LTT_XML_PREFIX "print", LTT_XML_PREFIX "show",
					    LTT_XML_PREFIX "role",  LTT_XML_PREFIX "ends",
					    LTT_XML_PREFIX "key",   LTT_XML_PREFIX "state"};
	char *text = scan->out->str + name->offset;

	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		if (name->length == strlen(known[i]) && memcmp(text, known[i], name->length) == 0) {
			text[strlen(LTT_XML_PREFIX) - 1] = '.';
			return TRUE;
		}
	}
	return FALSE;
}

/* "xmlns" and names with a prefix belong to other vocabularies. */
static gboolean is_foreign(const LttScan *scan, const LttName *name)
{
	const char *text = scan->out->str + name->offset;

	return memchr(text, ':', name->length) != NULL ||
	       (name->length == 5 && memcmp(text, "xmlns", 5) == 0);
}

static gboolean take_attribute(LttScan *scan)
{
	const gsize mark = scan->out->len;
	const guint first_line = scan->line;
	LttName name;

	if (!count_part(scan) || !ltt_scan_take_name(scan, &name) || !check_attribute(scan, &name))
		return FALSE;
	ltt_scan_skip_to(scan, scan->at + strspn(scan->at, WHITE));
	if (*scan->at != '=')
		return ltt_remarks_error(scan->remarks, first_line,
					 "attribute \"%.*s\" without a value: expected \"=\" "
					 "and one",
					 LTT_NAME(scan, &name));
	ltt_scan_copy_to(scan, scan->at + 1);
	ltt_scan_skip_to(scan, scan->at + strspn(scan->at, WHITE));
	if (*scan->at == '"' || *scan->at == '\'' ? !take_quoted_value(scan, &name)
						  : !take_unquoted_value(scan, &name))
		return FALSE;
	if (!is_view(scan, &name) && is_foreign(scan, &name)) {
		g_array_set_size(scan->attributes, scan->attributes->len - 1);
		g_string_truncate(scan->out, mark);
		ltt_scan_append_lines(scan, scan->line - first_line);
	}
	return TRUE;
}

/* ---- tags ---- */

static gboolean open_element(LttScan *scan, const LttName *name, guint start_line)
{
	LttName opened = *name;
	LttPlace place = {.start = start_line};

	if (scan->open->len >= LTT_MAX_XML_DEPTH)
		return ltt_remarks_error(scan->remarks, start_line,
					 "elements inside each other: expected at most %d",
					 LTT_MAX_XML_DEPTH);
	opened.place = scan->places->len;
	g_array_append_val(scan->open, opened);
	g_array_append_val(scan->places, place);
	return TRUE;
}

static void close_element(LttScan *scan)
{
	const LttName *last = &g_array_index(scan->open, LttName, scan->open->len - 1);

	g_array_index(scan->places, LttPlace, last->place).end = scan->line;
	g_array_set_size(scan->open, scan->open->len - 1);
}

/* Handles the ">" or "/>" of a start tag. */
static void end_start_tag(LttScan *scan)
{
	const gboolean is_empty = *scan->at == '/';

	g_array_index(scan->places, LttPlace, scan->places->len - 1).inner = scan->line;
	ltt_scan_copy_to(scan, scan->at + (is_empty ? 2 : 1));
	if (is_empty)
		close_element(scan);
}

static gboolean take_start_tag(LttScan *scan)
{
	const guint start_line = scan->line;
	LttName name;

	ltt_scan_copy_to(scan, scan->at + 1);
	if (!count_part(scan) || !ltt_scan_take_name(scan, &name) ||
	    !open_element(scan, &name, start_line))
		return FALSE;
	g_array_set_size(scan->attributes, 0);
	for (;;) {
		ltt_scan_skip_to(scan, scan->at + strspn(scan->at, WHITE));
		if (*scan->at == '>' || (scan->at[0] == '/' && scan->at[1] == '>')) {
			end_start_tag(scan);
			return TRUE;
		}
		if (*scan->at == '\0' || *scan->at == '<')
			return ltt_remarks_error(scan->remarks, start_line,
						 "<%.*s is not closed: expected \">\"",
						 LTT_NAME(scan, &name));
		if (!ltt_scan_is_name_start(*scan->at))
			return ltt_remarks_error(scan->remarks, scan->line,
						 "\"%c\" in <%.*s: expected an attribute, \">\" "
						 "or \"/>\"",
						 *scan->at, LTT_NAME(scan, &name));
		g_string_append_c(scan->out, ' ');
		if (!take_attribute(scan))
			return FALSE;
	}
}

static gboolean take_end_tag(LttScan *scan)
{
	const guint start_line = scan->line;
	const LttName *last;
	LttName name;

	ltt_scan_copy_to(scan, scan->at + 2);
	if (!ltt_scan_take_name(scan, &name))
		return FALSE;
	ltt_scan_skip_to(scan, scan->at + strspn(scan->at, WHITE));
	if (*scan->at != '>')
		return ltt_remarks_error(scan->remarks, start_line,
					 "</%.*s is not closed: expected \">\"",
					 LTT_NAME(scan, &name));
	if (scan->open->len == 0)
		return ltt_remarks_error(scan->remarks, start_line,
					 "</%.*s> closes nothing: expected <%.*s> before it",
					 LTT_NAME(scan, &name), LTT_NAME(scan, &name));
	last = &g_array_index(scan->open, LttName, scan->open->len - 1);
	if (!ltt_scan_names_equal(scan, last, &name))
		return ltt_remarks_error(
			scan->remarks, start_line,
			"</%.*s> does not match <%.*s> of line %u: expected </%.*s>",
			LTT_NAME(scan, &name), LTT_NAME(scan, last),
			g_array_index(scan->places, LttPlace, last->place).start,
			LTT_NAME(scan, last));
	ltt_scan_copy_to(scan, scan->at + 1);
	close_element(scan);
	return TRUE;
}

/* ---- other markup: comments, CDATA sections, processing instructions ---- */

/* Markup between two delimiters. */
typedef struct Section {
	const char *begin;
	const char *end;
	const char *what;
	gboolean is_kept;
} Section;

static const Section sections[] = {
	{"<!--", "-->", "comment", FALSE},
	{"<?", "?>", "processing instruction", FALSE},
	{"<![CDATA[", "]]>", "CDATA section", TRUE},
};

static gboolean take_section(LttScan *scan, const Section *section)
{
	const char *end = scan->at + strlen(section->begin);

	while ((end = strchr(end, section->end[0])) != NULL && !g_str_has_prefix(end, section->end))
		end++;
	if (end == NULL)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "%s has no end: expected \"%s\"", section->what,
					 section->end);
	end += strlen(section->end);
	if (section->is_kept)
		ltt_scan_copy_to(scan, end);
	else
		ltt_scan_skip_to(scan, end);
	return TRUE;
}

static gboolean take_markup(LttScan *scan)
{
	const char *at = scan->at;

	for (guint i = 0; i < G_N_ELEMENTS(sections); i++) {
		if (g_str_has_prefix(at, sections[i].begin))
			return take_section(scan, &sections[i]);
	}
	if (at[1] == '/' && ltt_scan_is_name_start(at[2]))
		return take_end_tag(scan);
	if (ltt_scan_is_name_start(at[1]))
		return take_start_tag(scan);
	if (g_ascii_strncasecmp(at, "<!DOCTYPE", 9) == 0)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "DOCTYPE is not allowed: expected elements only");
	return ltt_remarks_error(scan->remarks, scan->line,
				 "\"<\" begins no tag: expected a name after it, or \"&lt;\"");
}

/* Copies text up to the next tag. XML does not allow "]]>" in text. */
static gboolean take_text(LttScan *scan)
{
	const char *end = scan->at + strcspn(scan->at, "<");
	const char *close;

	while ((close = g_strstr_len(scan->at, end - scan->at, "]]>")) != NULL) {
		if (!ltt_scan_copy_checked(scan, close + 2))
			return FALSE;
		g_string_append(scan->out, "&gt;");
		scan->at++;
	}
	return ltt_scan_copy_checked(scan, end);
}

static gboolean take_all(LttScan *scan)
{
	while (*scan->at != '\0') {
		if (*scan->at == '<' ? !take_markup(scan) : !take_text(scan))
			return FALSE;
	}
	if (scan->open->len > 0) {
		const LttName *last = &g_array_index(scan->open, LttName, scan->open->len - 1);

		return ltt_remarks_error(scan->remarks,
					 g_array_index(scan->places, LttPlace, last->place).start,
					 "<%.*s> has no end: expected </%.*s>",
					 LTT_NAME(scan, last), LTT_NAME(scan, last));
	}
	return TRUE;
}

gboolean ltt_xml_prepass(const char *text, LttStrictXml *out, LttRemarks *remarks)
{
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(LttName));
	g_autoptr(GArray) attributes = g_array_new(FALSE, FALSE, sizeof(LttName));
	LttStrictXml strict = {.text = g_string_new("<file>"),
			       .places = g_array_new(FALSE, FALSE, sizeof(LttPlace))};
	LttPlace root = {.start = 1, .inner = 1};
	LttScan scan = {.at = text,
			.line = 1,
			.out = strict.text,
			.places = strict.places,
			.open = open,
			.attributes = attributes,
			.remarks = remarks};

	g_array_append_val(strict.places, root);
	if (!take_all(&scan)) {
		ltt_strict_xml_clear(&strict);
		return FALSE;
	}
	g_array_index(strict.places, LttPlace, 0).end = scan.line;
	g_string_append(strict.text, "</file>");
	*out = strict;
	return TRUE;
}

void ltt_strict_xml_clear(LttStrictXml *strict)
{
	if (strict->text != NULL)
		g_string_free(strict->text, TRUE);
	if (strict->places != NULL)
		g_array_unref(strict->places);
	*strict = (LttStrictXml){0};
}
