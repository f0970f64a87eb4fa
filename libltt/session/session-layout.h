/* session-layout.h - layout of the session state, which the processes of a recording share.
 *
 * Each process of a recording maps DIR/info/session, and so do `ltt record` and `ltt snapshot`. It
 * contains the parameters of the trace and, for each tracefile, the write position. The events are
 * in the tracefiles, which are complete without it.
 *
 *	0                   65536            131072                             329280
 *	+-------------------+----------------+----------------------------------+-----------+-----
 *	| magic, version,   | fixed values,  | changing values: clock map,      | lttp_file | ...
 *	| refused processes | private copies | facilities, processes, losses,   | of cpu/0  |
 *	|                   |                | journal of control/processes     |           |
 *	+-------------------+----------------+----------------------------------+-----------+-----
 *
 * Any process can be stopped or killed at any instruction, so no lock protects these values. A
 * value is one of
 *   - fixed: written before the file gets its name, and never changed;
 *   - a counter: only added to, or replaced by compare-and-exchange;
 *   - owned: stored only by a thread that currently may write to the tracefile (step.h).
 *
 * Locks on bytes of info/lock (enum lttp_lock) show which processes are alive: the kernel releases
 * them at death. Only the owner of the trace can open this file. On any other file, a user who can
 * read the trace could take a lock.
 *
 * A damaged process can overwrite everything at any time. Changing values are therefore copied, the
 * copy is checked, and only the copy is used: indices are compared with their limit, loops have a
 * fixed bound, and numbers of blocks are compared with the length of the file.
 *
 * All fields have the same size and offset on all machines. doc/session.md describes them, too. A
 * change of the layout increments LTTP_SESSION_VERSION, and keeps the first LTTP_COMMON_BYTES: a
 * process of another version stores its refusal there.
 */
#ifndef LTTP_SESSION_LAYOUT_H
#define LTTP_SESSION_LAYOUT_H

#include <ltt/ltt-probe.h>

#define LTTP_SESSION_MAGIC      "LTTsess\n"
#define LTTP_SESSION_VERSION    6
#define LTTP_SESSION_BYTE_ORDER 0x01020304u

enum {
	LTTP_BLOCK_BYTES_MIN = 4096,
	LTTP_BLOCK_BYTES_MAX = 64 << 20,
	LTTP_BLOCK_BYTES_DEFAULT = 256 << 10,
	LTTP_CPUS_MAX = 8192,
	LTTP_LANES = 1024,          /* tracefiles for threads that cannot use those of the CPUs */
	LTTP_REFUSALS = 30,         /* refused processes whose names are kept */
	LTTP_BENDS = 8,             /* latest bends of the clock map */
	LTTP_FACILITIES = 128,      /* facilities of a session */
	LTTP_FACILITY_DRAFTS = 384, /* attempts to add a facility */
	LTTP_PROCESSES = 256,       /* running processes */
	LTTP_SPACE_OWN = 0,         /* pid_space: the PID namespace of the recorder */
	LTTP_SPACE_UNKNOWN =
		65535, /* pid_space: another one, which the process could not find out */
	LTTP_GLOBS_BYTES = 1024,
	LTTP_COMMON_BYTES = 1008, /* start of the head, the same in each version */
	LTTP_FIXED_AT = 64 << 10, /* at least the page size of every machine */
	LTTP_FIXED_BYTES = 64 << 10,
	LTTP_LOSSES = 32,     /* reasons of losses, and unused ones */
	LTTP_UNWANTED = 16,   /* disabled facilities whose names are kept */
	LTTP_LARGE_TYPES = 8, /* event types with too large events whose names are kept */
	LTTP_JOURNAL = 64,    /* latest events of control/processes */
	LTTP_NOTICES = 128,   /* these events, and those being prepared */
	LTTP_NOTICE_BYTES = 584,
};

