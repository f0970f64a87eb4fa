/* tracee.c - find processes that can be attached, in /proc.
 *
 * The mappings of a process, which the kernel reports, determine its slot, if it has one. Data that
 * a program writes never determines which file is opened.
 */
#define _GNU_SOURCE
#include "base/directory-priv.h"
#include "base/read-at-priv.h"
#include "reader/live-priv.h"
#include "record/proc-priv.h"
#include "record/slot-priv.h"
#include "session/session-layout.h"

#include <ltt/ltt-attach.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The relevant mappings of a process. */
typedef struct Sight {
	GArray *seats;   /* LttSeat */
	gboolean traces; /* it has mapped the state of an active recording */
} Sight;

/* ---- /proc/PID/maps ---- */

static gboolean has_seat(const GArray *seats, const LttSeat *seat)
{
	for (guint i = 0; i < seats->len; i++) {
		const LttSeat *known = &g_array_index(seats, LttSeat, i);

		if (known->device == seat->device && known->inode == seat->inode &&
		    known->number == seat->number)
			return TRUE;
	}
	return FALSE;
}

/* "FROM-TO rw-s OFFSET MAJOR:MINOR INODE PATH" of an attach file. */
static gboolean parse_seat(guint32 pid, const char *line, const char *path, LttSeat *seat)
{
	const gsize slot_bytes = lttp_attach_slot_bytes((gsize)sysconf(_SC_PAGESIZE));
	const char *slash = strrchr(path, '/');
	unsigned long from, to;
	unsigned int device_major, device_minor;
	unsigned long long offset, inode;

	if (slash == NULL || !g_str_has_prefix(slash + 1, LTTP_ATTACH_PREFIX) ||
	    sscanf(line, "%lx-%lx rw-s %llx %x:%x %llu", &from, &to, &offset, &device_major,
		   &device_minor, &inode) != 6)
		return FALSE;
	if (offset % slot_bytes != 0 || offset / slot_bytes >= LTTP_ATTACH_SLOTS)
		return FALSE;
	*seat = (LttSeat){
		gnu_dev_makedev(device_major, device_minor),
		inode,
		(guint32)(offset / slot_bytes),
		{g_strdup(path), g_strdup_printf("/proc/%u/map_files/%lx-%lx", pid, from, to)}};
	return TRUE;
}

/* Whether a recording is active; TRUE if unknown. The process may see another file under this name
 * than we do, which may be a FIFO that nobody writes to. */
static gboolean is_under_way(const char *state_path)
{
	const off_t offset = G_STRUCT_OFFSET(struct lttp_head, running);
	guint64 running = 1;
	ssize_t n_bytes = -1;
	struct stat status;
	const int fd = open(state_path, O_RDONLY | LTT_OPEN_FOREIGN);

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		n_bytes = pread(fd, &running, sizeof(running), offset);
	if (fd >= 0)
		close(fd);
	return n_bytes < 0 || (n_bytes == sizeof(running) && running != 0);
}

static void look_at_mapping(guint32 pid, const char *line, Sight *sight)
{
	const char *path = strchr(line, '/');
	LttSeat seat;

	if (path == NULL)
		return;
	if (g_str_has_suffix(path, "/" LTT_LIVE_FILE)) {
		sight->traces = sight->traces || is_under_way(path);
	} else if (parse_seat(pid, line, path, &seat)) {
		if (has_seat(sight->seats, &seat))
			ltt_seat_clear(&seat);
		else
			g_array_append_val(sight->seats, seat);
	}
}

/* Returns: 0 or errno */
static int look_at_mappings(guint32 pid, Sight *sight)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/maps", pid);
	g_autofree char *text = NULL;
	const int errnum = ltt_proc_read(path, &text);
	char *line, *rest = text;

	while (errnum == 0 && (line = strsep(&rest, "\n")) != NULL)
		look_at_mapping(pid, line, sight);
	return errnum;
}

/* ---- other files of /proc/PID ---- */

static gboolean parse_status(const char *text, LttTracee *tracee)
{
	LttProcess process;

	if (!ltt_process_parse(text, &process))
		return FALSE;
	g_free(tracee->name);
	tracee->name = process.name;
	tracee->ppid = process.ppid;
	tracee->uid = process.uids[1];
	return TRUE;
}

/* The number of a process in the innermost of its PID namespaces is the last one of the line. */
static guint32 get_inner_pid(const LttTracee *tracee, const char *text)
{
	const char *numbers = strstr(text, "\nNSpid:");
	guint32 pid = tracee->pid;
	char *end;

	for (numbers = numbers != NULL ? numbers + strlen("\nNSpid:") : ""; *numbers == '\t';
	     numbers = end)
		pid = (guint32)strtoul(numbers + 1, &end, 10);
	return pid;
}

