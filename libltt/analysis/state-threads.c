/* state-threads.c - see state-threads-priv.h. */
#include "analysis/state-threads-priv.h"

static guint64 make_id(guint32 recording, guint32 tid)
{
	return (guint64)recording << 32 | tid;
}

void ltt_state_threads_init(LttStateThreads *threads, LttTrace *trace, guint64 from_ns,
			    guint64 to_ns)
{
	/* g_int64_hash() uses the thread of an id only, which a hash of 32 bits tells from all
	 * others. The last stretches of the threads are given in the order of this table, so its
	 * order must not differ between processes. */
	*threads = (LttStateThreads){
		.recordings = ltt_state_recordings_new(trace),
		.by_id = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free),
		.gaps = g_array_new(FALSE, FALSE, sizeof(LttStateGap)),
		.ready = g_array_new(FALSE, FALSE, sizeof(LttStretch)),
		.from_ns = from_ns,
		.to_ns = to_ns,
	};
}

void ltt_state_threads_clear(LttStateThreads *threads)
{
	ltt_state_recordings_free(threads->recordings);
	g_hash_table_unref(threads->by_id);
	g_array_unref(threads->gaps);
	g_array_unref(threads->ready);
}

/* ---- stretches ---- */

gboolean ltt_state_is_hidden(const LttStateThreads *threads, guint32 recording, guint32 tid,
			     const LttTracefile *cpu)
{
	const LttStretch subject = {
		.subject = cpu != NULL ? LTT_STRETCH_OF_CPU : LTT_STRETCH_OF_THREAD,
		.machine = ltt_state_recordings_get(threads->recordings, recording).machine,
		.recording = recording,
		.has_tid = cpu == NULL,
		.tid = tid,
		.cpu = cpu,
	};

	return threads->is_wanted != NULL && !threads->is_wanted(&subject, threads->wanted_data);
}

void ltt_state_threads_hide(LttStateThreads *threads)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, threads->by_id);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		LttStateThread *thread = data;

		thread->is_hidden =
			ltt_state_is_hidden(threads, thread->recording, thread->tid, NULL);
	}
}

void ltt_state_give(LttStateThreads *threads, const LttStretch *stretch)
{
	const LttStateRecording recording =
		ltt_state_recordings_get(threads->recordings, stretch->recording);
	const guint64 from_ns = MAX(threads->from_ns, recording.start_ns);
	const guint64 to_ns = MIN(threads->to_ns, recording.end_ns);
	LttStretch cut = *stretch;

	cut.machine = recording.machine;
	if (cut.begin_ns < from_ns) {
		cut.begin_ns = from_ns;
		cut.has_begun = FALSE;
	}
	if (cut.end_ns > to_ns) {
		cut.end_ns = to_ns;
		cut.has_ended = FALSE;
	}
	if (cut.begin_ns < cut.end_ns)
		g_array_append_val(threads->ready, cut);
}

static void give(LttStateThreads *threads, const LttStateThread *thread, guint64 end_ns,
		 LttThreadState next, gboolean has_ended)
{
	const gboolean is_running = thread->state == LTT_THREAD_RUNNING;
	const gboolean has_waker = thread->state == LTT_THREAD_RUNNABLE ||
				   thread->state == LTT_THREAD_WAITING ||
				   thread->state == LTT_THREAD_PREEMPTED;
	const gboolean has_wait =
		thread->state == LTT_THREAD_WAITING || (is_running && next == LTT_THREAD_WAITING);

	if (thread->is_hidden)
		return;
	ltt_state_give(threads, &(const LttStretch){
					.subject = LTT_STRETCH_OF_THREAD,
					.begin_ns = thread->since_ns,
					.end_ns = end_ns,
					.recording = thread->recording,
					.has_begun = thread->since_ns > 0,
					.has_ended = has_ended,
					.cpu = thread->cpu,
					.has_pid = thread->has_pid,
					.pid = thread->pid,
					.has_tid = TRUE,
					.tid = thread->tid,
					.state = thread->state,
					.wait = has_wait ? thread->wait : (LttWait){.number = 0},
					.next = next,
					.has_exited = is_running && thread->has_exited,
					.waker = has_waker ? thread->waker : (LttWaker){.tid = 0},
					.n_syscalls = is_running ? thread->n_syscalls : 0,
					.n_faults = is_running ? thread->n_faults : 0,
				});
}

