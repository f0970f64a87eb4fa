/* printer-priv.h - the common part of the output formats.
 *
 * A format is a table of functions (LttPrinterFormat); printer.c lists the formats. Text that all
 * events of a type, or of a tracefile, have in common is made at the first such event.
 */
#ifndef LTT_PRINT_PRINTER_PRIV_H
#define LTT_PRINT_PRINTER_PRIV_H

#ifndef LTT_BUILDING
#error "print/printer-priv.h is private to libltt; use <ltt/ltt-print.h>"
#endif

#include "base/sink-priv.h"

#include "print/segments-priv.h"
#include "reader/thread-names-priv.h"

#include <ltt/ltt-print.h>

/* Longest start of a line with the seconds of a time. */
#define LTT_PRINTED_FRONT_BYTES 48

/* An event type, ready to be printed. */
typedef struct LttPrintedType {
	const LttEventType *type;
	GString *head;         /* the text of its name */
	LttTemplate *data;     /* prints its values; NULL: segments does */
	LttSegments *segments; /* NULL: data prints the values */
} LttPrintedType;

/*
 * A line, in every format:
 *
 *	{"time":"  1050000000.001640421  ","tracefile":"cpu/0","event":"a.b","data":  {...}   }\n
 *	start      time                  middle                                       values  end
 */
typedef struct LttPrinterFormat {
	const char *name;
	const char *start;
	char end[4];

	/* Writes the text before the first event. NULL: there is none. */
	void (*begin)(LttPrinter *printer);

	/* Fills in @printed for events like @event. NULL: the format prints nothing. */
	void (*prepare)(LttPrinter *printer, LttPrintedType *printed, const LttEvent *event);

	/* Makes the text between the time and the name of the event. */
	void (*prepare_tracefile)(const LttPrinter *printer, GString *text,
				  const LttTracefile *tracefile);

	/* Appends the text between the time and the values. It must only depend on the type, the
	 * tracefile and the thread of the event. */
	void (*append_middle)(LttPrinter *printer, GString *text, const LttPrintedType *printed,
			      const GString *tracefile, const LttEvent *event);
} LttPrinterFormat;

extern const LttPrinterFormat ltt_print_text;
extern const LttPrinterFormat ltt_print_json;
extern const LttPrinterFormat ltt_print_csv;
extern const LttPrinterFormat ltt_print_none;

/* The cached middle of a line, and the events for which it is valid. */
typedef struct LttPrintedMiddle {
	const LttEventType *type; /* NULL: none yet */
	const LttTracefile *tracefile;
	gboolean has_thread;
	guint32 pid;
	guint32 tid;
	guint64 from_ns; /* with names of threads: while the thread has this one */
	guint64 span_ns;
	const LttPrintedType *printed;
	char *text; /* owned; some bytes after it may be read; NULL: not made yet */
	gsize n_text_bytes;
} LttPrintedMiddle;

#define LTT_PRINTER_MIDDLES 64

/* Middles are copied by this many bytes. */
#define LTT_MIDDLE_STEP 32

/* The text of a process and one of its threads, with labels. */
typedef struct LttPrintedThread {
	guint32 pid;
	guint32 tid;
	gsize length; /* 0: none */
	guint host;
	LttNameSpan span; /* with names: the time for which the text is valid */
	char text[128];
} LttPrintedThread;

#define LTT_PRINTER_THREADS 16

struct LttPrinter {
	const LttPrinterFormat *format;
	gsize n_end_bytes; /* of format->end */
	LttTrace *trace;
	const LttEventType *columns; /* the only type of events; NULL: any type */
	gboolean has_threads;
	LttPrintTime time;
	GTimeZone *zone;   /* of dates; NULL: times are not dates */
	GPtrArray *fields; /* of LttGlob: the fields to print; NULL: all */
	gboolean is_brief; /* as in LttPrintView */
	gboolean uses_print;
	gboolean is_short;
	const LttThreadNames *names;  /* of threads; NULL: not printed */
	LttPrintAddresses *addresses; /* owned; NULL: addresses are not named */
	guint64 time_base_ns;         /* START and DELTA: the time that is subtracted */
	gboolean has_base;
	LttSink sink;
	GHashTable *types;       /* (const LttEventType *) to LttPrintedType, owned */
	GPtrArray *tracefiles;   /* GString by index of the tracefile; NULL: not seen yet */
	guint64 second_start_ns; /* the second of the last time */
	char front
		[LTT_PRINTED_FRONT_BYTES]; /* the start of a line in that second, with the point */
	gsize n_front_bytes;
	LttPrintedMiddle middles[LTT_PRINTER_MIDDLES]; /* a direct-mapped cache */
	LttPrintedThread threads[LTT_PRINTER_THREADS]; /* a direct-mapped cache, by tid */
};

/* Like ltt_printer_new(), but does not write the text before the first event. */
LttPrinter *ltt_printer_new_bare(const char *name, LttTrace *trace, LttWriteFunc write,
				 gpointer user_data);

/* Returns: (transfer full): a printer for another thread, with the settings of @printer and without
 * a sink, which the caller sets */
LttPrinter *ltt_printer_dup(const LttPrinter *printer);

/* Prints events as ltt_printer_event() does each. */
gboolean ltt_printer_events(LttPrinter *printer, const LttEvent *events, guint n_events,
			    GError **error);

/* Sets the base of times of LTT_PRINT_TIME_START to the start of the trace. */
void ltt_printer_need_base(LttPrinter *printer);

/* Sets the only event type of the following events. All events of the printer must follow such a
 * call. @begin: whether to write the text before the first event of a file */
void ltt_printer_set_columns(LttPrinter *printer, const LttEventType *columns, gboolean begin);

/* Writes the time of an event in a form other than LTT_PRINT_TIME_SECONDS. */
void ltt_printer_add_time_viewed(LttPrinter *printer, guint64 time_ns);

/* Must be called before the first event. */
void ltt_printer_set_view(LttPrinter *printer, const LttPrintView *view);

/* Returns: which members of a payload to print; valid as long as @printer */
LttChoice ltt_printer_get_choice(const LttPrinter *printer);

/* Returns: whether fields of that name are printed */
gboolean ltt_printer_has_field(const LttPrinter *printer, const char *name);

/* Appends the process and the thread of an event that has them. The labels precede them: at most 12
 * bytes each, the same for all events. */
void ltt_printer_append_thread(LttPrinter *printer, GString *text, const char *pid_label,
			       const char *tid_label, const LttEvent *event);

/* Returns: (transfer none): the texts of an event type; made at its first event */
const LttPrintedType *ltt_printer_get_type(LttPrinter *printer, const LttEvent *event);

/* Returns: (nullable): the machine of a tracefile; NULL: the trace has events of one machine only */
const char *ltt_printer_get_host(const LttPrinter *printer, const LttTracefile *tracefile);

/* Returns: (transfer none): the text of a tracefile; made at its first event */
const GString *ltt_printer_get_tracefile(LttPrinter *printer, const LttTracefile *tracefile);

#endif
