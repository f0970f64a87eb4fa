/* Invalid UTF-8, and escapes. */
#include "unit.h"

#include "base/escape-priv.h"
#include "base/utf8-priv.h"

#define R LTT_REPLACEMENT

static void assert_escaped(const char *bytes, gsize length, LttEscape how, const char *expected)
{
	/* On the heap and of the exact size, so that sanitizers detect reads past the end. */
	g_autofree char *copy = length > 0 ? g_memdup2(bytes, length) : g_strdup("");
	g_autoptr(GString) out = g_string_new(NULL);

	ltt_string_add_escaped(out, copy, length, how);
	UNIT_ASSERT_TEXT(out->str, expected);
}

#define ASSERT_VALID(bytes, expected)                                                              \
	assert_escaped(bytes, sizeof(bytes) - 1, LTT_ESCAPE_NONE, expected)
#define ASSERT_ESCAPED(bytes, how, expected)                                                       \
	assert_escaped(bytes, sizeof(bytes) - 1, LTT_ESCAPE_##how, expected)

static void test_text_that_is_well_formed_stays(void)
{
	ASSERT_VALID("", "");
	ASSERT_VALID("\x41\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7",
		     "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7");
	/* The first and last code point of each length, and those around the surrogates. */
	ASSERT_VALID("\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf");
	ASSERT_VALID("\xe0\xa0\x80\xef\xbf\xbf", "\xe0\xa0\x80\xef\xbf\xbf");
	ASSERT_VALID("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
	ASSERT_VALID("\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80");
}

static void test_maximal_subparts_are_replaced_by_one(void)
{
	ASSERT_VALID("\xf0\x9f\x41", R "A");
	ASSERT_VALID("\xf0\x9f\x90", R);
	ASSERT_VALID("\xe2\x82", R);
	ASSERT_VALID("\xe2\x82\xe2\x82\xac", R "\xe2\x82\xac");
	/* From the Unicode standard, table 3-11. */
	ASSERT_VALID("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A");
}

static void test_what_begins_no_character_is_replaced_byte_by_byte(void)
{
	ASSERT_VALID("\xc0\xaf", R R);
	ASSERT_VALID("\xe0\x80\xbf", R R R);
	ASSERT_VALID("\xed\xa0\x80", R R R);
	ASSERT_VALID("\xf4\x90\x80\x80", R R R R);
	ASSERT_VALID("\xf5\x80\xff\x80", R R R R);
	ASSERT_VALID("\x80", R);
}

static void test_json_escapes(void)
{
	ASSERT_ESCAPED("a\"b\\c/d", JSON, "a\\\"b\\\\c/d");
	ASSERT_ESCAPED("\b\t\n\f\r", JSON, "\\b\\t\\n\\f\\r");
	ASSERT_ESCAPED("\x01\x0b\x1f\x7f", JSON, "\\u0001\\u000b\\u001f\x7f");
	ASSERT_ESCAPED("nul\0nul", JSON, "nul\\u0000nul");
	ASSERT_ESCAPED("\xc2\x9b\xff", JSON, "\xc2\x9b" R);
}

/* Terminal control sequences are escaped. */
static void test_escapes_for_people(void)
{
	ASSERT_ESCAPED("\x1b[2J \x7f \xc2\x9b \xc2\xa0\"", TEXT,
		       "\\u001b[2J \\u007f \\u009b \xc2\xa0\\\"");
	ASSERT_ESCAPED("a\"b\\c\n\xc2\x85", LABEL, "a\"b\\c\\n\\u0085");
}

static gboolean gather(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

/* The buffer of the sink is flushed in the middle of runs and of escapes. */
static void test_sink_gives_the_same_across_its_pieces(void)
{
	g_autoptr(GString) bytes = g_string_new(NULL);
	g_autoptr(GString) whole = g_string_new(NULL);
	g_autoptr(GString) pieces = g_string_new(NULL);
	LttSink sink;

	for (guint i = 0; i < 200000; i++)
		g_string_append(bytes, i % 7 == 0 ? "\n" : i % 11 == 0 ? "\xe2\x82" : "x");
	ltt_string_add_escaped(whole, bytes->str, bytes->len, LTT_ESCAPE_JSON);
	ltt_sink_init(&sink, gather, pieces);
	ltt_sink_add_escaped(&sink, bytes->str, bytes->len, LTT_ESCAPE_JSON);
	ltt_sink_hand_on(&sink);
	ltt_sink_clear(&sink);
	CU_ASSERT_TRUE(whole->len > 2 * LTT_SINK_BYTES);
	CU_ASSERT_TRUE(g_string_equal(whole, pieces));
}

static gboolean gather_all(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

/* Plain bytes are copied in steps: tests a special byte at each offset of strings of all
 * lengths. */
static void test_sink_finds_what_is_special_wherever_it_is(void)
{
	static const guint8 specials[] = {0x00, 0x1f, 0x20, '"',  '\\',
					  0x7e, 0x7f, 0x80, 0xc3, 0xff};

	for (gsize length = 1; length <= 50; length++) {
		for (gsize place = 0; place < length; place++) {
			for (gsize i = 0; i < G_N_ELEMENTS(specials); i++) {
				/* On the heap and of the exact size, as above. */
				g_autofree char *bytes = g_malloc(length);
				g_autoptr(GString) out = g_string_new(NULL);
				g_autoptr(GString) expected = g_string_new(NULL);
				const LttEscape how = (LttEscape)(i % (LTT_ESCAPE_NONE + 1));
				LttSink sink;

				memset(bytes, 'a', length);
				bytes[place] = (char)specials[i];
				ltt_string_add_escaped(expected, bytes, length, how);
				ltt_sink_init(&sink, gather_all, out);
				ltt_sink_add_escaped(&sink, bytes, length, how);
				ltt_sink_hand_on(&sink);
				ltt_sink_clear(&sink);
				CU_ASSERT_TRUE(g_string_equal(out, expected));
			}
		}
	}
}

static gboolean refuse(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)bytes;
	(void)length;
	++*(guint *)user_data;
	g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "full");
	return FALSE;
}

static void test_sink_keeps_the_first_error_and_writes_no_more(void)
{
	g_autofree char *bytes = g_malloc0(3 * LTT_SINK_BYTES);
	g_autoptr(GError) error = NULL;
	guint n_calls = 0;
	LttSink sink;

	ltt_sink_init(&sink, refuse, &n_calls);
	CU_ASSERT_TRUE(ltt_sink_check(&sink, &error));
	ltt_sink_add(&sink, bytes, 3 * LTT_SINK_BYTES);
	CU_ASSERT_FALSE(ltt_sink_check(&sink, &error));
	CU_ASSERT_EQUAL(n_calls, 1);
	CU_ASSERT_TRUE(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC));
	ltt_sink_clear(&sink);
}

UNIT_MAIN("utf8", UNIT(test_text_that_is_well_formed_stays),
	  UNIT(test_maximal_subparts_are_replaced_by_one),
	  UNIT(test_what_begins_no_character_is_replaced_byte_by_byte), UNIT(test_json_escapes),
	  UNIT(test_escapes_for_people), UNIT(test_sink_gives_the_same_across_its_pieces),
	  UNIT(test_sink_finds_what_is_special_wherever_it_is),
	  UNIT(test_sink_keeps_the_first_error_and_writes_no_more))
