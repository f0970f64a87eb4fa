/* thread-names.c - see thread-names-priv.h
 *
 * The names of one thread or process are sorted by time and found by binary search. The key
 * contains the host, because joined and merged traces may come from different machines.
 *
 * Above a limit names are dropped. A thread or process whose name is dropped has no name from then on,
 * rather than an older one. The time is kept by the lower bits of its id, so other threads with the same
 * bits have no name then, either:
 *
 *	dropped   | - | - | 8.1 | - | ...     ids 2, 2^20 + 2, ... have no name from 8.1 on
 *
 * While the trace is followed, the names are complete up to the horizon of the round only. Spans end
 * there, so that a cache looks up a name again in the next round.
 */
#include "reader/thread-names-priv.h"

#include "reader/follow-priv.h"
#include "reader/name-event-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>

/* Limit on the number of names, some 100 MB. */
#define MOST_NAMES (1 << 20)

/* Bits of an id by which the times of dropped names are kept. */
#define DROPPED_BITS 20

/* The id that writers record for a thread that no longer exists. */
#define GONE G_MAXUINT32

typedef struct Key {
	guint host;
	guint32 pid;
	guint32 tid; /* 0 unless it is a thread */
	gboolean is_thread;
} Key;

typedef struct Name {
	guint64 time_ns;
	const char *text;
} Name;

struct LttThreadNames {
	GHashTable *spans;    /* Key, owned, to GArray of Name */
	GHashTable *unsorted; /* those of the arrays whose times are not sorted */
	GStringChunk *texts;
	guint n_names;
	guint64 *dropped;      /* by id: time of the first name that was dropped; NULL: none was */
	gboolean has_reported; /* that names were dropped */
	guint64 end_ns;        /* of the time for which the names are complete */
	GPtrArray *followed;   /* of LttFollowed: the files with names; NULL: not followed */
	guint n_known;         /* number of tracefiles that were looked at for @followed */
};

static guint hash_key(gconstpointer data)
{
	const Key *key = data;

	return (guint)ltt_hash_pair((guint64)key->host << 1 | (guint64)key->is_thread,
				    (guint64)key->pid << 32 | key->tid);
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
	const Key *first = a;
	const Key *second = b;

	return first->pid == second->pid && first->tid == second->tid &&
	       first->host == second->host && first->is_thread == second->is_thread;
}

static void free_array(gpointer data)
{
	g_array_unref(data);
}

/* ---- collect ---- */

static guint64 *find_dropped(const LttThreadNames *names, const Key *key)
{
	return &names->dropped[(key->is_thread ? key->tid : key->pid) & ((1 << DROPPED_BITS) - 1)];
}

static void drop_name(LttThreadNames *names, const Key *key, const LttEvent *event)
{
	guint64 *dropped_ns;

	if (names->dropped == NULL) {
		names->dropped = g_new(guint64, 1 << DROPPED_BITS);
		for (guint i = 0; i < 1 << DROPPED_BITS; i++)
			names->dropped[i] = G_MAXUINT64;
	}
	dropped_ns = find_dropped(names, key);
	*dropped_ns = MIN(*dropped_ns, event->time_ns);
	if (names->has_reported)
		return;
	names->has_reported = TRUE;
	ltt_trace_add_problem_printf(event->tracefile->trace, event->tracefile->name,
				     "more than %d names of processes and threads: a thread has no "
				     "name after a further one",
				     MOST_NAMES);
}

static void add_name(LttThreadNames *names, const Key *key, guint64 time_ns, const char *text)
{
	GArray *known = g_hash_table_lookup(names->spans, key);
	Name name = {.time_ns = time_ns};

	names->n_names++;
	if (known == NULL) {
		known = g_array_new(FALSE, FALSE, sizeof(Name));
		g_hash_table_insert(names->spans, g_memdup2(key, sizeof(*key)), known);
	}
	name.text = g_string_chunk_insert_const(names->texts, text);
	if (known->len > 0 && g_array_index(known, Name, known->len - 1).time_ns > time_ns)
		g_hash_table_add(names->unsorted, known);
	g_array_append_val(known, name);
}

