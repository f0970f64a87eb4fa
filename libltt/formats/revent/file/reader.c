/* reader.c - read a recording part by part (revent-priv.h).
 *
 * The reader compares each length in the file with the number of remaining bytes before it uses it.
 * It does not check counts in advance: each counted item takes bytes, so a count that is too large
 * leads to an error at the end of the file.
 */
#include "formats/revent/file/revent-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <stdarg.h>
#include <string.h>

#define MAGIC              "REVENT"
#define MAGIC_BYTES        6
#define SHORT_HEADER       8 /* versions 0 and 1 */
#define HEADER_BYTES       16
#define ABSINFO_BYTES      28
#define GAMEPAD_IDS_BYTES  8
#define GAMEPAD_BITS_BYTES (LTT_REVENT_EV_BYTES + 3 * LTT_REVENT_CODE_BYTES)
#define STREAM_BYTES       8
#define STREAM_3_BYTES     40

static gboolean has_magic(LttInput *input)
{
	const guint8 *bytes;

	return ltt_input_get_size(input) >= MAGIC_BYTES &&
	       ltt_input_get(input, 0, MAGIC_BYTES, &bytes, NULL) &&
	       memcmp(bytes, MAGIC, MAGIC_BYTES) == 0;
}

gboolean ltt_revent_recognise(LttInput *input)
{
	LttReventLayout layout;

	return has_magic(input) || ltt_revent_guess_layout(input, &layout);
}

void ltt_revent_reader_init(LttReventReader *reader, LttInput *input)
{
	*reader = (LttReventReader){.input = input};
}

/* ---- steps ---- */

static guint64 get_rest(const LttReventReader *reader)
{
	return ltt_input_get_rest(reader->input, reader->offset);
}

/* Makes @part a LTT_REVENT_DAMAGE; the following parts are LTT_REVENT_BYTES. Returns: TRUE */
static gboolean damage(LttReventReader *reader, LttReventPart *part, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static gboolean damage(LttReventReader *reader, LttReventPart *part, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_vsnprintf(part->message, sizeof(part->message), format, arguments);
	va_end(arguments);
	part->kind = LTT_REVENT_DAMAGE;
	reader->state = LTT_REVENT_AT_BYTES;
	return TRUE;
}

static gboolean cut_short(LttReventReader *reader, LttReventPart *part, const char *what,
			  guint64 needed)
{
	return damage(reader, part,
		      "the recording ends within %s: expected %" G_GUINT64_FORMAT
		      " bytes, %" G_GUINT64_FORMAT " are left",
		      what, needed, get_rest(reader));
}

/* Gets the bytes of a part. Returns: FALSE without error if the file ends too early; @part is then
 * a LTT_REVENT_DAMAGE. FALSE with LTT_ERROR_IO if the file cannot be read; *bytes is then NULL */
static gboolean take(LttReventReader *reader, LttReventPart *part, const char *what, gsize length,
		     const guint8 **bytes, GError **error)
{
	*bytes = NULL;
	if (get_rest(reader) < length) {
		cut_short(reader, part, what, length);
		return FALSE;
	}
	return ltt_input_get(reader->input, reader->offset, length, bytes, error);
}

/* Returns: the return value of a step whose call of take() returned FALSE */
static gboolean is_damage(const LttReventPart *part)
{
	return part->kind == LTT_REVENT_DAMAGE;
}

static gboolean found(LttReventReader *reader, LttReventPart *part, LttReventKind kind,
		      guint64 length, LttReventState next)
{
	part->kind = kind;
	reader->offset += length;
	reader->state = next;
	return TRUE;
}

/* Sets the error for an unsupported version. Returns: FALSE */
static gboolean refuse_version(const LttReventReader *reader, GError **error)
{
	const guint16 version = reader->header.version;

	if (GUINT16_SWAP_LE_BE(version) <= LTT_REVENT_MAX_VERSION)
		return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, ltt_input_get_name(reader->input),
				   LTT_NOWHERE, MAGIC_BYTES,
				   "version %u of revent, big endian: expected little endian",
				   GUINT16_SWAP_LE_BE(version));
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, ltt_input_get_name(reader->input),
			   LTT_NOWHERE, MAGIC_BYTES, "version %u of revent: expected 0 to %u",
			   version, LTT_REVENT_MAX_VERSION);
}

