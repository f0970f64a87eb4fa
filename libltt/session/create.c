/* create.c - create a trace directory and its session. See create.h.
 *
 * The session state gets its name last: a process that can open it finds a complete directory.
 */
#define _GNU_SOURCE
#include "session/create.h"

#include "session/clock.h"
#include "session/control.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/file.h"
#include "session/open.h"
#include "session/registry.h"
#include "session/sys.h"
#include "session/system.h"
#include "session/tracer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHUNK_BYTES = 4 << 20, /* size of a chunk of a growing file */
	HEARTBEAT_MS_DEFAULT = 1000,
	HEARTBEAT_MS_MAX = 3600 * 1000,
	FLIGHT_BLOCKS_MIN = 2,
	OPTIONS_BYTES_MIN =
		offsetof(struct ltt_probe_options, system_xml), /* of the first version */
};

static const char *const folders[] = {"eventdefs", "info", "control", "cpu"};

/* A user who can lock this file can block the session, so only the owner may open it. */
enum { LOCK_MODE = 0600 };

/* Sets the layout according to the options. */
static int lay_out(struct lttp_head *head, const struct ltt_probe_options *options)
{
	uint32_t block =
		options->block_bytes != 0 ? options->block_bytes : LTTP_BLOCK_BYTES_DEFAULT;
	uint64_t flight = options->flight_bytes / block + (options->flight_bytes % block != 0);

	if (block < LTTP_BLOCK_BYTES_MIN || block > LTTP_BLOCK_BYTES_MAX ||
	    (block & (block - 1)) != 0 || block < (uint32_t)sysconf(_SC_PAGESIZE) ||
	    options->clock > LTT_PROBE_CLOCK_FAST || options->heartbeat_ms > HEARTBEAT_MS_MAX ||
	    options->reserved != 0 || flight * block > 1ull << 40)
		return -EINVAL;
	if (options->facilities != NULL && strlen(options->facilities) >= sizeof(head->globs))
		return -EINVAL;

	memcpy(head->magic, LTTP_SESSION_MAGIC, sizeof(head->magic));
	head->version = LTTP_SESSION_VERSION;
	head->byte_order = LTTP_SESSION_BYTE_ORDER;
	head->arch_size = LTTP_ARCH_SIZE;
	head->block_bytes = block;
	if (options->flight_bytes != 0)
		head->flight_blocks =
			flight > FLIGHT_BLOCKS_MIN ? (uint32_t)flight : FLIGHT_BLOCKS_MIN;
	head->chunk_blocks = head->flight_blocks != 0 ? 2 * head->flight_blocks
			     : block < CHUNK_BYTES    ? CHUNK_BYTES / block
						      : 1;
	head->cpus = lttp_system_cpus();
	head->lanes = LTTP_LANES;
	head->ordered = options->clock == LTT_PROBE_CLOCK_ORDERED;
	strncpy(head->globs, options->facilities != NULL ? options->facilities : "*",
		sizeof(head->globs) - 1);
	return 0;
}

/* Creates info/session under a temporary name. */
static int make_state(struct lttp_session *session, int directory, uint32_t files)
{
	size_t size = lttp_session_bytes(files);
	int fd = lttp_openat(directory, "info/session.new", O_RDWR | O_CREAT | O_EXCL, 0666);
	void *at = MAP_FAILED;
	int result;

	if (fd < 0)
		return fd;
	result = lttp_allocate(fd, 0, size);
	if (result == 0) {
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		result = at == MAP_FAILED ? -errno : 0;
	}
	lttp_close(fd);
	if (result != 0)
		return result;
	session->head = at;
	session->files = (struct lttp_file *)(session->head + 1);
	session->size_bytes = size;
	return 0;
}

static void fill_state(struct lttp_session *session, const struct lttp_head *layout,
		       const struct stat *directory, uint32_t heartbeat_ms)
{
	struct lttp_head *head = session->head;
	struct stat status;

	*head = *layout;
	head->device = directory->st_dev;
	head->inode = directory->st_ino;
	head->time_namespace = stat("/proc/self/ns/time", &status) == 0 ? status.st_ino : 0;
	head->pid_namespace = stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
	head->running = 1;
	for (uint32_t i = 0; i < lttp_session_files(head); i++) {
		session->files[i].current = LTTP_NO_BLOCK;
		session->files[i].gate.cut_cycles = LTTP_CUT_NEVER;
	}
	lttp_clock_start(head, heartbeat_ms);
	/* A thread that was in another session keeps its number from there until the slow path. The
	 * clock advances faster than numbers are assigned, so sessions of a process have different
	 * numbers. */
	head->serials = LTTP_SERIAL_FIRST + head->start_monotonic_ns;
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		long written = lttp_write(fd, text, size);

		if (written < 0 && written != -EINTR)
			return (int)written;
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	}
	return 0;
}

