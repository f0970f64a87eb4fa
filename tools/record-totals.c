/* record-totals.c - see record-totals.h. */
#include "record-totals.h"

#include "amount.h"
#include "losses.h"
#include "progress.h"
#include "tool.h"

#include <ltt/ltt-nearest.h>
#include <ltt/ltt-stat.h>

#include <fnmatch.h>
#include <sys/wait.h>

/* As shells and the dynamic linker have it. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* Facilities that every recording has. */
static const char *const own_facilities[] = {"tracer", "losses", "interrupts", "processes", NULL};

typedef struct Recorded {
	const RecordProgram *program;
	const LttRecording *recording;
	const LttRecordingTotals *totals;
	LttTrace *trace;     /* NULL: removed or not readable */
	LttStatSummary stat; /* zeros: likewise */
} Recorded;

/* Whether running programs were attached. */
static gboolean program_is_attached(const RecordProgram *program)
{
	return program->argv == NULL;
}

static gboolean read_trace(Recorded *recorded, GError **error)
{
	LttStatRequest request = {.callbacks = {.on_progress = progress_show}};
	gboolean ok;

	recorded->trace = ltt_trace_open(recorded->program->path, error);
	if (recorded->trace == NULL)
		return FALSE;
	progress_start(program_is_attached(recorded->program) ? "ltt attach: counting"
							      : "ltt record: counting",
		       FALSE);
	request.trace = recorded->trace;
	ok = ltt_stat(&request, &recorded->stat, error);
	progress_end();
	return ok;
}

/* The events of programs: those in the tracefiles of CPUs and lanes. */
static LttStatCount count_events(const LttStatSummary *stat)
{
	LttStatCount found = {0};

	for (guint i = 0; i < stat->n_tracefiles; i++) {
		const LttStatCount *count = &stat->tracefiles[i].count;

		if (g_str_has_prefix(count->name, "cpu/")) {
			found.n_events += count->n_events;
			found.n_bytes += count->n_bytes;
		}
	}
	return found;
}

/* Returns: (transfer full): "2 processes, "; "" if the recording is of the kernel only */
static char *describe_processes(const Recorded *recorded)
{
	const guint64 n = recorded->totals->processes;

	if (n == 0 && recorded->program->kernel.is_on)
		return g_strdup("");
	return g_strdup_printf("%" G_GUINT64_FORMAT " %s, ", n, n == 1 ? "process" : "processes");
}

static void tell_count(Recorded *recorded, double seconds)
{
	const gboolean is_flight = recorded->program->options.flight_bytes > 0;
	g_autofree char *processes = describe_processes(recorded);
	g_autoptr(GError) error = NULL;
	g_autofree char *size = NULL;
	LttStatCount count;

	if (!read_trace(recorded, &error)) {
		tool_warn("the rest of the trace cannot be read: %s", error->message);
		return;
	}
	count = count_events(&recorded->stat);
	size = amount_size(count.n_bytes);
	tool_note("%s: %" G_GUINT64_FORMAT " %s%s, %s, %s%.3f s", recorded->program->path,
		  count.n_events, count.n_events == 1 ? "event" : "events",
		  is_flight ? " kept" : "", size, processes, seconds);
}

/* No process has joined. */
static void warn_untraced(const RecordProgram *program, int wait_status)
{
	const int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;

	if (program->kernel.is_on && status != STATUS_NOT_FOUND && status != STATUS_CANNOT_RUN)
		return;
	if (program_is_attached(program))
		tool_warn("%s: nothing was traced: no attached program has reached an enabled "
			  "event",
			  program->path);
	else if (status == STATUS_NOT_FOUND)
		tool_warn("%s: nothing was traced: `%s` ended with status 127: a program or a "
			  "shared library was not found",
			  program->path, program->argv[0]);
	else if (status == STATUS_CANNOT_RUN)
		tool_warn("%s: nothing was traced: `%s` ended with status 126: a program could "
			  "not be executed",
			  program->path, program->argv[0]);
	else
		tool_warn("%s: nothing was traced: no process was built with libltt-probe (`man "
			  "libltt-probe`)",
			  program->path);
}

