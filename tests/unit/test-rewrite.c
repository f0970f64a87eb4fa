/* Rewriting events: exact bytes, and full blocks. */
#include "edit/rewrite-in-priv.h"
#include "support-trace.h"
#include "unit.h"

#include <glib/gstdio.h>
#include <ltt/ltt-time.h>
#include <string.h>

#define S LTT_NS_PER_S

#define START(time, id)      "0100 00000000 " time id
#define END(delta, time, id) "0200 " delta time id
#define BEAT(delta, time)    "0300 " delta time
#define AT_5                 "05000000 00000000 6400000000000000 " /* 5 s, 100 cycles */
#define AT_6                 "06000000 00000000 c800000000000000 " /* 6 s, 200 cycles */
#define AT_7                 "07000000 00000000 2c01000000000000 " /* 7 s, 300 cycles */

static const LttTimeValue at_5 = {100, 5 * (guint64)S};
static const LttTimeValue at_6 = {200, 6 * (guint64)S};
static const LttTimeValue at_7 = {300, 7 * (guint64)S};

static char *directory;

static LttRewriter *open_rewriter(gsize block_bytes, gint thread_id)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	LttRewriter *out;

	directory = unit_temp_path("rewritten");
	g_mkdir_with_parents(directory, 0755);
	path = g_build_filename(directory, "file", NULL);
	g_unlink(path);
	out = ltt_rewriter_new(path, block_bytes, LTT_LITTLE_ENDIAN, &error);
	UNIT_ASSERT_OK(out != NULL, error);
	ltt_rewriter_set_thread_id(out, thread_id);
	return out;
}

static void close_rewriter(LttRewriter *out)
{
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_rewriter_close(out, &error), error);
	ltt_rewriter_free(out);
}

/* "0100 00*3": words of any number of bytes. */
static char *spell(const char *hex)
{
	g_auto(GStrv) words = g_strsplit(hex, " ", 0);
	GString *bytes = g_string_new(NULL);

	for (guint i = 0; words[i] != NULL; i++) {
		if (strchr(words[i], '*') != NULL)
			g_string_append_printf(bytes, "%s ", words[i]);
		for (const char *at = words[i]; strchr(words[i], '*') == NULL && *at != '\0';
		     at += 2)
			g_string_append_printf(bytes, "%.2s ", at);
	}
	return g_string_free(bytes, FALSE);
}

static void assert_file(const char *hex, int line)
{
	g_autofree char *bytes = spell(hex);

	unit_assert_file(directory, "file", bytes, __FILE__, line);
	g_clear_pointer(&directory, g_free);
}
#define ASSERT_FILE(hex) assert_file(hex, __LINE__)

static void add(LttRewriter *out, guint64 cycles, guint64 time_ns, guint16 id, const char *payload,
		guint32 payload_bytes)
{
	const LttEditEvent event = {.cycles = cycles,
				    .time_ns = time_ns,
				    .id = id,
				    .payload = (const guint8 *)payload,
				    .payload_bytes = payload_bytes};

	ltt_rewriter_add(out, &event);
}

static void add_of_thread(LttRewriter *out, guint64 cycles, guint64 time_ns, guint16 id)
{
	const LttEditEvent event = {.cycles = cycles,
				    .time_ns = time_ns,
				    .id = id,
				    .has_thread = TRUE,
				    .pid = 1,
				    .tid = 2,
				    .payload = (const guint8 *)""};

	ltt_rewriter_add(out, &event);
}

/* A time value between two adjacent stretches is written once. */
static void test_stretches_that_meet(void)
{
	LttRewriter *out = open_rewriter(128, -1);

	ltt_rewriter_set_block_id(out, 7);
	ltt_rewriter_begin(out, &at_5, &at_6);
	add(out, 110, 5100000000, 5, "ab", 2);
	ltt_rewriter_begin(out, &at_6, &at_7);
	add(out, 250, 6500000000, 6, "", 0);
	close_rewriter(out);
	ASSERT_FILE(START(AT_5, "07000000") "0500 0a000000 6162" BEAT(
		"64000000", AT_6) "0600 32000000" END("64000000", AT_7,
						      "07000000") " 00*36 3e000000");
}

/* Both time values are written between stretches that are not adjacent; a stretch without events
 * writes nothing. */
static void test_stretches_apart(void)
{
	static const LttTimeValue middle = {150, 5500000000};
	LttRewriter *out = open_rewriter(160, -1);

	ltt_rewriter_begin(out, &at_5, &middle);
	add(out, 100, 5 * (guint64)S, 5, "", 0);
	ltt_rewriter_begin(out, &middle, &at_6);
	ltt_rewriter_begin(out, &at_6, &at_7);
	add(out, 200, 6 * (guint64)S, 5, "", 0);
	close_rewriter(out);
	ASSERT_FILE(START(AT_5, "00000000") "0500 00000000" BEAT(
		"32000000", "05000000 0065cd1d 9600000000000000 ")
			    BEAT("32000000", AT_6) "0500 00000000" END("64000000", AT_7,
								       "00000000") " 00*48 "
										   "52000000");
}

