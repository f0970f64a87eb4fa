/* import-track.c - write events with arbitrary times to a tracefile.
 *
 * The cycle counts of a tracefile must not decrease. As long as times do not decrease, which is the
 * usual case, one cycle is one nanosecond. If the time decreases, or increases by so much that the
 * count would overflow, two time values with the same count make the time jump:
 *
 *	cycles      ...  700   800   800   850 ...
 *	time in ns  ...  700   800   300   350 ...
 *	                        |     |
 *	               time value     time value
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
