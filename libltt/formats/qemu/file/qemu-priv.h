/* qemu-priv.h - logs of QEMU's record/replay, event by event (doc/qemu-replay.md).
 *
 * A log is a header and events without lengths: where one id is not known, nothing behind it can
 * be. What the ids are depends on the release, and the version in the header does not tell it
 * alone: see LttQemuRelease. The reader gives the parts in the order of the file, the writer puts
 * them down again; what is no part comes as bytes, after a word on what is wrong.
 */
#ifndef LTT_FORMATS_QEMU_FILE_QEMU_PRIV_H
#define LTT_FORMATS_QEMU_FILE_QEMU_PRIV_H

#ifndef LTT_BUILDING
#error "formats/qemu/file/qemu-priv.h is private to libltt; use <ltt/ltt-import.h>"
#endif

#include "base/input-priv.h"

#define LTT_QEMU_RESERVED_BYTES 8
#define LTT_QEMU_HEADER_BYTES   (4 + LTT_QEMU_RESERVED_BYTES)
#define LTT_QEMU_MAX_DATA       ((guint32)15 * 1024 * 1024) /* of one event; more is damage */
#define LTT_QEMU_SAMPLE_BYTES   16
#define LTT_QEMU_PIECE_BYTES    32768

/* Kinds of events, in the order of their ids. Those that all releases have are in it once, the
 * single asynchronous event of older ones being taken for what it carries. */
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

/* Why a machine was shut down: numbers of the newest release, and of others what it
 * no longer has. */
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
	LTT_QEMU_CAUSE_MAX, /* the id behind those of all causes; QEMU never writes it */
} LttQemuCause;

/* The checkpoint at which an asynchronous event was handled; from 7.1 on the log does not say. */
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
	LTT_QEMU_CHECKPOINT_CLOCK_WARP, /* 2.5 */
	LTT_QEMU_CHECKPOINT_NOT_TOLD = 255,
} LttQemuCheckpoint;

typedef enum LttQemuInput {
	LTT_QEMU_KEY_NUMBER,
	LTT_QEMU_KEY_QCODE,
	LTT_QEMU_KEY_LINUX, /* from 11.1 on */
	LTT_QEMU_BUTTON,
	LTT_QEMU_RELATIVE,
	LTT_QEMU_ABSOLUTE,
	LTT_QEMU_TOUCH,
	LTT_QEMU_N_INPUTS,
} LttQemuInput;

/* What a release has in its logs. */
typedef enum LttQemuHas {
	LTT_QEMU_HAS_ONE_ASYNC = 1 << 0, /* one id for all asynchronous events, and a checkpoint */
	LTT_QEMU_HAS_ONESHOT = 1 << 1,
	LTT_QEMU_HAS_CHAR = 1 << 2,
	LTT_QEMU_HAS_AUDIO = 1 << 3,
	LTT_QEMU_HAS_RANDOM_BYTES = 1 << 4,
	LTT_QEMU_HAS_ONE_WARP = 1 << 5,      /* CP_CLOCK_WARP instead of the two others */
	LTT_QEMU_HAS_SAMPLE_COUNTS = 1 << 6, /* audio input without a position in a ring */
	LTT_QEMU_HAS_LINUX_KEYS = 1 << 7,
	LTT_QEMU_HAS_ALTGR = 1 << 8,     /* keys in the list QKeyCode: altgr, altgr_r */
	LTT_QEMU_HAS_YEN = 1 << 9,       /* hiragana, henkan, yen */
	LTT_QEMU_HAS_KATAKANA = 1 << 10, /* muhenkan, katakanahiragana */
} LttQemuHas;

/* A release as far as its logs are concerned: what its ids mean and how wide its numbers are. */
typedef struct LttQemuRelease {
	const char *name;   /* "7.2-10.2" */
	guint32 version;    /* in the header */
	guint32 has;        /* LttQemuHas */
	guint8 n_shutdowns; /* ids that SHUTDOWN takes */
	guint8 n_async;     /* kinds of asynchronous events */
	guint8 audio_bytes; /* of the numbers of audio events */
} LttQemuRelease;

