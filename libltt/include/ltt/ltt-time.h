/* ltt-time.h - times as text: seconds since 1970-01-01 UTC with up to nine decimals, and the other
 * forms that users write.
 *
 * Inside the library a time is a guint64 of nanoseconds since 1970-01-01 UTC, at most LTT_MAX_TIME_NS.
 */
#ifndef LTT_TIME_H
#define LTT_TIME_H

#include <glib.h>

G_BEGIN_DECLS

#define LTT_NS_PER_S    1000000000U
#define LTT_MAX_TIME_NS ((guint64)G_MAXINT64)

/* Maximum bytes that ltt_time_format() writes, including the final NUL. */
#define LTT_TIME_TEXT_BYTES 24

/**
 * ltt_time_format:
 * @text: room for LTT_TIME_TEXT_BYTES
 *
 * Writes "SECONDS.NNNNNNNNN", always nine decimals.
 *
 * Returns: the number of bytes written, without the NUL
 */
gsize ltt_time_format(guint64 time_ns, char *text);

/* The instant that a time given by a user is relative to. */
typedef enum LttTimeBase {
	LTT_TIME_ABSOLUTE,   /* "1050000000.5", "2003-04-10T18:40:00.5" */
	LTT_TIME_FROM_START, /* "+1.5", "+1500ms": after the start of the trace */
	LTT_TIME_BEFORE_END, /* "-1.5": before its end */
	LTT_TIME_OF_DAY, /* "18:40:00.5": after midnight of the trace's day, in the local zone */
} LttTimeBase;

/**
 * ltt_time_parse:
 * @text: a number of seconds with up to nine decimals, or with one of the units ns, us, ms, s, m and
 *   h; a leading sign selects the base. Or a date, "2003-04-10", with a time after T or a space and
 *   a zone as in "2003-04-10T18:40:00.5+02:00" or "...Z", which `ltt dump --time date` prints;
 *   without a zone it is in the local zone. Or a time of a day, HH:MM:SS, with up to nine decimals
 * @base: (out): set on success
 * @time_ns: (out): the time or distance, set on success
 *
 * ltt_select_set_window_text() (ltt-select.h) applies it to a trace.
 *
 * Returns: FALSE with LTT_ERROR_INVALID if @text is anything else or above LTT_MAX_TIME_NS
 */
gboolean ltt_time_parse(const char *text, LttTimeBase *base, guint64 *time_ns, GError **error);

/**
 * ltt_duration_parse:
 * @text: a number with one of the units ns, us, ms, s, m and h, such as "1.5ms"
 * @plain_ns: what a number without a unit counts, such as LTT_NS_PER_S; 0: the unit is needed
 * @ns: (out): set on success
 *
 * Returns: FALSE with LTT_ERROR_INVALID if @text is anything else or above LTT_MAX_TIME_NS
 */
gboolean ltt_duration_parse(const char *text, guint64 plain_ns, guint64 *ns, GError **error);

/* Returns: (transfer full): a duration with three digits and the largest unit that needs no fraction below 1: "0 ns",
 *   "13.4 us", "1.00 ms", "482 ms"; above 1000 s with all digits, "3600 s". Free it with g_free() */
char *ltt_duration_to_string(guint64 ns);

G_END_DECLS

#endif /* LTT_TIME_H */
