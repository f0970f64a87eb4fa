/* copies.h - the copies of this library in a process, and the marks that vfork() and clone() set in them (borrow.h).
 *
 * A program, its libraries and ltt-preload.so can each contain a copy, with its own variables. The first one in the
 * order of symbols has the vfork() and the clone() that all of them call. The copies find it by what stands before the code of
 * vfork(), and register there:
 *
 *	             +-----------------+
 *	vfork() - 16 | magic           |        lttp_copies
 *	             | distance of ----+------> +-----------------------------------+
 *	vfork()      | code            |        | variables of copy 1, copy 2, ...  |
 *	             +-----------------+        +-----------------------------------+
 */
#ifndef LTTP_COPIES_H
#define LTTP_COPIES_H

#include <stdint.h>
#include <sys/types.h>

#define LTTP_COPIES_MAGIC 0x31306b726f667674 /* "tvfork01" */

/* Registers this copy; once, in the constructor. */
void lttp_copies_begin(void);

/* Sets ltt_probe_thread.vforked in all copies, and takes the thread out of the fast path, where it stays until that
 * is 0. */
void lttp_copies_mark(uint32_t vforked);

/* The end of vfork() in the parent: reports the lost events of the child. @result: of the system call. Returns: that
 * of vfork() */
pid_t lttp_copies_end(long result);

#endif /* LTTP_COPIES_H */
