/* parallel.c - print the events of a merge with several threads.
 *
 * The caller's thread steps the merge and copies events into batches. Any thread prints a batch into
 * the buffer of the batch, and any thread, one at a time, writes the buffers in order: a thread that
 * has printed the next batch to write writes it, while its text is in the cache. When no batch is
 * free the caller's thread prints and writes, too. So all processors are busy, whatever costs most.
 *
 *	           written       printed, or being printed       waiting       being filled
 *	  ... | n_written - 1 |  n_written ... n_taken - 1  | n_taken ... |   n_filled   |
 *	          a ring of batches, in the order of their events; places are used again
 *
 * Payloads are not copied: a shelf keeps the blocks in which they lie until all batches with events
 * of them are written. Batches and shelf are bounded. So neither the output nor, but for a constant,
 * the memory depends on the number of threads.
 */
#include "print/printer-priv.h"

#include "reader/merge-priv.h"

#define BATCH_EVENTS     512
#define BATCH_TEXT_BYTES (128 * 1024)

/* Maximum of payloads in a batch. Their text is several times as long. A single event with more is
 * printed alone, through the buffer of the caller's printer. */
#define BATCH_PAYLOAD_BYTES (64 * 1024)

/* Maximum of the blocks on the shelf: several of the usual size. */
#define SHELF_BYTES ((gsize)4 * 1024 * 1024)

/* Two batches for each thread, one in progress and one waiting, plus one being filled and one being
 * written. */
#define BATCHES_OF_A_THREAD 2
#define MORE_BATCHES        2

typedef struct Batch {
	LttEvent events[BATCH_EVENTS];
	guint n_events;
	guint64 n_payload_bytes;
	guint64 time_base_ns; /* LTT_PRINT_TIME_DELTA: the time before the first event */
	gboolean has_base;
	gboolean is_printed; /* under the lock */

	char *text; /* BATCH_TEXT_BYTES */
	gsize n_text_bytes;
	GByteArray *spilled; /* text that did not fit; written first */
	GError *error;       /* error of the events after the text */
} Batch;

/* One thread; the first is the caller's. */
typedef struct Worker {
	struct Printing *printing;
	LttPrinter *printer;
	GThread *thread;
} Worker;

typedef struct Printing {
	LttPrinter *printer; /* of the caller; its sink belongs to the thread that writes */
	LttMerge *merge;
	LttShelf *shelf;
	Worker *workers;
	guint n_workers;
	gboolean has_started; /* the threads */

	Batch *batches; /* the ring */
	guint n_batches;

	GMutex lock;       /* protects the members below and the states of the batches */
	GCond has_work;    /* wakes a worker */
	GCond has_written; /* wakes the caller's thread */
	guint n_idle;      /* workers that wait */
	gboolean caller_waits;
	guint64 n_filled;    /* batches handed over; the next one is being filled */
	guint64 n_taken;     /* batches that a thread has begun to print */
	guint64 n_written;   /* batches written */
	gboolean is_writing; /* a thread writes batch n_written */
	GError *error;       /* fatal error; NULL: none */
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
	ltt_printer_events(printer, batch->events, batch->n_events, &batch->error);
	batch->n_text_bytes = (gsize)(printer->sink.at - batch->text);
	ltt_sink_clear(&printer->sink);
}

/* Returns: FALSE with an error if nothing more can be printed */
static gboolean write_batch(LttSink *sink, Batch *batch, GError **error)
{
	ltt_sink_pass_on(sink, (const char *)batch->spilled->data, batch->spilled->len);
	ltt_sink_pass_on(sink, batch->text, batch->n_text_bytes);
	if (!ltt_sink_check(sink, error))
		return FALSE;
	if (batch->error == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&batch->error));
	return FALSE;
}

/* ---- any thread: called with the lock held; the lock is released during the work ---- */

/* Writes the next batch if it is printed. Returns: FALSE if it is not, or if another thread writes */
static gboolean write_next(Printing *printing)
{
	Batch *batch = get_batch(printing, printing->n_written);
	GError *error = NULL;

	if (printing->is_writing || printing->error != NULL ||
	    printing->n_written == printing->n_taken || !batch->is_printed)
		return FALSE;
	printing->is_writing = TRUE;
	g_mutex_unlock(&printing->lock);
	write_batch(&printing->printer->sink, batch, &error);
	g_mutex_lock(&printing->lock);
	printing->is_writing = FALSE;
	printing->error = error;
	printing->n_written++;
	if (printing->caller_waits)
		g_cond_signal(&printing->has_written);
	return TRUE;
}

/* Prints the batch that has waited longest. Returns: FALSE if none waits */
static gboolean print_next(Worker *worker)
{
	Printing *printing = worker->printing;
	Batch *batch;

	if (printing->n_taken == printing->n_filled)
		return FALSE;
	batch = get_batch(printing, printing->n_taken++);
	g_mutex_unlock(&printing->lock);
	print_batch(worker->printer, batch);
	g_mutex_lock(&printing->lock);
	batch->is_printed = TRUE;
	return TRUE;
}

