/* tar-sums.h - the checksums of tar headers, which are never right in random bytes. */
#ifndef TAR_SUMS_H
#define TAR_SUMS_H

#include <stddef.h>
#include <stdint.h>

#define TAR_BLOCK_BYTES 512

/* Sets the checksums of all headers. */
void mend_tar(uint8_t *bytes, size_t size);

#endif
