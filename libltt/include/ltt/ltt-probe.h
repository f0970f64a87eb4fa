/* ltt-probe.h - events of a running program into a trace directory.
 *
 * A program is instrumented with the functions of a generated header (`ltt compile --header`),
 * which includes this one, and linked with -lltt-probe. Nothing is traced until a trace is started:
 * from outside by `ltt record` or, while the program runs, by `ltt attach`, or by the program
 * itself with ltt_probe_start(). Threads, forked children and shared libraries join in by
 * themselves.
 *
 * Tracing does not disturb the program: the functions of a generated header return nothing, keep
 * errno, take no lock, allocate nothing, and may be called anywhere, in signal handlers too. An
 * event that cannot be written is counted, and the trace says how many were lost. Between vfork()
 * and exec nothing is traced; what is tried there counts as lost.
 *
 * For C11 and C++11 and later.
 */
#ifndef LTT_PROBE_H
#define LTT_PROBE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LTT_PROBE_API           __attribute__((visibility("default")))
#define LTT_PROBE_ALWAYS_INLINE static inline __attribute__((always_inline))

#ifdef __cplusplus
extern "C" {
#endif

/* How the cycle counter is read. */
enum ltt_probe_clock {
	/* Behind all earlier loads of the thread: an event that was traced after a message was seen
	 * never has a time before the event that was traced before the message was sent. */
	LTT_PROBE_CLOCK_ORDERED = 0,
	/* As it comes, about twice as fast: such an event may get a time up to about half a
	 * microsecond too early. */
	LTT_PROBE_CLOCK_FAST = 1,
};

/* How a trace is to be made. All zero but `size_bytes` is a good start. */
struct ltt_probe_options {
	size_t size_bytes;     /* sizeof(struct ltt_probe_options): this struct may grow */
	uint64_t flight_bytes; /* keep the last so many bytes of each CPU; 0: keep everything */
	uint32_t block_bytes;  /* a power of two from 4096 (or the page size) to 67108864; 0: 262144
				*/
	uint32_t clock;        /* an enum ltt_probe_clock */
	uint32_t heartbeat_ms; /* the longest time between two time values, up to an hour; 0: 1000
				*/
	uint32_t reserved;     /* 0 */
	const char *facilities; /* globs, with commas between: which facilities are on; NULL: all */
	const char *system_xml; /* what to write as info/system.xml; NULL: made from uname(2) */
};

/**
 * ltt_probe_start:
 * @dir: where the trace is to be; must not be there yet, its parent must
 * @options: (nullable): how; NULL for the defaults
 *
 * Starts a trace of this process, and of the children that it forks from now on. Programs that are
 * started by exec trace into it only if the environment says LTT_TRACE_DIR.
 *
 * Keeps a descriptor open for each CPU, and one more, close-on-exec, below 1024: so that the
 * process can drop its privileges and trace on.
 *
 * Returns: 0; -EEXIST if @dir is there; -EBUSY if this process traces already; -EINVAL for options
 *   that no trace can have; otherwise -errno of what failed, and then nothing is left of @dir.
 */
LTT_PROBE_API int ltt_probe_start(const char *dir, const struct ltt_probe_options *options);

/**
 * ltt_probe_stop:
 *
 * Ends what ltt_probe_start() began: for forked children too. The trace is then complete. A process
 * that `ltt record` traces leaves its session. Does nothing if nothing is traced. Other threads may
 * trace meanwhile: an event is in the trace or was not traced, never half in.
 */
LTT_PROBE_API void ltt_probe_stop(void);

/**
 * ltt_probe_snapshot:
 * @dir: where the copy is to be; must not be there yet, its parent must
 *
 * Copies the trace that this process writes into, as it is at one value of the cycle counter, while
 * tracing goes on. The copy is a complete trace of all processes of the session. A flight recorder
 * takes as much room again from then on, so that nothing is written over while it is copied.
 *
 * Returns: 0; -EEXIST if @dir is there; -ENOTCONN if this process does not trace; -EBUSY if another
 *   snapshot is being taken, or no moment can be found for this one; otherwise -errno of what
 *   failed. Of a snapshot that failed nothing is left.
 */
LTT_PROBE_API int ltt_probe_snapshot(const char *dir);

/*
 * For generated code
 * ==================
 *
 * All below is for the headers that `ltt compile --header` writes. A program does not use it.
 *
 * A generated header has, for its facility F with event types E0, E1, ...:
 *
 * 1. LTT_PROBE_DEFINE_FACILITY(F, CHECKSUM, EVENTS, XML) once, outside of any function: checksum,
 *    as one literal, and canonical description of the facility, and the number of its event types.
 *    This makes a variable FACILITY, ltt_probe_facility_F_CHECKSUM, which all files of one program
 *    or library that have the same version of F share, and the off check of the facility,
 *    ltt_probe_on_F_CHECKSUM().
 * 2. for each event type a function that begins with
 *
 *	if (!ltt_probe_on_F_CHECKSUM())
 *		return;
 *
 *    and then hands over the bytes of the payload, packed, in one of three ways:
 *
 *    a. A payload of constant size, up to 32 bytes, goes through a packed struct and words:
 *
 *	struct { uint64_t a; uint32_t b; } __attribute__((packed)) payload = { a, b };
 *	uint64_t words[LTT_PROBE_WORDS(sizeof(payload))];
 *	LTT_PROBE_PACK(words, payload);
 *	ltt_probe_write(&FACILITY, INDEX, sizeof(payload), words);
 *
 *       or, without payload: ltt_probe_write(&FACILITY, INDEX, 0, NULL);
 *
 *    b. One that is a fixed list of at most LTT_PROBE_PARTS_MAX parts (fields of constant size,
 *       strings, plain items) is copied from where it is, by a function of its own that is not
 *       inlined:
 *
 *	struct ltt_probe_parts parts;
 *
 *	ltt_probe_parts_open(&parts);
 *	ltt_probe_parts_string(&parts, path);
 *	ltt_probe_parts_put(&parts, &flags, sizeof(flags));
 *	...
 *	ltt_probe_parts_write(&parts, &FACILITY, INDEX);
 *
 *    c. Any other is gathered in a stage, also in a function of its own (a stage takes half a
 *       kilobyte of stack):
 *
 *	struct ltt_probe_stage stage;
 *
 *	ltt_probe_stage_open(&stage);
 *	do {
 *		ltt_probe_stage_string(&stage, path);
 *		ltt_probe_stage_put(&stage, &flags, sizeof(flags));
 *		...
 *	} while (ltt_probe_stage_again(&stage));
 *	ltt_probe_stage_write(&stage, &FACILITY, INDEX);
 *
 *       The loop runs a second time if the first showed that the stage is too small. A value that
 *       the description has no room for (a sequence longer than its length field can count, a union
 *       code out of range) is answered by ltt_probe_stage_refuse(): the event counts as lost.
 *
 * 3. for an event with strings a second function, trace_F_E_n(), in which each string has a length;
 *    and trace_F_E_enabled(), which returns ltt_probe_on_F_CHECKSUM().
 */

/* Raised when what follows changes. A runtime takes facilities of 1, whose off check loads `on` of
 * the facility itself and which `ltt attach` cannot reach, and refuses those that it does not know.
 */
#define LTT_PROBE_ABI 2

/* A facility as one program or shared library knows it. */
struct ltt_probe_facility {
	uint32_t on;       /* whether the session under way wants its events */
	uint32_t base;     /* event id of event type 0; 0 while the session has none for it */
	uint32_t abi;      /* LTT_PROBE_ABI */
	uint32_t checksum; /* CRC-32 of what the description means (doc/format.md) */
	uint32_t events;   /* how many event types */
	uint32_t registered;
	const char *name;
	const char *xml; /* the description, as it goes into eventdefs/ */
	struct ltt_probe_facility *next;
	uint64_t reserved[2];
	uint32_t *switches; /* ltt_probe_switches of the program or library; since ABI 2 */
};

/*
 * The switches: what the off check loads. Each program and each library has one array of them, a
 * common symbol, alone on its page or pages. The library maps a page that `ltt attach` can write
 * over the first (attach.h), which is why nothing else may be there. A facility's switch is found
 * by its checksum. Two facilities may share one: then the events of both are looked at more closely
 * while one of them is on.
 */
#define LTT_PROBE_SWITCHES         1024
#define LTT_PROBE_SWITCH(CHECKSUM) ((CHECKSUM) % LTT_PROBE_SWITCHES)

#if defined(__x86_64__) || defined(__i386__)
#define LTT_PROBE_SWITCHES_BYTES "4096" /* and their alignment: the largest page there is */
#else
#define LTT_PROBE_SWITCHES_BYTES "65536"
#endif

extern uint32_t ltt_probe_switches[LTT_PROBE_SWITCHES] __attribute__((visibility("hidden")));

/* Makes a facility known to the session, and those to come; a second time is nothing. For
 * constructors, not for signal handlers. */
LTT_PROBE_API void ltt_probe_register(struct ltt_probe_facility *facility);

/* Forgets a facility whose library goes away; a second time is nothing. */
LTT_PROBE_API void ltt_probe_unregister(struct ltt_probe_facility *facility);

#define LTT_PROBE_REFUSED 1

/* Writes or counts an event, whatever stands in the way: what is to be done when the fast path gave
 * up. @bytes may be NULL if @size is 0; with a NULL otherwise the event counts as lost: because its
 * values have no place in the description if @size is LTT_PROBE_REFUSED, else because there is no
 * room for @size bytes. */
LTT_PROBE_API void ltt_probe_emit(struct ltt_probe_facility *facility, uint32_t index,
				  uint64_t size, const void *bytes);

/* Writes or counts an event whose payload is in memory. */
LTT_PROBE_API void ltt_probe_write_bytes(struct ltt_probe_facility *facility, uint32_t index,
					 uint64_t size, const void *bytes);

/* The variable of a facility, and that it registers itself. */
#define LTT_PROBE_FACILITY_OF_ABI(ABI, SWITCHES, NAME, CHECKSUM, EVENTS, XML)                      \
	__attribute__((weak, visibility("hidden"))) struct ltt_probe_facility                      \
		ltt_probe_facility_##NAME##_##CHECKSUM = {0,     0,   ABI, CHECKSUM, EVENTS,  0,   \
							  #NAME, XML, 0,   {0, 0},   SWITCHES};    \
	static void __attribute__((constructor)) ltt_probe_register_##NAME##_##CHECKSUM(void)      \
	{                                                                                          \
		ltt_probe_register(&ltt_probe_facility_##NAME##_##CHECKSUM);                       \
	}                                                                                          \
	static void __attribute__((destructor)) ltt_probe_unregister_##NAME##_##CHECKSUM(void)     \
	{                                                                                          \
		ltt_probe_unregister(&ltt_probe_facility_##NAME##_##CHECKSUM);                     \
	}

#define LTT_PROBE_DEFINE_FACILITY(NAME, CHECKSUM, EVENTS, XML)                                     \
	LTT_PROBE_FACILITY_OF_ABI(LTT_PROBE_ABI, ltt_probe_switches, NAME, CHECKSUM, EVENTS, XML)  \
	__asm__(".hidden ltt_probe_switches\n\t"                                                   \
		".comm ltt_probe_switches, " LTT_PROBE_SWITCHES_BYTES                              \
		", " LTT_PROBE_SWITCHES_BYTES);                                                    \
	/* Whether events of the facility are to be traced: one load and a branch when not. */     \
	LTT_PROBE_ALWAYS_INLINE int ltt_probe_on_##NAME##_##CHECKSUM(void)                         \
	{                                                                                          \
		return __builtin_expect(                                                           \
			       __atomic_load_n(&ltt_probe_switches[LTT_PROBE_SWITCH(CHECKSUM)],    \
					       __ATOMIC_RELAXED) != 0,                             \
			       0) != 0;                                                            \
	}

/* As headers have it that were generated before ABI 2. */
#define LTT_PROBE_FACILITY(NAME, CHECKSUM, EVENTS, XML)                                            \
	LTT_PROBE_FACILITY_OF_ABI(1, 0, NAME, CHECKSUM, EVENTS, XML)

/* Their off check. */
LTT_PROBE_ALWAYS_INLINE int ltt_probe_on(const struct ltt_probe_facility *facility)
{
	return __builtin_expect(__atomic_load_n(&facility->on, __ATOMIC_RELAXED) != 0, 0) != 0;
}

#define LTT_PROBE_WORDS(SIZE) (((SIZE) + 7) / 8)

/* Copies a packed struct into an array of words. */
#define LTT_PROBE_PACK(WORDS, PAYLOAD)                                                             \
	do {                                                                                       \
		(WORDS)[LTT_PROBE_WORDS(sizeof(PAYLOAD)) - 1] = 0;                                 \
		memcpy((WORDS), &(PAYLOAD), sizeof(PAYLOAD));                                      \
	} while (0)

#include <ltt/ltt-probe-section.h>

/* Writes an event whose payload is the first @size bytes, a constant, of @words. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_write(struct ltt_probe_facility *facility, uint32_t index,
					     uint64_t size, const uint64_t *words)
{
#ifdef LTT_PROBE_HAS_SECTION
	const struct ltt_probe_thread *thread = &ltt_probe_thread;
	uint64_t copy[4];
	int written = 0;

	if (size > 32) {
		ltt_probe_write_bytes(facility, index, size, words);
		return;
	}
	if (__builtin_expect(thread->mode != LTT_PROBE_MODE_NONE, 1)) {
		if (__builtin_expect(thread->mode == LTT_PROBE_MODE_ORDERED, 1))
			ltt_probe_order();
		if (size == 0)
			written = ltt_probe_section_0(thread, facility, index, size);
		else if (size <= 8)
			written = ltt_probe_section_1(thread, facility, index, size, words);
		else if (size <= 16)
			written = ltt_probe_section_2(thread, facility, index, size, words);
		else if (size <= 24)
			written = ltt_probe_section_3(thread, facility, index, size, words);
		else
			written = ltt_probe_section_4(thread, facility, index, size, words);
	}
	if (__builtin_expect(written, 1))
		return;
	/* So that the words themselves are never in memory, only in registers. */
	if (size != 0)
		memcpy(copy, words, LTT_PROBE_WORDS(size) * sizeof(copy[0]));
	words = copy;
#endif
	ltt_probe_emit(facility, index, size, words);
}

/* How many bytes of payload a stage holds before it has to be enlarged. */
#define LTT_PROBE_STAGE_BYTES 448

/* A payload in the making. */
struct ltt_probe_stage {
	char *at;           /* where the next byte goes */
	char *end;          /* the end of the room */
	char *start;        /* where the payload begins: `bytes`, or a mapping of the library's */
	uint32_t too_small; /* how many bytes had no room; at most UINT32_MAX */
	uint32_t refused;
	char bytes[LTT_PROBE_STAGE_BYTES];
};

/* Exchanges the room for a larger one and empties it. Returns 1, or 0 if there is none: then the
 * event will count as lost. */
LTT_PROBE_API int ltt_probe_stage_grow(struct ltt_probe_stage *stage);

/* Gives back the room that ltt_probe_stage_grow() took. */
LTT_PROBE_API void ltt_probe_stage_release(struct ltt_probe_stage *stage);

LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_open(struct ltt_probe_stage *stage)
{
	stage->at = stage->start = stage->bytes;
	stage->end = stage->bytes + sizeof(stage->bytes);
	stage->too_small = 0;
	stage->refused = 0;
}

/* Notes that there is no room for @size bytes. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_lack(struct ltt_probe_stage *stage, size_t size)
{
	stage->too_small = size < UINT32_MAX - stage->too_small ? stage->too_small + (uint32_t)size
								: UINT32_MAX;
}

/* Appends @size bytes. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_put(struct ltt_probe_stage *stage, const void *bytes,
						 size_t size)
{
	if (__builtin_expect(size > (size_t)(stage->end - stage->at), 0)) {
		ltt_probe_stage_lack(stage, size);
	} else if (size != 0) {
		memcpy(stage->at, bytes, size);
		stage->at += size;
	}
}

/* Appends @count items of @item_size bytes, a constant, that lie packed one behind the other. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_items(struct ltt_probe_stage *stage, const void *items,
						   size_t count, size_t item_size)
{
	if (__builtin_expect(count > (size_t)(stage->end - stage->at) / item_size, 0))
		ltt_probe_stage_lack(stage, count < UINT32_MAX / item_size ? count * item_size
									   : UINT32_MAX);
	else
		ltt_probe_stage_put(stage, items, count * item_size);
}

/* Appends a string with its 0; NULL as the empty one. What is appended is one string even if
 * another thread changes @text meanwhile. */
LTT_PROBE_API void ltt_probe_stage_string(struct ltt_probe_stage *stage, const char *text);

/* The same for a text that ends at its first 0 or after @length bytes. */
LTT_PROBE_API void ltt_probe_stage_text(struct ltt_probe_stage *stage, const char *text,
					size_t length);

/* Says that the values have no place in the description. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_refuse(struct ltt_probe_stage *stage)
{
	stage->refused = 1;
}

/* Whether the payload has to be gathered once more. */
LTT_PROBE_ALWAYS_INLINE int ltt_probe_stage_again(struct ltt_probe_stage *stage)
{
	return __builtin_expect(stage->too_small, 0) && !stage->refused &&
	       ltt_probe_stage_grow(stage);
}

/* Writes or counts the event. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_stage_write(struct ltt_probe_stage *stage,
						   struct ltt_probe_facility *facility,
						   uint32_t index)
{
	const uint64_t size = (uint64_t)(stage->at - stage->start);

	if (__builtin_expect(stage->refused, 0))
		ltt_probe_emit(facility, index, LTT_PROBE_REFUSED, NULL);
	else if (__builtin_expect(stage->too_small, 0))
		ltt_probe_emit(facility, index, size + stage->too_small, NULL);
	else
		ltt_probe_write_bytes(facility, index, size, stage->start);
	if (__builtin_expect(stage->start != stage->bytes, 0))
		ltt_probe_stage_release(stage);
}

#include <ltt/ltt-probe-parts.h>

#ifdef __cplusplus
}
#endif

#endif /* LTT_PROBE_H */
