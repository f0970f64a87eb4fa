/* live.c - see live-priv.h. */
#define _GNU_SOURCE
#include "reader/live-priv.h"

#include "base/error-priv.h"
#include "base/read-at-priv.h"
#include "session/file.h"
#include "session/losses.h"
#include "session/session.h"
#include "session/sys.h"

#include <ltt/ltt-time.h>

#include <signal.h>
#include <string.h>

/* Interval between two checks for attached processes. */
#define LOOK_INTERVAL_US 250000

/* Maximum time to wait for a recording that is being created, and the time between two attempts. */
#define CREATION_US      1000000
#define CREATION_STEP_US 1000

struct LttLive {
	int fd;                /* of the session state; the file may have been removed */
	int lock_fd;           /* of info/lock; -1: this user may not open it */
	struct lttp_head head; /* its fixed part */
	gint64 deserted_us;    /* time of the first check without writers; -1: none */
	gint64 next_look_us;
	gboolean is_attached; /* state at the last check */
};

gboolean ltt_live_owns(const char *name)
{
	return g_str_equal(name, LTT_LIVE_FILE) || g_str_equal(name, LTT_LIVE_NEW_FILE) ||
	       g_str_equal(name, LTT_LIVE_LOCK_FILE) || g_str_equal(name, LTTP_SPARE_FOLDER);
}

static gboolean check_head(const struct lttp_head *head, const char *file, GError **error)
{
	if (memcmp(head->magic, LTTP_SESSION_MAGIC, sizeof(head->magic)) != 0)
		return ltt_fail(error, LTT_ERROR_CORRUPT, "%s: is not the state of a recording",
				file);
	if (head->version != LTTP_SESSION_VERSION || head->byte_order != LTTP_SESSION_BYTE_ORDER)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"%s: has another version or byte order", file);
	if (head->cpus == 0 || head->cpus > LTTP_CPUS_MAX || head->lanes > LTTP_LANES ||
	    head->flight_blocks == 1)
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"%s: its numbers of CPUs, lanes or blocks are invalid", file);
	return TRUE;
}

/* A recorder creates the state under another name, and renames it some milliseconds later. */
static int open_state(const char *path, const char *file)
{
	g_autofree char *new_file = g_build_filename(path, LTT_LIVE_NEW_FILE, NULL);
	const gint64 end_us = g_get_monotonic_time() + CREATION_US;
	gboolean is_new = TRUE;
	int fd;

	while ((fd = open(file, O_RDONLY | O_NOFOLLOW | LTT_OPEN_FOREIGN)) < 0 && errno == ENOENT &&
	       is_new) {
		is_new = g_file_test(new_file, G_FILE_TEST_EXISTS) &&
			 g_get_monotonic_time() < end_us;
		if (is_new)
			g_usleep(CREATION_STEP_US);
	}
	return fd;
}

gboolean ltt_live_open(const char *path, LttLive **live, GError **error)
{
	g_autofree char *file = g_build_filename(path, LTT_LIVE_FILE, NULL);
	g_autofree char *lock_file = g_build_filename(path, LTT_LIVE_LOCK_FILE, NULL);
	const int fd = open_state(path, file);
	g_autoptr(LttLive) opened = NULL;
	guint8 *head;
	int errnum;

	*live = NULL;
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return TRUE;
	if (fd < 0)
		return ltt_fail_io(error, file, "open", errno);
	opened = g_new0(LttLive, 1);
	opened->fd = fd;
	opened->lock_fd = open(lock_file, O_RDONLY | O_NOFOLLOW | LTT_OPEN_FOREIGN);
	opened->deserted_us = -1;
	head = (guint8 *)&opened->head;
	errnum = ltt_read_at(fd, head, LTTP_COMMON_BYTES, 0, NULL);
	if (errnum == 0)
		errnum = ltt_read_at(fd, head + LTTP_FIXED_AT, LTTP_FIXED_USED_BYTES, LTTP_FIXED_AT,
				     NULL);
	if (errnum != 0 && errnum != ENODATA)
		return ltt_fail_io(error, file, "read", errnum);
	if (!check_head(&opened->head, file, error))
		return FALSE;
	*live = g_steal_pointer(&opened);
	return TRUE;
}

void ltt_live_free(LttLive *live)
{
	if (live == NULL)
		return;
	lttp_close(live->fd);
	lttp_close(live->lock_fd);
	g_free(live);
}

guint32 ltt_live_get_block_bytes(const LttLive *live)
{
	return live->head.block_bytes;
}

guint32 ltt_live_get_flight_blocks(const LttLive *live)
{
	return live->head.flight_blocks;
}

/* The monotonic clock of another time namespace has another origin. */
static gboolean shares_clock(const struct lttp_head *head)
{
	struct stat status;

	return head->time_namespace == 0 || stat("/proc/self/ns/time", &status) != 0 ||
	       status.st_ino == head->time_namespace;
}

