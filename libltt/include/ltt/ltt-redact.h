/* ltt-redact.h - write a copy of a trace without chosen values, to pass it on (doc/redact.md).
 *
 *	static const char *const rules[] = {"web.request.url=hash", "*.password=empty", "processes", NULL};
 *	const LttRedaction redaction = {.rules = rules, .key = key, .key_bytes = 32};
 *	const LttRedactRequest request = {.trace = trace, .path = "copy", .redaction = &redaction};
 *	g_auto(LttRedactSummary) summary = {0};
 *
 *	if (!ltt_redact(&request, &summary, &error))
 *		puts(error->message);
 *
 * Each event is decoded and written again. The copy therefore has no byte of a redacted value in
 * the padding of blocks or in damaged blocks. Times, threads and the order of events do not change.
 */
#ifndef LTT_REDACT_H
#define LTT_REDACT_H

#include <ltt/ltt-archive.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* The least size of a key. */
#define LTT_MIN_REDACT_KEY_BYTES 16

/* What to redact. */
typedef struct LttRedaction {
	/* Ends with NULL. Each is one of
	 *   PATTERN=hash   replaces values by their hash
	 *   PATTERN=empty  replaces numbers by 0, strings and sequences by empty ones
	 *   processes      leaves out the names and parents of processes, and the names of threads,
	 *                  where they are known to be; counts others as LTT_REDACT_KEPT
	 *   host           leaves out the description of the machine
	 * PATTERN is a pattern of =~ (ltt-filter.h) for FACILITY.EVENT.FIELD. A match of a struct, a
	 * union or an array redacts all values inside. PATTERN=empty precedes PATTERN=hash */
	const char *const *rules;
	/* The key of hashes, HMAC with SHA-256: at least LTT_MIN_REDACT_KEY_BYTES. Equal values have equal
	 * hashes in all traces with the same key. NULL: none, which PATTERN=hash does not permit */
	const guint8 *key;
	gsize key_bytes;
} LttRedaction;

typedef enum LttRedactHow {
	LTT_REDACT_HASHED,
	LTT_REDACT_EMPTIED,
	LTT_REDACT_LEFT_OUT,
	LTT_REDACT_KEPT, /* the rule processes does not remove them, but they equal names of
			  * processes, or are paths of files with such a name */
} LttRedactHow;

/* How often something was redacted. */
typedef struct LttRedactCount {
	char *what; /* "web.request.url"; LEFT_OUT: "tracer.process_start", "bookmarks",
		     * "system.node_name" */
	LttRedactHow how;
	guint64 n; /* values; LEFT_OUT: events, bookmarks, attributes */
} LttRedactCount;

/* What to write, and where to. The call borrows everything. */
typedef struct LttRedactRequest {
	LttTrace *trace;
	const char *path; /* directory to create; must not exist */
	const LttRedaction *redaction;
	LttJobCallbacks callbacks; /* problems: damaged blocks, which are left out; progress in
				    * blocks */
} LttRedactRequest;

typedef struct LttRedactSummary {
	GPtrArray *counts;    /* of LttRedactCount, sorted by what */
	guint64 n_unwritable; /* events left out because they do not fit a block, or no time value can
			       * represent their times */
} LttRedactSummary;

void ltt_redact_summary_clear(LttRedactSummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttRedactSummary, ltt_redact_summary_clear)

/* Returns: (transfer full): a line for each count, "web.request.url: 40 hashed\n" */
char *ltt_redact_summary_print(const LttRedactSummary *summary);

/**
 * ltt_redact:
 * @summary: (out) (optional): set on success; clear it
 *
 * Writes the copy. It has no bookmarks, no free text in info/system.xml, no files that do not belong to
 * a trace, and no bookkeeping facilities of importers, whose events repeat values of others. The counts
 * become the text of info/system.xml.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_INVALID  a rule is malformed or matches no field, or the key is missing or too short
 *   LTT_ERROR_EXISTS   the path already exists
 *   LTT_ERROR_IO       reading or writing failed
 *   LTT_ERROR_LIMIT    the types have too many fields, or out of memory for a block
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_redact(const LttRedactRequest *request, LttRedactSummary *summary, GError **error);

/**
 * ltt_pack_redacted:
 * @summary: (out) (optional): set on success; clear it
 *
 * As ltt_pack(), with a redacted copy of the trace. The copy is in a temporary directory (in TMPDIR)
 * meanwhile. Problems are those of the trace, too.
 *
 * Returns: FALSE with an error of ltt_trace_open(), ltt_redact() or ltt_pack()
 */
gboolean ltt_pack_redacted(const LttPackRequest *request, const LttRedaction *redaction,
			   LttRedactSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_REDACT_H */
