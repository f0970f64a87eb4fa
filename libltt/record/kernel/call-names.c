/* call-names.c - names of system calls in the trace.
 *
 * The kernel has no file with the numbers of its system calls. They belong to the architecture and never
 * change, so the headers of the kernel list them (call-table.h, generated). A newer call has no name.
 */
#include "record/kernel/call-names-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>
#include <sys/syscall.h>

/* As ltt_eventdefs_print() writes it. */
#define FIELD "<field name=\"syscall_id\">"

typedef struct CallName {
	gint number;
	const char *name;
} CallName;

static const CallName calls[] = {
#include "record/kernel/call-table.h"
};

/* Returns: (transfer full): the description of an enum. The first of several names of a number counts */
static char *make_enum(gboolean is_signed)
{
	GString *text = g_string_new("<enum size=\"4\">");
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

	/* Negative labels make it signed; thread_states.thread has these numbers. */
	if (is_signed)
		g_string_append(text, "<label name=\"unknown\" value=\"-2\"/>"
				      "<label name=\"none\" value=\"-1\"/>");
	for (guint i = 0; i < G_N_ELEMENTS(calls); i++)
		if (g_hash_table_add(known, GINT_TO_POINTER(calls[i].number)))
			g_string_append_printf(text, "<label name=\"%s\" value=\"%d\"/>",
					       calls[i].name, calls[i].number);
	g_string_append(text, "</enum>");
	return g_string_free(text, FALSE);
}

LttFacility *ltt_call_names_add(const LttFacility *facility)
{
	g_autofree char *text = ltt_eventdefs_print(facility);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) changed = NULL;
	g_autofree char *names = NULL;
	g_autofree char *whole = NULL;
	char *begin = strstr(text, FIELD);
	char *end = begin != NULL ? strstr(begin, "</field>") : NULL;
	char *type = end != NULL ? g_strrstr_len(begin, end - begin, "int size=\"4\"") : NULL;

	g_assert(type != NULL);
	while (*type != '<')
		type--;
	names = make_enum(type[1] == 'i');
	*type = '\0';
	whole = g_strconcat(text, names, end, NULL);
	changed = ltt_eventdefs_parse(whole, strlen(whole), remarks);
	g_assert(changed != NULL && changed->len == 1);
	return ltt_facility_ref(changed->pdata[0]);
}
