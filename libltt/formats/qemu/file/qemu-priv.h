/* qemu-priv.h - read and write logs of QEMU's record/replay (doc/qemu-replay.md).
 *
 * A log consists of a header and events. Events do not contain their length, so nothing after an
 * unknown event id can be decoded. The meaning of the ids depends on the release of QEMU, and the
 * version in the header alone does not identify the release (see LttQemuRelease). The reader
 * returns the parts of a log in the order of the file; the writer writes them. If the reader cannot
 * decode the file, it reports the reason and returns the remaining bytes unchanged.
 */
#ifndef LTT_FORMATS_QEMU_FILE_QEMU_PRIV_H
#define LTT_FORMATS_QEMU_FILE_QEMU_PRIV_H

#ifndef LTT_BUILDING
#error "formats/qemu/file/qemu-priv.h is private to libltt; use <ltt/ltt-import.h>"
#endif

#include "base/input-priv.h"

#define LTT_QEMU_RESERVED_BYTES 8
#define LTT_QEMU_HEADER_BYTES   (4 + LTT_QEMU_RESERVED_BYTES)
#define LTT_QEMU_MAX_DATA       ((guint32)15 * 1024 * 1024) /* for one event; more is damage */
#define LTT_QEMU_SAMPLE_BYTES   16
#define LTT_QEMU_PIECE_BYTES    32768

/* Kinds of events, in the order of their ids. The list contains the kinds of all releases. Older
 * releases have one id for all asynchronous events; a second number then selects the ASYNC_
 * kind. */
#define LTT_QEMU_KINDS(X)                                                                          \
	X(INSTRUCTION)                                                                             \
	X(INTERRUPT)                                                                               \
	X(EXCEPTION)                                                                               \
	X(ASYNC_BH)                                                                                \
	X(ASYNC_BH_ONESHOT)                                                                        \
	X(ASYNC_INPUT)                                                                             \
	X(ASYNC_INPUT_SYNC)                                                                        \
	X(ASYNC_CHAR_READ)                                                                         \
	X(ASYNC_BLOCK)                                                                             \
	X(ASYNC_NET)                                                                               \
	X(SHUTDOWN)                                                                                \
	X(CHAR_WRITE)                                                                              \
	X(CHAR_READ_ALL)                                                                           \
	X(CHAR_READ_ALL_ERROR)                                                                     \
	X(AUDIO_OUT)                                                                               \
	X(AUDIO_IN)                                                                                \
	X(RANDOM)                                                                                  \
	X(CLOCK_HOST)                                                                              \
	X(CLOCK_VIRTUAL_RT)                                                                        \
	X(CP_CLOCK_WARP)                                                                           \
	X(CP_CLOCK_WARP_START)                                                                     \
	X(CP_CLOCK_WARP_ACCOUNT)                                                                   \
	X(CP_RESET_REQUESTED)                                                                      \
	X(CP_SUSPEND_REQUESTED)                                                                    \
	X(CP_CLOCK_VIRTUAL)                                                                        \
	X(CP_CLOCK_HOST)                                                                           \
	X(CP_CLOCK_VIRTUAL_RT)                                                                     \
	X(CP_INIT)                                                                                 \
	X(CP_RESET)                                                                                \
	X(END)

typedef enum LttQemuKind {
#define LTT_QEMU_KIND(name) LTT_QEMU_##name,
	LTT_QEMU_KINDS(LTT_QEMU_KIND)
#undef LTT_QEMU_KIND
		LTT_QEMU_N_KINDS,
} LttQemuKind;

/* Causes of a shutdown: the numbers of the newest release, followed by causes that only older
 * releases have. */
