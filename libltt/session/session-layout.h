/* session-layout.h - the session state: what the processes of one recording share.
 *
 * DIR/info/session is mapped by every process that takes part, by `ltt record`, and by whoever
 * takes a snapshot. It says how the trace is laid out and, for each tracefile, where its writers
 * stand. The events themselves are not here: they are in the tracefiles, which are whole without
 * it.
 *
 * Everybody dies or stops whenever he likes, so nothing here is guarded by a lock. A value is one
 * of
 *   - fixed before the file gets its name, and never changed, nor looked at again after it was
 *     copied;
 *   - a counter, or a word that is replaced by compare-and-exchange;
 *   - owned: the parts of a struct lttp_file that say so are stored only by a thread that may write
 *     to the tracefile at that moment (step.h).
 *
 * Who is still there is known by locks that the kernel drops at death. They are on bytes of
 * info/lock (enum lttp_lock), which only the owner of the trace can open: whoever may read the
 * trace could lock any other file of it.
 *
 * Any of the processes may write anything here at any time. So whatever is changing is copied,
 * checked, and the copy used: an index is compared before it is an index, a loop ends by a fixed
 * count, and a number of blocks is compared with the length of the file.
 *
 * All fields have the same size and place whatever the machine. doc/session.md tells the same story
 * for people. Whoever changes this file raises LTTP_SESSION_VERSION, and does not touch the first
 * LTTP_COMMON_BYTES, in which also a stranger of another version leaves his refusal.
 */
#ifndef LTTP_SESSION_LAYOUT_H
#define LTTP_SESSION_LAYOUT_H

#include <ltt/ltt-probe.h>

#define LTTP_SESSION_MAGIC      "LTTsess\n"
#define LTTP_SESSION_VERSION    5
#define LTTP_SESSION_BYTE_ORDER 0x01020304u

enum {
	LTTP_BLOCK_BYTES_MIN = 4096,
	LTTP_BLOCK_BYTES_MAX = 64 << 20,
	LTTP_BLOCK_BYTES_DEFAULT = 256 << 10,
	LTTP_CPUS_MAX = 8192,
	LTTP_LANES = 1024,          /* tracefiles for threads that cannot use those of the CPUs */
	LTTP_REFUSALS = 30,         /* processes that could not join and are remembered */
	LTTP_BENDS = 8,             /* of the clock map, the latest */
	LTTP_FACILITIES = 128,      /* in one session */
	LTTP_FACILITY_DRAFTS = 384, /* tries to be one of them */
	LTTP_PROCESSES = 256,       /* processes under way that are watched */
	LTTP_GLOBS_BYTES = 1024,
	LTTP_COMMON_BYTES = 1008, /* of the head, the same in every version */
	LTTP_FIXED_AT = 64 << 10, /* no page of any machine is larger */
	LTTP_FIXED_BYTES = 64 << 10,
	LTTP_LOSSES = 32,     /* reasons for losses, with room for new ones */
	LTTP_UNWANTED = 16,   /* facilities that are off and are remembered */
	LTTP_LARGE_TYPES = 8, /* event types whose events were too large and are remembered */
	LTTP_JOURNAL = 64,    /* events of control/processes that are at hand */
	LTTP_NOTICES = 128,   /* those, and others that are being made */
	LTTP_NOTICE_BYTES = 584,
};

enum lttp_counter {
	LTTP_COUNTER_TSC = 1,   /* x86-64, where it is the clock of the kernel too */
	LTTP_COUNTER_CNTVCT,    /* AArch64 */
	LTTP_COUNTER_MONOTONIC, /* nanoseconds of CLOCK_MONOTONIC; not to be had inside a sequence
				 */
};

/* Bytes of info/lock that are locked, with F_OFD_SETLK. */
enum lttp_lock {
	LTTP_LOCK_SNAPSHOT, /* for writing: a snapshot is being taken */
	LTTP_LOCK_KEEPER, /* for reading: somebody sees to it that the session ends, `ltt record` */
	LTTP_LOCK_ATTACHED, /* for reading: a process is attached; for writing: none may be */
};

