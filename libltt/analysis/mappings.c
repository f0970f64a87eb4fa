/* mappings.c - see mappings-priv.h.
 *
 * Events are recognised by the fields that they have. A later mapping hides earlier ones; the
 * earlier ones stay, because an event does not say that a file was unmapped.
 */
#include "analysis/mappings-priv.h"

#include "analysis/event-types-priv.h"

#include <ltt/ltt-value.h>

#include <string.h>

/* Maximum number of mappings of a process; further ones replace the oldest. It bounds the memory
 * for an untrusted trace. */
#define MAX_MAPPINGS 65536

#define KERNEL_PID G_MAXUINT32

typedef struct Mapping {
	guint64 start;
	guint64 end;
	guint64 file_offset; /* of start */
	const LttModule *module;
} Mapping;

/* A symbol of code that is in no file. */
typedef struct Symbol {
	guint64 start;
	guint64 end;
	char *name;
} Symbol;

/* What an event type describes. */
typedef enum Meaning {
	NOTHING,
	MAPPING,
	BUILD_ID,
	SYMBOL,
	FORK,
} Meaning;

struct LttMappings {
	GHashTable *meanings;  /* LttEventType to Meaning plus 1 */
	GHashTable *modules;   /* path to LttModule */
	GHashTable *processes; /* pid to GArray of Mapping, the latest last */
	GArray *symbols;       /* the latest last */
};

/* ---- mappings ---- */

static void free_module(gpointer data)
{
	LttModule *module = data;

	g_free((char *)module->path);
	g_free(module);
}

static void clear_symbol(gpointer data)
{
	g_free(((Symbol *)data)->name);
}

static void free_array(gpointer array)
{
	g_array_unref(array);
}

LttMappings *ltt_mappings_new(void)
{
	LttMappings *mappings = g_new(LttMappings, 1);

	mappings->meanings = g_hash_table_new(NULL, NULL);
	mappings->modules = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_module);
	mappings->processes = g_hash_table_new_full(NULL, NULL, NULL, free_array);
	mappings->symbols = g_array_new(FALSE, FALSE, sizeof(Symbol));
	g_array_set_clear_func(mappings->symbols, clear_symbol);
	return mappings;
}

void ltt_mappings_free(LttMappings *mappings)
{
	g_array_unref(mappings->symbols);
	g_hash_table_unref(mappings->processes);
	g_hash_table_unref(mappings->modules);
	g_hash_table_unref(mappings->meanings);
	g_free(mappings);
}

/* The kernel's own code is named by a text in brackets, and its build id without the "_text". */
static LttModule *find_module(LttMappings *mappings, const char *path)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const gboolean is_kernel = g_str_has_prefix(path, kernel);
	const char *name = is_kernel ? kernel : path;
	LttModule *module = g_hash_table_lookup(mappings->modules, name);

	if (module != NULL)
		return module;
	module = g_new0(LttModule, 1);
	module->path = g_strdup(name);
	module->is_kernel = is_kernel;
	g_hash_table_insert(mappings->modules, (gpointer)module->path, module);
	return module;
}

static GArray *find_process(LttMappings *mappings, guint32 pid)
{
	GArray *list = g_hash_table_lookup(mappings->processes, GUINT_TO_POINTER(pid));

	if (list == NULL) {
		list = g_array_new(FALSE, FALSE, sizeof(Mapping));
		g_hash_table_insert(mappings->processes, GUINT_TO_POINTER(pid), list);
	}
	return list;
}

/* ---- events ---- */

/* Returns: FALSE unless the field is an integer */
static gboolean get_number(const LttValue *payload, const char *name, guint64 *number)
{
	LttValue value;

	if (!ltt_value_find(payload, name, &value) ||
	    (value.layout->kind != LTT_UINT && value.layout->kind != LTT_INT))
		return FALSE;
	*number = ltt_value_get_uint(&value);
	return TRUE;
}

/* Returns: (nullable): the text of the field; NULL: it is no string */
static const char *get_text(const LttValue *payload, const char *name)
{
	LttValue value;

	if (!ltt_value_find(payload, name, &value) || value.layout->kind != LTT_STRING)
		return NULL;
	return ltt_value_get_string(&value, NULL);
}

static gboolean has_member(const LttLayout *layout, const char *name)
{
	for (guint i = 0; i < layout->n_members; i++) {
		if (g_str_equal(layout->members[i].name, name))
			return TRUE;
	}
	return FALSE;
}

static Meaning find_meaning(const LttLayout *layout)
{
	if (layout == NULL || layout->kind != LTT_STRUCT)
		return NOTHING;
	if (has_member(layout, "filename") && has_member(layout, "pgoff"))
		return MAPPING;
	if (has_member(layout, "filename") && has_member(layout, "build_id"))
		return BUILD_ID;
	if (has_member(layout, "addr") && has_member(layout, "ksym_type"))
		return SYMBOL;
	if (has_member(layout, "ppid") && has_member(layout, "ptid"))
		return FORK;
	return NOTHING;
}

static gboolean is_mapping(const LttEventType *type)
{
	return ltt_event_type_find_field(type, "filename") != NULL &&
	       ltt_event_type_find_field(type, "pgoff") != NULL;
}

gboolean ltt_mappings_are_in(const LttTrace *trace)
{
	return ltt_trace_any_event_type(trace, is_mapping);
}

