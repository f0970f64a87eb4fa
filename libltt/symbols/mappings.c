/* mappings.c - see mappings-priv.h.
 *
 * Events are recognised by the fields that they have. A later mapping hides earlier ones; the
 * earlier ones stay, because an event does not say that a file was unmapped, and because addresses
 * of earlier events belong to them.
 */
#include "symbols/mappings-priv.h"

#include "reader/event-types-priv.h"
#include "symbols/processes-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-value.h>

#include <string.h>

#define KERNEL_PID G_MAXUINT32

/* What an event type describes. */
typedef enum Meaning {
	NOTHING,
	MAPPING,
	BUILD_ID,
	SYMBOL,
	FORK,
	EXEC,
} Meaning;

struct LttMappings {
	const LttTrace *trace;
	GHashTable *meanings;  /* LttEventType to Meaning plus 1 */
	GHashTable *modules;   /* name_module() to LttModule */
	LttProcesses *files;   /* by make_key() */
	LttProcesses *symbols; /* of code in the kernel that is in no file; by origin */
	GStringChunk *names;   /* of these symbols */
};

/* ---- mappings ---- */

static void free_module(gpointer data)
{
	LttModule *module = data;

	g_free((char *)module->path);
	g_free(module);
}

LttMappings *ltt_mappings_new(const LttTrace *trace)
{
	LttMappings *mappings = g_new(LttMappings, 1);

	mappings->trace = trace;
	mappings->meanings = g_hash_table_new(NULL, NULL);
	mappings->modules = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, free_module);
	mappings->files = ltt_processes_new();
	mappings->symbols = ltt_processes_new();
	mappings->names = g_string_chunk_new(4096);
	return mappings;
}

void ltt_mappings_free(LttMappings *mappings)
{
	if (mappings == NULL)
		return;
	ltt_processes_free(mappings->symbols);
	ltt_processes_free(mappings->files);
	g_string_chunk_free(mappings->names);
	g_hash_table_unref(mappings->modules);
	g_hash_table_unref(mappings->meanings);
	g_free(mappings);
}

/* Returns: (transfer full): what identifies a module: two files of one path have two build ids */
static char *name_module(guint32 origin, const char *path, const LttModule *build)
{
	GString *name = g_string_new(NULL);

	g_string_printf(name, "%u:", origin);
	for (guint i = 0; i < build->build_id_bytes; i++)
		g_string_append_printf(name, "%02x", build->build_id[i]);
	g_string_append_printf(name, ":%s", path);
	return g_string_free(name, FALSE);
}

/* The kernel's own code is named by a text in brackets, and its build id without the "_text". */
static LttModule *find_module(LttMappings *mappings, guint32 origin, const char *path,
			      const LttModule *build)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const gboolean is_kernel = g_str_has_prefix(path, kernel);
	const char *shown = is_kernel ? kernel : path;
	g_autofree char *name = name_module(origin, shown, build);
	LttModule *module = g_hash_table_lookup(mappings->modules, name);

	if (module != NULL)
		return module;
	module = g_memdup2(build, sizeof(*build));
	module->path = g_strdup(shown);
	module->is_kernel = is_kernel;
	g_hash_table_insert(mappings->modules, g_steal_pointer(&name), module);
	return module;
}

static guint64 make_key(guint32 origin, guint32 pid)
{
	return (guint64)origin << 32 | pid;
}

/* A trace has at most 65536 tracefiles, so also traces and machines. */
guint32 ltt_mappings_get_origin(const LttMappings *mappings, const LttTracefile *tracefile)
{
	return ltt_trace_find_member(mappings->trace, tracefile) << 16 |
	       ltt_tracefile_get_host(tracefile);
}

