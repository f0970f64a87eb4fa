/* eventdefs-labels.c - parse the labels of an enum (doc/format.md, 8.3).
 *
 * Values range from the minimum of a signed to the maximum of an unsigned 64-bit number, so a value
 * is kept as sign and magnitude until it is known to fit.
 */
#include "xml/eventdefs-read-priv.h"

#include <string.h>

#define WHITE " \t\r\n"

typedef struct LabelValue {
	gboolean is_negative;
	guint64 bits; /* two's complement if negative */
} LabelValue;

static void add_label(LttType *type, const char *name, const LabelValue *value)
{
	if (value->is_negative)
		ltt_type_add_label(type, name, (gint64)value->bits);
	else
		ltt_type_add_label_unsigned(type, name, value->bits);
}

/* Adds 1. Returns: FALSE if that exceeds the maximum */
static gboolean increase(LabelValue *value)
{
	value->bits++;
	if (value->bits != 0)
		return TRUE;
	if (!value->is_negative)
		return FALSE;
	value->is_negative = FALSE;
	return TRUE;
}

/* Parses a decimal number, or a hexadecimal one after "0x", with an optional "-" in front. */
static gboolean parse_value(const char *text, LabelValue *value)
{
	const gboolean is_negative = text[0] == '-';
	const char *digits = text + (is_negative ? 1 : 0);
	const gboolean is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	guint64 magnitude;

	/* The conversion below would accept a second "0x", though no sign. */
	if (is_hex && digits[2] == '0' && (digits[3] == 'x' || digits[3] == 'X'))
		return FALSE;
	if (!g_ascii_string_to_unsigned(digits + (is_hex ? 2 : 0), is_hex ? 16 : 10, 0,
					is_negative ? (guint64)1 << 63 : G_MAXUINT64, &magnitude,
					NULL))
		return FALSE;
	*value = (LabelValue){.is_negative = is_negative && magnitude != 0,
			      .bits = is_negative ? -magnitude : magnitude};
	return TRUE;
}

static gboolean count_label(LttDefsReader *reader, guint line)
{
	if (++reader->n_words == LTT_MAX_XML_PARTS + 1)
		ltt_remarks_error(reader->remarks, line,
				  "more than %d enum labels: expected a smaller file",
				  LTT_MAX_XML_PARTS);
	return reader->n_words <= LTT_MAX_XML_PARTS;
}

static gboolean check_label(LttDefsReader *reader, const char *name, guint line)
{
	const gsize length = strlen(name);

	if (length > LTT_MAX_NAME_BYTES)
		return ltt_remarks_error(reader->remarks, line,
					 "label of %" G_GSIZE_FORMAT " bytes: expected at most %d",
					 length, LTT_MAX_NAME_BYTES);
	if (length == 0 || strcspn(name, WHITE) < length)
		return ltt_remarks_error(reader->remarks, line, "label \"%s\": expected a word",
					 name);
	return TRUE;
}

/* Returns: (nullable): the next word at or after @at; NULL: there is none */
static const char *next_word(const char *at, guint *line, gsize *length)
{
	for (; *at != '\0' && strchr(WHITE, *at) != NULL; at++)
		*line += *at == '\n' ? 1 : 0;
	*length = strcspn(at, WHITE);
	return *length > 0 ? at : NULL;
}

static void read_words(LttDefsReader *reader, const char *at, guint line, LttType *type,
		       LabelValue *next)
{
	gsize length;

	for (; (at = next_word(at, &line, &length)) != NULL; at += length) {
		g_autofree char *word = g_strndup(at, length);

		if (!count_label(reader, line))
			return;
		check_label(reader, word, line);
		add_label(type, word, next);
		increase(next);
	}
}

/* Replaces @value by the value attribute of a label element, if it has one. On entry @value is the
 * value of the previous label plus one, if @has_next. */
static void take_value(LttDefsReader *reader, const xmlNode *label, const char *name,
		       gboolean has_next, LabelValue *value)
{
	const char *text = ltt_element_attribute(label, "value");

	if (text != NULL && !parse_value(text, value))
		ltt_remarks_error(reader->remarks, ltt_element_line(label),
				  "value \"%s\" of label \"%s\": expected a number from "
				  "-2^63 to 2^64-1, decimal or with 0x",
				  text, name);
	else if (text == NULL && !has_next)
		ltt_remarks_error(reader->remarks, ltt_element_line(label),
				  "label \"%s\" without a value: expected one, the label "
				  "before has the greatest there is",
				  name);
}

static void read_label_elements(LttDefsReader *reader, const xmlNode *element, LttType *type)
{
	LabelValue value = {0};
	gboolean has_next = TRUE;

	for (const xmlNode *label = ltt_grammar_first(element, LTT_ROLE_LABEL); label != NULL;
	     label = ltt_grammar_next(label, LTT_ROLE_LABEL)) {
		const guint line = ltt_element_line(label);
		const char *name = ltt_element_attribute(label, "name");

		if (!count_label(reader, line))
			return;
		if (name == NULL)
			ltt_remarks_error(reader->remarks, line,
					  "<label> without a name: expected attribute \"name\"");
		else if (check_label(reader, name, line))
			take_value(reader, label, name, has_next, &value);
		add_label(type, name != NULL && name[0] != '\0' ? name : "_", &value);
		has_next = increase(&value);
	}
}

void ltt_read_labels(LttDefsReader *reader, const xmlNode *element, LttType *type)
{
	const gboolean has_elements = ltt_grammar_first(element, LTT_ROLE_LABEL) != NULL;
	gboolean has_words = FALSE;
	LabelValue next = {0};

	for (const xmlNode *node = element->children; node != NULL; node = node->next) {
		const char *start;
		guint line;

		if (!ltt_node_is_text(node, &line, &start))
			continue;
		has_words = TRUE;
		if (!has_elements)
			read_words(reader, start, line, type, &next);
	}
	if (has_elements)
		read_label_elements(reader, element, type);
	if (has_words && has_elements)
		ltt_remarks_error(reader->remarks, ltt_element_line(element),
				  "words and labels in one <enum>: expected either");
}