static gboolean read_header(LttReventReader *reader, LttReventPart *part, GError **error)
{
	LttReventHeader *header = &reader->header;
	gsize header_bytes = SHORT_HEADER;
	const guint8 *bytes;

	if (!has_magic(reader->input)) {
		if (!ltt_revent_guess_layout(reader->input, &header->layout))
			return ltt_fail(
				error, LTT_ERROR_UNSUPPORTED,
				"%s: is not a recording of revent: has neither a header nor a "
				"list of devices",
				ltt_input_get_name(reader->input));
		part->header = *header;
		return found(reader, part, LTT_REVENT_HEADER, 0, LTT_REVENT_AT_DEVICES);
	}
	if (!take(reader, part, "its header", header_bytes, &bytes, error))
		return is_damage(part);
	header->version = ltt_load_u16(bytes + MAGIC_BYTES, LTT_LITTLE_ENDIAN);
	if (header->version > LTT_REVENT_MAX_VERSION)
		return refuse_version(reader, error);
	if (header->version >= 2) {
		header_bytes = HEADER_BYTES;
		if (!take(reader, part, "its header", header_bytes, &bytes, error))
			return is_damage(part);
		header->mode = ltt_load_u16(bytes + SHORT_HEADER, LTT_LITTLE_ENDIAN);
		memcpy(header->padding, bytes + HEADER_BYTES - LTT_REVENT_HEADER_PAD,
		       LTT_REVENT_HEADER_PAD);
	}
	part->header = *header;
	return found(reader, part, LTT_REVENT_HEADER, header_bytes,
		     header->mode == LTT_REVENT_MODE_GAMEPAD ? LTT_REVENT_AT_GAMEPAD
							     : LTT_REVENT_AT_DEVICES);
}

/* Returns: the state after the list of devices */
static LttReventState behind_devices(const LttReventReader *reader)
{
	return reader->header.version >= 2 ? LTT_REVENT_AT_STREAM : LTT_REVENT_AT_EVENT;
}

static gboolean read_devices(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const guint width = reader->header.layout == LTT_REVENT_HEADERLESS_28 ? 8 : 4;
	const guint8 *bytes;

	if (reader->header.mode != LTT_REVENT_MODE_GENERAL)
		return damage(reader, part, "recording mode %u: expected 0, general, or 1, gamepad",
			      reader->header.mode);
	if (!take(reader, part, "the number of devices", width, &bytes, error))
		return is_damage(part);
	part->n_devices = ltt_load_uint(bytes, width, LTT_LITTLE_ENDIAN);
	reader->n_devices = part->n_devices;
	reader->n_left = part->n_devices;
	return found(reader, part, LTT_REVENT_DEVICES, width,
		     reader->n_left > 0 ? LTT_REVENT_AT_DEVICE : behind_devices(reader));
}

static gboolean read_device(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const guint8 *bytes;
	guint32 length;

	if (!take(reader, part, "the list of devices", 4, &bytes, error))
		return is_damage(part);
	length = ltt_load_u32(bytes, LTT_LITTLE_ENDIAN);
	if (length > LTT_REVENT_MAX_NAME)
		return damage(reader, part, "path of a device has %u bytes; expected at most %u",
			      length, LTT_REVENT_MAX_NAME);
	if (!take(reader, part, "the path of a device", 4 + (gsize)length, &bytes, error))
		return is_damage(part);
	part->bytes.bytes = bytes + 4;
	part->bytes.length = length;
	reader->n_left--;
	return found(reader, part, LTT_REVENT_DEVICE, 4 + (guint64)length,
		     reader->n_left > 0 ? LTT_REVENT_AT_DEVICE : behind_devices(reader));
}

