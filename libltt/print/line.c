/* line.c - print an event as a line: the inner loop of a dump, except for values (fill.c).
 *
 * A small cache keeps the text between the time and the values, for each combination of event type,
 * tracefile and thread. The start of the line and the seconds of the last time are cached as text,
 * too. So for most lines the text before the values takes two copies and nine digits.
 */
#include "model/facility-priv.h"
#include "print/printer-priv.h"

#include "base/digits-priv.h"
#include "base/error-priv.h"
#include "reader/tracefile-priv.h"

#include <ltt/ltt-time.h>

/* Room for the start of a line, its time, and a middle of usual length. */
#define MIDDLE_BYTES (4 * LTT_MIDDLE_STEP)
#define LINE_ROOM    (LTT_PRINTED_FRONT_BYTES + 9 + MIDDLE_BYTES)

/* ---- the middle ---- */

static inline gboolean holds(const LttPrintedMiddle *middle, const LttEvent *event)
{
	return middle->type == event->type && middle->tracefile == event->tracefile &&
	       middle->tid == event->tid && middle->pid == event->pid &&
	       middle->has_thread == event->has_thread &&
	       event->time_ns - middle->from_ns < middle->span_ns;
}

/* Sets the time span in which the middle is valid. A thread can be renamed: then it is the span of
 * the name in the text, which ltt_printer_append_thread() has looked up. */
static void set_span(const LttPrinter *printer, LttPrintedMiddle *middle, const LttEvent *event)
{
	const LttPrintedThread *thread = &printer->threads[event->tid % LTT_PRINTER_THREADS];
	const gboolean has_name = event->has_thread && printer->names != NULL;

	middle->from_ns = has_name ? thread->span.from_ns : 0;
	middle->span_ns = has_name ? thread->span.to_ns - thread->span.from_ns : G_MAXUINT64;
}

static G_GNUC_NO_INLINE void make_middle(LttPrinter *printer, LttPrintedMiddle *middle,
					 const LttEvent *event)
{
	GString *text = g_string_new(NULL);

	middle->printed = ltt_printer_get_type(printer, event);
	printer->format->append_middle(printer, text, middle->printed,
				       ltt_printer_get_tracefile(printer, event->tracefile), event);
	middle->n_text_bytes = text->len;
	/* Copies read past the end. */
	g_string_set_size(text, MAX(text->len, MIDDLE_BYTES) + LTT_MIDDLE_STEP);
	g_free(middle->text);
	middle->text = g_string_free(text, FALSE);
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

static inline char *put_middle(char *at, const LttPrintedMiddle *middle)
{
	memcpy(at, middle->text, 2 * LTT_MIDDLE_STEP); /* of a constant size: no call */
	if (middle->n_text_bytes > 2 * LTT_MIDDLE_STEP)
		memcpy(at + 2 * LTT_MIDDLE_STEP, middle->text + 2 * LTT_MIDDLE_STEP,
		       MIDDLE_BYTES - 2 * LTT_MIDDLE_STEP);
	return at + middle->n_text_bytes;
}

/* ---- the front ---- */

/* Caches the start of a line in the second of @time_ns. */
static G_GNUC_NO_INLINE void set_second(LttPrinter *printer, guint64 time_ns)
{
	const guint64 second = time_ns / LTT_NS_PER_S;
	char *at = ltt_put_u64(g_stpcpy(printer->front, printer->format->start), second);

	*at++ = '.';
	printer->n_front_bytes = (gsize)(at - printer->front);
	printer->second_start_ns = second * LTT_NS_PER_S;
}

/* Writes the start of a line and the time. */
static inline char *put_front(LttPrinter *printer, char *at, guint64 time_ns)
{
	if (G_UNLIKELY(time_ns - printer->second_start_ns >= LTT_NS_PER_S))
		set_second(printer, time_ns);
	memcpy(at, printer->front, LTT_PRINTED_FRONT_BYTES);
	return ltt_put_9(at + printer->n_front_bytes,
			 (guint32)(time_ns - printer->second_start_ns));
}

/* The same for times in another form and middles of any length. */
static G_GNUC_NO_INLINE void add_unusual_front(LttPrinter *printer, const LttPrintedMiddle *middle,
					       guint64 time_ns)
{
	LttSink *sink = &printer->sink;

	if (printer->time == LTT_PRINT_TIME_SECONDS) {
		ltt_sink_stop(sink, put_front(printer, ltt_sink_room(sink, LINE_ROOM), time_ns));
	} else {
		ltt_sink_add(sink, printer->format->start, strlen(printer->format->start));
		ltt_printer_add_time_viewed(printer, time_ns);
	}
	ltt_sink_add(sink, middle->text, middle->n_text_bytes);
}

/* Writes the text before the values. */
static inline void add_front(LttPrinter *printer, const LttPrintedMiddle *middle, guint64 time_ns)
{
	LttSink *sink = &printer->sink;
	char *at;

	if (G_UNLIKELY(printer->time != LTT_PRINT_TIME_SECONDS ||
		       middle->n_text_bytes > MIDDLE_BYTES)) {
		add_unusual_front(printer, middle, time_ns);
		return;
	}
	at = put_front(printer, ltt_sink_room(sink, LINE_ROOM), time_ns);
	ltt_sink_stop(sink, put_middle(at, middle));
}

/* ---- the line ---- */

static inline void add_end(LttPrinter *printer)
{
	char *at = ltt_sink_room(&printer->sink, sizeof(printer->format->end));

	memcpy(at, printer->format->end, sizeof(printer->format->end));
	ltt_sink_stop(&printer->sink, at + printer->n_end_bytes);
}

/* Prints one event. The format must have a function `prepare`. */
static inline void add_line(LttPrinter *printer, const LttEvent *event)
{
	LttPrintedMiddle *middle = find_middle(printer, event);

	if (G_UNLIKELY(!holds(middle, event)))
		make_middle(printer, middle, event);
	add_front(printer, middle, event->time_ns);
	if (printer->addresses != NULL)
		ltt_print_addresses_set_event(printer->addresses, event);
	if (G_LIKELY(middle->printed->data != NULL))
		ltt_template_fill(middle->printed->data, &printer->sink, event->payload,
				  event->byte_order);
	else
		ltt_segments_fill(middle->printed->segments, &printer->sink, event);
	add_end(printer);
}

gboolean ltt_printer_events(LttPrinter *printer, const LttEvent *events, guint n_events,
			    GError **error)
{
	if (printer->format->prepare == NULL)
		return TRUE;
	for (guint i = 0; i < n_events; i++) {
		if (G_UNLIKELY(printer->columns != NULL) &&
		    !ltt_event_type_is_same(printer->columns, events[i].type))
			return ltt_fail(
				error, LTT_ERROR_INVALID,
				"%s: an event of another type or version than the columns are of",
				events[i].type->full_name);
		add_line(printer, &events[i]);
		if (G_UNLIKELY(printer->sink.error != NULL))
			return ltt_sink_check(&printer->sink, error);
	}
	return TRUE;
}

gboolean ltt_printer_event(LttPrinter *printer, const LttEvent *event, GError **error)
{
	return ltt_printer_events(printer, event, 1, error);
}
