/* streams-priv.h - write a tracefile as one or more CTF stream files.
 *
 * The times in a CTF stream must not decrease. The times in a tracefile can decrease if the clock
 * was set back (doc/format.md, 6.3) or if a file contains blocks of several recordings. A packet
 * that begins before the end of the previous packet goes to another stream. Tools merge the streams
 * by time, so they show the events in order.
 */
#ifndef LTT_FORMATS_CTF_STREAMS_PRIV_H
#define LTT_FORMATS_CTF_STREAMS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/streams-priv.h is private to libltt"
#endif

#include "formats/ctf/packet-priv.h"

/* Maximum number of streams of one tracefile. Each stream has an open file. */
#define LTT_CTF_MAX_STREAMS 64

typedef struct LttCtfStreams {
	const char *directory;  /* borrowed */
	const char *name;       /* of the tracefile; borrowed */
	guint64 first_instance; /* number of the first stream */
	guint64 *next_instance; /* number of the next additional stream; incremented */
	LttCtfClass stream_class;
	guint32 cpu;
	gboolean has_past; /* blocks before the first packet may be omitted */
	GArray *streams;   /* of Stream */
	guint current;     /* index of the stream of the last packet */
	guint64 n_counted; /* lost events that have been added to the count of a stream */
} LttCtfStreams;

/* Initialises @streams. The caller sets the members before `streams` first. A file is created when
 * its first packet is written. */
void ltt_ctf_streams_init(LttCtfStreams *streams);

/* Closes the files. Returns: FALSE with LTT_ERROR_IO if one could not be written completely */
gboolean ltt_ctf_streams_close(LttCtfStreams *streams, GError **error);
void ltt_ctf_streams_clear(LttCtfStreams *streams);

/* Outcome of ltt_ctf_streams_write(). */
typedef enum LttCtfPlaced {
	LTT_CTF_FAILED = -1,
	LTT_CTF_REFUSED = 0, /* overlaps the packets of all LTT_CTF_MAX_STREAMS streams */
	LTT_CTF_WRITTEN = 1,
} LttCtfPlaced;

/**
 * ltt_ctf_streams_write:
 * @packet: packet with sorted events
 * @begin_ns: start time of its block
 * @n_lost: running total of the lost events of the tracefile
 *
 * Returns: LTT_CTF_FAILED with LTT_ERROR_IO
 */
LttCtfPlaced ltt_ctf_streams_write(LttCtfStreams *streams, LttCtfPacket *packet, guint64 begin_ns,
				   guint64 n_lost, GError **error);

#endif
