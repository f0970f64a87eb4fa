/* names.c - unique names in a scope.
 *
 * The names depend on the order of the claims alone, so the same description gives the same names.
 * The next number to try is kept for each name, so that thousands of labels that map to one name
 * take linear time.
 */
#include "codegen/names-priv.h"
#include "codegen/words-priv.h"

#include <ltt/ltt-hash.h>

struct LttNames {
	LttNamesKind kind;
	GHashTable *taken;   /* the claimed names, owned */
	GHashTable *numbers; /* name, owned -> the last number appended to it */
	gsize size_bytes;
};

LttNames *ltt_names_new(LttNamesKind kind)
{
	LttNames *names = g_new0(LttNames, 1);

	names->kind = kind;
	names->taken = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	names->numbers = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	return names;
}

void ltt_names_free(LttNames *names)
{
	if (names == NULL)
		return;
	g_hash_table_unref(names->taken);
	g_hash_table_unref(names->numbers);
	g_free(names);
}

static gboolean is_reserved(const LttNames *names, const char *name)
{
	if (names->kind == LTT_NAMES_OUTSIDE)
		return ltt_word_is_reserved(name);
	if (names->kind == LTT_NAMES_INSIDE_OFFLINE && ltt_word_is_macro_of_glib(name))
		return TRUE;
	return ltt_word_is_reserved_inside(name);
}

gboolean ltt_names_has_room_for(const LttNames *names, const char *wanted)
{
	return !is_reserved(names, wanted) && !g_hash_table_contains(names->taken, wanted);
}

/* Appends an underscore; two if one would turn "__linux_" into "__linux__". */
static char *make_safe(const char *word)
{
	const gboolean would_close = g_str_has_prefix(word, "__") && g_str_has_suffix(word, "_");

	return g_strconcat(word, would_close ? "__" : "_", NULL);
}

static char *make_unique(LttNames *names, const char *name)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(names->numbers, name));
	char *unique = g_strdup(name);

	while (g_hash_table_contains(names->taken, unique)) {
		number = MAX(number, 1) + 1;
		g_free(unique);
		unique = g_strdup_printf("%s_%u", name, number);
	}
	if (number > 0)
		g_hash_table_insert(names->numbers, g_strdup(name), GUINT_TO_POINTER(number));
	return unique;
}

const char *ltt_names_claim(LttNames *names, const char *wanted)
{
	g_autofree char *safe = is_reserved(names, wanted) ? make_safe(wanted) : g_strdup(wanted);
	char *unique = make_unique(names, safe);

	names->size_bytes += strlen(unique);
	g_hash_table_add(names->taken, unique);
	return unique;
}

gsize ltt_names_size(const LttNames *names)
{
	return names->size_bytes;
}

char *ltt_name_from_label(const char *label)
{
	GString *name = g_string_new(NULL);

	for (const char *at = label; *at != '\0'; at++) {
		const gboolean goes_on =
			((guchar)*at & 0xc0) == 0x80; /* UTF-8: inside a character */

		if (g_ascii_isalnum(*at))
			g_string_append_c(name, *at);
		else if (!goes_on)
			g_string_append_c(name, '_');
	}
	return g_string_free(name, FALSE);
}
