/* tar-sums.c - see tar-sums.h. */
#include "tar-sums.h"

#include <glib.h>
#include <string.h>

void mend_tar(uint8_t *bytes, size_t size)
{
	enum { CHECKSUM_AT = 148, CHECKSUM_BYTES = 8, MAGIC_AT = 257 };

	for (size_t at = 0; at + TAR_BLOCK_BYTES <= size; at += TAR_BLOCK_BYTES) {
		uint8_t *block = bytes + at;
		guint sum = 0;

		if (memcmp(block + MAGIC_AT, "ustar", strlen("ustar")) != 0)
			continue;
		memset(block + CHECKSUM_AT, ' ', CHECKSUM_BYTES);
		for (guint i = 0; i < TAR_BLOCK_BYTES; i++)
			sum += block[i];
		g_snprintf((char *)block + CHECKSUM_AT, CHECKSUM_BYTES, "%06o", sum);
	}
}
