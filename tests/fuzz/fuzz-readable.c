/* fuzz-readable.c - a mangled name of C++: its text is not longer than its references tell.
 *
 * The demangler has no limit, so the length of the text is compared with the estimate that decides
 * whether it is called.
 */
#include "fuzz.h"
#include "mutate.h"

#include "symbols/readable-priv.h"

#include <string.h>

/* A part is a byte of the name and of what it stands for. Ss, the longest, is basic_string<...>. */
#define MAX_BYTES_OF_PART 64

/* Longer texts take much memory here. */
#define MAX_TRIED (G_GUINT64_CONSTANT(1) << 18)

/* Of the C++ runtime, whose header <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *name = g_strndup((const char *)data, size);
	const guint64 estimate = ltt_readable_estimate(name);
	char *readable;
	int status;

	free(ltt_readable_new(name));
	if (estimate > MAX_TRIED)
		return 0;
	readable = __cxa_demangle(name, NULL, NULL, &status);
	FUZZ_ASSERT(readable == NULL || strlen(readable) <= estimate * MAX_BYTES_OF_PART);
	free(readable);
	return 0;
}

#ifdef FUZZER
static const char *const words[] = {
	"_Z",      "N",      "E",   "I",      "J",  "S_",    "S0_",  "S1_",   "S2_", "SA_", "S10_",
	"T_",      "T0_",    "T1_", "TL0_",   "Ss", "St",    "Sa",   "Sb",    "So",  "1a",  "3foo",
	"C1",      "D2",     "P",   "R",      "O",  "K",     "V",    "F",     "v",   "i",   "j",
	"z",       "A3_",    "M",   "Dp",     "sp", "sP",    "sZ",   "DT",    "Dt",  "fp_", "fL0p_",
	"cl",      "cv",     "on",  "pl",     "L",  "Li3E",  "X",    "UlvE_", "Ut_", "Z",   "_",
	"B5abi11", "W4name", "TV",  "TI",     "GV", "Dv4_f", "DnLj", "nx",    "srN", "fl",  "fR",
	"tl",      "il",     "TC",  "U3fooI", "Tn", "Tt"};

static size_t insert(uint8_t *data, size_t size, size_t max_size, GRand *dice, const void *bytes,
		     size_t n)
{
	const size_t at = (size_t)mutate_below(dice, size + 1);

	if (n == 0 || n > max_size - size)
		return size;
	memmove(data + at + n, data + at, size - at);
	memcpy(data + at, bytes, n);
	return size + n;
}

/* Inserts a word of the language, or a part of the name once more. */
static size_t insert_some(uint8_t *data, size_t size, size_t max_size, GRand *dice)
{
	const char *word = words[mutate_below(dice, G_N_ELEMENTS(words))];
	const size_t from = (size_t)mutate_below(dice, size);
	const size_t n = (size_t)mutate_below(dice, MIN(size - from, 64) + 1);
	g_autofree void *part = g_memdup2(data + from, n);

	if (mutate_below(dice, 3) == 0)
		return insert(data, size, max_size, dice, part, n);
	return insert(data, size, max_size, dice, word, strlen(word));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	GRand *dice = g_rand_new_with_seed(seed);

	if (size > max_size || mutate_is_blind(dice, 3))
		size = LLVMFuzzerMutate(data, size, max_size);
	else
		for (guint64 n = 1 + mutate_below(dice, 4); n > 0; n--)
			size = insert_some(data, size, max_size, dice);
	g_rand_free(dice);
	return size;
}
#endif
