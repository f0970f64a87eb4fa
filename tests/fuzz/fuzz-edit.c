/* fuzz-edit.c - repair, cut and join a trace with one arbitrary tracefile: the new trace has the
 * same events and no problems.
 *
 * The first byte selects the sample trace, its file, and the operation.
 */
#include "altered.h"
#include "fuzz.h"
#include "mutate-blocks.h"
#include "mutate.h"

#include "base/directory-priv.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-cut.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-repair.h>
#include <ltt/ltt-select.h>

#include <string.h>
#include <unistd.h>

static const char *const samples[] = {ALTERED_SAMPLES};
static const char *const names[] = {ALTERED_FILES};

static gboolean gather(const char *bytes, gsize length, gpointer text, GError **error)
{
	(void)error;
	g_string_append_len(text, bytes, (gssize)length);
	return TRUE;
}

/* Returns: the dump as JSON lines; @n_events: (out): their number */
static GString *dump(LttTrace *trace, LttSelect *select, guint64 *n_events)
{
	GString *text = g_string_new(NULL);
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, select);
	g_autoptr(LttPrinter) printer = ltt_printer_new("json", trace, NULL, gather, text);
	const LttEvent *event;
	LttStep step;

	*n_events = 0;
	while ((step = ltt_merge_next(merge, &event, NULL)) != LTT_STEP_END) {
		if (step == LTT_STEP_ERROR) {
			ltt_merge_skip_block(merge);
			continue;
		}
		FUZZ_ASSERT(ltt_printer_event(printer, event, NULL));
		++*n_events;
	}
	FUZZ_ASSERT(ltt_printer_flush(printer, NULL));
	return text;
}

static void show_problem(const LttProblem *problem, gpointer user_data)
{
	(void)user_data;
	fprintf(stderr, "%s: block %" G_GINT64_FORMAT ": %s\n",
		problem->tracefile != NULL ? problem->tracefile : "", problem->block,
		problem->message);
	FUZZ_ASSERT(FALSE);
}

static void count_problem(const LttProblem *problem, gpointer n_problems)
{
	(void)problem;
	++*(guint64 *)n_problems;
}

/* Checks that the new trace has the events of @trace, except those reported as omitted. */
static void compare(LttTrace *trace, LttSelect *select, const char *made, guint64 n_made,
		    gboolean is_all, gboolean is_clean)
{
	g_autoptr(LttTrace) copy = ltt_trace_open(made, NULL);
	g_autoptr(LttSelect) shown = ltt_select_new();
	guint64 n_events;
	guint64 n_copied;
	g_autoptr(GString) text = dump(trace, select, &n_events);
	g_autoptr(GString) again = NULL;
	const LttCheckRequest request = {.trace = copy, .callbacks = {.on_problem = show_problem}};

	FUZZ_ASSERT(copy != NULL);
	again = dump(copy, shown, &n_copied);
	if (is_clean)
		FUZZ_ASSERT(ltt_check(&request, NULL, NULL));
	FUZZ_ASSERT(n_copied == n_made);
	FUZZ_ASSERT(n_copied <= n_events);
	FUZZ_ASSERT(!is_all || strcmp(text->str, again->str) == 0);
}

static void try_repair(LttTrace *trace, const char *made)
{
	const LttRepairRequest request = {.trace = trace, .path = made};
	g_autoptr(LttSelect) shown = ltt_select_new();
	g_auto(LttRepairSummary) summary = {0};

	if (ltt_repair(&request, &summary, NULL))
		compare(trace, shown, made, summary.n_events, summary.n_gone == 0, TRUE);
	else
		FUZZ_ASSERT(!g_file_test(made, G_FILE_TEST_EXISTS));
}

/* @at: the start of the part, in 256ths */
static void try_cut(LttTrace *trace, const char *made, guint8 at)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	const LttCutRequest request = {.trace = trace, .select = select, .path = made};
	LttCutSummary summary;
	guint64 start_ns;
	guint64 end_ns;

	if (ltt_trace_get_span(trace, &start_ns, &end_ns)) {
		const guint64 step_ns = (end_ns - start_ns) / 256;

		ltt_select_set_window(select, start_ns + at * step_ns, end_ns - at / 2 * step_ns);
	}
	if (ltt_cut(&request, &summary, NULL))
		compare(trace, select, made, summary.n_events, summary.n_unwritable == 0, TRUE);
	else
		FUZZ_ASSERT(!g_file_test(made, G_FILE_TEST_EXISTS));
}

static void try_join(LttTrace *trace, const char *made)
{
	g_autofree char *path = altered_sample("ltt/one-cpu");
	LttTrace *traces[] = {trace, ltt_trace_open(path, NULL)};
	g_autoptr(LttTrace) joined = ltt_trace_join(traces, G_N_ELEMENTS(traces), NULL, NULL);
	g_autoptr(LttSelect) shown = ltt_select_new();
	guint64 n_problems = 0;
	LttJoinWriteRequest request = {
		.path = made,
		.callbacks = {.on_problem = count_problem, .user_data = &n_problems},
	};

	if (joined == NULL)
		return;
	request.joined = joined;
	if (ltt_join_write(&request, NULL, NULL)) {
		g_autoptr(LttTrace) copy = ltt_trace_open(made, NULL);
		/* A load that was rejected is copied, and is rejected again. */
		const gboolean is_clean = n_problems == 0 && ltt_trace_get_n_problems(joined) == 0;
		guint64 n_events;

		FUZZ_ASSERT(copy != NULL);
		g_string_free(dump(copy, shown, &n_events), TRUE);
		compare(joined, shown, made, n_events, n_problems == 0, is_clean);
	} else {
		FUZZ_ASSERT(!g_file_test(made, G_FILE_TEST_EXISTS));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { REPAIR, CUT, JOIN, N_DEEDS };
	g_autofree char *name = g_strdup_printf("ltt-fuzz-%d", (int)getpid());
	g_autofree char *made = g_build_filename(g_get_tmp_dir(), name, NULL);
	g_autofree char *path = NULL;
	LttTrace *trace;
	guint which;

	if (size == 0)
		return 0;
	which = data[0] % (G_N_ELEMENTS(samples) * G_N_ELEMENTS(names));
	path = altered_sample(samples[which / G_N_ELEMENTS(names)]);
	trace = altered_trace(path, names[which % G_N_ELEMENTS(names)], data + 1, size - 1);
	FUZZ_ASSERT(trace != NULL);
	ltt_directory_remove(made);
	switch (data[0] / (G_N_ELEMENTS(samples) * G_N_ELEMENTS(names)) % N_DEEDS) {
	case REPAIR:
		try_repair(trace, made);
		break;
	case CUT:
		try_cut(trace, made, data[size - 1]);
		break;
	default:
		try_join(trace, made);
		trace = NULL;
		break;
	}
	ltt_trace_free(trace);
	ltt_directory_remove(made);
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_blocks(data, size, max_size, seed, 1);
}
#endif
