/* lane.h - tracefiles of their own, for threads that cannot write to those of the CPUs.
 *
 * Without restartable sequences, or with a counter that cannot be read inside one, a thread must
 * not touch a file that others write. It takes a lane: cpu/N with N behind the numbers of the CPUs,
 * which nobody else writes as long as the process lives. A signal handler that interrupts the
 * writing of an event takes a second one, and so on. Lanes of threads that are gone are taken over.
 *
 * Who has a lane says the session state (lttp_file.lane_owner): a process takes one by
 * compare-and-exchange from nobody, or from a process that is dead. Some lanes are anchored when
 * the process joins (anchor.h), so that it has them at hand when it may not open files any more.
 */
#ifndef LTTP_LANE_H
#define LTTP_LANE_H

#include "session/session.h"
#include "session/writer.h"

/* A lane that this process holds. */
struct lttp_lane {
	uint64_t owner;  /* as in its lttp_file.lane_owner; 0: there is none */
	uint32_t number; /* of its tracefile */
	uint32_t tid;    /* of the thread that has it; 0: nobody */
	uint64_t busy;   /* 1 while an event is written to it */
	uint64_t frame;  /* where on the stack that is done */
	struct ltt_probe_cpu here;
	uint64_t padding[4];
};

/* Finds or takes the lane of this thread for the depth that it is at, thread->depth below 4. NULL
 * if none is to be had. */
struct lttp_lane *lttp_lane_find(struct ltt_probe_thread *thread);

/* Says that a lane is being written, by a function with its frame at @frame, until
 * lttp_lane_exit(). False if the process is not what the thread takes it for. */
bool lttp_lane_enter(struct lttp_lane *lane, const struct ltt_probe_thread *thread,
		     const void *frame);
void lttp_lane_exit(struct lttp_lane *lane);

/* Takes back the depths of events that a signal handler has left by longjmp(), as far as can be
 * seen from @frame, that of the calling function: who is below it or beside it on the stack is
 * gone. */
void lttp_lanes_unwind(struct ltt_probe_thread *thread, const void *frame);

/* Writes an event if the gate lets it. Returns whether it did. */
bool lttp_lane_write(const struct lttp_lane *lane, const struct ltt_probe_thread *thread,
		     const struct ltt_probe_facility *facility, uint32_t index, uint64_t size,
		     const void *bytes);

/* Memory for the lanes of a process, emptied in forked children. NULL if there is none. */
struct lttp_lane *lttp_lanes_make(void);

/* Anchors some lanes, for a process that is joining and will need them. */
void lttp_lanes_anchor(struct lttp_session *session);

/* Lets go of all lanes. Returns false, and leaves all as it is, if one is in use. */
bool lttp_lanes_leave(void);

#endif /* LTTP_LANE_H */
