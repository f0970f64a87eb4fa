/* import-names.c - write the names of processes and threads to control/processes.
 *
 * A COMM record names a thread. After a FORK record, the new thread has the name of its creator,
 * until its own COMM record. The idle thread has the id 0 and the name that perf gives it. Examples
 * of records and events:
 *
 *	COMM 100/100 server  process_start 100 server
 *	FORK 100/101 by 100  threads.name 100/101 server
 *	COMM 100/101 worker  threads.name 100/101 worker
 *	FORK 102/102 by 101  process_start 102 worker
 */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"

/* Offset of the name in the body of a COMM record. */
#define COMM_NAME_AT 8

/* Size of pid, ppid, tid and ptid in the body of a FORK record. */
#define FORK_BYTES 16

/* Limits for hostile recordings. Names of the kernel have at most 63 bytes. Longer names, and names
 * of more threads, are not inherited. */
#define MOST_NAME_BYTES 64
#define MOST_THREADS    (1 << 20)

/* Sets the name that new threads inherit from the thread @tid. */
static void note_name(LttPerfImport *import, guint32 tid, const char *name)
{
	GHashTable *names = import->names;

	if (strnlen(name, MOST_NAME_BYTES) == MOST_NAME_BYTES ||
	    (g_hash_table_size(names) >= MOST_THREADS &&
	     !g_hash_table_contains(names, GUINT_TO_POINTER(tid))))
		g_hash_table_remove(names, GUINT_TO_POINTER(tid));
	else
		g_hash_table_insert(names, GUINT_TO_POINTER(tid), g_strdup(name));
}

/* Writes an event that names a process or thread. @ppid: parent of a process; 0: unknown */
static gboolean write_name(LttPerfImport *import, LttTracefileWriter *file, guint64 time_ns,
			   const LttPerfThread *thread, guint32 ppid, const char *name,
			   GError **error)
{
	const gboolean is_process = thread->pid == thread->tid;

	note_name(import, thread->tid, name);
	if (is_process)
		write_tracer_process_start(&import->payload, &(const struct tracer_process_start){
								     .pid = thread->pid,
								     .ppid = ppid,
								     .name = name,
							     });
	else
		write_threads_name(&import->payload, &(const struct threads_name){
							     .pid = thread->pid,
							     .tid = thread->tid,
							     .name = name,
						     });
	return ltt_tracefile_writer_event(
		file, time_ns,
		(guint16)(is_process ? import->tracer.base_code + tracer_process_start_index
				     : import->threads.base_code + threads_name_index),
		import->payload.bytes->data, import->payload.bytes->len, error);
}

gboolean ltt_perf_import_begin_names(LttPerfImport *import, LttTracefileWriter *file,
				     GError **error)
{
	const LttPerfThread idle = {.pid = 0};

	return write_name(import, file, import->least_ns, &idle, 0, "swapper", error);
}

static gboolean write_comm(LttPerfImport *import, LttTracefileWriter *file, guint64 time_ns,
			   const guint8 *body, gsize length, GError **error)
{
	const LttByteOrder order = import->meta->order;
	g_autofree char *name = NULL;
	LttPerfThread thread;

	if (length < COMM_NAME_AT)
		return TRUE;
	thread = (LttPerfThread){ltt_load_u32(body, order), ltt_load_u32(body + 4, order)};
	name = g_strndup((const char *)body + COMM_NAME_AT, length - COMM_NAME_AT);
	return write_name(import, file, time_ns, &thread, 0, name, error);
}

/* Writes the inherited name of a new thread. If the name of its creator is unknown, an older name
 * of the same id must be replaced with an empty one. */
static gboolean write_fork(LttPerfImport *import, LttTracefileWriter *file, guint64 time_ns,
			   const guint8 *body, gsize length, GError **error)
{
	const LttByteOrder order = import->meta->order;
	g_autofree char *name = NULL;
	LttPerfThread thread;

	if (length < FORK_BYTES)
		return TRUE;
	thread = (LttPerfThread){ltt_load_u32(body, order), ltt_load_u32(body + 8, order)};
	name = g_strdup(g_hash_table_lookup(import->names,
					    GUINT_TO_POINTER(ltt_load_u32(body + 12, order))));
	if (name == NULL && !g_hash_table_contains(import->names, GUINT_TO_POINTER(thread.tid)))
		return TRUE;
	return write_name(import, file, time_ns, &thread, ltt_load_u32(body + 4, order),
			  name != NULL ? name : "", error);
}

gboolean ltt_perf_import_name(LttPerfImport *import, LttTracefileWriter *file,
			      const LttPerfItem *item, GError **error)
{
	const guint64 time_ns = MAX(item->key.time, import->least_ns);
	const guint8 *body = item->record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = item->record->size - LTT_PERF_RECORD_HEADER_BYTES;

	return item->record->type == LTT_PERF_COMM
		       ? write_comm(import, file, time_ns, body, length, error)
		       : write_fork(import, file, time_ns, body, length, error);
}
