/* code.h - records which files contain the code that events name by address.
 *
 * Before an event names an address of code, the mapping that contains the address is recorded. The
 * usual check is a look into a small table of granules of 64 KiB.
 */
#ifndef PRELOAD_CODE_H
#define PRELOAD_CODE_H

#include "facilities.h"

#include "code-trace.h"

enum { CODE_GRANULE_BITS = 16, CODE_GRANULES = 1024 };

/* Numbers of granules that code_find() has handled, each at its number modulo CODE_GRANULES. */
extern uint64_t code_granules[CODE_GRANULES];

/* Records the mapping at an address, unless it has been recorded. */
void code_find(uint64_t address);

/* Forgets all mappings, because files were unmapped or the process is a forked child. */
void code_forget(void);

static inline void code_note(uint64_t address)
{
	const uint64_t granule = address >> CODE_GRANULE_BITS;

	if (__builtin_expect(__atomic_load_n(&code_granules[granule % CODE_GRANULES],
					     __ATOMIC_RELAXED) != granule,
			     0))
		code_find(address);
}

#endif
