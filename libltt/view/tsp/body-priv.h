/* body-priv.h - the JSON body of a request, read by the JSON functions of SQLite.
 *
 *	{"parameters": {"requested_items": [3, 5]}}
 *
 *	ltt_tsp_body_get_numbers(body, "requested_items", numbers, &error);
 */
#ifndef LTT_VIEW_TSP_BODY_PRIV_H
#define LTT_VIEW_TSP_BODY_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/body-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>

typedef struct LttTspBody LttTspBody;

/* Numbers of one list. */
#define LTT_TSP_MAX_NUMBERS 65536

/* @json: may be empty. Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID if it is no JSON */
LttTspBody *ltt_tsp_body_new(const char *json, gsize length, GError **error);
void ltt_tsp_body_free(LttTspBody *body);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTspBody, ltt_tsp_body_free)

/* The functions below take a name below "parameters", such as "requested_timerange.start". */

/* Appends the numbers of a list, or one number, as gint64. A missing parameter is an empty list.
 * Returns: FALSE with LTT_ERROR_INVALID if something else is there */
gboolean ltt_tsp_body_get_numbers(LttTspBody *body, const char *name, GArray *numbers,
				  GError **error);

/* @value: (inout): the default. Returns: FALSE with LTT_ERROR_INVALID if it is not a number of [@min,
 * @max] */
gboolean ltt_tsp_body_get_number(LttTspBody *body, const char *name, gint64 min, gint64 max,
				 gint64 *value, GError **error);

/* Appends the strings of a list, or one string. */
gboolean ltt_tsp_body_get_texts(LttTspBody *body, const char *name, GPtrArray *texts,
				GError **error);

/* Returns: whether the parameter is there */
gboolean ltt_tsp_body_has(LttTspBody *body, const char *name);

#endif
