/* printer-priv.h - what the output formats of events share.
 *
 * A format is a row of functions (LttPrinterFormat); the table of them is in printer.c. What all
 * events of a type, or of a tracefile, have in common is made ready when the first of them comes.
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
	GString *head;         /* its name, and what else stands before its values */
	LttTemplate *data;     /* its values; NULL: segments has them */
	LttSegments *segments; /* NULL: data has them */
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

	/* Writes what comes before the first event. NULL: nothing does. */
	void (*begin)(LttPrinter *printer);

	/* Fills in @printed for events like @event. NULL: the format prints nothing. */
	void (*prepare)(LttPrinter *printer, LttPrintedType *printed, const LttEvent *event);

	/* What stands between the time and the event's name, for one tracefile. */
	void (*prepare_tracefile)(GString *text, const LttTracefile *tracefile);

	/* Appends the text between the time and the values. It must depend on nothing but the type,
	 * the tracefile and the thread of the event. */
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
	char *text; /* owned; some bytes behind it may be read; NULL: not made yet */
	gsize n_text_bytes;
} LttPrintedMiddle;

#define LTT_PRINTER_MIDDLES 64

/* Middles are copied by this many bytes. */
#define LTT_MIDDLE_STEP 32

/* A process and a thread of it, with the labels in front. */
typedef struct LttPrintedThread {
	guint32 pid;
	guint32 tid;
	gsize length; /* 0: none */
	const LttTrace *trace;
	LttNameSpan span; /* with names: when the text holds */
	char text[128];
} LttPrintedThread;

#define LTT_PRINTER_THREADS 16

struct LttPrinter {
	const LttPrinterFormat *format;
	gsize n_end_bytes; /* of format->end */
	LttTrace *trace;
	const LttEventType *columns; /* NULL: events of any type come */
	gboolean has_threads;
	LttPrintTime time;
	GPtrArray *fields; /* of LttGlob: those that are shown; NULL: all are */
	gboolean is_brief; /* as in LttPrintView */
	gboolean uses_print;
	gboolean is_short;
	const LttThreadNames *names; /* of threads; NULL: they are not shown */
	guint64 time_base_ns;        /* START and DELTA: what times count from */
	gboolean has_base;
	LttSink sink;
	GHashTable *types;       /* (const LttEventType *) to LttPrintedType, owned */
	GPtrArray *tracefiles;   /* GString by index of the tracefile; NULL: not seen yet */
	guint64 second_start_ns; /* the second of the last time */
	char front
		[LTT_PRINTED_FRONT_BYTES]; /* the start of a line in that second, with the point */
	gsize n_front_bytes;
	LttPrintedMiddle middles[LTT_PRINTER_MIDDLES]; /* a direct-mapped cache */
	LttPrintedThread threads[LTT_PRINTER_THREADS]; /* the last ones, by the tid's low bits */
};

/* As ltt_printer_new(), but for what comes before the first event. */
LttPrinter *ltt_printer_new_bare(const char *name, LttTrace *trace, LttWriteFunc write,
				 gpointer user_data);

/* Returns: (transfer full): a printer that prints as @printer does, into nothing: its sink is to be
 * set. For another thread */
LttPrinter *ltt_printer_dup(const LttPrinter *printer);

/* Prints events as ltt_printer_event() does each. */
gboolean ltt_printer_events(LttPrinter *printer, const LttEvent *events, guint n_events,
			    GError **error);

/* Finds out what times of LTT_PRINT_TIME_START count from. */
void ltt_printer_need_base(LttPrinter *printer);

/* Changes the one event type that comes from now on. For a printer that is bare, or all of whose
 * events came after such a change. @begin: writes what comes before the first event of a file */
void ltt_printer_set_columns(LttPrinter *printer, const LttEventType *columns, gboolean begin);

/* Writes the time of an event in a form other than LTT_PRINT_TIME_SECONDS. */
void ltt_printer_add_time_viewed(LttPrinter *printer, guint64 time_ns);

/* For a printer that has printed nothing. */
void ltt_printer_set_view(LttPrinter *printer, const LttPrintView *view);

/* Returns: which members of a payload were asked for; valid as long as @printer */
LttChoice ltt_printer_get_choice(const LttPrinter *printer);

/* Whether a field of that name is among those that were asked for. */
gboolean ltt_printer_has_field(const LttPrinter *printer, const char *name);

/* Appends the process and the thread of an event that has them, each behind its label, which is the
 * same for all events and at most 12 bytes long. */
void ltt_printer_append_thread(LttPrinter *printer, GString *text, const char *pid_label,
			       const char *tid_label, const LttEvent *event);

/* Returns: (transfer none): the texts of an event type; made at its first event */
const LttPrintedType *ltt_printer_get_type(LttPrinter *printer, const LttEvent *event);

/* Returns: (transfer none): the text of a tracefile; made at its first event */
const GString *ltt_printer_get_tracefile(LttPrinter *printer, const LttTracefile *tracefile);

#endif
