/* symbols.c - see ltt-symbols.h.
 *
 *	pid, time, address ──► mappings ──► module, offset ──► object ──► function, distance
 */
#include "symbols/kernel-symbols-priv.h"
#include "symbols/mappings-priv.h"
#include "symbols/object-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-symbols.h>

#include <string.h>

/* A module whose functions have been looked for. */
typedef struct File {
	const LttModule *module;
	LttObjectState state;      /* of others than the kernel */
	LttObject *object;         /* NULL: the kernel, or not read */
	const char *kernel_reason; /* why the kernel has no names; NULL: it has */
	guint64 n_unnamed;         /* calls without a name */
} File;

struct LttSymbols {
	GMutex lock; /* protects all members */
	LttTrace *trace;
	LttMappings *mappings; /* NULL: not read yet */
	GPtrArray *origins;    /* a tracefile of each; NULL: not asked for yet */
	GHashTable *files;     /* LttModule to File */
	LttObjects *objects;
	LttKernelSymbols *kernel;
	LttSymbolsCounts counts;
};

LttSymbols *ltt_symbols_new(LttTrace *trace)
{
	LttSymbols *symbols = g_new0(LttSymbols, 1);

	g_mutex_init(&symbols->lock);
	symbols->trace = trace;
	symbols->files = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	symbols->objects = ltt_objects_new();
	return symbols;
}

void ltt_symbols_free(LttSymbols *symbols)
{
	if (symbols == NULL)
		return;
	g_hash_table_unref(symbols->files);
	g_clear_pointer(&symbols->origins, g_ptr_array_unref);
	ltt_objects_free(symbols->objects);
	ltt_kernel_symbols_free(symbols->kernel);
	ltt_mappings_free(symbols->mappings);
	g_mutex_clear(&symbols->lock);
	g_free(symbols);
}

/* ---- mappings ---- */

static LttMappings *read_mappings(LttTrace *trace)
{
	g_autoptr(LttMerge) merge = NULL;
	LttMappings *mappings = ltt_mappings_new(trace);
	const LttEvent *event;
	LttStep step;

	if (!ltt_mappings_are_in(trace))
		return mappings;
	merge = ltt_merge_new(trace, NULL);
	while ((step = ltt_merge_next(merge, &event, NULL)) != LTT_STEP_END) {
		if (step != LTT_STEP_EVENT) {
			ltt_merge_skip_block(merge);
			continue;
		}
		ltt_mappings_take_build_id(mappings, event);
		ltt_mappings_take(mappings, event);
	}
	return mappings;
}

/* Reads them when it is called first. Called with the lock held. */
static LttMappings *get_mappings(LttSymbols *symbols)
{
	if (symbols->mappings == NULL)
		symbols->mappings = read_mappings(symbols->trace);
	return symbols->mappings;
}

/* Without a marker, an address in the upper half of the address space belongs to the kernel. */
static gboolean is_of_kernel(guint64 address)
{
	return address >> 63 != 0;
}

/* ---- functions ---- */

static File *find_file(LttSymbols *symbols, const LttModule *module)
{
	File *file = g_hash_table_lookup(symbols->files, module);

	if (file != NULL)
		return file;
	file = g_new0(File, 1);
	file->module = module;
	if (!module->is_kernel) {
		file->state = ltt_objects_get(symbols->objects, module, &file->object);
	} else {
		if (symbols->kernel == NULL)
			symbols->kernel = ltt_kernel_symbols_new();
		file->kernel_reason = ltt_kernel_symbols_check(symbols->kernel, module);
	}
	g_hash_table_insert(symbols->files, (gpointer)module, file);
	return file;
}

static void find_function(LttSymbols *symbols, guint64 address, LttSymbol *symbol)
{
	File *file = find_file(symbols, symbol->module);

	if (file->object != NULL)
		symbol->function = ltt_object_find(file->object, symbol->offset, &symbol->distance);
	else if (symbol->module->is_kernel && file->kernel_reason == NULL)
		symbol->function = ltt_kernel_symbols_find(symbols->kernel, symbol->module, address,
							   &symbol->distance);
	file->n_unnamed += symbol->function == NULL;
}

/* Called with the lock held. */
static gboolean find_frame(LttSymbols *symbols, const LttStackFrame *frame, LttSymbol *symbol)
{
	*symbol = (LttSymbol){.module = frame->module, .offset = frame->offset};
	symbols->counts.n_found++;
	if (frame->symbol != NULL) {
		symbol->function = frame->symbol;
		symbol->distance = frame->offset;
	} else if (frame->module != NULL) {
		find_function(symbols, frame->address, symbol);
	}
	symbols->counts.n_unnamed += symbol->function == NULL;
	/* In the kernel, an address says no more than itself. */
	return symbol->function != NULL || (symbol->module != NULL && !symbol->module->is_kernel);
}

