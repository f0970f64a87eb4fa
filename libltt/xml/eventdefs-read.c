/* eventdefs-read.c - parse event descriptions (doc/format.md, 8).
 *
 * After a mistake in a facility the parser continues to its end and seals it, to report all
 * mistakes of a file in one run. Then it drops that facility and keeps the others of the file. An
 * invalid printf format drops only the format, because a trace can be read without it.
 */
#include "model/facility-priv.h"
#include "model/mistakes-priv.h"
#include "xml/eventdefs-read-priv.h"
#include "xml/xml-file-priv.h"

static void read_event(LttDefsReader *reader, const xmlNode *element, LttFacility *facility)
{
	g_autofree char *name = ltt_read_name(reader, element);
	g_autofree char *description = ltt_read_description(element);

	ltt_facility_add_event(facility, name, description,
			       ltt_read_inner_type(reader, element, FALSE));
	ltt_facility_set_event_line(facility, ltt_element_line(element));
	ltt_facility_set_print(facility, ltt_element_attribute(element, LTT_ATTRIBUTE_PRINT));
	ltt_facility_set_hidden(facility, ltt_read_show(element) == LTT_SHOW_HIDDEN);
	ltt_facility_set_ends(facility, ltt_element_attribute(element, LTT_ATTRIBUTE_ENDS),
			      ltt_element_attribute(element, LTT_ATTRIBUTE_KEY));
	ltt_facility_set_state(facility, ltt_element_attribute(element, LTT_ATTRIBUTE_STATE));
}

static void read_named_type(LttDefsReader *reader, const xmlNode *element, LttFacility *facility)
{
	g_autofree char *name = ltt_read_name(reader, element);
	g_autofree char *description = ltt_read_description(element);

	ltt_facility_add_type(facility, name, description,
			      ltt_read_inner_type(reader, element, TRUE));
	ltt_facility_set_type_line(facility, ltt_element_line(element));
}

/* Returns: whether the facility can be used to read a trace */
static gboolean seal(LttDefsReader *reader, LttFacility *facility)
{
	g_autoptr(GPtrArray) mistakes = ltt_mistakes_new();
	const gboolean is_good = ltt_facility_seal_telling(facility, mistakes);

	for (guint i = 0; i < mistakes->len; i++) {
		const LttMistake *mistake = mistakes->pdata[i];

		ltt_remarks_error(reader->remarks, mistake->line, "%s", mistake->message);
	}
	return is_good;
}

static gboolean check_n_events(LttDefsReader *reader, const xmlNode *element)
{
	guint n_events = 0;

	for (const xmlNode *child = ltt_grammar_first(element, LTT_ROLE_EVENT); child != NULL;
	     child = ltt_grammar_next(child, LTT_ROLE_EVENT))
		n_events++;
	return n_events <= LTT_MAX_EVENTS ||
	       ltt_remarks_error(reader->remarks, ltt_element_line(element),
				 "facility of %u events: expected at most %d", n_events,
				 LTT_MAX_EVENTS);
}

static void read_facility(LttDefsReader *reader, const xmlNode *element, GPtrArray *facilities)
{
	const guint n_errors_before = reader->remarks->n_errors;
	g_autoptr(LttFacility) facility = NULL;
	g_autofree char *description = NULL;
	g_autofree char *name = NULL;
	gboolean has_errors;

	/* Checked before building, because an event takes far more memory than its element. */
	if (!check_n_events(reader, element))
		return;
	ltt_grammar_check(element, reader->remarks);
	name = ltt_read_name(reader, element);
	description = ltt_read_description(element);
	facility = ltt_facility_new(name);
	ltt_facility_set_line(facility, ltt_element_line(element));
	ltt_facility_set_description(facility, description);
	ltt_facility_set_bookkeeping(facility,
				     g_strcmp0(ltt_element_attribute(element, LTT_ATTRIBUTE_ROLE),
					       LTT_ROLE_BOOKKEEPING) == 0);
	for (const xmlNode *child = ltt_grammar_first(element, LTT_ROLE_EVENT); child != NULL;
	     child = ltt_grammar_next(child, LTT_ROLE_EVENT))
		read_event(reader, child, facility);
	for (const xmlNode *child = ltt_grammar_first(element, LTT_ROLE_NAMED_TYPE); child != NULL;
	     child = ltt_grammar_next(child, LTT_ROLE_NAMED_TYPE))
		read_named_type(reader, child, facility);
	has_errors = reader->remarks->n_errors > n_errors_before;
	if (seal(reader, facility) && !has_errors)
		g_ptr_array_add(facilities, g_steal_pointer(&facility));
}

/* Reads the facilities in @around: the root, or an element around facilities that has an unknown
 * name. Returns: the number of facilities found */
static guint read_inside(LttDefsReader *reader, const xmlNode *around, GPtrArray *facilities)
{
	guint n_found = 0;

	ltt_grammar_ignore_text(around, "facilities", reader->remarks);
	for (const xmlNode *element = ltt_element_first(around); element != NULL;
	     element = ltt_element_next(element)) {
		const LttElement *known = ltt_grammar_find(ltt_element_name(element));

		if (known == NULL) {
			n_found += read_inside(reader, element, facilities);
		} else if (known->role == LTT_ROLE_FACILITY) {
			read_facility(reader, element, facilities);
			n_found++;
		} else {
			ltt_remarks_error(reader->remarks, ltt_element_line(element),
					  "<%s> outside a facility: expected <facility>",
					  known->name);
		}
	}
	return n_found;
}

GPtrArray *ltt_eventdefs_parse(const char *text, gsize length, GPtrArray *remarks)
{
	g_autoptr(GPtrArray) facilities =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_facility_unref);
	g_auto(LttRemarks) collected = {0};
	LttDefsReader reader = {.remarks = &collected};
	g_autoptr(LttDocument) document = NULL;

	g_return_val_if_fail(remarks != NULL, NULL);
	ltt_remarks_init(&collected);
	document = ltt_document_parse(text, length, &collected);
	if (document != NULL &&
	    read_inside(&reader, ltt_document_get_root(document), facilities) == 0)
		ltt_remarks_error(&collected, 1, "no facility in the file: expected <facility>");
	ltt_remarks_deliver(&collected, remarks);
	return g_steal_pointer(&facilities);
}

GPtrArray *ltt_eventdefs_read(const char *path, GPtrArray *remarks, GError **error)
{
	g_autoptr(GString) text = ltt_xml_file_read(path, error);

	return text != NULL ? ltt_eventdefs_parse(text->str, text->len, remarks) : NULL;
}
