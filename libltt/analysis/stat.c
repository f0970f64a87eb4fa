/* stat.c - count the events of a trace: split the work and combine the results.
 *
 * A part is a range of consecutive blocks of a tracefile. Results that depend on the order, such as
 * gaps and damage, are combined part by part in the order of the trace. All other results are sums,
 * which each worker keeps until the end. So the result does not depend on the number of workers.
 */
#include "analysis/stat-priv.h"
#include "base/crew-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "base/sum-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

/* Size of a part: small enough to balance the load, large enough to limit the number of parts of a
 * large trace. */
#define MIN_PART_BYTES  ((guint64)64 * 1024)
#define MAX_PART_BYTES  ((guint64)16 * 1024 * 1024)
#define PARTS_OF_A_FILE 512

/* The blocks of a tracefile to count. */
typedef struct File {
	LttTracefile *tracefile;
	guint64 position;
	guint64 end;
	LttLosses losses; /* before them and in them */
} File;

typedef struct Counting {
	LttStatTask task;
	const LttStatRequest *request;
	gboolean has_window;
	GArray *files;      /* of File */
	GArray *parts;      /* of LttStatPart */
	GPtrArray *workers; /* of LttStatWorker */
	LttStatSummary stat;
	guint64 n_blocks; /* of all parts */
	guint64 n_blocks_done;
	guint64 tail_ns;   /* time of the last event of the current tracefile */
	guint file;        /* index of the current tracefile in files; G_MAXUINT: none yet */
	gint has_too_many; /* windows; atomic */
	GError *error;     /* ends the counting; NULL: none */
} Counting;

/* ---- parts ---- */

static void list_files(Counting *counting)
{
	const LttStatTask *task = &counting->task;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(task->trace); i++) {
		const File file = {.tracefile = ltt_trace_get_tracefile(task->trace, i)};

		if (task->select == NULL ||
		    ltt_select_wants_tracefile(task->select, file.tracefile))
			g_array_append_val(counting->files, file);
	}
}

/* Finds the blocks of a file to count. */
static void look_at_file(gpointer worker, gsize job, gpointer user_data)
{
	const Counting *counting = user_data;
	File *file = &g_array_index(counting->files, File, job);

	(void)worker;
	if (counting->has_window)
		ltt_tracefile_find_window(file->tracefile, counting->task.from_ns,
					  counting->task.from_ns + counting->task.span_ns,
					  &file->position, &file->end);
	else
		file->end = ltt_tracefile_get_n_ordered(file->tracefile);
	if (file->position < file->end)
		file->losses = ltt_losses_before(file->tracefile, file->position);
}

static void add_part(Counting *counting, guint index, guint64 position, guint64 end)
{
	const LttStatPart part = {
		.tracefile = g_array_index(counting->files, File, index).tracefile,
		.file = index,
		.position = position,
		.end = end,
	};

	g_array_append_val(counting->parts, part);
	counting->n_blocks += end - position;
}

/* Adds the incomplete blocks from @position up to @end, which may hold events of any time. */
static void add_open_blocks(Counting *counting, guint index, guint64 position, guint64 end)
{
	LttTracefile *tracefile = g_array_index(counting->files, File, index).tracefile;
	guint64 at = position;

	while ((at = ltt_tracefile_next_in_window(tracefile, 0, 0, at)) < end) {
		add_part(counting, index, at, at + 1);
		at++;
	}
}

static void split_file(Counting *counting, guint index)
{
	const File file = g_array_index(counting->files, File, index);
	const guint64 block_bytes = file.tracefile->block_bytes;
	const guint64 file_bytes = (file.end - file.position) * block_bytes;
	const guint64 part_bytes =
		CLAMP(file_bytes / PARTS_OF_A_FILE, MIN_PART_BYTES, MAX_PART_BYTES);
	const guint64 n_blocks = MAX(part_bytes / block_bytes, 1);

	if (counting->has_window)
		add_open_blocks(counting, index, 0, file.position);
	for (guint64 at = file.position; at < file.end; at += n_blocks)
		add_part(counting, index, at, MIN(at + n_blocks, file.end));
	if (counting->has_window)
		add_open_blocks(counting, index, file.end,
				ltt_tracefile_get_n_ordered(file.tracefile));
}

