/* literals.c - find texts in a query that a column cannot have, such as labels that an enum lacks.
 *
 * SQLite reports which columns a statement reads. A literal is checked if it is compared with one of these
 * columns: by = or <> on either side, IS, or IN. If several tables have a column of that name, their words
 * count together. A name that the statement gives itself, with AS, is not checked.
 */
#include "sql/sql-priv.h"
#include "sql/tokens-priv.h"

#include <ltt/ltt-filter.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-nearest.h>
#include <ltt/ltt-span.h>

#include <string.h>

/* Further doubts are counted only: a list may have 100,000 texts. */
#define MAX_DOUBTS 100

/* What the columns of a name can have. */
typedef struct Words {
	GPtrArray *words;     /* (nullable): up to a NULL; NULL: any text */
	GHashTable *set;      /* (nullable): the same */
	const LttSqlRead *of; /* one of the columns */
} Words;

typedef struct Check {
	const LttSql *sql;
	const GPtrArray *columns; /* of LttSqlRead: what the statement reads */
	const GArray *tokens;
	GPtrArray *doubts;
	guint n_more;          /* further doubts */
	GPtrArray *span_names; /* (nullable): those of the trace, when they are needed */
	GHashTable *known;     /* from names of columns in lower case to Words */
} Check;

static void free_words(gpointer data)
{
	Words *words = data;

	g_clear_pointer(&words->words, g_ptr_array_unref);
	g_clear_pointer(&words->set, g_hash_table_unref);
	g_free(words);
}

/* ---- tokens ---- */

static const LttSqlToken *get(const Check *check, gint64 index)
{
	return index >= 0 && index < check->tokens->len
		       ? &g_array_index(check->tokens, LttSqlToken, index)
		       : NULL;
}

/* Returns: whether a token is an operator, or a keyword in any case */
static gboolean is(const LttSqlToken *token, const char *text)
{
	return token != NULL && !token->is_quoted && g_ascii_strcasecmp(token->text, text) == 0;
}

