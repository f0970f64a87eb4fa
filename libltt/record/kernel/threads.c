/* threads.c - the threads of the machine: their processes and names. */
#include "record/kernel/threads-priv.h"

#include "base/directory-priv.h"
#include "record/description-priv.h"
#include "record/kernel/notes-priv.h"
#include "record/proc-priv.h"

#include <eventdefs/threads.h>
#include <ltt/ltt-eventdefs.h>

#include <string.h>

/* Bounds the search for an ancestor: threads of unknown parents can form a circle. */
#define MOST_ANCESTORS 1000

typedef struct Thread {
	guint32 pid;
	guint32 creator;       /* 0, or the unknown thread that has the same process */
	guint32 parent;        /* the thread that created it; 0: unknown */
	guint32 parent_serial; /* 0: unknown */
	guint32 serial;        /* of this thread, because ids are used again */
	gboolean is_guess;     /* the process is unknown; pid is the thread */
	gboolean is_gone;      /* unknown, and not in /proc */
	gboolean has_ended;
	gboolean is_named; /* its names are written; unused if all are */
	gboolean is_due;   /* its name is to be written when it has an event */
	char comm[LTT_COMM_BYTES];
} Thread;

struct LttKernelThreads {
	LttCpuFile *file;    /* borrowed */
	GArray *notes;       /* of LttNote */
	GHashTable *threads; /* thread id -> Thread */
	LttKernelNames names;
	guint64 written_cycles; /* notes before this time are written */
	const Thread *last;     /* that was looked up, if its process is known; NULL: none */
	guint32 last_tid;
	guint32 n_serials;
	LttPayload payload;
	guint16 name_id;
};

static Thread *add(LttKernelThreads *threads, guint32 tid, guint32 pid)
{
	const Thread *process = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(pid));
	Thread *thread = g_new0(Thread, 1);

	thread->serial = ++threads->n_serials;
	thread->pid = pid;
	thread->is_named = threads->names == LTT_KERNEL_NAMES_OF_PROGRAM && pid != tid &&
			   process != NULL && process->is_named;
	g_hash_table_insert(threads->threads, GUINT_TO_POINTER(tid), thread);
	threads->last = NULL;
	return thread;
}

/* ---- /proc ---- */

/* Returns: the number after "Tgid:" in /proc/TID/status; 0: the thread does not exist */
static guint32 read_process(guint32 tid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/status", tid);
	g_autofree char *text = NULL;
	const char *line;

	if (ltt_proc_read(path, &text) != 0)
		return 0;
	line = strstr(text, "\nTgid:");
	return line != NULL ? (guint32)g_ascii_strtoull(line + strlen("\nTgid:"), NULL, 10) : 0;
}

/* Names of threads that differ from the name of their process are written. */
static void read_name(LttKernelThreads *threads, guint32 pid, guint32 tid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/task/%u/comm", pid, tid);
	const Thread *process = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(pid));
	guint8 comm[LTT_COMM_BYTES] = {0};
	g_autofree char *text = NULL;

	if (ltt_proc_read(path, &text) != 0)
		return;
	g_strlcpy((char *)comm, g_strchomp(text), sizeof(comm));
	if (pid == tid || process == NULL || memcmp(process->comm, comm, sizeof(comm)) == 0)
		memcpy(((Thread *)g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid)))
			       ->comm,
		       comm, sizeof(comm));
	else
		ltt_kernel_threads_name(threads, 0, tid, comm);
}

static void read_threads(LttKernelThreads *threads, guint32 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/task", pid);
	GDir *tasks = g_dir_open(path, 0, NULL);
	const char *name;

	if (tasks == NULL)
		return;
	add(threads, pid, pid);
	read_name(threads, pid, pid);
	while ((name = g_dir_read_name(tasks)) != NULL) {
		const guint32 tid = (guint32)g_ascii_strtoull(name, NULL, 10);

		if (tid == 0 || tid == pid)
			continue;
		add(threads, tid, pid);
		read_name(threads, pid, tid);
	}
	g_dir_close(tasks);
}

