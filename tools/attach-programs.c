/* attach-programs.c - record running programs. See attach-programs.h.
 *
 * Signals are held before the trace is created. Several times per second it looks for further
 * processes to attach: those with a requested name, and children of attached processes that have
 * executed another program.
 */
#define _GNU_SOURCE
#include "attach-programs.h"

#include "held-signals.h"
#include "record-totals.h"
#include "recording-options.h"
#include "tool.h"

#define LOOK_INTERVAL_US 100000

/* A process without a slot is examined again: one with a requested name each time for a minute, then every second. */
#define NAMED_LOOKS 600
#define NAMED_STEP  10

/* A process that has no slot. */
typedef struct Bare {
	guint n_searches; /* that have seen it */
	gboolean is_named;
} Bare;

typedef struct Run {
	const AttachPrograms *programs;
	LttRecording *recording;
	LttAttachment *attachment;
	GHashTable *known;    /* pid -> name of processes that were examined */
	GHashTable *attached; /* pid -> inner pid */
	GHashTable *refused;  /* set of pids of processes that cannot be attached, reported */
	GHashTable *bare;     /* pid -> Bare */
	HeldSignals signals;
	gboolean is_over;
	guint n_snapshots;
	gint64 start_us, next_look_us;
} Run;

/* ---- processes to attach ---- */

static void attach(Run *run, const LttTracee *tracee)
{
	g_autoptr(GError) error = NULL;

	if (ltt_attachment_add(run->attachment, tracee, &error))
		g_hash_table_insert(run->attached, GUINT_TO_POINTER(tracee->pid),
				    GUINT_TO_POINTER(tracee->inner_pid));
	else
		tool_warn("%s", error->message);
}

/* ---- later processes ---- */

static gboolean is_attached(const Run *run, guint32 pid)
{
	return g_hash_table_contains(run->attached, GUINT_TO_POINTER(pid));
}

/* A child shares the slot of an attached process until it executes another program. */
static gboolean can_be_added(const Run *run, const LttTracee *tracee)
{
	return attach_can(run->programs, tracee) ||
	       (tracee->state == LTT_TRACEE_ATTACHED &&
		(!tracee->has_filter || run->programs->dares_seccomp) &&
		ltt_attachment_has(run->attachment, tracee));
}

static gboolean is_wanted_now(const Run *run, const LttTracee *tracee)
{
	return can_be_added(run, tracee) &&
	       (attach_means_all(run->programs) || attach_is_named(run->programs, tracee) ||
		is_attached(run, tracee->pid) || is_attached(run, tracee->ppid));
}

/* Does not let a process with a slot of attached ones join or leave if it has a filter of system calls. */
static void spare(Run *run, LttTracee *tracee)
{
	if (!tracee->has_filter || run->programs->dares_seccomp ||
	    !ltt_attachment_has(run->attachment, tracee))
		return;
	if (ltt_attachment_spare(run->attachment, tracee) &&
	    (is_attached(run, tracee->pid) || attach_is_named(run->programs, tracee) ||
	     attach_means_all(run->programs)) &&
	    g_hash_table_add(run->refused, GUINT_TO_POINTER(tracee->pid))) {
		tracee->state = LTT_TRACEE_SECCOMP;
		attach_refuse(run->programs, tracee);
	}
}

/* Returns: (transfer full) (nullable): the name of a process, which exec usually changes */
static char *name_of(const char *pid)
{
	g_autofree char *path = g_build_filename("/proc", pid, "comm", NULL);
	char *name = NULL;

	return g_file_get_contents(path, &name, NULL, NULL) ? name : NULL;
}

/* Notes whether a process has no slot, as a program while the dynamic loader starts it. */
static void note_bare(Run *run, const LttTracee *tracee)
{
	gpointer pid = GUINT_TO_POINTER(tracee->pid);
	Bare *bare = g_hash_table_lookup(run->bare, pid);

	if (tracee->state != LTT_TRACEE_BARE) {
		g_hash_table_remove(run->bare, pid);
	} else if (bare == NULL) {
		bare = g_new(Bare, 1);
		*bare = (Bare){0, attach_is_named(run->programs, tracee)};
		g_hash_table_insert(run->bare, pid, bare);
	}
}

