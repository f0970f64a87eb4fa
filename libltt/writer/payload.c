/* payload.c - encode values in the byte order and sizes of any machine (doc/format.md, 8.4). */
#include <ltt/ltt-payload.h>

#include "base/bytes-priv.h"

#include <string.h>

void ltt_payload_init(LttPayload *payload, const LttArch *arch)
{
	payload->arch = *arch;
	payload->bytes = g_byte_array_new();
}

void ltt_payload_clear(LttPayload *payload)
{
	g_clear_pointer(&payload->bytes, g_byte_array_unref);
}

void ltt_payload_reset(LttPayload *payload)
{
	payload->bytes->len = 0;
}

static void add_uint(LttPayload *payload, guint width_bytes, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_uint(bytes, width_bytes, value, payload->arch.byte_order);
	g_byte_array_append(payload->bytes, bytes, width_bytes);
}

void ltt_payload_add_int(LttPayload *payload, LttWidth width, guint64 value)
{
	add_uint(payload, ltt_arch_integer_bytes(&payload->arch, width), value);
}

void ltt_payload_add_float(LttPayload *payload, LttWidth width, double value)
{
	guint64 bits;

	if (ltt_arch_float_bytes(width) == sizeof(float)) {
		const float narrow = (float)value;
		guint32 narrow_bits;

		memcpy(&narrow_bits, &narrow, sizeof(narrow_bits));
		add_uint(payload, sizeof(narrow_bits), narrow_bits);
		return;
	}
	memcpy(&bits, &value, sizeof(bits));
	add_uint(payload, sizeof(bits), bits);
}

void ltt_payload_add_string(LttPayload *payload, const char *text)
{
	if (text == NULL)
		text = "";
	ltt_payload_add_bytes(payload, text, strlen(text) + 1);
}

void ltt_payload_add_bytes(LttPayload *payload, gconstpointer bytes, gsize length)
{
	if (length == 0)
		return;
	g_assert(length <= G_MAXUINT - payload->bytes->len);
	g_byte_array_append(payload->bytes, bytes, (guint)length);
}

guint8 *ltt_payload_extend(LttPayload *payload, gsize length)
{
	const guint start = payload->bytes->len;

	g_assert(length <= G_MAXUINT - start);
	g_byte_array_set_size(payload->bytes, start + (guint)length);
	return payload->bytes->data + start;
}

void ltt_payload_add_array(LttPayload *payload, gconstpointer numbers, gsize n_numbers,
			   guint bytes_each)
{
	const LttByteOrder order = payload->arch.byte_order;
	const guint8 *from = numbers;
	guint8 *to;

	g_assert(n_numbers <= G_MAXUINT / bytes_each);
	if (n_numbers == 0)
		return;
	to = ltt_payload_extend(payload, n_numbers * bytes_each);
	if (order == LTT_NATIVE_ENDIAN || bytes_each == 1) {
		memcpy(to, from, n_numbers * bytes_each);
		return;
	}
	for (gsize i = 0; i < n_numbers * bytes_each; i += bytes_each)
		ltt_store_uint(to + i, bytes_each,
			       ltt_load_uint(from + i, bytes_each, LTT_NATIVE_ENDIAN), order);
}
