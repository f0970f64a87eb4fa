/* parts.c - convert the parts of a recording other than events to events of a trace, and back. */
#include "formats/revent/events-priv.h"

#include <string.h>

#define CODE_BITS (LTT_REVENT_CODE_BYTES * 8)

/* ---- recording to trace ---- */

static guint write_header(LttPayload *payload, const LttReventHeader *header)
{
	struct revent_file_header out = {
		.layout = (guint8)header->layout,
		.version = header->version,
		.mode = header->mode,
	};

	memcpy(out.padding, header->padding, sizeof(out.padding));
	write_revent_file_header(payload, &out);
	return revent_file_header_index;
}

static guint write_device(LttPayload *payload, const guint8 *bytes, guint32 length)
{
	g_autofree char *path = g_strndup((const char *)bytes, length);
	const gsize path_length = strlen(path);
	const struct revent_file_device device = {
		.path = path,
		.behind = {length - path_length, bytes + path_length},
	};

	write_revent_file_device(payload, &device);
	return revent_file_device_index;
}

/* Lists the set bits. Returns: their number */
static gsize list_bits(const guint8 *bits, gsize n_bytes, guint16 *list)
{
	gsize n_set = 0;

	for (guint i = 0; i < n_bytes * 8; i++) {
		if ((bits[i / 8] >> i % 8) & 1)
			list[n_set++] = (guint16)i;
	}
	return n_set;
}

static guint write_gamepad(LttPayload *payload, const LttReventGamepad *gamepad)
{
	guint16 ev[CODE_BITS], abs[CODE_BITS], rel[CODE_BITS], key[CODE_BITS];
	g_autofree char *name = g_strndup((const char *)gamepad->name, gamepad->name_bytes);
	const gsize name_length = strlen(name);
	const struct revent_file_gamepad out = {
		.bustype = gamepad->bustype,
		.vendor = gamepad->vendor,
		.product = gamepad->product,
		.version = gamepad->version,
		.name = name,
		.behind = {gamepad->name_bytes - name_length, gamepad->name + name_length},
		.ev_bits = {list_bits(gamepad->ev_bits, sizeof(gamepad->ev_bits), ev), ev},
		.abs_bits = {list_bits(gamepad->abs_bits, sizeof(gamepad->abs_bits), abs), abs},
		.rel_bits = {list_bits(gamepad->rel_bits, sizeof(gamepad->rel_bits), rel), rel},
		.key_bits = {list_bits(gamepad->key_bits, sizeof(gamepad->key_bits), key), key},
		.num_absinfo = gamepad->n_absinfo,
	};

	write_revent_file_gamepad(payload, &out);
	return revent_file_gamepad_index;
}

static guint write_absinfo(LttPayload *payload, const LttReventAbsinfo *absinfo)
{
	const struct revent_file_absinfo out = {
		.code = (guint32)absinfo->code,
		.value = absinfo->value,
		.minimum = absinfo->minimum,
		.maximum = absinfo->maximum,
		.fuzz = absinfo->fuzz,
		.flat = absinfo->flat,
		.resolution = absinfo->resolution,
	};

	write_revent_file_absinfo(payload, &out);
	return revent_file_absinfo_index;
}

static guint write_stream(LttPayload *payload, const LttReventStream *stream)
{
	const struct revent_file_stream out = {
		.events = stream->n_events,
		.start_seconds = stream->start_s,
		.start_microseconds = stream->start_us,
		.end_seconds = stream->end_s,
		.end_microseconds = stream->end_us,
	};

	write_revent_file_stream(payload, &out);
	return revent_file_stream_index;
}

guint ltt_revent_write_part(LttPayload *payload, const LttReventPart *part)
{
	switch (part->kind) {
	case LTT_REVENT_HEADER:
		return write_header(payload, &part->header);
	case LTT_REVENT_DEVICES:
		write_revent_file_devices(
			payload, &(const struct revent_file_devices){.count = part->n_devices});
		return revent_file_devices_index;
	case LTT_REVENT_DEVICE:
		return write_device(payload, part->bytes.bytes, part->bytes.length);
	case LTT_REVENT_GAMEPAD:
		return write_gamepad(payload, &part->gamepad);
	case LTT_REVENT_ABSINFO:
		return write_absinfo(payload, &part->absinfo);
	case LTT_REVENT_STREAM:
		return write_stream(payload, &part->stream);
	default:
		g_assert(part->kind == LTT_REVENT_BYTES);
		write_revent_file_bytes(payload,
					&(const struct revent_file_bytes){
						.offset = part->offset,
						.data = {part->bytes.length, part->bytes.bytes}});
		return revent_file_bytes_index;
	}
}

/* ---- trace to recording ---- */

