/* ltt-attach.h - record running programs: find, attach, detach.
 *
 *	tracee = ltt_tracee_new(pid);
 *	recording = ltt_recording_new("trace", &options, &error);
 *	attachment = ltt_attachment_new(recording);
 *	ltt_attachment_add(attachment, tracee, &error);
 *	... call ltt_recording_feed(recording) again after as many nanoseconds as it returns ...
 *	ltt_attachment_finish(attachment, &totals);
 *
 * A program can be attached if it was built with libltt-probe and belongs to the caller, or if the
 * caller is root. It joins the recording by itself, at its next event: it receives no signal, no
 * thread and no file descriptor. See doc/attach.md.
 */
#ifndef LTT_ATTACH_H
#define LTT_ATTACH_H

#include <ltt/ltt-recording.h>

G_BEGIN_DECLS

/* Whether a process can be attached, or the reason why it cannot. */
typedef enum LttTraceeState {
	LTT_TRACEE_READY,
	LTT_TRACEE_ATTACHED,   /* another process is attached to it */
	LTT_TRACEE_TRACED,     /* it is being traced, by `ltt record` or ltt_probe_start() */
	LTT_TRACEE_SECCOMP,    /* it has a seccomp filter, which may kill it when it joins */
	LTT_TRACEE_OLD_HEADER, /* its headers were generated before programs could be attached */
	LTT_TRACEE_BARE,       /* it was not built with libltt-probe, or has no slot */
	LTT_TRACEE_HIDDEN,     /* it has a slot that the caller cannot open */
	LTT_TRACEE_FOREIGN,    /* it belongs to another user */
	LTT_TRACEE_GONE,       /* the process does not exist */
	LTT_TRACEE_UNREADABLE, /* a system call failed while it was examined; try again */
} LttTraceeState;

/* A snapshot of a process. */
typedef struct LttTracee {
	guint32 pid;
	guint32 ppid;
	guint32 uid;       /* the effective one */
	char *name;        /* what ps shows as COMMAND; "" if the process is gone */
	char *executable;  /* base name of its path; "" if unknown */
	char **facilities; /* names, NULL-terminated, as the process itself reports them */
	LttTraceeState state;
	GArray *seats;       /* private to the library: where its slots are */
	guint32 inner_pid;   /* its number in its own PID namespace */
	gboolean has_filter; /* its first thread has a seccomp filter */
} LttTracee;

/* Takes a snapshot of a process. Returns: (transfer full) */
LttTracee *ltt_tracee_new(guint32 pid);

/* NULL is allowed and ignored. */
void ltt_tracee_free(LttTracee *tracee);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTracee, ltt_tracee_free)

/**
 * ltt_tracee_list:
 *
 * Returns: (transfer full) (element-type LttTracee): the processes that were built with
 *   libltt-probe, and those in state LTT_TRACEE_UNREADABLE or LTT_TRACEE_FOREIGN, sorted by pid
 */
GPtrArray *ltt_tracee_list(void);

/* Returns: the meaning of a state and the next step, as a clause: "it traces already ..." */
const char *ltt_tracee_state_text(LttTraceeState state);

typedef struct LttAttachment LttAttachment;

/* @recording: (transfer none): must outlive the attachment
 * Returns: (transfer full): an attachment without programs */
LttAttachment *ltt_attachment_new(LttRecording *recording);

/* Detaches the programs unless ltt_attachment_finish() has; NULL is allowed and ignored. */
void ltt_attachment_free(LttAttachment *attachment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttAttachment, ltt_attachment_free)

/**
 * ltt_attachment_add:
 * @tracee: in state LTT_TRACEE_READY, or LTT_TRACEE_SECCOMP if the caller accepts that risk
 *
 * Attaches a process and the children that it forks from now on. Existing children must be attached
 * one by one. Does nothing for a process that is attached already.
 *
 * Returns: FALSE with LTT_ERROR_INVALID (another process attached first, or @tracee has exited) or
 *   LTT_ERROR_IO
 */
gboolean ltt_attachment_add(LttAttachment *attachment, const LttTracee *tracee, GError **error);

/* Returns: whether all slots of the process are those of attached programs: it was attached, or forked from an
 *   attached process, and can be added although its state is LTT_TRACEE_ATTACHED */
gboolean ltt_attachment_has(const LttAttachment *attachment, const LttTracee *tracee);

/* Does not ask a process that shares a slot with attached programs to join, because it has a seccomp filter, which may
 * kill it when it joins or leaves. If it has joined, it goes on tracing. Returns: whether it has not joined */
gboolean ltt_attachment_spare(LttAttachment *attachment, const LttTracee *tracee);

/* Forgets a process that has ended. @inner_pid: as LttTracee.inner_pid */
void ltt_attachment_forget(LttAttachment *attachment, guint32 inner_pid);

/* Returns: whether any attached program is still running */
gboolean ltt_attachment_is_alive(LttAttachment *attachment);

/**
 * ltt_attachment_finish:
 * @totals: (out)
 *
 * Stops tracing in the programs, in an order that leaves no gap before the last event of a thread,
 * then finishes the recording as ltt_recording_finish() does. Idle and stopped programs neither
 * delay this nor touch the trace afterwards.
 *
 * Returns: FALSE if processes may still access the trace because they are stopped in the middle of
 *   an event; the trace is valid nevertheless
 */
gboolean ltt_attachment_finish(LttAttachment *attachment, LttRecordingTotals *totals);

/* Returns: (transfer full) (nullable): number @index of the processes known to have failed to
 *   join, and why; NULL: there are no more than @index */
char *ltt_attachment_get_failure(const LttAttachment *attachment, guint index);

G_END_DECLS

#endif /* LTT_ATTACH_H */