typedef enum LttQemuCause {
	LTT_QEMU_CAUSE_NONE,
	LTT_QEMU_CAUSE_HOST_ERROR,
	LTT_QEMU_CAUSE_HOST_QMP_QUIT,
	LTT_QEMU_CAUSE_HOST_QMP_SYSTEM_RESET,
	LTT_QEMU_CAUSE_HOST_SIGNAL,
	LTT_QEMU_CAUSE_HOST_UI,
	LTT_QEMU_CAUSE_GUEST_SHUTDOWN,
	LTT_QEMU_CAUSE_GUEST_RESET,
	LTT_QEMU_CAUSE_GUEST_PANIC,
	LTT_QEMU_CAUSE_SUBSYSTEM_RESET,
	LTT_QEMU_CAUSE_SNAPSHOT_LOAD,
	LTT_QEMU_CAUSE_HOST_QMP,
	LTT_QEMU_CAUSE_NOT_TOLD,
	LTT_QEMU_CAUSE_MAX, /* the id after the ids of all causes; QEMU never writes it */
} LttQemuCause;

/* The checkpoint at which an asynchronous event was handled. Logs of QEMU 7.1 and later do not
 * contain it. */
typedef enum LttQemuCheckpoint {
	LTT_QEMU_CHECKPOINT_CLOCK_WARP_START,
	LTT_QEMU_CHECKPOINT_CLOCK_WARP_ACCOUNT,
	LTT_QEMU_CHECKPOINT_RESET_REQUESTED,
	LTT_QEMU_CHECKPOINT_SUSPEND_REQUESTED,
	LTT_QEMU_CHECKPOINT_CLOCK_VIRTUAL,
	LTT_QEMU_CHECKPOINT_CLOCK_HOST,
	LTT_QEMU_CHECKPOINT_CLOCK_VIRTUAL_RT,
	LTT_QEMU_CHECKPOINT_INIT,
	LTT_QEMU_CHECKPOINT_RESET,
	LTT_QEMU_CHECKPOINT_CLOCK_WARP, /* only in QEMU 2.5 */
	LTT_QEMU_CHECKPOINT_NOT_TOLD = 255,
} LttQemuCheckpoint;

typedef enum LttQemuInput {
	LTT_QEMU_KEY_NUMBER,
	LTT_QEMU_KEY_QCODE,
	LTT_QEMU_KEY_LINUX, /* QEMU 11.1 and later */
	LTT_QEMU_BUTTON,
	LTT_QEMU_RELATIVE,
	LTT_QEMU_ABSOLUTE,
	LTT_QEMU_TOUCH,
	LTT_QEMU_N_INPUTS,
} LttQemuInput;

/* Properties of the logs of a release. */
typedef enum LttQemuHas {
	LTT_QEMU_HAS_ONE_ASYNC = 1 << 0, /* one id for all asynchronous events, and a checkpoint */
	LTT_QEMU_HAS_ONESHOT = 1 << 1,
	LTT_QEMU_HAS_CHAR = 1 << 2,
	LTT_QEMU_HAS_AUDIO = 1 << 3,
	LTT_QEMU_HAS_RANDOM_BYTES = 1 << 4,
	LTT_QEMU_HAS_ONE_WARP = 1 << 5,      /* CP_CLOCK_WARP, no CP_CLOCK_WARP_... */
	LTT_QEMU_HAS_SAMPLE_COUNTS = 1 << 6, /* audio input has no position in a ring buffer */
	LTT_QEMU_HAS_LINUX_KEYS = 1 << 7,
	LTT_QEMU_HAS_ALTGR = 1 << 8,     /* QKeyCode has altgr and altgr_r */
	LTT_QEMU_HAS_YEN = 1 << 9,       /* QKeyCode has hiragana, henkan and yen */
	LTT_QEMU_HAS_KATAKANA = 1 << 10, /* QKeyCode has muhenkan and katakanahiragana */
} LttQemuHas;

/* The format of the logs of one or more releases: the meaning of ids and the width of numbers. */
typedef struct LttQemuRelease {
	const char *name;   /* "7.2-10.2" */
	guint32 version;    /* in the header */
	guint32 has;        /* LttQemuHas */
	guint8 n_shutdowns; /* number of ids of SHUTDOWN */
	guint8 n_async;     /* number of kinds of asynchronous events */
	guint8 audio_bytes; /* width of the numbers in audio events */
} LttQemuRelease;

static inline gboolean ltt_qemu_has(const LttQemuRelease *release, LttQemuHas what)
{
	return (release->has & what) != 0;
}