static gboolean has_filter(const char *text)
{
	const char *mode = strstr(text, "\nSeccomp:\t");

	return mode != NULL && atoi(mode + strlen("\nSeccomp:\t")) != 0;
}

/* Returns: (transfer full) (nullable): the name of the file that a process executes, or executed if it was removed */
static char *dup_executable(guint32 pid)
{
	static const char removed[] = " (deleted)";
	g_autofree char *link = g_strdup_printf("/proc/%u/exe", pid);
	g_autofree char *target = g_file_read_link(link, NULL);

	if (target == NULL)
		return NULL;
	if (g_str_has_suffix(target, removed))
		target[strlen(target) - strlen(removed)] = '\0';
	return g_path_get_basename(target);
}

/* Returns: 0 or errno */
static int read_status(LttTracee *tracee)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/status", tracee->pid);
	g_autofree char *text = NULL;
	char *executable = dup_executable(tracee->pid);
	int errnum;

	if (executable != NULL) {
		g_free(tracee->executable);
		tracee->executable = executable;
	}
	errnum = ltt_proc_read(path, &text);
	if (errnum != 0 || !parse_status(text, tracee))
		return errnum != 0 ? errnum : ESRCH;
	tracee->inner_pid = get_inner_pid(tracee, text);
	tracee->has_filter = has_filter(text);
	return 0;
}

static gboolean has_ended(int errnum)
{
	return errnum == ENOENT || errnum == ESRCH;
}

/* Looks whether a thread of the process has a filter of system calls, which may kill it. */
static LttTraceeState look_for_filters(guint32 pid)
{
	g_autofree char *folder = g_strdup_printf("/proc/%u/task", pid);
	g_autoptr(GPtrArray) threads = ltt_directory_list(folder, NULL);

	if (threads == NULL)
		return LTT_TRACEE_UNREADABLE;
	for (guint i = 0; i < threads->len; i++) {
		g_autofree char *path = g_build_filename(folder, threads->pdata[i], "status", NULL);
		g_autofree char *text = NULL;
		const int errnum = ltt_proc_read(path, &text);

		if (errnum != 0 && !has_ended(errnum))
			return LTT_TRACEE_UNREADABLE;
		if (errnum == 0 && has_filter(text))
			return LTT_TRACEE_SECCOMP;
	}
	return LTT_TRACEE_READY;
}

/* ---- the slots ---- */

static void add_facilities(const struct lttp_attach_control *control, GPtrArray *names)
{
	for (guint i = 0; i < LTTP_ATTACH_FACILITIES; i++) {
		const struct lttp_attach_facility *facility = &control->facilities[i];

		if (facility->number != 0)
			g_ptr_array_add(names, g_strndup(facility->name, sizeof(facility->name)));
	}
}

/* Reads the slots of a process; each copy of the probe has one. @is_left: (out): whether a request
 * of a killed `ltt attach` is left, which the process may be tracing for */
static LttTraceeState look_at_slots(const GArray *seats, GPtrArray *names, gboolean *is_left)
{
	g_autofree struct lttp_attach_control *control = g_new0(struct lttp_attach_control, 1);
	LttTraceeState state = LTT_TRACEE_HIDDEN;
	gboolean is_readable = TRUE;
	guint32 n_old = 0;

	for (guint i = 0; i < seats->len; i++) {
		gboolean is_free = FALSE;
		int errnum;
		LttSlot *slot = ltt_slot_open(&g_array_index(seats, LttSeat, i), &errnum);

		if (slot != NULL)
			errnum = ltt_slot_read(slot, control);
		if (errnum == 0)
			errnum = ltt_slot_look(slot, &is_free);
		if (errnum == 0) {
			if (state != LTT_TRACEE_ATTACHED)
				state = is_free ? LTT_TRACEE_READY : LTT_TRACEE_ATTACHED;
			*is_left = *is_left || lttp_attach_wished(control->gate.generation) != 0;
			n_old += control->old_facilities;
			add_facilities(control, names);
		} else if (errnum != EBADF && errnum != EACCES && errnum != ENODATA) {
			is_readable = FALSE;
		}
		ltt_slot_free(slot);
	}
	if (!is_readable)
		return LTT_TRACEE_UNREADABLE;
	return state == LTT_TRACEE_READY && names->len == 0 && n_old > 0 ? LTT_TRACEE_OLD_HEADER
									 : state;
}

