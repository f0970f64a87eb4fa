/* request.c - see request-priv.h. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "view/request-priv.h"

#include <ltt/ltt-error.h>
#include <poll.h>
#include <string.h>

/* Lanes of one request. */
#define MAX_LANES 4096U

/* Sets @text and @length, in bytes. Returns: FALSE: the parameter is not there */
static gboolean find(const LttViewCall *call, const char *name, const char **text, size_t *length)
{
	*text = NULL;
	*length = 0;
	if (call->connection != NULL)
		return MHD_lookup_connection_value_n(call->connection, MHD_GET_ARGUMENT_KIND, name,
						     strlen(name), text, length) == MHD_YES;
	if (call->parameters != NULL)
		*text = g_hash_table_lookup(call->parameters, name);
	if (*text != NULL)
		*length = strlen(*text);
	return *text != NULL;
}

gboolean ltt_view_call_has(const LttViewCall *call, const char *name)
{
	const char *text;
	size_t length;

	return find(call, name, &text, &length);
}

gboolean ltt_view_call_get_text(const LttViewCall *call, const char *name, const char **text,
				GError **error)
{
	size_t length;

	if (!find(call, name, text, &length))
		return TRUE;
	if (*text != NULL && strlen(*text) == length)
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID, "%s: expected %s", name,
		    *text == NULL ? "= and a value" : "a text without a NUL");
	*text = NULL;
	return FALSE;
}

gboolean ltt_view_call_get_number(const LttViewCall *call, const char *name, guint64 min,
				  guint64 max, guint64 *value, GError **error)
{
	const char *text;

	if (!ltt_view_call_get_text(call, name, &text, error))
		return FALSE;
	if (text == NULL || g_ascii_string_to_unsigned(text, 10, min, max, value, NULL))
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
		    "%s: expected a number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, name,
		    min, max);
	return FALSE;
}

gboolean ltt_view_call_get_offset(const LttViewCall *call, const char *name, guint64 *offset_ns,
				  GError **error)
{
	const guint64 length_ns = call->map->axis.end_ns - call->map->axis.start_ns;
	const guint64 most_ns = MAX(length_ns, (guint64)(double)length_ns);

	if (!ltt_view_call_get_number(call, name, 0, most_ns, offset_ns, error))
		return FALSE;
	*offset_ns = MIN(*offset_ns, length_ns);
	return TRUE;
}

gboolean ltt_view_call_get_window(const LttViewCall *call, guint64 *from_ns, guint64 *to_ns,
				  GError **error)
{
	const LttViewAxis *axis = &call->map->axis;
	const guint64 length_ns = axis->end_ns - axis->start_ns;
	guint64 from = 0;
	guint64 to = length_ns;

	if (!ltt_view_call_get_offset(call, "from", &from, error) ||
	    !ltt_view_call_get_offset(call, "to", &to, error))
		return FALSE;
	if (length_ns > (guint64)LTT_VIEW_MAX_EXACT)
		from = MIN(from, length_ns - 1);
	if (from >= to) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID, "to: expected more than from");
		return FALSE;
	}
	*from_ns = axis->start_ns + from;
	*to_ns = axis->start_ns + to;
	return TRUE;
}

gboolean ltt_view_call_get_filter(const LttViewCall *call, LttFilter **filter, GError **error)
{
	const char *text;

	*filter = NULL;
	if (!ltt_view_call_get_text(call, "filter", &text, error))
		return FALSE;
	if (text == NULL || *text == '\0')
		return TRUE;
	*filter = ltt_filter_new(text, error);
	return *filter != NULL;
}

gboolean ltt_view_call_get_lanes(const LttViewCall *call, GArray *lanes, GError **error)
{
	const char *text;
	g_auto(GStrv) words = NULL;

	if (!ltt_view_call_get_text(call, "lanes", &text, error))
		return FALSE;
	if (text != NULL && *text != '\0')
		words = g_strsplit(text, ",", MAX_LANES);
	for (guint i = 0; words != NULL && words[i] != NULL; i++) {
		guint64 number;
		guint lane;

		if (!g_ascii_string_to_unsigned(words[i], 10, 0, G_MAXUINT32, &number, NULL)) {
			g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
				    "lanes: expected up to %u numbers with commas between them",
				    MAX_LANES);
			return FALSE;
		}
		lane = (guint)number;
		g_array_append_val(lanes, lane);
	}
	return TRUE;
}

gboolean ltt_view_call_get_picture(const LttViewCall *call, LttViewWindow *window, GArray *lanes,
				   GError **error)
{
	guint64 n_pixels = 1000;

	*window = (LttViewWindow){.max_events = 0};
	if (!ltt_view_call_get_window(call, &window->from_ns, &window->to_ns, error) ||
	    !ltt_view_call_get_number(call, "pixels", 1, LTT_VIEW_MAX_PIXELS, &n_pixels, error) ||
	    !ltt_view_call_get_number(call, "read", 1, G_MAXUINT64, &window->max_events, error) ||
	    !ltt_view_call_get_lanes(call, lanes, error))
		return FALSE;
	window->n_pixels = (guint)n_pixels;
	return TRUE;
}

static void append_number(GString *out, gboolean is_negative, guint64 value)
{
	char digits[32];
	char *const end = digits + sizeof(digits);
	char *at = end;

	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	if (is_negative)
		*--at = '-';
	if (out->len > 0 && out->str[out->len - 1] != '[')
		*--at = ',';
	g_string_append_len(out, at, end - at);
}

void ltt_view_append_unsigned(GString *out, guint64 value)
{
	append_number(out, FALSE, value);
}

void ltt_view_append_signed(GString *out, gint64 value)
{
	append_number(out, value < 0, value < 0 ? -(guint64)value : (guint64)value);
}

gboolean ltt_view_call_is_wanted(const LttProgress *progress, gpointer data)
{
	const LttViewCall *call = data;
	const union MHD_ConnectionInfo *info = NULL;
	struct pollfd client = {.events = POLLRDHUP};

	(void)progress;
	if (g_atomic_int_get(&call->map->is_cancelled))
		return FALSE;
	if (call->connection != NULL)
		info = MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (info == NULL)
		return TRUE;
	/* Not recv(): the begin of a further request would hide the end. */
	client.fd = info->connect_fd;
	return poll(&client, 1, 0) <= 0;
}

LttStep ltt_view_next(LttMerge *merge, const LttEvent **event, GError **error)
{
	for (;;) {
		g_autoptr(GError) failure = NULL;
		const LttStep step = ltt_merge_next(merge, event, &failure);

		if (step != LTT_STEP_ERROR)
			return step;
		if (!g_error_matches(failure, LTT_ERROR, LTT_ERROR_CORRUPT)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return LTT_STEP_ERROR;
		}
		ltt_merge_skip_block(merge);
	}
}
