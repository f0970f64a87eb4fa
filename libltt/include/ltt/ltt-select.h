/* ltt-select.h - which events of a trace are wanted: a window, CPUs, event names, a filter. */
#ifndef LTT_SELECT_H
#define LTT_SELECT_H

#include <ltt/ltt-filter.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttSelect LttSelect;

/* Returns: (transfer full): a selection of everything but what ltt_event_is_hidden() */
LttSelect *ltt_select_new(void);
void ltt_select_free(LttSelect *select); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSelect, ltt_select_free)

/* The builtin and tracer events too, and those that describe the machine. */
void ltt_select_set_all(LttSelect *select, gboolean all);

/* Only events of [@from_ns, @to_ns). */
void ltt_select_set_window(LttSelect *select, guint64 from_ns, guint64 to_ns);

/* Returns: FALSE, and nothing set, if there is no window */
gboolean ltt_select_get_window(const LttSelect *select, guint64 *from_ns, guint64 *to_ns);

/**
 * ltt_select_set_window_text:
 * @from: (nullable): as the user wrote it (ltt-time.h); NULL: from the first event
 * @to: (nullable): NULL: to the last event, included
 * @trace: what "+S" and "-S" count from
 *
 * Returns: FALSE with LTT_ERROR_INVALID if one is not a time
 */
gboolean ltt_select_set_window_text(LttSelect *select, const char *from, const char *to,
				    LttTrace *trace, GError **error);

/* Only events of cpu files whose numbers are in @list: "0,2-5".
 * Returns: FALSE with LTT_ERROR_INVALID if it is not such a list */
gboolean ltt_select_set_cpus(LttSelect *select, const char *list, GError **error);

/* Only events whose full name ("core.irq_entry") matches one of the globs: "core.*,net.rx?", as
 * those of =~ (ltt-filter.h).
 * A builtin event named so is shown also without ltt_select_set_all().
 * Returns: FALSE with LTT_ERROR_INVALID if a glob is empty */
gboolean ltt_select_set_events(LttSelect *select, const char *globs, GError **error);

/* Only events that fulfil @filter, of which a copy is kept; NULL: none. A builtin event that does
 * is not shown for that alone. */
void ltt_select_set_filter(LttSelect *select, const LttFilter *filter);

/* Returns: whether events of @tracefile are wanted at all */
gboolean ltt_select_wants_tracefile(const LttSelect *select, const LttTracefile *tracefile);

/* Returns: (transfer none) (nullable): the type of all events that ltt_select_set_events() lets
 * through, if those loaded for the whole trace have but one of such a name; else NULL */
const LttEventType *ltt_select_get_only_type(LttSelect *select, const LttTrace *trace);

/* Returns: (transfer full) (element-type utf8): the globs of ltt_select_set_events() that match no
 *   event type loaded or described in @trace, in their order; most likely they are mistyped */
GPtrArray *ltt_select_list_strange_names(const LttSelect *select, const LttTrace *trace);

/* Returns: (transfer full) (element-type utf8): fields of the filter, as they stand in it and each
 * once, that no event type has which @trace has loaded or describes */
GPtrArray *ltt_select_list_strange_fields(const LttSelect *select, const LttTrace *trace);

/* Returns: whether @event is wanted */
gboolean ltt_select_matches(LttSelect *select, const LttEvent *event);

G_END_DECLS

#endif /* LTT_SELECT_H */
