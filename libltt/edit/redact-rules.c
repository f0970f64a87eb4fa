/* redact-rules.c - see redact-rules-priv.h. */
#include "edit/redact-rules-priv.h"

#include "base/error-priv.h"
#include "filter/glob-priv.h"

#include <string.h>

typedef struct Pattern {
	char *text;
	LttGlob *glob;
	LttRedactHow how;
	gboolean is_used;
} Pattern;

static void free_pattern(gpointer data)
{
	Pattern *pattern = data;

	g_free(pattern->text);
	ltt_glob_free(pattern->glob);
	g_free(pattern);
}

static gboolean add_pattern(LttRedactRules *rules, const char *text, GError **error)
{
	const char *equals = strrchr(text, '=');
	const char *way = equals != NULL ? equals + 1 : "";
	const gboolean is_hash = g_str_equal(way, "hash");
	Pattern *pattern;

	if (equals == NULL || equals == text || (!is_hash && !g_str_equal(way, "empty")))
		return ltt_fail(
			error, LTT_ERROR_INVALID,
			"\"%s\": expected FACILITY.EVENT.FIELD=hash or =empty, processes or "
			"host",
			text);
	if (is_hash && rules->key == NULL)
		return ltt_fail(error, LTT_ERROR_INVALID, "\"%s\": expected a key for hashes",
				text);
	pattern = g_new0(Pattern, 1);
	pattern->text = g_strdup(text);
	pattern->glob = ltt_glob_new(text, (gsize)(equals - text));
	pattern->how = is_hash ? LTT_REDACT_HASHED : LTT_REDACT_EMPTIED;
	g_ptr_array_add(rules->patterns, pattern);
	return TRUE;
}

static gboolean add_rule(LttRedactRules *rules, const char *text, GError **error)
{
	if (g_str_equal(text, "processes"))
		rules->drops_processes = TRUE;
	else if (g_str_equal(text, "host"))
		rules->drops_host = TRUE;
	else
		return add_pattern(rules, text, error);
	return TRUE;
}

static gboolean set_key(LttRedactRules *rules, const LttRedaction *redaction, GError **error)
{
	if (redaction->key == NULL)
		return TRUE;
	if (redaction->key_bytes < LTT_MIN_REDACT_KEY_BYTES)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"a key of %zu bytes: expected at least %d random bytes",
				redaction->key_bytes, LTT_MIN_REDACT_KEY_BYTES);
	rules->key = g_hmac_new(G_CHECKSUM_SHA256, redaction->key, redaction->key_bytes);
	return TRUE;
}

LttRedactRules *ltt_redact_rules_new(const LttRedaction *redaction, GError **error)
{
	LttRedactRules *rules = g_new0(LttRedactRules, 1);
	gboolean ok;

	rules->patterns = g_ptr_array_new_with_free_func(free_pattern);
	ok = set_key(rules, redaction, error);
	for (guint i = 0; ok && redaction->rules[i] != NULL; i++)
		ok = add_rule(rules, redaction->rules[i], error);
	if (ok)
		return rules;
	ltt_redact_rules_free(rules);
	return NULL;
}

void ltt_redact_rules_free(LttRedactRules *rules)
{
	if (rules == NULL)
		return;
	g_ptr_array_unref(rules->patterns);
	g_clear_pointer(&rules->key, g_hmac_unref);
	g_free(rules);
}

gboolean ltt_redact_rules_match(LttRedactRules *rules, const char *path, LttRedactHow *how)
{
	gboolean matches = FALSE;

	for (guint i = 0; i < rules->patterns->len; i++) {
		Pattern *pattern = rules->patterns->pdata[i];

		if (!ltt_glob_matches(pattern->glob, path, strlen(path)))
			continue;
		pattern->is_used = TRUE;
		if (!matches || pattern->how == LTT_REDACT_EMPTIED)
			*how = pattern->how;
		matches = TRUE;
	}
	return matches;
}

gboolean ltt_redact_rules_check(const LttRedactRules *rules, GError **error)
{
	for (guint i = 0; i < rules->patterns->len; i++) {
		const Pattern *pattern = rules->patterns->pdata[i];

		if (!pattern->is_used)
			return ltt_fail(error, LTT_ERROR_INVALID,
					"\"%s\": no event type of the trace has such a field",
					pattern->text);
	}
	return TRUE;
}
