/* copies.h - the copies of this library in a process, and the marks that vfork() and clone() set in them (borrow.h).
 *
 * A program, its libraries and ltt-preload.so can each contain a copy, with its own variables. The first one in the
 * order of symbols has the vfork() and the clone() that the program and its libraries call, unless one is linked to call its own.
 * The copies find it by what stands before the code of vfork(), and register there:
 *
 *	             +-----------------+
 *	vfork() - 16 | magic           |        lttp_copies
 *	             | distance of ----+------> +-----------------------------------+
 *	vfork()      | code            |        | variables of copy 1, copy 2, ...  |
 *	             +-----------------+        +-----------------------------------+
 *
 * or, if the program has no such code, by the symbol ltt_probe_copies of a library.
 */
#ifndef LTTP_COPIES_H
#define LTTP_COPIES_H

#include <stdint.h>
#include <sys/types.h>

#define LTTP_COPIES_MAGIC 0x31306b726f667674 /* "tvfork01" */

/* Registers this copy; once, in the constructor. */
void lttp_copies_begin(void);

/* Before the call, in the parent: sets ltt_probe_thread.vforked in all copies, which keeps the thread out of the fast path
 * as long as it is set. Returns: its value before, for lttp_copies_leave() */
uint32_t lttp_copies_enter(void);

/* In the child. */
void lttp_copies_begin_child(void);

/* After the call, in the parent: ends what lttp_copies_enter() has begun, and reports the lost events of the child.
 * @result: of the system call. Returns: that of vfork() */
pid_t lttp_copies_leave(long result, uint32_t was);

#endif /* LTTP_COPIES_H */