static void set_times(Counting *counting)
{
	LttStatTask *task = &counting->task;
	guint64 from_ns = 0;
	guint64 to_ns = G_MAXUINT64;
	guint64 end_ns;

	counting->has_window =
		task->select != NULL && ltt_select_get_window(task->select, &from_ns, &to_ns);
	task->from_ns = from_ns;
	task->span_ns = to_ns > from_ns ? to_ns - from_ns : 0;
	task->interval_ns = counting->request->interval_ns;
	task->origin_ns = from_ns;
	if (from_ns == 0 && task->interval_ns != 0)
		ltt_trace_get_span(task->trace, &task->origin_ns, &end_ns);
}

static void clear_part(gpointer part)
{
	g_clear_pointer(&((LttStatPart *)part)->errors, g_ptr_array_unref);
}

/* ---- counting ---- */

static void count_part(gpointer worker, gsize job, gpointer user_data)
{
	Counting *counting = user_data;

	if (g_atomic_int_get(&counting->has_too_many))
		return;
	ltt_stat_worker_run(worker, &g_array_index(counting->parts, LttStatPart, job));
	if (ltt_stat_worker_has_too_many(worker))
		g_atomic_int_set(&counting->has_too_many, TRUE);
}

static void take_gap(LttStatTracefile *file, guint64 gap_ns, guint64 start_ns)
{
	if (gap_ns <= file->gap_ns)
		return;
	file->gap_ns = gap_ns;
	file->gap_start_ns = start_ns;
}

/* Reports the damaged blocks of a part. Returns: FALSE if a block could not be read */
static gboolean report_errors(Counting *counting, LttStatPart *part)
{
	gboolean ok = TRUE;

	for (guint i = 0; ok && part->errors != NULL && i < part->errors->len; i++)
		ok = ltt_job_pass_damage(&counting->request->callbacks, part->errors->pdata[i],
					 &counting->error);
	g_clear_pointer(&part->errors, g_ptr_array_unref);
	return ok;
}

/* Adds a part to the results of its file. Parts are added in order. */
static gboolean take_part(gsize job, gpointer user_data)
{
	Counting *counting = user_data;
	LttStatPart *part = &g_array_index(counting->parts, LttStatPart, job);
	LttStatTracefile *result = &counting->stat.tracefiles[part->file];
	File *file = &g_array_index(counting->files, File, part->file);

	if (g_atomic_int_get(&counting->has_too_many))
		return FALSE;
	if (counting->file != part->file)
		counting->tail_ns = LTT_STAT_NO_TIME;
	counting->file = part->file;
	if (part->head_ns != LTT_STAT_NO_TIME) {
		if (part->head_ns > counting->tail_ns)
			take_gap(result, part->head_ns - counting->tail_ns, counting->tail_ns);
		take_gap(result, part->gap_ns, part->gap_start_ns);
		counting->tail_ns = part->tail_ns;
	}
	ltt_stat_add(&result->count, &part->count);
	ltt_losses_add(&file->losses, &part->losses);
	counting->n_blocks_done += part->end - part->position;
	return report_errors(counting, part) &&
	       ltt_job_progress(&counting->request->callbacks, LTT_PROGRESS_BLOCKS,
				counting->n_blocks_done, counting->n_blocks, &counting->error);
}

static void count_all(Counting *counting)
{
	const guint n_cpus = g_get_num_processors();
	const guint n_wanted =
		counting->request->n_threads != 0 ? counting->request->n_threads : n_cpus;
	const guint n_workers = CLAMP(n_wanted, 1, LTT_MAX_STAT_THREADS);
	LttCrewWork look = {counting->files->len, look_at_file, NULL, counting};
	LttCrewWork count = {0, count_part, take_part, counting};

	for (guint i = 0; i < n_workers; i++)
		g_ptr_array_add(counting->workers, ltt_stat_worker_new(&counting->task));
	ltt_crew_run(&look, counting->workers->pdata, n_workers);
	for (guint i = 0; i < counting->files->len; i++)
		split_file(counting, i);
	count.n_jobs = counting->parts->len;
	ltt_crew_run(&count, counting->workers->pdata, n_workers);
}

/* ---- the result ---- */

/* Places of tracefiles in the trace, by name. */
static guint place_of_problem(LttTrace *trace, const LttProblem *problem)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (g_strcmp0(problem->tracefile, tracefile->name) == 0)
			return i + 1;
	}
	return 0;
}

static gint compare_problems(gconstpointer left, gconstpointer right, gpointer trace)
{
	const LttProblem *const *a = left;
	const LttProblem *const *b = right;

	return (gint)place_of_problem(trace, *a) - (gint)place_of_problem(trace, *b);
}

