/* proc-priv.h - texts of /proc, read and taken apart. */
#ifndef LTT_PROC_PRIV_H
#define LTT_PROC_PRIV_H

#ifndef LTT_BUILDING
#error "proc-priv.h is private to libltt; use <ltt/ltt-machine.h>"
#endif

#include <ltt/ltt-machine.h>

/* Reads a file that tells no size. @text: (out) (transfer full): set on success
 * Returns: 0, or the errno of what failed */
int ltt_proc_read(const char *path, char **text);

/* Returns: CLOCK_MONOTONIC in nanoseconds */
guint64 ltt_monotonic_ns(void);

/* The lines of /proc/interrupts. What is not such a line is passed over.
 * Returns: (transfer full) (element-type LttInterrupt): frees its elements */
GPtrArray *ltt_interrupts_parse(const char *text);

/* The lines of /proc/PID/status. @process: (out): name owned; monotonic_ns not set. Set on success
 * Returns: FALSE if name, id, parent, user, group or state are not there */
gboolean ltt_process_parse(const char *text, LttProcess *process);

#endif
