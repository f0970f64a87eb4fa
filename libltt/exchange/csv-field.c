/* csv-field.c - quotes around a field, and quotes within it doubled. */
#include "exchange/csv-field-priv.h"

#include "base/escape-priv.h"

static gboolean needs_quotes(const char *bytes, gsize length)
{
	for (gsize i = 0; i < length; i++)
		if (bytes[i] == '"' || bytes[i] == ',' || bytes[i] == '\n' || bytes[i] == '\r')
			return TRUE;
	return FALSE;
}

static void add_doubled(LttSink *out, const char *bytes, gsize length)
{
	while (length > 0) {
		const char *quote = memchr(bytes, '"', length);
		gsize run = quote != NULL ? (gsize)(quote - bytes) + 1 : length;

		ltt_sink_add(out, bytes, run);
		if (quote != NULL)
			ltt_sink_add_char(out, '"');
		bytes += run;
		length -= run;
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
