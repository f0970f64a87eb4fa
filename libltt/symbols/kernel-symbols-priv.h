/* kernel-symbols-priv.h - the functions of the kernel that runs, from /proc/kallsyms. */
#ifndef LTT_SYMBOLS_KERNEL_SYMBOLS_PRIV_H
#define LTT_SYMBOLS_KERNEL_SYMBOLS_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/kernel-symbols-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <ltt/ltt-stack.h>

typedef struct LttKernelSymbols LttKernelSymbols;

/* Reads the functions and the build id of the kernel that runs. */
LttKernelSymbols *ltt_kernel_symbols_new(void);
void ltt_kernel_symbols_free(LttKernelSymbols *kernel); /* NULL is allowed and ignored */

/* Returns: (nullable): why the functions are not those of @module; NULL: they are */
const char *ltt_kernel_symbols_check(const LttKernelSymbols *kernel, const LttModule *module);

/* Finds the function at an address of @module. The kernel may have started at another address then.
 * @distance: (out): from its begin
 * Returns: (nullable): its name */
const char *ltt_kernel_symbols_find(const LttKernelSymbols *kernel, const LttModule *module,
				    guint64 address, guint64 *distance);

#endif