enum lttp_counter {
	LTTP_COUNTER_TSC = 1,   /* x86-64, if the kernel uses it as its clock source */
	LTTP_COUNTER_CNTVCT,    /* AArch64 */
	LTTP_COUNTER_MONOTONIC, /* ns of CLOCK_MONOTONIC, which a sequence cannot read */
};

/* Bytes of info/lock that are locked, with F_OFD_SETLK. */
enum lttp_lock {
	LTTP_LOCK_SNAPSHOT, /* for writing: a snapshot is being taken */
	LTTP_LOCK_KEEPER,   /* for reading: a recorder is alive that will end the session */
	LTTP_LOCK_ATTACHED, /* for reading: a process is attached; for writing: none can attach */
};

/* Why a process was refused. */
enum lttp_refusal_reason {
	LTTP_REFUSED_VERSION = 1, /* another version of the session state */
	LTTP_REFUSED_ARCH,        /* another byte order or other sizes */
	LTTP_REFUSED_COUNTER,     /* the process may not read the cycle counter */
	LTTP_REFUSED_CLOCK,       /* the process is in another time namespace */
	LTTP_REFUSED_MEMORY,      /* the process has no memory for its tables */
	LTTP_REFUSED_FACILITY,    /* a facility: too many, too long a name, another ABI */
};

/* Why an event was lost. losses.c has the word of each reason in the trace. */
enum lttp_loss {
	LTTP_LOST_UNKNOWN,
	LTTP_LOST_DISK_FULL,
	LTTP_LOST_QUOTA,
	LTTP_LOST_FILE_SIZE,     /* RLIMIT_FSIZE, or the limit of the file system */
	LTTP_LOST_TOO_LARGE,     /* larger than a block */
	LTTP_LOST_NO_PLACE,      /* a value does not fit the event's description */
	LTTP_LOST_NO_RIGHT,      /* to open or map a file of the trace */
	LTTP_LOST_NO_DESCRIPTOR, /* RLIMIT_NOFILE */
	LTTP_LOST_NO_MEMORY,     /* RLIMIT_AS, or none is left */
	LTTP_LOST_NO_TRACE,      /* the directory was removed or renamed */
	LTTP_LOST_IO_ERROR,
	LTTP_LOST_NO_LANE,
	LTTP_LOST_VFORK,         /* traced between vfork and exec */
	LTTP_LOST_NO_FACILITY,   /* the facility was refused */
	LTTP_LOST_BUSY,          /* many attempts failed */
	LTTP_LOST_BAD_STATE,     /* the session state is damaged */
	LTTP_LOST_READ_ONLY,     /* the file system is read-only */
	LTTP_LOST_NO_RECORDER,   /* no recorder answers, and the process may not open files */
	LTTP_LOST_PROCESS_EVENT, /* not an event of a program: a process_start or process_exit */
	LTTP_LOST_REASONS
};

struct lttp_refusal {
	uint32_t pid;
	uint32_t reason; /* stored last; 0: not complete */
	char name[24];   /* of the process, or of the facility; ended by a 0 */
};

/* An end of a tracefile: all events up to it. */
struct lttp_place {
	uint64_t current; /* the block: LTTP_CURRENT() */
	uint64_t word;    /* the word at the end of the block */
};

/* The straight line of the clock map that holds for the events after a time value. */
struct lttp_line {
	uint64_t tag;        /* block id << 32 | offset of the time value in the block */
	uint64_t end_cycles; /* the bend at which the line ends */
	uint64_t end_ns;
	uint64_t reserved;
};

/* One tracefile: cpu/N. */
struct lttp_file {
	/* Read by each event; owned, except cut_cycles. */
	struct ltt_probe_gate gate;
	uint64_t current; /* owned: slot in the file << 32 | block id; LTTP_NO_BLOCK */
	uint64_t reserved_hot[3];

	/* Used once per block or less. */
	uint64_t lost;         /* counter: events that could not be written to this file */
	uint64_t blocks;       /* number of allocated blocks; only grows */
	uint64_t retry_cycles; /* when to try again to allocate blocks after a failure */
	uint64_t turns; /* of a lane: incremented before and after each event, so odd during one */
	uint64_t cut_done_cycles;    /* owned: the last cut that a writer passed, */
	struct lttp_place cut_place; /* and the end of the file before it */
	uint64_t lost_tag; /* owned: block id << 32 | offset of the events_lost to update */