/* Meaning of an id. */
typedef struct LttQemuId {
	guint8 kind;       /* LTT_QEMU_N_KINDS: unused id */
	guint8 cause;      /* of SHUTDOWN */
	gboolean is_async; /* the id is followed by a checkpoint and a kind */
} LttQemuId;

/* An argument of an event, which is a number. Some events have an array after the numbers. */
typedef struct LttQemuArgument {
	const char *name;
	guint8 bytes;
	gboolean is_signed;
} LttQemuArgument;

#define LTT_QEMU_MAX_ARGUMENTS 5

typedef enum LttQemuData {
	LTT_QEMU_NO_DATA,
	LTT_QEMU_BYTES_DATA, /* a length in 4 bytes, followed by the bytes */
	LTT_QEMU_SAMPLES,    /* audio samples; their number is the first argument, or 0 */
} LttQemuData;

typedef struct LttQemuSpec {
	LttQemuArgument arguments[LTT_QEMU_MAX_ARGUMENTS];
	guint n_arguments;
	LttQemuData data;
} LttQemuSpec;

/* The ids of a release and the arguments of each kind. */
typedef struct LttQemuNumbering {
	const LttQemuRelease *release;
	LttQemuId ids[256];
	guint8 kinds[LTT_QEMU_N_KINDS]; /* id of each kind; of SHUTDOWN, for the first cause */
	guint8 end;                     /* id of END */
	LttQemuSpec specs[LTT_QEMU_N_KINDS];
} LttQemuNumbering;

typedef struct LttQemuEvent {
	LttQemuKind kind;
	LttQemuCause cause;           /* of SHUTDOWN */
	LttQemuCheckpoint checkpoint; /* of ASYNC_... */
	LttQemuInput input;           /* of ASYNC_INPUT */
	guint64 numbers[LTT_QEMU_MAX_ARGUMENTS];
	const guint8 *data; /* borrowed; samples are big endian, as in the file */
	guint32 data_bytes;
} LttQemuEvent;

typedef enum LttQemuPartKind {
	LTT_QEMU_PART_HEADER,
	LTT_QEMU_PART_EVENT,
	LTT_QEMU_PART_DAMAGE, /* no bytes; describes the error in the bytes that follow */
	LTT_QEMU_PART_BYTES,  /* at most LTT_QEMU_PIECE_BYTES that could not be decoded */
	LTT_QEMU_PART_END,
} LttQemuPartKind;

typedef struct LttQemuPart {
	LttQemuPartKind kind;
	guint64 offset;
	union {
		struct {
			guint32 version; /* 0: the log was not finished */
			guint8 reserved[LTT_QEMU_RESERVED_BYTES];
		} header;
		LttQemuEvent event;
		struct {
			const guint8 *bytes; /* valid until the next part is read */
			guint32 length;
		} bytes;
		char message[160];
	};
} LttQemuPart;

/* ---- release.c ---- */

/* Access the releases by index, oldest first. */
guint ltt_qemu_n_releases(void);
const LttQemuRelease *ltt_qemu_get_release(guint index);
guint ltt_qemu_release_index(const LttQemuRelease *release);

void ltt_qemu_numbering_init(LttQemuNumbering *numbering, const LttQemuRelease *release);

/* Returns: (transfer none): the arguments of an event, which follow the id and, if present, the
 * checkpoint and kind. @event: only its kind and input are used */
const LttQemuSpec *ltt_qemu_get_spec(const LttQemuNumbering *numbering, const LttQemuEvent *event);

/* Returns: a name such as "CLOCK_HOST" */
const char *ltt_qemu_kind_name(LttQemuKind kind);

/* Returns: FALSE, without setting @kind, if @name is not the name of a kind */
gboolean ltt_qemu_kind_from_name(const char *name, LttQemuKind *kind);

static inline gboolean ltt_qemu_is_async(LttQemuKind kind)
{
	return kind >= LTT_QEMU_ASYNC_BH && kind <= LTT_QEMU_ASYNC_NET;
}

/* Convert kinds, checkpoints and causes to their numbers in a log, and back. Return: FALSE if the
 * release has no such number */
