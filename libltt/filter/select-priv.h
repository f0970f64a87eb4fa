/* select-priv.h - the parts of a selection, for callers that do not check each event. */
#ifndef LTT_FILTER_SELECT_PRIV_H
#define LTT_FILTER_SELECT_PRIV_H

#ifndef LTT_BUILDING
#error "filter/select-priv.h is private to libltt; use <ltt/ltt-select.h>"
#endif

#include <ltt/ltt-select.h>

/* Returns: whether the name of @type, or else @role, selects its events */
gboolean ltt_select_wants_type(const LttSelect *select, const LttEventType *type,
			       LttEventRole role);

/* Returns: whether names or a filter select events */
gboolean ltt_select_asks_events(const LttSelect *select);

/* Returns: whether the selection has no window, CPUs, names or filter */
gboolean ltt_select_wants_all(const LttSelect *select);

/* Returns: (transfer full): a selection with the window, the CPUs and the filter of @select, but of
 *   events of all types, hidden ones included. @select: (nullable): NULL: of all events */
LttSelect *ltt_select_dup_without_names(const LttSelect *select);

/* Returns: (transfer none) (nullable) */
const LttFilter *ltt_select_get_filter(const LttSelect *select);

/* Parses "3" or "2-5". Returns: FALSE if @text is neither */
gboolean ltt_select_parse_cpus(const char *text, guint64 *first, guint64 *last);

/* Returns: (nullable): the list of ltt_select_set_cpus() */
const char *ltt_select_get_cpu_list(const LttSelect *select);

/* Returns: whether ltt_select_set_events() was called */
gboolean ltt_select_is_named(const LttSelect *select);

/* Returns: (transfer full): the globs of ltt_select_set_events(); an empty list: none are set */
GStrv ltt_select_dup_globs(const LttSelect *select);

#endif
