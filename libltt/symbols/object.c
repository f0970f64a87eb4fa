/* object.c - see object-priv.h.
 *
 * libdwfl of elfutils reads the file, and separate debug information if the file has no symbol table.
 * A search in its table takes time in proportion to the number of symbols, so they are copied to
 * an array that is sorted by address. Thereby the file is closed again, and may change.
 */
#include "symbols/object-priv.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A longer name of C++ is shown as it is in the symbol table, because a hostile one could take long. */
#define MAX_MANGLED_BYTES 2048

/* Maximum number of functions of a file. */
#define MAX_FUNCTIONS (8 * 1024 * 1024)

/* Of the C++ runtime, whose header <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

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

struct LttObject {
	LttObjectState state;
	GArray *segments;    /* of Segment */
	GArray *functions;   /* of Function, by start; one for each start */
	GStringChunk *names; /* owns the names */
};

/* ---- reading ---- */

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

static void read_functions(LttObject *object, Dwfl_Module *opened)
{
	const int n = MIN(dwfl_module_getsymtab(opened), MAX_FUNCTIONS);

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
		function = (Function){
			.start = address,
			.end = address + MIN(symbol.st_size, G_MAXUINT64 - address),
			.rank = get_rank(&symbol),
			.mangled = g_string_chunk_insert(object->names, name),
		};
		if (symbol.st_size == 0)
			function.end = 0;
		g_array_append_val(object->functions, function);
	}
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

static LttObjectState read_opened(LttObject *object, Dwfl_Module *opened, const LttModule *module)
{
	GElf_Addr bias = 0;
	Elf *elf = opened != NULL ? dwfl_module_getelf(opened, &bias) : NULL;

	if (elf == NULL)
		return LTT_OBJECT_UNREADABLE;
	if (!has_build_id(opened, module))
		return LTT_OBJECT_OTHER;
	read_segments(object, elf, bias);
	read_functions(object, opened);
	settle_functions(object->functions);
	return LTT_OBJECT_READ;
}

/* To open a pipe or a device could block. */
static gboolean is_regular(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static LttObjectState read_file(LttObject *object, const LttModule *module)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	LttObjectState state;
	Dwfl_Module *opened;
	Dwfl *dwfl;

	if (module->path[0] != '/')
		return LTT_OBJECT_NO_FILE;
	if (!is_regular(module->path))
		return LTT_OBJECT_UNREADABLE;
	dwfl = dwfl_begin(&callbacks);
	if (dwfl == NULL) /* without memory */
		return LTT_OBJECT_UNREADABLE;
	opened = dwfl_report_offline(dwfl, module->path, module->path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	state = read_opened(object, opened, module);
	dwfl_end(dwfl);
	return state;
}

LttObject *ltt_object_new(const LttModule *module)
{
	LttObject *object = g_new0(LttObject, 1);

	object->segments = g_array_new(FALSE, FALSE, sizeof(Segment));
	object->functions = g_array_new(FALSE, FALSE, sizeof(Function));
	object->names = g_string_chunk_new(4096);
	object->state = read_file(object, module);
	return object;
}

void ltt_object_free(LttObject *object)
{
	if (object == NULL)
		return;
	g_array_unref(object->segments);
	g_array_unref(object->functions);
	g_string_chunk_free(object->names);
	g_free(object);
}

LttObjectState ltt_object_get_state(const LttObject *object)
{
	return object->state;
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
	char *readable = NULL;
	const char *kept = name;
	int status;

	if (g_str_has_prefix(name, "_Z") && strlen(name) <= MAX_MANGLED_BYTES)
		readable = __cxa_demangle(name, NULL, NULL, &status);
	if (readable != NULL)
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
