/* losses.c - see losses.h. doc/format.md, 11.7, defines the reasons. */
#include "losses.h"

#include "amount.h"
#include "tool.h"

typedef struct Reason {
	const char *word;
	const char *meaning;
	const char *advice;
} Reason;

static const Reason reasons[] = {
	{"disk_full", "the file system was full",
	 "free space there, or keep only the last events with --flight SIZE"},
	{"quota", "the disk quota was exceeded",
	 "raise the quota, or keep only the last events with --flight SIZE"},
	{"file_size", "a tracefile reached the limit of file size",
	 "raise it (`ulimit -f`), or keep only the last events with --flight SIZE"},
	{"too_large", "the event was larger than a block", "record with a larger --block-size"},
	{"no_place", "the values do not fit the event's description",
	 "a sequence is longer than its length field can count, or a union has a code that does "
	 "not exist: correct the program or its description"},
	{"no_right", "the process may not open files of the trace",
	 "give it write permission for the trace directory"},
	{"read_only", "the file system is read-only", "record to another directory"},
	{"no_recorder", "the recorder was stopped or killed and could not allocate disk space",
	 "let `ltt record` or `ltt attach` run until the program ends"},
	{"no_descriptor", "the process had no file descriptor left", "raise `ulimit -n`"},
	{"no_memory", "the process had no memory or address space left",
	 "raise `ulimit -v`, or record with a smaller --flight SIZE"},
	{"no_trace", "the trace directory or its files were removed or renamed",
	 "keep them in place during the recording"},
	{"io_error", "the file system failed", "check the kernel log (`dmesg`)"},
	{"no_lane", "there was no tracefile for a thread without restartable sequences",
	 "the limit is 1,024 threads and signal handlers at a time; use a kernel and a "
	 "libc with rseq(2)"},
	{"vfork", "the event was traced between vfork and exec",
	 "trace before vfork or after exec"},
	{"no_facility", "the session rejected the facility",
	 "see the warnings about processes and facilities that were not traced"},
	{"busy", "too many attempts to write were interrupted", "reduce the load on the CPUs"},
	{"bad_state", "the state of the recording was damaged",
	 "look for a memory error in a traced process"},
};

static const Reason *find(const char *word)
{
	for (guint i = 0; i < G_N_ELEMENTS(reasons); i++) {
		if (g_str_equal(reasons[i].word, word))
			return &reasons[i];
	}
	return NULL;
}

const char *losses_describe(const char *reason)
{
	const Reason *found = find(reason);

	return found != NULL ? found->meaning : "";
}

static void warn_reason(const char *path, const LttLossReason *loss)
{
	const Reason *reason = find(loss->name);
	g_autofree char *count = amount_count(loss->n_events);
	const char *noun = loss->n_events == 1 ? "event" : "events";

	if (reason == NULL)
		tool_warn("%s: %s: %s %s", path, loss->name, count, noun);
	else
		tool_warn("%s: %s: %s %s; %s", path, reason->meaning, count, noun, reason->advice);
}

static void warn_large_type(const char *path, const LttLossType *type)
{
	g_autofree char *count = amount_count(type->n_events);
	g_autofree char *bytes = amount_count(type->n_bytes);

	tool_warn("%s: too large: %s: %s %s, the largest with %s bytes", path, type->name, count,
		  type->n_events == 1 ? "event" : "events", bytes);
}

/* Appends "NAME COUNT". */
static void append_count(GString *text, const char *name, guint64 n_events)
{
	g_autofree char *safe = tool_escape(name);
	g_autofree char *count = amount_count(n_events);

	g_string_append_printf(text, "%s%s %s", text->len > 0 ? ", " : "", safe, count);
}

char *losses_list(const LttLossReasons *losses)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < losses->n_reasons; i++)
		append_count(text, losses->reasons[i].name, losses->reasons[i].n_events);
	if (losses->n_process_events > 0)
		append_count(text, "process starts and exits", losses->n_process_events);
	return g_string_free(text, text->len == 0);
}

void losses_print_json(Json *json, const LttLossReasons *losses)
{
	json_open(json, "lost_by_reason", '{');
	for (guint i = 0; i < losses->n_reasons; i++)
		json_number(json, losses->reasons[i].name, losses->reasons[i].n_events);
	json_close(json, '}');
	json_number(json, "lost_process_events", losses->n_process_events);
	json_open(json, "too_large", '[');
	for (guint i = 0; i < losses->n_types; i++) {
		const LttLossType *type = &losses->types[i];

		json_open(json, NULL, '{');
		json_text(json, "name", type->name);
		json_number(json, "events", type->n_events);
		json_number(json, "largest", type->n_bytes);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void losses_warn(const char *path, guint64 n_lost, const LttLossReasons *losses)
{
	if (n_lost > 0)
		tool_warn("%s: EVENTS LOST: %" G_GUINT64_FORMAT " could not be written", path,
			  n_lost);
	for (guint i = 0; losses != NULL && i < losses->n_reasons; i++)
		warn_reason(path, &losses->reasons[i]);
	for (guint i = 0; losses != NULL && i < losses->n_types; i++)
		warn_large_type(path, &losses->types[i]);
}
