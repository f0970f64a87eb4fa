/* text.c - write names, strings and comments of TSDL (metadata-priv.h). */
#include "formats/ctf/metadata-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* The keywords of CTF 1.8 and the names of types in metadata.c. A field cannot have such a name. */
static const char *const reserved[] = {
	"align",   "callsite", "char",     "clock",     "const",     "double",         "enum",
	"env",     "event",    "float",    "float32_t", "float64_t", "floating_point", "int",
	"int16_t", "int32_t",  "int64_t",  "int8_t",    "integer",   "long",           "short",
	"signed",  "stream",   "string",   "struct",    "time_ns_t", "trace",          "typealias",
	"typedef", "uint16_t", "uint32_t", "uint64_t",  "uint8_t",   "unsigned",       "variant",
	"void",    NULL,
};

void ltt_ctf_add_name(GString *out, const char *name)
{
	if (name[0] == '_' || g_strv_contains(reserved, name))
		g_string_append_c(out, '_');
	g_string_append(out, name);
}

void ltt_ctf_add_string(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (const guchar *at = (const guchar *)text; *at != '\0'; at++) {
		if (*at == '"' || *at == '\\')
			g_string_append_printf(out, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			g_string_append_printf(out, "\\%03o", *at);
		else
			g_string_append_c(out, (char)*at);
	}
	g_string_append_c(out, '"');
}

void ltt_ctf_add_comment(GString *out, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	g_string_append(out, " /* ");
	for (const guchar *at = (const guchar *)text; *at != '\0'; at++) {
		if (at[0] == '*' && at[1] == '/')
			g_string_append(out, "* ");
		else
			g_string_append_c(out, *at < 0x20 || *at == 0x7f ? ' ' : (char)*at);
	}
	g_string_append(out, " */");
}

GHashTable *ltt_ctf_names_new(void)
{
	return g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
}

const char *ltt_ctf_names_add_unique(GHashTable *names, const char *base, const char *suffix)
{
	GString *name = g_string_new(base);
	char *added;

	g_string_append(name, suffix);
	while (g_hash_table_contains(names, name->str))
		g_string_append_c(name, '_');
	added = g_string_free(name, FALSE);
	g_hash_table_add(names, added);
	return added;
}