static void take_event(gpointer data, const LttEvent *event)
{
	LttThreadNames *names = data;
	LttNameEvent name;
	Key key;

	if (!ltt_name_event_read(event, &name))
		return;
	key = (Key){event->tracefile->host, name.pid, name.tid, name.is_thread};
	if (names->n_names < MOST_NAMES)
		add_name(names, &key, event->time_ns, name.text);
	else
		drop_name(names, &key, event);
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const Name *first = a;
	const Name *second = b;

	return first->time_ns < second->time_ns ? -1 : first->time_ns > second->time_ns;
}

/* Of names with equal times the last one is valid, because the sort is stable. */
static void sort(LttThreadNames *names)
{
	GHashTableIter iter;
	gpointer known;

	g_hash_table_iter_init(&iter, names->unsorted);
	while (g_hash_table_iter_next(&iter, &known, NULL))
		g_array_sort(known, compare_times);
	g_hash_table_remove_all(names->unsorted);
}

static LttThreadNames *new_names(void)
{
	LttThreadNames *names = g_new0(LttThreadNames, 1);

	names->spans = g_hash_table_new_full(hash_key, equal_keys, g_free, free_array);
	names->unsorted = g_hash_table_new(NULL, NULL);
	names->texts = g_string_chunk_new(4096);
	return names;
}

static void read_all(LttThreadNames *names, const LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (ltt_tracefile_lists_processes(tracefile))
			ltt_cursor_visit_readable(tracefile, take_event, names);
	}
	sort(names);
	names->end_ns = G_MAXUINT64;
}

/* ---- collect while the trace is followed ---- */

/* Forgets the names, before the files are read from their start. Their texts remain. */
static void forget(LttThreadNames *names)
{
	g_hash_table_remove_all(names->spans);
	g_clear_pointer(&names->followed, g_ptr_array_unref);
	g_clear_pointer(&names->dropped, g_free);
	names->n_known = 0;
	names->n_names = 0;
}

static void begin_following(LttThreadNames *names)
{
	forget(names);
	names->followed = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_followed_free);
}

static void join_tracefiles(LttThreadNames *names, const LttTrace *trace)
{
	for (; names->n_known < trace->tracefiles->len; names->n_known++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[names->n_known];

		if (ltt_tracefile_lists_processes(tracefile))
			g_ptr_array_add(names->followed, ltt_followed_new(tracefile, NULL, 0));
	}
}

/* Reads the events that were added to a file. Damage is reported by the follow. */
static void read_added(LttThreadNames *names, LttFollowed *followed, const LttTrace *trace)
{
	LttStep step;

	do {
		g_autoptr(GError) error = NULL;

		while ((step = ltt_followed_need_event(followed, &error)) == LTT_STEP_EVENT)
			take_event(names, ltt_followed_take(followed, trace));
		if (step == LTT_STEP_ERROR) {
			ltt_tracefile_note_failure(followed->tracefile, error);
			ltt_followed_skip_block(followed);
		}
	} while (step != LTT_STEP_WAIT);
}

static void read_new(LttThreadNames *names, const LttTrace *trace)
{
	const guint64 horizon_ns = trace->horizon_ns;

	if (names->followed == NULL)
		begin_following(names);
	join_tracefiles(names, trace);
	for (guint i = 0; i < names->followed->len; i++) {
		LttFollowed *followed = names->followed->pdata[i];

		followed->is_last = horizon_ns == G_MAXUINT64;
		read_added(names, followed, trace);
	}
	sort(names);
	names->end_ns = horizon_ns + (horizon_ns < G_MAXUINT64);
}

void ltt_trace_update_thread_names(LttTrace *trace, guint64 horizon_ns)
{
	g_mutex_lock(&trace->names_lock);
	trace->horizon_ns = horizon_ns;
	if (trace->names != NULL)
		read_new(trace->names, trace);
	g_mutex_unlock(&trace->names_lock);
}

