/* ltt-time.h - times as text: seconds since 1970-01-01 UTC with up to nine decimals.
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
	LTT_TIME_ABSOLUTE,   /* "1050000000.5" */
	LTT_TIME_FROM_START, /* "+1.5": after the start of the trace */
	LTT_TIME_BEFORE_END, /* "-1.5": before its end */
} LttTimeBase;

/**
 * ltt_time_parse:
 * @text: digits, with up to nine decimals after a point; a leading sign selects the base
 * @base: (out): set on success
 * @time_ns: (out): the time or distance, set on success
 *
 * Returns: FALSE with LTT_ERROR_INVALID if @text is anything else or above LTT_MAX_TIME_NS
 */
gboolean ltt_time_parse(const char *text, LttTimeBase *base, guint64 *time_ns, GError **error);

G_END_DECLS

#endif /* LTT_TIME_H */
