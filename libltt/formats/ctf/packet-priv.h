/* packet-priv.h - a packet of a CTF stream, built in memory.
 *
 * It holds the events of one block. Events are appended as they come; where their times fall they
 * are put in order afterwards, for a CTF stream may not go back in time.
 */
#ifndef LTT_FORMATS_CTF_PACKET_PRIV_H
#define LTT_FORMATS_CTF_PACKET_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/packet-priv.h is private to libltt"
#endif

#include "formats/ctf/types-priv.h"

#define LTT_CTF_MAGIC 0xc1fc1fc1U

/* The beginning of a packet, as metadata.c declares it; in the byte order of the trace, like
 * everything here. */
typedef struct LttCtfPacketHead {
	guint32 magic;
	guint32 stream_id;
	guint64 stream_instance_id;
	guint64 timestamp_begin;
	guint64 timestamp_end;
	guint64 content_size_bits;
	guint64 packet_size_bits;
	guint64 events_discarded;
	guint32 cpu_id; /* in the streams of cpu files only */
} __attribute__((packed)) LttCtfPacketHead;
G_STATIC_ASSERT(sizeof(LttCtfPacketHead) == 60);

/* The beginning of an event. */
typedef struct LttCtfEventHead {
	guint32 id;
	guint64 timestamp;
	gint64 pid; /* where the trace has threads only; -1: not known */
	gint64 tid;
} __attribute__((packed)) LttCtfEventHead;
G_STATIC_ASSERT(sizeof(LttCtfEventHead) == 28);

typedef struct LttCtfPacket {
	LttByteOrder byte_order;
	gboolean has_threads;
	gsize head_bytes;
	guint8 *bytes; /* owned */
	gsize size;    /* of what is there, the head included */
	gsize capacity;
	guint64 *starts; /* owned; where each event begins */
	gsize n_events;
	gsize starts_capacity;
	guint64 first_ns; /* least and greatest time of the events */
	guint64 last_ns;
	gboolean falls; /* some event is earlier than one before it */
} LttCtfPacket;

/* What the head of a packet says. */
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

/* Appends @event under its @id in CTF. Returns: FALSE if there is no memory */
gboolean ltt_ctf_packet_add(LttCtfPacket *packet, const LttEvent *event, guint32 id);

/* Puts the events in the order of time, those of one time as they came. Returns: FALSE if there is
 * no memory */
gboolean ltt_ctf_packet_sort(LttCtfPacket *packet);

/* Fills in the head: bytes and size are what is to be written then. */
void ltt_ctf_packet_end(LttCtfPacket *packet, const LttCtfPacketInfo *info);

/* Makes a packet without events. @bytes: room for an LttCtfPacketHead. Returns: its size in bytes
 */
gsize ltt_ctf_packet_make_empty(guint8 *bytes, const LttCtfPacketInfo *info,
				LttByteOrder byte_order);

#endif
