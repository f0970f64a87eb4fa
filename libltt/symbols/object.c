/* object.c - see object-priv.h.
 *
 * libdwfl of elfutils reads the file, and separate debug information if the file has no symbol table.
 * A search in its table takes time in proportion to the number of symbols, so they are copied to
 * an array that is sorted by address. Thereby the file is closed again, and may change.
 */
#include "symbols/object-priv.h"

#include "symbols/elf-file-priv.h"
#include "symbols/readable-priv.h"

#include <ltt/ltt-hash.h>

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Maximum memory for the functions of all files of a trace. Many functions of a hostile file can have one
 * long name. */
#define MAX_BYTES (512 * 1024 * 1024)

/* Maximum sum of the estimates for the names of C++ that are made readable: less than a minute. */
#define MAX_ESTIMATED (G_GUINT64_CONSTANT(1) << 32)

/* A part of the file, and where it is loaded. */
typedef struct Segment {
	guint64 offset;
	guint64 n_bytes;
	guint64 address;
} Segment;

typedef struct Function {
	guint64 start;
	guint64 end; /* 0: of unknown size */
	guint rank;  /* of several at one address, the lowest counts */
	const char *mangled;
	const char *name; /* NULL: not made yet */
} Function;

/* Identifies a file, also under several names. */
typedef struct Key {
	guint64 device;
	guint64 number;
} Key;

struct LttObject {
	Key key;
	LttObjects *all;     /* which it belongs to */
	GBytes *build_id;    /* empty: the file has none */
	GArray *segments;    /* of Segment */
	GArray *functions;   /* of Function, by start; one for each start */
	GStringChunk *names; /* owns the names */
};

struct LttObjects {
	GHashTable *by_key; /* Key to LttObject */
	gsize bytes_left;   /* of MAX_BYTES */
	guint64 estimated;  /* of MAX_ESTIMATED */
};

/* ---- reading ---- */

static GBytes *get_build_id(Dwfl_Module *opened)
{
	const unsigned char *bits = NULL;
	GElf_Addr address;
	const int length = dwfl_module_build_id(opened, &bits, &address);

	return g_bytes_new(bits, (gsize)MAX(length, 0));
}

/* Returns: whether a file is the recorded one, as far as the recording says */
static gboolean has_build_id(GBytes *build_id, const LttModule *module)
{
	gsize length;
	const void *bits = g_bytes_get_data(build_id, &length);

	return module->build_id_bytes == 0 ||
	       (length == module->build_id_bytes && memcmp(bits, module->build_id, length) == 0);
}

static void read_segments(LttObject *object, Elf *elf, GElf_Addr bias)
{
	size_t n_headers = 0;

	elf_getphdrnum(elf, &n_headers);
	for (size_t i = 0; i < n_headers; i++) {
		GElf_Phdr header;
		Segment segment;

		if (gelf_getphdr(elf, (int)i, &header) == NULL)
			break;
		if (header.p_type != PT_LOAD)
			continue;
		segment = (Segment){header.p_offset, header.p_filesz, header.p_vaddr + bias};
		g_array_append_val(object->segments, segment);
	}
}

/* Returns: whether a symbol is in code. Without a type it must be in a section with code, and no
 * label that only assemblers and compilers use. */
static gboolean is_function(const GElf_Sym *symbol, const char *name, Elf *elf, GElf_Word section)
{
	const unsigned char type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr header;
	Elf_Scn *scn;

	if (name == NULL || name[0] == '\0' || section == SHN_UNDEF)
		return FALSE;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return TRUE;
	if (type != STT_NOTYPE || name[0] == '$' || name[0] == '.' || elf == NULL ||
	    section >= SHN_LORESERVE)
		return FALSE;
	scn = elf_getscn(elf, section);
	return scn != NULL && gelf_getshdr(scn, &header) != NULL &&
	       (header.sh_flags & SHF_EXECINSTR) != 0;
}

/* Returns: the end of the code of a symbol; 0: unknown. Without a size, it extends to the next function in
 * its section: _init() does not contain the calls of other libraries (.plt) that follow it. */
