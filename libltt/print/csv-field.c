/* csv-field.c - quote fields of CSV, and double the quotes inside. */
#include "print/csv-field-priv.h"

#include "base/escape-priv.h"

static gboolean is_special(char byte)
{
	return byte == '"' || byte == ',' || byte == '\n' || byte == '\r';
}

static gboolean needs_quotes(const char *bytes, gsize length)
{
	typedef guint8 Bytes __attribute__((vector_size(16)));
	typedef guint64 Words __attribute__((vector_size(16)));

	for (; length >= sizeof(Bytes); bytes += sizeof(Bytes), length -= sizeof(Bytes)) {
		Bytes some;
		Words special;

		memcpy(&some, bytes, sizeof(some));
		special = (Words)((some == '"') | (some == ',') | (some == '\n') | (some == '\r'));
		if ((special[0] | special[1]) != 0)
			return TRUE;
	}
	for (; length > 0; bytes++, length--) {
		if (is_special(*bytes))
			return TRUE;
	}
	return FALSE;
}

/* Quotes are frequent in JSON: testing each byte is faster than memchr() for each quote. */
static void add_doubled(LttSink *out, const char *bytes, gsize length)
{
	while (length > 0) {
		const gsize piece = MIN(length, (LTT_SINK_MAX_ROOM - 1) / 2);
		char *at = ltt_sink_room(out, 2 * piece + 1);

		for (gsize i = 0; i < piece; i++) {
			*at++ = bytes[i];
			*at = '"';
			at += bytes[i] == '"';
		}
		ltt_sink_stop(out, at);
		bytes += piece;
		length -= piece;
	}
}

static void add_quoted(LttCsvField *field, const char *bytes, gsize length)
{
	if (!field->is_open)
		ltt_sink_add_char(field->out, '"');
	field->is_open = TRUE;
	add_doubled(field->out, bytes, length);
}

/* The buffer of the field is full. */
static gboolean overflow(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	add_quoted(user_data, bytes, length);
	return TRUE;
}

void ltt_csv_field_init(LttCsvField *field, LttSink *out)
{
	field->out = out;
	field->is_open = FALSE;
	ltt_sink_init_on(&field->inside, field->buffer, sizeof(field->buffer), overflow, field);
}

void ltt_csv_field_end(LttCsvField *field)
{
	const char *bytes = field->inside.buffer;
	gsize length = (gsize)(field->inside.at - bytes);

	if (field->is_open || needs_quotes(bytes, length)) {
		add_quoted(field, bytes, length);
		ltt_sink_add_char(field->out, '"');
	} else {
		ltt_sink_add(field->out, bytes, length);
	}
	ltt_sink_clear(&field->inside);
}

void ltt_csv_add_string(LttSink *out, const char *bytes, gsize length)
{
	LttCsvField field;

	ltt_csv_field_init(&field, out);
	ltt_sink_add_escaped(&field.inside, bytes, length, LTT_ESCAPE_NONE);
	ltt_csv_field_end(&field);
}

void ltt_csv_append(GString *text, const char *field)
{
	const gboolean quoted = needs_quotes(field, strlen(field));

	if (quoted)
		g_string_append_c(text, '"');
	for (; *field != '\0'; field++) {
		if (*field == '"')
			g_string_append_c(text, '"');
		g_string_append_c(text, *field);
	}
	if (quoted)
		g_string_append_c(text, '"');
}
