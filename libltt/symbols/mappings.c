/* mappings.c - see mappings-priv.h.
 *
 * Events are recognised by the fields that they have. A later mapping hides earlier ones; the
 * earlier ones stay, because an event does not say that a file was unmapped, and because addresses
 * of earlier events belong to them.
 */
#include "symbols/mappings-priv.h"

#include "reader/event-types-priv.h"
#include "symbols/ranges-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-value.h>

#include <string.h>

/* Maximum number of parents of a process that are searched. */
#define MAX_PARENTS 16

#define KERNEL_PID G_MAXUINT32

typedef struct Process {
	guint64 key; /* its id, and in the upper half the member of a joined trace */
	LttRanges *ranges;
	guint64 parent;  /* key of the process that forked it */
	guint64 fork_ns; /* 0: unknown */
} Process;

/* What an event type describes. */
typedef enum Meaning {
	NOTHING,
	MAPPING,
	BUILD_ID,
	SYMBOL,
	FORK,
} Meaning;

struct LttMappings {
	const LttTrace *trace;
	GHashTable *meanings;  /* LttEventType to Meaning plus 1 */
	GHashTable *modules;   /* name_module() to LttModule */
	GHashTable *processes; /* Process by its key */
	LttRanges *symbols;    /* of code that is in no file */
	GStringChunk *names;   /* of these symbols */
};

/* ---- mappings ---- */

static void free_module(gpointer data)
{
	LttModule *module = data;

	g_free((char *)module->path);
	g_free(module);
}

static void free_process(gpointer data)
{
	Process *process = data;

	ltt_ranges_free(process->ranges);
	g_free(process);
}

LttMappings *ltt_mappings_new(const LttTrace *trace)
{
	LttMappings *mappings = g_new(LttMappings, 1);

	mappings->trace = trace;
	mappings->meanings = g_hash_table_new(NULL, NULL);
	mappings->modules = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, free_module);
	mappings->processes =
		g_hash_table_new_full(ltt_hash_int64, g_int64_equal, NULL, free_process);
	mappings->symbols = ltt_ranges_new();
	mappings->names = g_string_chunk_new(4096);
	return mappings;
}

void ltt_mappings_free(LttMappings *mappings)
{
	if (mappings == NULL)
		return;
	ltt_ranges_free(mappings->symbols);
	g_string_chunk_free(mappings->names);
	g_hash_table_unref(mappings->processes);
	g_hash_table_unref(mappings->modules);
	g_hash_table_unref(mappings->meanings);
	g_free(mappings);
}

/* Returns: (transfer full): what identifies a module: two files of one path have two build ids */
static char *name_module(guint member, const char *path, const LttModule *build)
{
	GString *name = g_string_new(NULL);

	g_string_printf(name, "%u:", member);
	for (guint i = 0; i < build->build_id_bytes; i++)
		g_string_append_printf(name, "%02x", build->build_id[i]);
	g_string_append_printf(name, ":%s", path);
	return g_string_free(name, FALSE);
}

/* The kernel's own code is named by a text in brackets, and its build id without the "_text". */
static LttModule *find_module(LttMappings *mappings, guint member, const char *path,
			      const LttModule *build)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const gboolean is_kernel = g_str_has_prefix(path, kernel);
	const char *shown = is_kernel ? kernel : path;
	g_autofree char *name = name_module(member, shown, build);
	LttModule *module = g_hash_table_lookup(mappings->modules, name);

	if (module != NULL)
		return module;
	module = g_memdup2(build, sizeof(*build));
	module->path = g_strdup(shown);
	module->is_kernel = is_kernel;
	g_hash_table_insert(mappings->modules, g_steal_pointer(&name), module);
	return module;
}

static guint64 make_key(guint member, guint32 pid)
{
	return (guint64)member << 32 | pid;
}

static Process *find_process(LttMappings *mappings, guint64 key)
{
	Process *process = g_hash_table_lookup(mappings->processes, &key);

	if (process == NULL) {
		process = g_new0(Process, 1);
		process->key = key;
		process->ranges = ltt_ranges_new();
		g_hash_table_insert(mappings->processes, &process->key, process);
	}
	return process;
}