/* The problems of one tracefile are in order, but the order of tracefiles is random. */
static void sort_problems(LttTrace *trace, guint n_before)
{
	g_autoptr(GPtrArray) added = g_ptr_array_new();

	g_mutex_lock(&trace->lock);
	for (guint i = n_before; i < trace->problems->len; i++)
		g_ptr_array_add(added, trace->problems->pdata[i]);
	g_ptr_array_sort_with_data(added, compare_problems, trace);
	for (guint i = 0; i < added->len; i++)
		trace->problems->pdata[n_before + i] = added->pdata[i];
	g_mutex_unlock(&trace->lock);
}

/* Without events the times are 0. */
static void finish(LttStatCount *count)
{
	if (count->n_events == 0)
		count->first_ns = 0;
}

static void put_together(Counting *counting)
{
	LttStatSummary *stat = &counting->stat;
	LttStatSums sums;

	ltt_stat_sums_init(&sums);
	for (guint i = 0; i < counting->workers->len; i++)
		ltt_stat_worker_give(counting->workers->pdata[i], &sums);
	ltt_stat_sums_give(&sums, stat);
	ltt_stat_sums_clear(&sums);
	finish(&stat->no_process);

	for (guint i = 0; i < stat->n_tracefiles; i++) {
		const File *file = &g_array_index(counting->files, File, i);
		LttStatTracefile *result = &stat->tracefiles[i];

		ltt_stat_add(&stat->total, &result->count);
		finish(&result->count);
		result->n_lost = ltt_losses_get(&file->losses);
		ltt_sum_add(&stat->n_lost, result->n_lost);
	}
	finish(&stat->total);
	ltt_stat_name_processes(counting->task.trace, stat);
	stat->losses = ltt_loss_reasons_new(counting->task.trace, counting->task.select);
	ltt_sum_add(&stat->n_lost, stat->losses->n_unfiled);
}

static void begin_summary(LttStatSummary *stat, const GArray *files)
{
	stat->total = LTT_STAT_NO_COUNT;
	stat->n_tracefiles = files->len;
	stat->tracefiles = g_new0(LttStatTracefile, files->len);
	for (guint i = 0; i < files->len; i++) {
		stat->tracefiles[i].count = LTT_STAT_NO_COUNT;
		stat->tracefiles[i].count.name =
			ltt_tracefile_get_name(g_array_index(files, File, i).tracefile);
		stat->tracefiles[i].label =
			ltt_tracefile_get_label(g_array_index(files, File, i).tracefile);
		stat->tracefiles[i].host =
			ltt_tracefile_get_host(g_array_index(files, File, i).tracefile);
	}
}

/* Returns: FALSE if there are more windows than LTT_MAX_STAT_WINDOWS */
static gboolean finish_summary(Counting *counting, GError **error)
{
	if (!counting->has_too_many)
		put_together(counting);
	if (!counting->has_too_many && counting->stat.n_windows <= LTT_MAX_STAT_WINDOWS)
		return TRUE;
	return ltt_fail(error, LTT_ERROR_LIMIT,
			"more than %d windows with events: expected a longer interval",
			LTT_MAX_STAT_WINDOWS);
}

gboolean ltt_stat(const LttStatRequest *request, LttStatSummary *summary, GError **error)
{
	const guint n_problems = ltt_trace_get_n_problems(request->trace);
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(File));
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(LttStatPart));
	g_autoptr(GPtrArray) workers =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_stat_worker_free);
	Counting counting = {
		.task = {.trace = request->trace, .select = request->select},
		.request = request,
		.files = files,
		.parts = parts,
		.workers = workers,
		.file = G_MAXUINT,
	};
	gboolean ok;

	g_array_set_clear_func(parts, clear_part);
	set_times(&counting);
	list_files(&counting);
	begin_summary(&counting.stat, files);
	count_all(&counting);
	sort_problems(request->trace, n_problems);
	ok = counting.error == NULL && finish_summary(&counting, &counting.error);
	if (!ok)
		g_propagate_error(error, counting.error);
	if (ok && summary != NULL)
		*summary = counting.stat;
	else
		ltt_stat_summary_clear(&counting.stat);
	return ok;
}

void ltt_stat_summary_clear(LttStatSummary *summary)
{
	for (guint i = 0; i < summary->n_processes; i++)
		g_free((char *)summary->processes[i].count.name);
	for (guint i = 0; i < summary->n_threads; i++)
		g_free((char *)summary->threads[i].count.name);
	ltt_loss_reasons_free(summary->losses);
	g_free(summary->types);
	g_free(summary->tracefiles);
	g_free(summary->processes);
	g_free(summary->threads);
	g_free(summary->windows);
	*summary = (LttStatSummary){0};
}