gboolean ltt_qemu_get_async(const LttQemuRelease *release, LttQemuKind kind, guint8 *number);
gboolean ltt_qemu_find_async(const LttQemuRelease *release, guint8 number, LttQemuKind *kind);
gboolean ltt_qemu_get_checkpoint(const LttQemuRelease *release, LttQemuCheckpoint checkpoint,
				 guint8 *number);
gboolean ltt_qemu_find_checkpoint(const LttQemuRelease *release, guint8 number,
				  LttQemuCheckpoint *checkpoint);
gboolean ltt_qemu_get_cause(const LttQemuRelease *release, LttQemuCause cause, guint8 *number);
LttQemuCause ltt_qemu_find_cause(const LttQemuRelease *release, guint8 number);

/* Numbers for keys that are not in the present list QKeyCode. */
#define LTT_QEMU_QCODE_ALTGR   1000
#define LTT_QEMU_QCODE_ALTGR_R 1001
#define LTT_QEMU_QCODE_UNKNOWN G_MAXUINT32

/* Returns: the number of the key in the list of QEMU 2.12 and later, or one of the numbers above.
 * @number: the number in a log of @release */
guint32 ltt_qemu_find_qcode(const LttQemuRelease *release, guint64 number);

/* ---- writer.c ---- */

/* Appends an event. Returns: FALSE, without appending, if the release has no such event */
gboolean ltt_qemu_put_event(GByteArray *out, const LttQemuNumbering *numbering,
			    const LttQemuEvent *event);

/* ---- event.c ---- */

typedef enum LttQemuTaken {
	LTT_QEMU_TAKEN,
	LTT_QEMU_CUT,    /* the file ends within the event */
	LTT_QEMU_WRONG,  /* the release has no such event */
	LTT_QEMU_FAILED, /* the file could not be read; the error is set */
} LttQemuTaken;

/**
 * ltt_qemu_take_event:
 * @offset: (inout): offset of the event; on LTT_QEMU_TAKEN, the offset after it
 * @message: (nullable): buffer of 160 bytes; receives a description of LTT_QEMU_CUT and
 * LTT_QEMU_WRONG
 */
LttQemuTaken ltt_qemu_take_event(LttInput *input, const LttQemuNumbering *numbering,
				 guint64 *offset, LttQemuEvent *event, char *message,
				 GError **error);

/* ---- guess.c ---- */

/* Returns: whether the file looks like a log; FALSE if it cannot be read */
gboolean ltt_qemu_recognise(LttInput *input);

#define LTT_QEMU_MOST_RELEASES 32

/* The release that wrote a log. Sets have one bit for each release, by index. */
typedef struct LttQemuGuess {
	const LttQemuRelease *release;
	guint32 alike; /* set of releases that match equally well and decode the same events */
	guint32 other; /* set of releases that match equally well but decode other events; if it is
			  not empty, the choice is a guess */
} LttQemuGuess;

/**
 * ltt_qemu_guess_release:
 * Determines the release from the version and the last byte, or by decoding the log with each
 * release. The version of the result differs from the version in the log only if the latter is 0 or
 * unknown.
 *
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED (the version is unknown and no release matches) or
 *   LTT_ERROR_IO
 */
gboolean ltt_qemu_guess_release(LttInput *input, LttQemuGuess *guess, GError **error);

/* ---- reader.c ---- */

typedef struct LttQemuReader {
	LttInput *input; /* borrowed */
	LttQemuNumbering numbering;
	guint64 offset;
	gboolean has_header;
	gboolean is_over;    /* END or damage has been reached */
	gboolean is_damaged; /* damage has been reached */
} LttQemuReader;

void ltt_qemu_reader_init(LttQemuReader *reader, LttInput *input, const LttQemuRelease *release);

/* Reads the next part. After LTT_QEMU_PART_DAMAGE, returns only bytes. At the end of the file,
 * returns LTT_QEMU_PART_END, also if it is called again. Returns: FALSE with LTT_ERROR_IO or
 * LTT_ERROR_LIMIT */
gboolean ltt_qemu_reader_next(LttQemuReader *reader, LttQemuPart *part, GError **error);

#endif
