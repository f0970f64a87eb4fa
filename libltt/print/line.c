/* line.c - print an event as a line: the inner loop of a dump, except for values (fill.c).
 *
 * A small cache keeps the text between the time and the values, for each combination of event type,
 * tracefile and thread. The seconds of the last time are cached as text, too. So the front of most
 * lines takes two copies and nine digits.
 */
#include "print/printer-priv.h"

#include "base/digits-priv.h"
#include "base/error-priv.h"
#include "reader/tracefile-priv.h"

#include <ltt/ltt-time.h>

/* Room for the start of a line, its time, and a middle of usual length. */
#define MIDDLE_BYTES 256
#define LINE_ROOM    (16 + LTT_PRINTED_TIME_BYTES + 9 + MIDDLE_BYTES)

/* ---- the middle ---- */

static gboolean holds(const LttPrintedMiddle *middle, const LttEvent *event)
{
	return middle->type == event->type && middle->tracefile == event->tracefile &&
	       middle->tid == event->tid && middle->pid == event->pid &&
	       middle->has_thread == event->has_thread &&
	       event->time_ns - middle->from_ns < middle->to_ns - middle->from_ns;
}

/* Sets the time span in which the middle is valid. A thread can be renamed: then it is the span of
 * the name in the text, which ltt_printer_append_thread() has looked up. */
static void set_span(const LttPrinter *printer, LttPrintedMiddle *middle, const LttEvent *event)
{
	const LttPrintedThread *thread = &printer->threads[event->tid % LTT_PRINTER_THREADS];
	const gboolean has_name = event->has_thread && printer->names != NULL;

	middle->from_ns = has_name ? thread->span.from_ns : 0;
	middle->to_ns = has_name ? thread->span.to_ns : G_MAXUINT64;
}

static void make_middle(LttPrinter *printer, LttPrintedMiddle *middle, const LttEvent *event)
{
	GString *text = middle->text != NULL ? middle->text : g_string_new(NULL);
	gsize length;

	middle->printed = ltt_printer_get_type(printer, event);
	g_string_truncate(text, 0);
	printer->format->append_middle(printer, text, middle->printed,
				       ltt_printer_get_tracefile(printer, event->tracefile), event);
	/* Copies read behind the end, up to a multiple of LTT_MIDDLE_STEP. */
	length = text->len;
	g_string_set_size(text, length + LTT_MIDDLE_STEP);
	memset(text->str + length, 0, LTT_MIDDLE_STEP);
	g_string_truncate(text, length);
	middle->text = text;
	middle->type = event->type;
	middle->tracefile = event->tracefile;
	middle->has_thread = event->has_thread;
	middle->pid = event->pid;
	middle->tid = event->tid;
	set_span(printer, middle, event);
}

static inline LttPrintedMiddle *find_middle(LttPrinter *printer, const LttEvent *event)
{
	const gsize place = ((gsize)event->type >> 5) + ((gsize)event->tracefile >> 5) + event->tid;

	return &printer->middles[place % LTT_PRINTER_MIDDLES];
}

/* ---- the line ---- */

static G_GNUC_NO_INLINE void set_second(LttPrinter *printer, guint64 time_ns)
{
	const guint64 second = time_ns / LTT_NS_PER_S;
	char *at = ltt_put_u64(printer->second, second);

	*at++ = '.';
	printer->second_length = (gsize)(at - printer->second);
	printer->second_start_ns = second * LTT_NS_PER_S;
}

static inline char *put_time(LttPrinter *printer, char *at, guint64 time_ns)
{
	if (G_UNLIKELY(time_ns - printer->second_start_ns >= LTT_NS_PER_S))
		set_second(printer, time_ns);
	memcpy(at, printer->second, LTT_PRINTED_TIME_BYTES); /* of a constant size: no call */
	return ltt_put_9(at + printer->second_length,
			 (guint32)(time_ns - printer->second_start_ns));
}

/* Writes everything in front of the values. */
static inline void add_front(LttPrinter *printer, const GString *middle, guint64 time_ns)
{
	LttSink *sink = &printer->sink;
	char *at = ltt_sink_room(sink, LINE_ROOM);

	memcpy(at, printer->format->start, sizeof(printer->format->start));
	at += printer->start_length;
	if (G_LIKELY(printer->time == LTT_PRINT_TIME_SECONDS)) {
		at = put_time(printer, at, time_ns);
	} else {
		ltt_sink_stop(sink, at);
		ltt_printer_add_time_viewed(printer, time_ns);
		at = ltt_sink_room(sink, LINE_ROOM);
	}
	if (G_UNLIKELY(middle->len > MIDDLE_BYTES)) {
		ltt_sink_stop(sink, at);
		ltt_sink_add(sink, middle->str, middle->len);
		return;
	}
	for (gsize i = 0; i < middle->len; i += LTT_MIDDLE_STEP)
		memcpy(at + i, middle->str + i, LTT_MIDDLE_STEP);
	ltt_sink_stop(sink, at + middle->len);
}

static inline void add_end(LttPrinter *printer)
{
	char *at = ltt_sink_room(&printer->sink, sizeof(printer->format->end));

	memcpy(at, printer->format->end, sizeof(printer->format->end));
	ltt_sink_stop(&printer->sink, at + printer->end_length);
}

gboolean ltt_printer_event(LttPrinter *printer, const LttEvent *event, GError **error)
{
	LttPrintedMiddle *middle;
	const LttPrintedType *printed;

	if (printer->format->prepare == NULL)
		return TRUE;
	if (printer->columns != NULL && !ltt_event_type_is_same(printer->columns, event->type))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: an event of another type or version than the columns are of",
				event->type->full_name);
	middle = find_middle(printer, event);
	if (G_UNLIKELY(!holds(middle, event)))
		make_middle(printer, middle, event);
	printed = middle->printed;
	add_front(printer, middle->text, event->time_ns);
	if (G_LIKELY(printed->data != NULL))
		ltt_template_fill(printed->data, &printer->sink, event->payload, event->byte_order);
	else
		ltt_segments_fill(printed->segments, &printer->sink, event);
	add_end(printer);
	return G_LIKELY(printer->sink.error == NULL) || ltt_sink_check(&printer->sink, error);
}
