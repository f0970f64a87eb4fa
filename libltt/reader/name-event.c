/* name-event.c - see name-event-priv.h. */
#include "reader/name-event-priv.h"

#include "reader/cursor-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-value.h>

/* Returns: whether the event has a name; then its payload and the name */
static gboolean find_name(const LttEvent *event, LttValue *payload, const char **text)
{
	LttValue pid;
	LttValue name;

	if (!ltt_event_get_value(event, payload) || !ltt_value_find(payload, "pid", &pid) ||
	    pid.layout->kind != LTT_UINT || !ltt_value_find(payload, "name", &name) ||
	    name.layout->kind != LTT_STRING)
		return FALSE;
	*text = ltt_value_get_string(&name, NULL);
	return TRUE;
}

gboolean ltt_event_contains_name(const LttEvent *event)
{
	LttValue payload;
	const char *text;

	return ltt_tracefile_lists_processes(event->tracefile) && find_name(event, &payload, &text);
}

/* Sets @id if there is an unsigned field @name. Returns: FALSE if its value is out of range */
static gboolean read_id(const LttValue *payload, const char *name, guint32 *id, gboolean *is_there)
{
	LttValue value;

	*is_there = ltt_value_find(payload, name, &value) && value.layout->kind == LTT_UINT;
	if (!*is_there)
		return TRUE;
	*id = (guint32)ltt_value_get_uint(&value);
	return ltt_value_get_uint(&value) <= G_MAXUINT32;
}

gboolean ltt_name_event_read(const LttEvent *event, LttNameEvent *name)
{
	LttValue payload;
	gboolean has_pid;

	*name = (LttNameEvent){0};
	return find_name(event, &payload, &name->text) &&
	       read_id(&payload, "pid", &name->pid, &has_pid) &&
	       read_id(&payload, "tid", &name->tid, &name->is_thread);
}

typedef struct Visit {
	void (*visit)(const char *name, gpointer user_data);
	gpointer user_data;
} Visit;

static void visit_event(gpointer data, const LttEvent *event)
{
	const Visit *visit = data;
	LttValue payload;
	const char *text;

	if (find_name(event, &payload, &text))
		visit->visit(text, visit->user_data);
}

void ltt_trace_visit_names(const LttTrace *trace,
			   void (*visit)(const char *name, gpointer user_data), gpointer user_data)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (ltt_tracefile_lists_processes(tracefile))
			ltt_cursor_visit_readable(tracefile, visit_event,
						  &(Visit){visit, user_data});
	}
}
