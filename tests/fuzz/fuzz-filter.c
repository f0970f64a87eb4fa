/* fuzz-filter.c - filter expressions: a mistake has an offset; a valid filter is checked with and
 * applied to events of every type. */
#include "fuzz.h"
#include "mutate-text.h"

#include <ltt/ltt-filter.h>
#include <ltt/ltt-merge.h>

#include <string.h>

static LttTrace *trace;

static void open_trace(void)
{
	const char *root = g_getenv("LTT_SOURCE");
	g_autofree char *path = g_build_filename(root != NULL ? root : ".", "tests", "data", "ltt",
						 "every-type", NULL);

	if (trace == NULL)
		trace = ltt_trace_open(path, NULL);
	FUZZ_ASSERT(trace != NULL);
}

static void try_filter(LttFilter *filter)
{
	enum { MAX_EVENTS = 200 };
	g_autoptr(LttMerge) merge = ltt_merge_new(trace, NULL);
	g_autoptr(LttFilter) other = ltt_filter_dup(filter);
	g_autoptr(GPtrArray) doubts = ltt_filter_check(filter, trace);
	const LttEvent *event;

	for (guint i = 0; i < doubts->len; i++) {
		const LttDoubt *doubt = doubts->pdata[i];

		FUZZ_ASSERT(doubt->byte >= 0 &&
			    doubt->byte < (gint64)strlen(ltt_filter_get_expression(filter)));
	}
	for (guint i = 0; i < MAX_EVENTS && ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT;
	     i++)
		FUZZ_ASSERT(ltt_filter_matches(filter, event) == ltt_filter_matches(other, event));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFilter) filter = ltt_filter_new(text, &error);

	FUZZ_ASSERT((filter == NULL) == (error != NULL));
	open_trace();
	if (filter != NULL) {
		try_filter(filter);
	} else {
		g_autofree char *point = ltt_filter_point(text, error);
		LttProblem problem;

		ltt_problem_from_error(error, &problem);
		FUZZ_ASSERT(point != NULL);
		FUZZ_ASSERT(problem.byte <= (gint64)strlen(text));
	}
	return 0;
}

#ifdef FUZZER
FUZZ_TEXT(0, "&&", "||", "!", "==", "!=", "<", "<=", ">", ">=", "=~", "in", "(", ")", "[", "]", ".",
	  ",", "-", "*", "length(", "event", "facility", "time", "cpu", "pid", "tid", "comm",
	  "host", "data", "data.", "[*]", "[0]", "[1]", "[1000]", "f0", "x", "y", "value", "name",
	  "\"*\"", "\"?\"", "\"[a-z]*\"", "\"[!a]\"", "\"\\\\\"", "\"\\x41\"", "\"\\377\"",
	  "\"\\u00fc\"", "\"\\\"", "\"\"", "\"made0.ev1\"", "\"made*\"", "made1.ev3", "\"made2\"",
	  "1050000000.001640421", "in (1, -2, 0x3)", "in (\"a\", \"b\")", "length(f0)",
	  "x[0].y[17]")
#endif
