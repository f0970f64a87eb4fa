/* Files with code that change while they are read. */
#define _GNU_SOURCE /* memfd_create */
#include "unit.h"

#include "symbols/elf-file-priv.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int write_file(const char *bytes, gsize n_bytes)
{
	const int fd = memfd_create("code", MFD_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, bytes, n_bytes), (ssize_t)n_bytes);
	return fd;
}

static gboolean has_function(Dwfl_Module *module, const char *name)
{
	const int n = dwfl_module_getsymtab(module);
	gboolean is_found = FALSE;

	for (int i = 0; i < n && !is_found; i++) {
		GElf_Sym symbol;

		is_found = g_strcmp0(dwfl_module_getsym(module, i, &symbol, NULL), name) == 0;
	}
	return is_found;
}

/* A mapped file would raise a signal. */
static void test_truncated_meanwhile(void)
{
	g_autofree char *program = NULL;
	gsize n_bytes;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents("/proc/self/exe", &program, &n_bytes, NULL));
	/* Down to a part of the header. */
	for (gsize kept = n_bytes; kept >= 32; kept /= 2) {
		const int fd = write_file(program, n_bytes);
		LttElfFile *file = ltt_elf_file_new(dup(fd), "/nonexistent");

		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		CU_ASSERT_EQUAL(ftruncate(fd, (off_t)kept), 0);
		CU_ASSERT_EQUAL(has_function(ltt_elf_file_get_symbols(file), "main"),
				kept == n_bytes);
		ltt_elf_file_free(file);
		close(fd);
	}
}

UNIT_MAIN("elf-file", UNIT(test_truncated_meanwhile))
