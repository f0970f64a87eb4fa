/* kernel-symbols.c - see kernel-symbols-priv.h.
 *
 * Without the right to see addresses (kptr_restrict), /proc/kallsyms has zeros for them. A kernel with
 * a random address (KASLR) has another one at each start; the recorded address of _text gives the
 * difference.
 */
#include "symbols/kernel-symbols-priv.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

typedef struct Function {
	guint64 address;
	char *name;
} Function;

struct LttKernelSymbols {
	GArray *functions; /* by address */
	guint8 build_id[LTT_MAX_BUILD_ID];
	guint build_id_bytes; /* 0: unknown */
	guint64 text;         /* address of _text; 0: unknown */
};

static void clear_function(gpointer data)
{
	g_free(((Function *)data)->name);
}

static gint compare_functions(gconstpointer a, gconstpointer b)
{
	const Function *first = a;
	const Function *second = b;

	return first->address < second->address ? -1 : first->address > second->address;
}

/* "ffffffff81000000 T _text": functions have the type t, T, w or W. */
static void read_functions(LttKernelSymbols *kernel)
{
	g_autofree char *text = NULL;
	char *line;
	char *rest;

	if (!g_file_get_contents("/proc/kallsyms", &text, NULL, NULL))
		return;
	for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		char *end;
		Function function = {.address = g_ascii_strtoull(line, &end, 16)};

		if (function.address == 0 || end[0] != ' ' || end[1] == '\0' ||
		    strchr("tTwW", end[1]) == NULL || end[2] != ' ')
			continue;
		function.name = g_strndup(end + 3, strcspn(end + 3, "\t "));
		if (g_str_equal(function.name, "_text"))
			kernel->text = function.address;
		g_array_append_val(kernel->functions, function);
	}
	g_array_sort(kernel->functions, compare_functions);
}

static gsize round_up(gsize size)
{
	return (size + 3) / 4 * 4;
}

/* Finds the build id in the notes of the kernel. */
static void read_build_id(LttKernelSymbols *kernel)
{
	g_autofree char *notes = NULL;
	gsize length = 0;
	Elf64_Nhdr note;

	if (!g_file_get_contents("/sys/kernel/notes", &notes, &length, NULL))
		return;
	for (gsize at = 0; length - at >= sizeof(note);) {
		gsize name;
		gsize description;

		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		if (note.n_namesz > length || note.n_descsz > length)
			return;
		description = name + round_up(note.n_namesz);
		at = description + round_up(note.n_descsz);
		if (at > length)
			return;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_descsz > LTT_MAX_BUILD_ID ||
		    note.n_namesz != 4 || memcmp(notes + name, "GNU", 4) != 0)
			continue;
		memcpy(kernel->build_id, notes + description, note.n_descsz);
		kernel->build_id_bytes = note.n_descsz;
	}
}

LttKernelSymbols *ltt_kernel_symbols_new(void)
{
	LttKernelSymbols *kernel = g_new0(LttKernelSymbols, 1);

	kernel->functions = g_array_new(FALSE, FALSE, sizeof(Function));
	g_array_set_clear_func(kernel->functions, clear_function);
	read_build_id(kernel);
	read_functions(kernel);
	return kernel;
}

void ltt_kernel_symbols_free(LttKernelSymbols *kernel)
{
	if (kernel == NULL)
		return;
	g_array_unref(kernel->functions);
	g_free(kernel);
}

const char *ltt_kernel_symbols_check(const LttKernelSymbols *kernel, const LttModule *module)
{
	if (module->build_id_bytes == 0 || kernel->build_id_bytes == 0)
		return "is of an unknown version";
	if (module->build_id_bytes != kernel->build_id_bytes ||
	    memcmp(module->build_id, kernel->build_id, kernel->build_id_bytes) != 0)
		return "is another version: its build id differs";
	if (kernel->functions->len == 0)
		return "hides its addresses from this user";
	return NULL;
}

const char *ltt_kernel_symbols_find(const LttKernelSymbols *kernel, const LttModule *module,
				    guint64 address, guint64 *distance)
{
	const guint64 moved = module->kernel_text != 0 && kernel->text != 0
				      ? kernel->text - module->kernel_text
				      : 0;
	const guint64 here = address + moved;
	guint first = 0;
	guint last = kernel->functions->len;
	const Function *function;

	/* The last function that begins at or before the address. */
	while (first < last) {
		const guint middle = first + (last - first) / 2;

		if (g_array_index(kernel->functions, Function, middle).address <= here)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == 0)
		return NULL;
	function = &g_array_index(kernel->functions, Function, first - 1);
	*distance = here - function->address;
	return function->name;
}
