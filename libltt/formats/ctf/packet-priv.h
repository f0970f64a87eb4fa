/* packet-priv.h - build a packet of a CTF stream in memory.
 *
 * A packet contains the events of one block in the order of the block. If their times decrease,
 * they are sorted afterwards, because the times in a CTF stream must not decrease.
 */
#ifndef LTT_FORMATS_CTF_PACKET_PRIV_H
#define LTT_FORMATS_CTF_PACKET_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/packet-priv.h is private to libltt"
#endif

#include "formats/ctf/types-priv.h"

#define LTT_CTF_MAGIC 0xc1fc1fc1U

/* Header and context of a packet, as metadata.c declares them. The numbers have the byte order of
 * the trace. */
typedef struct LttCtfPacketHead {
	guint32 magic;
	guint32 stream_id;
	guint64 stream_instance_id;
	guint64 timestamp_begin;
	guint64 timestamp_end;
	guint64 content_size_bits;
	guint64 packet_size_bits;
	guint64 events_discarded;
	guint32 cpu_id; /* only in streams of cpu files */
} __attribute__((packed)) LttCtfPacketHead;
G_STATIC_ASSERT(sizeof(LttCtfPacketHead) == 60);

/* Header and context of an event. */
typedef struct LttCtfEventHead {
	guint32 id;
	guint64 timestamp;
	gint64 pid; /* only if the trace has threads; -1: unknown */
	gint64 tid; /* likewise */
} __attribute__((packed)) LttCtfEventHead;
G_STATIC_ASSERT(sizeof(LttCtfEventHead) == 28);

typedef struct LttCtfPacket {
	LttByteOrder byte_order;
	gboolean has_threads;
	gsize head_bytes;
	guint8 *bytes; /* owned */
	gsize size;    /* number of used bytes, including the header */
	gsize capacity;
	guint64 *starts; /* owned; offset of each event */
	gsize n_events;
	gsize starts_capacity;
	guint64 first_ns; /* earliest time of an event */
	guint64 last_ns;  /* latest time of an event */
	gboolean falls;   /* the times decrease */
} LttCtfPacket;

/* Values for the header of a packet. */
typedef struct LttCtfPacketInfo {
	LttCtfClass stream_class;
	guint64 instance;
	guint64 begin_ns;
	guint64 end_ns;
	guint64 n_discarded; /* running total of the stream */
	guint32 cpu;
} LttCtfPacketInfo;

void ltt_ctf_packet_init(LttCtfPacket *packet, LttByteOrder byte_order, gboolean has_threads);
void ltt_ctf_packet_clear(LttCtfPacket *packet);

/* Begins a new packet, for a stream of @stream_class. */
void ltt_ctf_packet_begin(LttCtfPacket *packet, LttCtfClass stream_class);

/* Appends @event with the CTF id @id. Returns: FALSE if there is no memory */
gboolean ltt_ctf_packet_add(LttCtfPacket *packet, const LttEvent *event, guint32 id);

/* Sorts the events by time; the sort is stable. Returns: FALSE if there is no memory */
gboolean ltt_ctf_packet_sort(LttCtfPacket *packet);

/* Completes the header. The packet is then the first packet->size bytes of packet->bytes. */
void ltt_ctf_packet_end(LttCtfPacket *packet, const LttCtfPacketInfo *info);

/* Makes a packet without events. @bytes: (out): at least sizeof(LttCtfPacketHead) bytes.
 * Returns: the size of the packet in bytes */
gsize ltt_ctf_packet_make_empty(guint8 *bytes, const LttCtfPacketInfo *info,
				LttByteOrder byte_order);

#endif
