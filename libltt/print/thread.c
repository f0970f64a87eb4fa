/* thread.c - the machine, the process, the thread and its name in a line.
 *
 * The texts of the last threads are cached by tid. A thread can be renamed, so with names a text is
 * valid for the time span of the name.
 */
#include "print/printer-priv.h"

#include "base/digits-priv.h"
#include "base/escape-priv.h"
#include "reader/tracefile-priv.h"

const char *ltt_printer_get_host(const LttPrinter *printer, const LttTracefile *tracefile)
{
	return ltt_trace_has_hosts(printer->trace)
		       ? ltt_trace_get_host(printer->trace, ltt_tracefile_get_host(tracefile))
		       : NULL;
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
		thread->host = event->tracefile->host;
		ltt_thread_names_find(printer->names, event, &thread->span);
		if (thread->span.name != NULL)
			at = put_name(at, thread->text + sizeof(thread->text), thread->span.name);
	}
	thread->length = (gsize)(at - thread->text);
}

static gboolean is_cached(const LttPrinter *printer, const LttPrintedThread *thread,
			  const LttEvent *event)
{
	if (thread->pid != event->pid || thread->tid != event->tid || thread->length == 0)
		return FALSE;
	return printer->names == NULL ||
	       (event->time_ns >= thread->span.from_ns && event->time_ns < thread->span.to_ns &&
		thread->host == event->tracefile->host);
}

void ltt_printer_append_thread(LttPrinter *printer, GString *text, const char *pid_label,
			       const char *tid_label, const LttEvent *event)
{
	LttPrintedThread *thread = &printer->threads[event->tid % LTT_PRINTER_THREADS];

	if (!is_cached(printer, thread, event))
		make_thread(printer, thread, pid_label, tid_label, event);
	g_string_append_len(text, thread->text, (gssize)thread->length);
}
