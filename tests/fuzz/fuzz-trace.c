/* fuzz-trace.c - a trace of which one tracefile is any bytes: what is read in order of time, what
 * is checked, and what is printed are the same events.
 *
 * The first byte says which sample trace it is, and which file of that.
 */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz.h"

#include "reader/trace-priv.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-select.h>

#include <sys/mman.h>
#include <unistd.h>

static const char *const samples[] = {"ltt/every-type",         "ltt/big-endian",
				      "ltt/two-versions",       "ltt-extra/tracer",
				      "ltt-extra/wrapping-ids", "ltt-extra/load-in-cpu-file",
				      "ltt-extra/dialect-2.2",  "ltt-extra/numbers"};
static const char *const names[] = {"cpu/0", "control/facilities"};

/* ---- a store that is a directory but for one file ---- */

typedef struct FuzzStore {
	LttStore store;
	LttStore *directory;
	const char *name;
	int fd;
	guint64 size_bytes;
} FuzzStore;

static gboolean list_store(const LttStore *store, const char *folder, GPtrArray *found,
			   GError **error)
{
	g_autoptr(GPtrArray) list =
		ltt_store_list(((const FuzzStore *)store)->directory, folder, error);

	for (guint i = 0; i < list->len; i++)
		g_ptr_array_add(found, g_strdup(list->pdata[i]));
	return TRUE;
}

static LttStoredKind look_in_store(const LttStore *store, const char *name)
{
	return ltt_store_look(((const FuzzStore *)store)->directory, name);
}

static gboolean open_in_store(const LttStore *store, const char *name, LttStoredFile *file,
			      GError **error)
{
	const FuzzStore *fuzz = (const FuzzStore *)store;

	if (!g_str_equal(name, fuzz->name))
		return ltt_store_open(fuzz->directory, name, file, error);
	*file = (LttStoredFile){.fd = fuzz->fd, .size_bytes = fuzz->size_bytes};
	return TRUE;
}

static char *dup_place(const LttStore *store, const char *name)
{
	return ltt_store_dup_place(((const FuzzStore *)store)->directory, name);
}

static char *dup_name(const LttStore *store)
{
	return ltt_store_dup_name(((const FuzzStore *)store)->directory);
}

static void free_store(LttStore *store)
{
	FuzzStore *fuzz = (FuzzStore *)store;

	ltt_store_free(fuzz->directory);
	close(fuzz->fd);
	g_free(fuzz);
}

static LttStore *make_store(const char *sample, const char *name, const uint8_t *data, size_t size)
{
	static const LttStoreKind kind = {list_store, look_in_store, open_in_store,
					  dup_place,  dup_name,      free_store};
	const char *root = g_getenv("LTT_SOURCE");
	g_autofree char *path =
		g_build_filename(root != NULL ? root : ".", "tests", "data", sample, NULL);
	FuzzStore *fuzz = g_new0(FuzzStore, 1);

	fuzz->store = (LttStore){&kind, g_strdup(sample)};
	fuzz->directory = ltt_store_open_directory(path, NULL);
	FUZZ_ASSERT(fuzz->directory != NULL);
	fuzz->name = name;
	fuzz->size_bytes = size;
	fuzz->fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_ASSERT(fuzz->fd >= 0 && write(fuzz->fd, data, size) == (ssize_t)size);
	return &fuzz->store;
}

/* ---- reading it ---- */

static gboolean count_lines(const char *bytes, gsize length, gpointer n_lines, GError **error)
{
	(void)error;
	for (gsize i = 0; i < length; i++)
		*(guint64 *)n_lines += bytes[i] == '\n';
	return TRUE;
}

/* Returns: the events there are, all of which were printed as @format */
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
	LttCheckSummary summary;
	gboolean damaged = FALSE;
	guint64 start_ns;
	guint64 end_ns;
	guint64 n_events;
	guint64 n_problems = 0;
	guint which;

	if (size == 0)
		return 0;
	which = data[0] % (G_N_ELEMENTS(samples) * G_N_ELEMENTS(names));
	trace = ltt_trace_take_store(make_store(samples[which / G_N_ELEMENTS(names)],
						names[which % G_N_ELEMENTS(names)], data + 1,
						size - 1),
				     NULL);
	FUZZ_ASSERT(trace != NULL);
	n_events = read_events(trace, "json", &damaged);
	FUZZ_ASSERT(read_events(trace, size % 2 == 0 ? "csv" : "text", &damaged) == n_events);
	if (ltt_trace_get_span(trace, &start_ns, &end_ns))
		FUZZ_ASSERT(start_ns <= end_ns);
	ltt_trace_check(trace, count_problem, NULL, &n_problems, &summary);
	FUZZ_ASSERT(summary.n_problems == n_problems);
	FUZZ_ASSERT(summary.n_events == n_events);
	FUZZ_ASSERT(!damaged || summary.n_problems > 0);
	return 0;
}
