/* readable.c - see readable-priv.h.
 *
 *	_Z 1f I 1a S0_ T_ S0_ E ...        2048 bytes at most
 *	       S0_: 2 times    T_: 1 time
 *
 * S0_ and its like stand for the part with that number. A part has only such references to parts of lower
 * numbers. So from number to number, a part that occurs n times makes the text at most 1 + n times as long.
 * T_ and its like stand for an argument of a template, which depends on the place; each may double the
 * text. Dp repeats what follows for each argument of a template, at most for each byte of the name.
 *
 * What looks like a reference counts also in an identifier, which only makes the estimate larger.
 */
#include "symbols/readable-priv.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MANGLED_BYTES 2048

/* The estimate exceeds it for 0.4 % of 123,000 names of LLVM, Arrow, DuckDB and ICU. */
#define MAX_PARTS (G_GUINT64_CONSTANT(1) << 24)

/* A name in a type that depends on a template: sr <type> <name>. If no name follows, the demangler of GCC 12
 * never returns. 0.4 % of the same names have it. */
#define ENDLESS "sr"

/* A longer text is less readable than the mangled name. */
#define MAX_READABLE_BYTES (64 * 1024)

/* Parts whose references are counted separately: S_, and S0_ to SZZ_. Each reference to another one counts
 * as one that doubles the text. */
#define N_NUMBERS (1 + 36 * 36)

/* Of the C++ runtime, whose header <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* The references of a name. */
typedef struct References {
	guint16 n_times[N_NUMBERS]; /* to each of these parts */
	guint n_doubling;           /* others, each of which may double the text */
	guint n_repeating;          /* each of which may repeat it for each byte of the name */
} References;

static int digit_of(char c)
{
	if (g_ascii_isdigit(c))
		return c - '0';
	return g_ascii_isupper(c) ? c - 'A' + 10 : -1;
}

/* Finds the reference whose first letter is before @text.
 * @number: (out): which; N_NUMBERS for high ones. Returns: whether it is one */
static gboolean read_reference(const char *text, guint *number)
{
	guint n = 0;

	for (; digit_of(*text) >= 0; text++)
		n = MIN(n * 36 + (guint)digit_of(*text) + 1, N_NUMBERS);
	*number = n;
	return *text == '_';
}

static void count_references(const char *mangled, References *references)
{
	guint number;

	for (const char *at = mangled; *at != '\0'; at++) {
		if (at[1] == 'p' && (*at == 'D' || *at == 's'))
			references->n_repeating++;
		else if ((*at != 'S' && *at != 'T') || !read_reference(at + 1, &number))
			continue;
		else if (*at == 'S' && number < N_NUMBERS)
			references->n_times[number]++;
		else
			references->n_doubling++;
	}
}

static guint64 multiply(guint64 parts, guint64 times)
{
	return parts > MAX_PARTS ? parts : parts * times; /* the name is short, so that it fits */
}

guint64 ltt_readable_estimate(const char *mangled)
{
	const gsize length = strnlen(mangled, MAX_MANGLED_BYTES + 1);
	References references = {0};
	guint64 parts = length;

	if (!g_str_has_prefix(mangled, "_Z") || length > MAX_MANGLED_BYTES ||
	    strstr(mangled, ENDLESS) != NULL)
		return G_MAXUINT64;
	count_references(mangled, &references);
	for (guint i = 0; i < N_NUMBERS; i++)
		parts = multiply(parts, 1 + references.n_times[i]);
	for (guint i = 0; i < references.n_doubling; i++)
		parts = multiply(parts, 2);
	for (guint i = 0; i < references.n_repeating; i++)
		parts = multiply(parts, length);
	return parts;
}

char *ltt_readable_new(const char *mangled)
{
	char *readable = NULL;
	int status;

	if (ltt_readable_estimate(mangled) <= MAX_PARTS)
		readable = __cxa_demangle(mangled, NULL, NULL, &status);
	if (readable == NULL || strlen(readable) <= MAX_READABLE_BYTES)
		return readable;
	free(readable);
	return NULL;
}
