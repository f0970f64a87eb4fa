/* symbols.c - see symbols.h. Files are read by libdwfl of elfutils, which also finds separate debug
 * information. A name is looked up once for each address. */
#include "symbols.h"

#include "kernel-symbols.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* A longer name of C++ is shown as it is in the symbol table, because a hostile one could take long. */
#define MAX_MANGLED_BYTES 2048

/* Of the C++ runtime, whose header <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* A module whose file was opened, or not. */
typedef struct File {
	const LttModule *module;
	Dwfl *dwfl; /* NULL: not opened */
	Dwfl_Module *opened;
	const char *reason; /* why it has no names; NULL: it has */
	GHashTable *names;  /* offset to name */
	guint64 n_unnamed;  /* frames without a name */
} File;

struct Symbols {
	GHashTable *files; /* LttModule to File */
	KernelSymbols *kernel;
	SymbolsCounts counts;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void free_file(gpointer data)
{
	File *file = data;

	if (file->dwfl != NULL)
		dwfl_end(file->dwfl);
	g_hash_table_unref(file->names);
	g_free(file);
}

Symbols *symbols_new(void)
{
	Symbols *symbols = g_new0(Symbols, 1);

	symbols->files = g_hash_table_new_full(NULL, NULL, NULL, free_file);
	return symbols;
}

void symbols_free(Symbols *symbols)
{
	g_hash_table_unref(symbols->files);
	kernel_symbols_free(symbols->kernel);
	g_free(symbols);
}

/* ---- files ---- */

/* Returns: whether the opened file is the recorded one, as far as the recording says */
static gboolean has_build_id(Dwfl_Module *opened, const LttModule *module)
{
	const unsigned char *bits = NULL;
	GElf_Addr address;
	const int length = dwfl_module_build_id(opened, &bits, &address);

	return module->build_id_bytes == 0 ||
	       (length == (int)module->build_id_bytes &&
		memcmp(bits, module->build_id, module->build_id_bytes) == 0);
}

static void open_file(File *file)
{
	GElf_Addr bias;

	if (file->module->path[0] != '/') {
		file->reason = "is no file";
		return;
	}
	file->dwfl = dwfl_begin(&callbacks);
	file->opened = dwfl_report_offline(file->dwfl, file->module->path, file->module->path, -1);
	dwfl_report_end(file->dwfl, NULL, NULL);
	if (file->opened == NULL || dwfl_module_getelf(file->opened, &bias) == NULL)
		file->reason = "cannot be read on this machine";
	else if (!has_build_id(file->opened, file->module))
		file->reason = "is another version: its build id differs";
	else
		return;
	file->opened = NULL;
}

static File *find_file(Symbols *symbols, const LttModule *module)
{
	File *file = g_hash_table_lookup(symbols->files, module);

	if (file != NULL)
		return file;
	file = g_new0(File, 1);
	file->module = module;
	file->names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_hash_table_insert(symbols->files, (gpointer)module, file);
	if (!module->is_kernel)
		open_file(file);
	return file;
}

/* Finds the address of an offset in the file, by the segment that it lies in. */
static gboolean find_address(Elf *elf, guint64 offset, GElf_Addr *address)
{
	size_t n_headers = 0;

	elf_getphdrnum(elf, &n_headers);
	for (size_t i = 0; i < n_headers; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) == NULL || header.p_type != PT_LOAD ||
		    offset < header.p_offset || offset - header.p_offset >= header.p_filesz)
			continue;
		*address = offset - header.p_offset + header.p_vaddr;
		return TRUE;
	}
	return FALSE;
}

/* Returns: (nullable): the name of the function at an offset in the file */
static const char *find_in_file(const File *file, guint64 offset)
{
	GElf_Addr bias = 0;
	GElf_Addr address;
	GElf_Off distance;
	GElf_Sym symbol;
	Elf *elf = file->opened != NULL ? dwfl_module_getelf(file->opened, &bias) : NULL;

	if (elf == NULL || !find_address(elf, offset, &address))
		return NULL;
	return dwfl_module_addrinfo(file->opened, address + bias, &distance, &symbol, NULL, NULL,
				    NULL);
}

/* ---- frames ---- */

static const char *find_kernel_name(Symbols *symbols, File *file, guint64 address)
{
	if (symbols->kernel == NULL)
		symbols->kernel = kernel_symbols_new();
	if (file->reason == NULL)
		file->reason = kernel_symbols_check(symbols->kernel, file->module);
	return file->reason == NULL ? kernel_symbols_find(symbols->kernel, address) : NULL;
}

/* Returns: (transfer full): a name as in the source, if it is one of C++ */
static char *dup_readable(const char *name)
{
	char *readable = NULL;
	char *copy;
	int status;

	if (g_str_has_prefix(name, "_Z") && strlen(name) <= MAX_MANGLED_BYTES)
		readable = __cxa_demangle(name, NULL, NULL, &status);
	copy = g_strdup(readable != NULL ? readable : name);
	free(readable);
	return copy;
}

/* The name of a function, or else "" for an address that has none. */
static const char *find_in_module(Symbols *symbols, const LttStackFrame *frame)
{
	File *file = find_file(symbols, frame->module);
	const char *known = g_hash_table_lookup(file->names, &frame->offset);
	const char *found;
	g_autofree char *module = NULL;
	char *name;

	if (known == NULL) {
		found = frame->module->is_kernel ? find_kernel_name(symbols, file, frame->address)
						 : find_in_file(file, frame->offset);
		module = g_path_get_basename(frame->module->path);
		name = found != NULL ? dup_readable(found)
				     : g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", module,
						       frame->offset);
		/* The first letter says whether it is the name of a function. */
		known = g_strconcat(found != NULL ? "+" : "-", name, NULL);
		g_free(name);
		g_hash_table_insert(file->names, g_memdup2(&frame->offset, sizeof(guint64)),
				    (gpointer)known);
	}
	if (known[0] == '-') {
		file->n_unnamed++;
		symbols->counts.n_unnamed++;
	}
	return known + 1;
}

const char *symbols_find(Symbols *symbols, const LttStackFrame *frame)
{
	symbols->counts.n_frames++;
	if (frame->symbol != NULL)
		return frame->symbol;
	if (frame->module != NULL)
		return find_in_module(symbols, frame);
	symbols->counts.n_unnamed++;
	return "[unknown]";
}

void symbols_get_counts(const Symbols *symbols, SymbolsCounts *counts)
{
	*counts = symbols->counts;
}

static gint compare_files(gconstpointer a, gconstpointer b)
{
	return strcmp(((const File *)a)->module->path, ((const File *)b)->module->path);
}

void symbols_foreach_missing(const Symbols *symbols, SymbolsVisit visit, gpointer user_data)
{
	g_autoptr(GList) files =
		g_list_sort(g_hash_table_get_values(symbols->files), compare_files);

	for (const GList *item = files; item != NULL; item = item->next) {
		const File *file = item->data;

		if (file->n_unnamed > 0)
			visit(file->module, file->n_unnamed,
			      file->reason != NULL ? file->reason : "has no names for them",
			      user_data);
	}
}
