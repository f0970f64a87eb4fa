/* sink-priv.h - output gathered in a buffer and handed on in pieces of some 64 KiB.
 *
 * Who writes asks for room, writes, and says where it stopped: a line of a dump is a few copies
 * and no call. The buffer never grows, so neither a huge event nor a slow reader costs memory. An
 * error of the write function is kept; from then on output is dropped, so that nobody need test
 * in the middle of a line.
 */
#ifndef LTT_SINK_PRIV_H
#define LTT_SINK_PRIV_H

#ifndef LTT_BUILDING
#error "sink-priv.h is private to libltt"
#endif

#include <glib.h>
#include <string.h>

#define LTT_SINK_BYTES (64 * 1024)

/* The most that may be asked of ltt_sink_room(). */
#define LTT_SINK_MAX_ROOM 4096

/* Takes @length bytes. Returns: FALSE with an error to end the output */
typedef gboolean (*LttSinkFunc)(const char *bytes, gsize length, gpointer user_data,
				GError **error);

typedef struct LttSink {
	char *at;  /* where the next byte goes */
	char *end; /* of the buffer */
	char *buffer;
	gboolean owns_buffer;
	LttSinkFunc write;
	gpointer user_data;
	GError *error; /* the first that @write gave; NULL: none */
} LttSink;

void ltt_sink_init(LttSink *sink, LttSinkFunc write, gpointer user_data);

/* The same with a buffer of the caller's, of LTT_SINK_MAX_ROOM bytes or more. */
void ltt_sink_init_on(LttSink *sink, char *buffer, gsize buffer_bytes, LttSinkFunc write,
		      gpointer user_data);
void ltt_sink_clear(LttSink *sink); /* drops what was not flushed */

/* Hands on what is in the buffer, which is empty then. */
void ltt_sink_hand_on(LttSink *sink);

/* Hands on bytes from elsewhere, of any number, behind what is in the buffer. */
void ltt_sink_pass_on(LttSink *sink, const char *bytes, gsize length);

/* Copies bytes of any number, for which the buffer has no room. */
void ltt_sink_add_long(LttSink *sink, const char *bytes, gsize length);

/* Returns: FALSE with a copy of the error of the write function, if it ever gave one */
gboolean ltt_sink_check(const LttSink *sink, GError **error);

/* Returns: where at least @n_bytes may be written; tell ltt_sink_stop() where that ended */
static inline char *ltt_sink_room(LttSink *sink, gsize n_bytes)
{
	if (G_UNLIKELY((gsize)(sink->end - sink->at) < n_bytes))
		ltt_sink_hand_on(sink);
	return sink->at;
}

static inline void ltt_sink_stop(LttSink *sink, char *at)
{
	sink->at = at;
}

static inline void ltt_sink_add(LttSink *sink, const char *bytes, gsize length)
{
	if (G_UNLIKELY((gsize)(sink->end - sink->at) < length)) {
		ltt_sink_add_long(sink, bytes, length);
		return;
	}
	memcpy(sink->at, bytes, length);
	sink->at += length;
}

static inline void ltt_sink_add_char(LttSink *sink, char c)
{
	*ltt_sink_room(sink, 1) = c;
	sink->at++;
}

#endif
