/* revent-priv.h - recordings of input events by revent, part by part (doc/revent.md).
 *
 * A recording is a row of parts: header, devices, events. The reader gives them in the order of the
 * file, the writer puts them down again: what one gives, the other makes the same bytes of. What
 * is no part comes as bytes, after a word on what is wrong, so that nothing is ever left out.
 */
#ifndef LTT_FORMATS_REVENT_FILE_REVENT_PRIV_H
#define LTT_FORMATS_REVENT_FILE_REVENT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/revent/file/revent-priv.h is private to libltt; use <ltt/ltt-import.h>"
#endif

#include "base/input-priv.h"

typedef enum LttReventLayout {
	LTT_REVENT_VERSIONED,     /* "REVENT" and a version */
	LTT_REVENT_HEADERLESS_20, /* before there were versions: the bytes of an event */
	LTT_REVENT_HEADERLESS_24,
	LTT_REVENT_HEADERLESS_28,
	LTT_REVENT_HEADERLESS_32,
} LttReventLayout;

#define LTT_REVENT_MAX_VERSION  3
#define LTT_REVENT_HEADER_PAD   6    /* bytes behind the mode */
#define LTT_REVENT_MAX_NAME     4096 /* bytes of a path or name; a longer one is damage */
#define LTT_REVENT_EVENT_PAD    0xdeadbeefU
#define LTT_REVENT_MAX_TYPE     0x1f
#define LTT_REVENT_EV_BYTES     4  /* the bits of event types */
#define LTT_REVENT_CODE_BYTES   96 /* the bits of codes */
#define LTT_REVENT_PIECE_BYTES  32768
#define LTT_REVENT_US_PER_S     1000000
#define LTT_REVENT_MODE_GENERAL 0
#define LTT_REVENT_MODE_GAMEPAD 1

typedef enum LttReventKind {
	LTT_REVENT_HEADER,
	LTT_REVENT_DEVICES,
	LTT_REVENT_DEVICE,
	LTT_REVENT_GAMEPAD,
	LTT_REVENT_ABSINFO,
	LTT_REVENT_STREAM,
	LTT_REVENT_EVENT,
	LTT_REVENT_DAMAGE, /* no bytes: what is wrong with those behind */
	LTT_REVENT_BYTES,  /* at most LTT_REVENT_PIECE_BYTES that are no part */
	LTT_REVENT_END,
} LttReventKind;

typedef struct LttReventHeader {
	LttReventLayout layout;
	guint16 version; /* 0 where there is none */
	guint16 mode;
	guint8 padding[LTT_REVENT_HEADER_PAD];
} LttReventHeader;

/* How the device was made known by the kernel. Bits count from the lowest of the first byte. */
typedef struct LttReventGamepad {
	guint16 bustype, vendor, product, version;
	const guint8 *name; /* lent; no NUL at its end */
	guint32 name_bytes;
	guint8 ev_bits[LTT_REVENT_EV_BYTES];
	guint8 abs_bits[LTT_REVENT_CODE_BYTES];
	guint8 rel_bits[LTT_REVENT_CODE_BYTES];
	guint8 key_bits[LTT_REVENT_CODE_BYTES];
	guint32 n_absinfo;
} LttReventGamepad;

typedef struct LttReventAbsinfo {
	gint32 code, value, minimum, maximum, fuzz, flat, resolution;
} LttReventAbsinfo;

/* What stands in front of the events from version 2 on; times from version 3 on, else 0. */
typedef struct LttReventStream {
	guint64 n_events;
	guint64 start_s, start_us, end_s, end_us;
} LttReventStream;

typedef struct LttReventEvent {
	gint32 device;
	gint64 seconds, microseconds;
	guint16 type, code;
	gint32 value;
	guint32 pad; /* LTT_REVENT_EVENT_PAD where the layout has none */
} LttReventEvent;

typedef struct LttReventPart {
	LttReventKind kind;
	guint64 offset; /* of its first byte in the file */
	union {
		LttReventHeader header;
		guint64 n_devices;
		LttReventGamepad gamepad;
		LttReventAbsinfo absinfo;
		LttReventStream stream;
		LttReventEvent event;
		struct {
			const guint8 *bytes; /* lent until the next part is read */
			guint32 length;
		} bytes;           /* of LTT_REVENT_DEVICE the path; of LTT_REVENT_BYTES */
		char message[160]; /* of LTT_REVENT_DAMAGE */
	};
} LttReventPart;

/* ---- layout.c ---- */

/* Returns: the bytes of an event; 0: no such layout */
guint ltt_revent_event_bytes(const LttReventHeader *header);

/* Takes apart an event of that layout. */
void ltt_revent_get_event(const LttReventHeader *header, const guint8 *bytes,
			  LttReventEvent *event);

/* Whether it can be one of a real device: what tells events from what is none.
 * @n_devices: that there are; 0 counts as 1 */
gboolean ltt_revent_is_likely(const LttReventEvent *event, guint64 n_devices);

/* Appends the bytes of a part, but for damage and end, which have none. */
void ltt_revent_put(GByteArray *out, const LttReventHeader *header, const LttReventPart *part);

/* ---- headerless.c ---- */

/* Returns: whether it is a recording from before there were versions, and then which layout.
 * Errors of reading are not told: FALSE */
gboolean ltt_revent_guess_layout(LttInput *input, LttReventLayout *layout);

/* ---- reader.c ---- */

/* Returns: whether the file begins as a recording of any layout does */
gboolean ltt_revent_recognise(LttInput *input);

typedef enum LttReventState {
	LTT_REVENT_AT_HEADER,
	LTT_REVENT_AT_DEVICES,
	LTT_REVENT_AT_DEVICE,
	LTT_REVENT_AT_GAMEPAD,
	LTT_REVENT_AT_ABSINFO,
	LTT_REVENT_AT_STREAM,
	LTT_REVENT_AT_EVENT,
	LTT_REVENT_AT_UNCOUNTED, /* events behind those that are counted */
	LTT_REVENT_AT_BYTES,
	LTT_REVENT_AT_END,
} LttReventState;

typedef struct LttReventReader {
	LttInput *input; /* borrowed */
	LttReventState state;
	guint64 offset;
	LttReventHeader header;
	guint64 n_devices;
	guint64 n_left;      /* devices, axes or counted events that are still to come */
	gboolean is_counted; /* else events go on to the end of the file */
	guint64 n_counted;
} LttReventReader;

void ltt_revent_reader_init(LttReventReader *reader, LttInput *input);

/**
 * ltt_revent_reader_next:
 * Reads the next part. After LTT_REVENT_DAMAGE come only bytes, and after the last part
 * LTT_REVENT_END, again and again.
 *
 * Returns: FALSE with
 *   LTT_ERROR_UNSUPPORTED  a version above LTT_REVENT_MAX_VERSION, or a file of another kind
 *   LTT_ERROR_IO           the file could not be read
 */
gboolean ltt_revent_reader_next(LttReventReader *reader, LttReventPart *part, GError **error);

#endif
