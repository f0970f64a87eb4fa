/* tracefs.c - an instance of the kernel's tracer. */
#include "record/kernel/tracefs-priv.h"

#include "base/error-priv.h"
#include "record/proc-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "ltt-"

/* Field 22 of /proc/PID/stat, counted after the name in parentheses. */
#define START_FIELD 20

static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

/* ---- files ---- */

char *ltt_tracefs_read(const LttTracefs *tracefs, const char *path, gsize *length, GError **error)
{
	g_autofree char *full = g_build_filename(tracefs->root, path, NULL);
	char *text;
	const int errnum = ltt_proc_read(full, &text);

	if (errnum != 0) {
		ltt_fail_io(error, full, "read", errnum);
		return NULL;
	}
	if (length != NULL)
		*length = strlen(text);
	return text;
}

int ltt_tracefs_open_file(const LttTracefs *tracefs, const char *path, int flags)
{
	g_autofree char *full = g_build_filename(tracefs->instance, path, NULL);
	const int fd = open(full, flags | O_CLOEXEC);

	return fd >= 0 ? fd : -errno;
}

int ltt_tracefs_put(const LttTracefs *tracefs, const char *path, const char *text)
{
	const gsize length = strlen(text);
	const int fd = ltt_tracefs_open_file(tracefs, path, O_WRONLY | O_TRUNC);
	int errnum = fd < 0 ? -fd : 0;

	if (fd >= 0) {
		if (write(fd, text, length) != (gssize)length)
			errnum = errno;
		close(fd);
	}
	return errnum;
}

gboolean ltt_tracefs_write(const LttTracefs *tracefs, const char *path, const char *text,
			   GError **error)
{
	const int errnum = ltt_tracefs_put(tracefs, path, text);
	g_autofree char *full = NULL;

	if (errnum == 0)
		return TRUE;
	full = g_build_filename(tracefs->instance, path, NULL);
	return ltt_fail_io(error, full, "write", errnum);
}

/* ---- instances ---- */

/* Reads the start time of a process, in the kernel's units. Returns: 0 or an errno */
static int read_start(guint64 pid, char **start)
{
	g_autofree char *path = g_strdup_printf("/proc/%" G_GUINT64_FORMAT "/stat", pid);
	g_autofree char *text = NULL;
	const int errnum = ltt_proc_read(path, &text);
	g_auto(GStrv) fields = NULL;
	const char *behind;

	if (errnum != 0)
		return errnum;
	behind = strrchr(text, ')');
	fields = g_strsplit(behind != NULL ? behind : "", " ", START_FIELD + 2);
	if (g_strv_length(fields) <= START_FIELD)
		return ENODATA;
	*start = g_strdup(fields[START_FIELD]);
	return 0;
}

/* Returns: whether @name is an instance of a recorder that no longer exists */
static gboolean is_stale(const char *name)
{
	g_autofree char *start = NULL;
	guint64 pid;
	char *end;
	int errnum;

	if (!g_str_has_prefix(name, PREFIX))
		return FALSE;
	pid = g_ascii_strtoull(name + strlen(PREFIX), &end, 10);
	if (pid == 0 || *end != '-')
		return FALSE;
	errnum = read_start(pid, &start);
	return errnum == ENOENT || errnum == ESRCH || (errnum == 0 && !g_str_equal(start, end + 1));
}

/* An instance that cannot be removed does not trace any more. Returns: 0 or an errno */
static int remove_instance(const char *path)
{
	const LttTracefs tracefs = {.instance = (char *)path};

	ltt_tracefs_stop(&tracefs);
	/* Another program may be reading a file of it. */
	if (rmdir(path) == 0)
		return 0;
	return rmdir(path) == 0 ? 0 : errno;
}

