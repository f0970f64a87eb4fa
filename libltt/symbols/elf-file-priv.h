/* elf-file-priv.h - open an untrusted file with code, and its separate debug information.
 *
 * libdwfl of elfutils opens each path that a file names, waits for pipes, expands compressed images
 * without a limit, and maps files that somebody may truncate. So files, and debug information beside them,
 * are opened and checked here first; it gets only regular files whose tables of symbols are not
 * compressed. Only /usr/lib/debug and the servers of debuginfod are searched by it.
 */
#ifndef LTT_SYMBOLS_ELF_FILE_PRIV_H
#define LTT_SYMBOLS_ELF_FILE_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/elf-file-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <elfutils/libdwfl.h>
#include <glib.h>
#include <sys/stat.h>

typedef struct LttElfFile LttElfFile;

/* Opens a regular file. @about: (out). Returns: a file descriptor, or -1 */
int ltt_elf_open(const char *path, struct stat *about);

/* @fd: (transfer full): of ltt_elf_open()
 * Returns: (transfer full) (nullable): NULL if it is no sound program or library */
LttElfFile *ltt_elf_file_new(int fd, const char *path);
void ltt_elf_file_free(LttElfFile *file); /* NULL is allowed and ignored */

/* Returns: (transfer none): the file */
Dwfl_Module *ltt_elf_file_get_module(const LttElfFile *file);

/* Returns: (transfer none): whose table of symbols counts: the file, or its separate debug information */
Dwfl_Module *ltt_elf_file_get_symbols(const LttElfFile *file);

#endif
