/* slot.c - see slot-priv.h. */
#define _GNU_SOURCE
#include "record/slot-priv.h"

#include "base/read-at-priv.h"
#include "session/registry.h"
#include "session/sys.h"

#include <ltt/ltt-probe.h>
#include <string.h>

#define AT(member) G_STRUCT_OFFSET(struct lttp_attach_control, member)

void ltt_seat_clear(gpointer data)
{
	LttSeat *seat = data;

	g_clear_pointer(&seat->paths[0], g_free);
	g_clear_pointer(&seat->paths[1], g_free);
}

static guint64 switches_start(const LttSlot *slot)
{
	return slot->seat.number * (guint64)lttp_attach_slot_bytes((gsize)sysconf(_SC_PAGESIZE));
}

static guint64 control_start(const LttSlot *slot)
{
	return switches_start(slot) + lttp_attach_switches_bytes((gsize)sysconf(_SC_PAGESIZE));
}

/* ---- opening ---- */

static gboolean is_the_file(int fd, const LttSeat *seat)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       status.st_dev == seat->device && status.st_ino == seat->inode &&
	       (status.st_mode & 077) == 0;
}

/* Whether the file may be opened later. */
static gboolean is_shortage(int errnum)
{
	return errnum == EMFILE || errnum == ENFILE || errnum == ENOMEM || errnum == EIO ||
	       errnum == EINTR;
}

LttSlot *ltt_slot_open(const LttSeat *seat, int *errnum)
{
	*errnum = EBADF;
	for (guint i = 0; i < G_N_ELEMENTS(seat->paths); i++) {
		/* Only the link of a mapping is followed. */
		const int fd =
			open(seat->paths[i], O_RDWR | LTT_OPEN_FOREIGN | (i == 0 ? O_NOFOLLOW : 0));
		LttSlot *slot;

		if (fd >= 0 && is_the_file(fd, seat)) {
			slot = g_new0(LttSlot, 1);
			slot->fd = fd;
			slot->seat = (LttSeat){seat->device, seat->inode, seat->number, {NULL}};
			slot->pids = g_array_new(FALSE, FALSE, sizeof(guint32));
			slot->excepted = g_array_new(FALSE, FALSE, sizeof(guint32));
			return slot;
		}
		if (fd < 0 && (errno == EACCES || is_shortage(errno)))
			*errnum = errno;
		lttp_close(fd);
	}
	return NULL;
}

void ltt_slot_free(LttSlot *slot)
{
	if (slot == NULL)
		return;
	lttp_close(slot->fd);
	g_array_unref(slot->pids);
	g_array_unref(slot->excepted);
	g_free(slot);
}

/* ---- locks ---- */

static struct flock lock_of(const LttSlot *slot, guint which)
{
	return (struct flock){.l_type = F_WRLCK,
			      .l_whence = SEEK_SET,
			      .l_start = 2 * (off_t)slot->seat.number + which,
			      .l_len = 1};
}

