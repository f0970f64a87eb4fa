/* threads-priv.h - the threads of the machine: their processes and names.
 *
 * The kernel's events have only the id of the thread. The process comes from /proc, or, for a thread
 * that is gone when its events are read, from the event of its creation. Threads that have ended are
 * kept, because their events on other CPUs may be read later.
 */
#ifndef LTT_RECORD_KERNEL_THREADS_PRIV_H
#define LTT_RECORD_KERNEL_THREADS_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/threads-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "record/kernel/cpu-file-priv.h"

#include <ltt/ltt-error.h>

/* Size of the name of a thread in the kernel, with the NUL. */
#define LTT_COMM_BYTES 16

typedef struct LttKernelThreads LttKernelThreads;

/* Threads whose names are written. */
typedef enum LttKernelNames {
	LTT_KERNEL_NAMES_ALL,
	LTT_KERNEL_NAMES_OF_EVENTS,  /* threads that have an event */
	LTT_KERNEL_NAMES_OF_PROGRAM, /* threads of a program and of its descendants */
} LttKernelNames;

/* Reads the present threads from /proc. @file: borrowed: of their names. Returns:
 *   NULL with LTT_ERROR_IO */
LttKernelThreads *ltt_kernel_threads_new(struct lttp_session *session, LttCpuFile *file,
					 LttKernelNames names, GError **error);
void ltt_kernel_threads_free(LttKernelThreads *threads); /* NULL is allowed and ignored */

/* Returns: the process of a thread; the thread id itself if it is unknown; 0 for the idle threads */
guint32 ltt_kernel_threads_find(LttKernelThreads *threads, guint32 tid);

/* The same. Returns: FALSE if the process is unknown: @pid is not set */
gboolean ltt_kernel_threads_look_up(LttKernelThreads *threads, guint32 tid, guint32 *pid);

/* Notes that @parent created @tid, as a thread of its process or as a new process. @parent may become
 * known later. */
void ltt_kernel_threads_create(LttKernelThreads *threads, guint32 parent, guint32 tid,
			       gboolean is_thread);

/* Notes the end of a thread. Its earlier events on other CPUs may follow. */
void ltt_kernel_threads_end(LttKernelThreads *threads, guint32 tid);

gboolean ltt_kernel_threads_has_ended(const LttKernelThreads *threads, guint32 tid);

/* Begins to write the names of the threads of a process, and of those that they create. */
void ltt_kernel_threads_name_program(LttKernelThreads *threads, guint32 pid);

/* Notes that a thread has an event. */
void ltt_kernel_threads_see(LttKernelThreads *threads, guint32 tid);

/* Notes the name of a thread at a time. @comm: LTT_COMM_BYTES bytes */
void ltt_kernel_threads_name(LttKernelThreads *threads, guint64 cycles, guint32 tid,
			     const guint8 *comm);

/* Writes what was noted with a time before @before_cycles, in the order of the times. */
void ltt_kernel_threads_flush(LttKernelThreads *threads, guint64 before_cycles);

#endif
