/* trace-priv.h - what the files of the reader share of a trace. */
#ifndef LTT_TRACE_PRIV_H
#define LTT_TRACE_PRIV_H

#ifndef LTT_BUILDING
#error "trace-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "archive/store-priv.h"
#include "reader/slots-priv.h"
#include "reader/thread-names-priv.h"
#include "reader/tracefile-priv.h"

struct LttTrace {
	LttStore *store;
	LttSystem *system;
	GPtrArray *described; /* of LttFacility: all of eventdefs/, by file name */
	GHashTable *seen; /* names of files in eventdefs/, control/ and cpu/ that were looked at */
	guint n_loads_seen; /* in control/facilities */
	gint64 offset_ns;   /* added to all times */
	LttTrace *joined;   /* whose member this is, borrowed; NULL: none's */
	guint first_cpu;    /* as a member: what the numbers of its CPUs were raised by */
	GPtrArray *members; /* of LttTrace, owned: it is joined from them; NULL: it is one trace */
	gboolean is_live;   /* it was being recorded when it was opened */
	gboolean is_followed; /* by the one who reads it: facilities may come while he does */
	LttSlots *slots;      /* loaded for the whole trace */
	GPtrArray *tracefiles;
	GMutex lock;           /* of problems */
	GPtrArray *problems;   /* of LttProblem */
	GPtrArray *bookmarks;  /* NULL: not read yet */
	GMutex names_lock;     /* of names */
	LttThreadNames *names; /* NULL: not read yet */
};

/* Opens the trace whose files are in @store. Returns: as ltt_trace_open() */
LttTrace *ltt_trace_take_store(LttStore *store, GError **error);

/* Notes a problem; the strings are copied. That of a member goes to the joined trace. */
void ltt_trace_add_problem(LttTrace *trace, const char *tracefile, gint64 block, gint64 byte,
			   const char *message);

/* The same without block and byte, the message by a format. */
void ltt_trace_add_problem_printf(LttTrace *trace, const char *tracefile, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Applies a facility_load (doc/format.md, 4.3) to @slots: finds the description and gives out the
 * ids. What is wrong becomes a problem at the place given. Returns: whether ids were given out */
gboolean ltt_trace_apply_load(LttTrace *trace, LttSlots *slots, const char *name, guint32 checksum,
			      guint32 base_code, const LttTracefile *tracefile, guint64 block,
			      guint32 offset_bytes);

/* Finds what a file other than control/facilities loads for itself: local_slots and local_loads. */
void ltt_tracefile_find_local_loads(LttTracefile *tracefile);

/* Reads all of control/facilities, or what is new there. */
void ltt_trace_read_loads(LttTrace *trace);
void ltt_trace_read_new_loads(LttTrace *trace);

/* Returns: (transfer full): what is in a folder. That it cannot be looked into is told once. */
GPtrArray *ltt_trace_list_folder(LttTrace *trace, const char *folder);

/* Notes a file of a folder. Returns: whether it is met for the first time */
gboolean ltt_trace_meets(LttTrace *trace, const char *folder, const char *name);

/* Returns: (transfer container) (element-type LttFacility): the facilities that the trace loads,
 *   and those in eventdefs/, which a tracefile may load for itself; of joined traces, those of all.
 *   A facility may be listed twice */
GPtrArray *ltt_trace_list_facilities(const LttTrace *trace);

/* Whether its CPUs have events: then it holds more than the machine as it was. */
gboolean ltt_trace_has_cpus(const LttTrace *trace);

/* Hides the events that describe the machine, unless there is nothing else in the trace, or in the
 * one that it is joined to. */
void ltt_trace_hide_machine(LttTrace *trace);

/* Looks for descriptions, or tracefiles, that were not there when they were looked for last. New
 * tracefiles come behind the others, whatever their names. */
void ltt_trace_find_descriptions(LttTrace *trace);
void ltt_trace_find_tracefiles(LttTrace *trace);

#endif
