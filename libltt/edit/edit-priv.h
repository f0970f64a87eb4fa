/* edit-priv.h - a trace being made of another one: its directory, facilities and what it is made
 * for.
 */
#ifndef LTT_EDIT_PRIV_H
#define LTT_EDIT_PRIV_H

#ifndef LTT_BUILDING
#error "edit/edit-priv.h is private to libltt"
#endif

#include "edit/rewrite-priv.h"
#include "reader/select-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-repair.h>

/* The cycle counts that a new cpu file spans. */
typedef struct LttEditSpan {
	gint cpu;
	guint64 least_cycles;
	guint64 most_cycles;
} LttEditSpan;

typedef struct LttEdit {
	LttTrace *trace; /* that is read */
	const char *path;
	const LttCutRequest *request;
	LttBlockForm form;
	LttTimeValue origin; /* for what has no time of its own, such as loads of facilities */
	gboolean has_window; /* else all times are wanted */
	guint64 from_ns;
	guint64 to_ns;
	gboolean asks_events;   /* names or a filter choose */
	gboolean is_live;       /* blocks may change under us */
	gboolean is_repair;     /* what is gone is counted in the new trace */
	GPtrArray *facilities;  /* of LttFacility: those that are loaded */
	GArray *spans;          /* of LttEditSpan */
	gboolean must_rewrite;  /* the old form of blocks is not kept, so none can be copied */
	GPtrArray *losses;      /* of LttRepairLoss, for repair */
	gboolean has_uncounted; /* something that is gone could not be counted in the new trace */
	const LttFacility *tracer; /* may be loaded in addition, at tracer_base; NULL: may not */
	guint32 tracer_base;
	gboolean needs_tracer; /* and is to be */
	GHashTable *needed;    /* LttEventType -> when it is needed; NULL: no event is */
	guint64 n_done;        /* blocks */
	guint64 n_total;
	LttCutSummary summary;
} LttEdit;

/* Creates the directory with info/system.xml.
 * Returns: FALSE with an error of ltt_cut(); the directory is removed again */
gboolean ltt_edit_begin(LttEdit *edit, GError **error);

/* Writes the descriptions of the facilities. */
gboolean ltt_edit_describe(const LttEdit *edit, GError **error);

/* Writes the bookmarks that lie in what is left. */
gboolean ltt_edit_bookmarks(const LttEdit *edit, GError **error);

void ltt_edit_clear(LttEdit *edit);

/* Makes a tracefile of the new trace. Returns: as ltt_rewriter_new() */
LttRewriter *ltt_edit_open(const LttEdit *edit, const char *name, GError **error);

/* Adds loads of facilities to @out, at time value @at. */
void ltt_edit_load(LttEdit *edit, LttRewriter *out, const GPtrArray *loads, const LttTimeValue *at);

/* Adds the load of the tracer facility, which is to be loaded additionally. */
void ltt_edit_load_tracer(LttEdit *edit, LttRewriter *out);

/* Returns: the id of the event of a role; -1: there is none. @name: "process_start"; NULL: any */
gint ltt_edit_find_id(const LttSlots *slots, LttEventRole role, const char *name);

/* Finds the events that stay although nobody asks for them. */
void ltt_edit_find_needed(LttEdit *edit);

/* Returns: whether the event is one of these */
gboolean ltt_edit_needs(const LttEdit *edit, const LttEvent *event);

/* Cuts one tracefile. */
gboolean ltt_edit_tracefile(LttEdit *edit, LttTracefile *tracefile, GError **error);

/* Does all of it. */
gboolean ltt_edit_run(LttEdit *edit, GError **error);

#endif