	/* Owned. One of the two is valid at any time: the one with the greatest tag in this block
	 * that lies before the end of the written events. */
	struct lttp_line lines[2];

	/* Of a flight recorder: number of the half that must not be overwritten, plus 1; 0: none.
	 * Owned: the writer that passes a cut sets it; the snapshot clears it (half.h). */
	uint64_t frozen;
	uint64_t wanted;        /* counter: number of blocks that a writer requests (keeper.h) */
	uint64_t made;          /* replaced: an enum lttp_made */
	uint64_t lane_owner;    /* of a lane, replaced: its owner (file.h); 0: none */
	uint64_t retry_loss;    /* reason of that failure, an enum lttp_loss */
	uint64_t refused_errno; /* errno of the recorder's failure to allocate `wanted`; 0: none */
	/* Of a CPU: end of its tracefile of the kernel at the last cut; of the first lane: end of the
	 * file of the threads. Stored by the recorder (kernel-cut.h). */
	struct lttp_place kernel_place;
};

/* Whether a tracefile exists as a file: empty as info/spare/N until it has its first block, and
 * then as cpu/N. */
enum lttp_made {
	LTTP_MADE_NOT,
	LTTP_MADE_HALF, /* a process is creating it, or was killed while doing so */
	LTTP_MADE_WHOLE,
};

#define LTTP_NO_BLOCK          UINT64_MAX
#define LTTP_CURRENT(SLOT, ID) ((uint64_t)(SLOT) << 32 | (uint32_t)(ID))

/* Values of ltt_probe_gate.owner that no thread has. */
enum {
	LTTP_OWNER_NONE = 0, /* a step is being made or was interrupted */
	LTTP_SERIAL_FIRST = 1,
};

/* Values of ltt_probe_gate.cut_cycles that are not times. */
#define LTTP_CUT_NEVER UINT64_MAX
#define LTTP_CUT_ENDED 0

/* A facility, or an attempt to add one. */
struct lttp_facility {
	uint32_t checksum;
	uint32_t events;
	uint64_t cycles; /* when it was loaded, */
	uint64_t ns;
	char name[232]; /* ended by a 0 */
};

/* A running process. It can be killed at any instruction; the slot then shows which of its process
 * events are missing. */
struct lttp_process_slot {
	uint64_t owner; /* unique number of the process in the session; 0: free */
	uint64_t who;   /* LTTP_WHO(); if it is of another owner, the rest is not valid yet */
	/* LTTP_SPOT(): places in control/processes, set before the event is written; 0: not set. */
	uint64_t start; /* of its process_start */
	uint64_t exit;  /* of its process_exit */
	uint32_t ppid;
	uint16_t is_filtered; /* it has, or may have, a seccomp filter (keeper.h) */
	uint16_t pid_space; /* where its pid is valid: LTTP_SPACE_... or a hash of the namespace */
	char name[16];      /* ended by a 0 */
};

/* An event of control/processes and its place in the file (journal.h). */
struct lttp_notice {
	uint64_t state;         /* replaced: the owner, then the number of the event; 0: free */
	uint64_t cycles, ns;    /* time of the event */
	uint64_t before_cycles; /* the last time value before it, */
	uint32_t before_offset; /* where the next event would be, */
	uint32_t before_last;   /* and where the last one is, in the block before */
	uint32_t block, offset; /* place of the time value before the event */
	uint32_t id;            /* LTTP_ID_BLOCK_END closes the block */
	uint32_t size;          /* of the payload */
	char bytes[LTTP_NOTICE_BYTES];
};

/* Place of the first event of the journal: after the events of the machine. */
struct lttp_journal_base {
	uint64_t cycles;
	uint32_t block, offset, last;
	uint32_t reserved;
};

