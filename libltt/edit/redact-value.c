/* redact-value.c - see redact-value-priv.h.
 *
 * Numbers are hashed as 64-bit numbers in little endian, so that traces of both byte orders have the
 * same hashes.
 */
#include "edit/redact-value-priv.h"

#include "base/bytes-priv.h"
#include "edit/recode-priv.h"

#include <string.h>

#define DIGEST_BYTES  32 /* SHA-256 */
#define DIGEST_DIGITS (2 * DIGEST_BYTES)
#define STRING_DIGITS 16
#define NUMBER_BYTES  8
#define NUMBER_BITS   64
#define DOUBLE_BITS   53 /* of its significand */
#define FLOAT_BITS    24

/* ---- hash ---- */

static void get_digest(GHmac *key, gconstpointer bytes, gsize length, guint8 *digest)
{
	GHmac *hmac = g_hmac_copy(key);
	gsize size = DIGEST_BYTES;

	g_hmac_update(hmac, bytes, (gssize)length);
	g_hmac_get_digest(hmac, digest, &size);
	g_hmac_unref(hmac);
}

static guint64 hash_number(GHmac *key, guint64 number)
{
	guint8 bytes[NUMBER_BYTES];
	guint8 digest[DIGEST_BYTES];

	ltt_store_uint(bytes, NUMBER_BYTES, number, LTT_LITTLE_ENDIAN);
	get_digest(key, bytes, NUMBER_BYTES, digest);
	return ltt_load_u64(digest, LTT_LITTLE_ENDIAN);
}

/* Returns: the bits of a float of the same size, made of the first digits of a hash */
static guint64 hash_float(GHmac *key, const LttValue *value)
{
	const double number = ltt_value_get_float(value);
	guint32 small_bits;
	guint64 bits;
	guint64 hash;
	double large;
	float small;

	memcpy(&bits, &number, sizeof(number));
	hash = hash_number(key, bits);
	large = (double)(hash >> (NUMBER_BITS - DOUBLE_BITS)) / (double)((guint64)1 << DOUBLE_BITS);
	if (value->layout->width_bytes == sizeof(large)) {
		memcpy(&bits, &large, sizeof(large));
		return bits;
	}
	small = (float)(hash >> (NUMBER_BITS - FLOAT_BITS)) / (float)(1 << FLOAT_BITS);
	memcpy(&small_bits, &small, sizeof(small));
	return small_bits;
}

/* Appends @n_digits of the hash of @length bytes, again and again if they are more than it has. */
static void put_digits(GHmac *key, const guint8 *bytes, gsize length, gsize n_digits,
		       GByteArray *out)
{
	static const char digits[] = "0123456789abcdef";
	guint8 digest[DIGEST_BYTES];
	guint8 text[DIGEST_DIGITS];

	get_digest(key, bytes, length, digest);
	for (guint i = 0; i < DIGEST_BYTES; i++) {
		text[2 * i] = (guint8)digits[digest[i] >> 4];
		text[2 * i + 1] = (guint8)digits[digest[i] & 0xf];
	}
	for (gsize at = 0; at < n_digits && !ltt_recode_is_too_large(out); at += DIGEST_DIGITS)
		ltt_recode_append(out, text, MIN(n_digits - at, DIGEST_DIGITS));
}

static void hash_items(const LttValue *value, GHmac *key, GByteArray *out)
{
	LttValueIter iter;
	LttValue item;

	ltt_value_iter_init(&iter, value);
	if (ltt_recode_is_plain(value->layout)) {
		put_digits(key, iter.next, (gsize)iter.n_items, (gsize)iter.n_items, out);
		return;
	}
	while (!ltt_recode_is_too_large(out) && ltt_value_iter_next(&iter, &item, NULL))
		ltt_redact_hash(&item, key, out);
}

void ltt_redact_hash(const LttValue *value, GHmac *key, GByteArray *out)
{
	const LttLayout *layout = value->layout;
	const LttByteOrder order = value->byte_order;
	gsize length;

	switch (layout->kind) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_ENUM:
		ltt_recode_put_number(hash_number(key, layout->is_signed
							       ? (guint64)ltt_value_get_int(value)
							       : ltt_value_get_uint(value)),
				      layout, order, out);
		break;
	case LTT_FLOAT:
		ltt_recode_put_number(hash_float(key, value), layout, order, out);
		break;
	case LTT_STRING:
		ltt_value_get_string(value, &length);
		put_digits(key, value->bytes, length, STRING_DIGITS, out);
		ltt_recode_append(out, (const guint8 *)"", 1);
		break;
	case LTT_SEQUENCE:
		ltt_recode_put_number(ltt_value_get_n_items(value), layout, order, out);
		hash_items(value, key, out);
		break;
	case LTT_UNION:
		ltt_recode_put_number(ltt_value_get_union_code(value), layout, order, out);
		hash_items(value, key, out);
		break;
	case LTT_ARRAY:
	case LTT_STRUCT:
		hash_items(value, key, out);
		break;
	case LTT_TYPEREF: /* no layout is of one */
		break;
	}
}

/* ---- empty ---- */

void ltt_redact_empty(const LttLayout *layout, LttByteOrder byte_order, GByteArray *out)
{
	guint n_members = layout->kind == LTT_UNION ? MIN(layout->n_members, 1) : layout->n_members;

	if (layout->kind == LTT_STRING)
		ltt_recode_append(out, (const guint8 *)"", 1);
	else if (layout->width_bytes >
		 0) /* a number, the length of a sequence, the code of a union */
		ltt_recode_put_number(0, layout, byte_order, out);
	for (guint64 i = 0;
	     layout->kind == LTT_ARRAY && i < layout->n_elements && !ltt_recode_is_too_large(out);
	     i++)
		ltt_redact_empty(layout->element, byte_order, out);
	for (guint i = 0; i < n_members; i++)
		ltt_redact_empty(layout->members[i].layout, byte_order, out);
}
