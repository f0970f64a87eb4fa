/* support-states.h - traces of the kernel from a few words, and their states as text.
 *
 * A scene is lines "TIME CPU THREAD EVENT ARGUMENTS". THREAD is the current thread of the CPU, "-" if
 * the event has none. A thread belongs to the process whose id is its own with the last digit 0. The
 * events:
 *
 *	switch IN STATE   of THREAD, with a label of core        bits OUT IN N  with bits of Linux
 *	waking T, wakeup T, fork T, exec                         irq N, /irq, softirq N, /softirq
 *	read, futex ADDRESS, call N, /call                       fault ADDRESS, kernel_fault
 *	thread T STATE N ADDRESS  in control/processes; CPU and THREAD are "-"
 *	lost N            the running total of the CPU           other          an ordinary event
 */
#ifndef SUPPORT_STATES_H
#define SUPPORT_STATES_H

#include <ltt/ltt-states.h>

/* Returns: (transfer full): the trace, opened */
LttTrace *states_scene(const char *lines);

/* Returns: (transfer full): a line for each stretch in [from, to), by subject and time:
 *
 *	cpu 0  1-5 thread 11, 5-6 irq, 6-9 unknown
 *	11     1-5 running, 5-7 waiting read < 12, 7-9 runnable < 12
 *
 * Behind "<": what woke the thread. Fails the test if stretches of a subject leave a gap or overlap,
 * or those of a CPU do not cover the window. */
char *states_describe(LttTrace *trace, guint64 from_ns, guint64 to_ns);

/* Describes a whole scene. */
char *states_of(const char *lines);

#endif
