/* fuzz-revent.c - revent recordings: the parsed parts are written as the same bytes. */
#include "fuzz.h"

#include "formats/revent/file/revent-priv.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(LttInput) input = ltt_input_new_memory("fuzz", data, size);
	g_autoptr(GByteArray) out = g_byte_array_new();
	LttReventReader reader;
	LttReventPart part;

	ltt_revent_reader_init(&reader, input);
	do {
		if (!ltt_revent_reader_next(&reader, &part, NULL))
			return 0;
		FUZZ_ASSERT(part.offset == out->len);
		ltt_revent_put(out, &reader.header, &part);
	} while (part.kind != LTT_REVENT_END);
	FUZZ_ASSERT(out->len == size && (size == 0 || memcmp(out->data, data, size) == 0));
	return 0;
}
