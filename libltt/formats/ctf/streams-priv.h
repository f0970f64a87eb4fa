/* streams-priv.h - the stream files that one tracefile becomes: one, as a rule.
 *
 * Times of a CTF stream may not fall, those of a tracefile may: where the clock was set back
 * (doc/format.md, 6.3), where blocks of several recordings stand in one file. A packet that begins
 * before the last one ended then goes to a further stream, and whoever reads the streams in the
 * order of time, as all tools do, finds each event where it belongs.
 */
#ifndef LTT_FORMATS_CTF_STREAMS_PRIV_H
#define LTT_FORMATS_CTF_STREAMS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/ctf/streams-priv.h is private to libltt"
#endif

#include "formats/ctf/packet-priv.h"

/* Streams of one tracefile; each has its file open. */
#define LTT_CTF_MAX_STREAMS 64

typedef struct LttCtfStreams {
	const char *directory;  /* borrowed */
	const char *name;       /* of the tracefile; borrowed */
	guint64 first_instance; /* number of the first stream */
	guint64 *next_instance; /* of a further one; counted up */
	LttCtfClass stream_class;
	guint32 cpu;
	gboolean has_past; /* blocks before the first packet may be left out */
	GArray *streams;   /* of Stream */
	guint current;     /* the one that the last packet went to */
	guint64 n_counted; /* losses that some stream has counted */
} LttCtfStreams;

/* @streams: with what is above streams set. No file is made before there is a packet. */
void ltt_ctf_streams_init(LttCtfStreams *streams);

/* Closes the files. Returns: FALSE with LTT_ERROR_IO if one was not written whole */
gboolean ltt_ctf_streams_close(LttCtfStreams *streams, GError **error);
void ltt_ctf_streams_clear(LttCtfStreams *streams);

/* What came of a packet. */
typedef enum LttCtfPlaced {
	LTT_CTF_FAILED = -1,
	LTT_CTF_REFUSED = 0, /* it falls back, and there are LTT_CTF_MAX_STREAMS already */
	LTT_CTF_WRITTEN = 1,
} LttCtfPlaced;

/**
 * ltt_ctf_streams_write:
 * @packet: with its events in order
 * @begin_ns: when its block begins
 * @n_lost: events lost so far, of the tracefile
 *
 * Returns: LTT_CTF_FAILED with LTT_ERROR_IO
 */
LttCtfPlaced ltt_ctf_streams_write(LttCtfStreams *streams, LttCtfPacket *packet, guint64 begin_ns,
				   guint64 n_lost, GError **error);

#endif
