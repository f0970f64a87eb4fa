/* tracepoint-format-priv.h - the recorded formats of tracepoints. */
#ifndef LTT_FORMATS_PERF_FILE_TRACEPOINT_FORMAT_PRIV_H
#define LTT_FORMATS_PERF_FILE_TRACEPOINT_FORMAT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/tracepoint-format-priv.h is private to libltt"
#endif

#include "base/window-priv.h"
#include "formats/perf/file/arena-priv.h"

/* A tracepoint. All is owned by the arena it was read with. */
typedef struct LttPerfFormat {
	const char *system; /* "sched" */
	const char *name;   /* "sched_switch" */
	guint64 id;
	const LttPerfField *fields; /* places in the raw bytes */
	guint n_fields;
	const char *print; /* text after "print fmt:"; NULL: none */
} LttPerfFormat;

/**
 * ltt_perf_format_parse:
 * @text: contents of events/SYSTEM/NAME/format in tracefs; need not end with NUL
 * @long_bytes: of the recorded machine
 *
 * Lines that are no field are passed over; so are fields that lie beyond 64 KiB, and those behind
 * the first 512.
 *
 * Returns: FALSE if the text has no name or no id
 */
gboolean ltt_perf_format_parse(LttPerfArena *arena, const char *text, gsize length,
			       guint long_bytes, LttPerfFormat *format);

/* Contents of the tracing data other than formats. */
typedef struct LttPerfTracing {
	char *version; /* "0.6"; owned by the arena */
	gboolean is_big_endian;
	guint long_bytes;
	guint page_bytes;
	guint n_systems;
	GArray *formats; /* of LttPerfFormat */
} LttPerfTracing;

/**
 * ltt_perf_tracing_read:
 * @place, @size: of the tracing data in @window
 * @tracing: filled as far as reading goes; its formats are to be freed by the caller, whatever the
 * outcome
 * @fault_at: (out): on FALSE, the byte in the file that is wrong
 *
 * Returns: FALSE with LTT_ERROR_CORRUPT or LTT_ERROR_IO
 */
gboolean ltt_perf_tracing_read(LttWindow *window, guint64 place, guint64 size, LttPerfArena *arena,
			       LttPerfTracing *tracing, guint64 *fault_at, GError **error);

#endif
