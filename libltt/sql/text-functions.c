/* text-functions.c - instr(), replace(), LIKE and GLOB with a limit on their time.
 *
 * Those of SQLite compare each place of a text with a whole pattern, and cannot be cancelled meanwhile: with texts of
 * megabytes, which a query can make, they take minutes. Here the search takes linear time, and LIKE and GLOB fail if
 * text and pattern are too long. The results are the same.
 */
#define _GNU_SOURCE /* memmem */
#include "sql/sql-priv.h"

#include <string.h>

typedef struct Text {
	const char *bytes; /* NULL: no memory */
	gsize length;
} Text;

static Text get_text(sqlite3_value *value)
{
	const char *bytes = (const char *)sqlite3_value_text(value);

	return (Text){bytes, (gsize)sqlite3_value_bytes(value)};
}

static gboolean is_inside_character(char byte)
{
	return ((guchar)byte & 0xc0) == 0x80;
}

/* ---- instr() ---- */

/* Returns: the place of @needle, from 1 on; 0: it is not there */
static gint64 find(const Text *text, const Text *needle, gboolean is_bytes)
{
	const char *found = needle->length <= text->length ? text->bytes : NULL;
	gint64 place = 1;

	/* Each place but the first begins with a character. */
	if (found != NULL && needle->length > 0 && !is_bytes &&
	    is_inside_character(needle->bytes[0]))
		found = memcmp(found, needle->bytes, needle->length) == 0 ? found : NULL;
	else if (found != NULL && needle->length > 0)
		found = memmem(text->bytes, text->length, needle->bytes, needle->length);
	if (found == NULL)
		return 0;
	for (const char *at = text->bytes + 1; at <= found; at++)
		place += is_bytes || !is_inside_character(*at);
	return place;
}

static void instr(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	const gboolean is_bytes = sqlite3_value_type(values[0]) == SQLITE_BLOB &&
				  sqlite3_value_type(values[1]) == SQLITE_BLOB;
	Text texts[2];

	(void)n_values;
	for (guint i = 0; i < 2; i++) {
		if (sqlite3_value_type(values[i]) == SQLITE_NULL)
			return;
		texts[i] = get_text(values[i]);
		if (texts[i].bytes == NULL) {
			sqlite3_result_error_nomem(context);
			return;
		}
	}
	sqlite3_result_int64(context, find(&texts[0], &texts[1], is_bytes));
}

/* ---- replace() ---- */

static void append(GString *into, const char *bytes, gsize length)
{
	g_string_append_len(into, bytes, (gssize)length);
}

/* Returns: (transfer full) (nullable): NULL: it would be longer than @max_length */
static GString *replace_all(const Text *text, const Text *pattern, const Text *other,
			    gsize max_length)
{
	GString *result = g_string_new(NULL);
	const char *end = text->bytes + text->length;
	const char *at = text->bytes;

	while (result->len <= max_length) {
		const char *found = memmem(at, (gsize)(end - at), pattern->bytes, pattern->length);

		append(result, at, (gsize)((found != NULL ? found : end) - at));
		if (found == NULL)
			break;
		append(result, other->bytes, other->length);
		at = found + pattern->length;
	}
	if (result->len <= max_length)
		return result;
	g_string_free(result, TRUE);
	return NULL;
}

static void replace(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	const int limit =
		sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
	GString *result;
	Text texts[3];

	(void)n_values;
	for (guint i = 0; i < 3; i++) {
		texts[i] = get_text(values[i]);
		if (texts[i].bytes == NULL)
			return;
	}
	if (texts[1].bytes[0] == '\0') {
		sqlite3_result_value(context, values[0]);
		return;
	}
	result = replace_all(&texts[0], &texts[1], &texts[2], (gsize)limit);
	if (result == NULL) {
		sqlite3_result_error_toobig(context);
		return;
	}
	sqlite3_result_text64(context, result->str, result->len, SQLITE_TRANSIENT, SQLITE_UTF8);
	g_string_free(result, TRUE);
}

/* ---- LIKE and GLOB ---- */

/* Gets a text and a pattern. Returns: whether to compare them */
static gboolean get_both(sqlite3_context *context, sqlite3_value **values, const char **pattern,
			 const char **text)
{
	const gboolean has_bytes = sqlite3_value_type(values[0]) == SQLITE_BLOB ||
				   sqlite3_value_type(values[1]) == SQLITE_BLOB;

	if (has_bytes && sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS")) {
		sqlite3_result_int(context, 0);
		return FALSE;
	}
	*pattern = (const char *)sqlite3_value_text(values[0]);
	*text = (const char *)sqlite3_value_text(values[1]);
	if (*pattern == NULL || *text == NULL)
		return FALSE;
	if (sqlite3_value_bytes(values[0]) >
	    sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1))
		sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
	else if ((guint64)sqlite3_value_bytes(values[0]) * (guint64)sqlite3_value_bytes(values[1]) >
		 LTT_MAX_SQL_COMPARISONS)
		sqlite3_result_error(context, "the text is too long for LIKE or GLOB", -1);
	else
		return TRUE;
	return FALSE;
}

/* Sets @escape from the argument after ESCAPE. Returns: FALSE: there is no result */
static gboolean get_escape(sqlite3_context *context, sqlite3_value *value, guint *escape)
{
	const char *text = (const char *)sqlite3_value_text(value);

	if (text == NULL)
		return FALSE;
	*escape = g_utf8_get_char_validated(text, -1);
	if (g_utf8_validate(text, -1, NULL) && g_utf8_strlen(text, -1) == 1 && *escape != '%' &&
	    *escape != '_')
		return TRUE;
	sqlite3_result_error(context,
			     "ESCAPE expression must be a single character other than % and _", -1);
	return FALSE;
}

static void like(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	const char *pattern;
	const char *text;
	guint escape = 0;

	if (n_values == 3 && !get_escape(context, values[2], &escape))
		return;
	if (get_both(context, values, &pattern, &text))
		sqlite3_result_int(context, sqlite3_strlike(pattern, text, escape) == 0);
}

static void glob(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	const char *pattern;
	const char *text;

	(void)n_values;
	if (get_both(context, values, &pattern, &text))
		sqlite3_result_int(context, sqlite3_strglob(pattern, text) == 0);
}

int ltt_sql_add_text_functions(sqlite3 *db)
{
	static const struct {
		const char *name;
		int n_values;
		void (*run)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {
		{"instr", 2, instr}, {"replace", 3, replace}, {"like", 2, like},
		{"like", 3, like},   {"glob", 2, glob},
	};
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int code = SQLITE_OK;

	for (guint i = 0; i < G_N_ELEMENTS(functions) && code == SQLITE_OK; i++)
		code = sqlite3_create_function(db, functions[i].name, functions[i].n_values, flags,
					       NULL, functions[i].run, NULL, NULL);
	return code;
}
