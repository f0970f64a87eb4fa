/* Hostile filters: long, deeply nested, truncated and random ones. */
#include "unit.h"

#include <ltt/ltt-filter.h>

#include <string.h>

static char *repeat(const char *start, const char *part, gsize n, const char *end)
{
	GString *text = g_string_new(start);

	for (gsize i = 0; i < n; i++)
		g_string_append(text, part);
	g_string_append(text, end);
	return g_string_free(text, FALSE);
}

/* Takes ownership of @expression. @code: expected error; -1: none */
static void assert_outcome(char *expression, gint code)
{
	g_autofree char *text = expression;
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFilter) filter = ltt_filter_new(text, &error);

	if (code < 0) {
		UNIT_ASSERT_OK(filter != NULL, error);
		return;
	}
	CU_ASSERT_PTR_NULL(filter);
	CU_ASSERT_TRUE_FATAL(g_error_matches(error, LTT_ERROR, code));
	g_free(ltt_filter_point(text, error));
}

static void test_ceiling_of_length(void)
{
	const gsize n = LTT_MAX_FILTER_BYTES;
	const gsize million = 1024 * 1024;

	assert_outcome(repeat("a == 1", " ", n - 6, ""), -1);
	assert_outcome(repeat("a == 1", " ", n - 5, ""), LTT_ERROR_LIMIT);
	assert_outcome(repeat("a == 1", " && a == 1", million / 10, ""), LTT_ERROR_LIMIT);
	assert_outcome(repeat("", "(", million, ""), LTT_ERROR_LIMIT);
	assert_outcome(repeat("", "!", million, "(a == 1)"), LTT_ERROR_LIMIT);
	assert_outcome(repeat("a == \"", "x", million, "\""), LTT_ERROR_LIMIT);
	assert_outcome(repeat("", "\314\201", million / 2, ""), LTT_ERROR_LIMIT);
}

static void test_ceiling_of_depth(void)
{
	const gsize n = LTT_MAX_FILTER_DEPTH;

	for (gsize depth = n; depth <= n + 1; depth++) {
		g_autofree char *closing = repeat("a == 1", ")", depth, "");
		g_autofree char *value = repeat("a", ")", depth, " == 1");

		assert_outcome(repeat("", "(", depth, closing), depth > n ? LTT_ERROR_LIMIT : -1);
		assert_outcome(repeat("", "!(", depth, closing), depth > n ? LTT_ERROR_LIMIT : -1);
		assert_outcome(repeat("", "(", depth, value), depth > n ? LTT_ERROR_LIMIT : -1);
	}
	/* Adjacent parentheses do not nest. */
	assert_outcome(repeat("(a == 1)", "||(a == 1)", 5000, ""), -1);
}

static void test_much_of_one_thing(void)
{
	assert_outcome(repeat("", "(", 60000, ""), LTT_ERROR_LIMIT);
	assert_outcome(repeat("", "!", 60000, "(a == 1)"), -1);
	assert_outcome(repeat("a", ".a", 30000, " == 1"), -1);
	assert_outcome(repeat("a", "[0]", 20000, " == 1"), -1);
	assert_outcome(repeat("a==1", "||a==1", 10000, ""), -1);
	assert_outcome(repeat("a==1", "&&a==1", 10000, ""), -1);
	assert_outcome(repeat("a == ", "9", 60000, ""), -1);
	assert_outcome(repeat("a == 0.", "9", 60000, "e-60000"), -1);
	assert_outcome(repeat("a == 1e", "9", 60000, ""), -1);
	assert_outcome(repeat("a == 1e-", "9", 60000, ""), -1);
	assert_outcome(repeat("a =~ \"", "*?", 30000, "\""), -1);
	assert_outcome(repeat("a =~ \"", "[", 60000, "\""), -1);
	assert_outcome(repeat("a =~ \"[", "a-", 30000, "\""), -1);
	assert_outcome(repeat("a == \"", "\\x0000000000000000000041", 2500, "\""), -1);
	assert_outcome(repeat("a == \"\\x", "f", 60000, "\""), LTT_ERROR_INVALID);
	assert_outcome(repeat("", "a", 60000, ""), LTT_ERROR_INVALID);
	assert_outcome(repeat("", "<", 60000, ""), LTT_ERROR_INVALID);
}

static const char whole[] = "event == \"f.all\" && !(seq[0x1] != -1.5e3 || data.p.q =~ \"[!a-z]*"
			    "\\x41\\n\\u00e9\") && (time <= 1050000000.5 || 012 > tid)";

/* Every prefix of a filter, in a buffer of exactly its length. */
static void test_every_beginning(void)
{
	for (gsize length = 0; length < strlen(whole); length++) {
		g_autofree char *text = g_strndup(whole, length);
		g_autoptr(GError) error = NULL;
		g_autoptr(LttFilter) filter = ltt_filter_new(text, &error);

		CU_ASSERT_TRUE((filter != NULL) != (error != NULL));
		if (error != NULL)
			g_free(ltt_filter_point(text, error));
	}
}

/* Random tokens and bytes yield a filter, or a message with a position in the text. */
static void test_random_texts(void)
{
	static const char *const pieces[] = {
		"a",
		"event",
		"time",
		"1",
		"0x",
		"1.5",
		"-",
		"\"x\"",
		"\"",
		"\\",
		"==",
		"!=",
		"<",
		">=",
		"=~",
		"&&",
		"||",
		"!",
		"(",
		")",
		".",
		"[",
		"]",
		" ",
		"=",
		"e",
		"08",
		"'",
		"\xff",
		"\"*\"",
		"data",
		"[0]",
		"a == 1",
		"(a",
		"1)",
		"\t",
		"&",
		"\xc3",
		"pid",
		"cpu",
		"999999999999999999999",
		"\\x4",
	};
	g_autoptr(GRand) random = g_rand_new_with_seed(20031);
	guint n_right = 0;

	for (guint i = 0; i < 20000; i++) {
		GString *text = g_string_new(NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(LttFilter) filter = NULL;

		for (gint n = g_rand_int_range(random, 0, 12); n > 0; n--) {
			if (g_rand_int_range(random, 0, 20) == 0)
				g_string_append_c(text, (char)g_rand_int_range(random, 1, 256));
			else
				g_string_append(
					text,
					pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))]);
		}
		filter = ltt_filter_new(text->str, &error);
		n_right += filter != NULL ? 1 : 0;
		CU_ASSERT_TRUE((filter != NULL) != (error != NULL));
		if (error != NULL) {
			LttProblem problem;

			ltt_problem_from_error(error, &problem);
			CU_ASSERT_TRUE(problem.byte >= 0 && problem.byte <= (gint64)text->len);
			g_free(ltt_filter_point(text->str, error));
		}
		g_string_free(text, TRUE);
	}
	CU_ASSERT_TRUE(n_right > 20); /* some are valid */
}

UNIT_MAIN("filter-hostile", UNIT(test_ceiling_of_length), UNIT(test_ceiling_of_depth),
	  UNIT(test_much_of_one_thing), UNIT(test_every_beginning), UNIT(test_random_texts))