static gboolean is_one_of(const LttSqlToken *token, const char *const *texts)
{
	for (; *texts != NULL; texts++) {
		if (is(token, *texts))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_name(const LttSqlToken *token)
{
	return token != NULL && token->kind == LTT_SQL_TOKEN_NAME;
}

static gboolean is_equal_sign(const LttSqlToken *token)
{
	static const char *const signs[] = {"=", "==", "<>", "!=", NULL};

	return is_one_of(token, signs);
}

/* Returns: whether an operator binds an operand more closely than a comparison */
static gboolean is_close(const LttSqlToken *token)
{
	static const char *const operators[] = {"||", "+", "-",  "*",  "/",       "%",  "&",
						"|",  "~", "<<", ">>", "COLLATE", "->", NULL};

	return is_one_of(token, operators);
}

/* Returns: (nullable): the name of the column that ends at token @last, with nothing before that belongs to
 *   the same operand */
static const char *find_column_before(const Check *check, gint64 last)
{
	gint64 first = last;

	if (!is_name(get(check, last)))
		return NULL;
	while (is(get(check, first - 1), ".") && is_name(get(check, first - 2)))
		first -= 2;
	return is_close(get(check, first - 1)) ? NULL : get(check, last)->text;
}

/* Returns: (nullable): the name of the column that begins at token @first, likewise */
static const char *find_column_after(const Check *check, gint64 first)
{
	gint64 last = first;

	if (!is_name(get(check, first)))
		return NULL;
	while (is(get(check, last + 1), ".") && is_name(get(check, last + 2)))
		last += 2;
	return is_close(get(check, last + 1)) || is(get(check, last + 1), "(")
		       ? NULL
		       : get(check, last)->text;
}

/* ---- names that the statement gives ---- */

/* Returns: whether the list of names that ends before token @end, "(a, b)", has a name */
static gboolean list_has(const Check *check, gint64 end, const char *name)
{
	for (gint64 i = end - 2; i >= 0 && (is_name(get(check, i)) || is(get(check, i), ","));
	     i--) {
		if (is_name(get(check, i)) && g_ascii_strcasecmp(get(check, i)->text, name) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Returns: whether "AS name" or "table(name) AS" is in the statement */
static gboolean is_alias(const Check *check, const char *name)
{
	for (gint64 i = 0; i < check->tokens->len; i++) {
		const LttSqlToken *next = get(check, i + 1);

		if (!is(get(check, i), "AS"))
			continue;
		if (next != NULL && next->text != NULL && g_ascii_strcasecmp(next->text, name) == 0)
			return TRUE;
		if (is(get(check, i - 1), ")") && list_has(check, i, name))
			return TRUE;
	}
	return FALSE;
}

/* ---- words of columns ---- */

static void add_event_names(const Check *check, GPtrArray *words)
{
	for (guint i = 0; i < check->sql->event_tables->len; i++) {
		const LttSqlTable *table = check->sql->event_tables->pdata[i];

		g_ptr_array_add(words, (gpointer)ltt_sql_source_table_get_name(table->source));
	}
}

/* Returns: FALSE: spans can have any name */
static gboolean add_span_names(Check *check, GPtrArray *words)
{
	if (check->span_names == NULL)
		check->span_names = ltt_span_names_new(check->sql->env.trace);
	for (guint i = 0; check->span_names != NULL && i + 1 < check->span_names->len; i++)
		g_ptr_array_add(words, check->span_names->pdata[i]);
	return check->span_names != NULL;
}

/* Adds what a column can have. Returns: FALSE: any text */
static gboolean add_words(Check *check, const LttSqlRead *read, GPtrArray *words)
{
	const LttColumn *of = read->column->of;

	if (of == NULL ||
	    (read->column->form != LTT_SQL_FORM_LABEL && read->column->form != LTT_SQL_FORM_TEXT))
		return FALSE;
	for (guint i = 0; i < of->n_labels; i++)
		g_ptr_array_add(words, (gpointer)of->labels[i]);
	if (of->n_labels > 0)
		return TRUE;
	if (g_str_equal(of->name, "type") &&
	    (g_str_equal(read->table->name, "events") || g_str_equal(read->table->name, "types"))) {
		add_event_names(check, words);
		return TRUE;
	}
	if (g_str_equal(of->name, "name") && g_str_equal(read->table->name, "spans"))
		return add_span_names(check, words);
	return FALSE;
}

static Words *find_words(Check *check, const char *name)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	Words *found = g_new0(Words, 1);
	gboolean is_limited = FALSE;

	for (guint i = 0; i < check->columns->len; i++) {
		const LttSqlRead *read = check->columns->pdata[i];

		if (g_ascii_strcasecmp(read->column->name, name) != 0)
			continue;
		is_limited = add_words(check, read, words);
		found->of = read;
		if (!is_limited)
			break;
	}
	if (!is_limited || is_alias(check, name))
		return found;
	found->set = g_hash_table_new(ltt_hash_text, g_str_equal);
	for (guint i = 0; i < words->len; i++)
		g_hash_table_add(found->set, words->pdata[i]);
	g_ptr_array_add(words, NULL);
	found->words = g_steal_pointer(&words);
	return found;
}

/* Returns: (transfer none): what the columns of a name can have */
static const Words *get_words(Check *check, const char *name)
{
	g_autofree char *key = g_ascii_strdown(name, -1);
	Words *words = g_hash_table_lookup(check->known, key);

	if (words == NULL) {
		words = find_words(check, name);
		g_hash_table_insert(check->known, g_steal_pointer(&key), words);
	}
	return words;
}

/* Returns: whether a text is the number of a value without a label */
static gboolean is_number(const char *text)
{
	const char *digits = text + (*text == '-');

	return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

/* ---- comparisons ---- */

/* @column: (nullable): the name of what the text is compared with; NULL: something else */
static void check_text(Check *check, const char *column, const char *text)
{
	const Words *words = column != NULL ? get_words(check, column) : NULL;

	if (words == NULL || words->words == NULL || is_number(text) ||
	    g_hash_table_contains(words->set, text))
		return;
	if (check->doubts->len == MAX_DOUBTS) {
		check->n_more++;
		return;
	}
	ltt_doubts_add(check->doubts, LTT_DOUBT_LABEL, LTT_NOWHERE, text,
		       ltt_nearest(text, (const char *const *)words->words->pdata),
		       g_strdup_printf("'%s': %s.%s never has this value", text,
				       words->of->table->name, words->of->column->name));
}

/* Checks the texts of "COLUMN IN ('a', 'b')". @in: the token IN */
static void check_list(Check *check, gint64 in)
{
	const gint64 last = in - (is(get(check, in - 1), "NOT") ? 2 : 1);
	const char *column = find_column_before(check, last);

	if (!is(get(check, in + 1), "("))
		return;
	for (gint64 i = in + 2; get(check, i) != NULL && get(check, i)->kind == LTT_SQL_TOKEN_TEXT;
	     i += 2) {
		check_text(check, column, get(check, i)->text);
		if (!is(get(check, i + 1), ","))
			break;
	}
}

static void check_literal(Check *check, gint64 at)
{
	const char *text = get(check, at)->text;
	gint64 before = at - 1;

	if (is_close(get(check, at + 1)) || is_close(get(check, before)))
		return;
	if (is_equal_sign(get(check, at + 1)))
		check_text(check, find_column_after(check, at + 2), text);
	if (is(get(check, before), "NOT") && is(get(check, before - 1), "IS"))
		before--;
	if (is_equal_sign(get(check, before)) || is(get(check, before), "IS"))
		check_text(check, find_column_before(check, before - 1), text);
}

GPtrArray *ltt_sql_check_literals(const LttSql *sql, const GPtrArray *columns, const char *text,
				  gsize length)
{
	g_autoptr(GArray) tokens = ltt_sql_tokens_new(text, length);
	Check check = {
		.sql = sql,
		.columns = columns,
		.tokens = tokens,
		.doubts = ltt_doubts_new(),
		.known = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, free_words),
	};

	for (gint64 i = 0; columns->len > 0 && i < tokens->len; i++) {
		if (get(&check, i)->kind == LTT_SQL_TOKEN_TEXT)
			check_literal(&check, i);
		else if (is(get(&check, i), "IN"))
			check_list(&check, i);
	}
	if (check.n_more > 0)
		ltt_doubts_add(check.doubts, LTT_DOUBT_LABEL, LTT_NOWHERE, "", NULL,
			       g_strdup_printf(
				       "%u more comparisons with texts that the columns never have",
				       check.n_more));
	g_hash_table_unref(check.known);
	g_clear_pointer(&check.span_names, g_ptr_array_unref);
	return check.doubts;
}
