/* revent-priv.h - read and write recordings of input events by revent (doc/revent.md).
 *
 * A recording is a sequence of parts: header, devices, events. The reader returns the parts in the
 * order of the file, and ltt_revent_put() encodes a part to the same bytes. If the reader cannot
 * decode the file, it reports the reason and returns the remaining bytes unchanged, so no byte is
 * lost.
 */
#ifndef LTT_FORMATS_REVENT_FILE_REVENT_PRIV_H
#define LTT_FORMATS_REVENT_FILE_REVENT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/revent/file/revent-priv.h is private to libltt; use <ltt/ltt-import.h>"
#endif

#include "base/input-priv.h"

typedef enum LttReventLayout {
	LTT_REVENT_VERSIONED,     /* "REVENT" and a version */
	LTT_REVENT_HEADERLESS_20, /* early versions without a header: size of an event in bytes */
	LTT_REVENT_HEADERLESS_24,
	LTT_REVENT_HEADERLESS_28,
	LTT_REVENT_HEADERLESS_32,
} LttReventLayout;

#define LTT_REVENT_MAX_VERSION  3
#define LTT_REVENT_HEADER_PAD   6    /* bytes after the mode */
#define LTT_REVENT_MAX_NAME     4096 /* maximum length of a path or name; more is damage */
#define LTT_REVENT_EVENT_PAD    0xdeadbeefU
#define LTT_REVENT_MAX_TYPE     0x1f
#define LTT_REVENT_EV_BYTES     4  /* size of a bit set of event types */
#define LTT_REVENT_CODE_BYTES   96 /* size of a bit set of codes */
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
	LTT_REVENT_DAMAGE, /* no bytes; describes the error in the bytes that follow */
	LTT_REVENT_BYTES,  /* at most LTT_REVENT_PIECE_BYTES that could not be decoded */
	LTT_REVENT_END,
} LttReventKind;

typedef struct LttReventHeader {
	LttReventLayout layout;
	guint16 version; /* 0 if the layout has none */
	guint16 mode;
	guint8 padding[LTT_REVENT_HEADER_PAD];
} LttReventHeader;

/* Description of a gamepad by the kernel. Bit 0 of a bit set is the least significant bit of its
 * first byte. */
typedef struct LttReventGamepad {
	guint16 bustype, vendor, product, version;
	const guint8 *name; /* borrowed; not terminated by NUL */
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

/* The part before the events in version 2 and later. The times are 0 before version 3. */
typedef struct LttReventStream {
	guint64 n_events;
	guint64 start_s, start_us, end_s, end_us;
} LttReventStream;

typedef struct LttReventEvent {
	gint32 device;
	gint64 seconds, microseconds;
	guint16 type, code;
	gint32 value;
	guint32 pad; /* LTT_REVENT_EVENT_PAD if the layout has no padding */
} LttReventEvent;

typedef struct LttReventPart {
	LttReventKind kind;
	guint64 offset; /* offset of its first byte in the file */
	union {
		LttReventHeader header;
		guint64 n_devices;
		LttReventGamepad gamepad;
		LttReventAbsinfo absinfo;
		LttReventStream stream;
		LttReventEvent event;
		struct {
			const guint8 *bytes; /* valid until the next part is read */
			guint32 length;
		} bytes;           /* of LTT_REVENT_BYTES; the path of LTT_REVENT_DEVICE */
		char message[160]; /* of LTT_REVENT_DAMAGE */
	};
} LttReventPart;

/* ---- layout.c ---- */

/* Returns: the size of an event in bytes; 0: the layout is unknown */
guint ltt_revent_event_bytes(const LttReventHeader *header);

/* Decodes an event. */
void ltt_revent_get_event(const LttReventHeader *header, const guint8 *bytes,
			  LttReventEvent *event);

/* Returns: whether the members of @event have values that real devices produce. This distinguishes
 * events from other bytes.
 * @n_devices: number of devices in the recording; 0 counts as 1 */
gboolean ltt_revent_is_likely(const LttReventEvent *event, guint64 n_devices);

/* Appends the bytes of a part. LTT_REVENT_DAMAGE and LTT_REVENT_END have none. */
void ltt_revent_put(GByteArray *out, const LttReventHeader *header, const LttReventPart *part);

/* ---- headerless.c ---- */

/* Detects the layout of a recording without a header. Returns: FALSE if it is not such a recording
 * or cannot be read */
gboolean ltt_revent_guess_layout(LttInput *input, LttReventLayout *layout);

/* ---- reader.c ---- */

/* Returns: whether the file looks like a recording of any layout */
gboolean ltt_revent_recognise(LttInput *input);

typedef enum LttReventState {
	LTT_REVENT_AT_HEADER,
	LTT_REVENT_AT_DEVICES,
	LTT_REVENT_AT_DEVICE,
	LTT_REVENT_AT_GAMEPAD,
	LTT_REVENT_AT_ABSINFO,
	LTT_REVENT_AT_STREAM,
	LTT_REVENT_AT_EVENT,
	LTT_REVENT_AT_UNCOUNTED, /* events after the counted ones */
	LTT_REVENT_AT_BYTES,
	LTT_REVENT_AT_END,
} LttReventState;

typedef struct LttReventReader {
	LttInput *input; /* borrowed */
	LttReventState state;
	guint64 offset;
	LttReventHeader header;
	guint64 n_devices;
	guint64 n_left;      /* number of remaining devices, axes or counted events */
	gboolean is_counted; /* FALSE: events continue up to the end of the file */
	guint64 n_counted;   /* number of events according to the recording */
} LttReventReader;

void ltt_revent_reader_init(LttReventReader *reader, LttInput *input);

/**
 * ltt_revent_reader_next:
 * Reads the next part. After LTT_REVENT_DAMAGE, returns only bytes. At the end of the file, returns
 * LTT_REVENT_END, also if it is called again.
 *
 * Returns: FALSE with
 *   LTT_ERROR_UNSUPPORTED  the version is above LTT_REVENT_MAX_VERSION, or it is another kind of
 *   file
 *   LTT_ERROR_IO           the file could not be read
 */
gboolean ltt_revent_reader_next(LttReventReader *reader, LttReventPart *part, GError **error);

#endif
