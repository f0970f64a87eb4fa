/* ltt-print.h - events as text, JSON lines or CSV (doc/format.md, appendix A). */
#ifndef LTT_PRINT_H
#define LTT_PRINT_H

#include <ltt/ltt-merge.h>

G_BEGIN_DECLS

typedef struct LttPrinter LttPrinter;

/* Takes @length bytes of output. Returns: FALSE with an error to end the printing. */
typedef gboolean (*LttWriteFunc)(const char *bytes, gsize length, gpointer user_data,
				 GError **error);

/* Returns: the names that ltt_printer_new() takes, in a NULL-terminated array: "text", "json",
 * "csv", and "none", which reads and prints nothing */
const char *const *ltt_printer_names(void);

/**
 * ltt_printer_new:
 * @name: one of ltt_printer_names()
 * @trace: whose events will be printed; must outlive the printer
 * @columns: (nullable): the one event type that will be printed, if there is only one: CSV then
 *   has a column for each of its fields
 * @write: gets the output in pieces of some 64 KiB
 *
 * Returns: (transfer full) (nullable): NULL: no such name
 */
LttPrinter *ltt_printer_new(const char *name, LttTrace *trace, const LttEventType *columns,
			    LttWriteFunc write, gpointer user_data);

/* How "text" shows times. */
typedef enum LttPrintTime {
	LTT_PRINT_TIME_SECONDS, /* 1050000000.144274091 */
	LTT_PRINT_TIME_DATE,    /* 2003-04-10T18:40:00.144274091+00:00, where the user is (TZ) */
	LTT_PRINT_TIME_START,   /* +0.001443077, from the start of the trace */
	LTT_PRINT_TIME_DELTA,   /* +0.000000310, from the event printed before; 0 for the first */
} LttPrintTime;

/* What of events is shown. All is borrowed; it must outlive the printer. */
typedef struct LttPrintView {
	LttPrintTime time; /* of other formats it must be LTT_PRINT_TIME_SECONDS */

	/* Globs (as those of =~, ltt-filter.h) of names, NULL at the end: of payloads that are
	 * structs only the fields that match one of them are shown. NULL: all are. */
	const char *const *fields;

	/* Of text. Fields that their description hides are left out, and those that it wants first
	 * come first (doc/format.md, 8.7). Not together with @fields. */
	gboolean is_brief;

	/* Of text. Events whose description says how they read (ltt:print) are written so; with
	 * @fields, each field as it is written there. */
	gboolean uses_print;

	/* Of text. Behind the thread of an event stands what it is called at that time, if it is
	 * known (doc/format.md, 11): comm=bash. */
	gboolean shows_names;

	/* Of text. A row of more than 32 bytes is written as <N bytes>. */
	gboolean is_short;
} LttPrintView;

/* As ltt_printer_new(). @view: (nullable): NULL: all is shown */
LttPrinter *ltt_printer_new_viewed(const char *name, LttTrace *trace, const LttEventType *columns,
				   const LttPrintView *view, LttWriteFunc write,
				   gpointer user_data);

/* Prints one event. Returns: FALSE with the error of the write function */
gboolean ltt_printer_event(LttPrinter *printer, const LttEvent *event, GError **error);

/* More threads than this are not used. */
#define LTT_MAX_PRINT_THREADS 16

/**
 * ltt_printer_merge:
 * @merge: of the trace of the printer
 * @n_threads: threads that print, the caller's included
 * @step: (out): LTT_STEP_END, or LTT_STEP_ERROR with @step_error, as ltt_merge_next() returned it.
 * After an error and ltt_merge_skip_block() this may be called again
 * @step_error: (out) (not nullable): set if @step is LTT_STEP_ERROR
 *
 * Prints the events that are left of a merge and flushes the output, which does not depend on
 * @n_threads: it is the one of ltt_printer_event() for each event. So before an error of the merge
 * all events in front of it are written. Memory is bounded. Any of the threads may call the write
 * function, but only one at a time and in the order of the output.
 *
 * Returns: FALSE with the error of the write function, or of ltt_printer_event(); nothing more can
 * be printed then, and @step is not set
 */
gboolean ltt_printer_merge(LttPrinter *printer, LttMerge *merge, guint n_threads, LttStep *step,
			   GError **step_error, GError **error);

/* Writes what is still held back. Returns: FALSE with the error of the write function */
gboolean ltt_printer_flush(LttPrinter *printer, GError **error);
void ltt_printer_free(LttPrinter *printer); /* NULL is allowed and ignored; does not flush */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPrinter, ltt_printer_free)

/* Appends @bytes as a JSON string, quotes included: "\"", "\\" and bytes below 0x20 are escaped,
 * what is not UTF-8 becomes U+FFFD. @length: -1: up to a NUL. */
void ltt_json_append_string(GString *out, const char *bytes, gssize length);

/* A running hash of a stream of events: 64-bit FNV-1a over "TIME TRACEFILE EVENT\n". Traces with
 * the same events in the same order have the same one. */
typedef struct LttDigest {
	guint64 count;
	guint64 hash;
} LttDigest;

void ltt_digest_init(LttDigest *digest);
void ltt_digest_add(LttDigest *digest, const LttEvent *event);

G_END_DECLS

#endif /* LTT_PRINT_H */
