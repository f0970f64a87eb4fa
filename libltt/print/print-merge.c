/* print-merge.c - the events of a merge as lines, printed by several threads.
 *
 * The caller's thread steps the merge and copies events into batches; whoever is free prints one
 * into its buffer; the caller's thread writes the buffers in order. While there is nothing to write
 * and no room for a further batch it prints, too.
 *
 *	          written        printed, or under way     wait        being filled
 *	  ... | first_batch  |          ...           | next_print |    n_filled     |
 *	         the ring of batches, in order of events; places are used again
 *
 * Payloads are not copied: a shelf keeps the blocks that they lie in until all batches with events
 * of them are written. What batches and shelf hold has a ceiling. So the output and the memory do
 * not depend on the number of threads, but for a constant.
 */
#include "print/printer-priv.h"

#include "reader/merge-priv.h"

#define BATCH_EVENTS     512
#define BATCH_TEXT_BYTES (128 * 1024)

/* Of the payloads of a batch. Text is some times as long; a single event with more than this is
 * printed alone, through the buffer of the caller's printer. */
#define BATCH_PAYLOAD_BYTES (64 * 1024)

/* Of blocks that are kept for batches: some of the usual size. */
#define SHELF_BYTES ((gsize)4 * 1024 * 1024)

/* Each thread has one batch in hand and one waiting, and so has who fills and who writes. */
#define BATCHES_OF_A_THREAD 2
#define MORE_BATCHES        2

typedef enum BatchState { BATCH_WAITS, BATCH_PRINTED } BatchState;

typedef struct Batch {
	LttEvent events[BATCH_EVENTS];
	guint n_events;
	guint64 n_payload_bytes;
	guint64 time_base_ns; /* LTT_PRINT_TIME_DELTA: the time before the first event */
	gboolean has_base;
	BatchState state; /* under the lock */

	char *text; /* BATCH_TEXT_BYTES */
	gsize n_text_bytes;
	GByteArray *spilled; /* what did not fit; written first */
	GError *error;       /* why the events behind the text cannot be printed */
} Batch;

/* One thread; the first is the caller's. */
typedef struct Worker {
	struct Printing *printing;
	LttPrinter *printer;
	GThread *thread;
} Worker;

typedef struct Printing {
	LttPrinter *printer; /* the caller's */
	LttMerge *merge;
	LttShelf *shelf;
	Worker *workers;
	guint n_workers;
	gboolean has_started; /* the threads */

	Batch *batches; /* the ring */
	guint n_batches;
	guint64 n_filled;    /* batches handed over; the next one is being filled */
	guint64 first_batch; /* the first that is not written */

	GMutex lock;          /* of what follows, and of the states of batches */
	GCond has_work;       /* wakes a worker */
	GCond has_printed;    /* wakes the caller: @awaited is printed */
	const Batch *awaited; /* the batch that the caller waits for; NULL: none */
	guint64 n_waiting;    /* as n_filled */
	guint64 next_print;   /* the first that nobody has begun to print */
	gboolean ends;
} Printing;

static Batch *get_batch(const Printing *printing, guint64 number)
{
	return &printing->batches[number % printing->n_batches];
}

/* ---- printing a batch ---- */

/* An LttSinkFunc: the text of the batch is longer than its buffer. */
static gboolean spill(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	Batch *batch = user_data;

	(void)error;
	g_byte_array_append(batch->spilled, (const guint8 *)bytes, (guint)length);
	return TRUE;
}

static void print_batch(LttPrinter *printer, Batch *batch)
{
	ltt_sink_init_on(&printer->sink, batch->text, BATCH_TEXT_BYTES, spill, batch);
	printer->time_base_ns = batch->time_base_ns;
	printer->has_base = batch->has_base;
	for (guint i = 0; i < batch->n_events; i++) {
		if (!ltt_printer_event(printer, &batch->events[i], &batch->error))
			break;
	}
	batch->n_text_bytes = (gsize)(printer->sink.at - batch->text);
	ltt_sink_clear(&printer->sink);
}

/* Prints the batch that has waited longest. Called, and returns, with the lock held. Returns: FALSE
 * if none waits */
static gboolean print_next(Worker *worker)
{
	Printing *printing = worker->printing;
	Batch *batch;

	if (printing->next_print == printing->n_waiting)
		return FALSE;
	batch = get_batch(printing, printing->next_print++);
	g_mutex_unlock(&printing->lock);
	print_batch(worker->printer, batch);
	g_mutex_lock(&printing->lock);
	batch->state = BATCH_PRINTED;
	if (batch == printing->awaited)
		g_cond_signal(&printing->has_printed);
	return TRUE;
}

