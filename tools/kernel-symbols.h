/* kernel-symbols.h - the functions of the kernel that runs, from /proc/kallsyms. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include <ltt/ltt-stack.h>

typedef struct KernelSymbols KernelSymbols;

/* Reads the functions and the build id of the kernel that runs. */
KernelSymbols *kernel_symbols_new(void);
void kernel_symbols_free(KernelSymbols *kernel); /* NULL is allowed and ignored */

/* Returns: (nullable): why the functions are not those of @module; NULL: they are */
const char *kernel_symbols_check(const KernelSymbols *kernel, const LttModule *module);

/* Returns: (nullable): the function at an address */
const char *kernel_symbols_find(const KernelSymbols *kernel, guint64 address);

#endif