static void change(LttStateThreads *threads, LttStateThread *thread, LttThreadState state,
		   guint64 now_ns)
{
	now_ns = MAX(now_ns, thread->since_ns);
	give(threads, thread, now_ns, state, TRUE);
	thread->state = state;
	thread->since_ns = now_ns;
	thread->n_syscalls = 0;
	thread->n_faults = 0;
}

/* ---- what is unknown ---- */

static void forget_call(LttStateThread *thread)
{
	thread->call_state = LTT_CALL_UNKNOWN;
	thread->has_fault = FALSE;
	thread->has_pending = FALSE;
}

void ltt_state_thread_lose(LttStateThreads *threads, LttStateThread *thread, guint64 at_ns)
{
	if (thread->state != LTT_THREAD_UNKNOWN)
		change(threads, thread, LTT_THREAD_UNKNOWN, at_ns);
	forget_call(thread);
}

void ltt_state_thread_doubt(LttStateThreads *threads, LttStateThread *thread)
{
	/* A thread that could run has got a CPU, and only the switch is missing. */
	if (thread->state == LTT_THREAD_RUNNABLE || thread->state == LTT_THREAD_PREEMPTED)
		thread->has_pending = FALSE;
	else
		forget_call(thread);
	threads->n_gaps++;
	thread->state = LTT_THREAD_UNKNOWN;
	thread->is_dubious = TRUE;
}

void ltt_state_threads_note_gap(LttStateThreads *threads, guint32 recording, guint64 begin_ns)
{
	const LttStateGap gap = {recording, begin_ns};

	g_array_append_val(threads->gaps, gap);
	threads->has_gaps = TRUE;
	threads->n_gaps++;
}

/* Returns: the begin of the earliest gap since the state of a thread was proven; G_MAXUINT64: none */
static guint64 find_gap(const LttStateThreads *threads, const LttStateThread *thread)
{
	guint64 begin_ns = thread->has_gap ? thread->gap_ns : G_MAXUINT64;

	for (guint i = thread->n_gaps; i < threads->gaps->len; i++) {
		const LttStateGap *gap = &g_array_index(threads->gaps, LttStateGap, i);

		if (gap->recording == thread->recording)
			begin_ns = MIN(begin_ns, gap->begin_ns);
	}
	return begin_ns;
}

void ltt_state_threads_fold_gaps(LttStateThreads *threads)
{
	GHashTableIter iter;
	gpointer data;

	if (threads->gaps->len == 0)
		return;
	g_hash_table_iter_init(&iter, threads->by_id);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		LttStateThread *thread = data;

		thread->gap_ns = find_gap(threads, thread);
		thread->has_gap = thread->gap_ns != G_MAXUINT64;
		thread->n_gaps = 0;
	}
	g_array_set_size(threads->gaps, 0);
}

/* Compares a thread with the gaps since its state was proven. A running thread is proven by the
 * events of its CPU. */
static void settle(LttStateThreads *threads, LttStateThread *thread)
{
	const guint64 begin_ns = find_gap(threads, thread);

	thread->n_gaps = threads->gaps->len;
	thread->has_gap = FALSE;
	if (begin_ns != G_MAXUINT64 && thread->state != LTT_THREAD_RUNNING)
		ltt_state_thread_lose(threads, thread, begin_ns);
}

/* ---- threads ---- */

static LttStateThread *find(LttStateThreads *threads, guint32 recording, guint32 tid)
{
	LttStateThread **cached = &threads->cached[tid % LTT_STATE_CACHED];
	const guint64 id = make_id(recording, tid);

	if (*cached == NULL || (*cached)->tid != tid || (*cached)->recording != recording)
		*cached = g_hash_table_lookup(threads->by_id, &id);
	return *cached;
}

