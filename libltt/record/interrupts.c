/* interrupts.c - parse /proc/interrupts of kernels of all versions and architectures.
 *
 *	           CPU0       CPU1
 *	  9:          0          4   IO-APIC   9-fasteoi   acpi
 *	 30:       5121       4877     GICv2  30 Level     arch_timer
 *	NMI:          0          0   Non-maskable interrupts
 *	ERR:          0
 *
 * A line has a label, a count for each CPU, the controller, the number of its input with the
 * trigger, and the devices. There are no fixed columns; names of controllers and devices may
 * contain blanks. The input number separates the controller from the devices: "9-fasteoi",
 * "30 Level", or a number directly after the first word.
 */
#include "record/proc-priv.h"

#include "base/error-priv.h"

#include <eventdefs/interrupts.h>

#include <errno.h>
#include <string.h>

#define BLANKS " \t"

static void free_interrupt(gpointer data)
{
	LttInterrupt *interrupt = data;

	g_free(interrupt->controller);
	g_free(interrupt->name);
	g_free(interrupt);
}

/* ---- words ---- */

/* A word of a line. */
typedef struct Word {
	const char *start;
	gsize length;
} Word;

static GArray *split(const char *text)
{
	GArray *words = g_array_new(FALSE, FALSE, sizeof(Word));

	for (text += strspn(text, BLANKS); *text != '\0'; text += strspn(text, BLANKS)) {
		const Word word = {.start = text, .length = strcspn(text, BLANKS)};

		g_array_append_val(words, word);
		text += word.length;
	}
	return words;
}

static const Word *word_at(const GArray *words, guint index)
{
	return &g_array_index(words, Word, index);
}

static gsize count_digits(const Word *word)
{
	gsize n_digits = 0;

	while (n_digits < word->length && g_ascii_isdigit(word->start[n_digits]))
		n_digits++;
	return n_digits;
}

static gboolean is_number(const Word *word)
{
	return count_digits(word) == word->length;
}

static gboolean is_trigger(const Word *word)
{
	return (word->length == 4 && strncmp(word->start, "Edge", 4) == 0) ||
	       (word->length == 5 && strncmp(word->start, "Level", 5) == 0);
}

/* Returns: whether a word is like "9-fasteoi", but not like "1-0050", a device on a bus */
static gboolean is_input_with_flow(const Word *word)
{
	const gsize n_digits = count_digits(word);

	return n_digits > 0 && n_digits + 1 < word->length && word->start[n_digits] == '-' &&
	       g_ascii_isalpha(word->start[n_digits + 1]);
}

/* ---- controller and devices ---- */

/* Returns: the number of words up to and including the input number; 1 if there is none */
static guint find_input(const GArray *words)
{
	for (guint i = 1; i + 1 < words->len; i++)
		if (is_number(word_at(words, i)) && is_trigger(word_at(words, i + 1)))
			return i + 1;
	for (guint i = 1; i < words->len; i++)
		if (is_input_with_flow(word_at(words, i)))
			return i + 1;
	return words->len > 1 && is_number(word_at(words, 1)) ? 2 : 1;
}

static guint count_controller_words(const GArray *words)
{
	guint n_words = find_input(words);

	if (n_words < words->len && is_trigger(word_at(words, n_words)))
		n_words++;
	/* "-virq": the flow handler of an input without a number */
	if (n_words < words->len && word_at(words, n_words)->start[0] == '-')
		n_words++;
	return n_words;
}

static void set_device(LttInterrupt *interrupt, const char *text)
{
	g_autoptr(GArray) words = split(text);
	g_autoptr(GString) controller = g_string_new(NULL);
	guint n_words = 0;

	if (words->len > 0)
		n_words = count_controller_words(words);
	for (guint i = 0; i < n_words; i++) {
		if (i > 0)
			g_string_append_c(controller, ' ');
		g_string_append_len(controller, word_at(words, i)->start,
				    (gssize)word_at(words, i)->length);
	}
	interrupt->controller = g_strdup(controller->str);
	interrupt->name =
		g_strchomp(g_strdup(n_words < words->len ? word_at(words, n_words)->start : ""));
}

/* ---- lines ---- */

/* Returns: the number of online CPUs, which the first line lists: the maximum of counts per line */
static guint count_cpus(const char *line)
{
	g_autoptr(GArray) words = split(line);
	guint n_cpus = 0;

	while (n_cpus < words->len && strncmp(word_at(words, n_cpus)->start, "CPU", 3) == 0)
		n_cpus++;
	return n_cpus;
}

/* Returns: the text after the counts */
static const char *sum_counts(const char *text, guint n_cpus, guint32 *sum)
{
	*sum = 0;
	text += strspn(text, BLANKS);
	for (guint i = 0; i < n_cpus; i++) {
		const Word word = {.start = text, .length = strcspn(text, BLANKS)};

		if (word.length == 0 || !is_number(&word))
			break;
		*sum += (guint32)g_ascii_strtoull(text, NULL, 10);
		text += word.length;
		text += strspn(text, BLANKS);
	}
	return text;
}

/* @label: the text before the colon; @rest: the text after it */
static LttInterrupt *parse_line(const char *label, const char *rest, guint n_cpus, guint32 *n_named)
{
	LttInterrupt *interrupt = g_new0(LttInterrupt, 1);
	const char *text = sum_counts(rest, n_cpus, &interrupt->count);
	guint64 number;

	if (g_ascii_string_to_unsigned(label, 10, 0, LTT_NAMED_INTERRUPTS - 1, &number, NULL)) {
		interrupt->number = (guint32)number;
		set_device(interrupt, text);
	} else {
		interrupt->number = LTT_NAMED_INTERRUPTS + (*n_named)++;
		interrupt->controller = g_strdup("");
		interrupt->name = g_strchomp(*text != '\0' ? g_strconcat(label, ": ", text, NULL)
							   : g_strdup(label));
	}
	return interrupt;
}

GPtrArray *ltt_interrupts_parse(const char *text)
{
	GPtrArray *interrupts = g_ptr_array_new_with_free_func(free_interrupt);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint n_cpus = G_MAXUINT;
	guint32 n_named = 0;

	for (guint i = 0; lines[i] != NULL; i++) {
		char *colon = strchr(lines[i], ':');
		char *label;

		if (colon == NULL) {
			const guint n_named_cpus = count_cpus(lines[i]);

			n_cpus = n_named_cpus > 0 ? n_named_cpus : n_cpus;
			continue;
		}
		*colon = '\0';
		label = g_strstrip(lines[i]);
		if (*label != '\0' && strpbrk(label, BLANKS) == NULL)
			g_ptr_array_add(interrupts, parse_line(label, colon + 1, n_cpus, &n_named));
	}
	return interrupts;
}

GPtrArray *ltt_machine_read_interrupts(const char *proc, GError **error)
{
	g_autofree char *path = g_build_filename(proc, "interrupts", NULL);
	g_autofree char *text = NULL;
	const int errnum = ltt_proc_read(path, &text);

	if (errnum == ENOENT)
		return ltt_interrupts_parse("");
	if (errnum != 0) {
		ltt_fail_io(error, path, "read", errnum);
		return NULL;
	}
	return ltt_interrupts_parse(text);
}

void ltt_interrupt_write(const LttInterrupt *interrupt, LttPayload *payload)
{
	const struct interrupts_interrupt out = {
		.number = interrupt->number,
		.count = interrupt->count,
		.controller = interrupt->controller,
		.name = interrupt->name,
	};

	write_interrupts_interrupt(payload, &out);
}