/* Whether a process that was examined and had no slot is to be examined again. Others than those with a requested name
 * are after 1, 2, 4, 8, ... searches. */
static gboolean may_have_started(const Run *run, guint32 pid)
{
	Bare *bare = g_hash_table_lookup(run->bare, GUINT_TO_POINTER(pid));

	if (bare == NULL)
		return FALSE;
	bare->n_searches++;
	if (bare->is_named)
		return bare->n_searches < NAMED_LOOKS || bare->n_searches % NAMED_STEP == 0;
	return (bare->n_searches & (bare->n_searches - 1)) == 0;
}

/* Reports a later process with a requested name that cannot be attached, once. In other states it
 * may still be starting, or share the slot of an attached process. */
static void refuse(Run *run, const LttTracee *tracee)
{
	if (tracee->state != LTT_TRACEE_FOREIGN && tracee->state != LTT_TRACEE_SECCOMP &&
	    tracee->state != LTT_TRACEE_OLD_HEADER && tracee->state != LTT_TRACEE_TRACED)
		return;
	if (attach_is_named(run->programs, tracee) &&
	    g_hash_table_add(run->refused, GUINT_TO_POINTER(tracee->pid)))
		attach_refuse(run->programs, tracee);
}

/* Examines a process if it is new, has another name, or may have got a slot since. An attached process is
 * always examined: it may have executed a program with the same name. Returns: FALSE if that must be done
 * again */
static gboolean look_at(Run *run, guint32 pid, const char *name)
{
	const char *before = g_hash_table_lookup(run->known, GUINT_TO_POINTER(pid));
	const gboolean is_same = before != NULL && g_str_equal(before, name);
	g_autoptr(LttTracee) tracee = NULL;

	if (is_same && !is_attached(run, pid) && !may_have_started(run, pid))
		return TRUE;
	if (before != NULL && !is_same) {
		g_hash_table_remove(run->bare, GUINT_TO_POINTER(pid));
		g_hash_table_remove(run->refused, GUINT_TO_POINTER(pid));
	}
	tracee = ltt_tracee_new(pid);
	if (is_wanted_now(run, tracee))
		attach(run, tracee);
	else if (!is_attached(run, pid))
		refuse(run, tracee);
	spare(run, tracee);
	note_bare(run, tracee);
	return tracee->state != LTT_TRACEE_GONE && tracee->state != LTT_TRACEE_UNREADABLE;
}

static GHashTable *new_known(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, g_free);
}

static gboolean is_absent(gpointer pid, gpointer value, gpointer present)
{
	(void)value;
	return !g_hash_table_contains(present, pid);
}

/* Forgets the processes that have ended: others can get their numbers. */
static void forget_ended(Run *run, GHashTable *present)
{
	GHashTableIter iter;
	gpointer pid, inner_pid;

	g_hash_table_iter_init(&iter, run->attached);
	while (g_hash_table_iter_next(&iter, &pid, &inner_pid)) {
		if (g_hash_table_contains(present, pid))
			continue;
		ltt_attachment_forget(run->attachment, GPOINTER_TO_UINT(inner_pid));
		g_hash_table_iter_remove(&iter);
	}
	g_hash_table_foreach_remove(run->refused, is_absent, present);
	g_hash_table_foreach_remove(run->bare, is_absent, present);
}

static void look_for_more(Run *run)
{
	g_autoptr(GHashTable) present = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) seen = new_known();
	g_autoptr(GDir) folder = g_dir_open("/proc", 0, NULL);
	const char *entry;

	while (folder != NULL && (entry = g_dir_read_name(folder)) != NULL) {
		const guint32 pid = (guint32)g_ascii_strtoull(entry, NULL, 10);
		char *name = pid != 0 ? name_of(entry) : NULL;

		if (name == NULL)
			continue;
		g_hash_table_add(present, GUINT_TO_POINTER(pid));
		if (look_at(run, pid, name))
			g_hash_table_insert(seen, GUINT_TO_POINTER(pid), name);
		else
			g_free(name);
	}
	if (folder != NULL)
		forget_ended(run, present);
	g_hash_table_unref(run->known);
	run->known = g_steal_pointer(&seen);
}

