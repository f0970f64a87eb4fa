/* streams.c - distribute the packets of a tracefile over CTF streams (streams-priv.h). */
#include "formats/ctf/streams-priv.h"

#include "base/out-file-priv.h"

#include <ltt/ltt-error.h>

typedef struct Stream {
	LttOutFile file;
	guint64 instance;
	guint64 end_ns;      /* end time of its last packet */
	guint64 n_discarded; /* running total */
} Stream;

static Stream *get(const LttCtfStreams *streams, guint index)
{
	return &g_array_index(streams->streams, Stream, index);
}

static void drop_file(gpointer stream)
{
	ltt_out_file_drop(&((Stream *)stream)->file);
}

void ltt_ctf_streams_init(LttCtfStreams *streams)
{
	streams->streams = g_array_new(FALSE, FALSE, sizeof(Stream));
	g_array_set_clear_func(streams->streams, drop_file);
	streams->current = 0;
	streams->n_counted = 0;
}

gboolean ltt_ctf_streams_close(LttCtfStreams *streams, GError **error)
{
	for (guint i = 0; i < streams->streams->len; i++)
		if (!ltt_out_file_close(&get(streams, i)->file, error))
			return FALSE;
	return TRUE;
}

void ltt_ctf_streams_clear(LttCtfStreams *streams)
{
	g_array_unref(streams->streams);
}

/* Creates the file of a stream: "cpu_0" for the first stream of the tracefile "cpu/0", "cpu_0.1"
 * for the second one. Skips numbers for which the file already exists: a control file can have such
 * a name. */
static gboolean make_file(const LttCtfStreams *streams, LttOutFile *file, GError **error)
{
	g_autofree char *base = g_strdelimit(g_strdup(streams->name), "/", '_');

	for (guint number = streams->streams->len;; number++) {
		g_autofree char *name =
			number == 0 ? g_strdup(base) : g_strdup_printf("%s.%u", base, number);
		g_autofree char *path = g_build_filename(streams->directory, name, NULL);
		g_autoptr(GError) why = NULL;

		if (ltt_out_file_make(file, path, &why))
			return TRUE;
		if (!g_error_matches(why, LTT_ERROR, LTT_ERROR_EXISTS)) {
			g_propagate_error(error, g_steal_pointer(&why));
			return FALSE;
		}
	}
}

static gboolean add_stream(LttCtfStreams *streams, GError **error)
{
	Stream stream = {.file = LTT_OUT_FILE_NONE, .instance = streams->first_instance};

	if (!make_file(streams, &stream.file, error))
		return FALSE;
	if (streams->streams->len > 0)
		stream.instance = (*streams->next_instance)++;
	streams->current = streams->streams->len;
	g_array_append_val(streams->streams, stream);
	return TRUE;
}

/* Selects the stream with the latest end that is not after @time_ns. Streams with an earlier end
 * remain available for blocks that begin earlier. Returns: FALSE if there is no such stream */
static gboolean find_stream(LttCtfStreams *streams, guint64 time_ns)
{
	gboolean found = FALSE;

	for (guint i = 0; i < streams->streams->len; i++) {
		const guint64 end_ns = get(streams, i)->end_ns;

		if (end_ns > time_ns || (found && end_ns <= get(streams, streams->current)->end_ns))
			continue;
		streams->current = i;
		found = TRUE;
	}
	return found;
}

/* Writes an empty packet with a count of 0 before the first packet of a stream if that packet has
 * losses. Readers compute the losses of a packet as the difference from the count of the previous
 * packet. Does nothing if the export begins in the middle of the tracefile, because the number of
 * earlier losses is unknown. */
static gboolean write_zero(const LttCtfStreams *streams, Stream *stream,
			   const LttCtfPacketInfo *first, LttByteOrder byte_order, GError **error)
{
	LttCtfPacketInfo info = *first;
	guint8 bytes[sizeof(LttCtfPacketHead)];

	if (streams->has_past || first->n_discarded == 0)
		return TRUE;
	info.n_discarded = 0;
	info.end_ns = info.begin_ns;
	return ltt_out_file_write(&stream->file, bytes,
				  ltt_ctf_packet_make_empty(bytes, &info, byte_order), error);
}

LttCtfPlaced ltt_ctf_streams_write(LttCtfStreams *streams, LttCtfPacket *packet, guint64 begin_ns,
				   guint64 n_lost, GError **error)
{
	const gboolean is_empty = packet->n_events == 0;
	LttCtfPacketInfo info = {.stream_class = streams->stream_class, .cpu = streams->cpu};
	gboolean is_new = FALSE;
	Stream *stream;

	/* A packet without events can go to any stream. */
	if (streams->streams->len == 0 || !(is_empty || find_stream(streams, packet->first_ns))) {
		if (streams->streams->len == LTT_CTF_MAX_STREAMS)
			return LTT_CTF_REFUSED;
		if (!add_stream(streams, error))
			return LTT_CTF_FAILED;
		is_new = TRUE;
	}
	stream = get(streams, streams->current);
	stream->n_discarded += n_lost - streams->n_counted;
	streams->n_counted = n_lost;

	info.instance = stream->instance;
	info.n_discarded = stream->n_discarded;
	info.begin_ns = is_empty ? begin_ns : MIN(begin_ns, packet->first_ns);
	info.begin_ns = MAX(info.begin_ns, stream->end_ns);
	info.end_ns = is_empty ? info.begin_ns : packet->last_ns;
	stream->end_ns = info.end_ns;
	if (is_new && !write_zero(streams, stream, &info, packet->byte_order, error))
		return LTT_CTF_FAILED;
	ltt_ctf_packet_end(packet, &info);
	return ltt_out_file_write(&stream->file, packet->bytes, packet->size, error)
		       ? LTT_CTF_WRITTEN
		       : LTT_CTF_FAILED;
}
