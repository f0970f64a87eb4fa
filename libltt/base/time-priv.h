/* time-priv.h - times as files have them. */
#ifndef LTT_BASE_TIME_PRIV_H
#define LTT_BASE_TIME_PRIV_H

#ifndef LTT_BUILDING
#error "base/time-priv.h is private to libltt; use <ltt/ltt-time.h>"
#endif

#include <ltt/ltt-time.h>

/* Parses "1050000000.5": seconds since 1970 with up to nine decimals, and nothing else. */
gboolean ltt_time_parse_seconds(const char *text, guint64 *time_ns);

#endif