/* An event without a known thread cannot follow one with a known thread. */
static void test_threads(void)
{
	LttRewriter *out = open_rewriter(128, 9);

	ltt_rewriter_begin(out, &at_5, &at_6);
	add(out, 110, 5100000000, 5, "", 0);
	add_of_thread(out, 110, 5100000000, 6);
	add_of_thread(out, 110, 5100000000, 6);
	ltt_rewriter_begin(out, &at_6, &at_7);
	add(out, 200, 6 * (guint64)S, 5, "", 0);
	close_rewriter(out);
	ASSERT_FILE(START(
		AT_5, "00000000") "0500 0a000000 0900 0a000000 01000000 02000000"
				  "0600 0a000000 0600 0a000000" END("64000000", AT_6, "00000000") " 00*40 3a000000" START(
					  AT_6,
					  "01000000") "0500 00000000" END("64000000", AT_7,
									  "01000000") " 00*66 "
										      "20000000");
}

/* Without a time value after the events, the last event becomes one, if possible. */
static void test_an_end_that_is_made_up(void)
{
	LttRewriter *out = open_rewriter(128, -1);

	ltt_rewriter_begin(out, &at_5, NULL);
	add(out, 150, 5500000000, 5, "", 0);
	add(out, 200, 6 * (guint64)S, 5, "", 0);
	close_rewriter(out);
	ASSERT_FILE(START(AT_5, "00000000") "0500 32000000 0500 64000000" END(
		"64000000", AT_6, "00000000") " 00*60 26000000");
}

/* Later events are merged after a removed event. */
static void test_hold(void)
{
	LttRewriter *out = open_rewriter(128, -1);

	ltt_rewriter_hold(out, 7 * (guint64)S);
	ltt_rewriter_begin(out, &at_5, &at_6);
	add(out, 100, 5 * (guint64)S, 5, "", 0);
	close_rewriter(out);
	ASSERT_FILE(START("07000000 00000000 6400000000000000 ", "00000000")
			    BEAT("00000000", AT_5) "0500 00000000" BEAT("64000000", AT_6)
				    BEAT("00000000", "07000000 00000000 c800000000000000 ")
					    END("00000000", "05000000 00000000 c800000000000000 ",
						"00000000") " 62000000");
}

/* An event that fills a block leaves no room for a block_end. */
static void test_a_large_event(void)
{
	static const char payload[62] = "";
	LttRewriter *out = open_rewriter(98, -1);

	ltt_rewriter_begin(out, &at_5, &at_7);
	add(out, 200, 6 * (guint64)S, 5, payload, sizeof(payload));
	close_rewriter(out);
	ASSERT_FILE(START(AT_6, "00000000") "0500 00000000 00*62 1a000000");
}

/* Ids increase in file order, modulo 2^32; if that is impossible, they repeat. */
static void test_ids(void)
{
	static const guint32 asked[] = {G_MAXUINT32, 7, 7, 5, 0x7ffffffe, 0x7fffffff, 9};
	static const guint32 given[] = {G_MAXUINT32, 7, 8, 9, 0x7ffffffe, 0x7ffffffe, 0x7ffffffe};
	LttRewriter *out = open_rewriter(96, -1);

	for (guint i = 0; i < G_N_ELEMENTS(asked); i++)
		CU_ASSERT_EQUAL(ltt_rewriter_take_id(out, asked[i]), given[i]);
	close_rewriter(out);
	ASSERT_FILE("");
}

static void test_a_time_beyond(void)
{
	LttRewriter *out = open_rewriter(128, -1);

	ltt_rewriter_begin(out, &at_5, NULL);
	add(out, 101, LTT_MAX_TIME_NS, 5, "", 0);
	ltt_rewriter_begin(out, &at_5, NULL);
	CU_ASSERT_EQUAL(ltt_rewriter_get_n_lost(out), 1);
	close_rewriter(out);
	ASSERT_FILE("");
}

/* Events contain the low half of the counter; heartbeats bridge more than one wrap. */
static void test_the_historical_form(void)
{
	static const LttBlockForm form = {.is_dialect_22 = TRUE,
					  .start_id = 17,
					  .end_id = 18,
					  .heartbeat_id = 19,
					  .block_payload_bytes = 20,
					  .heartbeat_payload_bytes = 16,
					  .nanoseconds_at = 4,
					  .cycles_at = 8,
					  .block_id_at = 16};
	static const LttTimeValue end = {0x300000000, 7 * (guint64)S};
	LttRewriter *out = open_rewriter(128, -1);

	ltt_rewriter_set_form(out, &form);
	ltt_rewriter_begin(out, &at_5, &end);
	add(out, 0x200000010, 6 * (guint64)S, 5, "", 0);
	close_rewriter(out);
	ASSERT_FILE("1100 00000000" AT_5 "00000000 1300 63000000 00*16 0500 10000000 "
		    "1200 00000000 07000000 00000000 0000000003000000 "
		    "00000000 00*44 4a000000");
}

UNIT_MAIN("rewrite", UNIT(test_stretches_that_meet), UNIT(test_stretches_apart), UNIT(test_threads),
	  UNIT(test_an_end_that_is_made_up), UNIT(test_hold), UNIT(test_a_large_event),
	  UNIT(test_ids), UNIT(test_a_time_beyond), UNIT(test_the_historical_form))