static void remove_stale(const LttTracefs *tracefs)
{
	g_autofree char *folder = g_build_filename(tracefs->root, "instances", NULL);
	GDir *instances = g_dir_open(folder, 0, NULL);
	const char *name;

	if (instances == NULL)
		return;
	while ((name = g_dir_read_name(instances)) != NULL) {
		if (is_stale(name)) {
			g_autofree char *path = g_build_filename(folder, name, NULL);
			const int errnum = remove_instance(path);

			if (errnum != 0)
				g_debug("%s: %s", path, g_strerror(errnum));
		}
	}
	g_dir_close(instances);
}

static gboolean fail_to_open(int errnum, GError **error)
{
	if (errnum == EACCES || errnum == EPERM)
		return ltt_fail(
			error, LTT_ERROR_UNSUPPORTED,
			"kernel events: this user may not use tracefs (%s); run `ltt record` "
			"as root, or, in a container, with CAP_SYS_ADMIN",
			roots[0]);
	if (errnum == EROFS)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"kernel events: tracefs (%s) is mounted read-only", roots[0]);
	return ltt_fail(
		error, LTT_ERROR_UNSUPPORTED,
		"kernel events: tracefs is not mounted; as root, run `mount -t tracefs nodev "
		"%s`. In a container, mount the host's %s",
		roots[0], roots[0]);
}

gboolean ltt_tracefs_open(LttTracefs *tracefs, GError **error)
{
	int errnum = ENOENT;

	*tracefs = (LttTracefs){NULL, NULL};
	for (guint i = 0; i < G_N_ELEMENTS(roots); i++) {
		g_autofree char *path = g_build_filename(roots[i], "instances", NULL);

		if (access(path, R_OK | W_OK | X_OK) == 0) {
			tracefs->root = g_strdup(roots[i]);
			remove_stale(tracefs);
			return TRUE;
		}
		if (errno != ENOENT)
			errnum = errno;
	}
	return fail_to_open(errnum, error);
}

/* Also with a capability, which access(2) does not take into account. */
static gboolean is_readable(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

gboolean ltt_tracefs_open_formats(LttTracefs *tracefs)
{
	*tracefs = (LttTracefs){NULL, NULL};
	for (guint i = 0; i < G_N_ELEMENTS(roots) && tracefs->root == NULL; i++) {
		g_autofree char *list = g_build_filename(roots[i], "available_events", NULL);
		g_autofree char *events = g_build_filename(roots[i], "events", NULL);

		if (is_readable(list) && is_readable(events))
			tracefs->root = g_strdup(roots[i]);
	}
	return tracefs->root != NULL;
}

gboolean ltt_tracefs_create(LttTracefs *tracefs, GError **error)
{
	g_autofree char *start = NULL;
	const int errnum = read_start((guint64)getpid(), &start);
	g_autofree char *name = g_strdup_printf(PREFIX "%d-%s", getpid(), start);
	g_autofree char *path = g_build_filename(tracefs->root, "instances", name, NULL);

	if (errnum != 0)
		return ltt_fail_io(error, "/proc/self/stat", "read", errnum);
	if (mkdir(path, 0700) != 0)
		return ltt_fail_io(error, path, "create the instance", errno);
	tracefs->instance = g_steal_pointer(&path);
	return ltt_tracefs_write(tracefs, "tracing_on", "0", error);
}

int ltt_tracefs_stop(const LttTracefs *tracefs)
{
	const int errnum = ltt_tracefs_put(tracefs, "tracing_on", "0");

	return errnum != 0 && ltt_tracefs_put(tracefs, "events/enable", "0") == 0 ? 0 : errnum;
}

int ltt_tracefs_remove(LttTracefs *tracefs)
{
	const int errnum = tracefs->instance != NULL ? remove_instance(tracefs->instance) : 0;

	g_clear_pointer(&tracefs->instance, g_free);
	return errnum;
}

void ltt_tracefs_clear(LttTracefs *tracefs)
{
	ltt_tracefs_remove(tracefs);
	g_clear_pointer(&tracefs->root, g_free);
}