#define LTTP_SPOT(BLOCK, OFFSET) ((uint64_t)(BLOCK) << 32 | (uint32_t)(OFFSET))
#define LTTP_WHO(PID, OWNER)     ((uint64_t)(PID) << 32 | (uint32_t)(OWNER))

/* An event type with events that are larger than a block. */
struct lttp_large {
	uint64_t key; /* replaced: checksum of the facility << 32 | number of the event, plus 1 */
	uint64_t events;   /* counter */
	uint64_t reported; /* counter: how many of them the trace reports */
	uint64_t bytes;    /* payload of the largest; only grows */
	char name[64];     /* facility.event; ends with a 0; set after the key */
};

/* Losses by reason (losses.h, losses-report.h). */
struct lttp_losses {
	uint64_t events[LTTP_LOSSES];   /* counters, by enum lttp_loss */
	uint64_t reported[LTTP_LOSSES]; /* counters: how many of them the trace reports */
	struct lttp_large large[LTTP_LARGE_TYPES];
};

/* A facility of a program that the globs disable. */
struct lttp_unwanted {
	uint64_t key;  /* replaced: its checksum plus 1 */
	char name[56]; /* ends with a 0; set after the key */
};

struct lttp_head {
	/* The same in every version. */
	char magic[8];
	uint32_t version;
	uint32_t byte_order; /* LTTP_SESSION_BYTE_ORDER */
	uint32_t arch_size;  /* LTTP_ARCH_SIZE */
	uint32_t refused;    /* counter */
	uint64_t reserved_version[3];
	struct lttp_refusal refusals[LTTP_REFUSALS];

	char reserved_common[LTTP_FIXED_AT - LTTP_COMMON_BYTES];

	/* Fixed. On separate pages, of which each process has a private copy
	 * (lttp_session_take()). */
	union {
		struct {
			uint32_t block_bytes;
			uint32_t flight_blocks; /* number of blocks that a file keeps; 0: all */
			uint32_t chunk_blocks;  /* blocks that are mapped together (chunk.h) */
			uint32_t cpus;          /* greatest possible number of a CPU, plus 1 */
			uint32_t lanes;
			uint32_t counter; /* an enum lttp_counter */
			uint32_t ordered;
			uint32_t reserved_fixed;
			uint64_t device; /* of the trace directory, to recognize it */
			uint64_t inode;
			uint64_t time_namespace;
			uint64_t start_cycles;
			uint64_t start_ns; /* since 1970-01-01 UTC */
			uint64_t start_monotonic_ns;
			uint64_t cycles_per_second;
			uint64_t beat_cycles; /* the heartbeat interval */
			uint64_t bend_cycles; /* from one bend of the clock map to the next */
			uint64_t bend_ns;     /* the initial estimate of that, in ns */
			char globs[LTTP_GLOBS_BYTES];
			uint64_t pid_namespace; /* of the creating process; 0: unknown */
		};
		char reserved_fixed_pages[LTTP_FIXED_BYTES];
	};

	/* Changing: the first cache line rarely, the second at the first event of each thread. */
	uint64_t running; /* 1; 0 once the session has ended */
	/* Cuts of the tracefiles of the kernel (kernel-cut.h). */
	uint64_t kernel_files;        /* 1: there are such files */
	uint64_t kernel_cut_cycles;   /* the announced cut; 0: none */
	uint64_t kernel_ready_cycles; /* the ring buffers have all events before this cut */
	uint64_t kernel_done_cycles;  /* the last cut of which the recorder has stored the places */
	uint64_t reserved_running[3];
	uint64_t bends[LTTP_BENDS]; /* clock.h */
	uint64_t serials;           /* counter: numbers of threads and processes */
	uint64_t lane_windows;      /* counter: processes that got reserved lanes */
	uint64_t reserved_hold;
	uint64_t lost;             /* counter: lost events that belong to no tracefile */
	uint64_t processes_joined; /* counter */
	uint64_t reserved_lost;
	uint64_t drafts; /* counter */
	uint64_t reserved_counters;
	/* Replaced. The facilities in the order of loading: number of a draft plus 1. */
	uint32_t facilities[LTTP_FACILITIES];
	struct lttp_process_slot processes[LTTP_PROCESSES];
	struct lttp_facility draft[LTTP_FACILITY_DRAFTS];