void ltt_trace_complete_thread_names(LttTrace *trace)
{
	LttThreadNames *names;

	g_mutex_lock(&trace->names_lock);
	names = trace->names;
	if (names != NULL) {
		forget(names);
		read_all(names, trace);
	}
	g_mutex_unlock(&trace->names_lock);
}

/* ---- get and free ---- */

const LttThreadNames *ltt_trace_get_thread_names(LttTrace *trace)
{
	if (trace->joined != NULL)
		trace = trace->joined;
	g_mutex_lock(&trace->names_lock);
	if (trace->names == NULL) {
		trace->names = new_names();
		if (trace->is_followed)
			read_new(trace->names, trace);
		else
			read_all(trace->names, trace);
	}
	g_mutex_unlock(&trace->names_lock);
	return trace->names;
}

void ltt_thread_names_free(LttThreadNames *names)
{
	if (names == NULL)
		return;
	g_clear_pointer(&names->followed, g_ptr_array_unref);
	g_hash_table_unref(names->unsorted);
	g_hash_table_unref(names->spans);
	g_string_chunk_free(names->texts);
	g_free(names->dropped);
	g_free(names);
}

/* ---- look up ---- */

/* Narrows @span to the times at which @key has the same name as at the event. Returns: FALSE if the name was
 * dropped */
static gboolean find_span(const LttThreadNames *names, const Key *key, guint64 time_ns,
			  LttNameSpan *span)
{
	const GArray *known = g_hash_table_lookup(names->spans, key);
	const guint64 dropped_ns = names->dropped != NULL ? *find_dropped(names, key) : G_MAXUINT64;
	guint low = 0;
	guint high = known != NULL ? known->len : 0;

	if (dropped_ns < G_MAXUINT64 && time_ns >= dropped_ns) {
		span->name = NULL;
		span->from_ns = MAX(span->from_ns, dropped_ns);
		return FALSE;
	}
	span->to_ns = MIN(span->to_ns, dropped_ns);
	while (low < high) {
		const guint middle = (low + high) / 2;

		if (g_array_index(known, Name, middle).time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0) {
		span->name = g_array_index(known, Name, low - 1).text;
		span->from_ns = MAX(span->from_ns, g_array_index(known, Name, low - 1).time_ns);
	}
	if (known != NULL && low < known->len)
		span->to_ns = MIN(span->to_ns, g_array_index(known, Name, low).time_ns);
	return TRUE;
}

/* Narrows @span to the name of a process, unless it has a name already. */
static void find_process(const LttThreadNames *names, const Key *key, guint64 time_ns,
			 LttNameSpan *span)
{
	if (span->name != NULL && span->name[0] != '\0')
		return;
	find_span(names, key, time_ns, span);
	if (span->name != NULL && span->name[0] == '\0')
		span->name = NULL;
}

void ltt_thread_names_find(const LttThreadNames *names, const LttEvent *event, LttNameSpan *span)
{
	const Key process = {.host = event->tracefile->host, .pid = event->pid};
	Key thread = process;

	*span = (LttNameSpan){.to_ns = names->end_ns};
	if (!event->has_thread || event->tid == GONE)
		return;
	thread.tid = event->tid;
	thread.is_thread = TRUE;
	if (find_span(names, &thread, event->time_ns, span))
		find_process(names, &process, event->time_ns, span);
}

const char *ltt_thread_names_find_process(const LttThreadNames *names, guint host, guint32 pid,
					  guint64 time_ns)
{
	LttNameSpan span = {0};

	find_process(names, &(const Key){.host = host, .pid = pid}, time_ns, &span);
	return span.name;
}

const char *ltt_event_get_comm(const LttEvent *event)
{
	LttNameSpan span;

	if (!event->has_thread || event->tracefile == NULL || event->tracefile->trace == NULL)
		return NULL;
	ltt_thread_names_find(ltt_trace_get_thread_names(event->tracefile->trace), event, &span);
	return span.name;
}
