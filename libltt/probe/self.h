/* self.h - what the probe knows of the process that it is in.
 *
 * A forked child has the memory of its parent, but it is another process: its threads have numbers
 * of their own, and it has nothing mapped yet. So what a process knows about itself lies in pages
 * that the kernel empties in a child (MADV_WIPEONFORK); the child finds zeros and begins anew,
 * whatever kind of fork it came from.
 */
#ifndef LTTP_SELF_H
#define LTTP_SELF_H

#include "session/session.h"

/* Emptied in forked children. */
struct lttp_process {
	uint64_t epoch; /* unique in time: this process in this session; or one of the below */
	uint32_t pid;
	uint32_t lane_loss; /* why the last try to get a lane failed, an enum lttp_loss */
	uint64_t lane_retry_cycles;
	uint64_t hopeless_cycles; /* until then few tries are enough: more have just failed */
	uint32_t slot;            /* of the process in the session's table plus 1; 0: none */
	uint32_t reserved2;
	struct ltt_probe_cpu cpus[] __attribute__((aligned(64)));
};

enum {
	LTTP_EPOCH_FORKED = 0, /* not known yet */
	LTTP_EPOCH_LEFT = 1,   /* this process does not trace */
};

/* The rest of what a process knows: the same in its children. */
struct lttp_probe {
	struct lttp_session session;
	struct lttp_process *process; /* NULL before the first session */
	struct lttp_lane *lanes;      /* LTTP_LANES of them */
	uint32_t process_cpus;        /* how many CPUs `process` has room for */
	uint32_t tracing;             /* whether there is a session */
	uint32_t made;                /* by ltt_probe_start() */
	uint32_t without_rseq;        /* forced to do without */
	uint32_t starts;
	uint64_t inside; /* threads in ltt_probe_emit() */
};
extern struct lttp_probe lttp_probe;

#endif /* LTTP_SELF_H */
