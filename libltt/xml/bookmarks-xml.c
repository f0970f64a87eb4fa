/* bookmarks-xml.c - parse and print info/bookmarks.xml (doc/format.md, 9.2).
 *
 * A location has one of four forms. A table lists them as pairs of attribute names; an instant has
 * only the first.
 */
#include "base/error-priv.h"
#include "base/time-priv.h"
#include "xml/document-priv.h"
#include "xml/grammar-priv.h"
#include "xml/xml-escape-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-system.h>

#include <string.h>

typedef struct Form {
	const char *start;
	const char *end; /* NULL: an instant */
	LttBookmarkUnit unit;
} Form;

static const Form forms[] = {
	{"time", NULL, LTT_BOOKMARK_TIME},
	{"start_time", "end_time", LTT_BOOKMARK_TIME},
	{"cycle", NULL, LTT_BOOKMARK_CYCLES},
	{"start_cycle", "end_cycle", LTT_BOOKMARK_CYCLES},
};

#define EXPECTED_PLACE "expected time, start_time and end_time, cycle, or start_cycle and end_cycle"

/* ---- parsing ---- */

/* Warns that an element is skipped. Returns: FALSE */
static gboolean leave_out(const xmlNode *element, LttRemarks *remarks, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static gboolean leave_out(const xmlNode *element, LttRemarks *remarks, const char *format, ...)
{
	g_autofree char *why = NULL;
	va_list arguments;

	va_start(arguments, format);
	why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	ltt_remarks_warning(remarks, ltt_element_line(element), "<location> is left out: %s", why);
	return FALSE;
}

static gboolean read_value(const xmlNode *element, const char *name, LttBookmarkUnit unit,
			   guint64 *value, LttRemarks *remarks)
{
	const char *text = ltt_element_attribute(element, name);

	if (unit == LTT_BOOKMARK_CYCLES)
		return g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, value, NULL) ||
		       leave_out(element, remarks,
				 "%s=\"%s\": expected a number of 64 bits in decimal", name, text);
	return ltt_time_parse_seconds(text, value) ||
	       leave_out(element, remarks,
			 "%s=\"%s\": expected seconds since 1970 with up to nine decimals", name,
			 text);
}

/* Returns: (nullable): the form that the attributes match; NULL: none, or more than one */
static const Form *find_form(const xmlNode *element)
{
	const Form *found = NULL;
	guint n_attributes = 0;

	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		const gboolean has_start = ltt_element_attribute(element, forms[i].start) != NULL;
		const gboolean has_end = forms[i].end != NULL &&
					 ltt_element_attribute(element, forms[i].end) != NULL;

		n_attributes += (has_start ? 1U : 0U) + (has_end ? 1U : 0U);
		if (has_start && has_end == (forms[i].end != NULL))
			found = &forms[i];
	}
	return found != NULL && n_attributes == (found->end != NULL ? 2 : 1) ? found : NULL;
}

static gboolean read_place(const xmlNode *element, LttBookmark *bookmark, LttRemarks *remarks)
{
	const Form *form = find_form(element);

	if (form == NULL)
		return leave_out(element, remarks, "its place is not clear: " EXPECTED_PLACE);
	bookmark->unit = form->unit;
	bookmark->is_interval = form->end != NULL;
	if (!read_value(element, form->start, form->unit, &bookmark->start, remarks))
		return FALSE;
	bookmark->end = bookmark->start;
	if (form->end != NULL &&
	    !read_value(element, form->end, form->unit, &bookmark->end, remarks))
		return FALSE;
	return bookmark->end >= bookmark->start ||
	       leave_out(element, remarks, "%s=\"%s\": expected no less than %s", form->end,
			 ltt_element_attribute(element, form->end), form->start);
}

static gboolean read_cpu(const xmlNode *element, LttBookmark *bookmark, LttRemarks *remarks)
{
	const char *text = ltt_element_attribute(element, "cpu");
	guint64 cpu;

	if (text == NULL)
		return TRUE;
	if (!g_ascii_string_to_unsigned(text, 10, 0, LTT_MAX_CPUS - 1, &cpu, NULL))
		return leave_out(element, remarks, "cpu=\"%s\": expected a number from 0 to %d",
				 text, LTT_MAX_CPUS - 1);
	bookmark->cpu = (gint)cpu;
	return TRUE;
}

