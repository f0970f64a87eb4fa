/* software-tracepoints.c - see software-tracepoints-priv.h.
 *
 * A tracepoint takes a file descriptor for each CPU, so the set syscalls is the two tracepoints of
 * raw_syscalls here, not one for each system call.
 */
#include "record/kernel/software-tracepoints-priv.h"

#include "base/bytes-priv.h"
#include "record/kernel/tracefs-priv.h"

#include <ltt/ltt-kernel.h>

#include <string.h>
#include <unistd.h>

/* With tracepoints, which come faster. Less if this user may not lock so much. */
#define TRACEPOINT_BUFFER_BYTES (4u << 20)

void ltt_software_tracepoints_init(LttSoftwareTracepoints *tracepoints)
{
	*tracepoints = (LttSoftwareTracepoints){.ids = g_array_new(FALSE, FALSE, sizeof(guint16))};
	tracepoints->events.events = g_ptr_array_new();
	tracepoints->events.by_id = g_ptr_array_new();
	ltt_event_writer_init(&tracepoints->writer);
}

void ltt_software_tracepoints_clear(LttSoftwareTracepoints *tracepoints)
{
	ltt_kernel_events_clear(&tracepoints->events);
	g_array_unref(tracepoints->ids);
	g_free(tracepoints->words);
	ltt_event_writer_clear(&tracepoints->writer);
}

/* Switches, processes, names and page faults have records of their own. */
static gboolean is_wanted(const char *system, const char *name)
{
	return !g_str_equal(system, "task") && !g_str_equal(system, "exceptions") &&
	       !g_str_equal(name, "sched_switch") && !g_str_has_prefix(name, "sched_process_");
}

/* Returns: (transfer full): the selection with raw_syscalls in place of the set syscalls */
static char *replace_syscalls(const char *selection)
{
	const gboolean is_default = selection == NULL || *selection == '\0';
	g_auto(GStrv) parts =
		g_strsplit(is_default ? LTT_DEFAULT_KERNEL_TRACEPOINTS : selection, ",", -1);

	for (guint i = 0; parts[i] != NULL; i++) {
		if (!g_str_equal(g_strstrip(parts[i]), "syscalls"))
			continue;
		g_free(parts[i]);
		parts[i] = g_strdup("raw_syscalls");
	}
	return g_strjoinv(",", parts);
}

gboolean ltt_software_tracepoints_find(LttSoftwareTracepoints *tracepoints, const char *selection,
				       GError **error)
{
	g_autofree char *replaced = replace_syscalls(selection);
	LttKernelEvents found;
	LttTracefs tracefs;
	gboolean ok = TRUE;

	if (ltt_tracefs_open_formats(&tracefs)) {
		ok = ltt_kernel_events_init(&found, &tracefs, replaced, is_wanted, error);
		if (ok) {
			ltt_kernel_events_clear(&tracepoints->events);
			tracepoints->events = found;
		}
	}
	ltt_tracefs_clear(&tracefs);
	return ok;
}

void ltt_software_tracepoints_ask(LttSoftwareTracepoints *tracepoints, LttSoftwareRequest *request)
{
	g_array_set_size(tracepoints->ids, 0);
	for (guint i = 0; i < tracepoints->events.events->len; i++) {
		const LttKernelEvent *event = tracepoints->events.events->pdata[i];
		const guint16 id = (guint16)event->tracepoint->id;

		if (ltt_software_ring_may_trace(request, id))
			g_array_append_val(tracepoints->ids, id);
	}
	request->tracepoints = (const guint16 *)(gpointer)tracepoints->ids->data;
	request->n_tracepoints = tracepoints->ids->len;
}

gsize ltt_software_tracepoints_choose_buffer(const LttSoftwareTracepoints *tracepoints,
					     guint64 bytes)
{
	gsize size = tracepoints->ids->len > 0 && bytes == 0 ? TRACEPOINT_BUFFER_BYTES
							     : LTT_SOFTWARE_BUFFER_BYTES;

	while (size < bytes && size < G_MAXINT / 2)
		size *= 2;
	return size;
}

static gboolean is_allowed(const LttKernelEvent *event, gpointer data)
{
	const GArray *ids = data;

	for (guint i = 0; i < ids->len; i++) {
		if (g_array_index(ids, guint16, i) == event->tracepoint->id)
			return TRUE;
	}
	return FALSE;
}

gboolean ltt_software_tracepoints_load(LttSoftwareTracepoints *tracepoints,
				       struct lttp_session *session, GError **error)
{
	const guint n_found = tracepoints->events.events->len;
	const guint n_allowed = tracepoints->ids->len;

	if (n_found == 0)
		tracepoints->words =
			g_strdup("Recording only switches, processes and page faults with "
				 "perf_event_open");
	else
		tracepoints->words = g_strdup_printf(
			"Recording switches, processes, page faults and %u of %u tracepoints with "
			"perf_event_open%s",
			n_allowed, n_found,
			n_allowed < n_found ? "; the others require CAP_PERFMON or "
					      "kernel.perf_event_paranoid of -1"
					    : "");
	ltt_kernel_events_restrict(&tracepoints->events, is_allowed, tracepoints->ids);
	return ltt_kernel_events_load(&tracepoints->events, session, error);
}

gboolean ltt_software_tracepoints_write(LttSoftwareTracepoints *tracepoints, LttCpuFile *file,
					guint64 cycles, const LttSoftwareRecord *record)
{
	LttRingEvent raw = {.time = cycles, .bytes = record->raw, .size = record->raw_bytes};
	const LttKernelEvent *event;

	if (record->raw_bytes < sizeof(guint64))
		return FALSE;
	/* All raw events begin with the id of their tracepoint. */
	raw.id = ltt_load_u16(record->raw, LTT_NATIVE_ENDIAN);
	event = ltt_kernel_events_find(&tracepoints->events, raw.id);
	/* Its own events would never end. */
	if (event != NULL && record->pid != (guint32)getpid())
		ltt_event_writer_write(&tracepoints->writer, event, file, record->pid, record->tid,
				       &raw);
	return event != NULL;
}
