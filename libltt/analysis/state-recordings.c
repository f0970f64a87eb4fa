/* state-recordings.c - see state-recordings-priv.h. */
#include "analysis/state-recordings-priv.h"
#include "reader/recordings-priv.h"

#include <ltt/ltt-states.h>

struct LttStateRecordings {
	const LttTrace *trace;
	GHashTable *by_id; /* of LttStateRecording, those with events of CPUs */
};

static LttStateRecording make_recording(const LttTrace *trace, guint32 id)
{
	return (LttStateRecording){.machine = ltt_trace_get_recording(trace, id).host,
				   .end_ns = G_MAXUINT64};
}

static void add_times(LttStateRecordings *recordings, LttTracefile *tracefile)
{
	gpointer id = GUINT_TO_POINTER(tracefile->recording);
	const LttTracefileSummary *summary = ltt_tracefile_get_summary(tracefile);
	LttStateRecording *recording = g_hash_table_lookup(recordings->by_id, id);
	guint64 end_ns;

	if (ltt_tracefile_get_cpu(tracefile) < 0 || !summary->has_events)
		return;
	end_ns = tracefile->trace->is_live ? G_MAXUINT64 : summary->last_ns;
	if (recording == NULL) {
		recording = g_new(LttStateRecording, 1);
		*recording = make_recording(recordings->trace, tracefile->recording);
		recording->start_ns = summary->first_ns;
		recording->end_ns = end_ns;
		g_hash_table_insert(recordings->by_id, id, recording);
	}
	recording->start_ns = MIN(recording->start_ns, summary->first_ns);
	recording->end_ns = MAX(recording->end_ns, end_ns);
}

LttStateRecordings *ltt_state_recordings_new(LttTrace *trace)
{
	LttStateRecordings *recordings = g_new(LttStateRecordings, 1);

	recordings->trace = trace;
	recordings->by_id = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (guint i = 0; i < trace->tracefiles->len; i++)
		add_times(recordings, trace->tracefiles->pdata[i]);
	return recordings;
}

void ltt_state_recordings_free(LttStateRecordings *recordings)
{
	if (recordings == NULL)
		return;
	g_hash_table_unref(recordings->by_id);
	g_free(recordings);
}

LttStateRecording ltt_state_recordings_get(const LttStateRecordings *recordings, guint32 id)
{
	const LttStateRecording *found =
		g_hash_table_lookup(recordings->by_id, GUINT_TO_POINTER(id));

	return found != NULL ? *found : make_recording(recordings->trace, id);
}

guint ltt_stretch_find_member(const LttTrace *trace, const LttStretch *stretch)
{
	return ltt_trace_get_recording(trace, stretch->recording).member;
}