guint64 ltt_live_get_now_ns(const LttLive *live)
{
	struct timespec now;

	if (!shares_clock(&live->head)) {
		clock_gettime(CLOCK_REALTIME, &now);
		return (guint64)now.tv_sec * LTT_NS_PER_S + (guint64)now.tv_nsec;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	return live->head.start_ns + (guint64)now.tv_sec * LTT_NS_PER_S + (guint64)now.tv_nsec -
	       live->head.start_monotonic_ns;
}

static gboolean is_locked(const LttLive *live, enum lttp_lock which)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = which, .l_len = 1};

	return fcntl(live->lock_fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* EPERM: the process exists but belongs to another user. */
static gboolean is_alive(guint32 pid)
{
	return pid != 0 && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* For users without access to the locks: checks the processes that the session names. */
static gboolean is_alive_by_name(const LttLive *live, gboolean keeper_only)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	const gsize from = keeper_only ? G_STRUCT_OFFSET(struct lttp_head, keeper_cycles) : 0;

	if (ltt_read_at(live->fd, (guint8 *)head + from, sizeof(*head) - from, from, NULL) != 0)
		return FALSE;
	if (keeper_only)
		return is_alive(head->keeper_pid);
	for (guint i = 0; i < LTTP_PROCESSES; i++) {
		if (head->processes[i].owner != 0 &&
		    is_alive((guint32)(head->processes[i].who >> 32)))
			return TRUE;
	}
	return FALSE;
}

static gboolean is_kept(const LttLive *live)
{
	return live->lock_fd >= 0 ? is_locked(live, LTTP_LOCK_KEEPER)
				  : is_alive_by_name(live, TRUE);
}

static gboolean is_attached(LttLive *live, gint64 now_us)
{
	if (now_us < live->next_look_us)
		return live->is_attached;
	live->next_look_us = now_us + LOOK_INTERVAL_US;
	live->is_attached = live->lock_fd >= 0 ? is_locked(live, LTTP_LOCK_ATTACHED)
					       : is_alive_by_name(live, FALSE);
	return live->is_attached;
}

/* Whether a process may still write events. A process left in an ended session writes none. */
static gboolean has_writers(LttLive *live, gint64 now_us)
{
	guint64 running;

	if (is_kept(live))
		return TRUE;
	if (ltt_read_at(live->fd, &running, sizeof(running),
			G_STRUCT_OFFSET(struct lttp_head, running), NULL) != 0 ||
	    running == 0)
		return FALSE;
	return is_attached(live, now_us);
}

gboolean ltt_live_is_over(LttLive *live, guint patience_ms)
{
	const gint64 now_us = g_get_monotonic_time();
	struct stat status;

	/* The program that finishes a trace removes the state last. */
	if (fstat(live->fd, &status) != 0 || status.st_nlink == 0)
		return TRUE;
	if (has_writers(live, now_us)) {
		live->deserted_us = -1;
		return FALSE;
	}
	if (live->deserted_us < 0)
		live->deserted_us = now_us;
	return now_us - live->deserted_us >= (gint64)patience_ms * 1000;
}

static guint64 count_unreported(guint64 n_events, guint64 n_reported)
{
	return n_events > n_reported ? n_events - n_reported : 0;
}

void ltt_live_each_unreported_loss(const LttLive *live,
				   void (*func)(const LttLiveLoss *loss, gpointer user_data),
				   gpointer user_data)
{
	struct lttp_losses losses;
	LttLiveLoss loss;

	if (ltt_read_at(live->fd, (guint8 *)&losses, sizeof(losses),
			G_STRUCT_OFFSET(struct lttp_head, losses), NULL) != 0)
		return;
	for (guint i = 0; i < LTTP_LOST_REASONS; i++) {
		loss = (LttLiveLoss){
			.name = lttp_loss_word(i),
			.n_events = count_unreported(losses.events[i], losses.reported[i])};
		if (loss.n_events > 0)
			func(&loss, user_data);
	}
	for (guint i = 0; i < LTTP_LARGE_TYPES; i++) {
		struct lttp_large *large = &losses.large[i];

		large->name[sizeof(large->name) - 1] = '\0';
		loss = (LttLiveLoss){.name = large->name,
				     .n_events = count_unreported(large->events, large->reported),
				     .n_bytes = large->bytes,
				     .is_type = TRUE};
		if (loss.n_events > 0)
			func(&loss, user_data);
	}
}

guint64 ltt_live_count_unfiled_losses(const LttLive *live)
{
	const gsize n_files = lttp_session_files(&live->head);
	g_autofree struct lttp_file *files = g_new0(struct lttp_file, n_files);
	guint64 running;
	guint64 n_lost;

	if (ltt_read_at(live->fd, (guint8 *)&running, sizeof(running),
			G_STRUCT_OFFSET(struct lttp_head, running), NULL) != 0 ||
	    running == 0 ||
	    ltt_read_at(live->fd, (guint8 *)&n_lost, sizeof(n_lost),
			G_STRUCT_OFFSET(struct lttp_head, lost), NULL) != 0 ||
	    ltt_read_at(live->fd, (guint8 *)files, n_files * sizeof(*files),
			sizeof(struct lttp_head), NULL) != 0)
		return 0;
	for (gsize i = 0; i < n_files; i++)
		n_lost += files[i].current == LTTP_NO_BLOCK ? files[i].lost : 0;
	return n_lost;
}
