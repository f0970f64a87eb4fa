/* mutate.h - random choices that all structure-aware mutators share.
 *
 * A mutator replaces the operations of libFuzzer for a format whose random bytes are rejected early. It
 * falls back to them now and then, and for input without the structure.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* Of libFuzzer: changes any bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Called by libFuzzer instead. Returns: the new size, at most @max_size */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Returns: whether to fall back: one time of @n, and always if LTT_FUZZ_BLIND is set, to measure what
 * the mutators gain */
gboolean mutate_is_blind(GRand *dice, guint n);

/* Returns: a random number below @n; 0 if @n is 0 */
guint64 mutate_below(GRand *dice, guint64 n);

/* Returns: a possibly wrong number: slightly different, 0, the maximum, one bit changed, near @size */
guint64 mutate_number(GRand *dice, guint64 value, gsize size);

/* Moves the bytes from @at to @end by @by bytes. The caller checks that they remain in the buffer. */
void mutate_shift(uint8_t *data, size_t at, size_t end, gint64 by);

#endif
