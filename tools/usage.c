/* usage.c - command lines: GOption parses them; help and error messages are made here.
 *
 * GOption translates its help to the locale, and its messages have another form than ours. Both are
 * replaced, from the same table of options.
 */
#include "tool.h"

#include <ltt/ltt-nearest.h>

#include <string.h>

#define HELP_COLUMN 24

/* Whether the option may be given without a value. */
static gboolean is_optional(const GOptionEntry *entry)
{
	return (entry->flags & G_OPTION_FLAG_OPTIONAL_ARG) != 0;
}

static void add_entries(GString *text, const GOptionEntry *entries)
{
	for (const GOptionEntry *entry = entries; entry != NULL && entry->long_name != NULL;
	     entry++) {
		gsize start = text->len;

		if (entry->flags & G_OPTION_FLAG_HIDDEN)
			continue;
		if (entry->short_name != 0)
			g_string_append_printf(text, "  -%c, --%s", entry->short_name,
					       entry->long_name);
		else
			g_string_append_printf(text, "      --%s", entry->long_name);
		if (entry->arg_description != NULL)
			g_string_append_printf(text, is_optional(entry) ? "[=%s]" : " %s",
					       entry->arg_description);
		/* At least two spaces: completion splits lines at them. */
		if (text->len - start > HELP_COLUMN - 2) {
			g_string_append_c(text, '\n');
			start = text->len;
		}
		for (gsize column = text->len - start; column < HELP_COLUMN; column++)
			g_string_append_c(text, ' ');
		for (const char *at = entry->description; *at != '\0'; at++) {
			g_string_append_c(text, *at);
			if (*at == '\n')
				g_string_append_printf(text, "%*s", HELP_COLUMN, "");
		}
		g_string_append_c(text, '\n');
	}
}

static void print_help(const ToolUsage *usage)
{
	static const GOptionEntry help[] = {
		{"help", 'h', 0, G_OPTION_ARG_NONE, NULL, "display this help and exit", NULL},
		{NULL, 0, 0, 0, NULL, NULL, NULL},
	};
	g_autoptr(GString) text = g_string_new(NULL);
	g_auto(GStrv) forms = g_strsplit(usage->arguments, "\n", 0);

	for (guint i = 0; forms[i] != NULL; i++)
		g_string_append_printf(text, "%s %s [OPTION]... %s\n", i == 0 ? "usage:" : "      ",
				       g_get_prgname(), forms[i]);
	g_string_append_printf(text, "\n%s\n", usage->about);
	add_entries(text, usage->options);
	add_entries(text, help);
	if (usage->shared != NULL) {
		g_string_append_printf(text, "\n%s\n", usage->shared_heading);
		add_entries(text, usage->shared);
	}
	if (usage->notes != NULL)
		g_string_append_printf(text, "\n%s", usage->notes);
	tool_write_text(text->str);
}

static void add_names(GPtrArray *names, const GOptionEntry *entries)
{
	for (const GOptionEntry *entry = entries; entry != NULL && entry->long_name != NULL;
	     entry++)
		g_ptr_array_add(names, (gpointer)entry->long_name);
}

static gboolean has_name(const GPtrArray *names, const char *name)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)names, name, g_str_equal, NULL);
}

/* Returns: (nullable): the long option that begins with @letter, if there is exactly one */
static const char *find_initial(const GPtrArray *names, char letter)
{
	const char *found = NULL;

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];

		if (name[0] == letter && found != NULL)
			return NULL;
		if (name[0] == letter)
			found = name;
	}
	return found;
}