	/* Requests to the recorder (keeper.h). */
	uint64_t keeper_cycles;     /* last activity of the recorder; 0: there was none */
	uint64_t unanswered_cycles; /* keeper_cycles when a request got no answer */
	uint32_t bell;              /* futex, counter: requests */
	uint32_t answers;           /* futex: value of bell before the last answer */
	uint32_t keeper_pid;        /* pid of the recorder; 0: none */
	uint32_t reserved_keeper;
	uint64_t losses_reported_cycles; /* replaced: when losses were last reported */
	uint64_t reserved_reported[3];

	struct lttp_losses losses;
	struct lttp_unwanted unwanted[LTTP_UNWANTED];
	/* control/processes (journal.h). */
	struct lttp_journal_base journal_base; /* fixed before a process joins */
	uint64_t journal_end;                  /* counter: number of events in the journal */
	uint64_t journal_done;                 /* counter: number of these events in the file */
	uint64_t control_blocks;               /* counter: allocated blocks, without the reserve */
	uint64_t control_wanted;               /* counter: number of required blocks (keeper.h) */
	uint64_t control_refused_errno;        /* as lttp_file.refused_errno */
	uint64_t journal[LTTP_JOURNAL]; /* replaced: (number of the event + 1) << 32 | number of its
					   notice + 1 */
	struct lttp_notice notices[LTTP_NOTICES];
	/* struct lttp_file files[cpus + lanes] follows. */
};

#if defined(__LP64__)
#define LTTP_ARCH_SIZE      3
#define LTTP_ARCH_SIZE_NAME "LP64"
#else
#define LTTP_ARCH_SIZE      2
#define LTTP_ARCH_SIZE_NAME "ILP32"
#endif

_Static_assert(sizeof(struct ltt_probe_gate) == 32, "shared");
_Static_assert(sizeof(struct lttp_refusal) == 32, "shared");
_Static_assert(sizeof(struct lttp_line) == 32, "shared");
_Static_assert(sizeof(struct lttp_facility) == 256, "shared");
_Static_assert(sizeof(struct lttp_process_slot) == 56, "shared");
_Static_assert(sizeof(struct lttp_file) == 256, "shared");
_Static_assert(offsetof(struct lttp_file, lost) == 64, "a line of its own");
_Static_assert(offsetof(struct lttp_file, lines) == 128, "shared");
_Static_assert(offsetof(struct lttp_head, refusals) == 48, "the same in every version");
_Static_assert(offsetof(struct lttp_head, reserved_common) == LTTP_COMMON_BYTES, "the same");
_Static_assert(offsetof(struct lttp_head, block_bytes) == LTTP_FIXED_AT, "pages of their own");
_Static_assert(offsetof(struct lttp_head, running) == 131072, "a line of its own");
_Static_assert(offsetof(struct lttp_head, serials) == 131200, "a line of its own");
_Static_assert(offsetof(struct lttp_head, draft) == 146112, "shared");
_Static_assert(offsetof(struct lttp_head, keeper_cycles) == 244416, "shared");
_Static_assert(sizeof(struct lttp_large) == 96, "shared");
_Static_assert(sizeof(struct lttp_losses) == 1280, "shared");
_Static_assert(offsetof(struct lttp_head, losses) == 244480, "shared");
_Static_assert(sizeof(struct lttp_unwanted) == 64, "shared");
_Static_assert(sizeof(struct lttp_notice) == 640, "shared");
_Static_assert(offsetof(struct lttp_head, journal_base) == 246784, "shared");
_Static_assert(sizeof(struct lttp_head) == 329280, "shared");

#endif /* LTTP_SESSION_LAYOUT_H */