/* Why a process was refused. */
enum lttp_refusal_reason {
	LTTP_REFUSED_VERSION = 1, /* another version of the session state */
	LTTP_REFUSED_ARCH,        /* another byte order or other sizes */
	LTTP_REFUSED_COUNTER,     /* it may not read the cycle counter */
	LTTP_REFUSED_CLOCK,       /* its time namespace is another */
	LTTP_REFUSED_MEMORY,      /* no memory for its tables */
	LTTP_REFUSED_FACILITY,    /* a facility of it: too many, too long a name, or another ABI */
};

/* Why an event was lost. losses.c has a word for each. */
enum lttp_loss {
	LTTP_LOST_UNKNOWN,
	LTTP_LOST_DISK_FULL,
	LTTP_LOST_QUOTA,
	LTTP_LOST_FILE_SIZE,     /* RLIMIT_FSIZE, or the limit of the file system */
	LTTP_LOST_TOO_LARGE,     /* larger than a block */
	LTTP_LOST_NO_PLACE,      /* a value that the description has no place for */
	LTTP_LOST_NO_RIGHT,      /* to open or map a file of the trace */
	LTTP_LOST_NO_DESCRIPTOR, /* RLIMIT_NOFILE */
	LTTP_LOST_NO_MEMORY,     /* RLIMIT_AS, or none is left */
	LTTP_LOST_NO_TRACE,      /* the directory was removed or renamed */
	LTTP_LOST_IO_ERROR,
	LTTP_LOST_NO_LANE,
	LTTP_LOST_VFORK,       /* traced between vfork and exec */
	LTTP_LOST_NO_FACILITY, /* the facility was refused */
	LTTP_LOST_BUSY,        /* given up after many attempts */
	LTTP_LOST_BAD_STATE,   /* the session state is damaged */
	LTTP_LOST_READ_ONLY,   /* the file system is read-only */
	LTTP_LOST_NO_RECORDER, /* the recorder is stopped or dead, and the process may not open files */
	LTTP_LOST_PROCESS_EVENT, /* not an event of a program: a process_start or process_exit */
	LTTP_LOST_REASONS
};

struct lttp_refusal {
	uint32_t pid;
	uint32_t reason; /* stored last; 0: not complete */
	char name[24];   /* of the process, or of the facility; ended by a 0 */
};

/* The last so many events of a tracefile are told by three words. */
struct lttp_place {
	uint64_t current; /* which block: LTTP_CURRENT() */
	uint64_t word;    /* how far it is filled */
};

/* Which straight line of the clock map the events behind a time value lie on. */
struct lttp_line {
	uint64_t tag;        /* block id << 32 | offset of the time value in the block */
	uint64_t end_cycles; /* the bend at which the line ends */
	uint64_t end_ns;
	uint64_t reserved;
};

/* One tracefile: cpu/N. */
struct lttp_file {
	/* What each event looks at; owned, but for cut_cycles. */
	struct ltt_probe_gate gate;
	uint64_t current; /* owned: slot in the file << 32 | block id; LTTP_NO_BLOCK */
	uint64_t reserved_hot[3];

	/* Once in a block or less. */
	uint64_t lost;         /* counter: events that could not be written here */
	uint64_t blocks;       /* how many are allocated; only grows */
	uint64_t retry_cycles; /* when to try again to get blocks after that had failed, */
	uint64_t turns; /* of a lane: raised before and after each event, so odd inside one */
	uint64_t cut_done_cycles; /* owned: the last cut that a writer passed, and what was there */
	struct lttp_place cut_place;
	uint64_t
		lost_tag; /* owned: block id << 32 | offset of an events_lost that may be updated */

	/* Owned. Two, so that one is right at any moment: that with the greatest tag of this block
	 * that lies before the end of what is written. */
	struct lttp_line lines[2];

