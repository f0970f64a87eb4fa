/* elf-file.c - see elf-file-priv.h. */
#include "symbols/elf-file-priv.h"

#include "base/read-at-priv.h"
#include "symbols/elf-check-priv.h"

#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Largest file whose checksum is computed. */
#define MAX_CHECKED_BYTES (G_GINT64_CONSTANT(1) << 30)

struct LttElfFile {
	char *path; /* without links; NULL: unknown */
	Elf *elf;   /* NULL: belongs to @dwfl */
	int fd;     /* -1: as well */
	struct stat about;
	Dwfl *dwfl;
	Dwfl_Module *module;
	LttElfFile *debug; /* separate debug information beside the file; NULL: none */
};

/* What a file with separate debug information has to be. */
typedef struct Wanted {
	const LttElfFile *main;
	const char *link; /* NULL: the main file names none */
	guint32 checksum; /* of the linked file */
	const void *build_id;
	ssize_t build_id_bytes; /* at most 0: the main file has none */
} Wanted;

int ltt_elf_open(const char *path, struct stat *about)
{
	int fd;

	/* The first look is for devices, which may start to work when they are opened. */
	if (stat(path, about) != 0 || !S_ISREG(about->st_mode))
		return -1;
	fd = open(path, O_RDONLY | LTT_OPEN_FOREIGN);
	if (fd < 0)
		return -1;
	if (fstat(fd, about) == 0 && S_ISREG(about->st_mode))
		return fd;
	close(fd);
	return -1;
}

/* ---- a file in libdwfl ---- */

/* A link of a stranger does not lead to another folder. */
static gboolean is_name(const char *link)
{
	return link != NULL && link[0] != '\0' && strchr(link, '/') == NULL;
}

/* What is not beside the file is in a folder that is not a stranger's. */
static int find_elsewhere(Dwfl_Module *module, void **user_data, const char *module_name,
			  Dwarf_Addr base, const char *path, const char *link, GElf_Word checksum,
			  char **found)
{
	if (path == NULL)
		return -1;
	return dwfl_standard_find_debuginfo(module, user_data, module_name, base, path,
					    is_name(link) ? link : NULL, checksum, found);
}

static int find_elf(Dwfl_Module *module G_GNUC_UNUSED, void **user_data,
		    const char *module_name G_GNUC_UNUSED, Dwarf_Addr base G_GNUC_UNUSED,
		    char **path, Elf **elf)
{
	LttElfFile *file = *user_data;
	const int fd = file->fd;

	*path = file->path != NULL ? strdup(file->path) : NULL;
	*elf = file->elf;
	file->elf = NULL;
	file->fd = -1;
	return fd;
}

/* Makes a module at the addresses that the file itself has.
 * Returns: (nullable): NULL if nothing of the file is loaded */
static Dwfl_Module *report(LttElfFile *file)
{
	GElf_Addr start = G_MAXUINT64;
	GElf_Addr end = 0;
	size_t n = 0;
	void **user_data;
	Dwfl_Module *module;

	elf_getphdrnum(file->elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(file->elf, (int)i, &header) == NULL || header.p_type != PT_LOAD)
			continue;
		/* As libdwfl has it, the first segment counts. */
		if (start == G_MAXUINT64)
			start = header.p_vaddr & -header.p_align;
		end = MAX(end, header.p_vaddr + header.p_memsz);
	}
	if (start >= end)
		return NULL;
	dwfl_report_begin(file->dwfl);
	module = dwfl_report_module(file->dwfl, "code", start, end);
	if (module != NULL) {
		dwfl_module_info(module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
		*user_data = file;
	}
	dwfl_report_end(file->dwfl, NULL, NULL);
	return module;
}

void ltt_elf_file_free(LttElfFile *file)
{
	if (file == NULL)
		return;
	ltt_elf_file_free(file->debug);
	dwfl_end(file->dwfl);
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	g_free(file);
}

static LttElfFile *open_file(int fd, const char *path)
{
	LttElfFile *file = g_new0(LttElfFile, 1);

	file->fd = fd;
	file->path = realpath(path, NULL);
	file->elf = ltt_elf_check(fd);
	if (file->elf != NULL && fstat(fd, &file->about) == 0)
		return file;
	ltt_elf_file_free(file);
	return NULL;
}