LttStateThread *ltt_state_threads_find(LttStateThreads *threads, guint32 recording, guint32 tid,
				       guint64 now_ns)
{
	const guint64 id = make_id(recording, tid);
	LttStateThread *thread = find(threads, recording, tid);

	if (thread == NULL) {
		thread = g_new0(LttStateThread, 1);
		thread->recording = recording;
		thread->tid = tid;
		thread->n_gaps = threads->gaps->len;
		thread->is_hidden = ltt_state_is_hidden(threads, recording, tid, NULL);
		g_hash_table_insert(threads->by_id, g_memdup2(&id, sizeof(id)), thread);
	}
	if (thread->has_exited) {
		*thread = (LttStateThread){.recording = recording,
					   .tid = tid,
					   .is_hidden = thread->is_hidden,
					   .since_ns = now_ns};
		thread->n_gaps = threads->gaps->len;
	}
	settle(threads, thread);
	return thread;
}

void ltt_state_thread_set(LttStateThreads *threads, LttStateThread *thread, LttThreadState state,
			  guint64 now_ns)
{
	settle(threads, thread);
	change(threads, thread, state, now_ns);
}

LttWait ltt_state_thread_get_cause(const LttStateThread *thread)
{
	if (thread->call_state == LTT_CALL_INSIDE)
		return thread->call;
	if (thread->has_fault)
		return thread->fault;
	return (LttWait){.kind = thread->call_state == LTT_CALL_NONE ? LTT_WAIT_OTHER
								     : LTT_WAIT_UNKNOWN};
}

void ltt_state_thread_wait(LttStateThreads *threads, LttStateThread *thread, LttWait wait,
			   guint64 now_ns)
{
	thread->wait = wait;
	thread->waker = (LttWaker){.kind = LTT_WAKER_UNKNOWN};
	ltt_state_thread_set(threads, thread, LTT_THREAD_WAITING, now_ns);
}

void ltt_state_thread_preempt(LttStateThreads *threads, LttStateThread *thread, guint32 by,
			      guint64 now_ns)
{
	ltt_state_thread_set(threads, thread, LTT_THREAD_PREEMPTED, now_ns);
	thread->waker =
		(LttWaker){.kind = by != 0 ? LTT_WAKER_THREAD : LTT_WAKER_UNKNOWN, .tid = by};
}

/* A thread may be woken before it has left its CPU: if it leaves, the wakeup follows; if not, the
 * wakeup finds it running. */
void ltt_state_thread_wake(LttStateThreads *threads, LttStateThread *thread, const LttWaker *waker,
			   gboolean is_done, guint64 now_ns)
{
	settle(threads, thread);
	if (thread->state == LTT_THREAD_WAITING ||
	    (thread->state == LTT_THREAD_UNKNOWN && is_done)) {
		thread->waker = is_done && thread->has_pending ? thread->pending : *waker;
		change(threads, thread, LTT_THREAD_RUNNABLE, now_ns);
		thread->has_pending = FALSE;
		return;
	}
	thread->has_pending = !is_done;
	thread->pending = *waker;
}

void ltt_state_thread_exit(LttStateThreads *threads, LttStateThread *thread, guint64 now_ns)
{
	thread->has_exited = TRUE;
	change(threads, thread, LTT_THREAD_UNKNOWN, now_ns);
}

void ltt_state_thread_create(LttStateThreads *threads, LttStateThread *thread,
			     const LttWaker *creator, guint64 now_ns)
{
	const gboolean is_new = thread->state == LTT_THREAD_UNKNOWN && thread->since_ns == 0;

	if (!is_new)
		change(threads, thread, LTT_THREAD_UNKNOWN, now_ns);
	*thread = (LttStateThread){.recording = thread->recording,
				   .tid = thread->tid,
				   .state = LTT_THREAD_RUNNABLE,
				   .since_ns = now_ns,
				   .n_gaps = threads->gaps->len,
				   .waker = *creator,
				   .is_followed = TRUE,
				   .is_hidden = thread->is_hidden,
				   .call_state = LTT_CALL_NONE};
}

void ltt_state_threads_end(LttStateThreads *threads, guint64 end_ns)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, threads->by_id);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		LttStateThread *thread = data;

		if (thread->has_exited)
			continue;
		settle(threads, thread);
		if (thread->is_dubious)
			thread->state = LTT_THREAD_UNKNOWN;
		give(threads, thread, MAX(end_ns, thread->since_ns), LTT_THREAD_UNKNOWN, FALSE);
		thread->since_ns = G_MAXUINT64;
	}
}
