/* wait-text.c - the cause of a wait as text (ltt-states.h). */
#include <ltt/ltt-states.h>

char *ltt_wait_to_text(const LttWait *wait)
{
	GString *text = g_string_new(NULL);

	switch (wait->kind) {
	case LTT_WAIT_SYSCALL:
		if (wait->syscall != NULL)
			g_string_append(text, wait->syscall);
		else if (wait->has_number)
			g_string_append_printf(text, "system call %u", wait->number);
		else
			g_string_append(text, "system call");
		if (wait->has_address)
			g_string_append_printf(text, " 0x%" G_GINT64_MODIFIER "x", wait->address);
		break;
	case LTT_WAIT_FAULT:
		g_string_append(text, "page fault");
		break;
	case LTT_WAIT_STOPPED:
		g_string_append(text, "stopped");
		break;
	case LTT_WAIT_OTHER:
		g_string_append(text, "other");
		break;
	default:
		g_string_append(text, "unknown");
		break;
	}
	return g_string_free(text, FALSE);
}