static gboolean is_known(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		if (g_str_equal(name, forms[i].start) || g_strcmp0(name, forms[i].end) == 0)
			return TRUE;
	}
	return g_str_equal(name, "name") || g_str_equal(name, "cpu");
}

static void check_inside(const xmlNode *element, LttRemarks *remarks)
{
	for (const xmlAttr *attribute = element->properties; attribute != NULL;
	     attribute = attribute->next)
		if (!is_known((const char *)attribute->name))
			ltt_remarks_warning(remarks, ltt_element_line(element),
					    "attribute \"%s\" of <location> is ignored",
					    (const char *)attribute->name);
	for (const xmlNode *child = ltt_element_first(element); child != NULL;
	     child = ltt_element_next(child))
		ltt_remarks_warning(remarks, ltt_element_line(child),
				    "<%s> in <location> is ignored: expected text",
				    ltt_element_name(child));
}

static void read_location(const xmlNode *element, GPtrArray *bookmarks, LttRemarks *remarks)
{
	const char *name = ltt_element_attribute(element, "name");
	g_autoptr(GString) text = ltt_element_text(element);
	g_autoptr(LttBookmark) bookmark = ltt_bookmark_new(name != NULL ? name : "", text->str);

	if (name == NULL) {
		leave_out(element, remarks, "it has no name");
		return;
	}
	if (!read_cpu(element, bookmark, remarks) || !read_place(element, bookmark, remarks))
		return;
	check_inside(element, remarks);
	g_ptr_array_add(bookmarks, g_steal_pointer(&bookmark));
}

/* Reads the locations in @around: the root, or an element of any name that contains locations. */
static void read_inside(const xmlNode *around, guint depth, GPtrArray *bookmarks,
			LttRemarks *remarks)
{
	ltt_grammar_ignore_text(around, "<location>", remarks);
	for (const xmlNode *element = ltt_element_first(around); element != NULL;
	     element = ltt_element_next(element)) {
		if (g_str_equal(ltt_element_name(element), "location"))
			read_location(element, bookmarks, remarks);
		else if (depth == 0)
			read_inside(element, depth + 1, bookmarks, remarks);
		else
			ltt_remarks_warning(remarks, ltt_element_line(element),
					    "<%s> is ignored: expected <location>",
					    ltt_element_name(element));
	}
}

GPtrArray *ltt_bookmarks_parse(const char *text, gsize length, GPtrArray *remarks)
{
	GPtrArray *bookmarks = ltt_bookmarks_new();
	g_auto(LttRemarks) collected = {0};
	g_autoptr(LttDocument) document = NULL;

	ltt_remarks_init(&collected);
	document = ltt_document_parse(text, length, &collected);
	if (document != NULL)
		read_inside(ltt_document_get_root(document), 0, bookmarks, &collected);
	ltt_remarks_deliver(&collected, remarks);
	return bookmarks;
}

/* ---- printing ---- */

static void append_value(GString *out, const char *name, LttBookmarkUnit unit, guint64 value)
{
	char text[LTT_TIME_TEXT_BYTES];

	if (unit == LTT_BOOKMARK_TIME)
		ltt_time_format(value, text);
	else
		g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, value);
	ltt_xml_append_attribute(out, name, text);
}

static const Form *form_of(const LttBookmark *bookmark)
{
	const Form *form = forms;

	while (form->unit != bookmark->unit || (form->end != NULL) != bookmark->is_interval)
		form++;
	return form;
}

static void append_location(GString *out, const LttBookmark *bookmark)
{
	const Form *form = form_of(bookmark);

	g_string_append(out, "  <location");
	ltt_xml_append_attribute(out, "name", bookmark->name);
	if (bookmark->cpu >= 0)
		g_string_append_printf(out, " cpu=\"%d\"", bookmark->cpu);
	append_value(out, form->start, form->unit, bookmark->start);
	if (form->end != NULL)
		append_value(out, form->end, form->unit, bookmark->end);
	if (bookmark->text[0] == '\0') {
		g_string_append(out, "/>\n");
		return;
	}
	g_string_append_c(out, '>');
	ltt_xml_append_text(out, bookmark->text);
	g_string_append(out, "</location>\n");
}

char *ltt_bookmarks_print(const GPtrArray *bookmarks)
{
	GString *out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<bookmarks>\n");

	for (guint i = 0; i < bookmarks->len; i++)
		append_location(out, bookmarks->pdata[i]);
	g_string_append(out, "</bookmarks>\n");
	return g_string_free(out, FALSE);
}