static void get_gamepad(const guint8 *bytes, guint32 name_bytes, LttReventGamepad *gamepad)
{
	const guint8 *at = bytes + GAMEPAD_IDS_BYTES + 4 + name_bytes;

	*gamepad = (LttReventGamepad){
		.bustype = ltt_load_u16(bytes, LTT_LITTLE_ENDIAN),
		.vendor = ltt_load_u16(bytes + 2, LTT_LITTLE_ENDIAN),
		.product = ltt_load_u16(bytes + 4, LTT_LITTLE_ENDIAN),
		.version = ltt_load_u16(bytes + 6, LTT_LITTLE_ENDIAN),
		.name = bytes + GAMEPAD_IDS_BYTES + 4,
		.name_bytes = name_bytes,
		.n_absinfo = ltt_load_u32(at + GAMEPAD_BITS_BYTES, LTT_LITTLE_ENDIAN),
	};
	memcpy(gamepad->ev_bits, at, sizeof(gamepad->ev_bits));
	at += sizeof(gamepad->ev_bits);
	memcpy(gamepad->abs_bits, at, sizeof(gamepad->abs_bits));
	at += sizeof(gamepad->abs_bits);
	memcpy(gamepad->rel_bits, at, sizeof(gamepad->rel_bits));
	at += sizeof(gamepad->rel_bits);
	memcpy(gamepad->key_bits, at, sizeof(gamepad->key_bits));
}

static gboolean read_gamepad(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const gsize fixed_bytes = GAMEPAD_IDS_BYTES + 4 + GAMEPAD_BITS_BYTES + 4;
	const guint8 *bytes;
	guint32 name_bytes;

	if (!take(reader, part, "the gamepad", GAMEPAD_IDS_BYTES + 4, &bytes, error))
		return is_damage(part);
	name_bytes = ltt_load_u32(bytes + GAMEPAD_IDS_BYTES, LTT_LITTLE_ENDIAN);
	if (name_bytes > LTT_REVENT_MAX_NAME)
		return damage(reader, part, "name of a gamepad has %u bytes; expected at most %u",
			      name_bytes, LTT_REVENT_MAX_NAME);
	if (!take(reader, part, "the gamepad", fixed_bytes + name_bytes, &bytes, error))
		return is_damage(part);
	get_gamepad(bytes, name_bytes, &part->gamepad);
	reader->n_left = part->gamepad.n_absinfo;
	return found(reader, part, LTT_REVENT_GAMEPAD, fixed_bytes + name_bytes,
		     reader->n_left > 0 ? LTT_REVENT_AT_ABSINFO : LTT_REVENT_AT_STREAM);
}

static gboolean read_absinfo(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const guint8 *bytes;
	gint32 values[ABSINFO_BYTES / 4];

	if (!take(reader, part, "the axes of the gamepad", ABSINFO_BYTES, &bytes, error))
		return is_damage(part);
	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		values[i] = (gint32)ltt_load_u32(bytes + (gsize)i * 4, LTT_LITTLE_ENDIAN);
	part->absinfo = (LttReventAbsinfo){values[0], values[1], values[2], values[3],
					   values[4], values[5], values[6]};
	reader->n_left--;
	return found(reader, part, LTT_REVENT_ABSINFO, ABSINFO_BYTES,
		     reader->n_left > 0 ? LTT_REVENT_AT_ABSINFO : LTT_REVENT_AT_STREAM);
}

static gboolean read_stream(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const gsize length = reader->header.version >= 3 ? STREAM_3_BYTES : STREAM_BYTES;
	const guint8 *bytes;
	guint64 values[STREAM_3_BYTES / 8] = {0};

	if (!take(reader, part, "the number of events", length, &bytes, error))
		return is_damage(part);
	for (gsize i = 0; i < length / 8; i++)
		values[i] = ltt_load_u64(bytes + i * 8, LTT_LITTLE_ENDIAN);
	part->stream = (LttReventStream){values[0], values[1], values[2], values[3], values[4]};
	reader->is_counted = TRUE;
	reader->n_counted = reader->n_left = values[0];
	return found(reader, part, LTT_REVENT_STREAM, length,
		     reader->n_left > 0 ? LTT_REVENT_AT_EVENT : LTT_REVENT_AT_UNCOUNTED);
}

