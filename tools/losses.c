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
	{"quota", "the disk quota was used up",
	 "raise the quota, or keep only the last events with --flight SIZE"},
	{"file_size", "a tracefile reached the limit of file size",
	 "raise it (`ulimit -f`), or keep only the last events with --flight SIZE"},
	{"too_large", "the event was larger than a block", "record with a larger --block-size"},
	{"no_place", "the values have no place in the event's description",
	 "a sequence is longer than its length field can count, or a union has a code that does "
	 "not exist: correct the program or its description"},
	{"no_right", "the process may not open files of the trace",
	 "let it write to the trace directory"},
	{"no_descriptor", "the process had no file descriptor left", "raise `ulimit -n`"},
	{"no_memory", "the process had no memory or address space left",
	 "raise `ulimit -v`, or record with a smaller --flight SIZE"},
	{"no_trace", "the trace directory or its files were removed or renamed",
	 "leave them in place while recording"},
	{"io_error", "the file system failed", "look at the kernel's log (`dmesg`)"},
	{"no_lane", "there was no tracefile for a thread without restartable sequences",
	 "1,024 threads and signal handlers at a time can be traced that way; use a kernel and a "
	 "libc with rseq(2)"},
	{"vfork", "the event was traced between vfork and exec",
	 "trace before vfork or after exec"},
	{"no_facility", "the session could not take the facility",
	 "see the processes and facilities that were not traced"},
	{"busy", "too many attempts to write were interrupted", "use less load on the CPUs"},
	{"bad_state", "the state of the recording was damaged",
	 "look for a traced process that writes to memory that is not its own"},
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

static void warn_reason(const char *path, const LttStatLoss *loss)
{
	const Reason *reason = find(loss->reason);
	g_autofree char *count = amount_count(loss->n_events);
	const char *noun = loss->n_events == 1 ? "event" : "events";

	if (reason == NULL)
		tool_warn("%s: %s: %s %s", path, loss->reason, count, noun);
	else
		tool_warn("%s: %s: %s %s; %s", path, reason->meaning, count, noun, reason->advice);
}

static void warn_large_type(const char *path, const LttStatLargeType *type)
{
	g_autofree char *count = amount_count(type->n_events);
	g_autofree char *bytes = amount_count(type->n_bytes);

	tool_warn("%s: too large: %s: %s %s, the largest with %s bytes", path, type->name, count,
		  type->n_events == 1 ? "event" : "events", bytes);
}

void losses_warn(const char *path, guint64 n_lost, const LttStat *stat)
{
	if (n_lost > 0)
		tool_warn("%s: EVENTS LOST: %" G_GUINT64_FORMAT " could not be written", path,
			  n_lost);
	for (guint i = 0; stat != NULL && i < stat->n_losses; i++)
		warn_reason(path, &stat->losses[i]);
	for (guint i = 0; stat != NULL && i < stat->n_large_types; i++)
		warn_large_type(path, &stat->large_types[i]);
}