static LttTraceeState look(LttTracee *tracee, GPtrArray *names)
{
	Sight sight = {tracee->seats, FALSE};
	gboolean is_left = FALSE;
	LttTraceeState state;
	int errnum = read_status(tracee);

	if (errnum == 0)
		errnum = look_at_mappings(tracee->pid, &sight);
	if (errnum == EACCES || errnum == EPERM)
		return LTT_TRACEE_FOREIGN;
	if (errnum != 0)
		return has_ended(errnum) ? LTT_TRACEE_GONE : LTT_TRACEE_UNREADABLE;
	if (tracee->seats->len == 0)
		return sight.traces ? LTT_TRACEE_TRACED : LTT_TRACEE_BARE;
	state = look_at_slots(tracee->seats, names, &is_left);
	if (state != LTT_TRACEE_READY)
		return state;
	if (sight.traces && !is_left)
		return LTT_TRACEE_TRACED;
	return look_for_filters(tracee->pid);
}

/* ---- public ---- */

LttTracee *ltt_tracee_new(guint32 pid)
{
	GPtrArray *names = g_ptr_array_new();
	LttTracee *tracee = g_new0(LttTracee, 1);

	tracee->pid = tracee->inner_pid = pid;
	tracee->name = g_strdup("");
	tracee->executable = g_strdup("");
	tracee->seats = g_array_new(FALSE, FALSE, sizeof(LttSeat));
	g_array_set_clear_func(tracee->seats, ltt_seat_clear);
	tracee->state = look(tracee, names);
	g_ptr_array_add(names, NULL);
	tracee->facilities = (char **)g_ptr_array_free(names, FALSE);
	return tracee;
}

void ltt_tracee_free(LttTracee *tracee)
{
	if (tracee == NULL)
		return;
	g_free(tracee->name);
	g_free(tracee->executable);
	g_strfreev(tracee->facilities);
	g_array_unref(tracee->seats);
	g_free(tracee);
}

static gint compare_pids(gconstpointer left, gconstpointer right)
{
	const LttTracee *a = *(LttTracee *const *)left, *b = *(LttTracee *const *)right;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

GPtrArray *ltt_tracee_list(void)
{
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_tracee_free);
	g_autoptr(GPtrArray) names = ltt_directory_list("/proc", NULL);

	if (names == NULL) /* there may have been no descriptor for a moment */
		names = ltt_directory_list("/proc", NULL);
	for (guint i = 0; names != NULL && i < names->len; i++) {
		const guint64 pid = g_ascii_strtoull(names->pdata[i], NULL, 10);
		g_autoptr(LttTracee) tracee = NULL;

		if (pid == 0 || pid > G_MAXUINT32)
			continue;
		tracee = ltt_tracee_new((guint32)pid);
		if (tracee->seats->len > 0 || tracee->state == LTT_TRACEE_UNREADABLE ||
		    tracee->state == LTT_TRACEE_FOREIGN)
			g_ptr_array_add(list, g_steal_pointer(&tracee));
	}
	g_ptr_array_sort(list, compare_pids);
	return list;
}

const char *ltt_tracee_state_text(LttTraceeState state)
{
	switch (state) {
	case LTT_TRACEE_READY:
		return "it can be attached";
	case LTT_TRACEE_ATTACHED:
		return "another `ltt attach` is attached to it; stop that one first";
	case LTT_TRACEE_TRACED:
		return "it is already being traced, by `ltt record` or by itself; read that trace";
	case LTT_TRACEE_SECCOMP:
		return "it has a seccomp filter, which may kill it when it joins; "
		       "--even-with-seccomp attaches it anyway";
	case LTT_TRACEE_OLD_HEADER:
		return "its tracing headers are too old; generate them again with `ltt compile "
		       "--header` and rebuild it";
	case LTT_TRACEE_BARE:
		return "it was not built with libltt-probe, or cannot be attached (LTT_ATTACH=0, "
		       "no "
		       "/dev/shm); record it with `ltt record`";
	case LTT_TRACEE_HIDDEN:
		return "its attach file cannot be opened from here (another root directory or "
		       "mount namespace, or it was removed); try as root, or restart the program";
	case LTT_TRACEE_FOREIGN:
		return "it belongs to another user, or has changed its user; try as root";
	case LTT_TRACEE_UNREADABLE:
		return "it could not be examined; try again";
	case LTT_TRACEE_GONE:
		return "no such process; `ltt attach --list` lists the programs that can be "
		       "attached";
	}
	return "the reason is unknown to this version";
}
