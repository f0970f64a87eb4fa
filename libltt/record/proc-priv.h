/* proc-priv.h - read and parse files of /proc. */
#ifndef LTT_RECORD_PROC_PRIV_H
#define LTT_RECORD_PROC_PRIV_H

#ifndef LTT_BUILDING
#error "record/proc-priv.h is private to libltt; use <ltt/ltt-machine.h>"
#endif

#include <ltt/ltt-machine.h>
#include <ltt/ltt-payload.h>

/* Reads a file of unknown size. @text: (out) (transfer full): set on success
 * Returns: 0 or an errno */
int ltt_proc_read(const char *path, char **text);

/* Returns: CLOCK_MONOTONIC in nanoseconds */
guint64 ltt_monotonic_ns(void);

/* Parses /proc/interrupts, ignoring unknown lines.
 * Returns: (transfer full) (element-type LttInterrupt): the array frees its elements */
GPtrArray *ltt_interrupts_parse(const char *text);

/* Parses /proc/PID/status. @process: (out): set on success, except monotonic_ns; the caller owns
 * the name. Returns: FALSE if name, pid, parent, user, group or state is missing */
gboolean ltt_process_parse(const char *text, LttProcess *process);

/* Make the payload of an interrupts.interrupt and of a processes.process. */
void ltt_interrupt_write(const LttInterrupt *interrupt, LttPayload *payload);
void ltt_process_write(const LttProcess *process, LttPayload *payload);

#endif
