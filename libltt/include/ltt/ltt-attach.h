/* ltt-attach.h - programs that run already: find them, record them, leave them again.
 *
 *	tracee = ltt_tracee_new(pid);
 *	recording = ltt_recording_new("trace", &options, &error);
 *	attachment = ltt_attachment_new(recording);
 *	ltt_attachment_add(attachment, tracee, &error);
 *	... as long as you like, come again after ltt_recording_feed(recording) nanoseconds ...
 *	ltt_attachment_finish(attachment, &totals);
 *
 * A program can be attached if it was built with libltt-probe and belongs to the caller, or if the
 * caller is root. It joins the recording at its next event, by itself: it gets no signal, no thread
 * and no file descriptor. doc/attach.md has the whole.
 */
#ifndef LTT_ATTACH_H
#define LTT_ATTACH_H

#include <ltt/ltt-recording.h>

G_BEGIN_DECLS

/* Whether a process can be attached, and why not. */
typedef enum LttTraceeState {
	LTT_TRACEE_READY,
	LTT_TRACEE_ATTACHED,   /* somebody else is attached to it */
	LTT_TRACEE_TRACED,     /* it traces already, by `ltt record` or ltt_probe_start() */
	LTT_TRACEE_SECCOMP,    /* it has a seccomp filter, which may kill it when it joins */
	LTT_TRACEE_OLD_HEADER, /* its headers were generated before programs could be attached */
	LTT_TRACEE_BARE,       /* it was not built with libltt-probe, or has no slot */
	LTT_TRACEE_HIDDEN,     /* it has a slot that cannot be opened from here */
	LTT_TRACEE_FOREIGN,    /* it belongs to somebody else */
	LTT_TRACEE_GONE,       /* there is no such process */
} LttTraceeState;

/* A process, as it was when it was looked at. */
typedef struct LttTracee {
	guint32 pid;
	guint32 ppid;
	guint32 uid;       /* the effective one */
	char *name;        /* what ps shows as COMMAND; "" if the process is gone */
	char *executable;  /* the last part of its path; "" if that is not known */
	char **facilities; /* names, ends with NULL; what the process itself says */
	LttTraceeState state;
	GArray *seats; /* for the library: where its slots are */
} LttTracee;

/* Looks at a process. Returns: (transfer full) */
LttTracee *ltt_tracee_new(guint32 pid);

/* NULL is allowed and ignored. */
void ltt_tracee_free(LttTracee *tracee);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTracee, ltt_tracee_free)

/**
 * ltt_tracee_list:
 *
 * Returns: (transfer full): the processes, in the order of their pids, that were built with
 *   libltt-probe and that the caller may look at; LttTracee
 */
GPtrArray *ltt_tracee_list(void);

/* Returns: what a state means, as half a sentence with the next step: "it traces already ..." */
const char *ltt_tracee_state_text(LttTraceeState state);

typedef struct LttAttachment LttAttachment;

/* Begins to attach programs to a recording, which stays the caller's. Returns: (transfer full) */
LttAttachment *ltt_attachment_new(LttRecording *recording);

/* Lets go of the programs if that was not done yet; NULL is allowed and ignored. */
void ltt_attachment_free(LttAttachment *attachment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttAttachment, ltt_attachment_free)

/**
 * ltt_attachment_add:
 * @tracee: of state LTT_TRACEE_READY, or LTT_TRACEE_SECCOMP if that is dared
 *
 * Attaches a process, and the children that it forks from now on. Children that it has are
 * processes of their own. A process that is attached already stays so.
 *
 * Returns: FALSE with LTT_ERROR_INVALID (somebody else was faster, or the process has ended) or
 *   LTT_ERROR_IO
 */
gboolean ltt_attachment_add(LttAttachment *attachment, const LttTracee *tracee, GError **error);

/* Whether an attached program still runs. */
gboolean ltt_attachment_is_alive(LttAttachment *attachment);

/**
 * ltt_attachment_finish:
 * @totals: (out)
 *
 * Turns the programs off, in an order that leaves no event out before the last one of a thread, and
 * ends the recording as ltt_recording_finish() does. Programs that are idle or stopped do not hold
 * it up, and have left the trace all the same: they touch it no more.
 *
 * Returns: FALSE if processes may still have to do with the trace, because they are stopped in the
 *   middle of an event; the trace is good all the same
 */
gboolean ltt_attachment_finish(LttAttachment *attachment, LttRecordingTotals *totals);

/* Returns: (transfer full) (nullable): a process that could not join, and why; NULL: there are not
 *   more than @index that are known */
char *ltt_attachment_get_failure(const LttAttachment *attachment, guint index);

G_END_DECLS

#endif /* LTT_ATTACH_H */
