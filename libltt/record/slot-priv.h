/* slot-priv.h - a slot of an attach file, as `ltt attach` uses it.
 *
 * The file belongs to the user of the programs, and each program can write to its slot. So it is
 * read and written by pread(2) and pwrite(2), which do not raise SIGBUS if the file is truncated,
 * and its contents are checked before use.
 */
#ifndef LTT_SLOT_PRIV_H
#define LTT_SLOT_PRIV_H

#ifndef LTT_BUILDING
#error "slot-priv.h is private to libltt; use <ltt/ltt-attach.h>"
#endif

#include "session/attach-layout.h"

#include <glib.h>
#include <sys/stat.h>

/* The place of a slot: the file that the process has mapped, according to the kernel. */
typedef struct LttSeat {
	guint64 device;
	guint64 inode;
	guint32 number;
	char *paths[2]; /* of the file, and of the mapping in /proc */
} LttSeat;

/* A GDestroyNotify for arrays of LttSeat. */
void ltt_seat_clear(gpointer data);

/* An open slot. */
typedef struct LttSlot {
	int fd;
	LttSeat seat; /* without paths */
	guint32 generation;
	GArray *pids;        /* processes that are to join, as they number themselves */
	GArray *excepted;    /* processes that must not join */
	gboolean is_for_all; /* there are too many to join: all but `excepted` are to join */
	gboolean has_filter; /* a process has a seccomp filter, which may kill it when it leaves */
	gboolean is_on;
} LttSlot;

/* Opens a slot. Returns: (transfer full) (nullable): NULL with *errnum set, EBADF if the file is
 * not a valid attach file, or EACCES if it may not be opened */
LttSlot *ltt_slot_open(const LttSeat *seat, int *errnum);
void ltt_slot_free(LttSlot *slot);

/* Whether a program uses it. */
gboolean ltt_slot_is_claimed(const LttSlot *slot);

/* Looks whether no `ltt attach` uses it. Returns: 0 or errno */
int ltt_slot_look(const LttSlot *slot, gboolean *is_free);

/* Locks the slot for this `ltt attach` until it is freed. Returns: 0, EBUSY if another one has it, or
 * another errno */
int ltt_slot_lock(LttSlot *slot);

/* Reads the control part. Returns: 0 or errno */
int ltt_slot_read(const LttSlot *slot, struct lttp_attach_control *control);

/* Requests that these processes join the session of @directory, through @broker if they
 * cannot open that, and turns on the facilities that match @globs. Returns: 0 or errno */
int ltt_slot_wish(LttSlot *slot, const char *directory, const char *broker, const char *globs);

/* Adds a process to those that are to join, or to those that must not. Returns: 0 or errno */
int ltt_slot_wish_also(LttSlot *slot, guint32 pid);
int ltt_slot_wish_not(LttSlot *slot, guint32 pid);

/* Forgets a process that has ended. */
void ltt_slot_forget(LttSlot *slot, guint32 pid);

/* Turns all switches off. */
void ltt_slot_turn_off(LttSlot *slot);

/* Withdraws the request, and turns the switches on or off that make processes leave. */
void ltt_slot_take_back(LttSlot *slot);
void ltt_slot_call_out(LttSlot *slot, gboolean on);

#endif
