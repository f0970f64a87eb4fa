/* ltt-select.h - select events of a trace by time window, CPU, event name and filter.
 *
 * An event is selected if it meets all conditions that are set.
 */
#ifndef LTT_SELECT_H
#define LTT_SELECT_H

#include <ltt/ltt-filter.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttSelect LttSelect;

/* Returns: (transfer full): a selection of all events except hidden ones (ltt_event_is_hidden()) */
LttSelect *ltt_select_new(void);
void ltt_select_free(LttSelect *select); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSelect, ltt_select_free)

/* @all: select hidden events too: builtin and tracer events, and those that describe the machine */
void ltt_select_set_all(LttSelect *select, gboolean all);

/* Selects only events of [@from_ns, @to_ns). */
void ltt_select_set_window(LttSelect *select, guint64 from_ns, guint64 to_ns);

/* Returns: FALSE, and nothing set, if there is no window */
gboolean ltt_select_get_window(const LttSelect *select, guint64 *from_ns, guint64 *to_ns);

/**
 * ltt_select_set_window_text:
 * @from: (nullable): in a form of ltt-time.h; NULL: from the first event
 * @to: (nullable): likewise; NULL: to the last event, inclusive
 * @trace: whose start and end "+S" and "-S" count from
 *
 * Returns: FALSE with LTT_ERROR_INVALID if one is not a time
 */
gboolean ltt_select_set_window_text(LttSelect *select, const char *from, const char *to,
				    LttTrace *trace, GError **error);

/**
 * ltt_select_set_around_text:
 * @text: "T" or "T,WIDTH": a time in a form of ltt-time.h, and a duration with a unit, such as
 *   "+1.5,20ms"; without a width it is 1 ms
 *
 * Selects the events from half of the width before T to half of the width after T, both inclusive.
 *
 * Returns: FALSE with LTT_ERROR_INVALID if @text is not of this form
 */
gboolean ltt_select_set_around_text(LttSelect *select, const char *text, LttTrace *trace,
				    GError **error);

/* Selects only events of the cpu files with the numbers in @list: "0,2-5".
 * Returns: FALSE with LTT_ERROR_INVALID if @list is malformed */
gboolean ltt_select_set_cpus(LttSelect *select, const char *list, GError **error);

/* Selects only events whose full name ("core.irq_entry") matches one of the globs, which are those
 * of =~ (ltt-filter.h): "core.*,net.rx?". A match selects hidden events also without
 * ltt_select_set_all().
 * Returns: FALSE with LTT_ERROR_INVALID if a glob is empty */
gboolean ltt_select_set_events(LttSelect *select, const char *globs, GError **error);

/* Selects only events that match @filter, which is copied; NULL: no filter. A match does not select
 * hidden events. */
void ltt_select_set_filter(LttSelect *select, const LttFilter *filter);

/* Returns: whether any events of @tracefile can be selected */
gboolean ltt_select_wants_tracefile(const LttSelect *select, const LttTracefile *tracefile);

/* Returns: (transfer none) (nullable): the type of all selected events, if exactly one type loaded
 *   for the whole trace matches ltt_select_set_events(); else NULL */
const LttEventType *ltt_select_get_only_type(LttSelect *select, const LttTrace *trace);

/* Returns: (transfer full) (element-type LttDoubt): the globs of ltt_select_set_events() that match no
 *   event type loaded or described in @trace, in their order; most likely they are mistyped */
GPtrArray *ltt_select_check_events(const LttSelect *select, const LttTrace *trace);

/* Returns: (transfer full) (element-type LttDoubt): the numbers and ranges of ltt_select_set_cpus()
 *   that contain the number of no cpu file of @trace, in their order */
GPtrArray *ltt_select_check_cpus(const LttSelect *select, const LttTrace *trace);

/* Returns: (transfer full) (element-type LttDoubt): as ltt_filter_check(), but with the event types
 *   that ltt_select_set_events() selects only; empty if it selects none */
GPtrArray *ltt_select_check_filter(const LttSelect *select, const LttTrace *trace);

/* Returns: (transfer full) (element-type LttDoubt): those of @globs, which end with NULL, that match
 *   the name of no field of an event type that ltt_select_set_events() selects. The fields of
 *   nested structs are not examined */
GPtrArray *ltt_select_check_fields(const LttSelect *select, const LttTrace *trace,
				   const char *const *globs);

/* Returns: whether @event is selected */
gboolean ltt_select_matches(LttSelect *select, const LttEvent *event);

G_END_DECLS

#endif /* LTT_SELECT_H */