static inline gboolean ltt_qemu_has(const LttQemuRelease *release, LttQemuHas what)
{
	return (release->has & what) != 0;
}

/* What an id is. */
typedef struct LttQemuId {
	guint8 kind; /* LTT_QEMU_N_KINDS: none */
	guint8 cause;
	gboolean is_async; /* the kind follows */
} LttQemuId;

/* An argument: a number. The array that some events have comes behind the numbers. */
typedef struct LttQemuArgument {
	const char *name;
	guint8 bytes;
	gboolean is_signed;
} LttQemuArgument;

#define LTT_QEMU_MAX_ARGUMENTS 5

typedef enum LttQemuData {
	LTT_QEMU_NO_DATA,
	LTT_QEMU_BYTES_DATA, /* a length of 4 bytes, and bytes */
	LTT_QEMU_SAMPLES,    /* as many as the first number says, or none */
} LttQemuData;

typedef struct LttQemuSpec {
	LttQemuArgument arguments[LTT_QEMU_MAX_ARGUMENTS];
	guint n_arguments;
	LttQemuData data;
} LttQemuSpec;

/* The ids of a release, and what follows them. */
typedef struct LttQemuNumbering {
	const LttQemuRelease *release;
	LttQemuId ids[256];
	guint8 kinds[LTT_QEMU_N_KINDS]; /* id of a kind, of SHUTDOWN that of its first cause */
	guint8 end;                     /* the id of END */
	LttQemuSpec specs[LTT_QEMU_N_KINDS];
} LttQemuNumbering;

typedef struct LttQemuEvent {
	LttQemuKind kind;
	LttQemuCause cause;           /* of SHUTDOWN */
	LttQemuCheckpoint checkpoint; /* of ASYNC_... */
	LttQemuInput input;           /* of ASYNC_INPUT */
	guint64 numbers[LTT_QEMU_MAX_ARGUMENTS];
	const guint8 *data; /* lent; samples as they are in the file, big endian */
	guint32 data_bytes;
} LttQemuEvent;

typedef enum LttQemuPartKind {
	LTT_QEMU_PART_HEADER,
	LTT_QEMU_PART_EVENT,
	LTT_QEMU_PART_DAMAGE, /* no bytes: what is wrong with those behind */
	LTT_QEMU_PART_BYTES,  /* at most LTT_QEMU_PIECE_BYTES that are no part */
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
			const guint8 *bytes; /* lent until the next part is read */
			guint32 length;
		} bytes;
		char message[160];
	};
} LttQemuPart;

/* ---- release.c ---- */

/* The releases, oldest first. */
guint ltt_qemu_n_releases(void);
const LttQemuRelease *ltt_qemu_get_release(guint index);
guint ltt_qemu_release_index(const LttQemuRelease *release);

void ltt_qemu_numbering_init(LttQemuNumbering *numbering, const LttQemuRelease *release);

/* Returns: (transfer none): what follows the id of an event, and its checkpoint and kinds where it
 * has these. @event: kind and input are looked at */
const LttQemuSpec *ltt_qemu_get_spec(const LttQemuNumbering *numbering, const LttQemuEvent *event);

/* Returns: "CLOCK_HOST" */
const char *ltt_qemu_kind_name(LttQemuKind kind);

/* Returns: FALSE, and @kind not set, if it is not one of these names */
gboolean ltt_qemu_kind_from_name(const char *name, LttQemuKind *kind);

static inline gboolean ltt_qemu_is_async(LttQemuKind kind)
{
	return kind >= LTT_QEMU_ASYNC_BH && kind <= LTT_QEMU_ASYNC_NET;
}

