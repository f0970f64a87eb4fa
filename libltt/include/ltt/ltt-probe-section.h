/* ltt-probe-section.h - one event into the current block of this CPU, all or nothing.
 *
 * For ltt-probe.h alone; nothing here is to be called or looked at by anybody else.
 *
 * An event is written in a restartable sequence: a stretch of code that the kernel leaves for
 * another place whenever the thread is preempted, moved to another CPU or handed a signal inside
 * it. So while it runs to its end nobody else writes to the tracefile of this CPU, and its last
 * instruction, which stores the word that says how far the block is filled, makes the event part
 * of the trace. Left before, it leaves no sign. Everything the sequence relies on is loaded inside
 * it: what was loaded before may be stale.
 *
 * It gives up where the gate is not this thread's, where the time does not fit the block's last
 * time value, where the block has no room, and where the kernel came between. What to do then is
 * decided out of line, by ltt_probe_emit().
 */
#ifndef LTT_PROBE_H
#include <ltt/ltt-probe.h>
#elif !defined(LTT_PROBE_SECTION_H)
#define LTT_PROBE_SECTION_H

/* What an event has to pass: one for each tracefile, shared by all processes of the session. */
struct ltt_probe_gate {
	uint64_t owner;        /* serial number of the thread that the last thread event names */
	uint64_t cut_cycles;   /* no event may be stamped so late */
	uint64_t base_cycles;  /* the last time value of the block; deltas count from here */
	uint64_t limit_cycles; /* a delta has to be less than this */
};

/* Where a process writes on one CPU. All zero: nowhere yet. */
struct ltt_probe_cpu {
	struct ltt_probe_gate *gate;
	char *block; /* the current block, while the gate is owned by a thread of the process */
	char *chunk; /* the mapping that the block is in */
	uint64_t chunk_number;
	uint64_t reserved[4];
};

/* The start of the kernel's struct rseq. */
struct ltt_probe_rseq {
	uint32_t cpu_id_start;
	uint32_t cpu_id;   /* the CPU that the thread runs on */
	uint64_t sequence; /* address of the description of the current sequence; 0: none */
};

/* The start of an event in a block. Payload words go to offsetof(payload) + 0, 8, 16 and 24. */
struct ltt_probe_event {
	uint16_t id;
	uint32_t delta_cycles;
	uint64_t payload[4];
} __attribute__((packed));

/* How a thread stands. */
struct ltt_probe_thread {
	struct ltt_probe_rseq *rseq; /* registered with the kernel */
	struct ltt_probe_cpu *cpus;  /* by number of the CPU */
	uint64_t serial;             /* unique in the session, never used again */
	uint64_t word_bytes;         /* where a block keeps its word: its size less 8 */
	uint64_t room_bytes;         /* where an event may end at most */
	uint64_t epoch;              /* for the library: what the rest was set up for */
	uint32_t mode;               /* an enum ltt_probe_mode */
	uint32_t vforked;            /* 1 from vfork() to its return in the parent */
	uint32_t tid;
	uint32_t depth; /* how many events are being written to lanes, each interrupted by the next
			 */
	uint16_t lanes[4]; /* by depth: number of the lane plus 1 */
	uint16_t listed;   /* for the library: place in its list of threads plus 1 */
	uint16_t reserved_listed[3];
	uint64_t reserved;
};

enum ltt_probe_mode {
	LTT_PROBE_MODE_NONE = 0, /* the library decides */
	LTT_PROBE_MODE_FAST,     /* restartable, the counter read as it comes */
	LTT_PROBE_MODE_ORDERED,  /* restartable, the counter read behind all earlier loads */
};

LTT_PROBE_API extern __thread struct ltt_probe_thread ltt_probe_thread
	__attribute__((tls_model("initial-exec")));

#if defined(__x86_64__) && defined(__LP64__)
#include <ltt/ltt-probe-x86-64.h>
#elif defined(__aarch64__) && defined(__LP64__) && defined(__AARCH64EL__)
#include <ltt/ltt-probe-aarch64.h>
#endif

#ifdef LTT_PROBE_HAS_SECTION

/* Operands of the assembly: offset of a field, and binary logarithm of the size of a struct. */
#define LTT_PROBE_OFFSET(NAME, STRUCT, FIELD) [NAME] "i"(__builtin_offsetof(struct STRUCT, FIELD))
#define LTT_PROBE_SHIFT(NAME, STRUCT)         [NAME] "i"(__builtin_ctz(sizeof(struct STRUCT)))

/* What LTT_PROBE_SECTION_TABLE and LTT_PROBE_SECTION_ENTER refer to, and what all of the assembly
 * does. */
#define LTT_PROBE_ENTER_OFFSETS                                                                    \
	[signature] "i"(LTT_PROBE_RSEQ_SIGNATURE), LTT_PROBE_OFFSET(rseq, ltt_probe_thread, rseq), \
		LTT_PROBE_OFFSET(sequence, ltt_probe_rseq, sequence),                              \
		LTT_PROBE_OFFSET(cpu_id, ltt_probe_rseq, cpu_id)
