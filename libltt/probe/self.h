/* self.h - the state of the probe in this process.
 *
 * A forked child has the memory of its parent, but its threads have other numbers and it has no file
 * mapped yet. The state of a single process is therefore in pages that the kernel zeroes in a child
 * (MADV_WIPEONFORK), after any kind of fork; the child finds zeros and starts anew.
 */
#ifndef LTTP_SELF_H
#define LTTP_SELF_H

#include "session/session.h"

/* Zeroed in forked children. */
struct lttp_process {
	uint64_t epoch; /* unique number of this process in this session; or one of those below */
	uint32_t pid;
	uint32_t lane_loss; /* why the last attempt to take a lane failed, an enum lttp_loss */
	uint64_t lane_retry_cycles;
	uint64_t hopeless_cycles; /* until then make few attempts: many have just failed */
	uint32_t slot;            /* in the session's table of processes + 1; 0: none */
	uint32_t reserved2;
	uint64_t
		borrower_lost; /* events of children that run in this memory, not yet in the session (borrow.h) */
	/* The fast path uses the number of its CPU unchecked. It is -1 or -2, sign-extended, when the program has taken back the
	 * registration of the thread. The session has tracefiles for the first CPUs. */
	struct ltt_probe_cpu none[2] __attribute__((aligned(64)));
	struct ltt_probe_cpu cpus[LTTP_CPUS_MAX] __attribute__((aligned(64)));
};

enum {
	LTTP_EPOCH_FORKED = 0, /* the process has not joined yet */
	LTTP_EPOCH_LEFT = 1,   /* this process does not trace */
};

/* Inherited by forked children. */
struct lttp_probe {
	struct lttp_session session;
	struct lttp_process *process; /* NULL before the first session */
	struct lttp_lane *lanes;      /* LTTP_LANES of them */
	uint32_t process_cpus;        /* number of CPUs that sessions have used in `process` */
	uint32_t tracing;             /* whether the process has a session */
	uint32_t made;                /* the session was made by ltt_probe_start() */
	uint32_t without_rseq;        /* sequences cannot be used, or are switched off */
	uint32_t starts;              /* number of sessions joined */
	uint64_t inside;              /* threads in ltt_probe_emit() */
};
extern struct lttp_probe lttp_probe;

#endif /* LTTP_SELF_H */
