/* build-id.h - the build id of a mapped file. */
#ifndef PRELOAD_BUILD_ID_H
#define PRELOAD_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

enum { BUILD_ID_MAX = 20 };

/* Reads the build id of the ELF file that is mapped from its start at address @file. Another thread
 * may unmap it meanwhile. Returns: its size in bytes; 0: it has none */
size_t build_id_read(uint64_t file, uint8_t id[BUILD_ID_MAX]);

#endif