/* Returns: (nullable): our name of the option that other tools call @word */
static const char *find_synonym(const GPtrArray *names, const char *word)
{
	static const struct {
		const char *theirs;
		const char *ours;
	} synonyms[] = {
		{"begin", "from"},   {"start", "from"},
		{"since", "from"},   {"end", "to"},
		{"until", "to"},     {"where", "filter"},
		{"live", "follow"},  {"output-format", "format"},
		{"threads", "jobs"}, {"out", "output"},
		{"name", "event"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(synonyms); i++) {
		if (g_str_equal(synonyms[i].theirs, word) && has_name(names, synonyms[i].ours))
			return synonyms[i].ours;
	}
	return NULL;
}

/* Returns: (nullable): the option that has @word as one of its values: "format" for "json" */
static const char *find_taker(const GOptionEntry *entries, const char *word)
{
	for (; entries != NULL && entries->long_name != NULL; entries++) {
		g_auto(GStrv) values = entries->arg_description != NULL
					       ? g_strsplit(entries->arg_description, "|", 0)
					       : NULL;

		if (values != NULL && g_strv_contains((const char *const *)values, word))
			return entries->long_name;
	}
	return NULL;
}

/* Returns: (transfer full) (nullable): a suggestion for "--WORD", "--WORD=VALUE" or "-x" */
static char *find_meant(const ToolUsage *usage, const char *word)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const gsize dashes = g_str_has_prefix(word, "--") ? 2 : 1;
	g_autofree char *bare = g_strndup(word + dashes, strcspn(word + dashes, "="));
	const char *value = word[dashes + strlen(bare)] == '=' ? strchr(word, '=') + 1 : NULL;
	const char *found;

	add_names(names, usage->options);
	add_names(names, usage->shared);
	if (dashes == 1) {
		found = find_initial(names, word[1]);
		return found != NULL ? g_strconcat("--", found, NULL) : NULL;
	}
	found = find_taker(usage->options, bare);
	if (found != NULL)
		return g_strconcat("--", found, "=", bare, NULL);
	found = value != NULL && has_name(names, value) ? value : find_synonym(names, bare);
	g_ptr_array_add(names, NULL);
	if (found == NULL)
		found = ltt_nearest(bare, (const char *const *)names->pdata);
	return found != NULL ? g_strconcat("--", found, NULL) : NULL;
}

/* Reports an unknown option. @message: GOption's message, whose last word is the option */
static void fail_unknown(const ToolUsage *usage, const char *message)
{
	const char *word = strrchr(message, ' ');
	g_autofree char *meant = NULL;

	word = word != NULL ? word + 1 : message;
	meant = find_meant(usage, word);
	if (meant != NULL)
		tool_fail("%s: no such option; did you mean %s?", word, meant);
	else
		tool_fail("%s: no such option; `%s --help` lists them", word, g_get_prgname());
}

static gboolean check_count(const ToolUsage *usage, int argc, char **argv)
{
	int given = argc - 1;

	if (given < usage->min_arguments)
		tool_fail("%s is missing; see `%s --help`", usage->arguments, g_get_prgname());
	else if (usage->max_arguments >= 0 && given > usage->max_arguments)
		tool_fail("%s: one argument too many; see `%s --help`",
			  argv[usage->max_arguments + 1], g_get_prgname());
	else
		return TRUE;
	return FALSE;
}

/* Removes the "--" that ends the options: GOption keeps it if a word that begins
 * with "-" follows. */
static void drop_separator(const ToolUsage *usage, int *argc, char **argv)
{
	int end = usage->posix_order ? MIN(*argc, 2) : *argc;
	int at = 1;

	while (at < end && !g_str_equal(argv[at], "--"))
		at++;
	if (at >= end)
		return;
	memmove(argv + at, argv + at + 1, sizeof(*argv) * (gsize)(*argc - at));
	--*argc;
}

/* ---- forms of options that GOption does not accept ---- */

/* Returns: (nullable): the option with this short or long name. @length: of @long_name, in bytes */
static const GOptionEntry *find_option(const GOptionEntry *entries, char short_name,
				       const char *long_name, gsize length)
{
	for (; entries != NULL && entries->long_name != NULL; entries++) {
		if (long_name != NULL ? strlen(entries->long_name) == length &&
						strncmp(entries->long_name, long_name, length) == 0
				      : entries->short_name == short_name)
			return entries;
	}
	return NULL;
}

/* Returns: (nullable): the option at the start of @word, if it takes a value. @attached: (out): the
 * value in @word; NULL: the value is the next word */
static const GOptionEntry *find_with_value(const ToolUsage *usage, const char *word,
					   const char **attached)
{
	const gboolean is_long = word[1] == '-';
	const char *name = is_long ? word + 2 : NULL;
	const gsize length = is_long ? strcspn(name, "=") : 0;
	const GOptionEntry *entry = find_option(usage->options, word[1], name, length);

	if (entry == NULL)
		entry = find_option(usage->shared, word[1], name, length);
	if (entry == NULL || entry->arg == G_OPTION_ARG_NONE)
		return NULL;
	*attached = is_long ? strchr(word, '=') : word[2] != '\0' ? word + 2 : NULL;
	return entry;
}