static int write_new(int directory, const char *path, const char *text)
{
	int fd = lttp_openat(directory, path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	int result;

	if (fd < 0)
		return fd;
	result = lttp_allocate(fd, 0, strlen(text));
	if (result == 0)
		result = write_all(fd, text, strlen(text));
	lttp_close(fd);
	return result;
}

/* Creates the empty tracefiles of the online CPUs. */
static int make_files(struct lttp_session *session, int directory)
{
	uint32_t cpus = session->head->cpus;
	bool *online = calloc(cpus, sizeof(*online));
	int result = 0;

	if (online == NULL)
		return -ENOMEM;
	if (mkdirat(directory, LTTP_SPARE_FOLDER, 0777) != 0)
		result = -errno;
	lttp_system_online(online, cpus);
	for (uint32_t i = 0; result == 0 && i < cpus; i++) {
		if (online[i])
			result = lttp_file_make(session, directory, i);
	}
	free(online);
	return result;
}

static int make_lock(int directory)
{
	int fd = lttp_openat(directory, "info/lock", O_RDWR | O_CREAT | O_EXCL, LOCK_MODE);

	lttp_close(fd);
	return fd < 0 ? fd : 0;
}

static int write_system(const struct lttp_session *session, int directory, const char *given)
{
	char *made = given == NULL ? lttp_system_xml(session->head) : NULL;
	int result = -ENOMEM;

	if (given != NULL || made != NULL)
		result = write_new(directory, "info/system.new", given != NULL ? given : made);
	free(made);
	/* A reader never finds a part of it. */
	if (result == 0 &&
	    renameat(directory, "info/system.new", directory, "info/system.xml") != 0)
		result = -errno;
	return result;
}

static int fill_directory(struct lttp_session *session, int directory,
			  const struct ltt_probe_options *options, const struct lttp_head *layout)
{
	struct stat status;
	uint32_t base;
	int result = fstat(directory, &status) != 0
			     ? -errno
			     : make_state(session, directory, lttp_session_files(layout));

	if (result != 0)
		return result;
	fill_state(session, layout, &status,
		   options->heartbeat_ms != 0 ? options->heartbeat_ms : HEARTBEAT_MS_DEFAULT);
	result = make_lock(directory);
	if (result == 0)
		result = make_files(session, directory);
	if (result == 0)
		result = write_system(session, directory, options->system_xml);
	if (result == 0)
		result = lttp_registry_create(session);
	if (result == 0)
		result = lttp_control_create(session);
	if (result == 0)
		result = lttp_registry_load(session, "tracer", LTTP_TRACER_CHECKSUM,
					    LTTP_TRACER_EVENTS, lttp_tracer_xml, &base);
	if (result == 0)
		result = lttp_registry_load(session, "losses", LTTP_LOSSES_CHECKSUM,
					    LTTP_LOSSES_EVENTS, lttp_losses_xml, &base);
	if (result == 0 && renameat(directory, "info/session.new", directory, "info/session") != 0)
		result = -errno;
	return result;
}

int lttp_directory_make(const char *path)
{
	int directory, result = 0;

	if (mkdir(path, 0777) != 0)
		return -errno;
	directory = lttp_openat(AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
	if (directory < 0)
		result = directory;
	for (size_t i = 0; result == 0 && i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (mkdirat(directory, folders[i], 0777) != 0)
			result = -errno;
	}
	if (result == 0)
		return directory;
	lttp_close(directory);
	lttp_session_remove(path);
	return result;
}

static int make_directory(struct lttp_session *session, const char *path,
			  const struct ltt_probe_options *options, const struct lttp_head *layout)
{
	int directory = lttp_directory_make(path), result = 0;

	if (directory < 0)
		return directory;
	if (realpath(path, session->directory) == NULL)
		result = -errno;
	if (result == 0)
		result = fill_directory(session, directory, options, layout);
	lttp_close(directory);
	lttp_session_close(session);
	if (result != 0)
		lttp_session_remove(path);
	return result;
}

int lttp_session_create(const char *directory, const struct ltt_probe_options *options)
{
	struct ltt_probe_options all = {.size_bytes = sizeof(all)};
	struct {
		struct lttp_session session;
		struct lttp_head layout;
	} * made;
	int result;

	if (options != NULL) {
		if (options->size_bytes < OPTIONS_BYTES_MIN)
			return -EINVAL;
		memcpy(&all, options,
		       options->size_bytes < sizeof(all) ? options->size_bytes : sizeof(all));
	}
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return -ENOMEM;
	result = lay_out(&made->layout, &all);
	if (result == 0)
		result = make_directory(&made->session, directory, &all, &made->layout);
	free(made);
	return result;
}

static int remove_file(int folder, const char *name, void *unused)
{
	(void)unused;
	unlinkat(folder, name, 0);
	return 0;
}

void lttp_session_remove(const char *path)
{
	int directory = lttp_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);

	if (directory < 0) {
		rmdir(path); /* it may be new, and the umask forbid to open it */
		return;
	}
	lttp_folder_each(directory, LTTP_SPARE_FOLDER, remove_file, NULL);
	unlinkat(directory, LTTP_SPARE_FOLDER, AT_REMOVEDIR);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		lttp_folder_each(directory, folders[i], remove_file, NULL);
		unlinkat(directory, folders[i], AT_REMOVEDIR);
	}
	lttp_close(directory);
	rmdir(path);
}