static gboolean find_at(LttSymbols *symbols, const LttMappingsQuery *query, guint64 address,
			LttSymbol *symbol)
{
	LttStackFrame frame = {.address = address, .is_kernel = is_of_kernel(address)};
	LttMappingsSpan valid;
	gboolean is_known;

	ltt_mappings_find(get_mappings(symbols), query, &frame, &valid);
	is_known = find_frame(symbols, &frame, symbol);
	symbol->from_ns = valid.from_ns;
	symbol->to_ns = valid.to_ns;
	return is_known;
}

gboolean ltt_symbols_find(LttSymbols *symbols, const LttEvent *event, guint64 address,
			  LttSymbol *symbol)
{
	const LttMappingsQuery query = {
		.tracefile = event->tracefile,
		.pid = event->has_thread ? event->pid : 0,
		.time_ns = event->time_ns,
	};
	gboolean is_known;

	g_mutex_lock(&symbols->lock);
	is_known = find_at(symbols, &query, address, symbol);
	g_mutex_unlock(&symbols->lock);
	return is_known;
}

static GPtrArray *find_origins(LttSymbols *symbols)
{
	const LttMappings *mappings = get_mappings(symbols);
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
	GPtrArray *origins = g_ptr_array_new();

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(symbols->trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(symbols->trace, i);
		const guint32 origin = ltt_mappings_get_origin(mappings, tracefile);

		if (g_hash_table_add(known, GUINT_TO_POINTER(origin)))
			g_ptr_array_add(origins, tracefile);
	}
	return origins;
}

gboolean ltt_symbols_find_at(LttSymbols *symbols, guint32 pid, guint64 time_ns, guint64 address,
			     LttSymbol *symbol)
{
	LttMappingsQuery query = {.pid = pid, .time_ns = time_ns};
	gboolean is_known = FALSE;

	*symbol = (LttSymbol){.to_ns = G_MAXUINT64};
	g_mutex_lock(&symbols->lock);
	if (symbols->origins == NULL)
		symbols->origins = find_origins(symbols);
	for (guint i = 0; !is_known && i < symbols->origins->len; i++) {
		query.tracefile = symbols->origins->pdata[i];
		is_known = find_at(symbols, &query, address, symbol);
	}
	g_mutex_unlock(&symbols->lock);
	return is_known;
}

gboolean ltt_symbols_find_frame(LttSymbols *symbols, const LttStackFrame *frame, LttSymbol *symbol)
{
	gboolean is_known;

	g_mutex_lock(&symbols->lock);
	is_known = find_frame(symbols, frame, symbol);
	g_mutex_unlock(&symbols->lock);
	symbol->to_ns = G_MAXUINT64;
	return is_known;
}

/* ---- text ---- */

void ltt_symbol_append(GString *text, const LttSymbol *symbol, LttSymbolForm form)
{
	g_autofree char *base = NULL;

	if (symbol->function != NULL) {
		g_string_append(text, symbol->function);
		if (form == LTT_SYMBOL_PLACE && symbol->distance > 0)
			g_string_append_printf(text, "+0x%" G_GINT64_MODIFIER "x",
					       symbol->distance);
	} else if (symbol->module != NULL) {
		base = g_path_get_basename(symbol->module->path);
		g_string_append_printf(text, "%s+0x%" G_GINT64_MODIFIER "x", base, symbol->offset);
	} else {
		g_string_append(text, "[unknown]");
	}
}

/* ---- addresses without a name ---- */

void ltt_symbols_get_counts(LttSymbols *symbols, LttSymbolsCounts *counts)
{
	g_mutex_lock(&symbols->lock);
	*counts = symbols->counts;
	g_mutex_unlock(&symbols->lock);
}

static gint compare_files(gconstpointer a, gconstpointer b)
{
	return strcmp(((const File *)a)->module->path, ((const File *)b)->module->path);
}

static LttUnnamed describe(const File *file)
{
	static const char *const reasons[] = {
		[LTT_OBJECT_READ] = "has no names for them",
		[LTT_OBJECT_NO_FILE] = "is not a file",
		[LTT_OBJECT_UNREADABLE] = "cannot be read on this machine",
		[LTT_OBJECT_OTHER] = "is another version: its build id differs",
	};
	return (LttUnnamed){
		.module = file->module,
		.n = file->n_unnamed,
		.reason = file->kernel_reason != NULL ? file->kernel_reason : reasons[file->state],
		.is_other = file->state == LTT_OBJECT_OTHER,
	};
}

void ltt_symbols_foreach_unnamed(LttSymbols *symbols, LttUnnamedFunc visit, gpointer user_data)
{
	g_autoptr(GList) files = NULL;

	g_mutex_lock(&symbols->lock);
	files = g_list_sort(g_hash_table_get_values(symbols->files), compare_files);
	for (const GList *item = files; item != NULL; item = item->next) {
		const LttUnnamed unnamed = describe(item->data);

		if (unnamed.n > 0)
			visit(&unnamed, user_data);
	}
	g_mutex_unlock(&symbols->lock);
}
