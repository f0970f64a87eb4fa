/* tracefs-priv.h - an instance of the kernel's tracer.
 *
 * An instance is a directory of tracefs with ring buffers of its own, so that other users of the
 * tracer are not disturbed. Its name is "ltt-PID-NUMBER". The recorder locks the directory, so that the
 * next recorder can remove the instance of one that was killed.
 */
#ifndef LTT_RECORD_KERNEL_TRACEFS_PRIV_H
#define LTT_RECORD_KERNEL_TRACEFS_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/tracefs-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include <ltt/ltt-error.h>

typedef struct LttTracefs {
	char *root;     /* "/sys/kernel/tracing" */
	char *instance; /* directory of the instance; NULL: none */
	int lock_fd;    /* the locked directory, if there is an instance */
} LttTracefs;

/**
 * ltt_tracefs_open:
 *
 * Finds the mounted tracefs, and removes instances of recorders that no longer exist.
 *
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED: there is no tracefs, or this user may not use it. The
 * message suggests a solution
 */
gboolean ltt_tracefs_open(LttTracefs *tracefs, GError **error);

/* Finds a tracefs of which this user may read the formats of tracepoints. Returns: whether there is one */
gboolean ltt_tracefs_open_formats(LttTracefs *tracefs);

/* Creates the instance, which records nothing yet. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_tracefs_create(LttTracefs *tracefs, GError **error);

/* Stops the instance: it traces no later event. Returns: 0 or an errno */
int ltt_tracefs_stop(const LttTracefs *tracefs);

/* Stops and removes the instance, if there is one. Returns: 0 or an errno: it could not be removed, and
 * the next recorder tries it again */
int ltt_tracefs_remove(LttTracefs *tracefs);
void ltt_tracefs_clear(LttTracefs *tracefs);

/* Reads a file of tracefs. @path: relative to the root. Returns: (transfer full) (nullable): NULL
 *   with LTT_ERROR_IO */
char *ltt_tracefs_read(const LttTracefs *tracefs, const char *path, gsize *length, GError **error);

/* Writes a file of the instance with one write(2). @path: relative to the instance. Returns: FALSE
 *   with LTT_ERROR_IO */
gboolean ltt_tracefs_write(const LttTracefs *tracefs, const char *path, const char *text,
			   GError **error);

/* The same. Returns: 0 or an errno */
int ltt_tracefs_put(const LttTracefs *tracefs, const char *path, const char *text);

/* Opens a file of the instance. Returns: -errno on failure */
int ltt_tracefs_open_file(const LttTracefs *tracefs, const char *path, int flags);

#endif
