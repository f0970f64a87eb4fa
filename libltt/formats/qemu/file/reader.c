/* reader.c - read a log part by part (qemu-priv.h). */
#include "base/bytes-priv.h"
#include "formats/qemu/file/qemu-priv.h"

#include <string.h>

void ltt_qemu_reader_init(LttQemuReader *reader, LttInput *input, const LttQemuRelease *release)
{
	*reader = (LttQemuReader){.input = input};
	ltt_qemu_numbering_init(&reader->numbering, release);
}

static gboolean damage(LttQemuReader *reader, LttQemuPart *part)
{
	part->kind = LTT_QEMU_PART_DAMAGE;
	reader->is_over = TRUE;
	reader->is_damaged = TRUE;
	return TRUE;
}

static gboolean read_header(LttQemuReader *reader, LttQemuPart *part, GError **error)
{
	const guint8 *bytes;

	reader->has_header = TRUE;
	if (ltt_input_get_size(reader->input) < LTT_QEMU_HEADER_BYTES) {
		g_snprintf(part->message, sizeof(part->message),
			   "the log ends within its header: expected %d bytes, %" G_GUINT64_FORMAT
			   " are left",
			   LTT_QEMU_HEADER_BYTES, ltt_input_get_size(reader->input));
		return damage(reader, part);
	}
	if (!ltt_input_get(reader->input, 0, LTT_QEMU_HEADER_BYTES, &bytes, error))
		return FALSE;
	part->kind = LTT_QEMU_PART_HEADER;
	part->header.version = ltt_load_u32(bytes, LTT_BIG_ENDIAN);
	memcpy(part->header.reserved, bytes + 4, LTT_QEMU_RESERVED_BYTES);
	reader->offset = LTT_QEMU_HEADER_BYTES;
	return TRUE;
}

static gboolean read_event(LttQemuReader *reader, LttQemuPart *part, GError **error)
{
	char message[sizeof(part->message)] = "the log ends without an event END: it is not "
					      "complete";
	LttQemuEvent event;
	LttQemuTaken taken = LTT_QEMU_CUT;

	if (ltt_input_get_rest(reader->input, reader->offset) > 0)
		taken = ltt_qemu_take_event(reader->input, &reader->numbering, &reader->offset,
					    &event, message, error);
	if (taken == LTT_QEMU_FAILED)
		return FALSE;
	if (taken != LTT_QEMU_TAKEN) {
		memcpy(part->message, message, sizeof(message));
		return damage(reader, part);
	}
	part->kind = LTT_QEMU_PART_EVENT;
	part->event = event;
	reader->is_over = event.kind == LTT_QEMU_END;
	return TRUE;
}

static gboolean read_bytes(LttQemuReader *reader, LttQemuPart *part, GError **error)
{
	const guint64 rest = ltt_input_get_rest(reader->input, reader->offset);

	if (rest == 0) {
		part->kind = LTT_QEMU_PART_END;
		return TRUE;
	}
	if (!reader->is_damaged) {
		g_snprintf(part->message, sizeof(part->message),
			   "%" G_GUINT64_FORMAT " bytes after the event END", rest);
		return damage(reader, part);
	}
	part->bytes.length = (guint32)MIN(rest, (guint64)LTT_QEMU_PIECE_BYTES);
	if (!ltt_input_get(reader->input, reader->offset, part->bytes.length, &part->bytes.bytes,
			   error))
		return FALSE;
	part->kind = LTT_QEMU_PART_BYTES;
	reader->offset += part->bytes.length;
	return TRUE;
}

gboolean ltt_qemu_reader_next(LttQemuReader *reader, LttQemuPart *part, GError **error)
{
	part->offset = reader->offset;
	if (!reader->has_header)
		return read_header(reader, part, error);
	return reader->is_over ? read_bytes(reader, part, error) : read_event(reader, part, error);
}
