/* mutate-elf.h - change headers, sections and symbols of a file with code. */
#ifndef MUTATE_ELF_H
#define MUTATE_ELF_H

#include <stddef.h>
#include <stdint.h>

/* Changes a file with code or its separate debug information, which follows it: a number in the header, a
 * segment, a section or a symbol, or the type, flags, link or name of a section. The input begins with the size
 * of the file with code, in @n_head bytes. Otherwise changes any bytes like the fuzzer.
 *
 * Returns: the new size, at most @max_size */
size_t mutate_elf(uint8_t *data, size_t size, size_t max_size, unsigned int seed, size_t n_head);

#endif