/* The payload of any part. */
typedef union Struct {
	struct revent_file_header header;
	struct revent_file_devices devices;
	struct revent_file_device device;
	struct revent_file_gamepad gamepad;
	struct revent_file_absinfo absinfo;
	struct revent_file_stream stream;
	struct revent_file_bytes bytes;
	struct revent_file_end end;
} Struct;

static void join_text(GByteArray *piece, const char *text, const guint8 *behind, gsize n_behind)
{
	g_byte_array_set_size(piece, 0);
	g_byte_array_append(piece, (const guint8 *)text, (guint)strlen(text));
	g_byte_array_append(piece, behind, (guint)n_behind);
}

static void set_bits(guint8 *bits, gsize n_bytes, const guint16 *list, gsize n_set)
{
	for (gsize i = 0; i < n_set; i++) {
		if (list[i] < n_bytes * 8)
			bits[list[i] / 8] |= (guint8)(1 << list[i] % 8);
	}
}

static void set_header(LttReventHeader *header, const struct revent_file_header *in)
{
	*header = (LttReventHeader){
		.layout = (LttReventLayout)in->layout,
		.version = in->version,
		.mode = in->mode,
	};
	memcpy(header->padding, in->padding, sizeof(header->padding));
}

static void set_gamepad(LttReventGamepad *gamepad, const struct revent_file_gamepad *in,
			GByteArray *piece)
{
	join_text(piece, in->name, in->behind.items, in->behind.length);
	*gamepad = (LttReventGamepad){
		.bustype = in->bustype,
		.vendor = in->vendor,
		.product = in->product,
		.version = in->version,
		.name = piece->data,
		.name_bytes = piece->len,
		.n_absinfo = in->num_absinfo,
	};
	set_bits(gamepad->ev_bits, sizeof(gamepad->ev_bits), in->ev_bits.items, in->ev_bits.length);
	set_bits(gamepad->abs_bits, sizeof(gamepad->abs_bits), in->abs_bits.items,
		 in->abs_bits.length);
	set_bits(gamepad->rel_bits, sizeof(gamepad->rel_bits), in->rel_bits.items,
		 in->rel_bits.length);
	set_bits(gamepad->key_bits, sizeof(gamepad->key_bits), in->key_bits.items,
		 in->key_bits.length);
}

static void set_absinfo(LttReventAbsinfo *absinfo, const struct revent_file_absinfo *in)
{
	*absinfo = (LttReventAbsinfo){
		.code = (gint32)in->code,
		.value = in->value,
		.minimum = in->minimum,
		.maximum = in->maximum,
		.fuzz = in->fuzz,
		.flat = in->flat,
		.resolution = in->resolution,
	};
}

static void set_stream(LttReventStream *stream, const struct revent_file_stream *in)
{
	*stream = (LttReventStream){
		.n_events = in->events,
		.start_s = in->start_seconds,
		.start_us = in->start_microseconds,
		.end_s = in->end_seconds,
		.end_us = in->end_microseconds,
	};
}

static void set_part(LttReventPart *part, guint index, const Struct *in, GByteArray *piece)
{
	switch (index) {
	case revent_file_header_index:
		part->kind = LTT_REVENT_HEADER;
		set_header(&part->header, &in->header);
		break;
	case revent_file_devices_index:
		part->kind = LTT_REVENT_DEVICES;
		part->n_devices = in->devices.count;
		break;
	case revent_file_device_index:
		part->kind = LTT_REVENT_DEVICE;
		join_text(piece, in->device.path, in->device.behind.items,
			  in->device.behind.length);
		part->bytes.bytes = piece->data;
		part->bytes.length = piece->len;
		break;
	case revent_file_gamepad_index:
		part->kind = LTT_REVENT_GAMEPAD;
		set_gamepad(&part->gamepad, &in->gamepad, piece);
		break;
	case revent_file_absinfo_index:
		part->kind = LTT_REVENT_ABSINFO;
		set_absinfo(&part->absinfo, &in->absinfo);
		break;
	case revent_file_stream_index:
		part->kind = LTT_REVENT_STREAM;
		set_stream(&part->stream, &in->stream);
		break;
	case revent_file_bytes_index:
		part->kind = LTT_REVENT_BYTES;
		part->bytes.bytes = in->bytes.data.items;
		part->bytes.length = (guint32)in->bytes.data.length;
		break;
	default:
		break;
	}
}

gboolean ltt_revent_read_part(LttOfflineReader *reader, const LttEvent *event, GByteArray *piece,
			      LttReventPart *part, GError **error)
{
	const guint index = ltt_offline_reader_find(reader, event);
	Struct in;

	*part = (LttReventPart){.kind = LTT_REVENT_END};
	if (index == LTT_OFFLINE_UNKNOWN)
		return TRUE;
	if (!ltt_offline_reader_read(reader, event, index, &in, error))
		return FALSE;
	set_part(part, index, &in, piece);
	return TRUE;
}
