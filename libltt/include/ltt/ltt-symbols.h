/* ltt-symbols.h - names of functions for the addresses in a trace.
 *
 * A trace records which files were mapped in its processes, at which addresses, and their build ids
 * (doc/preload.md). The names of functions are in these files. A file is used if it is on this
 * machine and has the recorded build id, with the separate debug information that elfutils finds for
 * it. The trace itself contains the names of code that was generated at run time. The names of the
 * kernel come from /proc/kallsyms, if the running kernel has the recorded build id.
 *
 *	g_autoptr(LttSymbols) symbols = ltt_symbols_new(trace);
 *	LttSymbol symbol;
 *	if (ltt_symbols_find(symbols, event, address, &symbol) && symbol.function != NULL)
 *		printf("%s+0x%" G_GINT64_MODIFIER "x\n", symbol.function, symbol.distance);
 *
 * Threads: several threads may use the same LttSymbols.
 */
#ifndef LTT_SYMBOLS_H
#define LTT_SYMBOLS_H

#include <ltt/ltt-event.h>
#include <ltt/ltt-stack.h>

G_BEGIN_DECLS

typedef struct LttSymbols LttSymbols;

/* Reads nothing before the first address. @trace: (transfer none): must outlive the symbols
 * Returns: (transfer full) */
LttSymbols *ltt_symbols_new(LttTrace *trace);
void ltt_symbols_free(LttSymbols *symbols); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSymbols, ltt_symbols_free)

/* What is known of an address. Pointers are valid as long as the LttSymbols. */
typedef struct LttSymbol {
	const char
		*function; /* as in the source, "std::vector<int>::size() const"; NULL: unknown */
	guint64 distance;  /* from the begin of the function */
	const LttModule *module; /* NULL: no file is known to be mapped there */
	guint64 offset;          /* in the file; of the kernel itself the address */
	guint64 from_ns;         /* the address means the same from this time on ... */
	guint64 to_ns;           /* ... to this one, exclusive */
} LttSymbol;

/**
 * ltt_symbols_find:
 * @event: with the address: its process and time give the file that was mapped there
 * @symbol: (out)
 *
 * The first call reads the mappings of the whole trace; damaged blocks are omitted. An address from
 * 2^63 on is one of the kernel.
 *
 * Returns: whether the function, or the file and the offset in it, is known
 */
gboolean ltt_symbols_find(LttSymbols *symbols, const LttEvent *event, guint64 address,
			  LttSymbol *symbol);

/* As ltt_symbols_find(), for the process @pid at a time. In a trace that is joined, or of several machines, in
 * which several processes may have this id, the first one that has a file at the address counts. */
gboolean ltt_symbols_find_at(LttSymbols *symbols, guint32 pid, guint64 time_ns, guint64 address,
			     LttSymbol *symbol);

/* As ltt_symbols_find(), for a frame of a call stack, whose module must outlive the symbols. */
gboolean ltt_symbols_find_frame(LttSymbols *symbols, const LttStackFrame *frame, LttSymbol *symbol);

/* The part of a symbol that a text shows. */
typedef enum LttSymbolForm {
	LTT_SYMBOL_FUNCTION, /* "main", for frames of call stacks */
	LTT_SYMBOL_PLACE,    /* "main+0x1a", or "main" for its begin */
} LttSymbolForm;

/* Appends a symbol: its function; without one the file and the offset in it, "libc.so.6+0x2724a";
 * without a file "[unknown]". */
void ltt_symbol_append(GString *text, const LttSymbol *symbol, LttSymbolForm form);

/* ---- addresses without a name ---- */

/* Numbers of calls so far, those for the same address included. */
typedef struct LttSymbolsCounts {
	guint64 n_found;
	guint64 n_unnamed; /* of these, without the name of a function */
} LttSymbolsCounts;

void ltt_symbols_get_counts(LttSymbols *symbols, LttSymbolsCounts *counts);

/* A module with addresses without a name. */
typedef struct LttUnnamed {
	const LttModule *module;
	guint64 n;          /* calls */
	const char *reason; /* why, such as "cannot be read on this machine" */
	gboolean is_other; /* the file on this machine has another build id than the recorded one */
} LttUnnamed;

/* Calls @visit for each of them, in the order of the paths. */
typedef void (*LttUnnamedFunc)(const LttUnnamed *unnamed, gpointer user_data);
void ltt_symbols_foreach_unnamed(LttSymbols *symbols, LttUnnamedFunc visit, gpointer user_data);

G_END_DECLS

#endif /* LTT_SYMBOLS_H */
