/* Quoting of fields in CSV. */
#include "unit.h"

#include "base/utf8-priv.h"
#include "print/csv-field-priv.h"

#include <string.h>

static gboolean gather(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

static char *csv_field(const char *text)
{
	GString *out = g_string_new(NULL);
	LttSink sink;

	ltt_sink_init(&sink, gather, out);
	ltt_csv_add_string(&sink, text, strlen(text));
	ltt_sink_hand_on(&sink);
	ltt_sink_clear(&sink);
	return g_string_free(out, FALSE);
}

static void test_csv_quotes_where_needed(void)
{
	static const char *const pairs[][2] = {
		{"", ""},
		{"plain text", "plain text"},
		{"a,b", "\"a,b\""},
		{"say \"x\"", "\"say \"\"x\"\"\""},
		{"two\nlines", "\"two\nlines\""},
		{"carriage\r", "\"carriage\r\""},
		{"\xff", LTT_REPLACEMENT},
	};

	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_autofree char *got = csv_field(pairs[i][0]);

		UNIT_ASSERT_TEXT(got, pairs[i][1]);
	}
}

static void test_csv_field_longer_than_its_buffer(void)
{
	g_autofree char *plain = g_strnfill(3 * LTT_CSV_FIELD_BYTES, 'x');
	g_autofree char *text = g_strconcat(plain, "\"", plain, NULL);
	g_autofree char *expected = g_strconcat("\"", plain, "\"\"", plain, "\"", NULL);
	g_autofree char *got = csv_field(text);

	UNIT_ASSERT_TEXT(got, expected);
}

UNIT_MAIN("csv-field", UNIT(test_csv_quotes_where_needed),
	  UNIT(test_csv_field_longer_than_its_buffer))