static Meaning get_meaning(LttMappings *mappings, const LttEvent *event)
{
	gpointer known = g_hash_table_lookup(mappings->meanings, event->type);

	if (known == NULL) {
		known = GUINT_TO_POINTER(find_meaning(event->layout) + 1);
		g_hash_table_insert(mappings->meanings, (gpointer)event->type, known);
	}
	return (Meaning)(GPOINTER_TO_UINT(known) - 1);
}

static void take_build_id(LttModule *module, const LttValue *payload)
{
	LttValue bytes;
	LttValue byte;
	guint64 n = LTT_MAX_BUILD_ID;

	if (!ltt_value_find(payload, "build_id", &bytes))
		return;
	get_number(payload, "build_id_size", &n);
	n = MIN(n, MIN(ltt_value_get_n_items(&bytes), LTT_MAX_BUILD_ID));
	for (guint i = 0; i < n; i++) {
		if (!ltt_value_get_item(&bytes, i, &byte) || byte.layout->kind != LTT_UINT)
			return;
		module->build_id[i] = (guint8)ltt_value_get_uint(&byte);
	}
	module->build_id_bytes = (guint)n;
}

static void take_mapping(LttMappings *mappings, const LttValue *payload)
{
	const char *path = get_text(payload, "filename");
	guint64 pid;
	guint64 length;
	Mapping mapping;
	LttModule *module;
	GArray *list;

	if (path == NULL || !get_number(payload, "pid", &pid) ||
	    !get_number(payload, "addr", &mapping.start) || !get_number(payload, "len", &length) ||
	    !get_number(payload, "pgoff", &mapping.file_offset))
		return;
	module = find_module(mappings, path);
	take_build_id(module, payload);
	mapping.module = module;
	mapping.end = mapping.start + MIN(length, G_MAXUINT64 - mapping.start);
	list = find_process(mappings, (guint32)pid);
	if (list->len >= MAX_MAPPINGS)
		g_array_remove_range(list, 0, list->len / 2);
	g_array_append_val(list, mapping);
}

static void take_symbol(LttMappings *mappings, const LttValue *payload)
{
	const char *name = get_text(payload, "name");
	guint64 length;
	Symbol symbol;

	if (name == NULL || !get_number(payload, "addr", &symbol.start) ||
	    !get_number(payload, "len", &length) || mappings->symbols->len >= MAX_MAPPINGS)
		return;
	symbol.end = symbol.start + MIN(length, G_MAXUINT64 - symbol.start);
	symbol.name = g_strdup(name);
	g_array_append_val(mappings->symbols, symbol);
}

/* A new process begins with the mappings of its parent. */
static void take_fork(LttMappings *mappings, const LttValue *payload)
{
	guint64 pid;
	guint64 parent;
	const GArray *from;
	GArray *to;

	if (!get_number(payload, "pid", &pid) || !get_number(payload, "ppid", &parent) ||
	    (guint32)pid == (guint32)parent)
		return;
	from = g_hash_table_lookup(mappings->processes, GUINT_TO_POINTER((guint32)parent));
	to = find_process(mappings, (guint32)pid);
	if (from != NULL && to->len == 0)
		g_array_append_vals(to, from->data, from->len);
}

void ltt_mappings_take_build_id(LttMappings *mappings, const LttEvent *event)
{
	LttValue payload;
	const char *path;

	if (get_meaning(mappings, event) != BUILD_ID || !ltt_event_get_value(event, &payload))
		return;
	path = get_text(&payload, "filename");
	if (path != NULL)
		take_build_id(find_module(mappings, path), &payload);
}

void ltt_mappings_take(LttMappings *mappings, const LttEvent *event)
{
	const Meaning meaning = get_meaning(mappings, event);
	LttValue payload;

	if (meaning == NOTHING || !ltt_event_get_value(event, &payload))
		return;
	if (meaning == MAPPING)
		take_mapping(mappings, &payload);
	else if (meaning == SYMBOL)
		take_symbol(mappings, &payload);
	else if (meaning == FORK && g_str_equal(event->type->name, "fork"))
		take_fork(mappings, &payload);
}

/* ---- frames ---- */

void ltt_mappings_find(const LttMappings *mappings, guint32 pid, LttStackFrame *frame)
{
	const guint32 owner = frame->is_kernel ? KERNEL_PID : pid;
	const GArray *list = g_hash_table_lookup(mappings->processes, GUINT_TO_POINTER(owner));

	frame->module = NULL;
	frame->symbol = NULL;
	frame->offset = frame->address;
	for (guint i = frame->is_kernel ? mappings->symbols->len : 0; i > 0; i--) {
		const Symbol *symbol = &g_array_index(mappings->symbols, Symbol, i - 1);

		if (frame->address >= symbol->start && frame->address < symbol->end) {
			frame->symbol = symbol->name;
			return;
		}
	}
	for (guint i = list != NULL ? list->len : 0; i > 0; i--) {
		const Mapping *mapping = &g_array_index(list, Mapping, i - 1);

		if (frame->address < mapping->start || frame->address >= mapping->end)
			continue;
		frame->module = mapping->module;
		if (!mapping->module->is_kernel)
			frame->offset = frame->address - mapping->start + mapping->file_offset;
		return;
	}
}
