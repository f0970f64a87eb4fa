/* mutate-text.h - change tokens of a text: XML, JSON, filters, templates, SQL, requests. */
#ifndef MUTATE_TEXT_H
#define MUTATE_TEXT_H

#include "mutate.h"

typedef struct FuzzWords {
	const char *const *words; /* of the language */
	size_t n_words;
	size_t n_head; /* bytes before the text; a NUL ends it */
} FuzzWords;

/* Replaces, inserts, removes, duplicates or exchanges tokens. A bracket, an XML tag or an attribute
 * is handled together with what belongs to it. Numbers become those at the limits of types.
 *
 * Returns: the new size, at most @max_size */
size_t mutate_text(uint8_t *data, size_t size, size_t max_size, unsigned int seed,
		   const FuzzWords *language);

/* Defines the mutator of a target. @...: the words */
#define FUZZ_TEXT(head, ...)                                                                       \
	size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,                \
				       unsigned int seed)                                          \
	{                                                                                          \
		static const char *const words[] = {__VA_ARGS__};                                  \
		static const FuzzWords language = {words, G_N_ELEMENTS(words), head};              \
                                                                                                   \
		return mutate_text(data, size, max_size, seed, &language);                         \
	}

#endif