static guint64 find_end(const GElf_Sym *symbol, guint64 start, Elf *elf, GElf_Word section)
{
	GElf_Shdr header;

	if (symbol->st_size > 0)
		return start + MIN(symbol->st_size, G_MAXUINT64 - start);
	if (elf == NULL || section >= SHN_LORESERVE ||
	    gelf_getshdr(elf_getscn(elf, section), &header) == NULL ||
	    symbol->st_value - header.sh_addr > header.sh_size)
		return 0;
	return start +
	       MIN(header.sh_size - (symbol->st_value - header.sh_addr), G_MAXUINT64 - start);
}

/* Functions before labels, sized ones before others, global names before weak and local ones. */
static guint get_rank(const GElf_Sym *symbol)
{
	const unsigned char binding = GELF_ST_BIND(symbol->st_info);

	return (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE ? 8 : 0) +
	       (symbol->st_size == 0 ? 4 : 0) +
	       (binding == STB_GLOBAL ? 0
		: binding == STB_WEAK ? 1
				      : 2);
}

/* Returns: whether there was memory left for it */
static gboolean take_bytes(LttObjects *all, gsize n)
{
	if (n > all->bytes_left)
		return FALSE;
	all->bytes_left -= n;
	return TRUE;
}

/* Returns: whether there was memory for all of them */
static gboolean read_functions(LttObject *object, Dwfl_Module *opened)
{
	const int n = dwfl_module_getsymtab(opened);

	for (int i = 0; i < n; i++) {
		GElf_Word section = SHN_UNDEF;
		GElf_Addr address = 0;
		GElf_Sym symbol;
		Elf *elf = NULL;
		const char *name =
			dwfl_module_getsym_info(opened, i, &symbol, &address, &section, &elf, NULL);
		Function function;

		if (!is_function(&symbol, name, elf, section))
			continue;
		if (!take_bytes(object->all, sizeof(function) + strlen(name) + 1))
			return FALSE;
		function = (Function){
			.start = address,
			.end = find_end(&symbol, address, elf, section),
			.rank = get_rank(&symbol),
			.mangled = g_string_chunk_insert(object->names, name),
		};
		g_array_append_val(object->functions, function);
	}
	return TRUE;
}

static gint compare_functions(gconstpointer a, gconstpointer b)
{
	const Function *first = a;
	const Function *second = b;

	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	if (first->rank != second->rank)
		return first->rank < second->rank ? -1 : 1;
	return strcmp(first->mangled, second->mangled);
}

/* Sorts the functions, and keeps the first at each address. */
static void settle_functions(GArray *functions)
{
	guint kept = 0;

	g_array_sort(functions, compare_functions);
	for (guint i = 0; i < functions->len; i++) {
		const Function function = g_array_index(functions, Function, i);

		if (kept > 0 &&
		    g_array_index(functions, Function, kept - 1).start == function.start)
			continue;
		g_array_index(functions, Function, kept++) = function;
	}
	g_array_set_size(functions, kept);
}

/* ---- objects ---- */

static guint hash_key(gconstpointer key)
{
	const Key *file = key;

	return (guint)ltt_hash_pair(file->device, file->number);
}

static gboolean is_same_key(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(Key)) == 0;
}

static void free_object(gpointer data)
{
	LttObject *object = data;

	g_bytes_unref(object->build_id);
	g_array_unref(object->segments);
	g_array_unref(object->functions);
	g_string_chunk_free(object->names);
	g_free(object);
}

LttObjects *ltt_objects_new(void)
{
	LttObjects *objects = g_new0(LttObjects, 1);

	objects->by_key = g_hash_table_new_full(hash_key, is_same_key, NULL, free_object);
	objects->bytes_left = MAX_BYTES;
	return objects;
}

void ltt_objects_free(LttObjects *objects)
{
	g_hash_table_unref(objects->by_key);
	g_free(objects);
}

static LttObject *add_object(LttObjects *objects, const Key *key, GBytes *build_id)
{
	LttObject *object = g_new0(LttObject, 1);

	object->key = *key;
	object->all = objects;
	object->build_id = g_bytes_ref(build_id);
	object->segments = g_array_new(FALSE, FALSE, sizeof(Segment));
	object->functions = g_array_new(FALSE, FALSE, sizeof(Function));
	object->names = g_string_chunk_new(4096);
	g_hash_table_insert(objects->by_key, &object->key, object);
	return object;
}