static gboolean read_event(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const guint event_bytes = ltt_revent_event_bytes(&reader->header);
	const guint8 *bytes;

	if (get_rest(reader) == 0 && !reader->is_counted)
		return found(reader, part, LTT_REVENT_END, 0, LTT_REVENT_AT_END);
	if (get_rest(reader) == 0)
		return damage(reader, part,
			      "the recording counts %" G_GUINT64_FORMAT
			      " events, but the last %" G_GUINT64_FORMAT " are missing",
			      reader->n_counted, reader->n_left);
	if (!take(reader, part, "an event", event_bytes, &bytes, error))
		return is_damage(part);
	ltt_revent_get_event(&reader->header, bytes, &part->event);
	if (reader->is_counted)
		reader->n_left--;
	return found(reader, part, LTT_REVENT_EVENT, event_bytes,
		     reader->is_counted && reader->n_left == 0 ? LTT_REVENT_AT_UNCOUNTED
							       : LTT_REVENT_AT_EVENT);
}

/* Returns whether the event after the next one is likely. If it is, the next one is an odd event
 * rather than other bytes. */
static gboolean goes_on(const LttReventReader *reader)
{
	const guint event_bytes = ltt_revent_event_bytes(&reader->header);
	LttReventEvent event;
	const guint8 *bytes;

	if (!ltt_input_get(reader->input, reader->offset + event_bytes, event_bytes, &bytes, NULL))
		return FALSE;
	ltt_revent_get_event(&reader->header, bytes, &event);
	return ltt_revent_is_likely(&event, reader->n_devices);
}

/* Reads an event after the counted ones. A recorder that is stopped from the keyboard writes two
 * events more than it counts. A recorder that is killed leaves a count of 0. */
static gboolean read_uncounted(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const guint event_bytes = ltt_revent_event_bytes(&reader->header);
	const guint8 *bytes;

	if (get_rest(reader) == 0)
		return found(reader, part, LTT_REVENT_END, 0, LTT_REVENT_AT_END);
	if (!take(reader, part, "an event", event_bytes, &bytes, error))
		return is_damage(part);
	ltt_revent_get_event(&reader->header, bytes, &part->event);
	if (!ltt_revent_is_likely(&part->event, reader->n_devices) && !goes_on(reader))
		return damage(reader, part,
			      "%" G_GUINT64_FORMAT " bytes after the counted events are not events",
			      get_rest(reader));
	return found(reader, part, LTT_REVENT_EVENT, event_bytes, LTT_REVENT_AT_UNCOUNTED);
}

static gboolean read_bytes(LttReventReader *reader, LttReventPart *part, GError **error)
{
	const gsize length = (gsize)MIN(get_rest(reader), (guint64)LTT_REVENT_PIECE_BYTES);

	if (length == 0)
		return found(reader, part, LTT_REVENT_END, 0, LTT_REVENT_AT_END);
	if (!ltt_input_get(reader->input, reader->offset, length, &part->bytes.bytes, error))
		return FALSE;
	part->bytes.length = (guint32)length;
	return found(reader, part, LTT_REVENT_BYTES, length, LTT_REVENT_AT_BYTES);
}

gboolean ltt_revent_reader_next(LttReventReader *reader, LttReventPart *part, GError **error)
{
	static gboolean (*const steps[])(LttReventReader *, LttReventPart *, GError **) = {
		[LTT_REVENT_AT_HEADER] = read_header,   [LTT_REVENT_AT_DEVICES] = read_devices,
		[LTT_REVENT_AT_DEVICE] = read_device,   [LTT_REVENT_AT_GAMEPAD] = read_gamepad,
		[LTT_REVENT_AT_ABSINFO] = read_absinfo, [LTT_REVENT_AT_STREAM] = read_stream,
		[LTT_REVENT_AT_EVENT] = read_event,     [LTT_REVENT_AT_UNCOUNTED] = read_uncounted,
		[LTT_REVENT_AT_BYTES] = read_bytes,
	};

	part->offset = reader->offset;
	part->kind = LTT_REVENT_END;
	if (reader->state == LTT_REVENT_AT_END)
		return TRUE;
	return steps[reader->state](reader, part, error);
}
