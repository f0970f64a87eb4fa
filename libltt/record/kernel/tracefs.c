/* tracefs.c - an instance of the kernel's tracer. */
#include "record/kernel/tracefs-priv.h"

#include "base/error-priv.h"
#include "record/proc-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX     "ltt-"
#define MOST_NAMES 100

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

/* Locks an instance. Its recorder holds the lock as long as it exists; a process cannot tell from a
 * pid whether one of another PID namespace does. Returns: a descriptor or -errno */
static int lock_instance(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int errnum;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	errnum = errno;
	close(fd);
	return -errnum;
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

/* Removes an instance whose recorder no longer exists. */
static void remove_if_stale(const char *path)
{
	const int fd = lock_instance(path);
	const int errnum = fd >= 0 ? remove_instance(path) : -fd;

	if (errnum != 0)
		g_debug("%s: %s", path, g_strerror(errnum));
	if (fd >= 0)
		close(fd);
}

static void remove_stale(const LttTracefs *tracefs)
{
	g_autofree char *folder = g_build_filename(tracefs->root, "instances", NULL);
	GDir *instances = g_dir_open(folder, 0, NULL);
	const char *name;

	if (instances == NULL)
		return;
	while ((name = g_dir_read_name(instances)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (g_str_has_prefix(name, PREFIX))
			remove_if_stale(path);
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

	*tracefs = (LttTracefs){NULL, NULL, -1};
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
	*tracefs = (LttTracefs){NULL, NULL, -1};
	for (guint i = 0; i < G_N_ELEMENTS(roots) && tracefs->root == NULL; i++) {
		g_autofree char *list = g_build_filename(roots[i], "available_events", NULL);
		g_autofree char *events = g_build_filename(roots[i], "events", NULL);

		if (is_readable(list) && is_readable(events))
			tracefs->root = g_strdup(roots[i]);
	}
	return tracefs->root != NULL;
}

/* Makes a directory and locks it. Another recorder may remove it until it is locked.
 * Returns: a descriptor or -errno */
static int make_instance(const char *path)
{
	struct stat made;
	int fd;

	if (mkdir(path, 0700) != 0)
		return -errno;
	fd = lock_instance(path);
	if (fd == -EWOULDBLOCK)
		return -EAGAIN;
	if (fd < 0)
		return rmdir(path) != 0 && errno == ENOENT ? -EAGAIN : fd;
	if (fstat(fd, &made) != 0 || made.st_nlink > 0)
		return fd;
	close(fd);
	return -EAGAIN;
}

gboolean ltt_tracefs_create(LttTracefs *tracefs, GError **error)
{
	g_autofree char *path = NULL;
	int fd = -EEXIST;

	/* A recorder of another PID namespace may have the same pid. */
	for (guint i = 0; i < MOST_NAMES && (fd == -EEXIST || fd == -EAGAIN); i++) {
		g_autofree char *name = g_strdup_printf(PREFIX "%d-%u", getpid(), i);

		g_free(path);
		path = g_build_filename(tracefs->root, "instances", name, NULL);
		fd = make_instance(path);
	}
	if (fd < 0)
		return ltt_fail_io(error, path, "create the instance", -fd);
	tracefs->instance = g_steal_pointer(&path);
	tracefs->lock_fd = fd;
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

	if (tracefs->instance != NULL)
		close(tracefs->lock_fd);
	g_clear_pointer(&tracefs->instance, g_free);
	return errnum;
}

void ltt_tracefs_clear(LttTracefs *tracefs)
{
	ltt_tracefs_remove(tracefs);
	g_clear_pointer(&tracefs->root, g_free);
}
