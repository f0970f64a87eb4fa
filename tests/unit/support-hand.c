/* support-hand.c - see support-hand.h. */
#include "support-hand.h"

#include "support-trace.h"
#include "support-writer.h"
#include "unit.h"
#include "writer/block-writer-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-merge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HandTrace hand_new(LttByteOrder order, guint64 block_bytes, ...)
{
	HandTrace hand = {writer_fresh_path(), order, block_bytes};
	g_autoptr(LttSystem) system = unit_system_new(order, LTT_LP64, block_bytes);
	g_autoptr(LttFacility) facility = writer_facility();
	g_autoptr(LttTraceWriter) writer = NULL;
	g_autoptr(GError) error = NULL;
	const char *name;
	va_list attributes;

	va_start(attributes, block_bytes);
	while ((name = va_arg(attributes, const char *)) != NULL)
		ltt_system_set(system, name, va_arg(attributes, const char *));
	va_end(attributes);
	UNIT_ASSERT_OK(ltt_system_seal(system, &error), error);
	writer = ltt_trace_writer_new(hand.path, system, NULL, &error);
	UNIT_ASSERT_OK(writer != NULL, error);
	writer_load(writer, facility, 4);
	writer_load(writer, ltt_eventdefs_get_shipped("tracer"), 8);
	writer_load(writer, ltt_eventdefs_get_shipped("threads"), 13);
	writer_load(writer, ltt_eventdefs_get_shipped("processes"), 14);
	UNIT_ASSERT_OK(ltt_trace_writer_close(writer, &error), error);
	return hand;
}

void hand_clear(HandTrace *hand)
{
	g_free(hand->path);
}

void hand_clear_all(HandTrace *hands, guint n)
{
	for (guint i = 0; i < n; i++)
		hand_clear(&hands[i]);
}

void hand_append(const HandTrace *hand, const char *name, gconstpointer bytes, gsize n_bytes)
{
	g_autofree char *path = g_build_filename(hand->path, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);
	FILE *file;

	g_assert(g_mkdir_with_parents(folder, 0700) == 0);
	file = fopen(path, "ab");
	g_assert(file != NULL && fwrite(bytes, 1, n_bytes, file) == n_bytes && fclose(file) == 0);
}

/* Returns: the bytes that hexadecimal digits spell */
static GByteArray *parse_digits(const char *text)
{
	GByteArray *bytes = g_byte_array_new();

	for (; g_ascii_isxdigit(text[0]) && g_ascii_isxdigit(text[1]); text += 2) {
		const guint8 byte = (guint8)(g_ascii_xdigit_value(text[0]) * 16 +
					     g_ascii_xdigit_value(text[1]));

		g_byte_array_append(bytes, &byte, 1);
	}
	g_assert(*text == '\0');
	return bytes;
}

static void patch(const LttBlockWriter *block, const char *text)
{
	char *end;
	const gint64 at = strtoll(text, &end, 10);
	g_autoptr(GByteArray) bytes = parse_digits(end + 1);
	const gsize offset = at < 0 ? block->size_bytes - (gsize)-at : (gsize)at;

	g_assert(*end == ':' && offset + bytes->len <= block->size_bytes);
	memcpy(block->bytes + offset, bytes->data, bytes->len);
}

static void add_other(LttBlockWriter *block, guint64 cycles, const char *text)
{
	char *end;
	const guint16 id = (guint16)strtoul(text + 1, &end, 10);
	g_autoptr(GByteArray) bytes = parse_digits(end + 1);

	ltt_block_writer_event(block, cycles, id, bytes->data, bytes->len);
}

static void add_word(LttBlockWriter *block, const char *word)
{
	char *rest;
	const guint64 cycles = strtoull(word + 1, &rest, 10);
	const guint64 time_ns = *rest == '=' ? strtoull(rest + 1, &rest, 10) : cycles;

	switch (*word) {
	case '@':
		ltt_block_writer_begin(block,
				       *rest == '#' ? (guint32)strtoul(rest + 1, NULL, 10) : 0,
				       cycles, time_ns);
		break;
	case 'H':
		ltt_block_writer_heartbeat(block, cycles, time_ns);
		break;
	case 'E':
		ltt_block_writer_end(block, cycles, time_ns);
		break;
	case 'N':
		ltt_block_writer_event(block, cycles, 4, NULL, 0);
		break;
	case 'T':
		ltt_block_writer_event(block, cycles, 5, rest + 1, strlen(rest + 1) + 1);
		break;
	case 'X':
		add_other(block, cycles, rest);
		break;
	default:
		g_assert(*word == '!');
		patch(block, word + 1);
	}
}

void hand_add(const HandTrace *hand, const char *tracefile, const char *words)
{
	g_auto(GStrv) parts = g_strsplit(words, " ", -1);
	LttBlockWriter block;

	g_assert(ltt_block_writer_init(&block, hand->block_bytes, hand->order));
	for (guint i = 0; parts[i] != NULL; i++)
		add_word(&block, parts[i]);
	hand_append(hand, tracefile, block.bytes, block.size_bytes);
	ltt_block_writer_clear(&block);
}

LttTrace *hand_open(const HandTrace *hand)
{
	g_autoptr(GError) error = NULL;
	LttTrace *trace = ltt_trace_open(hand->path, &error);

	UNIT_ASSERT_OK(trace != NULL, error);
	return trace;
}

LttTrace *hand_join(const HandTrace *hands, guint n, const gint64 *offsets_ns)
{
	g_autofree LttTrace **traces = g_new(LttTrace *, n);
	g_autoptr(GError) error = NULL;
	LttTrace *joined;

	for (guint i = 0; i < n; i++)
		traces[i] = hand_open(&hands[i]);
	joined = ltt_trace_join(traces, n, offsets_ns, &error);
	UNIT_ASSERT_OK(joined != NULL, error);
	return joined;
}

char *hand_read(LttTrace *trace)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	GString *text = g_string_new(NULL);
	const LttEvent *event;
	LttStep step;

	do {
		g_autoptr(GError) error = NULL;

		while ((step = ltt_merge_next(merge, &event, &error)) == LTT_STEP_EVENT)
			g_string_append_printf(text, "%s@%" G_GUINT64_FORMAT " %s\n",
					       ltt_tracefile_get_name(event->tracefile),
					       event->time_ns, event->type->name);
		if (step == LTT_STEP_ERROR) {
			g_string_append_printf(text, "! %s\n", error->message);
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
	return g_string_free(text, FALSE);
}

void hand_expect(const HandTrace *hand, const char *expected, const char *file, int line)
{
	g_autoptr(LttTrace) trace = hand_open(hand);
	g_autofree char *got = hand_read(trace);
	g_auto(GStrv) lines = g_strsplit(got, "\n", -1);
	g_autoptr(GString) rest = g_string_new(NULL);

	for (guint i = 0; lines[i] != NULL; i++)
		if (*lines[i] != '\0' && !g_str_has_prefix(lines[i], "control/facilities@"))
			g_string_append_printf(rest, "%s\n", lines[i]);
	unit_assert_text(rest->str, expected, file, line);
}

char *hand_problems(LttTrace *trace)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < ltt_trace_get_n_problems(trace); i++) {
		g_autofree char *line = ltt_problem_to_string(ltt_trace_get_problem(trace, i));

		g_string_append_printf(text, "%s\n", line);
	}
	return g_string_free(text, FALSE);
}

void hand_expect_problems(LttTrace *trace, const char *expected, const char *file, int line)
{
	g_autofree char *got = hand_problems(trace);

	unit_assert_text(got, expected, file, line);
}
