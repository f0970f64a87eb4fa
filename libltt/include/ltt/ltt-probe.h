/* ltt-probe.h - trace the events of a running program into a directory.
 *
 * A program calls the functions of a generated header (`ltt compile --header`), which includes this
 * one, and links with -lltt-probe. Nothing is traced until a trace is started: from outside by
 * `ltt record` or, in a running program, by `ltt attach`, or by the program itself with
 * ltt_probe_start(). Threads, forked children and shared libraries are traced without any set-up.
 *
 * Tracing does not disturb the program: the functions of a generated header return nothing, preserve
 * errno, take no lock, allocate no memory, and may be called anywhere, in signal handlers too. An
 * event that cannot be written is counted as lost, and the trace records how many were. Events
 * between vfork() and exec are not traced; they count as lost. An event takes up to 4 KiB of stack; the
 * one with which a process joins the session of `ltt attach`, up to 6 KiB.
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
	/* After all earlier loads of the thread: if one thread traces an event and then sends a
	 * message, and another receives the message and then traces an event, their times are in
	 * that order. */
	LTT_PROBE_CLOCK_ORDERED = 0,
	/* Without waiting for earlier loads, about twice as fast: the time of an event may be up to
	 * half a microsecond too early. */
	LTT_PROBE_CLOCK_FAST = 1,
};

/* Properties of a new trace. Zero selects the default of each member but `size_bytes`. */
struct ltt_probe_options {
	size_t size_bytes;     /* sizeof(struct ltt_probe_options): it may grow */
	uint64_t flight_bytes; /* flight recorder: bytes to keep of each CPU; 0: keep everything */
	uint32_t block_bytes;  /* power of two, 4096 (or the page size) to 67108864; 0: 262144 */
	uint32_t clock;        /* an enum ltt_probe_clock */
	uint32_t heartbeat_ms; /* longest time between two time values, at most an hour; 0: 1000 */
	uint32_t reserved;     /* 0 */
	const char
		*facilities; /* globs of the facilities to trace, with commas between; NULL: all */
	const char *system_xml; /* content of info/system.xml; NULL: made from uname(2) */
};

/**
 * ltt_probe_start:
 * @dir: path of the new trace; must not exist, its parent directory must
 * @options: (nullable): properties of the trace; NULL for the defaults
 *
 * Starts a trace of this process, and of the children that it forks from now on. A program that is
 * started by exec traces into it only if its environment names @dir in LTT_TRACE_DIR.
 *
 * Keeps one file descriptor open for each CPU, and one more, all close-on-exec and below 1024: the
 * process can drop its privileges and still trace.
 *
 * Returns: 0; -EEXIST if @dir exists; -EBUSY if this process traces already, or if a thread is still in
 *   the function of an event that it called before the last ltt_probe_stop(); -EINVAL for invalid
 *   options; otherwise the negative errno of the call that failed. A directory that the failed call has
 *   made is removed.
 *
 * In the second case of -EBUSY, a later call succeeds once the thread has returned. If the thread never
 * returns, because it was cancelled or a signal handler left the function by siglongjmp(), each later
 * call fails with -EBUSY, too.
 */
LTT_PROBE_API int ltt_probe_start(const char *dir, const struct ltt_probe_options *options);

/**
 * ltt_probe_stop:
 *
 * Stops the trace that ltt_probe_start() started, for forked children too. The trace is then
 * complete. A forked child can call it, too, and so stops the trace of its parent: do not register it by
 * atexit(3), if a child may call exit(3). In a process that `ltt record` traces, leaves the session. Does nothing if the process
 * does not trace. Other threads may trace meanwhile: each of their events is in the trace or not
 * traced, never partly written.
 */
LTT_PROBE_API void ltt_probe_stop(void);

/**
 * ltt_probe_snapshot:
 * @dir: path of the copy; must not exist, its parent directory must
 *
 * Copies the trace that this process writes, up to one value of the cycle counter, while tracing
 * goes on. The copy is a complete trace of all processes of the session. The first snapshot of a
 * flight recorder doubles its files until the trace ends, so that no event is overwritten during the copy.
 *
 * Returns: 0; -EEXIST if @dir exists; -ENOTCONN if this process does not trace; -EBUSY if another
 *   snapshot is being taken, or the writers leave no moment for this one; otherwise the negative
 *   errno of the call that failed. A directory that the failed call has made is removed.
 */
LTT_PROBE_API int ltt_probe_snapshot(const char *dir);

