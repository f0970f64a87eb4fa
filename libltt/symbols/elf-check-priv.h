/* elf-check-priv.h - whether libdwfl can read a file from a stranger in memory that its size bounds. */
#ifndef LTT_SYMBOLS_ELF_CHECK_PRIV_H
#define LTT_SYMBOLS_ELF_CHECK_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/elf-check-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <gelf.h>
#include <glib.h>

/* Opens a program, a library or its debug information. Hides a section with compressed symbols in it.
 * Returns: (transfer full) (nullable): NULL if it is none of these, or not sound; to be freed with
 * elf_end(). @fd stays open, and is read from until then: a file that somebody truncates meanwhile has no
 * names, but if it were mapped, it would cause a SIGBUS */
Elf *ltt_elf_check(int fd);

#endif
