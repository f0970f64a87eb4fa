/* bytes-priv.h - load and store numbers in packed bytes of either byte order.
 *
 * Nothing in a trace is aligned, so all loads and stores go through memcpy(), which compilers turn
 * into one instruction. The caller checks bounds.
 */
#ifndef LTT_BYTES_PRIV_H
#define LTT_BYTES_PRIV_H

#ifndef LTT_BUILDING
#error "bytes-priv.h is private to libltt"
#endif

#include <ltt/ltt-arch.h>

#include <string.h>

static inline guint16 ltt_load_u16(const guint8 *at, LttByteOrder order)
{
	guint16 value;

	memcpy(&value, at, sizeof(value));
	return order == LTT_NATIVE_ENDIAN ? value : GUINT16_SWAP_LE_BE(value);
}

static inline guint32 ltt_load_u32(const guint8 *at, LttByteOrder order)
{
	guint32 value;

	memcpy(&value, at, sizeof(value));
	return order == LTT_NATIVE_ENDIAN ? value : GUINT32_SWAP_LE_BE(value);
}

static inline guint64 ltt_load_u64(const guint8 *at, LttByteOrder order)
{
	guint64 value;

	memcpy(&value, at, sizeof(value));
	return order == LTT_NATIVE_ENDIAN ? value : GUINT64_SWAP_LE_BE(value);
}

/* Loads an unsigned number of 1, 2, 4 or 8 bytes. */
static inline guint64 ltt_load_uint(const guint8 *at, guint width_bytes, LttByteOrder order)
{
	switch (width_bytes) {
	case 1:
		return *at;
	case 2:
		return ltt_load_u16(at, order);
	case 4:
		return ltt_load_u32(at, order);
	default:
		return ltt_load_u64(at, order);
	}
}

/* Loads a number of 1, 2, 4 or 8 bytes and sign-extends it. */
static inline gint64 ltt_load_int(const guint8 *at, guint width_bytes, LttByteOrder order)
{
	switch (width_bytes) {
	case 1:
		return (gint8)*at;
	case 2:
		return (gint16)ltt_load_u16(at, order);
	case 4:
		return (gint32)ltt_load_u32(at, order);
	default:
		return (gint64)ltt_load_u64(at, order);
	}
}

static inline void ltt_store_u16(guint8 *at, guint16 value, LttByteOrder order)
{
	value = order == LTT_NATIVE_ENDIAN ? value : GUINT16_SWAP_LE_BE(value);
	memcpy(at, &value, sizeof(value));
}

static inline void ltt_store_u32(guint8 *at, guint32 value, LttByteOrder order)
{
	value = order == LTT_NATIVE_ENDIAN ? value : GUINT32_SWAP_LE_BE(value);
	memcpy(at, &value, sizeof(value));
}

static inline void ltt_store_u64(guint8 *at, guint64 value, LttByteOrder order)
{
	value = order == LTT_NATIVE_ENDIAN ? value : GUINT64_SWAP_LE_BE(value);
	memcpy(at, &value, sizeof(value));
}

/* Stores the low 1, 2, 4 or 8 bytes of @value. */
static inline void ltt_store_uint(guint8 *at, guint width_bytes, guint64 value, LttByteOrder order)
{
	switch (width_bytes) {
	case 1:
		*at = (guint8)value;
		break;
	case 2:
		ltt_store_u16(at, (guint16)value, order);
		break;
	case 4:
		ltt_store_u32(at, (guint32)value, order);
		break;
	default:
		ltt_store_u64(at, value, order);
		break;
	}
}

#endif