static guint32 get_origin(const LttMappings *mappings, const LttEvent *event)
{
	return ltt_mappings_get_origin(mappings, event->tracefile);
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
	if (has_member(layout, "comm") && has_member(layout, "record"))
		return EXEC;
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

/* Recorders before 2020, and some tools, write no size: zeros follow the build id. Returns: its size */
static guint64 measure_build_id(const guint8 *bits, guint64 n)
{
	static const guint8 zeros[4];

	while (n >= sizeof(zeros) && memcmp(bits + n - sizeof(zeros), zeros, sizeof(zeros)) == 0)
		n -= sizeof(zeros);
	return n;
}

/* Sets the build id, if the event has one. */
static void take_build_id(LttModule *module, const LttValue *payload)
{
	LttValue bytes;
	LttValue byte;
	guint64 n_told = LTT_MAX_BUILD_ID;
	guint64 n;

	if (!ltt_value_find(payload, "build_id", &bytes))
		return;
	get_number(payload, "build_id_size", &n_told);
	n = MIN(n_told > 0 ? n_told : LTT_MAX_BUILD_ID,
		MIN(ltt_value_get_n_items(&bytes), LTT_MAX_BUILD_ID));
	for (guint i = 0; i < n; i++) {
		if (!ltt_value_get_item(&bytes, i, &byte) || byte.layout->kind != LTT_UINT)
			return;
		module->build_id[i] = (guint8)ltt_value_get_uint(&byte);
	}
	module->build_id_bytes = (guint)(n_told > 0 ? n : measure_build_id(module->build_id, n));
}

static void take_mapping(LttMappings *mappings, const LttEvent *event, const LttValue *payload)
{
	const char *path = get_text(payload, "filename");
	const guint32 origin = get_origin(mappings, event);
	LttModule build = {0};
	guint64 pid;
	guint64 length;
	LttRange range = {.time_ns = event->time_ns};
	LttModule *module;

	if (path == NULL || !get_number(payload, "pid", &pid) ||
	    !get_number(payload, "addr", &range.start) || !get_number(payload, "len", &length) ||
	    !get_number(payload, "pgoff", &range.file_offset))
		return;
	take_build_id(&build, payload);
	module = find_module(mappings, origin, path, &build);
	if (g_str_equal(path, "[kernel.kallsyms]_text"))
		module->kernel_text = range.file_offset;
	range.module = module;
	range.end = range.start + MIN(length, G_MAXUINT64 - range.start);
	ltt_processes_map(mappings->files, make_key(origin, (guint32)pid), &range);
}

static void take_symbol(LttMappings *mappings, const LttEvent *event, const LttValue *payload)
{
	const char *name = get_text(payload, "name");
	LttRange range = {.time_ns = event->time_ns};
	guint64 length;

	if (name == NULL || !get_number(payload, "addr", &range.start) ||
	    !get_number(payload, "len", &length))
		return;
	range.symbol = g_string_chunk_insert_const(mappings->names, name);
	range.end = range.start + MIN(length, G_MAXUINT64 - range.start);
	ltt_processes_map(mappings->symbols, get_origin(mappings, event), &range);
}

/* A new process begins with the mappings of its parent. A recorder makes such events also for processes that
 * exist when it starts, with 0 for the time in the event itself, and records all of their mappings. */
static void take_fork(LttMappings *mappings, const LttEvent *event, const LttValue *payload)
{
	const guint32 origin = get_origin(mappings, event);
	guint64 when;
	guint64 pid;
	guint64 parent;

	if (!get_number(payload, "pid", &pid) || !get_number(payload, "ppid", &parent) ||
	    (guint32)pid == (guint32)parent)
		return;
	if (get_number(payload, "when", &when) && when == 0)
		return;
	ltt_processes_fork(mappings->files, make_key(origin, (guint32)pid),
			   make_key(origin, (guint32)parent), event->time_ns);
}

/* An event gives a thread its name, and a flag of it says whether that is the one of a new program. */
static void take_exec(LttMappings *mappings, const LttEvent *event, const LttValue *payload)
{
	const guint64 is_exec = 1U << 13;
	LttValue record;
	guint64 pid;
	guint64 misc;

	if (ltt_value_find(payload, "record", &record) && record.layout->kind == LTT_STRUCT &&
	    get_number(&record, "misc", &misc) && (misc & is_exec) != 0 &&
	    get_number(payload, "pid", &pid))
		ltt_processes_exec(mappings->files,
				   make_key(get_origin(mappings, event), (guint32)pid),
				   event->time_ns);
}

void ltt_mappings_take_build_id(LttMappings *mappings, const LttEvent *event)
{
	static const LttModule no_build;
	LttValue payload;
	const char *path;

	if (get_meaning(mappings, event) != BUILD_ID || !ltt_event_get_value(event, &payload))
		return;
	path = get_text(&payload, "filename");
	if (path != NULL)
		take_build_id(find_module(mappings, get_origin(mappings, event), path, &no_build),
			      &payload);
}

void ltt_mappings_take(LttMappings *mappings, const LttEvent *event)
{
	const Meaning meaning = get_meaning(mappings, event);
	LttValue payload;

	if (meaning == NOTHING || !ltt_event_get_value(event, &payload))
		return;
	if (meaning == MAPPING)
		take_mapping(mappings, event, &payload);
	else if (meaning == SYMBOL)
		take_symbol(mappings, event, &payload);
	else if (meaning == FORK && g_str_equal(event->type->name, "fork"))
		take_fork(mappings, event, &payload);
	else if (meaning == EXEC && g_str_equal(event->type->name, "comm"))
		take_exec(mappings, event, &payload);
}

/* ---- frames ---- */

/* An answer, and the times for which it is valid. */
typedef struct Found {
	const LttRange *range; /* NULL: none */
	LttMappingsSpan span;
} Found;

static Found find(LttProcesses *processes, guint64 key, guint64 address, guint64 time_ns)
{
	Found found = {NULL, {0, G_MAXUINT64}};

	found.range = ltt_processes_find(processes, key, address, time_ns, &found.span);
	return found;
}

static gboolean was_there(const Found *found, guint64 time_ns)
{
	return found->range != NULL && found->range->time_ns <= time_ns;
}

/* A file that is at an address before a symbol counts until that is there. */
static Found find_in_kernel(const LttMappings *mappings, const LttMappingsQuery *query,
			    guint64 address)
{
	const guint32 origin = ltt_mappings_get_origin(mappings, query->tracefile);
	const Found symbol = find(mappings->symbols, origin, address, query->time_ns);
	Found file;

	if (was_there(&symbol, query->time_ns))
		return symbol;
	file = find(mappings->files, make_key(origin, KERNEL_PID), address, query->time_ns);
	if (symbol.range != NULL && !was_there(&file, query->time_ns))
		return symbol;
	file.span.to_ns = MIN(file.span.to_ns, symbol.span.to_ns);
	return file;
}

static void set_place(LttStackFrame *frame, const LttRange *range)
{
	frame->symbol = range->symbol;
	frame->module = range->module;
	if (range->module == NULL || !range->module->is_kernel)
		frame->offset = frame->address - range->start + range->file_offset;
}

void ltt_mappings_find(LttMappings *mappings, const LttMappingsQuery *query, LttStackFrame *frame,
		       LttMappingsSpan *valid)
{
	const guint32 origin = ltt_mappings_get_origin(mappings, query->tracefile);
	const Found found = frame->is_kernel ? find_in_kernel(mappings, query, frame->address)
					     : find(mappings->files, make_key(origin, query->pid),
						    frame->address, query->time_ns);

	frame->module = NULL;
	frame->symbol = NULL;
	frame->offset = frame->address;
	if (found.range != NULL)
		set_place(frame, found.range);
	if (valid != NULL)
		*valid = found.span;
}
