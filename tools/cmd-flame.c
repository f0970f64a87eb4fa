/* cmd-flame.c - `ltt flame`: a flame graph of spans, or of the call stacks of samples. */
#include "commands.h"
#include "progress.h"
#include "reading.h"
#include "result-place.h"
#include "unnamed.h"

#include <glib/gstdio.h>
#include <ltt/ltt-flame.h>
#include <string.h>

/* Samples between two checks for a signal. */
#define PROGRESS_SAMPLES 4096

static char *output;
static char *source;
static char *title;
static gboolean is_folded;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write to the new file FILE; - is standard output", "FILE"},
	{"folded", 0, 0, G_OPTION_ARG_NONE, &is_folded,
	 "write folded stacks, one per line, instead of an image", NULL},
	{"of", 0, 0, G_OPTION_ARG_FILENAME, &source,
	 "source of the stacks: spans, weighted by time, or samples of\n"
	 "call stacks. The default is samples if the trace has any",
	 "spans|samples"},
	{"title", 0, 0, G_OPTION_ARG_FILENAME, &title, "title of the image", "TEXT"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE -o FILE",
	.about = "Draw a flame graph as an SVG image, which a web browser displays. The width of a "
		 "frame is\n"
		 "proportional to its time, and each frame is above its parent. Click on a frame "
		 "to zoom,\n"
		 "press / to search. The frames are spans, nested in their threads, or the "
		 "functions of\n"
		 "sampled call stacks of an imported recording.\n",
	.options = options,
	.shared = reading_options,
	.shared_heading = reading_heading,
	.notes = "  ltt flame TRACE -o flame.svg\n"
		 "  ltt flame --from +1 --to +2 --folded -o - TRACE\n",
	.min_arguments = 1,
	.max_arguments = 1,
};

static gboolean settle(void)
{
	if (output == NULL || *output == '\0') {
		tool_fail("-o FILE is missing; see `ltt flame --help`");
		return FALSE;
	}
	if (source != NULL && !g_str_equal(source, "spans") && !g_str_equal(source, "samples")) {
		tool_fail("--of: %s: expected spans or samples", source);
		return FALSE;
	}
	return TRUE;
}

/* ---- samples ---- */

/* @made: (out): to free */
static const char *name_thread(const LttStack *stack, char **made)
{
	const LttEvent *event = stack->event;

	if (stack->thread_name != NULL)
		return stack->thread_name;
	*made = event->has_thread ? g_strdup_printf("thread %u", event->tid)
				  : g_strdup(ltt_tracefile_get_label(event->tracefile));
	return *made;
}

/* What names the frames. */
typedef struct Names {
	const LttTrace *trace;
	LttSymbols *symbols;
	GStringChunk *texts; /* each once */
	GString *text;
} Names;

static const char *name_frame(Names *names, const LttStackFrame *frame)
{
	LttSymbol symbol;

	ltt_symbols_find_frame(names->symbols, frame, &symbol);
	g_string_truncate(names->text, 0);
	ltt_symbol_append(names->text, &symbol, LTT_SYMBOL_FUNCTION);
	return g_string_chunk_insert_const(names->texts, names->text->str);
}

static void add_stack(LttFlame *flame, Names *names, const LttStack *stack)
{
	const char *frames[LTT_MAX_STACK_FRAMES + 2];
	g_autofree char *made = NULL;
	guint n = 0;

	if (ltt_trace_has_hosts(names->trace))
		frames[n++] = ltt_event_get_host(stack->event);
	frames[n++] = name_thread(stack, &made);
	for (guint i = stack->n_frames; i > 0; i--)
		frames[n++] = name_frame(names, &stack->frames[i - 1]);
	ltt_flame_add(flame, frames, n, 1);
}

static gboolean add_stacks(LttFlame *flame, LttStacks *stacks, Names *names)
{
	LttProgress progress = {.unit = LTT_PROGRESS_EVENTS};
	const LttStack *stack;
	LttStep step;

	do {
		g_autoptr(GError) error = NULL;

		while ((step = ltt_stacks_next(stacks, &stack, &error)) == LTT_STEP_EVENT) {
			add_stack(flame, names, stack);
			if (++progress.n_done % PROGRESS_SAMPLES == 0 &&
			    !progress_show(&progress, NULL))
				return FALSE;
		}
		if (step == LTT_STEP_ERROR) {
			progress_hide();
			reading_report_error(error);
		}
		ltt_stacks_skip_block(stacks);
	} while (step != LTT_STEP_END && tool_status() != TOOL_FAILED);
	progress_hide();
	return tool_status() != TOOL_FAILED;
}

