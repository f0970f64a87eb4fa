/* directory.h - files of a trace directory by their paths.
 *
 *	eventdefs/NAME.xml        descriptions of facilities
 *	info/system.xml           the machine
 *	info/session              the session state
 *	info/lock                 bytes to lock (enum lttp_lock)
 *	info/spare/N              tracefile N before its first block
 *	control/facilities        loads of facilities
 *	control/interrupts        interrupts of the machine
 *	control/processes         processes of the machine and of the session, losses
 *	cpu/N                     tracefile N
 *
 * A session knows its directory only by the path. Each use opens the path again and compares device
 * and inode, in case the directory was renamed or replaced.
 */
#ifndef LTTP_DIRECTORY_H
#define LTTP_DIRECTORY_H

#include "session/session.h"

/* Opens the trace directory. Returns: -errno on failure; -ENOENT also if the path leads to another
 * directory now */
int lttp_session_directory(const struct lttp_session *session);

/* Returns: whether the path leads to the trace; needs no file descriptor */
bool lttp_session_is_in_place(const struct lttp_session *session);

/* Opens a file of the trace by its path inside the directory. Returns: -errno on failure */
int lttp_session_file(const struct lttp_session *session, const char *path, int flags);

/* Sets one of the locks of @fd, info/lock. @type: F_RDLCK or F_WRLCK. Returns: 0; -EBUSY if another
 * process holds it; otherwise -errno */
int lttp_session_set_lock(int fd, enum lttp_lock which, short type);

/* Takes one of the locks of info/lock. Returns: the open file, which holds the lock; -EBUSY if
 * another process holds it; otherwise -errno */
int lttp_session_lock(const struct lttp_session *session, enum lttp_lock which, short type);

/* Calls @visit for each entry of the folder @path in the directory @parent, except "." and "..",
 * until it returns a value other than 0. Returns: that value; -errno if the folder cannot be read
 */
int lttp_folder_each(int parent, const char *path,
		     int (*visit)(int folder, const char *name, void *data), void *data);

/* A tracefile without blocks is in this folder. So each process that joins can anchor it
 * (anchor.h), while the trace has no files of CPUs that are never used. */
#define LTTP_SPARE_FOLDER "info/spare"

struct lttp_file_name {
	char text[24];
};

/* Returns: "cpu/" and the number */
struct lttp_file_name lttp_file_name(uint32_t number);

/* Returns: "info/spare/" and the number */
struct lttp_file_name lttp_spare_name(uint32_t number);

#endif /* LTTP_DIRECTORY_H */
