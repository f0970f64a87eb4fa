/* events.c - the tracepoints of a recording, and the events that they become. */
#include "record/kernel/events-priv.h"

#include "base/error-priv.h"
#include "model/facility-priv.h"
#include "record/description-priv.h"
#include "record/kernel/call-names-priv.h"
#include "record/kernel/sets-priv.h"
#include "record/kernel/threads-priv.h"
#include "record/proc-priv.h"
#include "tracepoint/state-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Facilities of a recording that are not systems of tracepoints. */
static const char *const reserved_names[] = {"builtin", "core",      "interrupts",
					     "losses",  "processes", "thread_states",
					     "threads", "tracer",    NULL};

static void free_event(gpointer data)
{
	LttKernelEvent *event = data;

	g_free(event->system);
	ltt_tracepoint_free(event->tracepoint);
	ltt_raw_plan_free(event->plan);
	g_free(event);
}

void ltt_kernel_events_clear(LttKernelEvents *events)
{
	g_clear_pointer(&events->by_id, g_ptr_array_unref);
	g_clear_pointer(&events->events, g_ptr_array_unref);
}

/* ---- reading ---- */

typedef struct Note {
	const char *system;
	const char *name;
	const char *tid_field; /* NULL: no fields are used */
	const char *other_field;
	LttKernelNote note;
	guint other_bytes; /* at least */
} Note;

static const Note notes[] = {
	{"sched", "sched_switch", "next_pid", "next_comm", LTT_NOTE_NAME, LTT_COMM_BYTES},
	{"sched", "sched_process_exit", NULL, NULL, LTT_NOTE_EXIT, 0},
	{"task", "task_rename", "pid", "newcomm", LTT_NOTE_NAME, LTT_COMM_BYTES},
	{"task", "task_newtask", "pid", "clone_flags", LTT_NOTE_NEW_TASK, sizeof(guint32)},
};

static void set_note(LttKernelEvent *event)
{
	for (guint i = 0; i < G_N_ELEMENTS(notes); i++) {
		const Note *note = &notes[i];

		if (!g_str_equal(note->system, event->system) ||
		    !g_str_equal(note->name, event->tracepoint->name))
			continue;
		if (note->tid_field != NULL) {
			const LttTracepointField *tid =
				ltt_tracepoint_find(event->tracepoint, note->tid_field);
			const LttTracepointField *other =
				ltt_tracepoint_find(event->tracepoint, note->other_field);

			if (tid == NULL || tid->size < sizeof(guint32) || other == NULL ||
			    other->size < note->other_bytes)
				continue;
			event->note_fields[0] = tid;
			event->note_fields[1] = other;
		}
		event->note = note->note;
	}
}

/* Tracepoints without a format, such as those of the function tracer, cannot be enabled. Returns: FALSE
 * with LTT_ERROR_IO */
static gboolean add_event(LttKernelEvents *events, const LttTracefs *tracefs, const char *system,
			  const char *name, GError **error)
{
	g_autofree char *path =
		g_build_filename(tracefs->root, "events", system, name, "format", NULL);
	g_autofree char *text = NULL;
	const int errnum = ltt_proc_read(path, &text);
	g_autoptr(LttTracepoint) tracepoint = NULL;
	LttKernelEvent *event;

	if (errnum != 0)
		return errnum == ENOENT || ltt_fail_io(error, path, "read", errnum);
	tracepoint = ltt_tracepoint_parse(text, strlen(text), sizeof(long));
	if (tracepoint == NULL || tracepoint->id > G_MAXUINT16)
		return TRUE;
	event = g_new0(LttKernelEvent, 1);
	event->system = g_strdup(system);
	event->tracepoint = g_steal_pointer(&tracepoint);
	set_note(event);
	event->mapping = ltt_core_find(system, event->tracepoint, &event->fields);
	if (event->mapping == NULL)
		event->plan = ltt_raw_plan_new(event->tracepoint);
	g_ptr_array_add(events->events, event);
	return TRUE;
}

/* Calls add_event() for each line "SYSTEM:NAME" that is selected. */
static gboolean add_selected(LttKernelEvents *events, const LttTracefs *tracefs,
			     const char *available, GPtrArray *globs, LttKernelWants wants,
			     GError **error)
{
	g_auto(GStrv) lines = g_strsplit(available, "\n", -1);

	for (guint i = 0; lines[i] != NULL; i++) {
		char *colon = strchr(lines[i], ':');

		if (colon == NULL)
			continue;
		*colon = '\0';
		if (ltt_kernel_sets_match(globs, lines[i], colon + 1) &&
		    (wants == NULL || wants(lines[i], colon + 1)) &&
		    !add_event(events, tracefs, lines[i], colon + 1, error))
			return FALSE;
	}
	return TRUE;
}

static gint compare_events(gconstpointer left, gconstpointer right)
{
	const LttKernelEvent *a = *(LttKernelEvent *const *)left;
	const LttKernelEvent *b = *(LttKernelEvent *const *)right;
	const int order = strcmp(a->system, b->system);

	return order != 0 ? order : strcmp(a->tracepoint->name, b->tracepoint->name);
}

/* A set counts as matched if one of its tracepoints exists. */
static gboolean check_globs(const GPtrArray *globs, GError **error)
{
	for (guint i = 0; i < globs->len; i++) {
		const LttKernelGlob *glob = globs->pdata[i];
		gboolean is_matched = FALSE;

		for (guint n = 0; n < globs->len; n++) {
			const LttKernelGlob *other = globs->pdata[n];

			if (other->is_matched && g_str_equal(other->text, glob->text))
				is_matched = TRUE;
		}
		if (!is_matched)
			return ltt_fail(
				error, LTT_ERROR_INVALID,
				"kernel events \"%s\": this kernel has no such tracepoint; "
				"expected a set (sched, irq, syscalls, faults, block, net), "
				"SYSTEM or SYSTEM:NAME, as in available_events of tracefs",
				glob->text);
	}
	return TRUE;
}