#define LTT_PROBE_SECTION_OFFSETS                                                                  \
	LTT_PROBE_ENTER_OFFSETS, LTT_PROBE_SHIFT(cpu_shift, ltt_probe_cpu),                        \
		LTT_PROBE_OFFSET(cpus, ltt_probe_thread, cpus),                                    \
		LTT_PROBE_OFFSET(serial, ltt_probe_thread, serial),                                \
		LTT_PROBE_OFFSET(word_bytes, ltt_probe_thread, word_bytes),                        \
		LTT_PROBE_OFFSET(room_bytes, ltt_probe_thread, room_bytes),                        \
		LTT_PROBE_OFFSET(gate, ltt_probe_cpu, gate),                                       \
		LTT_PROBE_OFFSET(block, ltt_probe_cpu, block),                                     \
		LTT_PROBE_OFFSET(owner, ltt_probe_gate, owner),                                    \
		LTT_PROBE_OFFSET(cut, ltt_probe_gate, cut_cycles),                                 \
		LTT_PROBE_OFFSET(time_base, ltt_probe_gate, base_cycles),                          \
		LTT_PROBE_OFFSET(limit, ltt_probe_gate, limit_cycles),                             \
		LTT_PROBE_OFFSET(id, ltt_probe_event, id),                                         \
		LTT_PROBE_OFFSET(delta, ltt_probe_event, delta_cycles),                            \
		LTT_PROBE_OFFSET(payload, ltt_probe_event, payload)

/* NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define LTT_PROBE_OPERANDS(INPUTS, CLOBBERS) : : INPUTS : CLOBBERS : slow

/* Defines a function that writes an event of event number `index` whose payload of `size` bytes is
 * given by the other parameters. It returns whether the event was written. */
#define LTT_PROBE_DEFINE_SECTION(NAME, PARAMETERS, STORES, INPUTS, CLOBBERS)                       \
	LTT_PROBE_ALWAYS_INLINE int NAME PARAMETERS                                                \
	{                                                                                          \
		__asm__ __volatile__ goto(                                                         \
			LTT_PROBE_SECTION_TABLE LTT_PROBE_SECTION_ENTER LTT_PROBE_SECTION_HEADER   \
				STORES LTT_PROBE_SECTION_COMMIT LTT_PROBE_OPERANDS(                \
					LTT_PROBE_LIST(INPUTS), LTT_PROBE_LIST(CLOBBERS)));        \
		return 1;                                                                          \
	slow:                                                                                      \
		return 0;                                                                          \
	}

#define LTT_PROBE_SECTION_PARAMETERS                                                               \
	const struct ltt_probe_thread *thread, const struct ltt_probe_facility *facility,          \
		uint32_t index, uint64_t size
#define LTT_PROBE_WORDS_PARAMETERS LTT_PROBE_SECTION_PARAMETERS, const uint64_t *words

#define LTT_PROBE_INPUTS_0 LTT_PROBE_SECTION_INPUTS
#define LTT_PROBE_INPUTS_1 LTT_PROBE_INPUTS_0, [w0] "r"(words[0])
#define LTT_PROBE_INPUTS_2 LTT_PROBE_INPUTS_1, [w1] "r"(words[1])
#define LTT_PROBE_INPUTS_3 LTT_PROBE_INPUTS_2, [w2] "r"(words[2])
#define LTT_PROBE_INPUTS_4 LTT_PROBE_INPUTS_3, [w3] "r"(words[3])

#define LTT_PROBE_LIST(...) __VA_ARGS__

LTT_PROBE_DEFINE_SECTION(ltt_probe_section_0, (LTT_PROBE_SECTION_PARAMETERS), LTT_PROBE_STORE_0,
			 LTT_PROBE_LIST(LTT_PROBE_INPUTS_0),
			 LTT_PROBE_LIST(LTT_PROBE_SECTION_CLOBBERS))
LTT_PROBE_DEFINE_SECTION(ltt_probe_section_1, (LTT_PROBE_WORDS_PARAMETERS), LTT_PROBE_STORE_1,
			 LTT_PROBE_LIST(LTT_PROBE_INPUTS_1),
			 LTT_PROBE_LIST(LTT_PROBE_SECTION_CLOBBERS))
LTT_PROBE_DEFINE_SECTION(ltt_probe_section_2, (LTT_PROBE_WORDS_PARAMETERS), LTT_PROBE_STORE_2,
			 LTT_PROBE_LIST(LTT_PROBE_INPUTS_2),
			 LTT_PROBE_LIST(LTT_PROBE_SECTION_CLOBBERS))
LTT_PROBE_DEFINE_SECTION(ltt_probe_section_3, (LTT_PROBE_WORDS_PARAMETERS), LTT_PROBE_STORE_3,
			 LTT_PROBE_LIST(LTT_PROBE_INPUTS_3),
			 LTT_PROBE_LIST(LTT_PROBE_SECTION_CLOBBERS))
LTT_PROBE_DEFINE_SECTION(ltt_probe_section_4, (LTT_PROBE_WORDS_PARAMETERS), LTT_PROBE_STORE_4,
			 LTT_PROBE_LIST(LTT_PROBE_INPUTS_4),
			 LTT_PROBE_LIST(LTT_PROBE_SECTION_CLOBBERS))

#ifdef LTT_PROBE_STORE_BYTES
#define LTT_PROBE_INPUTS_BYTES LTT_PROBE_SECTION_INPUTS, [bytes] "r"(bytes)
LTT_PROBE_DEFINE_SECTION(ltt_probe_section_bytes, (LTT_PROBE_SECTION_PARAMETERS, const void *bytes),
			 LTT_PROBE_STORE_BYTES, LTT_PROBE_LIST(LTT_PROBE_INPUTS_BYTES),
			 LTT_PROBE_LIST(LTT_PROBE_BYTES_CLOBBERS))
#endif

#endif /* LTT_PROBE_HAS_SECTION */
#endif /* LTT_PROBE_SECTION_H */
