/* attachment.c - programs attached to a recording.
 *
 * The order of the steps at the end makes the trace exact:
 *   1. The switches are turned off. A thread that has seen them off writes no later event, so the
 *      trace has all events of a thread up to one of them.
 *   2. The session ends, which completes the events in progress.
 *   3. The request to join is withdrawn. A thread that enters the slow path now touches no
 *      tracefile, and the slot counts the threads that are in it. When there are none, the trace
 *      can be finished, whatever idle or stopped processes have mapped.
 *   4. The switches are turned on for a moment, so that busy programs leave the session at once.
 */
#define _GNU_SOURCE
#include "base/error-priv.h"
#include "record/recording-priv.h"
#include "record/slot-priv.h"
#include "session/directory.h"
#include "session/finish.h"
#include "session/open.h"
#include "session/processes.h"
#include "session/sys.h"

#include <ltt/ltt-attach.h>

#include <string.h>

#define LEAVE_TRIES 20
#define QUIET_TRIES 100
#define WAIT_NS     1000000

struct LttAttachment {
	LttRecording *recording;
	GPtrArray *slots;    /* LttSlot */
	GPtrArray *failures; /* texts about processes that could not join; filled at the end */
};

LttAttachment *ltt_attachment_new(LttRecording *recording)
{
	LttAttachment *attachment = g_new0(LttAttachment, 1);

	attachment->recording = recording;
	attachment->slots = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_slot_free);
	attachment->failures = g_ptr_array_new_with_free_func(g_free);
	return attachment;
}

void ltt_attachment_free(LttAttachment *attachment)
{
	if (attachment == NULL)
		return;
	for (guint i = 0; i < attachment->slots->len; i++) {
		LttSlot *slot = g_ptr_array_index(attachment->slots, i);

		if (slot->is_on) {
			ltt_slot_turn_off(slot);
			ltt_slot_take_back(slot);
		}
	}
	g_ptr_array_unref(attachment->slots);
	g_ptr_array_unref(attachment->failures);
	g_free(attachment);
}

/* ---- adding ---- */

static LttSlot *find_slot(const LttAttachment *attachment, const LttSeat *seat)
{
	for (guint i = 0; i < attachment->slots->len; i++) {
		LttSlot *slot = g_ptr_array_index(attachment->slots, i);

		if (slot->seat.device == seat->device && slot->seat.inode == seat->inode &&
		    slot->seat.number == seat->number)
			return slot;
	}
	return NULL;
}

static gboolean fail_to_add(const LttTracee *tracee, const char *why, GError **error)
{
	return ltt_fail(error, LTT_ERROR_INVALID, "%s (process %u): %s", tracee->name, tracee->pid,
			why);
}

/* Ends a session whose `ltt attach` was killed, so that the program leaves it. The slot may be
 * forged, so the session must belong to the caller and have no recorder. */
static void end_left(const char *directory)
{
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	int folder, keeper = -1;

	if (lttp_session_open(session, directory, LTTP_SESSION_WATCH) != 0)
		return;
	folder = lttp_session_directory(session);
	if (folder >= 0 && lttp_session_trusts(folder, LTTP_SESSION_ATTACH_OWN))
		keeper = lttp_session_lock(session, LTTP_LOCK_KEEPER, F_WRLCK);
	if (keeper >= 0)
		lttp_session_end(session);
	lttp_close(keeper);
	lttp_close(folder);
	lttp_session_close(session);
}

static void clear_up(const LttSlot *slot)
{
	g_autofree struct lttp_attach_control *control = g_new0(struct lttp_attach_control, 1);

	if (ltt_slot_read(slot, control) == 0 &&
	    lttp_attach_wished(control->gate.generation) != 0 &&
	    memchr(control->directory, 0, sizeof(control->directory)) != NULL)
		end_left(control->directory);
}

static LttSlot *take_slot(const LttTracee *tracee, const LttSeat *seat, GError **error)
{
	int errnum;
	LttSlot *slot = ltt_slot_open(seat, &errnum);

	if (slot != NULL)
		errnum = ltt_slot_lock(slot);
	if (errnum == EBADF || errnum == EACCES)
		fail_to_add(tracee, ltt_tracee_state_text(LTT_TRACEE_HIDDEN), error);
	else if (errnum == EBUSY)
		fail_to_add(tracee, ltt_tracee_state_text(LTT_TRACEE_ATTACHED), error);
	else if (errnum != 0)
		ltt_fail_io(error, tracee->name, "attach it", errnum);
	else if (!ltt_slot_is_claimed(slot))
		fail_to_add(tracee, "it has ended", error);
	else
		return slot;
	ltt_slot_free(slot);
	return NULL;
}

static gboolean has_joined(const LttAttachment *attachment, const LttTracee *tracee)
{
	return lttp_processes_has(ltt_recording_get_session(attachment->recording),
				  tracee->inner_pid);
}

static gboolean check_wished(const LttTracee *tracee, int errnum, GError **error)
{
	if (errnum == 0)
		return TRUE;
	return ltt_fail_io(error, tracee->name, "attach it", errnum);
}

