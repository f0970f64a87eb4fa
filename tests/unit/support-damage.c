#include "support-damage.h"

#include <string.h>

void unit_damage(GRand *random, GByteArray *bytes)
{
	const guint n_changes = (guint)g_rand_int_range(random, 1, 5);

	for (guint i = 0; i < n_changes; i++) {
		const guint at = (guint)g_rand_int_range(random, 0, (gint32)bytes->len);

		switch (g_rand_int_range(random, 0, 4)) {
		case 0:
			bytes->data[at] ^= (guint8)(1 << g_rand_int_range(random, 0, 8));
			break;
		case 1:
			bytes->data[at] = (guint8)g_rand_int(random);
			break;
		case 2:
			memset(bytes->data + at, g_rand_boolean(random) ? 0xff : 0,
			       MIN(8, bytes->len - at));
			break;
		default:
			g_byte_array_remove_range(bytes, at, MIN(3, bytes->len - at - 1));
		}
	}
}