/* Replaces "-j2" by "-j 2", which GOption rejects, and "--kernel" by "--kernel=", for which GOption
 * would take the next word as the optional value. */
static void split_attached(const ToolUsage *usage, int *argc, char ***argv)
{
	static GPtrArray *kept; /* each new argv and its words, until the process ends */
	GPtrArray *words = g_ptr_array_new();
	char **given = *argv;
	gboolean is_option = TRUE; /* a word that begins with "-" is an option */

	g_ptr_array_add(words, g_strdup(given[0]));
	for (int i = 1; i < *argc; i++) {
		const char *word = given[i];
		const GOptionEntry *entry;
		const char *value = NULL;

		if (!is_option || word[0] != '-' || word[1] == '\0' || g_str_equal(word, "--")) {
			is_option = is_option && !g_str_equal(word, "--") && !usage->posix_order;
		} else if ((entry = find_with_value(usage, word, &value)) != NULL) {
			if (is_optional(entry)) {
				g_ptr_array_add(words,
						g_strconcat(word, value == NULL ? "=" : "", NULL));
				continue;
			}
			if (value != NULL && word[1] != '-') {
				g_ptr_array_add(words, g_strndup(word, 2));
				word = value;
			} else if (value == NULL && i + 1 < *argc) {
				g_ptr_array_add(words, g_strdup(word));
				word = given[++i];
			}
		}
		g_ptr_array_add(words, g_strdup(word));
	}
	*argc = (int)words->len;
	g_ptr_array_add(words, NULL);
	/* GOption removes the options that it has parsed from the copy. */
	*argv = g_memdup2(words->pdata, sizeof(*words->pdata) * words->len);
	if (kept == NULL)
		kept = g_ptr_array_new();
	g_ptr_array_add(kept, words);
	g_ptr_array_add(kept, *argv);
}

/* Reports a wrong or missing value. @message: GOption's message: "Missing argument for --x",
 * "Cannot parse integer value “a” for -x" or "Integer value “9...” for -x out of range" */
static void fail_value(const ToolUsage *usage, const char *message)
{
	static const char before[] = "\xe2\x80\x9c"; /* opening and closing quotes */
	static const char behind[] = "\xe2\x80\x9d";
	const char *at = g_strrstr(message, " for ");
	g_autofree char *word = NULL;
	const GOptionEntry *entry;
	const gboolean is_long = at != NULL && strncmp(at, " for --", strlen(" for --")) == 0;

	if (at == NULL) {
		tool_fail("%s", message);
		return;
	}
	at += strlen(" for ");
	word = g_strndup(at, strcspn(at, " "));
	entry = find_option(usage->options, word[1], is_long ? word + 2 : NULL, strlen(word) - 2);
	if (entry == NULL)
		entry = find_option(usage->shared, word[1], is_long ? word + 2 : NULL,
				    strlen(word) - 2);
	at = strstr(message, before);
	if (at != NULL && g_strrstr(message, behind) > at) {
		at += strlen(before);
		tool_fail("%s: \"%.*s\": expected a number", word,
			  (int)(g_strrstr(message, behind) - at), at);
	} else {
		tool_fail("%s: %s is missing; see `%s --help`", word,
			  entry != NULL ? entry->arg_description : "its value", g_get_prgname());
	}
}

gboolean tool_parse(const ToolUsage *usage, int *argc, char ***argv)
{
	gboolean help = FALSE;
	const GOptionEntry help_entry[] = {
		{"help", 'h', 0, G_OPTION_ARG_NONE, &help, "display this help and exit", NULL},
		{NULL, 0, 0, 0, NULL, NULL, NULL},
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	split_attached(usage, argc, argv);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_strict_posix(context, usage->posix_order);
	g_option_context_add_main_entries(context, help_entry, NULL);
	if (usage->options != NULL)
		g_option_context_add_main_entries(context, usage->options, NULL);
	if (usage->shared != NULL)
		g_option_context_add_main_entries(context, usage->shared, NULL);
	if (!g_option_context_parse(context, argc, argv, &error)) {
		if (g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
			fail_unknown(usage, error->message);
		else
			fail_value(usage, error->message);
		return FALSE;
	}
	if (help) {
		print_help(usage);
		return FALSE;
	}
	drop_separator(usage, argc, *argv);
	return check_count(usage, *argc, *argv);
}
