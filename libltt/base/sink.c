/* sink.c - the slow path of sink-priv.h, for a full buffer. */
#include "base/sink-priv.h"

void ltt_sink_init_on(LttSink *sink, char *buffer, gsize buffer_bytes, LttSinkFunc write,
		      gpointer user_data)
{
	*sink = (LttSink){.at = buffer,
			  .end = buffer + buffer_bytes,
			  .buffer = buffer,
			  .write = write,
			  .user_data = user_data};
}

void ltt_sink_init(LttSink *sink, LttSinkFunc write, gpointer user_data)
{
	ltt_sink_init_on(sink, g_malloc(LTT_SINK_BYTES), LTT_SINK_BYTES, write, user_data);
	sink->owns_buffer = TRUE;
}

void ltt_sink_clear(LttSink *sink)
{
	if (sink->owns_buffer)
		g_free(sink->buffer);
	g_clear_error(&sink->error);
	*sink = (LttSink){.at = NULL};
}

void ltt_sink_hand_on(LttSink *sink)
{
	gsize length = (gsize)(sink->at - sink->buffer);

	sink->at = sink->buffer;
	if (length > 0 && sink->error == NULL)
		sink->write(sink->buffer, length, sink->user_data, &sink->error);
}

void ltt_sink_pass_on(LttSink *sink, const char *bytes, gsize length)
{
	ltt_sink_hand_on(sink);
	if (length > 0 && sink->error == NULL)
		sink->write(bytes, length, sink->user_data, &sink->error);
}

void ltt_sink_add_long(LttSink *sink, const char *bytes, gsize length)
{
	while (length > 0) {
		gsize piece = MIN(length, (gsize)(sink->end - sink->at));

		memcpy(sink->at, bytes, piece);
		sink->at += piece;
		bytes += piece;
		length -= piece;
		if (sink->at == sink->end)
			ltt_sink_hand_on(sink);
	}
}

gboolean ltt_sink_check(const LttSink *sink, GError **error)
{
	if (sink->error == NULL)
		return TRUE;
	if (error != NULL)
		*error = g_error_copy(sink->error);
	return FALSE;
}