LttKernelThreads *ltt_kernel_threads_new(struct lttp_session *session, LttCpuFile *file,
					 LttKernelNames names, GError **error)
{
	const LttArch arch = ltt_arch_native();
	LttKernelThreads *threads;
	g_autoptr(GPtrArray) processes = NULL;
	guint32 base = 0;

	if (!ltt_record_load(session, ltt_eventdefs_get_shipped("threads"), &base, error))
		return NULL;
	processes = ltt_directory_list("/proc", error);
	if (processes == NULL)
		return NULL;
	threads = g_new0(LttKernelThreads, 1);
	threads->file = file;
	threads->names = names;
	threads->notes = ltt_notes_new();
	threads->threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	threads->name_id = (guint16)(base + threads_name_index);
	ltt_payload_init(&threads->payload, &arch);
	add(threads, 0, 0);
	for (guint i = 0; i < processes->len; i++) {
		const char *name = processes->pdata[i];

		if (g_ascii_isdigit(name[0]))
			read_threads(threads, (guint32)g_ascii_strtoull(name, NULL, 10));
	}
	return threads;
}

void ltt_kernel_threads_free(LttKernelThreads *threads)
{
	if (threads == NULL)
		return;
	g_hash_table_unref(threads->threads);
	g_array_unref(threads->notes);
	ltt_payload_clear(&threads->payload);
	g_free(threads);
}

/* ---- events ---- */

/* Gives a thread the process of its creator, or of that one's creator, as soon as it is known. */
static gboolean settle(LttKernelThreads *threads, Thread *thread)
{
	guint n_left = g_hash_table_size(threads->threads);
	const Thread *creator = thread;

	while (creator != NULL && creator->creator != 0 && n_left-- > 0)
		creator = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(creator->creator));
	if (creator == NULL || creator->creator != 0 || creator->is_guess)
		return FALSE;
	thread->pid = creator->pid;
	thread->creator = 0;
	return TRUE;
}

/* Returns: NULL if the process of the thread is unknown */
static Thread *look_up(LttKernelThreads *threads, guint32 tid)
{
	Thread *thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));
	const gboolean is_known = thread != NULL && thread->creator == 0 && !thread->is_guess;
	guint32 pid;

	if (is_known && !thread->has_ended)
		return thread;
	pid = thread != NULL && thread->is_gone ? 0 : read_process(tid);
	if (pid != 0)
		return is_known && pid == thread->pid ? thread : add(threads, tid, pid);
	if (is_known || thread == NULL)
		return thread;
	thread->is_gone = TRUE;
	return !thread->is_guess && settle(threads, thread) ? thread : NULL;
}

static Thread *find(LttKernelThreads *threads, guint32 tid)
{
	Thread *thread = look_up(threads, tid);

	if (thread == NULL)
		thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));
	if (thread == NULL) {
		thread = add(threads, tid, tid);
		thread->is_guess = thread->is_gone = TRUE;
	}
	return thread;
}

gboolean ltt_kernel_threads_look_up(LttKernelThreads *threads, guint32 tid, guint32 *pid)
{
	const Thread *thread = threads->last;

	/* Most events are of the same thread as the event before. */
	if (thread == NULL || tid != threads->last_tid || thread->has_ended) {
		thread = look_up(threads, tid);
		threads->last = thread;
		threads->last_tid = tid;
	}
	if (thread == NULL)
		return FALSE;
	*pid = thread->pid;
	return TRUE;
}

guint32 ltt_kernel_threads_find(LttKernelThreads *threads, guint32 tid)
{
	return find(threads, tid)->pid;
}

void ltt_kernel_threads_create(LttKernelThreads *threads, guint32 parent, guint32 tid,
			       gboolean is_thread)
{
	const Thread *creator = look_up(threads, parent);
	const Thread *known = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));
	const guint32 serial = known != NULL && !known->has_ended ? known->serial : 0;
	Thread new_thread = {.pid = tid};
	Thread *thread;

	/* It has the name of its creator until it changes that. */
	if (creator != NULL)
		memcpy(new_thread.comm, creator->comm, sizeof(new_thread.comm));
	new_thread.parent = parent;
	new_thread.parent_serial = creator != NULL ? creator->serial : 0;
	new_thread.is_named = creator != NULL && creator->is_named &&
			      threads->names == LTT_KERNEL_NAMES_OF_PROGRAM;
	if (is_thread && creator != NULL)
		new_thread.pid = creator->pid;
	else if (is_thread)
		new_thread.creator = parent;
	thread = add(threads, tid, tid);
	new_thread.serial = serial != 0 ? serial : thread->serial;
	*thread = new_thread;
}

