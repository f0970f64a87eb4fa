/* import-track.c - events at any times into a tracefile, whose cycle counts must not fall.
 *
 * Counts are the times in nanoseconds as long as these rise, which is nearly always. Where time
 * goes back, or so far ahead that counts would run out, two time values at the same count make it
 * jump: the first ends the line that the events before lie on, the second begins another one.
 */
#include "formats/import-priv.h"

#define MOST_CYCLES ((guint64)G_MAXINT64)

gboolean ltt_import_track_open(LttImportTrack *track, LttImportJob *job, const char *name,
			       GError **error)
{
	*track = (LttImportTrack){.file = ltt_trace_writer_open(job->writer, name, error)};
	return track->file != NULL;
}

static gboolean jump(LttImportTrack *track, guint64 time_ns, GError **error)
{
	return ltt_tracefile_writer_time_value(track->file, track->cycles, track->time_ns, error) &&
	       ltt_tracefile_writer_time_value(track->file, track->cycles, time_ns, error);
}

gboolean ltt_import_track_event(LttImportTrack *track, guint64 time_ns, guint32 id,
				const LttPayload *payload, GError **error)
{
	guint64 cycles = track->cycles;

	if (!track->has_events)
		cycles = time_ns;
	else if (time_ns >= track->time_ns && time_ns - track->time_ns <= MOST_CYCLES - cycles)
		cycles += time_ns - track->time_ns;
	else if (!jump(track, time_ns, error))
		return FALSE;
	if (!ltt_tracefile_writer_event(track->file, cycles, (guint16)id, payload->bytes->data,
					payload->bytes->len, error))
		return FALSE;
	track->cycles = cycles;
	track->time_ns = time_ns;
	track->has_events = TRUE;
	return TRUE;
}