static gboolean add_seat(LttAttachment *attachment, const LttTracee *tracee, const LttSeat *seat,
			 GError **error)
{
	const LttRecording *recording = attachment->recording;
	LttSlot *slot = find_slot(attachment, seat);

	if (slot != NULL && has_joined(attachment, tracee))
		return TRUE;
	if (slot != NULL)
		return check_wished(tracee, ltt_slot_wish_also(slot, tracee->inner_pid), error);
	slot = take_slot(tracee, seat, error);
	if (slot == NULL)
		return FALSE;
	clear_up(slot);
	g_ptr_array_add(attachment->slots, slot);
	slot->has_filter = tracee->state == LTT_TRACEE_SECCOMP;
	ltt_slot_wish_also(slot, tracee->inner_pid);
	return check_wished(tracee,
			    ltt_slot_wish(slot, ltt_recording_get_path(recording),
					  ltt_recording_get_socket(recording),
					  ltt_recording_get_globs(recording)),
			    error);
}

gboolean ltt_attachment_add(LttAttachment *attachment, const LttTracee *tracee, GError **error)
{
	for (guint i = 0; i < tracee->seats->len; i++) {
		if (!add_seat(attachment, tracee, &g_array_index(tracee->seats, LttSeat, i), error))
			return FALSE;
	}
	return TRUE;
}

gboolean ltt_attachment_has(const LttAttachment *attachment, const LttTracee *tracee)
{
	for (guint i = 0; i < tracee->seats->len; i++) {
		if (find_slot(attachment, &g_array_index(tracee->seats, LttSeat, i)) == NULL)
			return FALSE;
	}
	return tracee->seats->len > 0;
}

gboolean ltt_attachment_spare(LttAttachment *attachment, const LttTracee *tracee)
{
	const gboolean is_traced = has_joined(attachment, tracee);

	for (guint i = 0; i < tracee->seats->len; i++) {
		LttSlot *slot = find_slot(attachment, &g_array_index(tracee->seats, LttSeat, i));

		if (slot == NULL)
			continue;
		slot->has_filter = TRUE;
		if (!is_traced)
			ltt_slot_wish_not(slot, tracee->inner_pid);
	}
	return !is_traced;
}

void ltt_attachment_forget(LttAttachment *attachment, guint32 inner_pid)
{
	for (guint i = 0; i < attachment->slots->len; i++)
		ltt_slot_forget(g_ptr_array_index(attachment->slots, i), inner_pid);
}

gboolean ltt_attachment_is_alive(LttAttachment *attachment)
{
	for (guint i = 0; i < attachment->slots->len; i++) {
		if (ltt_slot_is_claimed(g_ptr_array_index(attachment->slots, i)))
			return TRUE;
	}
	return FALSE;
}

/* ---- the end ---- */

static void each_slot(LttAttachment *attachment, void (*act)(LttSlot *slot))
{
	for (guint i = 0; i < attachment->slots->len; i++)
		act(g_ptr_array_index(attachment->slots, i));
}

static void call_out(LttSlot *slot)
{
	if (!slot->has_filter)
		ltt_slot_call_out(slot, TRUE);
}

static void collect_failures(LttAttachment *attachment, const struct lttp_attach_control *control)
{
	for (guint i = 0; i < LTTP_ATTACH_REPORTS; i++) {
		const struct lttp_attach_report *report = &control->reports[i];

		if (report->pid != 0)
			g_ptr_array_add(attachment->failures,
					g_strdup_printf("process %u could not join: %s",
							report->pid, g_strerror(report->error)));
	}
}

static gboolean is_inside(const LttAttachment *attachment)
{
	g_autofree struct lttp_attach_control *control = g_new0(struct lttp_attach_control, 1);

	for (guint i = 0; i < attachment->slots->len; i++) {
		const LttSlot *slot = g_ptr_array_index(attachment->slots, i);

		if (ltt_slot_is_claimed(slot) && ltt_slot_read(slot, control) == 0 &&
		    control->gate.inside != 0)
			return TRUE;
	}
	return FALSE;
}

/* Waits until no process touches a tracefile. Returns: FALSE on timeout */
static gboolean wait_quiet(const LttAttachment *attachment)
{
	for (guint i = 0; i < QUIET_TRIES; i++) {
		if (!is_inside(attachment))
			return TRUE;
		lttp_sleep_ns(WAIT_NS);
	}
	return FALSE;
}

gboolean ltt_attachment_finish(LttAttachment *attachment, LttRecordingTotals *totals)
{
	g_autofree struct lttp_attach_control *control = g_new0(struct lttp_attach_control, 1);
	gboolean is_quiet;

	each_slot(attachment, ltt_slot_turn_off);
	ltt_recording_stop(attachment->recording);
	each_slot(attachment, ltt_slot_take_back);
	each_slot(attachment, call_out);
	for (guint i = 0; i < LEAVE_TRIES && ltt_recording_is_attached(attachment->recording); i++)
		lttp_sleep_ns(WAIT_NS);
	each_slot(attachment, ltt_slot_turn_off);
	is_quiet = wait_quiet(attachment);
	for (guint i = 0; i < attachment->slots->len; i++) {
		if (ltt_slot_read(g_ptr_array_index(attachment->slots, i), control) == 0)
			collect_failures(attachment, control);
	}
	g_ptr_array_set_size(attachment->slots, 0);
	return ltt_recording_close(attachment->recording, is_quiet, totals);
}

char *ltt_attachment_get_failure(const LttAttachment *attachment, guint index)
{
	if (index >= attachment->failures->len)
		return NULL;
	return g_strdup(g_ptr_array_index(attachment->failures, index));
}
