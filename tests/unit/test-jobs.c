/* All jobs: cancelled at any call of on_progress, a job fails with LTT_ERROR_CANCELLED, does not set
 * its summary, and leaves nothing behind.
 */
#include "support-trace.h"
#include "unit.h"

#include "base/directory-priv.h"

#include <ltt/ltt-sql.h>
#include <ltt/ltt.h>

#include <glib/gstdio.h>
#include <string.h>

/* Number of calls of on_progress at which a job is cancelled, each in a separate run. */
#define MAX_RUNS 12

/* The initial bytes of a summary. */
#define PATTERN 0xa5

typedef struct Run Run;

typedef struct Job {
	const char *name;
	gboolean (*run)(const Run *run, GError **error);
	gboolean has_output;
	/* Of an export: */
	const char *kind;
	gboolean split;
	const char *filter; /* NULL: all events */
} Job;

/* One run of a job. */
struct Run {
	const Job *job;
	LttTrace *trace;     /* tests/data/ltt/flight-recorder */
	const char *archive; /* an archive of it */
	const char *output;  /* a new name in an empty folder */
	guint cancel_at;     /* call of on_progress that cancels; 0: none */
	guint n_calls;
	LttProgress last;
	LttJobCallbacks callbacks;
};

static gboolean watch(const LttProgress *progress, gpointer user_data)
{
	Run *run = user_data;

	if (run->n_calls > 0) {
		CU_ASSERT_EQUAL(progress->unit, run->last.unit);
		CU_ASSERT_TRUE(progress->n_done >= run->last.n_done);
	}
	CU_ASSERT_TRUE(progress->n_total == 0 || progress->n_done <= progress->n_total);
	run->last = *progress;
	return ++run->n_calls != run->cancel_at;
}

/* Fails the test if a job that failed has set its summary, or one that succeeded has not. */
static gboolean check_summary(gboolean ok, gconstpointer summary, gsize size)
{
	const guint8 *bytes = summary;
	gboolean is_set = FALSE;

	for (gsize i = 0; i < size; i++)
		is_set = is_set || bytes[i] != PATTERN;
	CU_ASSERT_EQUAL(is_set, ok);
	return ok;
}

/* Calls a job with a summary of PATTERN. */
#define CALL(job, request, summary, error)                                                         \
	(memset(&(summary), PATTERN, sizeof(summary)),                                             \
	 check_summary(job(&(request), &(summary), error), &(summary), sizeof(summary)))

/* ---- the jobs ---- */

static gboolean run_check(const Run *run, GError **error)
{
	const LttCheckRequest request = {.trace = run->trace, .callbacks = run->callbacks};
	LttCheckSummary summary;

	return CALL(ltt_check, request, summary, error);
}

static gboolean run_stat(const Run *run, GError **error)
{
	const LttStatRequest request = {
		.trace = run->trace, .n_threads = 2, .callbacks = run->callbacks};
	LttStatSummary summary;

	if (!CALL(ltt_stat, request, summary, error))
		return FALSE;
	ltt_stat_summary_clear(&summary);
	return TRUE;
}

static gboolean run_compare(const Run *run, GError **error)
{
	const LttCompareRequest request = {.traces = {run->trace, run->trace},
					   .callbacks = run->callbacks};
	LttCompareSummary summary;

	if (!CALL(ltt_compare, request, summary, error))
		return FALSE;
	CU_ASSERT_TRUE(ltt_compare_summary_is_same(&summary));
	ltt_compare_summary_clear(&summary);
	return TRUE;
}

static gboolean run_latency(const Run *run, GError **error)
{
	const LttLatencyRequest request = {.pairs = {.trace = run->trace,
						     .begin = "core.file_open",
						     .end = "core.schedchange",
						     .by = "fd=out"},
					   .callbacks = run->callbacks};
	LttLatencySummary summary;

	if (!CALL(ltt_latency, request, summary, error))
		return FALSE;
	CU_ASSERT_EQUAL(summary.counts.n_pairs, 38);
	ltt_latency_summary_clear(&summary);
	return TRUE;
}

static gboolean run_flame(const Run *run, GError **error)
{
	g_autoptr(LttFlame) flame = ltt_flame_new();
	const LttFlameSpansRequest request = {
		.flame = flame, .trace = run->trace, .callbacks = run->callbacks};
	LttFlameSpansSummary summary;

	return CALL(ltt_flame_add_spans, request, summary, error);
}

static gboolean run_cut(const Run *run, GError **error)
{
	const LttCutRequest request = {
		.trace = run->trace, .path = run->output, .callbacks = run->callbacks};
	LttCutSummary summary;

	return CALL(ltt_cut, request, summary, error);
}

static gboolean run_split(const Run *run, GError **error)
{
	const LttSplitRequest request = {.trace = run->trace,
					 .path = run->output,
					 .part_bytes = 8192,
					 .callbacks = run->callbacks};
	LttSplitSummary summary;

	if (!CALL(ltt_split, request, summary, error))
		return FALSE;
	CU_ASSERT_TRUE(summary.n_parts > 1);
	return TRUE;
}