/*
 * For generated code
 * ==================
 *
 * The rest is for the headers that `ltt compile --header` writes. A program does not use it.
 *
 * A generated header has, for its facility F with event types E0, E1, ...:
 *
 * 1. LTT_PROBE_DEFINE_FACILITY(F, CHECKSUM, EVENTS, XML) once, outside of any function: checksum as
 *    one literal, number of event types, and canonical description of the facility. It defines the
 *    variable ltt_probe_facility_F_CHECKSUM, called FACILITY below, which all files of one program
 *    or library with the same version of F share, and the off check ltt_probe_on_F_CHECKSUM().
 * 2. for each event type a function that begins with
 *
 *	if (!ltt_probe_on_F_CHECKSUM())
 *		return;
 *
 *    and then passes the bytes of the payload, packed, in one of three ways:
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
 *    b. A payload that is a fixed list of at most LTT_MAX_PROBE_PARTS parts (fields of constant
 *       size, strings, plain items) is copied from where it is, by a function that is not inlined
 *       (ltt-probe-parts.h):
 *
 *	struct ltt_probe_parts parts;
 *
 *	ltt_probe_parts_open(&parts);
 *	ltt_probe_parts_string(&parts, path);
 *	ltt_probe_parts_put(&parts, &flags, sizeof(flags));
 *	...
 *	ltt_probe_parts_write(&parts, &FACILITY, INDEX);
 *
 *    c. Any other payload is gathered in a buffer, a stage, also by a function that is not inlined
 *       (ltt-probe-stage.h).
 *
 * 3. for an event with strings a second function, trace_F_E_n(), which takes a length with each
 *    string; and trace_F_E_enabled(), which returns ltt_probe_on_F_CHECKSUM().
 */

/* Incremented when the following changes. The library also accepts facilities of ABI 1, whose off
 * check loads `on` of the facility itself and which `ltt attach` cannot reach. It refuses others. */
#define LTT_PROBE_ABI 2

/* A facility in one program or shared library. */
struct ltt_probe_facility {
	uint32_t on;       /* whether the current session traces its events */
	uint32_t base;     /* event id of event type 0; 0 while the session has not loaded it */
	uint32_t abi;      /* LTT_PROBE_ABI */
	uint32_t checksum; /* CRC-32 of the meaning of the description (doc/format.md) */
	uint32_t events;   /* number of event types */
	uint32_t registered;
	const char *name;
	const char *xml; /* description, the text of its file in eventdefs/ */
	struct ltt_probe_facility *next;
	uint64_t reserved[2];
	uint32_t *switches; /* ltt_probe_switches of the program or library; since ABI 2 */
};

/*
 * The switches: the words that off checks load. Each program and each library has one array of
 * them, a common symbol that fills whole pages. The library maps a page that `ltt attach` can write
 * over the first of them (attach.h), so nothing else may be there. The checksum of a facility
 * selects its switch. If two facilities share a switch and one of them is on, events of the other
 * pass the off check and are rejected later.
 *
 *	ltt_probe_switches    [0][1] ... [CHECKSUM % 1024] ... [1023] (rest of the page)
 *	                                   ^
 *	ltt_probe_on_F_CHECKSUM() ---------+
 */
#define LTT_PROBE_SWITCHES         1024
#define LTT_PROBE_SWITCH(CHECKSUM) ((CHECKSUM) % LTT_PROBE_SWITCHES)

#if defined(__x86_64__) || defined(__i386__)
#define LTT_PROBE_SWITCHES_BYTES "4096" /* size and alignment: the largest base page */
#else
#define LTT_PROBE_SWITCHES_BYTES "65536"
#endif

extern uint32_t ltt_probe_switches[LTT_PROBE_SWITCHES] __attribute__((visibility("hidden")));

/* Adds a facility to the current session and to later ones; a second call has no effect. For
 * constructors, not for signal handlers. */
LTT_PROBE_API void ltt_probe_register(struct ltt_probe_facility *facility);

/* Removes a facility whose library is unloaded; a second call has no effect. */
LTT_PROBE_API void ltt_probe_unregister(struct ltt_probe_facility *facility);

/* As @size of ltt_probe_emit(): the description has no encoding for the values. */
#define LTT_PROBE_REFUSED 1

/* Writes an event after the fast path failed, or counts it as lost. @bytes may be NULL if @size is 0.
 * With any other @size, NULL counts the event as lost: as refused if @size is LTT_PROBE_REFUSED,
 * otherwise as larger than the memory for it. */
LTT_PROBE_API void ltt_probe_emit(struct ltt_probe_facility *facility, uint32_t index,
				  uint64_t size, const void *bytes);

/* Writes an event with the payload @bytes, or counts it as lost. */
LTT_PROBE_API void ltt_probe_write_bytes(struct ltt_probe_facility *facility, uint32_t index,
					 uint64_t size, const void *bytes);

/* Defines the variable of a facility, and constructor and destructor that register it. */
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
	/* Whether events of the facility are traced: one load and one branch if not. */           \
	LTT_PROBE_ALWAYS_INLINE int ltt_probe_on_##NAME##_##CHECKSUM(void)                         \
	{                                                                                          \
		return __builtin_expect(                                                           \
			       __atomic_load_n(&ltt_probe_switches[LTT_PROBE_SWITCH(CHECKSUM)],    \
					       __ATOMIC_RELAXED) != 0,                             \
			       0) != 0;                                                            \
	}

/* The same in headers generated before ABI 2. */
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

/* Writes an event, or counts it as lost. Its payload is the first @size bytes, a constant, of
 * @words. */
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
	/* A copy, so that the compiler can keep the words in registers. */
	if (size != 0)
		memcpy(copy, words, LTT_PROBE_WORDS(size) * sizeof(copy[0]));
	words = copy;
#endif
	ltt_probe_emit(facility, index, size, words);
}

#include <ltt/ltt-probe-parts.h>
#include <ltt/ltt-probe-stage.h>

#ifdef __cplusplus
}
#endif

#endif /* LTT_PROBE_H */
