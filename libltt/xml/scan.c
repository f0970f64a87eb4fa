/* scan.c - the scanner of the prepass: advance, copy, skip, names, entities.
 *
 * The text has no NUL inside, so the final NUL is a sentinel for all searches. Skipped text leaves
 * its line ends in the output, so line numbers do not change.
 */
#include "xml/scan-priv.h"

#include <string.h>

/* ---- pieces of text ---- */

guint ltt_scan_count_lines(const char *from, const char *to)
{
	guint n_lines = 0;

	while ((from = memchr(from, '\n', (gsize)(to - from))) != NULL) {
		n_lines++;
		from++;
	}
	return n_lines;
}

void ltt_scan_copy_to(LttScan *scan, const char *to)
{
	g_string_append_len(scan->out, scan->at, to - scan->at);
	scan->line += ltt_scan_count_lines(scan->at, to);
	scan->at = to;
}

void ltt_scan_append_lines(LttScan *scan, guint n_lines)
{
	while (n_lines-- > 0)
		g_string_append_c(scan->out, '\n');
}

void ltt_scan_skip_to(LttScan *scan, const char *to)
{
	const guint n_lines = ltt_scan_count_lines(scan->at, to);

	ltt_scan_append_lines(scan, n_lines);
	scan->line += n_lines;
	scan->at = to;
}

gboolean ltt_scan_is_name_start(char byte)
{
	return g_ascii_isalpha(byte) || byte == '_' || byte == ':' || (guchar)byte >= 0x80;
}

static gboolean is_name_byte(char byte)
{
	return ltt_scan_is_name_start(byte) || g_ascii_isdigit(byte) || byte == '-' || byte == '.';
}

static const char *name_end(const char *at)
{
	while (is_name_byte(*at))
		at++;
	return at;
}

gboolean ltt_scan_take_name(LttScan *scan, LttName *name)
{
	const char *end = name_end(scan->at);

	*name = (LttName){.offset = scan->out->len, .length = (gsize)(end - scan->at)};
	if (name->length > LTT_MAX_NAME_BYTES)
		return ltt_remarks_error(scan->remarks, scan->line,
					 "name of %" G_GSIZE_FORMAT
					 " bytes in a tag: expected at most %d",
					 name->length, LTT_MAX_NAME_BYTES);
	for (; scan->at < end; scan->at++)
		g_string_append_c(scan->out, g_ascii_tolower(*scan->at));
	return TRUE;
}

gboolean ltt_scan_names_equal(const LttScan *scan, const LttName *a, const LttName *b)
{
	const char *out = scan->out->str;

	return a->length == b->length && memcmp(out + a->offset, out + b->offset, a->length) == 0;
}

/* ---- entities ---- */

static gboolean is_xml_character(guint64 code)
{
	return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xd7ff) ||
	       (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/* @at: after "&#". Returns: (nullable): the end of a reference to a character of XML */
static const char *character_end(const char *at)
{
	const gboolean is_hex = *at == 'x';
	const char *digits = at + (is_hex ? 1 : 0);
	char *end;
	guint64 code;

	/* strtoull() would accept white space and a sign. */
	if (is_hex ? !g_ascii_isxdigit(*digits) : !g_ascii_isdigit(*digits))
		return NULL;
	code = g_ascii_strtoull(digits, &end, is_hex ? 16 : 10);
	return *end == ';' && is_xml_character(code) ? end + 1 : NULL;
}

/* @at: at "&". Returns: (nullable): the end of a known entity, after its ";" */
static const char *entity_end(const char *at)
{
	static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};

	if (at[1] == '#')
		return character_end(at + 2);
	for (guint i = 0; i < G_N_ELEMENTS(entities); i++) {
		if (g_str_has_prefix(at, entities[i]))
			return at + strlen(entities[i]);
	}
	return NULL;
}

static gboolean refuse_entity(LttScan *scan, const char *at)
{
	const char *end = name_end(at + 1 + (at[1] == '#' ? 1 : 0));

	if (*end != ';')
		return ltt_remarks_error(scan->remarks, scan->line,
					 "\"&\" begins no entity: expected \"&amp;\"");
	if (at[1] == '#')
		return ltt_remarks_error(scan->remarks, scan->line,
					 "%.*s is not a character: expected one of XML 1.0",
					 (int)(end + 1 - at), at);
	return ltt_remarks_error(scan->remarks, scan->line,
				 "unknown entity %.*s: expected &lt; &gt; &amp; &quot; or &apos;",
				 (int)(end + 1 - at), at);
}

/* Copies text, rejecting unknown entities. */
gboolean ltt_scan_copy_checked(LttScan *scan, const char *to)
{
	const char *entity;

	while ((entity = memchr(scan->at, '&', (gsize)(to - scan->at))) != NULL) {
		const char *end = entity_end(entity);

		ltt_scan_copy_to(scan, entity);
		if (end == NULL || end > to)
			return refuse_entity(scan, entity);
		ltt_scan_copy_to(scan, end);
	}
	ltt_scan_copy_to(scan, to);
	return TRUE;
}