static gboolean is_unlocked(const LttSlot *slot, guint which)
{
	struct flock lock = lock_of(slot, which);

	return fcntl(slot->fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

gboolean ltt_slot_is_claimed(const LttSlot *slot)
{
	return !is_unlocked(slot, 0);
}

int ltt_slot_look(const LttSlot *slot, gboolean *is_free)
{
	struct flock lock = lock_of(slot, 1);

	if (fcntl(slot->fd, F_OFD_GETLK, &lock) != 0)
		return errno;
	*is_free = lock.l_type == F_UNLCK;
	return 0;
}

int ltt_slot_lock(LttSlot *slot)
{
	struct flock lock = lock_of(slot, 1);

	if (fcntl(slot->fd, F_OFD_SETLK, &lock) == 0)
		return 0;
	return errno == EACCES || errno == EAGAIN ? EBUSY : errno;
}

/* ---- content ---- */

int ltt_slot_read(const LttSlot *slot, struct lttp_attach_control *control)
{
	const gssize n = pread(slot->fd, control, sizeof(*control), (off_t)control_start(slot));

	if (n == (gssize)sizeof(*control))
		return 0;
	return n < 0 ? errno : ENODATA;
}

static int write_at(const LttSlot *slot, gconstpointer bytes, gsize size, guint64 offset)
{
	const gssize n = pwrite(slot->fd, bytes, size, (off_t)offset);

	if (n == (gssize)size)
		return 0;
	return n < 0 ? errno : ENOSPC;
}

static int write_control(const LttSlot *slot, gconstpointer bytes, gsize size, gsize offset)
{
	return write_at(slot, bytes, size, control_start(slot) + offset);
}

static int write_word(const LttSlot *slot, guint32 value, gsize offset)
{
	return write_control(slot, &value, sizeof(value), offset);
}

/* Begins a change of the request, whose revision is odd until the change ends. */
static int begin_wish(const LttSlot *slot, guint32 *revision)
{
	const gssize n = pread(slot->fd, revision, sizeof(*revision),
			       (off_t)(control_start(slot) + AT(wish.revision)));

	if (n != (gssize)sizeof(*revision))
		return n < 0 ? errno : ENODATA;
	*revision = (*revision + 1) | 1;
	return write_word(slot, *revision, AT(wish.revision));
}

static int end_wish(const LttSlot *slot, guint32 revision)
{
	return write_word(slot, revision + 1, AT(wish.revision));
}

static int write_pids(const LttSlot *slot)
{
	const GArray *pids = slot->is_for_all ? slot->excepted : slot->pids;
	const int errnum = write_control(slot, pids->data, pids->len * sizeof(guint32), AT(pids));

	return errnum != 0
		       ? errnum
		       : write_word(slot, pids->len | (slot->is_for_all ? LTTP_ATTACH_EXCEPT : 0),
				    AT(wish.n_pids));
}

/* Chooses the switches to turn on: those of matching facilities, or all if the slot has more
 * facilities than it can name. Returns: whether there are any */
static gboolean choose(const struct lttp_attach_control *control, const char *globs, guint32 value,
		       guint32 *switches)
{
	gboolean all = control->n_facilities > LTTP_ATTACH_FACILITIES, any = all;

	for (guint i = 0; i < LTTP_ATTACH_FACILITIES; i++) {
		const struct lttp_attach_facility *facility = &control->facilities[i];
		const gsize length = strnlen(facility->name, sizeof(facility->name));

		if (facility->number == 0 || facility->number > LTT_PROBE_SWITCHES ||
		    length == sizeof(facility->name))
			continue;
		/* A name that may be truncated matches any glob. */
		if (length < sizeof(facility->name) - 1 &&
		    !lttp_registry_is_enabled(globs, facility->name))
			continue;
		switches[facility->number - 1] = value;
		any = TRUE;
	}
	for (guint i = 0; all && i < LTT_PROBE_SWITCHES; i++)
		switches[i] = value;
	return any;
}

static int write_switches(const LttSlot *slot, const guint32 *switches)
{
	return write_at(slot, switches, LTT_PROBE_SWITCHES * sizeof(guint32), switches_start(slot));
}

/* The facilities are read after the request is complete: a later one turns itself on. */
static int set_switches(const LttSlot *slot, const char *globs, guint32 value)
{
	g_autofree struct lttp_attach_control *control = g_new0(struct lttp_attach_control, 1);
	guint32 switches[LTT_PROBE_SWITCHES] = {0};
	const int errnum = ltt_slot_read(slot, control);

	if (errnum != 0)
		return errnum;
	choose(control, globs, value, switches);
	return write_switches(slot, switches);
}

/* Forgets the processes that could not join an earlier session. */
static int clear_reports(const LttSlot *slot)
{
	static const struct lttp_attach_report none[LTTP_ATTACH_REPORTS];
	const int errnum = write_control(slot, none, sizeof(none), AT(reports));

	return errnum != 0 ? errnum : write_word(slot, 0, AT(n_reports));
}

int ltt_slot_wish(LttSlot *slot, const char *directory, const char *broker, const char *globs)
{
	union lttp_attach_gate gate = {.inside = 0};
	guint32 revision;
	int errnum = begin_wish(slot, &revision);

	if (errnum == 0)
		errnum = write_pids(slot);
	if (errnum == 0)
		errnum = clear_reports(slot);
	if (errnum == 0)
		errnum = write_control(slot, globs, strlen(globs) + 1, AT(globs));
	if (errnum == 0)
		errnum = write_control(slot, broker, strlen(broker) + 1, AT(broker));
	if (errnum == 0)
		errnum = write_control(slot, directory, strlen(directory) + 1, AT(directory));
	/* Even, so not LTTP_ATTACH_LEAVE, and different from earlier sessions. */
	slot->generation = MAX(revision + 1, 2);
	gate.generation = slot->generation;
	if (errnum == 0)
		errnum = write_control(slot, &gate, sizeof(gate), AT(gate));
	if (errnum == 0)
		errnum = end_wish(slot, revision);
	if (errnum == 0)
		errnum = set_switches(slot, globs, slot->generation);
	slot->is_on = errnum == 0;
	return errnum;
}

/* Writes slot->pids if the request was made. */
static int update_pids(const LttSlot *slot)
{
	guint32 revision;
	int errnum;

	if (!slot->is_on)
		return 0;
	errnum = begin_wish(slot, &revision);
	if (errnum == 0)
		errnum = write_pids(slot);
	return errnum != 0 ? errnum : end_wish(slot, revision);
}

/* Returns: the index of a process, or the length of the array */
static guint find_pid(const GArray *pids, guint32 pid)
{
	guint i = 0;

	while (i < pids->len && g_array_index(pids, guint32, i) != pid)
		i++;
	return i;
}

static gboolean has_pid(const GArray *pids, guint32 pid)
{
	return find_pid(pids, pid) < pids->len;
}

/* Returns: whether the process was in the array */
static gboolean remove_pid(GArray *pids, guint32 pid)
{
	const guint index = find_pid(pids, pid);

	if (index == pids->len)
		return FALSE;
	g_array_remove_index_fast(pids, index);
	return TRUE;
}

int ltt_slot_wish_also(LttSlot *slot, guint32 pid)
{
	const gboolean was_excepted = remove_pid(slot->excepted, pid);

	if (slot->is_for_all ? !was_excepted : has_pid(slot->pids, pid))
		return 0;
	if (slot->pids->len == LTTP_ATTACH_PIDS)
		slot->is_for_all = TRUE;
	if (!slot->is_for_all)
		g_array_append_val(slot->pids, pid);
	return update_pids(slot);
}

int ltt_slot_wish_not(LttSlot *slot, guint32 pid)
{
	const gboolean was_meant = remove_pid(slot->pids, pid);

	if (has_pid(slot->excepted, pid))
		return 0;
	if (slot->excepted->len == LTTP_ATTACH_PIDS)
		return E2BIG;
	g_array_append_val(slot->excepted, pid);
	return was_meant || slot->is_for_all ? update_pids(slot) : 0;
}

void ltt_slot_forget(LttSlot *slot, guint32 pid)
{
	remove_pid(slot->pids, pid);
	remove_pid(slot->excepted, pid);
}

void ltt_slot_turn_off(LttSlot *slot)
{
	static const guint32 off[LTT_PROBE_SWITCHES];

	write_switches(slot, off);
	slot->is_on = FALSE;
}

void ltt_slot_take_back(LttSlot *slot)
{
	guint32 revision;

	if (begin_wish(slot, &revision) == 0 &&
	    write_word(slot, slot->generation | 1, AT(gate.generation)) == 0)
		end_wish(slot, revision);
}

void ltt_slot_call_out(LttSlot *slot, gboolean on)
{
	if (on)
		set_switches(slot, "*", LTTP_ATTACH_LEAVE);
	else
		ltt_slot_turn_off(slot);
}
