/* edit-priv.h - the state of deriving one trace from another: cut, split and repair. */
#ifndef LTT_EDIT_PRIV_H
#define LTT_EDIT_PRIV_H

#ifndef LTT_BUILDING
#error "edit/edit-priv.h is private to libltt"
#endif

#include "base/aside-priv.h"
#include "edit/needed-blocks-priv.h"
#include "edit/redactor-priv.h"
#include "edit/rewrite-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-repair.h>

/* The cycle counts that a new cpu file spans. */
typedef struct LttEditSpan {
	gint cpu;
	guint64 least_cycles;
	guint64 most_cycles;
} LttEditSpan;

typedef struct LttEdit {
	LttTrace *trace; /* the source */
	const LttCutRequest *request;
	LttAside aside;          /* a directory with the new trace while it is written */
	char *path;              /* of the new trace in it */
	const LttSystem *system; /* to write; NULL: that of the source */
	LttRedactor *redactor;   /* replaces values and leaves out events; NULL: none */
	LttBlockForm form;
	LttTimeValue origin; /* time of events without one, such as loads of facilities */
	gboolean has_window; /* FALSE: all times are selected */
	guint64 from_ns;
	guint64 to_ns;
	gboolean asks_events;      /* names or a filter select events */
	gboolean is_live;          /* blocks may change while they are read */
	gboolean holds_loads;      /* ltt_trace_hold_loads() */
	gboolean is_repair;        /* count lost events in the new trace */
	GPtrArray *facilities;     /* of LttFacility: the loaded ones */
	GArray *spans;             /* of LttEditSpan */
	gboolean must_rewrite;     /* the form of blocks changes, so none can be copied */
	GPtrArray *losses;         /* of LttRepairLoss, for repair */
	gboolean has_uncounted;    /* some losses could not be counted in the new trace */
	const LttFacility *tracer; /* may be loaded in addition, at tracer_base; NULL: may not */
	guint32 tracer_base;
	gboolean needs_tracer;    /* whether to load it */
	GHashTable *needed;       /* LttEventType -> when it is needed; NULL: never */
	gboolean has_bookkeeping; /* some of these events are in control files of the recording */
	gboolean has_named;       /* system.xml names some of these events, in any tracefile */
	const LttNeededBlocks *needed_blocks; /* with the named ones; NULL: any may have them */
	guint64 n_done;                       /* blocks */
	guint64 n_total;
	LttCutSummary summary;
} LttEdit;

/* Creates the directory with info/system.xml, under a temporary name. Returns: FALSE with an error of
 * ltt_cut() */
gboolean ltt_edit_begin(LttEdit *edit, GError **error);

/* Writes info/system.xml again. */
gboolean ltt_edit_write_system(const LttEdit *edit, GError **error);

/* Writes the descriptions of the facilities. */
gboolean ltt_edit_describe(const LttEdit *edit, GError **error);

/* Writes the bookmarks within the selection. */
gboolean ltt_edit_bookmarks(const LttEdit *edit, GError **error);

/* Gives the new trace its name. Returns: FALSE with an error of ltt_cut() */
gboolean ltt_edit_settle(LttEdit *edit, GError **error);

/* Removes a trace that was not settled. */
void ltt_edit_clear(LttEdit *edit);

/* Creates a tracefile of the new trace. Returns: as ltt_rewriter_new() */
LttRewriter *ltt_edit_open(const LttEdit *edit, const char *name, GError **error);

/* Adds loads of facilities to @out, at time value @at. */
void ltt_edit_load(LttEdit *edit, LttRewriter *out, const GPtrArray *loads, const LttTimeValue *at);

/* Adds the load of the tracer facility to a trace that did not load it. */
void ltt_edit_load_tracer(LttEdit *edit, LttRewriter *out);

/* Returns: the id of the event of a role; -1: none. @name: "process_start"; NULL: any */
gint ltt_edit_find_id(const LttSlots *slots, LttEventRole role, const char *name);

/* Finds the event types to keep although they are not selected. @with_named: including those that
 * system.xml names */
void ltt_edit_find_needed(LttEdit *edit, gboolean with_named);

/* Returns: whether to keep an event of these types */
gboolean ltt_edit_needs(const LttEdit *edit, const LttEvent *event);

/* Cuts one tracefile. */
gboolean ltt_edit_tracefile(LttEdit *edit, LttTracefile *tracefile, GError **error);

/* ltt_cut() of a trace that is not joined. @blocks: (nullable): with the events to keep from before the
 * window */
gboolean ltt_edit_cut(const LttCutRequest *request, LttTrace *trace, const LttNeededBlocks *blocks,
		      LttCutSummary *summary, GError **error);

/* Writes the whole new trace, to be settled. */
gboolean ltt_edit_run(LttEdit *edit, GError **error);

#endif
