/* packet.c - build a packet of a CTF stream (packet-priv.h).
 *
 * Payloads are copied unchanged, because the metadata describes their layout in the trace.
 */
#include "formats/ctf/packet-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

#define FIRST_CAPACITY        (64 * 1024)
#define FIRST_STARTS_CAPACITY 1024

#define PACKET_AT(field) G_STRUCT_OFFSET(LttCtfPacketHead, field)
#define EVENT_AT(field)  G_STRUCT_OFFSET(LttCtfEventHead, field)

void ltt_ctf_packet_init(LttCtfPacket *packet, LttByteOrder byte_order, gboolean has_threads)
{
	*packet = (LttCtfPacket){.byte_order = byte_order, .has_threads = has_threads};
	packet->bytes = g_malloc(FIRST_CAPACITY);
	packet->capacity = FIRST_CAPACITY;
	packet->starts = g_new(guint64, FIRST_STARTS_CAPACITY);
	packet->starts_capacity = FIRST_STARTS_CAPACITY;
}

void ltt_ctf_packet_clear(LttCtfPacket *packet)
{
	g_free(packet->bytes);
	g_free(packet->starts);
}

static gsize head_bytes_of(LttCtfClass stream_class)
{
	return stream_class == LTT_CTF_CPU ? sizeof(LttCtfPacketHead) : PACKET_AT(cpu_id);
}

void ltt_ctf_packet_begin(LttCtfPacket *packet, LttCtfClass stream_class)
{
	packet->head_bytes = head_bytes_of(stream_class);
	packet->size = packet->head_bytes;
	packet->n_events = 0;
	packet->falls = FALSE;
}

/* Makes room for another event of @event_bytes. */
static gboolean grow(LttCtfPacket *packet, gsize event_bytes)
{
	if (packet->capacity - packet->size < event_bytes) {
		const gsize capacity = MAX(2 * packet->capacity, packet->size + event_bytes);
		guint8 *bytes = g_try_realloc(packet->bytes, capacity);

		if (bytes == NULL)
			return FALSE;
		packet->bytes = bytes;
		packet->capacity = capacity;
	}
	if (packet->n_events == packet->starts_capacity) {
		const gsize capacity = 2 * packet->starts_capacity;
		guint64 *starts = g_try_realloc_n(packet->starts, capacity, sizeof(guint64));

		if (starts == NULL)
			return FALSE;
		packet->starts = starts;
		packet->starts_capacity = capacity;
	}
	return TRUE;
}

static void note_time(LttCtfPacket *packet, guint64 time_ns)
{
	if (packet->n_events == 0) {
		packet->first_ns = time_ns;
		packet->last_ns = time_ns;
	} else if (time_ns >= packet->last_ns) {
		packet->last_ns = time_ns;
	} else {
		packet->falls = TRUE;
		packet->first_ns = MIN(packet->first_ns, time_ns);
	}
}

gboolean ltt_ctf_packet_add(LttCtfPacket *packet, const LttEvent *event, guint32 id)
{
	const LttByteOrder order = packet->byte_order;
	const gsize head_bytes = packet->has_threads ? sizeof(LttCtfEventHead) : EVENT_AT(pid);
	const gsize event_bytes = head_bytes + event->payload_bytes;
	guint8 *at;

	if (G_UNLIKELY(packet->capacity - packet->size < event_bytes ||
		       packet->n_events == packet->starts_capacity) &&
	    !grow(packet, event_bytes))
		return FALSE;
	note_time(packet, event->time_ns);
	packet->starts[packet->n_events++] = packet->size;
	at = packet->bytes + packet->size;
	ltt_store_u32(at + EVENT_AT(id), id, order);
	ltt_store_u64(at + EVENT_AT(timestamp), event->time_ns, order);
	if (packet->has_threads) {
		const gboolean is_known = event->has_thread;

		ltt_store_u64(at + EVENT_AT(pid), is_known ? event->pid : G_MAXUINT64, order);
		ltt_store_u64(at + EVENT_AT(tid), is_known ? event->tid : G_MAXUINT64, order);
	}
	memcpy(at + head_bytes, event->payload, event->payload_bytes);
	packet->size += event_bytes;
	return TRUE;
}

/* ---- order ---- */

/* Sort key of an event. */
typedef struct Place {
	guint64 time_ns;
	guint64 start;
	gsize size;
} Place;

/* Compares by time and then by position, so the sort is stable. */
static gint compare(gconstpointer a, gconstpointer b, gpointer user_data)
{
	const Place *left = a;
	const Place *right = b;

	(void)user_data;
	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return left->start < right->start ? -1 : left->start > right->start;
}

static void find_places(const LttCtfPacket *packet, Place *places)
{
	for (gsize i = 0; i < packet->n_events; i++) {
		const guint64 start = packet->starts[i];
		const guint64 end = i + 1 < packet->n_events ? packet->starts[i + 1] : packet->size;

		places[i] = (Place){
			.time_ns = ltt_load_u64(packet->bytes + start + EVENT_AT(timestamp),
						packet->byte_order),
			.start = start,
			.size = end - start,
		};
	}
}

gboolean ltt_ctf_packet_sort(LttCtfPacket *packet)
{
	g_autofree Place *places = g_try_new(Place, packet->n_events);
	g_autofree guint8 *sorted = g_try_malloc(packet->capacity);
	gsize size = packet->head_bytes;

	if (places == NULL || sorted == NULL)
		return FALSE;
	find_places(packet, places);
	g_qsort_with_data(places, (gint)packet->n_events, sizeof(Place), compare, NULL);
	for (gsize i = 0; i < packet->n_events; i++) {
		packet->starts[i] = size;
		memcpy(sorted + size, packet->bytes + places[i].start, places[i].size);
		size += places[i].size;
	}
	g_free(packet->bytes);
	packet->bytes = g_steal_pointer(&sorted);
	packet->falls = FALSE;
	return TRUE;
}

static void put_head(guint8 *head, gsize packet_bytes, const LttCtfPacketInfo *info,
		     LttByteOrder order)
{
	const guint64 size_bits = (guint64)packet_bytes * 8;

	ltt_store_u32(head + PACKET_AT(magic), LTT_CTF_MAGIC, order);
	ltt_store_u32(head + PACKET_AT(stream_id), info->stream_class, order);
	ltt_store_u64(head + PACKET_AT(stream_instance_id), info->instance, order);
	ltt_store_u64(head + PACKET_AT(timestamp_begin), info->begin_ns, order);
	ltt_store_u64(head + PACKET_AT(timestamp_end), info->end_ns, order);
	ltt_store_u64(head + PACKET_AT(content_size_bits), size_bits, order);
	ltt_store_u64(head + PACKET_AT(packet_size_bits), size_bits, order);
	ltt_store_u64(head + PACKET_AT(events_discarded), info->n_discarded, order);
	if (info->stream_class == LTT_CTF_CPU)
		ltt_store_u32(head + PACKET_AT(cpu_id), info->cpu, order);
}

void ltt_ctf_packet_end(LttCtfPacket *packet, const LttCtfPacketInfo *info)
{
	put_head(packet->bytes, packet->size, info, packet->byte_order);
}

gsize ltt_ctf_packet_make_empty(guint8 *bytes, const LttCtfPacketInfo *info,
				LttByteOrder byte_order)
{
	const gsize size = head_bytes_of(info->stream_class);

	put_head(bytes, size, info, byte_order);
	return size;
}