static gboolean run_repair(const Run *run, GError **error)
{
	const LttRepairRequest request = {
		.trace = run->trace, .path = run->output, .callbacks = run->callbacks};
	LttRepairSummary summary;

	if (!CALL(ltt_repair, request, summary, error))
		return FALSE;
	ltt_repair_summary_clear(&summary);
	return TRUE;
}

static gboolean run_join_write(const Run *run, GError **error)
{
	LttTrace *traces[] = {ltt_trace_open(ltt_trace_get_path(run->trace), NULL)};
	g_autoptr(LttTrace) joined = ltt_trace_join(traces, 1, NULL, NULL);
	const LttJoinWriteRequest request = {
		.joined = joined, .path = run->output, .callbacks = run->callbacks};
	LttJoinWriteSummary summary;

	return CALL(ltt_join_write, request, summary, error);
}

static gboolean run_pack(const Run *run, GError **error)
{
	const LttPackRequest request = {.trace = ltt_trace_get_path(run->trace),
					.form = "tar.gz",
					.path = run->output,
					.callbacks = run->callbacks};
	LttPackSummary summary;

	if (!CALL(ltt_pack, request, summary, error))
		return FALSE;
	CU_ASSERT_EQUAL(summary.n_bytes, run->last.n_total);
	return TRUE;
}

/* Reads the archive before it writes another. */
static gboolean run_pack_archive(const Run *run, GError **error)
{
	const LttPackRequest request = {.trace = run->archive,
					.form = "tar",
					.path = run->output,
					.callbacks = run->callbacks};
	LttPackSummary summary;

	return CALL(ltt_pack, request, summary, error);
}

static const LttRedaction redaction = {.rules = (const char *const[]){"host", NULL}};

static gboolean run_redact(const Run *run, GError **error)
{
	const LttRedactRequest request = {run->trace, run->output, &redaction, run->callbacks};
	LttRedactSummary summary;

	if (!CALL(ltt_redact, request, summary, error))
		return FALSE;
	ltt_redact_summary_clear(&summary);
	return TRUE;
}

static gboolean run_pack_redacted(const Run *run, GError **error)
{
	const LttPackRequest request = {.trace = run->archive,
					.path = run->output,
					.form = "tar",
					.callbacks = run->callbacks};

	return ltt_pack_redacted(&request, &redaction, NULL, error);
}

static gboolean run_open(const Run *run, GError **error)
{
	const LttTraceRequest request = {.path = run->archive, .callbacks = run->callbacks};
	g_autoptr(LttTrace) trace = ltt_trace_open_job(&request, error);

	return trace != NULL;
}

static gboolean run_unpack(const Run *run, GError **error)
{
	const LttUnpackRequest request = {
		.archive = run->archive, .path = run->output, .callbacks = run->callbacks};
	LttUnpackSummary summary;

	if (!CALL(ltt_unpack, request, summary, error))
		return FALSE;
	CU_ASSERT_TRUE(summary.n_files > 3 && summary.n_bytes > 10000);
	return TRUE;
}

/* Exports the events that the job's filter selects. */
static gboolean run_export(const Run *run, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	const LttExportRequest request = {.trace = run->trace,
					  .select = select,
					  .kind = run->job->kind,
					  .path = run->output,
					  .split = run->job->split,
					  .callbacks = run->callbacks};
	LttExportSummary summary;

	if (run->job->filter != NULL) {
		g_autoptr(LttFilter) filter = ltt_filter_new(run->job->filter, error);

		CU_ASSERT_PTR_NOT_NULL_FATAL(filter);
		ltt_select_set_filter(select, filter);
	}
	if (!CALL(ltt_export, request, summary, error))
		return FALSE;
	UNIT_ASSERT_TEXT(summary.kind->name, run->job->kind);
	return TRUE;
}

static gboolean run_import(const Run *run, GError **error)
{
	g_autofree char *path = unit_data_path("perf/file-tracepoints.data");
	const LttImportRequest request = {
		.path = path, .output = run->output, .callbacks = run->callbacks};
	LttImportSummary summary;

	if (!CALL(ltt_import, request, summary, error))
		return FALSE;
	UNIT_ASSERT_TEXT(summary.kind->name, "perf");
	return TRUE;
}

static gboolean run_snapshot(const Run *run, GError **error)
{
	g_autofree char *path = unit_temp_path("recording");
	g_autoptr(LttRecording) recording = ltt_recording_new(path, NULL, NULL);
	const LttSnapshotRequest request = {
		.recording = recording, .path = run->output, .callbacks = run->callbacks};
	LttSnapshotSummary summary;
	gboolean ok;

	CU_ASSERT_PTR_NOT_NULL_FATAL(recording);
	ok = CALL(ltt_snapshot, request, summary, error);
	CU_ASSERT_TRUE(!ok || summary.n_blocks == run->last.n_done);
	ltt_recording_discard(g_steal_pointer(&recording));
	return ok;
}

