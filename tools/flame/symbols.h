/* symbols.h - names of functions, for the call stacks of samples.
 *
 * Names come from the files that were mapped, if they are on this machine and have the build id of
 * the recording; from the recording itself; and for the kernel from /proc/kallsyms, if the kernel
 * that runs has the recorded build id.
 */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <ltt/ltt-stack.h>

typedef struct Symbols Symbols;

Symbols *symbols_new(void);
void symbols_free(Symbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Symbols, symbols_free)

/* Returns: the name of the function; without one the module with an offset, "libc.so.6+0x2724a";
 *   without a module "[unknown]". Valid as long as @symbols */
const char *symbols_find(Symbols *symbols, const LttStackFrame *frame);

/* Numbers of frames so far, those that occur again included. */
typedef struct SymbolsCounts {
	guint64 n_frames;
	guint64 n_unnamed; /* of these, without the name of a function */
} SymbolsCounts;

void symbols_get_counts(const Symbols *symbols, SymbolsCounts *counts);

/* Calls @visit for each module with frames without a name, in the order of the paths. @n_frames: how
 * many; @reason: why */
typedef void (*SymbolsVisit)(const LttModule *module, guint64 n_frames, const char *reason,
			     gpointer user_data);
void symbols_foreach_missing(const Symbols *symbols, SymbolsVisit visit, gpointer user_data);

#endif
