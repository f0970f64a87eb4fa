/* request-priv.h - a request to the server, and its answer. */
#ifndef LTT_VIEW_REQUEST_PRIV_H
#define LTT_VIEW_REQUEST_PRIV_H

#ifndef LTT_BUILDING
#error "view/request-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/live-priv.h"
#include "view/window-priv.h"

#include <ltt/ltt-merge.h>
#include <microhttpd.h>

typedef struct LttViewCall {
	LttViewMap *map;
	LttViewLive *live; /* (nullable): makes further maps; NULL: without a server */
	const char *title;
	struct MHD_Connection *connection; /* (nullable): NULL: without a client */
	GHashTable *parameters;            /* (nullable): those of a request without a client */
	GString *answer;                   /* JSON; empty at first */
} LttViewCall;

/* Answers a request. Returns: FALSE with LTT_ERROR_INVALID for a wrong parameter, which the client is
 * told, or another error */
typedef gboolean (*LttViewAnswerFunc)(LttViewCall *call, GError **error);

/* Find the function that answers a GET, or a POST, of a path after the token, such as "api/lanes".
 * Return: (nullable): NULL: there is no such path */
LttViewAnswerFunc ltt_view_find_answer(const char *path);
LttViewAnswerFunc ltt_view_find_change(const char *path);

/* Returns: whether the URL has a parameter */
gboolean ltt_view_call_has(const LttViewCall *call, const char *name);

/* Sets @text to the value of a parameter of the URL, or to NULL if it is not there. Returns: FALSE with
 * LTT_ERROR_INVALID if it has no value, or one with a NUL (%00), at which functions of C would end it */
gboolean ltt_view_call_get_text(const LttViewCall *call, const char *name, const char **text,
				GError **error);

/**
 * ltt_view_call_get_number:
 * @value: (inout): the default; set to the parameter if it is there
 *
 * Returns: FALSE with LTT_ERROR_INVALID if it is not a number of [@min, @max]
 */
gboolean ltt_view_call_get_number(const LttViewCall *call, const char *name, guint64 min,
				  guint64 max, guint64 *value, GError **error);

/* Integers up to this are exact as doubles, the numbers of JavaScript. */
#define LTT_VIEW_MAX_EXACT ((gint64)1 << 53)

/* The same for a time in ns after the start of the trace. One above the length is the length, if a double rounds the
 * length up to it: the page has lengths above 2^53, 104 days, as doubles. */
gboolean ltt_view_call_get_offset(const LttViewCall *call, const char *name, guint64 *offset_ns,
				  GError **error);

/**
 * ltt_view_call_get_window:
 *
 * Sets @from_ns and @to_ns from the parameters `from` and `to`, in ns after the start of the trace;
 * by default the whole trace.
 *
 * Returns: FALSE with LTT_ERROR_INVALID if they are malformed or empty
 */
gboolean ltt_view_call_get_window(const LttViewCall *call, guint64 *from_ns, guint64 *to_ns,
				  GError **error);

/* Sets @filter to the parameter `filter`, or to NULL if it is missing or empty. Returns: FALSE with
 * LTT_ERROR_INVALID and "byte N: ..." if it is wrong */
gboolean ltt_view_call_get_filter(const LttViewCall *call, LttFilter **filter, GError **error);

/* Appends the numbers of the parameter `lanes`, a list "1,2,3", to @lanes (element-type guint). Returns:
 * FALSE with LTT_ERROR_INVALID if it is something else */
gboolean ltt_view_call_get_lanes(const LttViewCall *call, GArray *lanes, GError **error);

/* Sets @window without a filter, and appends to @lanes, from the parameters of a picture: `from`, `to`,
 * `pixels` and `lanes`. Returns: FALSE with LTT_ERROR_INVALID if one of them is wrong */
gboolean ltt_view_call_get_picture(const LttViewCall *call, LttViewWindow *window, GArray *lanes,
				   GError **error);

/* Append a number to a JSON array that is open in @out. Large answers consist of numbers, for which
 * printf() takes most of the time. */
void ltt_view_append_unsigned(GString *out, guint64 value);
void ltt_view_append_signed(GString *out, gint64 value);

/* Appends the member "symbols" with the names of functions for the fields of an event that are addresses in
 * code; nothing if it has no such fields. */
void ltt_view_append_symbols(GString *out, LttSymbols *symbols, const LttEvent *event);

/* LttProgressFunc of long answers; @data: LttViewCall. Returns: FALSE if the client has closed the
 * connection, or the server stops */
gboolean ltt_view_call_is_wanted(const LttProgress *progress, gpointer data);

/* Like ltt_merge_next(), but skips damaged blocks. */
LttStep ltt_view_next(LttMerge *merge, const LttEvent **event, GError **error);

/* The answers; doc/view.md describes them. */
gboolean ltt_view_answer_trace(LttViewCall *call, GError **error);
gboolean ltt_view_answer_live(LttViewCall *call, GError **error);
gboolean ltt_view_answer_progress(LttViewCall *call, GError **error);
gboolean ltt_view_answer_density(LttViewCall *call, GError **error);
gboolean ltt_view_answer_lanes(LttViewCall *call, GError **error);
gboolean ltt_view_answer_damage(LttViewCall *call, GError **error);
gboolean ltt_view_answer_spans(LttViewCall *call, GError **error);
gboolean ltt_view_answer_states(LttViewCall *call, GError **error);
gboolean ltt_view_answer_counters(LttViewCall *call, GError **error);
gboolean ltt_view_answer_wakeups(LttViewCall *call, GError **error);
gboolean ltt_view_answer_events(LttViewCall *call, GError **error);
gboolean ltt_view_answer_filter(LttViewCall *call, GError **error);
gboolean ltt_view_answer_find(LttViewCall *call, GError **error);
gboolean ltt_view_answer_align(LttViewCall *call, GError **error);
gboolean ltt_view_answer_diff(LttViewCall *call, GError **error);
gboolean ltt_view_answer_bookmarks(LttViewCall *call, GError **error);
gboolean ltt_view_change_bookmarks(LttViewCall *call, GError **error);
gboolean ltt_view_answer_sql(LttViewCall *call, GError **error);
gboolean ltt_view_answer_tables(LttViewCall *call, GError **error);
gboolean ltt_view_answer_stat(LttViewCall *call, GError **error);
gboolean ltt_view_answer_durations(LttViewCall *call, GError **error);
gboolean ltt_view_answer_flame(LttViewCall *call, GError **error);

#endif
