/* thread-names.c - see thread-names-priv.h
 *
 * The names of one thread or process are sorted by time and found by binary search. The key
 * contains the host, because joined and merged traces may come from different machines.
 *
 * While the trace is followed, the names are complete up to the horizon of the round only. Spans end
 * there, so that a cache looks up a name again in the next round.
 */
#include "reader/thread-names-priv.h"

#include "reader/follow-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-value.h>

/* Limit on the number of names, some 100 MB; further names are dropped. */
#define MOST_NAMES (1 << 20)

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
	guint64 end_ns;      /* of the time for which the names are complete */
	GPtrArray *followed; /* of LttFollowed: the files with names; NULL: not followed */
	guint n_known;       /* number of tracefiles that were looked at for @followed */
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

static gboolean get_number(const LttValue *payload, const char *name, guint32 *number)
{
	LttValue value;

	if (!ltt_value_find(payload, name, &value) || value.layout->kind != LTT_UINT)
		return FALSE;
	*number = (guint32)ltt_value_get_uint(&value);
	return TRUE;
}

static void add_name(LttThreadNames *names, const Key *key, guint64 time_ns, const char *text)
{
	GArray *known = g_hash_table_lookup(names->spans, key);
	Name name = {.time_ns = time_ns};

	if (names->n_names >= MOST_NAMES)
		return;
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

/* Returns: whether the event has a name, and the number of its thread or process */
static gboolean read_name(const LttEvent *event, Key *key, LttValue *name)
{
	LttValue payload;

	if (!ltt_event_get_value(event, &payload) || !get_number(&payload, "pid", &key->pid) ||
	    !ltt_value_find(&payload, "name", name) || name->layout->kind != LTT_STRING)
		return FALSE;
	key->is_thread = get_number(&payload, "tid", &key->tid);
	return TRUE;
}

gboolean ltt_thread_names_takes(const LttEvent *event)
{
	LttValue name;
	Key key;

	return ltt_tracefile_lists_processes(event->tracefile) && read_name(event, &key, &name);
}

static void take_event(gpointer data, const LttEvent *event)
{
	LttThreadNames *names = data;
	Key key = {.host = event->tracefile->host};
	LttValue name;

	if (read_name(event, &key, &name))
		add_name(names, &key, event->time_ns, ltt_value_get_string(&name, NULL));
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
	g_free(names);
}

void ltt_thread_names_visit(const LttThreadNames *names,
			    void (*visit)(const char *name, gpointer user_data), gpointer user_data)
{
	GHashTableIter iter;
	gpointer known;

	g_hash_table_iter_init(&iter, names->spans);
	while (g_hash_table_iter_next(&iter, NULL, &known))
		for (guint i = 0; i < ((const GArray *)known)->len; i++)
			visit(g_array_index((const GArray *)known, Name, i).text, user_data);
}

/* ---- look up ---- */

/* Narrows @span to the times at which @key has the same name as at the event. */
static void find_span(const LttThreadNames *names, const Key *key, guint64 time_ns,
		      LttNameSpan *span)
{
	const GArray *known = g_hash_table_lookup(names->spans, key);
	guint low = 0;
	guint high = known != NULL ? known->len : 0;

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
}

void ltt_thread_names_find(const LttThreadNames *names, const LttEvent *event, LttNameSpan *span)
{
	Key key = {.host = event->tracefile->host,
		   .pid = event->pid,
		   .tid = event->tid,
		   .is_thread = TRUE};

	*span = (LttNameSpan){.to_ns = names->end_ns};
	if (!event->has_thread || event->tid == GONE)
		return;
	find_span(names, &key, event->time_ns, span);
	if (span->name != NULL && span->name[0] != '\0')
		return;
	key = (Key){.host = key.host, .pid = event->pid};
	find_span(names, &key, event->time_ns, span);
	if (span->name != NULL && span->name[0] == '\0')
		span->name = NULL;
}

const char *ltt_event_get_comm(const LttEvent *event)
{
	LttNameSpan span;

	if (!event->has_thread || event->tracefile == NULL || event->tracefile->trace == NULL)
		return NULL;
	ltt_thread_names_find(ltt_trace_get_thread_names(event->tracefile->trace), event, &span);
	return span.name;
}
