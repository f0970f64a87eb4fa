/* printer.c - events out, in one of the formats of a table.
 *
 * Event types, tracefiles and threads are few and come again and again, so their texts are made
 * once. line.c puts them together.
 */
#include "print/printer-priv.h"

#include "base/digits-priv.h"
#include "reader/tracefile-priv.h"

static const LttPrinterFormat *const formats[] = {
	&ltt_print_text,
	&ltt_print_json,
	&ltt_print_csv,
	&ltt_print_none,
};

const LttPrinterFormat ltt_print_none = {.name = "none"};

const char *const *ltt_printer_names(void)
{
	static const char *names[G_N_ELEMENTS(formats) + 1];
	static gsize ready;

	if (g_once_init_enter(&ready)) {
		for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
			names[i] = formats[i]->name;
		g_once_init_leave(&ready, 1);
	}
	return names;
}

static const LttPrinterFormat *find_format(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		if (g_str_equal(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static void free_printed_type(gpointer data)
{
	LttPrintedType *printed = data;

	g_string_free(printed->head, TRUE);
	ltt_template_free(printed->data);
	ltt_segments_free(printed->segments);
	g_free(printed);
}

static void free_string(gpointer data)
{
	if (data != NULL)
		g_string_free(data, TRUE);
}

LttPrinter *ltt_printer_new_bare(const char *name, LttTrace *trace, LttWriteFunc write,
				 gpointer user_data)
{
	const LttPrinterFormat *format = find_format(name);
	LttPrinter *printer;

	if (format == NULL)
		return NULL;
	printer = g_new0(LttPrinter, 1);
	printer->format = format;
	printer->n_end_bytes = strlen(format->end);
	printer->n_front_bytes =
		(gsize)g_snprintf(printer->front, LTT_PRINTED_FRONT_BYTES, "%s0.", format->start);
	printer->trace = trace;
	printer->has_threads = ltt_trace_has_threads(trace);
	printer->types = g_hash_table_new_full(NULL, NULL, NULL, free_printed_type);
	printer->tracefiles = g_ptr_array_new_with_free_func(free_string);
	ltt_sink_init(&printer->sink, write, user_data);
	return printer;
}

LttPrinter *ltt_printer_dup(const LttPrinter *printer)
{
	LttPrinter *copy = ltt_printer_new_bare(printer->format->name, printer->trace, NULL, NULL);

	ltt_sink_clear(&copy->sink);
	copy->columns = printer->columns;
	copy->time = printer->time;
	copy->is_brief = printer->is_brief;
	copy->uses_print = printer->uses_print;
	copy->is_short = printer->is_short;
	copy->names = printer->names;
	copy->fields = printer->fields != NULL ? g_ptr_array_ref(printer->fields) : NULL;
	return copy;
}

void ltt_printer_set_columns(LttPrinter *printer, const LttEventType *columns, gboolean begin)
{
	printer->columns = columns;
	if (begin && printer->format->begin != NULL)
		printer->format->begin(printer);
}

LttPrinter *ltt_printer_new_viewed(const char *name, LttTrace *trace, const LttEventType *columns,
				   const LttPrintView *view, LttWriteFunc write, gpointer user_data)
{
	LttPrinter *printer = ltt_printer_new_bare(name, trace, write, user_data);

	if (printer == NULL)
		return NULL;
	if (view != NULL)
		ltt_printer_set_view(printer, view);
	ltt_printer_set_columns(printer, columns, TRUE);
	return printer;
}

LttPrinter *ltt_printer_new(const char *name, LttTrace *trace, const LttEventType *columns,
			    LttWriteFunc write, gpointer user_data)
{
	return ltt_printer_new_viewed(name, trace, columns, NULL, write, user_data);
}

void ltt_printer_free(LttPrinter *printer)
{
	if (printer == NULL)
		return;
	ltt_sink_clear(&printer->sink);
	g_hash_table_unref(printer->types);
	g_ptr_array_unref(printer->tracefiles);
	for (guint i = 0; i < LTT_PRINTER_MIDDLES; i++)
		g_free(printer->middles[i].text);
	g_clear_pointer(&printer->fields, g_ptr_array_unref);
	g_free(printer);
}

static char *put_labelled(char *at, const char *label, guint32 number)
{
	return ltt_put_u64(g_stpcpy(at, label), number);
}

/* Quotes a name that is not a word, and truncates a long one. */
static char *put_name(char *at, const char *end, const char *name)
{
	static const char label[] = " comm=";
	g_autoptr(GString) text = g_string_new(label);
	gsize length = strlen(name);
	gboolean is_word = length > 0;

	for (gsize i = 0; i < length; i++)
		is_word = is_word && g_ascii_isgraph(name[i]) && strchr("\"\\=", name[i]) == NULL;
	while (TRUE) {
		g_string_truncate(text, sizeof(label) - 1);
		g_string_append(text, is_word ? "" : "\"");
		ltt_string_add_escaped(text, name, length, LTT_ESCAPE_TEXT);
		g_string_append(text, is_word ? "" : "\"");
		if (text->len <= (gsize)(end - at))
			break;
		length /= 2;
	}
	memcpy(at, text->str, text->len);
	return at + text->len;
}

static void make_thread(LttPrinter *printer, LttPrintedThread *thread, const char *pid_label,
			const char *tid_label, const LttEvent *event)
{
	char *at = put_labelled(thread->text, pid_label, event->pid);

	at = put_labelled(at, tid_label, event->tid);
	thread->pid = event->pid;
	thread->tid = event->tid;
	if (printer->names != NULL) {
		thread->trace = event->tracefile->trace;
		ltt_thread_names_find(printer->names, event, &thread->span);
		if (thread->span.name != NULL)
			at = put_name(at, thread->text + sizeof(thread->text), thread->span.name);
	}
	thread->length = (gsize)(at - thread->text);
}

static gboolean holds(const LttPrinter *printer, const LttPrintedThread *thread,
		      const LttEvent *event)
{
	if (thread->pid != event->pid || thread->tid != event->tid || thread->length == 0)
		return FALSE;
	return printer->names == NULL ||
	       (event->time_ns >= thread->span.from_ns && event->time_ns < thread->span.to_ns &&
		thread->trace == event->tracefile->trace);
}

void ltt_printer_append_thread(LttPrinter *printer, GString *text, const char *pid_label,
			       const char *tid_label, const LttEvent *event)
{
	LttPrintedThread *thread = &printer->threads[event->tid % LTT_PRINTER_THREADS];

	if (!holds(printer, thread, event))
		make_thread(printer, thread, pid_label, tid_label, event);
	g_string_append_len(text, thread->text, (gssize)thread->length);
}

const LttPrintedType *ltt_printer_get_type(LttPrinter *printer, const LttEvent *event)
{
	LttPrintedType *printed = g_hash_table_lookup(printer->types, event->type);

	if (printed != NULL)
		return printed;
	printed = g_new0(LttPrintedType, 1);
	printed->type = event->type;
	printed->head = g_string_new(NULL);
	printer->format->prepare(printer, printed, event);
	g_hash_table_insert(printer->types, (gpointer)event->type, printed);
	return printed;
}

const GString *ltt_printer_get_tracefile(LttPrinter *printer, const LttTracefile *tracefile)
{
	const guint index = ltt_tracefile_get_index(tracefile);
	GString *text;

	if (index >= printer->tracefiles->len)
		g_ptr_array_set_size(printer->tracefiles, (gint)index + 1);
	text = g_ptr_array_index(printer->tracefiles, index);
	if (text == NULL) {
		text = g_string_new(NULL);
		printer->format->prepare_tracefile(text, tracefile);
		g_ptr_array_index(printer->tracefiles, index) = text;
	}
	return text;
}

gboolean ltt_printer_flush(LttPrinter *printer, GError **error)
{
	ltt_sink_hand_on(&printer->sink);
	return ltt_sink_check(&printer->sink, error);
}