static gpointer run_worker(gpointer data)
{
	Worker *worker = data;
	Printing *printing = worker->printing;

	g_mutex_lock(&printing->lock);
	while (!printing->ends) {
		if (!print_next(worker))
			g_cond_wait(&printing->has_work, &printing->lock);
	}
	g_mutex_unlock(&printing->lock);
	return NULL;
}

/* Where no thread can be started the caller's does it all. */
static void start_threads(Printing *printing)
{
	printing->has_started = TRUE;
	for (guint i = 1; i < printing->n_workers; i++)
		printing->workers[i].thread =
			g_thread_try_new("ltt-print", run_worker, &printing->workers[i], NULL);
}

/* ---- writing batches ---- */

/* Waits for the first batch that is not written and writes it, printing others meanwhile. Returns:
 * FALSE with an error if nothing more can be printed */
static gboolean write_batch(Printing *printing, GError **error)
{
	Batch *batch = get_batch(printing, printing->first_batch);
	LttSink *sink = &printing->printer->sink;

	g_mutex_lock(&printing->lock);
	printing->awaited = batch;
	while (batch->state != BATCH_PRINTED) {
		if (!print_next(&printing->workers[0]))
			g_cond_wait(&printing->has_printed, &printing->lock);
	}
	printing->awaited = NULL;
	g_mutex_unlock(&printing->lock);
	ltt_sink_pass_on(sink, (const char *)batch->spilled->data, batch->spilled->len);
	ltt_sink_pass_on(sink, batch->text, batch->n_text_bytes);
	if (!ltt_sink_check(sink, error))
		return FALSE;
	if (batch->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&batch->error));
		return FALSE;
	}
	ltt_shelf_release(printing->shelf, printing->first_batch);
	printing->first_batch++;
	return TRUE;
}

static gboolean write_all(Printing *printing, GError **error)
{
	while (printing->first_batch < printing->n_filled)
		if (!write_batch(printing, error))
			return FALSE;
	return TRUE;
}

static gboolean is_printed(Printing *printing, const Batch *batch)
{
	gboolean is_it;

	g_mutex_lock(&printing->lock);
	is_it = batch->state == BATCH_PRINTED;
	g_mutex_unlock(&printing->lock);
	return is_it;
}

