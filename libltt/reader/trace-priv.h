/* trace-priv.h - the parts of a trace that the files of the reader share. */
#ifndef LTT_TRACE_PRIV_H
#define LTT_TRACE_PRIV_H

#ifndef LTT_BUILDING
#error "trace-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "archive/store-priv.h"
#include "reader/clock-map-priv.h"
#include "reader/new-loads-priv.h"
#include "reader/slots-priv.h"
#include "reader/thread-names-priv.h"
#include "reader/time-range-priv.h"
#include "reader/tracefile-priv.h"

struct LttTrace {
	LttStore *store;
	LttSystem *system;
	gint64 listed_ns;      /* when eventdefs/ was listed; 0: not yet */
	gint64 eventdefs_ns;   /* time of its last change then */
	GMutex described_lock; /* of the two below: a live trace may get further descriptions */
	GPtrArray *described;  /* of LttFacility: all of eventdefs/, by file name */
	GTree *described_names; /* the same by name, see ltt_trace_find_described(); NULL if joined */
	GHashTable *seen;       /* names of files in eventdefs/, control/ and cpu/ seen so far */
	guint n_loads_seen;     /* in control/facilities */
	gint64 offset_ns;       /* added to all times, if clock_map is NULL */
	LttClockMap *clock_map; /* as a member: converts all times, owned; NULL: offset_ns does */
	LttTimeRange values; /* as a member whose times are moved: of its time values before that */
	LttTrace *joined;    /* the joined trace that this is a member of, borrowed; NULL: none */
	guint first_cpu;     /* as a member: the offset of its CPU numbers */
	guint machine;       /* as a member: the first member of the same machine */
	GPtrArray *members;  /* of LttTrace, owned: the members of a joined trace; NULL: a single
			     * trace */
	gboolean is_live;    /* it was being recorded when it was opened */
	gboolean is_followed;   /* followed by its reader: facilities may appear later */
	guint64 horizon_ns;     /* while it is followed: its files contain all events up to it */
	LttSlots *slots;        /* loaded for the whole trace */
	LttNewLoads *new_loads; /* those after it was opened; NULL: it is not live */
	GPtrArray *tracefiles;
	GPtrArray *hosts;      /* of LttHost; at least one */
	GArray *recordings;    /* of LttRecording (recordings-priv.h); NULL: one of each host */
	GMutex lock;           /* of problems */
	GPtrArray *problems;   /* of LttProblem */
	GPtrArray *bookmarks;  /* NULL: not read yet */
	GMutex names_lock;     /* of names */
	LttThreadNames *names; /* NULL: not read yet */
};

/* Returns: the time of an event on the timeline of the joined trace; @time_ns is in its tracefile */
static inline guint64 ltt_trace_convert_time(const LttTrace *trace, guint64 time_ns)
{
	return trace->clock_map != NULL ? ltt_clock_map_at(trace->clock_map, time_ns)
					: ltt_time_shift(time_ns, trace->offset_ns);
}

/* The same for a time value of a file, not clamped (ltt_time_move()). */
static inline guint64 ltt_trace_move_time(const LttTrace *trace, guint64 time_ns)
{
	return ltt_time_move(time_ns, trace->clock_map != NULL
					      ? ltt_clock_map_get_offset(trace->clock_map, time_ns)
					      : trace->offset_ns);
}

/* Opens the trace whose files are in @store. Returns: the same as ltt_trace_open() */
LttTrace *ltt_trace_take_store(LttStore *store, GError **error);

/* Records a problem; copies the strings. A member records it in the joined trace. */
void ltt_trace_add_problem(LttTrace *trace, const char *tracefile, gint64 block, gint64 byte,
			   const char *message);

/* The same without block and byte, and with a format string. */
void ltt_trace_add_problem_printf(LttTrace *trace, const char *tracefile, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Records why a block could not be read, if it may be readable later: a read failed, or there was
 * no memory. The code that reads the events reports damage. @error: NULL: none */
void ltt_tracefile_note_failure(LttTracefile *tracefile, const GError *error);

/* Applies a facility_load (doc/format.md, 4.3) to @slots: finds the description and assigns the
 * ids. Records any problem with the given position. Returns: whether ids were assigned */
gboolean ltt_trace_apply_load(LttTrace *trace, LttSlots *slots, const char *name, guint32 checksum,
			      guint32 base_code, const LttTracefile *tracefile, guint64 block,
			      guint32 offset_bytes);

/* Finds the local loads of a file other than control/facilities; sets local_slots and
 * local_loads. */
void ltt_tracefile_find_local_loads(LttTracefile *tracefile);

/* Reads control/facilities, or its new events. */
void ltt_trace_read_loads(LttTrace *trace);
void ltt_trace_read_new_loads(LttTrace *trace);

/* Returns: (transfer full): the names in a folder. Reports once that a folder cannot be read. */
GPtrArray *ltt_trace_list_folder(LttTrace *trace, const char *folder);

/* Records the name of a file in a folder. Returns: whether it is new */
gboolean ltt_trace_meets(LttTrace *trace, const char *folder, const char *name);

/* Returns: (transfer container) (element-type LttFacility): the facilities that the trace loads,
 * and those in eventdefs/, which a tracefile may load for itself. For a joined trace, those of all
 * members. A facility may occur twice */
GPtrArray *ltt_trace_list_facilities(const LttTrace *trace);

/* Returns: whether its CPUs have events, so that it contains more than the description of the
 * machine */
gboolean ltt_trace_has_cpus(const LttTrace *trace);

/* Hides the events that describe the machine, unless the trace, or the joined trace it belongs to,
 * has no other events. */
void ltt_trace_hide_machine(LttTrace *trace);

/* Look for descriptions, or tracefiles, created since the last call. New tracefiles are appended,
 * regardless of their names. */
void ltt_trace_find_descriptions(LttTrace *trace);
void ltt_trace_find_tracefiles(LttTrace *trace);

/* The descriptions that match a name and checksum. */
typedef struct LttMatch {
	LttFacility *exact;    /* the first with that name and checksum */
	LttFacility *named;    /* the first with that name */
	gboolean is_ambiguous; /* several descriptions with that name have different checksums */
} LttMatch;

/* Creates the index of descriptions, which ltt_trace_find_descriptions() fills. */
GTree *ltt_trace_new_described_names(void);

LttMatch ltt_trace_find_described(const LttTrace *trace, const char *name, guint32 checksum);

#endif
