/* layout.c - decode events, and encode all parts of a recording.
 *
 * All numbers are little endian. Widths of the members of an event in bytes:
 *
 *	layout   device  pad  seconds  microseconds  type  code  value
 *	v2, v3     2      -      8          8          2     2      4     26 bytes
 *	v0, v1     4      4      8          8          2     2      4     32
 *	32         4      4      8          8          2     2      4     32
 *	28         4      -      8          8          2     2      4     28
 *	24         4      4      4          4          2     2      4     24
 *	20         4      -      4          4          2     2      4     20
 */
#include "base/bytes-priv.h"
#include "formats/revent/file/revent-priv.h"

#include <string.h>

typedef struct Widths {
	guint device, pad, stamp;
} Widths;

#define TAIL_BYTES 8 /* type, code and value */

static Widths get_widths(const LttReventHeader *header)
{
	switch (header->layout) {
	case LTT_REVENT_HEADERLESS_20:
		return (Widths){4, 0, 4};
	case LTT_REVENT_HEADERLESS_24:
		return (Widths){4, 4, 4};
	case LTT_REVENT_HEADERLESS_28:
		return (Widths){4, 0, 8};
	case LTT_REVENT_HEADERLESS_32:
		return (Widths){4, 4, 8};
	case LTT_REVENT_VERSIONED:
		return header->version < 2 ? (Widths){4, 4, 8} : (Widths){2, 0, 8};
	default:
		return (Widths){0, 0, 0};
	}
}

guint ltt_revent_event_bytes(const LttReventHeader *header)
{
	const Widths widths = get_widths(header);

	return widths.device == 0 ? 0 : widths.device + widths.pad + 2 * widths.stamp + TAIL_BYTES;
}

void ltt_revent_get_event(const LttReventHeader *header, const guint8 *bytes, LttReventEvent *event)
{
	const Widths widths = get_widths(header);
	const guint8 *at = bytes + widths.device + widths.pad;
	const guint8 *tail = at + 2 * widths.stamp;

	*event = (LttReventEvent){
		.device = (gint32)ltt_load_uint(bytes, widths.device, LTT_LITTLE_ENDIAN),
		.pad = widths.pad == 0 ? LTT_REVENT_EVENT_PAD
				       : ltt_load_u32(bytes + widths.device, LTT_LITTLE_ENDIAN),
		.seconds = (gint64)ltt_load_uint(at, widths.stamp, LTT_LITTLE_ENDIAN),
		.microseconds =
			(gint64)ltt_load_uint(at + widths.stamp, widths.stamp, LTT_LITTLE_ENDIAN),
		.type = ltt_load_u16(tail, LTT_LITTLE_ENDIAN),
		.code = ltt_load_u16(tail + 2, LTT_LITTLE_ENDIAN),
		.value = (gint32)ltt_load_u32(tail + 4, LTT_LITTLE_ENDIAN),
	};
}

gboolean ltt_revent_is_likely(const LttReventEvent *event, guint64 n_devices)
{
	return event->device >= 0 && (guint64)event->device < MAX(n_devices, 1) &&
	       event->type <= LTT_REVENT_MAX_TYPE && event->seconds >= 0 &&
	       event->microseconds >= 0 && event->microseconds < LTT_REVENT_US_PER_S &&
	       event->pad == LTT_REVENT_EVENT_PAD;
}

/* ---- encoding ---- */

static void put(GByteArray *out, guint width, guint64 value)
{
	guint8 bytes[8];

	ltt_store_uint(bytes, width, value, LTT_LITTLE_ENDIAN);
	g_byte_array_append(out, bytes, width);
}

static void put_header(GByteArray *out, const LttReventHeader *header)
{
	if (header->layout != LTT_REVENT_VERSIONED)
		return;
	g_byte_array_append(out, (const guint8 *)"REVENT", 6);
	put(out, 2, header->version);
	if (header->version < 2)
		return;
	put(out, 2, header->mode);
	g_byte_array_append(out, header->padding, LTT_REVENT_HEADER_PAD);
}

static void put_text(GByteArray *out, const guint8 *bytes, guint32 length)
{
	put(out, 4, length);
	g_byte_array_append(out, bytes, length);
}

static void put_gamepad(GByteArray *out, const LttReventGamepad *gamepad)
{
	put(out, 2, gamepad->bustype);
	put(out, 2, gamepad->vendor);
	put(out, 2, gamepad->product);
	put(out, 2, gamepad->version);
	put_text(out, gamepad->name, gamepad->name_bytes);
	g_byte_array_append(out, gamepad->ev_bits, sizeof(gamepad->ev_bits));
	g_byte_array_append(out, gamepad->abs_bits, sizeof(gamepad->abs_bits));
	g_byte_array_append(out, gamepad->rel_bits, sizeof(gamepad->rel_bits));
	g_byte_array_append(out, gamepad->key_bits, sizeof(gamepad->key_bits));
	put(out, 4, gamepad->n_absinfo);
}

static void put_absinfo(GByteArray *out, const LttReventAbsinfo *absinfo)
{
	const gint32 values[] = {absinfo->code,      absinfo->value, absinfo->minimum,
				 absinfo->maximum,   absinfo->fuzz,  absinfo->flat,
				 absinfo->resolution};

	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		put(out, 4, (guint32)values[i]);
}

static void put_stream(GByteArray *out, const LttReventHeader *header,
		       const LttReventStream *stream)
{
	put(out, 8, stream->n_events);
	if (header->version < 3)
		return;
	put(out, 8, stream->start_s);
	put(out, 8, stream->start_us);
	put(out, 8, stream->end_s);
	put(out, 8, stream->end_us);
}

static void put_event(GByteArray *out, const LttReventHeader *header, const LttReventEvent *event)
{
	const Widths widths = get_widths(header);

	put(out, widths.device, (guint64)event->device);
	if (widths.pad > 0)
		put(out, widths.pad, event->pad);
	put(out, widths.stamp, (guint64)event->seconds);
	put(out, widths.stamp, (guint64)event->microseconds);
	put(out, 2, event->type);
	put(out, 2, event->code);
	put(out, 4, (guint64)event->value);
}

void ltt_revent_put(GByteArray *out, const LttReventHeader *header, const LttReventPart *part)
{
	switch (part->kind) {
	case LTT_REVENT_HEADER:
		put_header(out, header);
		break;
	case LTT_REVENT_DEVICES:
		put(out, header->layout == LTT_REVENT_HEADERLESS_28 ? 8 : 4, part->n_devices);
		break;
	case LTT_REVENT_DEVICE:
		put_text(out, part->bytes.bytes, part->bytes.length);
		break;
	case LTT_REVENT_GAMEPAD:
		put_gamepad(out, &part->gamepad);
		break;
	case LTT_REVENT_ABSINFO:
		put_absinfo(out, &part->absinfo);
		break;
	case LTT_REVENT_STREAM:
		put_stream(out, header, &part->stream);
		break;
	case LTT_REVENT_EVENT:
		put_event(out, header, &part->event);
		break;
	case LTT_REVENT_BYTES:
		g_byte_array_append(out, part->bytes.bytes, part->bytes.length);
		break;
	case LTT_REVENT_DAMAGE:
	case LTT_REVENT_END:
		break;
	}
}