static guint get_member(const LttMappings *mappings, const LttEvent *event)
{
	return ltt_trace_find_member(mappings->trace, event->tracefile);
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

/* Sets the build id, if the event has one. */
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

static void take_mapping(LttMappings *mappings, const LttEvent *event, const LttValue *payload)
{
	const char *path = get_text(payload, "filename");
	const guint member = get_member(mappings, event);
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
	module = find_module(mappings, member, path, &build);
	if (g_str_equal(path, "[kernel.kallsyms]_text"))
		module->kernel_text = range.file_offset;
	range.module = module;
	range.end = range.start + MIN(length, G_MAXUINT64 - range.start);
	ltt_ranges_add(find_process(mappings, make_key(member, (guint32)pid))->ranges, &range);
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
	ltt_ranges_add(mappings->symbols, &range);
}

/* A new process begins with the mappings of its parent. */
static void take_fork(LttMappings *mappings, const LttEvent *event, const LttValue *payload)
{
	const guint member = get_member(mappings, event);
	guint64 pid;
	guint64 parent;
	Process *process;

	if (!get_number(payload, "pid", &pid) || !get_number(payload, "ppid", &parent) ||
	    (guint32)pid == (guint32)parent)
		return;
	process = find_process(mappings, make_key(member, (guint32)pid));
	process->parent = make_key(member, (guint32)parent);
	process->fork_ns = event->time_ns;
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
		take_build_id(find_module(mappings, get_member(mappings, event), path, &no_build),
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
}

/* ---- frames ---- */

static gboolean find_symbol(const LttMappings *mappings, LttStackFrame *frame)
{
	const LttRange *range =
		ltt_ranges_find(mappings->symbols, frame->address, G_MAXUINT64).latest;

	if (range == NULL)
		return FALSE;
	frame->symbol = range->symbol;
	frame->offset = frame->address - range->start;
	return TRUE;
}

static void set_module(LttStackFrame *frame, const LttRange *range)
{
	frame->module = range->module;
	if (!range->module->is_kernel)
		frame->offset = frame->address - range->start + range->file_offset;
}

/* Returns: the mapping in the process or, at the time of the fork, in a parent; NULL: none */
static const LttRange *find_range(LttMappings *mappings, guint64 key, guint64 address,
				  guint64 time_ns, LttMappingsSpan *valid)
{
	const LttRange *later = NULL;

	for (guint i = 0; i < MAX_PARENTS; i++) {
		const Process *process = g_hash_table_lookup(mappings->processes, &key);
		LttRangesAnswer answer;

		if (process == NULL)
			break;
		answer = ltt_ranges_find(process->ranges, address, time_ns);
		if (answer.earliest != NULL && i == 0) {
			later = answer.earliest;
			valid->to_ns = later->time_ns;
		}
		if (answer.latest != NULL) {
			valid->from_ns = i == 0 ? answer.latest->time_ns : process->fork_ns;
			return answer.latest;
		}
		if (process->fork_ns == 0)
			break;
		key = process->parent;
		time_ns = process->fork_ns;
	}
	valid->to_ns = later != NULL ? later->time_ns : valid->to_ns;
	return later;
}

void ltt_mappings_find(LttMappings *mappings, const LttMappingsQuery *query, LttStackFrame *frame,
		       LttMappingsSpan *valid)
{
	const guint32 owner = frame->is_kernel ? KERNEL_PID : query->pid;
	LttMappingsSpan span = {0, G_MAXUINT64};
	const LttRange *range;

	frame->module = NULL;
	frame->symbol = NULL;
	frame->offset = frame->address;
	if (!frame->is_kernel || !find_symbol(mappings, frame)) {
		range = find_range(mappings, make_key(query->member, owner), frame->address,
				   query->time_ns, &span);
		if (range != NULL)
			set_module(frame, range);
	}
	if (valid != NULL)
		*valid = span;
}
