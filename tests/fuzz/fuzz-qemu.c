/* fuzz-qemu.c - QEMU logs: the parsed parts are written as the same bytes. */
#include "fuzz.h"

#include "formats/qemu/file/qemu-priv.h"

#include <string.h>

static void put(GByteArray *out, const LttQemuReader *reader, const LttQemuPart *part)
{
	const guint32 version = GUINT32_TO_BE(part->header.version);

	FUZZ_ASSERT(part->offset == out->len);
	if (part->kind == LTT_QEMU_PART_HEADER) {
		g_byte_array_append(out, (const guint8 *)&version, sizeof(version));
		g_byte_array_append(out, part->header.reserved, sizeof(part->header.reserved));
	} else if (part->kind == LTT_QEMU_PART_EVENT) {
		FUZZ_ASSERT(ltt_qemu_put_event(out, &reader->numbering, &part->event));
	} else if (part->kind == LTT_QEMU_PART_BYTES) {
		g_byte_array_append(out, part->bytes.bytes, part->bytes.length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(LttInput) input = ltt_input_new_memory("fuzz", data, size);
	g_autoptr(GByteArray) out = g_byte_array_new();
	LttQemuGuess guess;
	LttQemuReader reader;
	LttQemuPart part;

	ltt_qemu_recognise(input);
	if (!ltt_qemu_guess_release(input, &guess, NULL))
		return 0;
	ltt_qemu_reader_init(&reader, input, guess.release);
	do {
		FUZZ_ASSERT(ltt_qemu_reader_next(&reader, &part, NULL));
		put(out, &reader, &part);
	} while (part.kind != LTT_QEMU_PART_END);
	FUZZ_ASSERT(out->len == size && (size == 0 || memcmp(out->data, data, size) == 0));
	return 0;
}