static void index_events(LttKernelEvents *events)
{
	g_ptr_array_set_size(events->by_id, 0);
	for (guint i = 0; i < events->events->len; i++) {
		LttKernelEvent *event = events->events->pdata[i];

		if (event->tracepoint->id >= events->by_id->len)
			g_ptr_array_set_size(events->by_id, (gint)event->tracepoint->id + 1);
		events->by_id->pdata[event->tracepoint->id] = event;
		if (event->note == LTT_NOTE_NEW_TASK)
			events->has_new_tasks = TRUE;
	}
}

gboolean ltt_kernel_events_init(LttKernelEvents *events, const LttTracefs *tracefs,
				const char *selection, LttKernelWants wants, GError **error)
{
	g_autoptr(GPtrArray) globs = ltt_kernel_sets_parse(selection);
	g_autofree char *available = ltt_tracefs_read(tracefs, "available_events", NULL, error);

	if (available == NULL)
		return FALSE;
	events->events = g_ptr_array_new_with_free_func(free_event);
	events->by_id = g_ptr_array_new();
	if (!add_selected(events, tracefs, available, globs, wants, error) ||
	    !check_globs(globs, error)) {
		ltt_kernel_events_clear(events);
		return FALSE;
	}
	g_ptr_array_sort(events->events, compare_events);
	index_events(events);
	return TRUE;
}
void ltt_kernel_events_restrict(LttKernelEvents *events,
				gboolean (*keeps)(const LttKernelEvent *event, gpointer data),
				gpointer data)
{
	for (guint i = events->events->len; i > 0; i--) {
		if (!keeps(events->events->pdata[i - 1], data))
			g_ptr_array_remove_index(events->events, i - 1);
	}
	index_events(events);
}

/* ---- facilities ---- */

static gboolean load_core(LttKernelEvents *events, struct lttp_session *session, GError **error)
{
	g_autoptr(LttFacility) core = ltt_call_names_add(ltt_eventdefs_get_shipped("core"));
	gboolean is_loaded = FALSE;
	guint32 base = 0;

	for (guint i = 0; i < events->events->len; i++) {
		LttKernelEvent *event = events->events->pdata[i];

		if (event->mapping == NULL)
			continue;
		if (!is_loaded && !ltt_record_load(session, core, &base, error))
			return FALSE;
		is_loaded = TRUE;
		event->id = (guint16)(base + event->mapping->event);
	}
	return TRUE;
}

/* Loads the facility of the events from @first on with the same system. @end: (out): the first event
 * after them */
static gboolean load_system(LttKernelEvents *events, guint first, guint *end,
			    struct lttp_session *session, GError **error)
{
	const char *system = ((LttKernelEvent *)events->events->pdata[first])->system;
	g_autofree char *facility_name = ltt_tracepoint_facility(system, reserved_names);
	g_autoptr(LttFacility) facility = ltt_facility_new(facility_name);
	guint32 base = 0;
	guint n = 0;
	guint i;

	for (i = first; i < events->events->len; i++) {
		const LttKernelEvent *event = events->events->pdata[i];
		g_autofree char *name = NULL;
		g_autofree char *state = NULL;

		if (!g_str_equal(event->system, system))
			break;
		if (event->mapping != NULL)
			continue;
		name = ltt_tracepoint_identifier(event->tracepoint->name);
		ltt_facility_add_event(facility, name, NULL,
				       ltt_tracepoint_make_type(event->tracepoint));
		state = ltt_tracepoint_state(system, event->tracepoint->name);
		ltt_facility_set_state(facility, state);
		/* The format of a result is hexadecimal: a failure is better read as a number. */
		if (!g_str_has_prefix(event->tracepoint->name, "sys_exit_"))
			ltt_facility_set_print(facility, event->tracepoint->print);
		n++;
	}
	*end = i;
	if (n == 0)
		return TRUE;
	if (!ltt_facility_seal_foreign(facility, error) ||
	    !ltt_record_load(session, facility, &base, error))
		return FALSE;
	for (i = first; i < *end; i++) {
		LttKernelEvent *event = events->events->pdata[i];

		if (event->mapping == NULL)
			event->id = (guint16)base++;
	}
	return TRUE;
}

gboolean ltt_kernel_events_load(LttKernelEvents *events, struct lttp_session *session,
				GError **error)
{
	if (!load_core(events, session, error))
		return FALSE;
	for (guint i = 0; i < events->events->len;)
		if (!load_system(events, i, &i, session, error))
			return FALSE;
	return TRUE;
}

/* ---- enabling ---- */

gboolean ltt_kernel_events_enable(const LttKernelEvents *events, const LttTracefs *tracefs,
				  GError **error)
{
	const int fd = ltt_tracefs_open_file(tracefs, "set_event", O_WRONLY | O_APPEND);
	int errnum = fd < 0 ? -fd : 0;

	for (guint i = 0; errnum == 0 && i < events->events->len; i++) {
		const LttKernelEvent *event = events->events->pdata[i];
		g_autofree char *line =
			g_strdup_printf("%s:%s\n", event->system, event->tracepoint->name);

		if (write(fd, line, strlen(line)) != (gssize)strlen(line))
			errnum = errno;
	}
	if (fd >= 0)
		close(fd);
	return errnum == 0 ||
	       ltt_fail_io(error, tracefs->instance, "enable the events of the kernel", errnum);
}