static gpointer run_worker(gpointer data)
{
	Worker *worker = data;
	Printing *printing = worker->printing;

	g_mutex_lock(&printing->lock);
	while (!printing->ends) {
		if (write_next(printing) || print_next(worker))
			continue;
		printing->n_idle++;
		g_cond_wait(&printing->has_work, &printing->lock);
		printing->n_idle--;
	}
	g_mutex_unlock(&printing->lock);
	return NULL;
}

/* ---- the caller's thread ---- */

/* Where no thread can be started the caller's thread does all the work. */
static void start_threads(Printing *printing)
{
	printing->has_started = TRUE;
	for (guint i = 1; i < printing->n_workers; i++)
		printing->workers[i].thread =
			g_thread_try_new("ltt-print", run_worker, &printing->workers[i], NULL);
}

/* Prints and writes until at most @n_left batches are not written. Returns: FALSE with an error if
 * nothing more can be printed */
static gboolean work_off(Printing *printing, guint64 n_left, GError **error)
{
	gboolean ok;

	g_mutex_lock(&printing->lock);
	while (printing->error == NULL && printing->n_filled - printing->n_written > n_left) {
		if (write_next(printing) || print_next(&printing->workers[0]))
			continue;
		printing->caller_waits = TRUE;
		g_cond_wait(&printing->has_written, &printing->lock);
		printing->caller_waits = FALSE;
	}
	ok = printing->error == NULL;
	if (!ok)
		g_propagate_error(error, g_error_copy(printing->error));
	if (printing->n_written > 0)
		ltt_shelf_release(printing->shelf, printing->n_written - 1);
	g_mutex_unlock(&printing->lock);
	return ok;
}

/* Makes room for a further batch. */
static gboolean make_room(Printing *printing, GError **error)
{
	if (!work_off(printing, printing->n_batches - 1, error))
		return FALSE;
	return ltt_shelf_get_bytes(printing->shelf) <= SHELF_BYTES || work_off(printing, 0, error);
}

static Batch *begin_batch(Printing *printing)
{
	Batch *batch = get_batch(printing, printing->n_filled);

	batch->n_events = 0;
	batch->n_payload_bytes = 0;
	batch->time_base_ns = printing->printer->time_base_ns;
	batch->has_base = printing->printer->has_base;
	batch->is_printed = FALSE;
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
	/* Not for a few events. */
	if (!printing->has_started && batch->n_events == BATCH_EVENTS)
		start_threads(printing);
	g_mutex_lock(&printing->lock);
	printing->n_filled++;
	/* A wake-up costs as much as many lines: one for a batch, and none if all threads work. */
	if (printing->n_idle > 0)
		g_cond_signal(&printing->has_work);
	g_mutex_unlock(&printing->lock);
}

/* Fills a batch and hands it over. Returns: FALSE with an error if nothing more can be printed;
 * else @step is how the merge ended */
static gboolean fill_batch(Printing *printing, LttStep *step, GError **step_error, GError **error)
{
	Batch *batch = begin_batch(printing);
	const LttEvent *event;

	do {
		batch->n_events += ltt_merge_copy(printing->merge, &batch->events[batch->n_events],
						  BATCH_EVENTS - batch->n_events,
						  BATCH_PAYLOAD_BYTES, &batch->n_payload_bytes);
		*step = LTT_STEP_EVENT;
		if (batch->n_events == BATCH_EVENTS)
			break;
		*step = ltt_merge_next(printing->merge, &event, step_error);
		if (*step != LTT_STEP_EVENT)
			break;
		if (G_UNLIKELY(event->payload_bytes > BATCH_PAYLOAD_BYTES)) {
			hand_over(printing, batch);
			return work_off(printing, 0, error) &&
			       ltt_printer_event(printing->printer, event, error) &&
			       ltt_printer_flush(printing->printer, error);
		}
		batch->events[batch->n_events++] = *event;
		batch->n_payload_bytes += event->payload_bytes;
	} while (batch->n_events < BATCH_EVENTS && batch->n_payload_bytes <= BATCH_PAYLOAD_BYTES);
	hand_over(printing, batch);
	return TRUE;
}

static gboolean print_all(Printing *printing, LttStep *step, GError **step_error, GError **error)
{
	do {
		if (!make_room(printing, error) || !fill_batch(printing, step, step_error, error))
			return FALSE;
	} while (*step == LTT_STEP_EVENT);
	return work_off(printing, 0, error);
}

/* ---- beginning and end ---- */

static void begin(Printing *printing)
{
	g_mutex_init(&printing->lock);
	g_cond_init(&printing->has_work);
	g_cond_init(&printing->has_written);
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
	g_clear_error(&printing->error);
	ltt_merge_set_shelf(printing->merge, NULL);
	ltt_shelf_free(printing->shelf);
	g_cond_clear(&printing->has_work);
	g_cond_clear(&printing->has_written);
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