static gboolean run_sql_save(const Run *run, GError **error)
{
	const LttSqlRequest database = {.trace = run->trace};
	g_autoptr(LttSql) sql = ltt_sql_new(&database, NULL);
	const LttSqlSaveRequest request = {
		.sql = sql, .path = run->output, .callbacks = run->callbacks};
	LttSqlSaveSummary summary;

	if (!CALL(ltt_sql_save, request, summary, error))
		return FALSE;
	CU_ASSERT_TRUE(summary.n_rows > 0);
	return TRUE;
}

static const Job jobs[] = {
	{.name = "check", .run = run_check},
	{.name = "stat", .run = run_stat},
	{.name = "compare", .run = run_compare},
	{.name = "latency", .run = run_latency},
	{.name = "flame", .run = run_flame},
	{.name = "cut", .run = run_cut, .has_output = TRUE},
	{.name = "split", .run = run_split, .has_output = TRUE},
	{.name = "repair", .run = run_repair, .has_output = TRUE},
	{.name = "join-write", .run = run_join_write, .has_output = TRUE},
	{.name = "snapshot", .run = run_snapshot, .has_output = TRUE},
	{.name = "pack", .run = run_pack, .has_output = TRUE},
	{.name = "pack archive", .run = run_pack_archive, .has_output = TRUE},
	{.name = "redact", .run = run_redact, .has_output = TRUE},
	{.name = "pack redacted", .run = run_pack_redacted, .has_output = TRUE},
	{.name = "open", .run = run_open},
	{.name = "unpack", .run = run_unpack, .has_output = TRUE},
	{"export ctf", run_export, TRUE, "ctf", FALSE, NULL},
	{"export chrome", run_export, TRUE, "chrome", FALSE, NULL},
	{"export csv", run_export, TRUE, "csv", FALSE, NULL},
	{"export split", run_export, TRUE, "json", TRUE, NULL},
	{"export arrow", run_export, TRUE, "arrow", TRUE, NULL},
	{"export clickhouse-ddl", run_export, TRUE, "clickhouse-ddl", FALSE, NULL},
	/* Reads the whole trace without a row. */
	{"export no rows", run_export, TRUE, "arrow", TRUE, "pid == 4000000001"},
	{.name = "import", .run = run_import, .has_output = TRUE},
	{.name = "sql save", .run = run_sql_save, .has_output = TRUE},
};

/* ---- the tests ---- */

static gboolean is_empty(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);

	return dir != NULL && g_dir_read_name(dir) == NULL;
}

/* Runs the job of @run, cancelled at call @cancel_at. Returns: whether it was cancelled */
static gboolean try_job(Run *run, const char *folder, guint cancel_at)
{
	g_autoptr(GError) error = NULL;
	gboolean ok;

	run->cancel_at = cancel_at;
	run->n_calls = 0;
	ok = run->job->run(run, &error);
	if (cancel_at > 0 && run->n_calls >= cancel_at) {
		CU_ASSERT_FALSE(ok);
		UNIT_ASSERT_ERROR(error, LTT_ERROR_CANCELLED, "cancelled");
		CU_ASSERT_EQUAL(run->n_calls, cancel_at);
		CU_ASSERT_TRUE(is_empty(folder));
		return TRUE;
	}
	UNIT_ASSERT_OK(ok, error);
	CU_ASSERT_EQUAL(is_empty(folder), !run->job->has_output);
	return FALSE;
}

static void test_cancelled(void)
{
	g_autofree char *path = unit_data_path("ltt/flight-recorder");
	g_autofree char *archive = unit_temp_path("archive.tar.gz");
	g_autoptr(LttTrace) trace = ltt_trace_open(path, NULL);
	const LttPackRequest pack = {.trace = path, .path = archive};

	CU_ASSERT_TRUE_FATAL(ltt_pack(&pack, NULL, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(jobs); i++) {
		g_autofree char *folder = unit_temp_path("jobs");
		g_autofree char *output = g_build_filename(folder, "out", NULL);
		Run run = {.job = &jobs[i], .trace = trace, .archive = archive, .output = output};
		guint n_cancelled = 0;

		run.callbacks = (LttJobCallbacks){.on_progress = watch, .user_data = &run};
		CU_ASSERT_EQUAL_FATAL(g_mkdir(folder, 0700), 0);
		while (n_cancelled < MAX_RUNS && try_job(&run, folder, n_cancelled + 1))
			n_cancelled++;
		if (n_cancelled == 0)
			unit_assert_text(jobs[i].name, "a job that can be cancelled", __FILE__,
					 __LINE__);
		if (n_cancelled == MAX_RUNS)
			try_job(&run, folder, 0);
		ltt_directory_remove(folder);
	}
}

/* Requests without callbacks and without a summary. */
static void test_without_callbacks(void)
{
	g_autofree char *path = unit_data_path("ltt/flight-recorder");
	g_autoptr(LttTrace) trace = ltt_trace_open(path, NULL);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_check(&(LttCheckRequest){.trace = trace}, NULL, &error), error);
	UNIT_ASSERT_OK(ltt_stat(&(LttStatRequest){.trace = trace}, NULL, &error), error);
	UNIT_ASSERT_OK(ltt_compare(&(LttCompareRequest){.traces = {trace, trace}}, NULL, &error),
		       error);
}

UNIT_MAIN("jobs", UNIT(test_cancelled), UNIT(test_without_callbacks))
