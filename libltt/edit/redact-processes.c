/* redact-processes.c - where events contain the names and parents of processes.
 *
 *	sched.sched_process_fork  left out: its thread is the parent
 *	sched.sched_switch        the fields prev_comm and next_comm are emptied
 *	FACILITY.fork             the fields ppid and ptid are emptied
 *
 * No list can cover the events of programs, and paths of files often end with the name of a process.
 * So the remaining strings are compared with the names in the trace.
 */
#include "edit/redact-processes-priv.h"

#include "reader/name-event-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Names in the kernel have at most this size, without the NUL; paths are compared up to it. */
#define COMM_LENGTH 15

struct LttProcessNames {
	GHashTable *texts; /* owned: of at most COMM_LENGTH bytes */
};

/* ---- events and fields ---- */

gboolean ltt_redact_drops_process(const LttEvent *event)
{
	static const char *const names[] = {
		"core.process_fork",   "processes.process",    "sched.sched_process_fork",
		"task.task_newtask",   "task.task_rename",     "threads.name",
		"tracer.process_exit", "tracer.process_start", NULL,
	};

	return g_strv_contains(names, event->type->full_name) || ltt_event_contains_name(event);
}

/* Returns: whether values of the type can be text */
static gboolean is_text(const LttType *type)
{
	const LttType *element;

	type = ltt_type_resolve(type);
	element = ltt_type_get_element(type);
	if (element == NULL)
		return ltt_type_get_kind(type) == LTT_STRING;
	element = ltt_type_resolve(element);
	return ltt_type_get_kind(element) == LTT_INT || ltt_type_get_kind(element) == LTT_UINT;
}

gboolean ltt_redact_is_of_process(const char *path, const LttType *type)
{
	static const char *const parents[] = {"ppid", "ptid", NULL};
	static const char *const files[] = {
		"core.process_exec.file_name",
		"sched.sched_prepare_exec.filename",
		"sched.sched_prepare_exec.interp",
		"sched.sched_process_exec.filename",
		NULL,
	};
	const char *name = strrchr(path, '.');

	if ((name != NULL && g_strv_contains(parents, name + 1)) || g_strv_contains(files, path))
		return TRUE;
	/* Tracepoints of the kernel have fields such as comm, prev_comm and newcomm. */
	return g_str_has_suffix(path, "comm") && is_text(type);
}

/* ---- names ---- */

static void add(const char *name, gpointer user_data)
{
	LttProcessNames *names = user_data;

	if (*name != '\0')
		g_hash_table_add(names->texts, g_strndup(name, COMM_LENGTH));
}

LttProcessNames *ltt_process_names_new(LttTrace *trace)
{
	LttProcessNames *names = g_new0(LttProcessNames, 1);

	names->texts = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	ltt_trace_visit_names(trace, add, names);
	return names;
}

void ltt_process_names_free(LttProcessNames *names)
{
	if (names == NULL)
		return;
	g_hash_table_unref(names->texts);
	g_free(names);
}

static gboolean contain(const LttProcessNames *names, const char *text)
{
	char start[COMM_LENGTH + 1];

	g_strlcpy(start, text, sizeof(start));
	return g_hash_table_contains(names->texts, start);
}

gboolean ltt_process_names_contain(const LttProcessNames *names, const char *text)
{
	const char *slash = strrchr(text, '/');

	return contain(names, text) || (slash != NULL && contain(names, slash + 1));
}
