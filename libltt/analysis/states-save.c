/* states-save.c - save the states between two events, to read a trace from there again (ltt-states.h).
 *
 * Of a thread that has exited only its id is saved: if another thread gets the id, it begins then. Most
 * members of the others are 0 or as in other threads, so a packed list takes little memory.
 */
#include "analysis/states-priv.h"
#include "base/packed-priv.h"

G_STATIC_ASSERT(sizeof(LttStateThread) <= sizeof(guint32) * LTT_PACKED_WORDS);

struct LttSavedStates {
	LttPacked threads;   /* of LttStateThread */
	GArray *exited;      /* of LttStateThread ids: recording << 32 | tid */
	GArray *cpus;        /* of LttStateCpu; their members threads and current are not valid */
	GStringChunk *names; /* of system calls */
	guint64 n_gaps;
	gboolean has_gaps;
	gboolean is_limited;
};

/* Copies the name of a system call. */
static void copy_name(GStringChunk *names, LttWait *wait)
{
	if (wait->syscall != NULL)
		wait->syscall = g_string_chunk_insert_const(names, wait->syscall);
}

static void copy_names(GStringChunk *names, LttStateThread *thread)
{
	copy_name(names, &thread->wait);
	copy_name(names, &thread->call);
	copy_name(names, &thread->fault);
}

LttSavedStates *ltt_states_save(LttStates *states)
{
	LttSavedStates *saved = g_new(LttSavedStates, 1);
	LttStateThreads *threads = &states->threads;
	GHashTableIter iter;
	gpointer id;
	gpointer data;

	ltt_state_threads_fold_gaps(threads);
	*saved = (LttSavedStates){
		.exited = g_array_new(FALSE, FALSE, sizeof(guint64)),
		.cpus = g_array_new(FALSE, FALSE, sizeof(LttStateCpu)),
		.names = g_string_chunk_new(256),
		.n_gaps = threads->n_gaps,
		.has_gaps = threads->has_gaps,
		.is_limited = threads->is_limited,
	};
	ltt_packed_init(&saved->threads, sizeof(LttStateThread));
	g_hash_table_iter_init(&iter, threads->by_id);
	while (g_hash_table_iter_next(&iter, &id, &data)) {
		LttStateThread thread = *(const LttStateThread *)data;

		if (thread.has_exited) {
			g_array_append_vals(saved->exited, id, 1);
			continue;
		}
		copy_names(saved->names, &thread);
		ltt_packed_append(&saved->threads, &thread);
	}
	ltt_packed_shrink(&saved->threads);
	for (guint i = 0; i < states->cpus->len; i++)
		g_array_append_vals(saved->cpus, states->cpus->pdata[i], 1);
	return saved;
}

void ltt_saved_states_free(LttSavedStates *saved)
{
	if (saved == NULL)
		return;
	ltt_packed_clear(&saved->threads);
	g_array_unref(saved->exited);
	g_array_unref(saved->cpus);
	g_string_chunk_free(saved->names);
	g_free(saved);
}

gsize ltt_saved_states_get_size(const LttSavedStates *saved)
{
	return sizeof(*saved) + saved->threads.bytes->len + saved->exited->len * sizeof(guint64) +
	       saved->cpus->len * sizeof(LttStateCpu);
}

/* ---- starting in the middle ---- */

static void add_thread(LttStates *states, const LttStateThread *thread)
{
	LttStateThread *added = g_memdup2(thread, sizeof(*thread));
	const guint64 id = (guint64)thread->recording << 32 | thread->tid;

	copy_names(states->names, added);
	g_hash_table_insert(states->threads.by_id, g_memdup2(&id, sizeof(id)), added);
}

static void add_cpu(LttStates *states, const LttStateCpu *cpu)
{
	LttStateCpu *added = g_memdup2(cpu, sizeof(*cpu));
	const guint64 id = (guint64)cpu->recording << 32 | cpu->tid;

	added->threads = &states->threads;
	if (cpu->current != NULL)
		added->current = g_hash_table_lookup(states->threads.by_id, &id);
	g_ptr_array_add(states->cpus, added);
	g_hash_table_insert(states->by_tracefile, (gpointer)cpu->tracefile, added);
}

LttStates *ltt_states_new_from(LttTrace *trace, const LttSavedStates *saved, guint64 at_ns,
			       guint64 until_ns)
{
	LttStates *states = ltt_states_make(
		trace, &(const LttStatesRange){.to_ns = G_MAXUINT64,
					       .first_ns = saved != NULL ? at_ns : 0,
					       .until_ns = until_ns});
	LttStateThread thread = {0};
	LttUnpack unpack;

	if (saved == NULL)
		return states;
	ltt_unpack_init(&unpack, &saved->threads);
	while (ltt_unpack_next(&unpack, &thread))
		add_thread(states, &thread);
	for (guint i = 0; i < saved->exited->len; i++) {
		const guint64 id = g_array_index(saved->exited, guint64, i);

		add_thread(states, &(const LttStateThread){.recording = (guint32)(id >> 32),
							   .tid = (guint32)id,
							   .has_exited = TRUE});
	}
	for (guint i = 0; i < saved->cpus->len; i++)
		add_cpu(states, &g_array_index(saved->cpus, LttStateCpu, i));
	states->threads.n_gaps = saved->n_gaps;
	states->threads.has_gaps = saved->has_gaps;
	states->threads.is_limited = saved->is_limited;
	return states;
}
