/* mutate.c - see mutate.h. */
#include "mutate.h"

#include <string.h>

gboolean mutate_is_blind(GRand *dice, guint n)
{
	return mutate_below(dice, n) == 0 || g_getenv("LTT_FUZZ_BLIND") != NULL;
}

guint64 mutate_below(GRand *dice, guint64 n)
{
	return n <= 1 ? 0 : (guint64)g_rand_int_range(dice, 0, (gint32)MIN(n, G_MAXINT32));
}

guint64 mutate_number(GRand *dice, guint64 value, gsize size)
{
	const guint64 step = 1 + mutate_below(dice, 16);

	switch (mutate_below(dice, 8)) {
	case 0:
		return value + step;
	case 1:
		return value - step;
	case 2:
		return 0;
	case 3:
		return G_MAXUINT64 - mutate_below(dice, 16);
	case 4:
		return value ^ (guint64)1 << mutate_below(dice, 64);
	case 5:
		return size - mutate_below(dice, 32);
	case 6:
		return mutate_below(dice, 256);
	default:
		return (guint64)1 << mutate_below(dice, 64);
	}
}

void mutate_shift(uint8_t *data, size_t at, size_t end, gint64 by)
{
	memmove(data + (gint64)at + by, data + at, end - at);
}
