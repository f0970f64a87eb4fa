/* processes.c - keep the names of processes that are alive at the start of a cut.
 *
 * control/processes has an event for each process that existed at the start of the recording and
 * for each start and exit. A cut drops those before the window, like all events, with exceptions:
 * for each process that is alive at its start it keeps one as tracer.process_start, and for each
 * named thread of such a process one as threads.name.
 */
#include "edit/processes-priv.h"

#include "reader/cursor-priv.h"

#include <eventdefs/tracer.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-value.h>

#include <string.h>

/* The place of an event. */
typedef struct Place {
	guint64 block;
	guint32 offset_bytes;
	gboolean is_start; /* a tracer.process_start */
} Place;

/* The place of the last name of a thread before the window. */
typedef struct ThreadPlace {
	guint32 pid;
	Place place;
} ThreadPlace;

struct LttAlive {
	const LttEdit *edit; /* borrowed */
	GHashTable *places;  /* process id -> Place */
	GHashTable *threads; /* thread id -> ThreadPlace */
	LttArch arch;
	gint start_id;
	gint exit_id;
	gint name_id; /* -1: the trace names no threads */
};

static gboolean get_number(const LttEvent *event, const char *name, guint32 *number)
{
	LttValue payload;
	LttValue value;

	if (!ltt_event_get_value(event, &payload) || !ltt_value_find(&payload, name, &value) ||
	    value.layout->kind != LTT_UINT || ltt_value_get_uint(&value) > G_MAXUINT32)
		return FALSE;
	*number = (guint32)ltt_value_get_uint(&value);
	return TRUE;
}

static const char *get_name(const LttEvent *event)
{
	LttValue payload;
	LttValue value;

	if (!ltt_event_get_value(event, &payload) || !ltt_value_find(&payload, "name", &value) ||
	    value.layout->kind != LTT_STRING)
		return NULL;
	return ltt_value_get_string(&value, NULL);
}

static gboolean is_process(const LttEvent *event)
{
	return (event->role == LTT_ROLE_ORDINARY || event->role == LTT_ROLE_MACHINE) &&
	       g_str_equal(event->type->full_name, "processes.process");
}

/* Returns: whether an event at this time is before the cut */
static gboolean is_before(const LttEdit *edit, guint64 time_ns)
{
	return edit->has_window && time_ns < edit->from_ns;
}

static gboolean is_of_process(gpointer tid, gpointer value, gpointer pid)
{
	const ThreadPlace *thread = value;

	(void)tid;
	return thread->pid == GPOINTER_TO_UINT(pid);
}

static void remove_process(LttAlive *alive, guint32 pid)
{
	g_hash_table_remove(alive->places, GUINT_TO_POINTER(pid));
	if (g_hash_table_size(alive->threads) > 0)
		g_hash_table_foreach_remove(alive->threads, is_of_process, GUINT_TO_POINTER(pid));
}

static void take_name(LttAlive *alive, const LttEdit *edit, const LttEvent *event)
{
	ThreadPlace *thread;
	guint32 pid;
	guint32 tid;

	if (!is_before(edit, event->time_ns) || !get_number(event, "pid", &pid) ||
	    !get_number(event, "tid", &tid))
		return;
	thread = g_new(ThreadPlace, 1);
	*thread = (ThreadPlace){pid, {event->block, event->offset_bytes, FALSE}};
	g_hash_table_insert(alive->threads, GUINT_TO_POINTER(tid), thread);
}

static void take(gpointer data, const LttEvent *event)
{
	LttAlive *alive = data;
	const LttEdit *edit = alive->edit;
	const gboolean is_start = event->id == alive->start_id;
	const Place *known;
	Place *place;
	guint32 pid;

	if (event->id == alive->exit_id && is_before(edit, event->time_ns) &&
	    get_number(event, "pid", &pid))
		remove_process(alive, pid);
	if (event->id == alive->name_id)
		take_name(alive, edit, event);
	if (is_start ? !is_before(edit, event->time_ns)
		     : !is_process(event) || (edit->has_window && event->time_ns >= edit->to_ns))
		return;
	if (!get_number(event, "pid", &pid) || get_name(event) == NULL)
		return;
	known = g_hash_table_lookup(alive->places, GUINT_TO_POINTER(pid));
	if (known != NULL && known->is_start && !is_start)
		return;
	place = g_new(Place, 1);
	*place = (Place){event->block, event->offset_bytes, is_start};
	g_hash_table_insert(alive->places, GUINT_TO_POINTER(pid), place);
}

LttAlive *ltt_alive_new(const LttEdit *edit, LttTracefile *tracefile)
{
	const LttSlots *slots = edit->trace->slots;
	const gint start_id = ltt_edit_find_id(slots, LTT_ROLE_TRACER, "process_start");
	LttAlive *alive;

	if (start_id < 0 || !ltt_tracefile_lists_processes(tracefile))
		return NULL;
	alive = g_new(LttAlive, 1);
	alive->edit = edit;
	alive->places = g_hash_table_new_full(ltt_hash_word, NULL, NULL, g_free);
	alive->threads = g_hash_table_new_full(ltt_hash_word, NULL, NULL, g_free);
	alive->arch = *ltt_system_get_arch(edit->trace->system);
	alive->start_id = start_id;
	alive->exit_id = ltt_edit_find_id(slots, LTT_ROLE_TRACER, "process_exit");
	alive->name_id = ltt_edit_find_id(slots, LTT_ROLE_TRACER, "name");
	ltt_cursor_visit_readable(tracefile, take, alive);
	return alive;
}

void ltt_alive_free(LttAlive *alive)
{
	if (alive == NULL)
		return;
	g_hash_table_unref(alive->places);
	g_hash_table_unref(alive->threads);
	g_free(alive);
}

static gboolean is_at(const Place *place, const LttEvent *event)
{
	return place != NULL && place->block == event->block &&
	       place->offset_bytes == event->offset_bytes;
}

gboolean ltt_alive_has(const LttAlive *alive, const LttEvent *event)
{
	const ThreadPlace *thread;
	guint32 pid;
	guint32 tid;

	if (event->id == alive->name_id && get_number(event, "tid", &tid)) {
		thread = g_hash_table_lookup(alive->threads, GUINT_TO_POINTER(tid));
		return thread != NULL && is_at(&thread->place, event);
	}
	if ((event->id != alive->start_id && !is_process(event)) || !get_number(event, "pid", &pid))
		return FALSE;
	return is_at(g_hash_table_lookup(alive->places, GUINT_TO_POINTER(pid)), event);
}

guint16 ltt_alive_convert(const LttAlive *alive, const LttEvent *event, GByteArray *payload)
{
	g_auto(LttPayload) made;
	guint32 pid = 0;
	guint32 ppid = 0;

	ltt_payload_init(&made, &alive->arch);
	if (event->id == alive->start_id || event->id == alive->name_id)
		return event->id;
	get_number(event, "pid", &pid);
	get_number(event, "ppid", &ppid);
	write_tracer_process_start(&made, &(const struct tracer_process_start){
						  .pid = pid,
						  .ppid = ppid,
						  .name = get_name(event),
					  });
	g_byte_array_append(payload, made.bytes->data, made.bytes->len);
	return (guint16)alive->start_id;
}