/* The numbers that a log has for these, and back. Return: FALSE if there is none */
gboolean ltt_qemu_get_async(const LttQemuRelease *release, LttQemuKind kind, guint8 *number);
gboolean ltt_qemu_find_async(const LttQemuRelease *release, guint8 number, LttQemuKind *kind);
gboolean ltt_qemu_get_checkpoint(const LttQemuRelease *release, LttQemuCheckpoint checkpoint,
				 guint8 *number);
gboolean ltt_qemu_find_checkpoint(const LttQemuRelease *release, guint8 number,
				  LttQemuCheckpoint *checkpoint);
gboolean ltt_qemu_get_cause(const LttQemuRelease *release, LttQemuCause cause, guint8 *number);
LttQemuCause ltt_qemu_find_cause(const LttQemuRelease *release, guint8 number);

/* Keys that the list QKeyCode no longer has. */
#define LTT_QEMU_QCODE_ALTGR   1000
#define LTT_QEMU_QCODE_ALTGR_R 1001
#define LTT_QEMU_QCODE_UNKNOWN G_MAXUINT32

/* Returns: the number that the key has in the list of 2.12 and later, or one of those above */
guint32 ltt_qemu_find_qcode(const LttQemuRelease *release, guint64 number);

/* ---- writer.c ---- */

/* Appends an event. Returns: FALSE, and nothing appended, if the release has no such event */
gboolean ltt_qemu_put_event(GByteArray *out, const LttQemuNumbering *numbering,
			    const LttQemuEvent *event);

/* ---- event.c ---- */

typedef enum LttQemuTaken {
	LTT_QEMU_TAKEN,
	LTT_QEMU_CUT,    /* the file ends in it */
	LTT_QEMU_WRONG,  /* it is no event of the release */
	LTT_QEMU_FAILED, /* the file could not be read; the error is set */
} LttQemuTaken;

/**
 * ltt_qemu_take_event:
 * @offset: of its id; moved behind it when it is taken
 * @message: (nullable): room for 160 bytes: what is wrong, of LTT_QEMU_CUT and LTT_QEMU_WRONG
 */
LttQemuTaken ltt_qemu_take_event(LttInput *input, const LttQemuNumbering *numbering,
				 guint64 *offset, LttQemuEvent *event, char *message,
				 GError **error);

/* ---- guess.c ---- */

/* Returns: whether the file begins as a log does. Errors of reading are not told: FALSE */
gboolean ltt_qemu_recognise(LttInput *input);

#define LTT_QEMU_MOST_RELEASES 32

/* Which release wrote a log. Sets have a bit for each release, by its number. */
typedef struct LttQemuGuess {
	const LttQemuRelease *release;
	guint32 alike; /* others that fit as well, and that read the same events out of the log */
	guint32 other; /* others that fit as well, but read other events: the choice is a guess */
} LttQemuGuess;

/**
 * ltt_qemu_guess_release:
 * By the version and the last byte, which tell all releases apart; where they do not, by trying.
 * The release has another version than the log only if that is 0 or not known.
 *
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED (a version that is not known, and no release fits) or
 *   LTT_ERROR_IO
 */
gboolean ltt_qemu_guess_release(LttInput *input, LttQemuGuess *guess, GError **error);

/* ---- reader.c ---- */

typedef struct LttQemuReader {
	LttInput *input; /* borrowed */
	LttQemuNumbering numbering;
	guint64 offset;
	gboolean has_header;
	gboolean is_over;    /* END, or damage */
	gboolean is_damaged; /* of that, the latter */
} LttQemuReader;

void ltt_qemu_reader_init(LttQemuReader *reader, LttInput *input, const LttQemuRelease *release);

/* Reads the next part. After LTT_QEMU_PART_DAMAGE come only bytes, and after the last part
 * LTT_QEMU_PART_END, again and again. Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT */
gboolean ltt_qemu_reader_next(LttQemuReader *reader, LttQemuPart *part, GError **error);

#endif
