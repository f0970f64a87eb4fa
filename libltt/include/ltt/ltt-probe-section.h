/* ltt-probe-section.h - writes one event into the current block of this CPU, completely or not at all.
 *
 * For ltt-probe.h alone: programs do not use anything here.
 *
 * An event is written in a restartable sequence (rseq): code that the kernel aborts, by a jump to
 * another place, whenever the thread is preempted, migrated or gets a signal inside it. So while the
 * sequence runs to its end nothing else writes to the tracefile of this CPU. Its last instruction
 * stores the word of the block, which makes the event part of the trace. A sequence that is aborted
 * earlier has no effect. It loads everything that it relies on: what was loaded earlier may be stale.
 *
 *	rseq ---- cpu_id ----> cpus[cpu_id] ---- gate ----> owner, cut, base, limit   (session state)
 *	(of the thread)             |
 *	                            +---- block ---> | event | event | free ...      | word |
 *	                                                               ^                |
 *	                                                               +-- next event --+
 *
 * It gives up if another thread owns the gate, if the time does not fit the block's last time value,
 * if the block has no room, and if the kernel aborts it. ltt_probe_emit() decides what to do then.
 */
#ifndef LTT_PROBE_H
#include <ltt/ltt-probe.h>
#elif !defined(LTT_PROBE_SECTION_H)
#define LTT_PROBE_SECTION_H

/* Conditions for writing to a tracefile. Each has one, shared by all processes of the session. */
struct ltt_probe_gate {
	uint64_t owner;        /* serial number of the thread named by the last thread event */
	uint64_t cut_cycles;   /* the time of an event must be less */
	uint64_t base_cycles;  /* last time value of the block; deltas count from it */
	uint64_t limit_cycles; /* a delta must be less */
};

/* Where a process writes on one CPU. All zero: it has not written there yet. */
struct ltt_probe_cpu {
	struct ltt_probe_gate *gate;
	char *block; /* current block, valid while a thread of the process owns the gate */
	char *chunk; /* the mapping that contains the block */
	uint64_t chunk_number;
	uint64_t installs; /* counter: how often another chunk was installed */
	uint64_t reserved[3];
};

/* The start of the kernel's struct rseq. */
struct ltt_probe_rseq {
	uint32_t cpu_id_start;
	uint32_t
		cpu_id; /* the CPU that the thread runs on; negative: the area is not registered any more */
	uint64_t sequence; /* address of the description of the current sequence; 0: none */
};

/* The start of an event in a block. Payload words go to offsetof(payload) + 0, 8, 16 and 24. */
struct ltt_probe_event {
	uint16_t id;
	uint32_t delta_cycles;
	uint64_t payload[4];
} __attribute__((packed));

/* What a thread needs to write events. */
struct ltt_probe_thread {
	struct ltt_probe_rseq *rseq; /* registered with the kernel */
	struct ltt_probe_cpu *cpus;  /* by number of the CPU, -2 to 8191 */
	uint64_t serial;             /* unique in the session, never reused */
	uint64_t word_bytes;         /* offset of the word in a block: block size - 8 */
	uint64_t room_bytes;         /* largest offset at which an event may end */
	uint64_t epoch;              /* for the library: process and session of the other members */
	uint32_t mode;               /* an enum ltt_probe_mode */
	uint32_t vforked;            /* between vfork() and its return in the parent: not 0 */
	uint32_t tid;
	uint32_t depth;    /* number of nested events in lanes: each was interrupted by the next */
	uint16_t lanes[4]; /* by depth: number of the lane + 1 */
	uint16_t listed;   /* for the library: place in its list of threads + 1 */
	uint16_t reserved_listed[3];
	uint64_t reserved;
};

enum ltt_probe_mode {
	LTT_PROBE_MODE_NONE = 0, /* no sequence: call the library */
	LTT_PROBE_MODE_FAST,     /* sequence, counter read without waiting for earlier loads */
	LTT_PROBE_MODE_ORDERED,  /* sequence, counter read after all earlier loads */
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

/* Operands of LTT_PROBE_SECTION_TABLE and LTT_PROBE_SECTION_ENTER, and of a whole section. */
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

/* Defines a function that writes an event of event type `index` with a payload of `size` bytes, given
 * by the other parameters. It returns whether the event was written. */
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