/* Writes what is ready, and what has to be out of the way before a further batch is begun. */
static gboolean make_room(Printing *printing, GError **error)
{
	while (printing->first_batch < printing->n_filled) {
		const gboolean is_full =
			printing->n_filled - printing->first_batch == printing->n_batches ||
			ltt_shelf_get_bytes(printing->shelf) > SHELF_BYTES;

		if (!is_full && !is_printed(printing, get_batch(printing, printing->first_batch)))
			break;
		if (!write_batch(printing, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- filling batches ---- */

static Batch *begin_batch(Printing *printing)
{
	Batch *batch = get_batch(printing, printing->n_filled);

	batch->n_events = 0;
	batch->n_payload_bytes = 0;
	batch->time_base_ns = printing->printer->time_base_ns;
	batch->has_base = printing->printer->has_base;
	batch->state = BATCH_WAITS;
	g_byte_array_set_size(batch->spilled, 0);
	ltt_shelf_set_mark(printing->shelf, printing->n_filled);
	return batch;
}

static void hand_over(Printing *printing, const Batch *batch)
{
	LttPrinter *printer = printing->printer;

	if (batch->n_events == 0)
		return;
	if (printer->time == LTT_PRINT_TIME_DELTA) {
		printer->time_base_ns = batch->events[batch->n_events - 1].time_ns;
		printer->has_base = TRUE;
	}
	printing->n_filled++;
	/* Not for a few events. */
	if (!printing->has_started && batch->n_events == BATCH_EVENTS)
		start_threads(printing);
	g_mutex_lock(&printing->lock);
	printing->n_waiting = printing->n_filled;
	/* One batch, one thread: a needless wake-up costs as much as many lines. */
	g_cond_signal(&printing->has_work);
	g_mutex_unlock(&printing->lock);
}

/* Fills a batch and hands it over. Returns: FALSE with an error if nothing more can be printed;
 * else @step tells how it ended */
static gboolean fill_batch(Printing *printing, LttStep *step, GError **step_error, GError **error)
{
	Batch *batch = begin_batch(printing);
	const LttEvent *event;

	while ((*step = ltt_merge_next(printing->merge, &event, step_error)) == LTT_STEP_EVENT) {
		if (G_UNLIKELY(event->payload_bytes > BATCH_PAYLOAD_BYTES)) {
			hand_over(printing, batch);
			return write_all(printing, error) &&
			       ltt_printer_event(printing->printer, event, error) &&
			       ltt_printer_flush(printing->printer, error);
		}
		batch->events[batch->n_events++] = *event;
		batch->n_payload_bytes += event->payload_bytes;
		if (batch->n_events == BATCH_EVENTS || batch->n_payload_bytes > BATCH_PAYLOAD_BYTES)
			break;
	}
	hand_over(printing, batch);
	return TRUE;
}

static gboolean print_all(Printing *printing, LttStep *step, GError **step_error, GError **error)
{
	do {
		if (!make_room(printing, error) || !fill_batch(printing, step, step_error, error))
			return FALSE;
	} while (*step == LTT_STEP_EVENT);
	return write_all(printing, error);
}

/* ---- beginning and end ---- */

static void begin(Printing *printing)
{
	g_mutex_init(&printing->lock);
	g_cond_init(&printing->has_work);
	g_cond_init(&printing->has_printed);
	printing->shelf = ltt_shelf_new();
	ltt_merge_set_shelf(printing->merge, printing->shelf);
	printing->n_batches = printing->n_workers * BATCHES_OF_A_THREAD + MORE_BATCHES;
	printing->batches = g_new0(Batch, printing->n_batches);
	for (guint i = 0; i < printing->n_batches; i++) {
		printing->batches[i].text = g_malloc(BATCH_TEXT_BYTES);
		printing->batches[i].spilled = g_byte_array_new();
	}
	printing->workers = g_new0(Worker, printing->n_workers);
	for (guint i = 0; i < printing->n_workers; i++) {
		printing->workers[i].printing = printing;
		printing->workers[i].printer = ltt_printer_dup(printing->printer);
	}
}

static void end(Printing *printing)
{
	g_mutex_lock(&printing->lock);
	printing->ends = TRUE;
	g_cond_broadcast(&printing->has_work);
	g_mutex_unlock(&printing->lock);
	for (guint i = 0; i < printing->n_workers; i++) {
		if (printing->workers[i].thread != NULL)
			g_thread_join(printing->workers[i].thread);
		ltt_printer_free(printing->workers[i].printer);
	}
	for (guint i = 0; i < printing->n_batches; i++) {
		g_free(printing->batches[i].text);
		g_byte_array_unref(printing->batches[i].spilled);
		g_clear_error(&printing->batches[i].error);
	}
	g_free(printing->workers);
	g_free(printing->batches);
	ltt_merge_set_shelf(printing->merge, NULL);
	ltt_shelf_free(printing->shelf);
	g_cond_clear(&printing->has_work);
	g_cond_clear(&printing->has_printed);
	g_mutex_clear(&printing->lock);
}

static gboolean print_alone(LttPrinter *printer, LttMerge *merge, LttStep *step,
			    GError **step_error, GError **error)
{
	const LttEvent *event;

	while ((*step = ltt_merge_next(merge, &event, step_error)) == LTT_STEP_EVENT)
		if (!ltt_printer_event(printer, event, error))
			return FALSE;
	return ltt_printer_flush(printer, error);
}

static gboolean print_together(LttPrinter *printer, LttMerge *merge, guint n_threads, LttStep *step,
			       GError **step_error, GError **error)
{
	Printing printing = {.printer = printer, .merge = merge, .n_workers = n_threads};
	gboolean ok;

	ltt_printer_need_base(printer);
	if (!ltt_printer_flush(printer, error))
		return FALSE;
	begin(&printing);
	ok = print_all(&printing, step, step_error, error);
	end(&printing);
	return ok;
}

gboolean ltt_printer_merge(LttPrinter *printer, LttMerge *merge, guint n_threads, LttStep *step,
			   GError **step_error, GError **error)
{
	const guint n_used = CLAMP(n_threads, 1, LTT_MAX_PRINT_THREADS);

	if (n_used > 1 ? print_together(printer, merge, n_used, step, step_error, error)
		       : print_alone(printer, merge, step, step_error, error))
		return TRUE;
	g_clear_error(step_error);
	return FALSE;
}
