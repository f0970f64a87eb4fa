/* tracepoint-format-priv.h - the formats of tracepoints in a recording. */
#ifndef LTT_FORMATS_PERF_FILE_TRACEPOINT_FORMAT_PRIV_H
#define LTT_FORMATS_PERF_FILE_TRACEPOINT_FORMAT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/tracepoint-format-priv.h is private to libltt"
#endif

#include "base/window-priv.h"
#include "formats/perf/file/arena-priv.h"

/* The format of a tracepoint. The arena owns its members. */
typedef struct LttPerfFormat {
	const char *system; /* "sched" */
	const char *name;   /* "sched_switch" */
	guint64 id;
	const LttPerfField *fields; /* with their places in the raw bytes */
	guint n_fields;
	const char *print; /* text after "print fmt:"; NULL: none */
} LttPerfFormat;

/**
 * ltt_perf_format_parse:
 * @text: contents of events/SYSTEM/NAME/format in tracefs; need not be terminated by NUL
 * @long_bytes: size of the type long on the recorded machine
 *
 * Skips lines that do not describe a field, fields beyond the first 64 KiB of the raw bytes, and
 * fields after the first 512.
 *
 * Returns: FALSE if the text has no name or no id
 */
gboolean ltt_perf_format_parse(LttPerfArena *arena, const char *text, gsize length,
			       guint long_bytes, LttPerfFormat *format);

/* Contents of the tracing data. */
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
 * @place: offset of the tracing data in @window
 * @size: size of the tracing data
 * @tracing: (out): on failure, it has the contents before the error. The caller frees its formats,
 *   even on failure
 * @fault_at: (out): on failure, the file offset of the error
 *
 * Returns: FALSE with LTT_ERROR_CORRUPT or LTT_ERROR_IO
 */
gboolean ltt_perf_tracing_read(LttWindow *window, guint64 place, guint64 size, LttPerfArena *arena,
			       LttPerfTracing *tracing, guint64 *fault_at, GError **error);

#endif
