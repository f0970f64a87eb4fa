/* attach-list.c - `ltt attach --list`. */
#include "attach-programs.h"

#include "tool.h"

static const char *word_of(LttTraceeState state)
{
	switch (state) {
	case LTT_TRACEE_READY:
		return "ready";
	case LTT_TRACEE_ATTACHED:
		return "attached";
	case LTT_TRACEE_TRACED:
		return "traced";
	case LTT_TRACEE_SECCOMP:
		return "seccomp";
	case LTT_TRACEE_OLD_HEADER:
		return "old header";
	case LTT_TRACEE_UNREADABLE:
		return "unreadable";
	default:
		return "hidden";
	}
}

void attach_list(void)
{
	g_autoptr(GPtrArray) list = ltt_tracee_list();

	for (guint i = list->len; i-- > 0;) {
		if (((LttTracee *)g_ptr_array_index(list, i))->state == LTT_TRACEE_FOREIGN)
			g_ptr_array_remove_index(list, i);
	}
	if (list->len == 0)
		tool_warn("no running program can be attached: it must be linked with "
			  "libltt-probe and belong to you");
	else
		tool_print("%10s  %10s  %-16s  %-10s  %s\n", "pid", "user", "name", "state",
			   "facilities");
	for (guint i = 0; i < list->len; i++) {
		const LttTracee *tracee = g_ptr_array_index(list, i);
		g_autofree char *joined = g_strjoinv(",", tracee->facilities);
		g_autofree char *name = tool_escape(tracee->name);
		g_autofree char *facilities = tool_escape(joined);

		tool_print("%10u  %10u  %-16s  %-10s  %s\n", tracee->pid, tracee->uid, name,
			   word_of(tracee->state), facilities);
	}
}
