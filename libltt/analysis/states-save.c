/* states-save.c - save the states between two events, to read a trace from there again (ltt-states.h).
 *
 * Of a thread that has exited only its id is saved: if another thread gets the id, it begins then. Most
 * members of the others are 0, so a thread is packed: a bit for each word of 8 bytes, and then the words
 * that are not 0. This takes about a third of the memory.
 */
#include "analysis/states-priv.h"

#include <string.h>

/* Words of a packed thread. */
#define N_WORDS (sizeof(LttStateThread) / sizeof(guint64))
G_STATIC_ASSERT(sizeof(LttStateThread) % sizeof(guint64) == 0 && N_WORDS <= 64);

struct LttSavedStates {
	GByteArray *threads; /* LttStateThread, packed */
	guint n_threads;
	GArray *exited;      /* of LttStateThread ids: machine << 32 | tid */
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

static void pack(GByteArray *bytes, const LttStateThread *thread)
{
	guint64 words[1 + N_WORDS];
	guint64 all[N_WORDS];
	guint n = 1;

	memcpy(all, thread, sizeof(all));
	words[0] = 0;
	for (guint i = 0; i < N_WORDS; i++) {
		if (all[i] == 0)
			continue;
		words[0] |= G_GUINT64_CONSTANT(1) << i;
		words[n++] = all[i];
	}
	g_byte_array_append(bytes, (const guint8 *)words, n * sizeof(guint64));
}

/* Returns: the bytes after the thread */
static const guint8 *unpack(const guint8 *bytes, LttStateThread *thread)
{
	guint64 all[N_WORDS] = {0};
	guint64 bits;

	memcpy(&bits, bytes, sizeof(bits));
	bytes += sizeof(bits);
	for (guint i = 0; i < N_WORDS; i++) {
		if ((bits >> i & 1) == 0)
			continue;
		memcpy(&all[i], bytes, sizeof(guint64));
		bytes += sizeof(guint64);
	}
	memcpy(thread, all, sizeof(all));
	return bytes;
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
		.threads = g_byte_array_new(),
		.exited = g_array_new(FALSE, FALSE, sizeof(guint64)),
		.cpus = g_array_new(FALSE, FALSE, sizeof(LttStateCpu)),
		.names = g_string_chunk_new(256),
		.n_gaps = threads->n_gaps,
		.has_gaps = threads->has_gaps,
		.is_limited = threads->is_limited,
	};
	g_hash_table_iter_init(&iter, threads->by_id);
	while (g_hash_table_iter_next(&iter, &id, &data)) {
		LttStateThread thread = *(const LttStateThread *)data;

		if (thread.has_exited) {
			g_array_append_vals(saved->exited, id, 1);
			continue;
		}
		copy_names(saved->names, &thread);
		pack(saved->threads, &thread);
		saved->n_threads++;
	}
	for (guint i = 0; i < states->cpus->len; i++)
		g_array_append_vals(saved->cpus, states->cpus->pdata[i], 1);
	return saved;
}

void ltt_saved_states_free(LttSavedStates *saved)
{
	if (saved == NULL)
		return;
	g_byte_array_unref(saved->threads);
	g_array_unref(saved->exited);
	g_array_unref(saved->cpus);
	g_string_chunk_free(saved->names);
	g_free(saved);
}

gsize ltt_saved_states_get_size(const LttSavedStates *saved)
{
	return sizeof(*saved) + saved->threads->len + saved->exited->len * sizeof(guint64) +
	       saved->cpus->len * sizeof(LttStateCpu);
}

/* ---- starting in the middle ---- */

static void add_thread(LttStates *states, const LttStateThread *thread)
{
	LttStateThread *added = g_memdup2(thread, sizeof(*thread));
	const guint64 id = (guint64)thread->machine << 32 | thread->tid;

	copy_names(states->names, added);
	g_hash_table_insert(states->threads.by_id, g_memdup2(&id, sizeof(id)), added);
}

static void add_cpu(LttStates *states, const LttStateCpu *cpu)
{
	LttStateCpu *added = g_memdup2(cpu, sizeof(*cpu));
	const guint64 id = (guint64)cpu->machine << 32 | cpu->tid;

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
	const guint8 *bytes;

	if (saved == NULL)
		return states;
	bytes = saved->threads->data;
	for (guint i = 0; i < saved->n_threads; i++) {
		LttStateThread thread;

		bytes = unpack(bytes, &thread);
		add_thread(states, &thread);
	}
	for (guint i = 0; i < saved->exited->len; i++) {
		const guint64 id = g_array_index(saved->exited, guint64, i);

		add_thread(states, &(const LttStateThread){.machine = (guint32)(id >> 32),
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