	/* Of a flight recorder: which half of the file must stay as it is, plus 1; 0: none. Set by
	 * the writer that passes a cut, owned, and cleared by who made the cut (half.h). */
	uint64_t frozen;
	uint64_t wanted; /* counter: how many blocks a writer needs that cannot allocate (keeper.h)
			  */
	uint64_t made;   /* replaced: an enum lttp_made */
	uint64_t lane_owner;    /* of a lane, replaced: who has it (file.h); 0: nobody */
	uint64_t retry_loss;    /* why getting blocks had failed, an enum lttp_loss */
	uint64_t refused_errno; /* why the recorder could not allocate `wanted`; 0: it could */
	uint64_t reserved[2];
};

/* Whether the file of a tracefile is there: as info/spare/N, empty, until it has its first block,
 * then as cpu/N. */
enum lttp_made {
	LTTP_MADE_NOT,
	LTTP_MADE_HALF, /* somebody is about to, or was killed over it */
	LTTP_MADE_WHOLE,
};

#define LTTP_NO_BLOCK          UINT64_MAX
#define LTTP_CURRENT(SLOT, ID) ((uint64_t)(SLOT) << 32 | (uint32_t)(ID))

/* Values of ltt_probe_gate.owner that are no thread's. */
enum {
	LTTP_OWNER_NONE = 0, /* a step is under way or was cut short */
	LTTP_SERIAL_FIRST = 1,
};

/* Values of ltt_probe_gate.cut_cycles that are no time. */
#define LTTP_CUT_NEVER UINT64_MAX
#define LTTP_CUT_ENDED 0

/* A facility, or one that somebody wants to be. */
struct lttp_facility {
	uint32_t checksum;
	uint32_t events;
	uint64_t cycles; /* when it was loaded */
	uint64_t ns;
	char name[232]; /* ended by a 0 */
};

/* A process under way. It may be killed at any instruction: who finds it dead can tell from this
 * what it had said of itself, and say the rest. */
struct lttp_process_slot {
	uint64_t owner; /* unique number of the process in the session; 0: free */
	uint64_t who;   /* LTTP_WHO(); of another owner: the rest is not in place yet */
	uint64_t start; /* LTTP_SPOT(): where in control/processes its process_start is, or was
			 * about to be; 0: it did not get so far */
	uint64_t exit;  /* the same of its process_exit */
	uint32_t ppid;
	uint32_t is_filtered; /* the recorder has seen that it has a seccomp filter (keeper.h) */
	char name[16];        /* ended by a 0 */
};

/* An event of control/processes, with its place in the file (journal.h). */
struct lttp_notice {
	uint64_t state;         /* replaced: who makes it, or what number it has; 0: nobody, none */
	uint64_t cycles, ns;    /* when it is */
	uint64_t before_cycles; /* the last time value before it, */
	uint32_t before_offset; /* where the next event would go, */
	uint32_t before_last;   /* and the last event, in the block before it */
	uint32_t block, offset; /* where it is, with its time value */
	uint32_t id;            /* LTTP_ID_BLOCK_END closes the block */
	uint32_t size;          /* of the payload */
	char bytes[LTTP_NOTICE_BYTES];
};

/* Where the first event of the journal goes: behind those of the machine. */
struct lttp_journal_base {
	uint64_t cycles;
	uint32_t block, offset, last;
	uint32_t reserved;
};

#define LTTP_SPOT(BLOCK, OFFSET) ((uint64_t)(BLOCK) << 32 | (uint32_t)(OFFSET))
#define LTTP_WHO(PID, OWNER)     ((uint64_t)(PID) << 32 | (uint32_t)(OWNER))

/* An event type of which an event was larger than a block. */
struct lttp_large {
	uint64_t key; /* replaced: checksum of the facility << 32 | number of the event, plus 1 */
	uint64_t events;   /* counter */
	uint64_t reported; /* counter: how many of them the trace reports */
	uint64_t bytes;    /* payload of the largest; only grows */
	char name[64];     /* facility.event; ended by a 0; stored by who has stored the key */
};

