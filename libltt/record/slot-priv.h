/* slot-priv.h - a slot of an attach file, from the side of `ltt attach`.
 *
 * The file belongs to the user whose programs have slots in it, and each of them can write into its
 * own. So it is read and written with pread(2) and pwrite(2), which a file that is cut short does
 * not turn into a SIGBUS, and what is read is compared before it is used.
 */
#ifndef LTT_SLOT_PRIV_H
#define LTT_SLOT_PRIV_H

#ifndef LTT_BUILDING
#error "slot-priv.h is private to libltt; use <ltt/ltt-attach.h>"
#endif

#include "session/attach-layout.h"

#include <glib.h>
#include <sys/stat.h>

/* Where the slot of a process is: which file the kernel says that it has mapped. */
typedef struct LttSeat {
	guint64 device;
	guint64 inode;
	guint32 number;
	char *paths[2]; /* that lead to the file: its own, and that of the mapping */
} LttSeat;

/* A GDestroyNotify for arrays of them. */
void ltt_seat_clear(gpointer data);

/* An open slot. */
typedef struct LttSlot {
	int fd;
	LttSeat seat; /* without paths */
	guint32 generation;
	GArray *pids; /* whom the wish is for; none: for all */
	gboolean is_for_all;
	gboolean is_on;
} LttSlot;

/* Opens a slot. Returns: (transfer full) (nullable): NULL with *errnum set, EBADF if the file is
 * not what it ought to be */
LttSlot *ltt_slot_open(const LttSeat *seat, int *errnum);
void ltt_slot_free(LttSlot *slot);

/* Whether a program still has it. */
gboolean ltt_slot_is_claimed(const LttSlot *slot);

/* Whether nobody is attached to it. */
gboolean ltt_slot_is_free(const LttSlot *slot);

/* Keeps others from attaching until the slot is freed. Returns: whether nobody had done so */
gboolean ltt_slot_lock(LttSlot *slot);

/* Reads what the program offers. Returns: 0 or errno */
int ltt_slot_read(const LttSlot *slot, struct lttp_attach_control *control);

/* Wishes that the processes in slot->pids join the session of @directory, through @broker where
 * they cannot open that, and turns on the facilities that fit @globs. Returns: 0 or errno */
int ltt_slot_wish(LttSlot *slot, const char *directory, const char *broker, const char *globs);

/* Adds a process to those; if they are too many, all processes of the slot. Returns: 0 or errno */
int ltt_slot_wish_also(LttSlot *slot, guint32 pid);

/* Turns all switches off. */
void ltt_slot_turn_off(LttSlot *slot);

/* Takes the wish back, and turns the switches on or off that bring processes to leave. */
void ltt_slot_take_back(LttSlot *slot);
void ltt_slot_call_out(LttSlot *slot, gboolean on);

#endif