void ltt_kernel_threads_end(LttKernelThreads *threads, guint32 tid)
{
	Thread *thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));

	if (tid != 0 && thread != NULL)
		thread->has_ended = TRUE;
}

gboolean ltt_kernel_threads_has_ended(const LttKernelThreads *threads, guint32 tid)
{
	const Thread *thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));

	return thread != NULL && thread->has_ended;
}

/* ---- notes ---- */

/* Whether a thread is one of the program. Its creation, and those of its ancestors, were recorded before the
 * name, but can have been read after it, from the buffers of other CPUs. */
static gboolean is_of_program(const LttKernelThreads *threads, guint32 tid)
{
	const Thread *thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));

	for (guint i = 0; i < MOST_ANCESTORS && thread != NULL && !thread->is_named; i++) {
		const guint32 next = thread->parent != 0 ? thread->parent : thread->pid;
		const guint32 serial = thread->parent_serial;

		if (next == tid)
			return FALSE;
		tid = next;
		thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));
		if (thread != NULL && serial != 0 && thread->serial != serial)
			return FALSE; /* a later thread with the same id */
	}
	return thread != NULL && thread->is_named;
}

static void write_note(const LttNote *note, gpointer user_data)
{
	LttKernelThreads *threads = user_data;
	guint8 *payload;

	if (threads->names == LTT_KERNEL_NAMES_OF_PROGRAM && !is_of_program(threads, note->tid))
		return;
	payload = ltt_cpu_file_add(threads->file, note->cycles, 0, LTT_NO_THREAD, note->id,
				   note->n_bytes);
	if (payload != NULL)
		memcpy(payload, note->bytes, note->n_bytes);
}

void ltt_kernel_threads_flush(LttKernelThreads *threads, guint64 before_cycles)
{
	threads->written_cycles = MAX(threads->written_cycles, before_cycles);
	ltt_notes_take(threads->notes, before_cycles, write_note, threads);
}

/* ---- names ---- */

static void note_name(LttKernelThreads *threads, guint64 cycles, guint32 tid, Thread *thread)
{
	char text[LTT_COMM_BYTES];

	memcpy(text, thread->comm, sizeof(text));
	text[sizeof(text) - 1] = '\0';
	thread->is_due = FALSE;
	ltt_payload_reset(&threads->payload);
	write_threads_name(
		&threads->payload,
		&(const struct threads_name){.pid = thread->pid, .tid = tid, .name = text});
	ltt_notes_add(threads->notes, cycles, tid, threads->name_id, &threads->payload);
}

void ltt_kernel_threads_name(LttKernelThreads *threads, guint64 cycles, guint32 tid,
			     const guint8 *comm)
{
	Thread *thread = find(threads, tid);

	if (tid == 0 || memcmp(thread->comm, comm, LTT_COMM_BYTES) == 0)
		return;
	memcpy(thread->comm, comm, LTT_COMM_BYTES);
	if (threads->names != LTT_KERNEL_NAMES_OF_EVENTS || thread->is_named)
		note_name(threads, cycles, tid, thread);
	else
		thread->is_due = TRUE;
}

/* Writes the names of a thread from now on. The present one is valid for all events that are not
 * written yet. */
static void begin_names(LttKernelThreads *threads, guint32 tid, Thread *thread)
{
	thread->is_named = TRUE;
	if (thread->is_due)
		note_name(threads, threads->written_cycles, tid, thread);
}

void ltt_kernel_threads_name_program(LttKernelThreads *threads, guint32 pid)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, threads->threads);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		((Thread *)value)->is_named |= ((const Thread *)value)->pid == pid;
}

void ltt_kernel_threads_see(LttKernelThreads *threads, guint32 tid)
{
	Thread *thread;

	/* Most events are of the same thread as the event before. */
	if (threads->names != LTT_KERNEL_NAMES_OF_EVENTS ||
	    (threads->last != NULL && tid == threads->last_tid && threads->last->is_named))
		return;
	thread = g_hash_table_lookup(threads->threads, GUINT_TO_POINTER(tid));
	if (thread != NULL && !thread->is_named)
		begin_names(threads, tid, thread);
}