/* Losses by reason (losses.h, losses-report.h). */
struct lttp_losses {
	uint64_t events[LTTP_LOSSES];   /* counters, by enum lttp_loss */
	uint64_t reported[LTTP_LOSSES]; /* counters: how many of them the trace reports */
	struct lttp_large large[LTTP_LARGE_TYPES];
};

/* A facility of a program that the globs leave off. */
struct lttp_unwanted {
	uint64_t key;  /* replaced: its checksum plus 1 */
	char name[56]; /* ended by a 0; stored by who has stored the key */
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

	/* Fixed. In pages of their own: each process that opens the session has a copy of them
	 * there, which nobody changes (lttp_session_take()). */
	union {
		struct {
			uint32_t block_bytes;
			uint32_t flight_blocks; /* blocks that a file keeps; 0: all */
			uint32_t chunk_blocks;  /* blocks that are mapped together */
			uint32_t cpus;          /* how many there can be */
			uint32_t lanes;
			uint32_t counter; /* an enum lttp_counter */
			uint32_t ordered;
			uint32_t reserved_fixed;
			uint64_t device; /* of the trace directory, to know it again */
			uint64_t inode;
			uint64_t time_namespace;
			uint64_t start_cycles;
			uint64_t start_ns; /* since 1970-01-01 UTC */
			uint64_t start_monotonic_ns;
			uint64_t cycles_per_second;
			uint64_t beat_cycles; /* the heartbeat interval */
			uint64_t bend_cycles; /* from one bend of the clock map to the next */
			uint64_t bend_ns;     /* what that was held to be at the start */
			char globs[LTTP_GLOBS_BYTES];
			uint64_t pid_namespace; /* of who made it; 0: not known */
		};
		char reserved_fixed_pages[LTTP_FIXED_BYTES];
	};

	/* Changing. The first line seldom; the second at each thread's first event. */
	uint64_t running; /* 1; 0 once the session has ended */
	uint64_t reserved_running[7];
	uint64_t bends[LTTP_BENDS]; /* clock.h */
	uint64_t serials;           /* counter: of threads and processes */
	uint64_t lane_windows;      /* counter: processes that were given lanes at hand */
	uint64_t reserved_hold;
	uint64_t lost;             /* counter: events lost that belong to no tracefile */
	uint64_t processes_joined; /* counter */
	uint64_t reserved_lost;
	uint64_t drafts; /* counter */
	uint64_t reserved_counters;
	/* The facilities in the order of loading: number of a draft plus 1. */
	uint32_t facilities[LTTP_FACILITIES];
	struct lttp_process_slot processes[LTTP_PROCESSES];
	struct lttp_facility draft[LTTP_FACILITY_DRAFTS];

	/* The recorder, and how it is asked (keeper.h). */
	uint64_t keeper_cycles;     /* when it last was seen at work; 0: there never was one */
	uint64_t unanswered_cycles; /* keeper_cycles as it was when a request got no answer */
	uint32_t bell;              /* futex, counter: requests */
	uint32_t answers;           /* futex: requests up to this one have been looked at */
	uint32_t keeper_pid;        /* who watches the session; 0: nobody */
	uint32_t reserved_keeper;
	uint64_t losses_reported_cycles; /* replaced: when losses were last reported */
	uint64_t reserved_reported[3];

	struct lttp_losses losses;
	struct lttp_unwanted unwanted[LTTP_UNWANTED];
	/* control/processes (journal.h). */
	struct lttp_journal_base journal_base; /* fixed before a process joins */
	uint64_t journal_end;                  /* counter: events below it have been entered */
	uint64_t journal_done;                 /* counter: events below it are in the file */
	uint64_t control_blocks;               /* counter: that are allocated */
	uint64_t control_wanted;               /* counter: blocks that somebody needs (keeper.h) */
	uint64_t control_refused_errno;        /* as lttp_file.refused_errno */
	uint64_t journal[LTTP_JOURNAL]; /* replaced: number of the event plus 1 << 32 | of the
					   notice plus 1 */
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