static gboolean give_to_libdwfl(LttElfFile *file)
{
	static char folders[] = "/usr/lib/debug";
	static char *debuginfo_path = folders;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_elf,
		.find_debuginfo = find_elsewhere,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &debuginfo_path,
	};

	file->dwfl = dwfl_begin(&callbacks);
	if (file->dwfl != NULL)
		file->module = report(file);
	return file->module != NULL;
}

/* ---- separate debug information beside the file ---- */

static gboolean has_checksum(int fd, gint64 n_bytes, guint32 wanted)
{
	guint8 bytes[32 * 1024];
	uLong checksum = crc32(0, NULL, 0);

	if (n_bytes > MAX_CHECKED_BYTES)
		return FALSE;
	for (gint64 at = 0; at < n_bytes; at += (gint64)sizeof(bytes)) {
		const gsize n = (gsize)MIN((gint64)sizeof(bytes), n_bytes - at);

		if (ltt_read_at(fd, bytes, n, (guint64)at, NULL) != 0)
			return FALSE;
		checksum = crc32(checksum, bytes, (uInt)n);
	}
	return checksum == wanted;
}

/* Returns: whether it has more than the symbols for the dynamic linker */
static gboolean has_symbol_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
			return TRUE;
	return FALSE;
}

/* If the main file has a build id, only that counts. */
static gboolean is_wanted(const Wanted *wanted, const LttElfFile *file)
{
	const void *build_id;

	if (!has_symbol_table(file->elf))
		return FALSE;
	if (wanted->build_id_bytes > 0)
		return dwelf_elf_gnu_build_id(file->elf, &build_id) == wanted->build_id_bytes &&
		       memcmp(build_id, wanted->build_id, (gsize)wanted->build_id_bytes) == 0;
	return wanted->link != NULL &&
	       has_checksum(file->fd, file->about.st_size, wanted->checksum);
}

static LttElfFile *open_wanted(const Wanted *wanted, const char *path)
{
	struct stat about;
	const int fd = ltt_elf_open(path, &about);
	LttElfFile *file = fd >= 0 ? open_file(fd, path) : NULL;

	if (file == NULL || (is_wanted(wanted, file) && give_to_libdwfl(file)))
		return file;
	ltt_elf_file_free(file);
	return NULL;
}

/* Searches the folder of the main file, and a folder .debug in it. */
static LttElfFile *find_beside(const LttElfFile *main)
{
	g_autofree char *folder = g_path_get_dirname(main->path);
	g_autofree char *base = g_path_get_basename(main->path);
	g_autofree char *name = NULL;
	g_autofree char *beside = NULL;
	g_autofree char *below = NULL;
	Wanted wanted = {.main = main};
	LttElfFile *found;

	wanted.link = dwelf_elf_gnu_debuglink(main->elf, &wanted.checksum);
	if (!is_name(wanted.link))
		wanted.link = NULL;
	wanted.build_id_bytes = dwelf_elf_gnu_build_id(main->elf, &wanted.build_id);
	name = wanted.link != NULL ? g_strdup(wanted.link) : g_strconcat(base, ".debug", NULL);
	beside = g_build_filename(folder, name, NULL);
	below = g_build_filename(folder, ".debug", name, NULL);
	found = open_wanted(&wanted, beside);
	return found != NULL ? found : open_wanted(&wanted, below);
}

/* ---- a file and its debug information ---- */

LttElfFile *ltt_elf_file_new(int fd, const char *path)
{
	LttElfFile *file = open_file(fd, path);

	if (file == NULL)
		return NULL;
	if (file->path != NULL && !has_symbol_table(file->elf))
		file->debug = find_beside(file);
	if (give_to_libdwfl(file))
		return file;
	ltt_elf_file_free(file);
	return NULL;
}

Dwfl_Module *ltt_elf_file_get_module(const LttElfFile *file)
{
	return file->module;
}

Dwfl_Module *ltt_elf_file_get_symbols(const LttElfFile *file)
{
	return file->debug != NULL ? file->debug->module : file->module;
}
