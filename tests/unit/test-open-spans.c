/* Spans that are read from the middle of a trace on are those that are read from its start on. */
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-payload.h>
#include <ltt/ltt-span.h>
#include <ltt/ltt-writer.h>

#include <string.h>

#define N_EVENTS 300

#define ID "<struct><field name=\"id\"><uint size=\"4\"/></field></struct>"

/* Nested spans, asynchronous ones, an event that ends a span and begins another, and a single event. */
static const char description[] =
	"<facility name=\"f\"><event name=\"a_begin\"/><event name=\"a_end\"/><event "
	"name=\"b_begin\"/>"
	"<event name=\"b_end\"/><event name=\"work\">" ID "</event>"
	"<event name=\"done\" ltt:ends=\"work\" ltt:key=\"id\">" ID "</event>"
	"<event name=\"idle\"/><event name=\"busy\" ltt:ends=\"idle\"/><event "
	"name=\"tick\"/></facility>";

enum {
	WORK = 4,
	DONE = 5,
	N_TYPES = 9,
};

/* Returns: (transfer full): a trace of two CPUs */
static LttTrace *make_trace(guint32 seed)
{
	g_autofree char *name = g_strdup_printf("open-spans-%u", seed);
	g_autofree char *path = unit_temp_path(name);
	g_autoptr(LttSystem) system = unit_system_new(LTT_LITTLE_ENDIAN, LTT_LP64, 512);
	g_autoptr(LttTraceWriter) writer = ltt_trace_writer_new(path, system, NULL, NULL);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities =
		ltt_eventdefs_parse(description, strlen(description), remarks);
	GRand *random = g_rand_new_with_seed(seed);
	guint32 base;
	guint64 time_ns = 1000;
	LttTrace *trace;

	g_assert(ltt_trace_writer_load(writer, facilities->pdata[0], &base, NULL));
	for (guint i = 0; i < N_EVENTS; i++) {
		const guint32 type = (guint32)g_rand_int_range(random, 0, N_TYPES);
		LttTracefileWriter *file = ltt_trace_writer_open(
			writer, g_rand_boolean(random) ? "cpu/0" : "cpu/1", NULL);
		LttPayload payload;

		time_ns += (guint64)g_rand_int_range(random, 1, 100);
		ltt_payload_init(&payload, ltt_system_get_arch(system));
		if (type == WORK || type == DONE)
			ltt_payload_add_int(&payload, LTT_WIDTH_4,
					    (guint64)g_rand_int_range(random, 0, 8));
		g_assert(ltt_tracefile_writer_event(file, time_ns, (guint16)(base + type),
						    payload.bytes->data, payload.bytes->len, NULL));
		ltt_payload_clear(&payload);
	}
	g_assert(ltt_trace_writer_close(writer, NULL));
	g_rand_free(random);
	trace = ltt_trace_open(path, NULL);
	g_assert(trace != NULL);
	return trace;
}

typedef struct Saved {
	guint64 time_ns; /* of the event before which the spans were saved */
	guint n_finished;
	LttOpenSpans *open;
} Saved;

typedef struct Run {
	GArray *saved; /* NULL: do not save */
	guint n_finished;
	guint n_before_end; /* finished before the end of the trace */
	guint n_open;       /* at the end */
} Run;

static void save(LttSpans *spans, const LttEvent *event, gpointer data)
{
	Run *run = data;
	Saved saved = {.n_finished = run->n_finished, .open = ltt_spans_save_open(spans)};

	if (event == NULL) {
		run->n_before_end = run->n_finished;
		run->n_open = ltt_open_spans_get_n(saved.open);
		ltt_open_spans_free(saved.open);
		return;
	}
	saved.time_ns = event->time_ns;
	g_array_append_val(run->saved, saved);
}

/* Returns: (transfer full) (element-type utf8): the spans, a line each */
static GPtrArray *list(LttSpans *spans, Run *run)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	const LttSpan *span;

	if (run->saved != NULL)
		ltt_spans_set_event_func(spans, save, run);
	while (ltt_spans_next(spans, &span, NULL) == LTT_STEP_EVENT) {
		g_autoptr(GString) args = g_string_new(NULL);

		ltt_span_append_args(spans, span, args);
		g_ptr_array_add(
			lines, g_strdup_printf("%u in %u at %u: %s %u-%u %d %d %s", (guint)span->id,
					       (guint)span->parent, span->depth, span->name,
					       (guint)span->begin_ns, (guint)span->end_ns,
					       span->is_async, (int)span->outcome, args->str));
		run->n_finished++;
	}
	return lines;
}

static void assert_same_from(LttTrace *trace, const Saved *saved, const GPtrArray *whole)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttSpans) spans = NULL;
	g_autoptr(GPtrArray) lines = NULL;
	Run run = {0};

	ltt_select_set_window(select, saved->time_ns, G_MAXINT64);
	spans = ltt_spans_new_from(trace, select, saved->open);
	lines = list(spans, &run);
	CU_ASSERT_EQUAL_FATAL(lines->len, whole->len - saved->n_finished);
	for (guint i = 0; i < lines->len; i++)
		UNIT_ASSERT_TEXT(lines->pdata[i], (char *)whole->pdata[saved->n_finished + i]);
}

static void test_from_each_event_on(void)
{
	for (guint32 seed = 0; seed < 5; seed++) {
		g_autoptr(LttTrace) trace = make_trace(seed);
		g_autoptr(LttSpans) spans = ltt_spans_new(trace, NULL);
		g_autoptr(GArray) saved = g_array_new(FALSE, FALSE, sizeof(Saved));
		Run run = {.saved = saved};
		g_autoptr(GPtrArray) whole = list(spans, &run);
		guint most_open = 0;

		CU_ASSERT_EQUAL(saved->len, N_EVENTS);
		CU_ASSERT_TRUE(run.n_open > 0);
		CU_ASSERT_EQUAL(run.n_before_end + run.n_open, whole->len);
		for (guint i = 0; i < saved->len; i++) {
			const Saved *from = &g_array_index(saved, Saved, i);

			assert_same_from(trace, from, whole);
			most_open = MAX(most_open, ltt_open_spans_get_n(from->open));
			ltt_open_spans_free(from->open);
		}
		CU_ASSERT_TRUE(most_open > 3);
	}
}

static void assert_none_open(LttSpans *spans)
{
	g_autoptr(LttOpenSpans) open = ltt_spans_save_open(spans);

	CU_ASSERT_EQUAL(ltt_open_spans_get_n(open), 0);
	ltt_spans_set_symbols(spans, NULL); /* renames the open spans */
}

/* Nested and asynchronous spans are open at the end, and are not open any more when they are returned. */
static void test_none_after_the_end(void)
{
	g_autoptr(LttTrace) trace = make_trace(5);
	g_autoptr(LttSpans) spans = ltt_spans_new(trace, NULL);
	const LttSpan *span;
	guint n_open[2] = {0};

	while (ltt_spans_next(spans, &span, NULL) == LTT_STEP_EVENT) {
		if (span->outcome != LTT_SPAN_OPEN)
			continue;
		n_open[span->is_async]++;
		assert_none_open(spans);
	}
	CU_ASSERT_TRUE(n_open[FALSE] > 0 && n_open[TRUE] > 0);
	assert_none_open(spans);
}

UNIT_MAIN("open-spans", UNIT(test_from_each_event_on), UNIT(test_none_after_the_end))