/* A file with another build id is not kept, because it can be that of another module. */
static LttObjectState read_opened(LttObjects *objects, const Key *key, const LttElfFile *file,
				  const LttModule *module, LttObject **made)
{
	Dwfl_Module *opened = ltt_elf_file_get_module(file);
	g_autoptr(GBytes) build_id = NULL;
	GElf_Addr bias = 0;
	Elf *elf = dwfl_module_getelf(opened, &bias);
	LttObject *object;

	if (elf == NULL)
		return LTT_OBJECT_UNREADABLE;
	build_id = get_build_id(opened);
	if (!has_build_id(build_id, module))
		return LTT_OBJECT_OTHER;
	object = add_object(objects, key, build_id);
	read_segments(object, elf, bias);
	if (!read_functions(object, ltt_elf_file_get_symbols(file)))
		g_array_set_size(object->functions, 0);
	settle_functions(object->functions);
	*made = object;
	return LTT_OBJECT_READ;
}

/* @fd: (transfer full) */
static LttObjectState read_file(LttObjects *objects, const Key *key, int fd,
				const LttModule *module, LttObject **made)
{
	LttElfFile *file = ltt_elf_file_new(fd, module->path);
	LttObjectState state = LTT_OBJECT_UNREADABLE;

	if (file != NULL)
		state = read_opened(objects, key, file, module, made);
	ltt_elf_file_free(file);
	return state;
}

LttObjectState ltt_objects_get(LttObjects *objects, const LttModule *module, LttObject **object)
{
	struct stat about;
	Key key;
	int fd;

	*object = NULL;
	if (module->path[0] != '/')
		return LTT_OBJECT_NO_FILE;
	fd = ltt_elf_open(module->path, &about);
	if (fd < 0)
		return LTT_OBJECT_UNREADABLE;
	key = (Key){about.st_dev, about.st_ino};
	*object = g_hash_table_lookup(objects->by_key, &key);
	if (*object == NULL)
		return read_file(objects, &key, fd, module, object);
	close(fd);
	if (has_build_id((*object)->build_id, module))
		return LTT_OBJECT_READ;
	*object = NULL;
	return LTT_OBJECT_OTHER;
}

/* ---- searching ---- */

/* Finds the address of an offset in the file, by the segment that it lies in. */
static gboolean find_address(const LttObject *object, guint64 offset, guint64 *address)
{
	for (guint i = 0; i < object->segments->len; i++) {
		const Segment *segment = &g_array_index(object->segments, Segment, i);

		if (offset < segment->offset || offset - segment->offset >= segment->n_bytes)
			continue;
		*address = offset - segment->offset + segment->address;
		return TRUE;
	}
	return FALSE;
}

/* Makes a name as in the source, if it is one of C++. */
static const char *make_readable(LttObject *object, const char *name)
{
	const guint64 estimate = ltt_readable_estimate(name);
	char *readable = NULL;
	const char *kept = name;

	if (estimate <= MAX_ESTIMATED - object->all->estimated)
		readable = ltt_readable_new(name);
	if (readable == NULL)
		return name;
	object->all->estimated += estimate;
	if (take_bytes(object->all, strlen(readable) + 1))
		kept = g_string_chunk_insert(object->names, readable);
	free(readable);
	return kept;
}

const char *ltt_object_find(LttObject *object, guint64 offset, guint64 *distance)
{
	guint first = 0;
	guint last = object->functions->len;
	Function *function;
	guint64 address;

	if (!find_address(object, offset, &address))
		return NULL;
	/* The last function that begins at or before the address. */
	while (first < last) {
		const guint middle = first + (last - first) / 2;

		if (g_array_index(object->functions, Function, middle).start <= address)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == 0)
		return NULL;
	function = &g_array_index(object->functions, Function, first - 1);
	if (function->end != 0 && address >= function->end)
		return NULL;
	if (function->name == NULL)
		function->name = make_readable(object, function->mangled);
	*distance = address - function->start;
	return function->name;
}
