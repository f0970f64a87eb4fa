/* ltt-print.h - print events as text, JSON lines or CSV (doc/format.md, appendix A). */
#ifndef LTT_PRINT_H
#define LTT_PRINT_H

#include <ltt/ltt-merge.h>
#include <ltt/ltt-symbols.h>
#include <ltt/ltt-table.h>

G_BEGIN_DECLS

typedef struct LttPrinter LttPrinter;

/* Takes @length bytes of output. Returns: FALSE with an error to end the printing. */
typedef gboolean (*LttWriteFunc)(const char *bytes, gsize length, gpointer user_data,
				 GError **error);

/* Returns: the names that ltt_printer_new() takes, in a NULL-terminated array: "text", "json",
 * "csv", and "none", which prints nothing */
const char *const *ltt_printer_names(void);

/**
 * ltt_printer_new:
 * @name: one of ltt_printer_names()
 * @trace: the trace whose events will be printed; must outlive the printer
 * @columns: (nullable): the only event type that will be printed: CSV has a column for each of its
 *   fields. NULL: events of any type
 * @write: called with the output in pieces of about 64 KiB
 *
 * Returns: (transfer full) (nullable): NULL if there is no such name
 */
LttPrinter *ltt_printer_new(const char *name, LttTrace *trace, const LttEventType *columns,
			    LttWriteFunc write, gpointer user_data);

/* How the text format shows times. */
typedef enum LttPrintTime {
	LTT_PRINT_TIME_SECONDS, /* 1050000000.144274091 */
	LTT_PRINT_TIME_DATE,  /* 2003-04-10T18:40:00.144274091+00:00, in the local time zone (TZ) */
	LTT_PRINT_TIME_START, /* +0.001443077, from the start of the trace */
	LTT_PRINT_TIME_DELTA, /* +0.000000310, from the preceding line; 0 in the first */
} LttPrintTime;

/* Which parts of events are printed, and how. Borrowed; must outlive the printer. */
typedef struct LttPrintView {
	LttPrintTime time; /* LTT_PRINT_TIME_SECONDS in formats other than text */

	/* Globs of field names, with the syntax of =~ (ltt-filter.h), NULL-terminated. Of a payload
	 * that is a struct only fields that match one of them are printed. NULL: all fields. */
	const char *const *fields;

	/* Text only: omit the fields that their description hides, and print those that it marks
	 * as first before the others (doc/format.md, 8.7). Not together with @fields. */
	gboolean is_brief;

	/* Text only: print events by the print expression of their description (ltt:print); with
	 * @fields, print each field as the expression does. */
	gboolean uses_print;

	/* Text only: after the thread of an event print the thread's name at that time, if it is
	 * known (doc/format.md, 11): comm=bash. */
	gboolean shows_names;

	/* Text only: print an array of more than 32 bytes as <N bytes>. */
	gboolean is_short;

	/* (nullable): Text only: after an address in code (doc/format.md, 8.7) print the name of its
	 * function: caller=0x55f0c1a0115b (main+0x1b). NULL: print the addresses only. */
	LttSymbols *symbols;
} LttPrintView;

/* Like ltt_printer_new(). @view: (nullable): NULL: print all fields in the default way */
LttPrinter *ltt_printer_new_viewed(const char *name, LttTrace *trace, const LttEventType *columns,
				   const LttPrintView *view, LttWriteFunc write,
				   gpointer user_data);

/* Prints one event. Returns: FALSE with the error of the write function */
gboolean ltt_printer_event(LttPrinter *printer, const LttEvent *event, GError **error);

/* Maximum number of threads of ltt_printer_merge(). */
#define LTT_MAX_PRINT_THREADS 16

/**
 * ltt_printer_merge:
 * @merge: a merge of the printer's trace
 * @n_threads: number of threads that print, including the caller's
 * @step: (out): LTT_STEP_END, or LTT_STEP_ERROR with @step_error, as ltt_merge_next() returned it.
 *   After an error and ltt_merge_skip_block() this function may be called again
 * @step_error: (out) (not nullable): set if @step is LTT_STEP_ERROR
 *
 * Prints the remaining events of a merge and flushes the output. The output does not depend on
 * @n_threads: it is that of ltt_printer_event() for each event. If the merge fails, all events
 * before the error are written first. Memory is bounded. @write may be called by any of the threads,
 * but only by one at a time and in the order of the output.
 *
 * Returns: FALSE with the error of the write function or of ltt_printer_event(). Nothing more can
 *   be printed then, and @step is not set
 */
gboolean ltt_printer_merge(LttPrinter *printer, LttMerge *merge, guint n_threads, LttStep *step,
			   GError **step_error, GError **error);

/* Prints the payload of an event alone, without a line feed: the value of "data". Only for a printer
 * of "json". Returns: FALSE with the error of the write function */
gboolean ltt_printer_data(LttPrinter *printer, const LttEvent *event, GError **error);

/* Writes all buffered output. Returns: FALSE with the error of the write function */
gboolean ltt_printer_flush(LttPrinter *printer, GError **error);
void ltt_printer_free(LttPrinter *printer); /* NULL is allowed and ignored; does not flush */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPrinter, ltt_printer_free)

/* Appends @bytes as a JSON string with quotes. Escapes "\"", "\\" and bytes below 0x20, and replaces
 * invalid UTF-8 by U+FFFD. @length: -1 if @bytes is NUL-terminated */
void ltt_json_append_string(GString *out, const char *bytes, gssize length);

/* Appends value @i of an array of a table as JSON (doc/format.md, appendix A). A null is "null", and
 * a number of an enum without a label a number. A time is a number of nanoseconds. */
void ltt_json_append_value(GString *out, const LttArray *array, gsize i);

/* The same, but stops when @out is longer than @max_bytes: a value may be larger than memory as text.
 * Returns: FALSE if it stopped; then @out ends with a part of the value, and is at most 6 times @max_bytes and some
 *   bytes long */
gboolean ltt_json_append_value_within(GString *out, const LttArray *array, gsize i,
				      gsize max_bytes);

/* A running hash of a stream of events: 64-bit FNV-1a over "TIME TRACEFILE EVENT\n" of each. Traces
 * with the same events in the same order have the same hash. */
typedef struct LttDigest {
	guint64 count;
	guint64 hash;
} LttDigest;

void ltt_digest_init(LttDigest *digest);
void ltt_digest_add(LttDigest *digest, const LttEvent *event);

G_END_DECLS

#endif /* LTT_PRINT_H */
