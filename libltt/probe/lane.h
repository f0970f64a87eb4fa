/* lane.h - lanes: tracefiles for threads that cannot write to those of the CPUs.
 *
 * Without restartable sequences, or with a counter that cannot be read inside one, a thread must not
 * write to a file that others write. It takes a lane, cpu/N with N greater than any CPU number, which
 * only this thread writes. A signal handler that interrupts the writing of an event takes a second
 * lane, and so on. The lane of a thread that has ended is taken over.
 *
 *	thread A: depth 0 ---> lane 5 -----> cpu/133    CPUs 0 to 127: cpu/0 ... cpu/127
 *	          depth 1 ---> lane 6 -----> cpu/134    (a handler interrupted depth 0)
 *	thread B: depth 0 ---> lane 7 -----> cpu/135
 *
 * lttp_file.lane_owner in the session state names the process that has a lane. A process takes one
 * by compare-and-exchange if it is free or its owner is dead. Some lanes are anchored when the
 * process joins (anchor.h), and remain usable when the process may not open files any more.
 */
#ifndef LTTP_LANE_H
#define LTTP_LANE_H

#include "session/session.h"
#include "session/writer.h"

/* A lane that this process holds. */
struct lttp_lane {
	uint64_t owner;  /* value of lttp_file.lane_owner; 0: the slot is empty */
	uint32_t number; /* of its tracefile */
	uint32_t tid;    /* of the thread that has it; 0: none */
	uint64_t busy; /* which thread is writing an event: the address of its variables; 0: none */
	uint64_t frame; /* stack frame of the writing function */
	struct ltt_probe_cpu here;
	uint64_t epoch; /* of the thread that took the lane: which session it belongs to */
	uint64_t padding[3];
};

/* Returns the lane of this thread for its depth, thread->depth below 4; takes one if need be. NULL if
 * none is free. */
struct lttp_lane *lttp_lane_find(struct ltt_probe_thread *thread);

/* Marks a lane as being written, by a function with its stack frame at @frame, until
 * lttp_lane_exit(). False if the process has left the session @epoch, for which the thread was set up
 * when it found the lane: another thread may have the lane now, and keeps it unchanged. */
bool lttp_lane_enter(struct lttp_lane *lane, const struct ltt_probe_thread *thread, uint64_t epoch,
		     const void *frame);
void lttp_lane_exit(struct lttp_lane *lane);

/* Undoes the depths of events that a signal handler has left by longjmp(). @frame is the stack
 * frame of the caller: functions with a lower frame, or on an alternate stack, have ended. */
void lttp_lanes_unwind(struct ltt_probe_thread *thread, const void *frame);

/* Writes an event if the conditions of the gate hold. Returns whether it did. */
bool lttp_lane_write(const struct lttp_lane *lane, const struct ltt_probe_thread *thread,
		     const struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
		     const void *bytes);

/* Allocates the lanes of a process, zeroed in forked children. NULL on failure. */
struct lttp_lane *lttp_lanes_make(void);

/* Anchors some lanes for a process that joins and will need them. */
void lttp_lanes_anchor(struct lttp_session *session);

/* Releases the lanes of this thread and of those that have ended, at the end of a process whose end others cannot see. */
void lttp_lanes_give_back(struct ltt_probe_thread *thread);

/* Releases the lanes, except those in use. Returns whether none was in use. */
bool lttp_lanes_leave(void);

/* Whether no event is being written in a lane. */
bool lttp_lanes_are_idle(void);

#endif /* LTTP_LANE_H */
