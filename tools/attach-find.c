/* attach-find.c - find the requested programs, and check that they can be attached. */
#include "attach-programs.h"

#include "tool.h"

#include <ltt/ltt-hash.h>

#include <fnmatch.h>
#include <string.h>

static gboolean is_asked_by_pid(const AttachPrograms *programs, guint32 pid)
{
	for (guint i = 0; i < programs->pids->len; i++) {
		if (g_array_index(programs->pids, guint32, i) == pid)
			return TRUE;
	}
	return FALSE;
}

static gboolean has_name(const LttTracee *tracee, const char *name)
{
	return fnmatch(name, tracee->name, 0) == 0 || fnmatch(name, tracee->executable, 0) == 0;
}

gboolean attach_is_named(const AttachPrograms *programs, const LttTracee *tracee)
{
	for (guint i = 0; programs->names != NULL && programs->names[i] != NULL; i++) {
		if (has_name(tracee, programs->names[i]))
			return TRUE;
	}
	return FALSE;
}

gboolean attach_means_all(const AttachPrograms *programs)
{
	return programs->pids->len == 0 && programs->names == NULL;
}

gboolean attach_can(const AttachPrograms *programs, const LttTracee *tracee)
{
	return tracee->state == LTT_TRACEE_READY ||
	       (tracee->state == LTT_TRACEE_SECCOMP && programs->dares_seccomp);
}

void attach_refuse(const AttachPrograms *programs, const LttTracee *tracee)
{
	g_autofree char *process = g_strdup_printf("process %u", tracee->pid);
	g_autofree char *named = g_strdup_printf("%s (%s)", tracee->name, process);
	const char *who = tracee->name[0] != '\0' ? named : process;
	const char *why = ltt_tracee_state_text(tracee->state);

	/* One of another user that has a requested name may have nothing to do with libltt. */
	if (tracee->state == LTT_TRACEE_FOREIGN && !is_asked_by_pid(programs, tracee->pid))
		tool_note("%s: %s", who, why);
	else
		tool_warn("%s: %s", who, why);
}

static gboolean is_meant(const AttachPrograms *programs, const LttTracee *tracee)
{
	return attach_is_named(programs, tracee) ||
	       (attach_means_all(programs) && tracee->state != LTT_TRACEE_FOREIGN);
}

GPtrArray *attach_find(const AttachPrograms *programs)
{
	g_autoptr(GPtrArray) list = ltt_tracee_list();
	GPtrArray *asked = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_tracee_free);

	for (guint i = 0; i < programs->pids->len; i++)
		g_ptr_array_add(asked, ltt_tracee_new(g_array_index(programs->pids, guint32, i)));
	g_ptr_array_set_free_func(list, NULL);
	for (guint i = 0; i < list->len; i++) {
		LttTracee *tracee = g_ptr_array_index(list, i);

		if (!is_asked_by_pid(programs, tracee->pid) && is_meant(programs, tracee))
			g_ptr_array_add(asked, tracee);
		else
			ltt_tracee_free(tracee);
	}
	return asked;
}

gboolean attach_keep(const AttachPrograms *programs, GPtrArray *asked, GHashTable *refused)
{
	for (guint i = asked->len; i-- > 0;) {
		const LttTracee *tracee = g_ptr_array_index(asked, i);

		if (!attach_can(programs, tracee)) {
			attach_refuse(programs, tracee);
			g_hash_table_add(refused, GUINT_TO_POINTER(tracee->pid));
			g_ptr_array_remove_index(asked, i);
		}
	}
	if (asked->len > 0)
		return TRUE;
	if (tool_status() != TOOL_DONE)
		tool_fail("no process is left to attach");
	else if (attach_means_all(programs))
		tool_fail("no running program can be attached: it must be linked with "
			  "libltt-probe and belong to you");
	else
		tool_fail("%s: no running program with this name can be attached; `ltt attach "
			  "--list` lists the others",
			  programs->names[0]);
	return FALSE;
}

/* ---- facilities ---- */

static gboolean has_facility(const LttTracee *tracee, const char *glob)
{
	for (guint i = 0; tracee->facilities[i] != NULL; i++) {
		if (fnmatch(glob, tracee->facilities[i], 0) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Returns: (transfer full): the names of all facilities of the programs, separated by commas */
static char *list_facilities(const GPtrArray *asked)
{
	g_autoptr(GHashTable) names = g_hash_table_new(ltt_hash_text, g_str_equal);
	g_autoptr(GList) sorted = NULL;
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < asked->len; i++) {
		const LttTracee *tracee = g_ptr_array_index(asked, i);

		for (guint j = 0; tracee->facilities[j] != NULL; j++)
			g_hash_table_add(names, tracee->facilities[j]);
	}
	sorted = g_list_sort(g_hash_table_get_keys(names), (GCompareFunc)g_strcmp0);
	for (const GList *at = sorted; at != NULL; at = at->next)
		g_string_append_printf(text, "%s%s", at == sorted ? "" : ", ",
				       (const char *)at->data);
	return g_string_free(text, FALSE);
}

void attach_check_facilities(const AttachPrograms *programs, const GPtrArray *asked)
{
	const char *given = programs->recorded.options.facilities;
	g_auto(GStrv) globs = g_strsplit(given != NULL ? given : "*", ",", -1);
	g_autofree char *all = list_facilities(asked);

	for (guint i = 0; globs[i] != NULL; i++) {
		gboolean matches = FALSE;

		for (guint j = 0; j < asked->len && !matches; j++)
			matches = has_facility(g_ptr_array_index(asked, j), globs[i]);
		if (!matches)
			tool_warn("--facility %s: no program has this facility; available: %s",
				  globs[i], all);
	}
}
