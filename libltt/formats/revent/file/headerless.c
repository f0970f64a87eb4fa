/* headerless.c - detect recordings of early versions of revent, which have no header.
 *
 * There are four layouts, named after the size of an event. They are detected by their contents. A
 * recording begins with a list of device paths. Its count has 64 bits in the layout of 28 bytes and
 * 32 bits in the other ones. To distinguish these, the events are decoded with each size: only with
 * the right size do most events have valid device numbers, types, microseconds and padding
 * (0xdeadbeef). A recording without events has the oldest layout, that of 20 bytes.
 */
#include "base/bytes-priv.h"
#include "formats/revent/file/revent-priv.h"

#define MOST_DEVICES    1024
#define BYTES_LOOKED_AT 8192

/* Returns: the offset after the list of devices, or the size of the file if the list is truncated;
 * 0 if the file does not begin with such a list */
static guint64 skip_devices(LttInput *input, guint count_bytes, guint64 *n_devices)
{
	const guint64 size = ltt_input_get_size(input);
	guint64 offset = count_bytes;
	const guint8 *bytes;

	if (!ltt_input_get(input, 0, count_bytes, &bytes, NULL))
		return 0;
	*n_devices = ltt_load_uint(bytes, count_bytes, LTT_LITTLE_ENDIAN);
	if (*n_devices == 0 || *n_devices > MOST_DEVICES)
		return 0;
	for (guint64 i = 0; i < *n_devices; i++) {
		guint32 length;

		if (i > 0 && ltt_input_get_rest(input, offset) < 4)
			return size;
		if (!ltt_input_get(input, offset, 4, &bytes, NULL))
			return 0;
		length = ltt_load_u32(bytes, LTT_LITTLE_ENDIAN);
		if (length == 0 || length > LTT_REVENT_MAX_NAME)
			return 0;
		if (i > 0 && ltt_input_get_rest(input, offset + 4) < length)
			return size;
		if (!ltt_input_get(input, offset + 4, length, &bytes, NULL) || bytes[0] != '/')
			return 0;
		offset += 4 + length;
	}
	return offset;
}

/* Returns: the total size of the likely events among the first events, decoded with @layout. Skips
 * unlikely events, because a recording can contain odd events. */
static guint64 count_likely(LttInput *input, LttReventLayout layout, guint64 offset,
			    guint64 n_devices)
{
	const LttReventHeader header = {.layout = layout};
	const guint event_bytes = ltt_revent_event_bytes(&header);
	const guint8 *bytes;
	guint64 n_likely = 0;

	for (guint i = 0; i < BYTES_LOOKED_AT / event_bytes; i++) {
		LttReventEvent event;

		if (!ltt_input_get(input, offset + (guint64)i * event_bytes, event_bytes, &bytes,
				   NULL))
			break;
		ltt_revent_get_event(&header, bytes, &event);
		n_likely += ltt_revent_is_likely(&event, n_devices);
	}
	return n_likely * event_bytes;
}

gboolean ltt_revent_guess_layout(LttInput *input, LttReventLayout *layout)
{
	static const LttReventLayout layouts[] = {
		LTT_REVENT_HEADERLESS_20, LTT_REVENT_HEADERLESS_24, LTT_REVENT_HEADERLESS_32};
	guint64 n_devices;
	guint64 best = 0;
	guint64 offset = skip_devices(input, 8, &n_devices);

	if (offset != 0) {
		*layout = LTT_REVENT_HEADERLESS_28;
		return TRUE;
	}
	offset = skip_devices(input, 4, &n_devices);
	if (offset == 0)
		return FALSE;
	*layout = LTT_REVENT_HEADERLESS_20;
	for (guint i = 0; i < G_N_ELEMENTS(layouts); i++) {
		const guint64 likely = count_likely(input, layouts[i], offset, n_devices);

		if (likely > best) {
			best = likely;
			*layout = layouts[i];
		}
	}
	return TRUE;
}
