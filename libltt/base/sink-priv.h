/* sink-priv.h - buffered output, flushed in pieces of some 64 KiB.
 *
 * A writer reserves room with ltt_sink_room(), writes, and commits with ltt_sink_stop(). Printing
 * a line of a dump therefore takes a few copies and no function call. The buffer never grows, so
 * neither a huge event nor a slow reader costs memory. After an error of the write function the
 * sink discards all output and keeps the error for ltt_sink_check(), so that writers need not check
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

/* Maximum that ltt_sink_room() can reserve. */
#define LTT_SINK_MAX_ROOM 4096

/* Writes @length bytes. Returns: FALSE with an error to end the output */
typedef gboolean (*LttSinkFunc)(const char *bytes, gsize length, gpointer user_data,
				GError **error);

typedef struct LttSink {
	char *at;  /* where the next byte goes */
	char *end; /* of the buffer */
	char *buffer;
	gboolean owns_buffer;
	LttSinkFunc write;
	gpointer user_data;
	GError *error; /* first error of @write; NULL: none */
} LttSink;

void ltt_sink_init(LttSink *sink, LttSinkFunc write, gpointer user_data);

/* Like ltt_sink_init(), but the caller provides the buffer, of LTT_SINK_MAX_ROOM bytes or more. */
void ltt_sink_init_on(LttSink *sink, char *buffer, gsize buffer_bytes, LttSinkFunc write,
		      gpointer user_data);
void ltt_sink_clear(LttSink *sink); /* discards unflushed output */

/* Flushes the buffer. */
void ltt_sink_hand_on(LttSink *sink);

/* Flushes the buffer, then passes any number of bytes to the write function without copying. */
void ltt_sink_pass_on(LttSink *sink, const char *bytes, gsize length);

/* Copies any number of bytes, flushing the buffer whenever it is full. */
void ltt_sink_add_long(LttSink *sink, const char *bytes, gsize length);

/* Returns: FALSE with a copy of the first error of the write function, if it failed */
gboolean ltt_sink_check(const LttSink *sink, GError **error);

/* Returns: room for @n_bytes; pass the end of what was written to ltt_sink_stop() */
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