/* ---- while it runs ---- */

static void read_signals(Run *run)
{
	gboolean from_kernel;
	int signal;

	while (held_signals_next(&run->signals, &signal, &from_kernel)) {
		if (signal == run->programs->recorded.snapshot_signal)
			recording_take_snapshot(run->recording, &run->n_snapshots);
		else
			run->is_over = TRUE;
	}
}

/* With --pid only, the recording ends with the last of the processes. */
static gboolean has_more_to_come(Run *run)
{
	return run->programs->pids->len == 0 || run->programs->names != NULL ||
	       ltt_attachment_is_alive(run->attachment);
}

static guint64 time_left_ns(const Run *run, gint64 now_us)
{
	const gint64 end_us = run->start_us + (gint64)run->programs->duration_ms * 1000;

	if (run->programs->duration_ms == 0)
		return G_MAXUINT64;
	return now_us < end_us ? (guint64)(end_us - now_us) * 1000 : 0;
}

static void watch(Run *run)
{
	while (!run->is_over) {
		const guint64 feed_ns = ltt_recording_feed(run->recording);
		const gint64 now_us = g_get_monotonic_time();
		const guint64 wait_ns = MIN(feed_ns, time_left_ns(run, now_us));

		if (now_us >= run->next_look_us) {
			look_for_more(run);
			run->next_look_us = now_us + LOOK_INTERVAL_US;
		}
		if (wait_ns == 0 || !has_more_to_come(run))
			break;
		held_signals_wait(&run->signals, wait_ns);
		read_signals(run);
	}
}

/* ---- the end ---- */

static void warn_failures(const Run *run)
{
	char *text;

	for (guint i = 0; (text = ltt_attachment_get_failure(run->attachment, i)) != NULL; i++) {
		tool_warn("not traced: %s", text);
		g_free(text);
	}
}

static void finish(Run *run)
{
	const double seconds = (double)(g_get_monotonic_time() - run->start_us) / 1e6;
	RecordProgram recorded = run->programs->recorded;
	LttRecordingTotals totals;
	gboolean complete;

	complete = ltt_attachment_finish(run->attachment, &totals);
	/* --facility was checked at the start. */
	recorded.options.facilities = NULL;
	record_totals_tell(&recorded, run->recording, &totals, complete, 0, seconds);
	warn_failures(run);
	held_signals_end(&run->signals);
}

static gboolean start(Run *run, GPtrArray *asked)
{
	g_autoptr(GError) error = NULL;

	run->recording = ltt_recording_new(run->programs->recorded.path,
					   &run->programs->recorded.options, &error);
	if (run->recording == NULL) {
		tool_fail_error(error);
		return FALSE;
	}
	run->attachment = ltt_attachment_new(run->recording);
	run->known = new_known();
	run->attached = g_hash_table_new(NULL, NULL);
	run->bare = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (guint i = 0; i < asked->len; i++)
		attach(run, g_ptr_array_index(asked, i));
	if (g_hash_table_size(run->attached) > 0)
		return TRUE;
	tool_fail("no process could be attached");
	ltt_attachment_free(g_steal_pointer(&run->attachment));
	ltt_recording_discard(g_steal_pointer(&run->recording));
	return FALSE;
}

int attach_programs(const AttachPrograms *programs)
{
	Run run = {.programs = programs, .start_us = g_get_monotonic_time()};
	g_autoptr(GHashTable) refused = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) asked = NULL;

	if (!held_signals_begin(&run.signals, (const int[]){programs->recorded.snapshot_signal, 0}))
		return tool_end();
	run.refused = refused;
	asked = attach_find(programs);
	if (!attach_keep(programs, asked, refused) || !start(&run, asked))
		return tool_end();
	attach_check_facilities(programs, asked);
	tool_note("%s: attached to %u %s", programs->recorded.path, g_hash_table_size(run.attached),
		  g_hash_table_size(run.attached) == 1 ? "process" : "processes");
	watch(&run);
	finish(&run);
	ltt_attachment_free(run.attachment);
	ltt_recording_free(run.recording);
	g_hash_table_unref(run.known);
	g_hash_table_unref(run.attached);
	g_hash_table_unref(run.bare);
	return tool_end();
}
