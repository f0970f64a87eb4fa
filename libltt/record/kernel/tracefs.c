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
	g_autoptr(GError) failure = NULL;
	char *text;

	if (g_file_get_contents(full, &text, length, &failure))
		return text;
	ltt_fail(error, LTT_ERROR_IO, "%s", failure->message);
	return NULL;
}

int ltt_tracefs_open_file(const LttTracefs *tracefs, const char *path, int flags)
{
	g_autofree char *full = g_build_filename(tracefs->instance, path, NULL);
	const int fd = open(full, flags | O_CLOEXEC);

	return fd >= 0 ? fd : -errno;
}

gboolean ltt_tracefs_write(const LttTracefs *tracefs, const char *path, const char *text,
			   GError **error)
{
	const gsize length = strlen(text);
	const int fd = ltt_tracefs_open_file(tracefs, path, O_WRONLY | O_TRUNC);
	g_autofree char *full = NULL;
	int errnum = fd < 0 ? -fd : 0;

	if (fd >= 0) {
		if (write(fd, text, length) != (gssize)length)
			errnum = errno;
		close(fd);
	}
	if (errnum == 0)
		return TRUE;
	full = g_build_filename(tracefs->instance, path, NULL);
	return ltt_fail_io(error, full, "write", errnum);
}

/* ---- instances ---- */

/* Returns: (transfer full) (nullable): the start time of a process, in the kernel's units; NULL: it
 *   does not exist */
static char *get_start(guint64 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%" G_GUINT64_FORMAT "/stat", pid);
	g_autofree char *text = NULL;
	g_auto(GStrv) fields = NULL;
	const char *behind;

	if (ltt_proc_read(path, &text) != 0)
		return NULL;
	behind = strrchr(text, ')');
	fields = g_strsplit(behind != NULL ? behind : "", " ", START_FIELD + 2);
	return g_strv_length(fields) > START_FIELD ? g_strdup(fields[START_FIELD]) : NULL;
}

/* Returns: whether @name is an instance of a recorder that no longer exists */
static gboolean is_stale(const char *name)
{
	g_autofree char *start = NULL;
	guint64 pid;
	char *end;

	if (!g_str_has_prefix(name, PREFIX))
		return FALSE;
	pid = g_ascii_strtoull(name + strlen(PREFIX), &end, 10);
	if (pid == 0 || *end != '-')
		return FALSE;
	start = get_start(pid);
	return start == NULL || !g_str_equal(start, end + 1);
}

static void remove_instance(const char *path)
{
	g_autofree char *switch_path = g_build_filename(path, "tracing_on", NULL);
	const int fd = open(switch_path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (write(fd, "0", 1) != 1)
			g_debug("%s: %s", switch_path, g_strerror(errno));
		close(fd);
	}
	if (rmdir(path) != 0)
		g_debug("%s: %s", path, g_strerror(errno));
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

			remove_instance(path);
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
	g_autofree char *start = get_start((guint64)getpid());
	g_autofree char *name = g_strdup_printf(PREFIX "%d-%s", getpid(), start);
	g_autofree char *path = g_build_filename(tracefs->root, "instances", name, NULL);

	if (mkdir(path, 0700) != 0)
		return ltt_fail_io(error, path, "create the instance", errno);
	tracefs->instance = g_steal_pointer(&path);
	return ltt_tracefs_write(tracefs, "tracing_on", "0", error);
}

void ltt_tracefs_remove(LttTracefs *tracefs)
{
	if (tracefs->instance != NULL)
		remove_instance(tracefs->instance);
	g_clear_pointer(&tracefs->instance, g_free);
}

void ltt_tracefs_clear(LttTracefs *tracefs)
{
	ltt_tracefs_remove(tracefs);
	g_clear_pointer(&tracefs->root, g_free);
}
