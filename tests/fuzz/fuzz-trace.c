/* fuzz-trace.c - a trace with one arbitrary tracefile: the merge, the check and the printers
 * process the same events.
 *
 * The first byte selects the sample trace and its file.
 */
#include "altered.h"
#include "fuzz.h"
#include "mutate-blocks.h"
#include "mutate.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-select.h>

static const char *const samples[] = {ALTERED_SAMPLES};
static const char *const names[] = {ALTERED_FILES};

/* ---- read ---- */

static gboolean count_lines(const char *bytes, gsize length, gpointer n_lines, GError **error)
{
	(void)error;
	for (gsize i = 0; i < length; i++)
		*(guint64 *)n_lines += bytes[i] == '\n';
	return TRUE;
}

/* Prints all events as @format. Returns: their number */
static guint64 read_events(LttTrace *trace, const char *format, gboolean *damaged)
{
	guint64 n_lines = 0;
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, select);
	g_autoptr(LttPrinter) printer = ltt_printer_new(format, trace, NULL, count_lines, &n_lines);
	const LttEvent *event;
	guint64 n_events = 0;
	LttStep step;

	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_merge_next(merge, &event, &damage)) == LTT_STEP_EVENT) {
			FUZZ_ASSERT(ltt_printer_event(printer, event, NULL));
			n_events++;
		}
		if (step == LTT_STEP_ERROR) {
			FUZZ_ASSERT(g_error_matches(damage, LTT_ERROR, LTT_ERROR_CORRUPT));
			*damaged = TRUE;
			ltt_merge_skip_block(merge);
		}
	} while (step != LTT_STEP_END);
	FUZZ_ASSERT(ltt_printer_flush(printer, NULL));
	FUZZ_ASSERT(!g_str_equal(format, "json") || n_lines == n_events);
	return n_events;
}

static void count_problem(const LttProblem *problem, gpointer n_problems)
{
	g_autofree char *text = ltt_problem_to_string(problem);

	FUZZ_ASSERT(g_utf8_validate(text, -1, NULL));
	++*(guint64 *)n_problems;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(LttTrace) trace = NULL;
	guint64 n_problems = 0;
	LttCheckRequest request = {
		.callbacks = {.on_problem = count_problem, .user_data = &n_problems}};
	LttCheckSummary summary;
	gboolean damaged = FALSE;
	guint64 start_ns;
	guint64 end_ns;
	guint64 n_events;
	guint which;
	g_autofree char *path = NULL;

	if (size == 0)
		return 0;
	which = data[0] % (G_N_ELEMENTS(samples) * G_N_ELEMENTS(names));
	path = altered_sample(samples[which / G_N_ELEMENTS(names)]);
	trace = altered_trace(path, names[which % G_N_ELEMENTS(names)], data + 1, size - 1);
	FUZZ_ASSERT(trace != NULL);
	n_events = read_events(trace, "json", &damaged);
	FUZZ_ASSERT(read_events(trace, size % 2 == 0 ? "csv" : "text", &damaged) == n_events);
	if (ltt_trace_get_span(trace, &start_ns, &end_ns))
		FUZZ_ASSERT(start_ns <= end_ns);
	request.trace = trace;
	FUZZ_ASSERT(ltt_check(&request, &summary, NULL));
	FUZZ_ASSERT(summary.n_problems == n_problems);
	FUZZ_ASSERT(summary.n_events == n_events);
	FUZZ_ASSERT(!damaged || summary.n_problems > 0);
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_blocks(data, size, max_size, seed, 1);
}
#endif
