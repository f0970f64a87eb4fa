/* nul-priv.h - find the end of a string a vector at a time.
 *
 * All bytes of a step must be readable. Without SSE2 a step reads words of 8 bytes.
 */
#ifndef LTT_NUL_PRIV_H
#define LTT_NUL_PRIV_H

#ifndef LTT_BUILDING
#error "nul-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"

#define LTT_NUL_STEP        16
#define LTT_NUL_DOUBLE_STEP 32

#ifdef __SSE2__
/* Returns: a bit for each of LTT_NUL_STEP bytes that is NUL, the lowest for the first byte */
static inline guint ltt_nul_bits(const guint8 *at)
{
	typedef char Chars __attribute__((vector_size(LTT_NUL_STEP)));
	Chars bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return (guint)__builtin_ia32_pmovmskb128((Chars)(bytes == 0));
}
#endif

/* Returns: the index of the first NUL of LTT_NUL_STEP bytes; LTT_NUL_STEP if there is none */
static inline guint ltt_find_nul(const guint8 *at)
{
#ifdef __SSE2__
	return (guint)__builtin_ctz(ltt_nul_bits(at) | 1u << LTT_NUL_STEP);
#else
	const guint64 ones = G_GUINT64_CONSTANT(0x0101010101010101);
	guint n = 0;

	for (; n < LTT_NUL_STEP; n += 8) {
		const guint64 word = ltt_load_u64(at + n, LTT_LITTLE_ENDIAN);
		const guint64 zeros = (word - ones) & ~word & (ones << 7);

		if (zeros != 0)
			return n + (guint)__builtin_ctzll(zeros) / 8;
	}
	return n;
#endif
}

/* The same for LTT_NUL_DOUBLE_STEP bytes, more than most strings have. SSE2 needs no branch. */
static inline guint ltt_find_nul_far(const guint8 *at)
{
#ifdef __SSE2__
	const guint64 bits = ltt_nul_bits(at) | (guint64)ltt_nul_bits(at + LTT_NUL_STEP)
							<< LTT_NUL_STEP;

	return (guint)__builtin_ctzll(bits | (guint64)1 << LTT_NUL_DOUBLE_STEP);
#else
	const guint n = ltt_find_nul(at);

	return n < LTT_NUL_STEP ? n : LTT_NUL_STEP + ltt_find_nul(at + LTT_NUL_STEP);
#endif
}

#endif