static void warn_refusals(const Recorded *recorded)
{
	const guint n_refused = recorded->totals->refused;
	guint n_told = 0;
	char *text;

	while (n_told < n_refused &&
	       (text = ltt_recording_get_refusal(recorded->recording, n_told)) != NULL) {
		tool_warn("not traced: %s", text);
		g_free(text);
		n_told++;
	}
	if (n_told < n_refused)
		tool_warn("not traced: %u more", n_refused - n_told);
}

/* ---- --facility ---- */

static gint compare_names(gconstpointer left, gconstpointer right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Returns: (transfer full): names of the facilities that programs had, on or off */
static GPtrArray *list_facilities(const Recorded *recorded)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	char *name;

	for (guint i = 0; i < ltt_trace_get_n_loads(recorded->trace); i++) {
		const LttLoad *load = ltt_trace_get_load(recorded->trace, i);

		name = (char *)ltt_facility_get_name(load->facility);
		if (load->base_code != 0 && !g_strv_contains(own_facilities, name))
			g_ptr_array_add(names, g_strdup(name));
	}
	for (guint i = 0; (name = ltt_recording_get_unwanted(recorded->recording, i)) != NULL; i++)
		g_ptr_array_add(names, name);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return names;
}

static gboolean matches_any(const char *glob, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (fnmatch(glob, *names, 0) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Warns of each glob that no facility matched. */
static void warn_facilities(const Recorded *recorded)
{
	g_autoptr(GPtrArray) list = list_facilities(recorded);
	const char *const *names = (const char *const *)list->pdata;
	g_auto(GStrv) globs = g_strsplit(recorded->program->options.facilities, ",", -1);
	g_autofree char *all = g_strjoinv(", ", (char **)list->pdata);

	for (guint i = 0; names[0] != NULL && globs[i] != NULL; i++) {
		const char *near = ltt_nearest(globs[i], names);

		if (matches_any(globs[i], names))
			continue;
		if (near != NULL)
			tool_warn("--facility %s: no program has this facility; did you mean %s? "
				  "Available: %s",
				  globs[i], near, all);
		else
			tool_warn("--facility %s: no program has this facility; available: %s",
				  globs[i], all);
	}
}

void record_totals_tell(const RecordProgram *program, const LttRecording *recording,
			const LttRecordingTotals *totals, gboolean complete, int wait_status,
			double seconds)
{
	const gboolean is_there = ltt_recording_is_in_place(recording);
	Recorded recorded = {.program = program, .recording = recording, .totals = totals};

	if (is_there)
		tell_count(&recorded, seconds);
	else
		tool_warn("%s: the trace directory was removed or renamed during the recording",
			  program->path);
	if (is_there && totals->processes == 0 && totals->refused == 0)
		warn_untraced(program, wait_status);
	if (is_there && !complete && program_is_attached(program))
		tool_warn("%s: an attached process has not finished an event; the files "
			  "keep their allocated length",
			  program->path);
	else if (is_there && !complete)
		tool_warn(
			"%s: processes that `%s` started are no longer recorded; still running: %u",
			program->path, program->argv[0], MAX(totals->left, 1));
	losses_warn(program->path, totals->lost, recorded.stat.losses);
	if (totals->own_lost > 0)
		tool_warn("%s: %" G_GUINT64_FORMAT " starts and ends of processes could not be "
			  "written",
			  program->path, totals->own_lost);
	warn_refusals(&recorded);
	if (recorded.trace != NULL && program->options.facilities != NULL)
		warn_facilities(&recorded);
	ltt_stat_summary_clear(&recorded.stat);
	ltt_trace_free(recorded.trace);
}
