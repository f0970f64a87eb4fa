/* sets.c - named sets of tracepoints.
 *
 * A kernel may lack some tracepoints of a set, because of its version or configuration. A part of
 * the selection that matches nothing is an error.
 */
#include "record/kernel/sets-priv.h"

#include <ltt/ltt-kernel.h>

#include <string.h>

typedef struct Set {
	const char *name;
	const char *globs; /* separated by spaces */
} Set;

static const Set sets[] = {
	{"sched", "sched:sched_switch sched:sched_waking sched:sched_wakeup "
		  "sched:sched_wakeup_new "
		  "sched:sched_migrate_task sched:sched_process_fork sched:sched_process_exec "
		  "sched:sched_process_exit task:task_newtask task:task_rename"},
	{"irq", "irq:irq_handler_entry irq:irq_handler_exit irq:softirq_entry irq:softirq_exit"},
	{"syscalls", "syscalls:*"},
	{"faults", "exceptions:page_fault_user exceptions:page_fault_kernel"},
	{"block", "block:*"},
	{"net", "net:* sock:* tcp:*"},
};

/* Recorded with each selection: the processes and names of threads come from them. */
static const char *const always[] = {"task:task_newtask", "task:task_rename"};

static void free_glob(gpointer data)
{
	LttKernelGlob *glob = data;

	g_pattern_spec_free(glob->spec);
	g_free(glob->text);
	g_free(glob);
}

static void add_glob(GPtrArray *globs, const char *text, const char *pattern)
{
	LttKernelGlob *glob = g_new0(LttKernelGlob, 1);

	glob->text = g_strdup(text);
	glob->spec = g_pattern_spec_new(pattern);
	g_ptr_array_add(globs, glob);
}

static const Set *find_set(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
		if (g_str_equal(sets[i].name, name))
			return &sets[i];
	return NULL;
}

static void add_part(GPtrArray *globs, const char *part)
{
	const Set *set = find_set(part);
	g_auto(GStrv) members = NULL;
	g_autofree char *pattern = NULL;

	if (set == NULL) {
		pattern =
			strchr(part, ':') != NULL ? g_strdup(part) : g_strconcat(part, ":*", NULL);
		add_glob(globs, part, pattern);
		return;
	}
	members = g_strsplit(set->globs, " ", -1);
	for (guint i = 0; members[i] != NULL; i++)
		add_glob(globs, part, members[i]);
}

GPtrArray *ltt_kernel_sets_parse(const char *selection)
{
	GPtrArray *globs = g_ptr_array_new_with_free_func(free_glob);
	g_auto(GStrv) parts =
		g_strsplit(selection != NULL && *selection != '\0' ? selection
								   : LTT_DEFAULT_KERNEL_TRACEPOINTS,
			   ",", -1);

	for (guint i = 0; parts[i] != NULL; i++)
		if (*g_strstrip(parts[i]) != '\0')
			add_part(globs, parts[i]);
	for (guint i = 0; i < G_N_ELEMENTS(always); i++) {
		add_glob(globs, always[i], always[i]);
		/* Recording works without it. */
		((LttKernelGlob *)globs->pdata[globs->len - 1])->is_matched = TRUE;
	}
	return globs;
}

gboolean ltt_kernel_sets_match(GPtrArray *globs, const char *system, const char *name)
{
	g_autofree char *full = g_strconcat(system, ":", name, NULL);
	gboolean is_matched = FALSE;

	for (guint i = 0; i < globs->len; i++) {
		LttKernelGlob *glob = globs->pdata[i];

		if (g_pattern_spec_match_string(glob->spec, full))
			glob->is_matched = is_matched = TRUE;
	}
	return is_matched;
}
