/* support-trace.c - systems, bytes and errors, for tests that make traces. */
#include "support-trace.h"

#include "unit.h"

#include <ltt/ltt-error.h>
#include <stdlib.h>
#include <string.h>

LttSystem *unit_system_new(LttByteOrder order, LttArchSize size, guint64 block_bytes)
{
	LttSystem *system = ltt_system_new();
	g_autofree char *block_text = g_strdup_printf("%" G_GUINT64_FORMAT, block_bytes);

	ltt_system_set(system, "node_name", "node");
	ltt_system_set(system, "cpu", "4");
	ltt_system_set(system, "arch_size", ltt_arch_size_name(size));
	ltt_system_set(system, "endian", ltt_byte_order_name(order));
	ltt_system_set(system, "ltt_major_version", "2");
	ltt_system_set(system, "ltt_minor_version", "0");
	ltt_system_set(system, "ltt_block_size", block_text);
	CU_ASSERT_FATAL(ltt_system_seal(system, NULL));
	return system;
}

GByteArray *unit_bytes(const char *hex)
{
	GByteArray *bytes = g_byte_array_new();
	g_auto(GStrv) words = g_strsplit_set(hex, " \n\t", -1);

	for (guint i = 0; words[i] != NULL; i++) {
		const char *star = strchr(words[i], '*');
		const guint8 byte = (guint8)strtoul(words[i], NULL, 16);
		const gulong count = star != NULL ? strtoul(star + 1, NULL, 10) : 1;

		if (words[i][0] == '\0')
			continue;
		for (gulong n = 0; n < count; n++)
			g_byte_array_append(bytes, &byte, 1);
	}
	return bytes;
}

GByteArray *unit_file_bytes(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	char *contents;
	gsize length;

	if (!g_file_get_contents(path, &contents, &length, NULL))
		return NULL;
	return g_byte_array_new_take((guint8 *)contents, length);
}

static void fail(const char *what, const char *file, int line)
{
	CU_assertImplementation(CU_FALSE, (unsigned)line, what, file, "", CU_FALSE);
}

static void append_hex(GString *text, const char *label, const GByteArray *bytes, gsize from)
{
	g_string_append_printf(text, "\n%s:", label);
	for (gsize i = from; i < bytes->len && i < from + 32; i++)
		g_string_append_printf(text, " %02x", bytes->data[i]);
}

void unit_assert_bytes(const GByteArray *got, const char *hex, const char *file, int line)
{
	g_autoptr(GByteArray) expected = unit_bytes(hex);
	g_autoptr(GString) text = g_string_new(NULL);
	gsize at = 0;

	if (got == NULL) {
		fail("no bytes at all", file, line);
		return;
	}
	while (at < MIN(got->len, expected->len) && got->data[at] == expected->data[at])
		at++;
	if (at == got->len && at == expected->len) {
		CU_assertImplementation(CU_TRUE, (unsigned)line, "", file, "", CU_FALSE);
		return;
	}
	g_string_printf(text, "byte %zu of %u differs, expected %u bytes", at, got->len,
			expected->len);
	append_hex(text, "got     ", got, at);
	append_hex(text, "expected", expected, at);
	fail(text->str, file, line);
}

void unit_assert_file(const char *directory, const char *name, const char *hex, const char *file,
		      int line)
{
	GByteArray *got = unit_file_bytes(directory, name);

	unit_assert_bytes(got, hex, file, line);
	if (got != NULL)
		g_byte_array_unref(got);
}

void unit_assert_error(const GError *error, int code, const char *part, const char *file, int line)
{
	g_autofree char *what = NULL;

	if (g_error_matches(error, LTT_ERROR, code) && strstr(error->message, part) != NULL) {
		CU_assertImplementation(CU_TRUE, (unsigned)line, "", file, "", CU_FALSE);
		return;
	}
	what = g_strdup_printf("got:      %d: %s\nexpected: %d: ...%s...",
			       error != NULL ? error->code : -1,
			       error != NULL ? error->message : "no error", code, part);
	fail(what, file, line);
}
