/* elf-check.c - see elf-check-priv.h. */
#include "symbols/elf-check-priv.h"

#include "base/read-at-priv.h"

#include <stddef.h>
#include <string.h>

/* Of a table of symbols or names; the former has place for 11 million functions. */
#define MAX_TABLE_BYTES (256U * 1024 * 1024)

/* Tables of symbols: one of the linker, and one of the dynamic linker. Each is read with its names. */
#define MAX_TABLES 2

/* Of a section or segment with notes, and of a link to separate debug information. Programs have some 100. */
#define MAX_NOTE_BYTES (1024U * 1024)

/* Of segments; programs have about ten. */
#define MAX_SEGMENTS 256

/* libelf takes memory for each section when it opens a file. A number of sections that the header has no
 * place for, which it shows as 0, can be any; only object files have so many. */
static gboolean has_few_sections(int fd)
{
	guint8 header[sizeof(Elf64_Ehdr)];
	gsize at;
	guint16 n;

	if (ltt_read_at(fd, header, sizeof(header), 0, NULL) != 0 ||
	    memcmp(header, ELFMAG, SELFMAG) != 0)
		return FALSE;
	at = header[EI_CLASS] == ELFCLASS64 ? offsetof(Elf64_Ehdr, e_shnum)
					    : offsetof(Elf32_Ehdr, e_shnum);
	memcpy(&n, header + at, sizeof(n));
	return n != 0; /* in any byte order */
}

/* libdwfl copies segments with notes. */
static gboolean check_segments(Elf *elf)
{
	GElf_Phdr header;
	size_t n = 0;

	if (elf_getphdrnum(elf, &n) != 0 || n > MAX_SEGMENTS)
		return FALSE;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &header) != NULL && header.p_type == PT_NOTE &&
		    header.p_filesz > MAX_NOTE_BYTES)
			return FALSE;
	return TRUE;
}

static gboolean has_dynamic_segment(Elf *elf)
{
	GElf_Phdr header;
	size_t n = 0;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &header) != NULL && header.p_type == PT_DYNAMIC)
			return TRUE;
	return FALSE;
}

static gboolean is_plain(const GElf_Shdr *header)
{
	return (header->sh_flags & SHF_COMPRESSED) == 0 && header->sh_size <= MAX_TABLE_BYTES;
}

/* libelf expands a compressed table of names when it is used. */
static gboolean is_plain_section(Elf *elf, size_t number)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_getscn(elf, number);

	return section != NULL && gelf_getshdr(section, &header) != NULL && is_plain(&header);
}

/* Makes libdwfl see no section .gnu_debugdata: it would expand the file of symbols in it, which can be a
 * thousand times as large, and the compressed tables in that. */
static gboolean check_name(Elf *elf, Elf_Scn *section, GElf_Shdr *header, size_t names)
{
	const char *name = elf_strptr(elf, names, header->sh_name);

	if (g_strcmp0(name, ".gnu_debuglink") == 0)
		return header->sh_size <= MAX_NOTE_BYTES;
	if (g_strcmp0(name, ".gnu_debugdata") != 0)
		return TRUE;
	header->sh_name = 0;
	return gelf_update_shdr(section, header) != 0;
}

/* The last name may have no end: then libdwfl would return one that is longer than the table. libelf keeps
 * what it has read, so the table is the same later. */
static gboolean is_table_of_names(Elf *elf, size_t number)
{
	Elf_Data *data;

	if (!is_plain_section(elf, number))
		return FALSE;
	data = elf_getdata(elf_getscn(elf, number), NULL);
	return data != NULL && data->d_buf != NULL && data->d_size > 0 &&
	       ((const char *)data->d_buf)[data->d_size - 1] == '\0';
}

static gboolean check_section(Elf *elf, const GElf_Shdr *header, guint *n_tables)
{
	switch (header->sh_type) {
	case SHT_SYMTAB:
	case SHT_DYNSYM:
		return ++*n_tables <= MAX_TABLES && header->sh_entsize != 0 && is_plain(header) &&
		       is_table_of_names(elf, header->sh_link);
	case SHT_SYMTAB_SHNDX:
		return is_plain(header);
	case SHT_NOTE:
		return header->sh_size <= MAX_NOTE_BYTES;
	default:
		return TRUE;
	}
}

/* Without a section with symbols, libdwfl searches the dynamic segment, and may go through the whole
 * file with memory for each word. */
static gboolean check_sections(Elf *elf)
{
	guint n_tables = 0;
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0 || !is_plain_section(elf, names))
		return FALSE;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) == NULL ||
		    !check_section(elf, &header, &n_tables) ||
		    !check_name(elf, section, &header, names))
			return FALSE;
	}
	return n_tables > 0 || !has_dynamic_segment(elf);
}

/* libdwfl would relocate the sections of other types, or expand a file that libelf does not know. */
static gboolean is_program(Elf *elf)
{
	GElf_Ehdr header;

	return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) != NULL &&
	       (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

Elf *ltt_elf_check(int fd)
{
	Elf *elf = NULL;

	elf_version(EV_CURRENT);
	if (has_few_sections(fd))
		elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf != NULL && is_program(elf) && check_segments(elf) && check_sections(elf))
		return elf;
	elf_end(elf);
	return NULL;
}