static gboolean add_samples(Reading *reading, LttFlame *flame)
{
	g_autoptr(LttStacks) stacks = ltt_stacks_new(reading->trace, reading->select);
	g_autoptr(LttSymbols) symbols = ltt_symbols_new(reading->trace);
	Names names = {reading->trace, symbols, g_string_chunk_new(4096), g_string_new(NULL)};
	const gboolean ok = add_stacks(flame, stacks, &names);

	if (ok)
		unnamed_report_all(symbols, "frame");
	g_string_chunk_free(names.texts);
	g_string_free(names.text, TRUE);
	return ok;
}

/* ---- spans ---- */

static gboolean add_spans(Reading *reading, LttFlame *flame, LttFlameSpansSummary *summary)
{
	g_autoptr(LttSymbols) symbols = ltt_symbols_new(reading->trace);
	const LttFlameSpansRequest request = {
		.flame = flame,
		.trace = reading->trace,
		.select = reading->select,
		.symbols = symbols,
		.callbacks = PROGRESS_CALLBACKS,
	};
	g_autoptr(GError) error = NULL;

	if (ltt_flame_add_spans(&request, summary, &error)) {
		progress_hide();
		unnamed_report_all(symbols, "frame");
		return TRUE;
	}
	progress_hide();
	tool_fail_error(error);
	return FALSE;
}

/* ---- output ---- */

static gboolean collect(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

static gboolean write_flame(LttFlame *flame, const LttFlameView *view, LttWriteFunc write,
			    gpointer write_data, GError **error)
{
	return is_folded ? ltt_flame_write_folded(flame, write, write_data, error)
			 : ltt_flame_write_svg(flame, view, write, write_data, error);
}

static void print(LttFlame *flame, const LttFlameView *view)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	if (g_str_equal(output, "-")) {
		write_flame(flame, view, tool_write_piece, NULL, &error);
		return;
	}
	if (g_file_test(output, G_FILE_TEST_EXISTS)) {
		tool_fail("%s: already exists", output);
		return;
	}
	write_flame(flame, view, collect, text, NULL);
	if (!g_file_set_contents(output, text->str, (gssize)text->len, &error))
		tool_fail("%s", error->message);
}

/* Returns: why a graph is empty */
static const char *describe_nothing(gboolean has_samples, const LttFlameSpansSummary *spans)
{
	if (has_samples)
		return "no samples are selected";
	if (spans->n_spans + spans->n_async > 0)
		return "all selected spans have a length of 0 ns";
	return "no spans are selected: no event ends another one";
}

static void draw(Reading *reading)
{
	const gboolean has_samples = source != NULL ? g_str_equal(source, "samples")
						    : ltt_trace_has_stacks(reading->trace);
	g_autoptr(LttFlame) flame = ltt_flame_new();
	g_autofree char *base = g_path_get_basename(ltt_trace_get_path(reading->trace));
	const LttFlameView view = {.title = title != NULL ? title : base, .is_time = !has_samples};
	LttFlameSpansSummary spans = {0};
	gboolean ok;

	progress_start("ltt flame", FALSE);
	ok = has_samples ? add_samples(reading, flame) : add_spans(reading, flame, &spans);
	progress_end();
	if (!ok)
		return;
	if (ltt_flame_get_n_over_limit(flame) > 0)
		tool_warn("%" G_GUINT64_FORMAT " frames are left out: the graph has too many",
			  ltt_flame_get_n_over_limit(flame));
	if (ltt_flame_is_saturated(flame))
		tool_warn("the sum of the times is more than 292 years: larger ones are shown as "
			  "that");
	if (ltt_flame_get_total(flame) == 0)
		tool_warn("%s", describe_nothing(has_samples, &spans));
	else
		print(flame, &view);
}

int cmd_flame(int argc, char **argv)
{
	Reading reading;

	if (!tool_parse(&usage, &argc, &argv) || !settle() ||
	    !result_place_check(output, argv + 1, 1))
		return tool_end();
	if (reading_open(argv[1], &reading))
		draw(&reading);
	reading_close(&reading);
	return tool_end();
}
