/* mutate-elf.c - see mutate-elf.h.
 *
 * Random bytes rarely yield sections that lie in the file and have symbols with names.
 */
#include "mutate-elf.h"

#include "base/bytes-priv.h"
#include "mutate.h"

#include <elf.h>
#include <string.h>

/* A table of headers or symbols. */
typedef struct Table {
	guint64 at;
	guint64 n;
	guint entry; /* bytes */
} Table;

typedef struct File {
	guint8 *bytes;
	gsize size;
	gboolean is_64;
	LttByteOrder order;
	Table segments;
	Table sections;
	GRand *dice;
} File;

/* The offset of a member, in a file of this word size. */
#define AT(file, type, member)                                                                     \
	((file)->is_64 ? offsetof(Elf64_##type, member) : offsetof(Elf32_##type, member))
#define BYTES(file, type) ((guint)((file)->is_64 ? sizeof(Elf64_##type) : sizeof(Elf32_##type)))

static gboolean contains(const File *file, guint64 at, guint width)
{
	return at <= file->size && width <= file->size - at;
}

static guint64 get(const File *file, guint64 at, guint width)
{
	return contains(file, at, width) ? ltt_load_uint(file->bytes + at, width, file->order) : 0;
}

static void put(File *file, guint64 at, guint width, guint64 value)
{
	if (contains(file, at, width))
		ltt_store_uint(file->bytes + at, width, value, file->order);
}

static guint64 below(const File *file, guint64 n)
{
	return mutate_below(file->dice, n);
}

/* Changes a number of 2, 4 or 8 bytes somewhere in @size bytes. */
static void worsen(File *file, guint64 at, guint size)
{
	const guint width = 2U << below(file, 3);
	const guint64 place = at + width * below(file, size / width);

	put(file, place, width, mutate_number(file->dice, get(file, place, width), file->size));
}

static guint word_bytes(const File *file)
{
	return file->is_64 ? 8 : 4;
}

static guint64 choose_entry(const File *file, const Table *table)
{
	return table->at + table->entry * below(file, MIN(table->n, 256));
}

static gboolean read_header(File *file)
{
	if (file->size < sizeof(Elf32_Ehdr) || memcmp(file->bytes, ELFMAG, SELFMAG) != 0)
		return FALSE;
	file->is_64 = file->bytes[EI_CLASS] == ELFCLASS64;
	file->order = file->bytes[EI_DATA] == ELFDATA2MSB ? LTT_BIG_ENDIAN : LTT_LITTLE_ENDIAN;
	file->segments = (Table){get(file, AT(file, Ehdr, e_phoff), word_bytes(file)),
				 get(file, AT(file, Ehdr, e_phnum), 2), BYTES(file, Phdr)};
	file->sections = (Table){get(file, AT(file, Ehdr, e_shoff), word_bytes(file)),
				 get(file, AT(file, Ehdr, e_shnum), 2), BYTES(file, Shdr)};
	return TRUE;
}

/* ---- changes ---- */

static void change_header(File *file)
{
	if (below(file, 8) == 0)
		file->bytes[EI_CLASS + below(file, 3)] = (guint8)below(file, 4);
	else
		worsen(file, EI_NIDENT, BYTES(file, Ehdr) - EI_NIDENT);
}

static void change_segment(File *file)
{
	static const guint kinds[] = {PT_NULL, PT_LOAD, PT_DYNAMIC, PT_NOTE, PT_INTERP};
	const guint64 at = choose_entry(file, &file->segments);

	if (below(file, 3) == 0)
		put(file, at, 4, kinds[below(file, G_N_ELEMENTS(kinds))]);
	else
		worsen(file, at, file->segments.entry);
}

static void change_section(File *file)
{
	worsen(file, choose_entry(file, &file->sections), file->sections.entry);
}

/* Makes a section one of another type, with other flags, names or contents. */
static void retype_section(File *file)
{
	static const guint kinds[] = {SHT_NULL,    SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB,
				      SHT_DYNAMIC, SHT_NOTE,     SHT_NOBITS, SHT_SYMTAB_SHNDX,
				      SHT_DYNSYM,  SHT_HASH,     SHT_GROUP};
	static const guint flags[] = {SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED, SHF_STRINGS};
	const guint64 at = choose_entry(file, &file->sections);
	const guint64 flags_at = at + AT(file, Shdr, sh_flags);

	switch (below(file, 4)) {
	case 0:
		put(file, at + AT(file, Shdr, sh_type), 4, kinds[below(file, G_N_ELEMENTS(kinds))]);
		break;
	case 1:
		put(file, flags_at, word_bytes(file),
		    get(file, flags_at, word_bytes(file)) ^
			    flags[below(file, G_N_ELEMENTS(flags))]);
		break;
	case 2:
		put(file, at + AT(file, Shdr, sh_link), 4, below(file, file->sections.n + 1));
		break;
	default:
		put(file, at, 4, get(file, at, 4) + mutate_below(file->dice, 8) - 4);
		break;
	}
}

/* Copies the header of one section over that of another one. */
static void copy_section(File *file)
{
	const guint64 from = choose_entry(file, &file->sections);
	const guint64 to = choose_entry(file, &file->sections);

	if (contains(file, from, file->sections.entry) && contains(file, to, file->sections.entry))
		memmove(file->bytes + to, file->bytes + from, file->sections.entry);
}

/* Changes what a section contains: a symbol, if it is a table of these. */
static void change_content(File *file)
{
	const guint64 at = choose_entry(file, &file->sections);
	const guint64 kind = get(file, at + AT(file, Shdr, sh_type), 4);
	const guint entry = kind == SHT_SYMTAB || kind == SHT_DYNSYM ? BYTES(file, Sym) : 4;
	const Table content = {get(file, at + AT(file, Shdr, sh_offset), word_bytes(file)),
			       get(file, at + AT(file, Shdr, sh_size), word_bytes(file)) / entry,
			       entry};
	const guint64 place = choose_entry(file, &content);

	if (entry > 4 && below(file, 3) == 0) /* its type and binding */
		put(file, place + AT(file, Sym, st_info), 1, below(file, 256));
	else
		worsen(file, place, entry);
}

size_t mutate_elf(uint8_t *data, size_t size, size_t max_size, unsigned int seed, size_t n_head)
{
	static void (*const changes[])(File *) = {
		change_header,  change_segment, change_section, retype_section,
		retype_section, copy_section,   change_content, change_content,
	};
	File file = {0};
	gsize first = 0;

	file.dice = g_rand_new_with_seed(seed);
	if (size > max_size || size < n_head || mutate_is_blind(file.dice, 6)) {
		g_rand_free(file.dice);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	first = MIN((gsize)ltt_load_uint(data, (guint)n_head, LTT_LITTLE_ENDIAN), size - n_head);
	file.bytes = data + n_head;
	file.size = first;
	if (below(&file, 3) == 0) {
		file.bytes += first;
		file.size = size - n_head - first;
	}
	if (read_header(&file))
		for (guint64 n = 1 + below(&file, 3); n > 0; n--)
			changes[below(&file, G_N_ELEMENTS(changes))](&file);
	else
		size = LLVMFuzzerMutate(data, size, max_size);
	g_rand_free(file.dice);
	return size;
}
