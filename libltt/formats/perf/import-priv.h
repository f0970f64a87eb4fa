/* import-priv.h - the state of a running import of a perf recording. */
#ifndef LTT_FORMATS_PERF_IMPORT_PRIV_H
#define LTT_FORMATS_PERF_IMPORT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/import-priv.h is private to libltt"
#endif

#include "formats/import-priv.h"
#include "formats/perf/file/flatten-priv.h"
#include "formats/perf/import-merge-priv.h"
#include "formats/perf/types-priv.h"

#include <eventdefs/perf_file.h>
#include <eventdefs/perf_joined.h>
#include <eventdefs/threads.h>
#include <eventdefs/tracer.h>

/* Groups of keys: what is no record, records that name threads, and then all records: those
 * without a CPU, of no thread and of one, and those of each CPU. */
enum {
	LTT_PERF_GROUP_BYTES,
	LTT_PERF_GROUP_PROCESSES,
	LTT_PERF_GROUP_SESSION,
	LTT_PERF_GROUP_CONTROL,
	LTT_PERF_GROUP_CPUS,
};

/* Higher CPU numbers are invalid: the kernel does not support so many CPUs. */
#define LTT_PERF_MOST_CPUS 8192

/* A tracefile has a block at least. So that a small recording that names many CPUs does not become
 * a large trace, only CPUs below a number have one of their own: this one, that of the CPUs that
 * the header tells up to the second, or one for so many bytes of the recording. Records of others
 * are in LTT_PERF_CONTROL; they tell their CPU themselves. */
#define LTT_PERF_CPUS_ALWAYS  256
#define LTT_PERF_CPUS_TOLD    1024
#define LTT_PERF_BYTES_OF_CPU ((guint64)16 * 1024)

/* An event that names the thread of the records that follow. */
#define LTT_PERF_THREAD_BYTES (LTT_EVENT_HEADER_BYTES + 8)

typedef struct LttPerfImport {
	LttImportJob *job;
	LttPerfTell tell;
	LttWindow *source; /* the file as it is */
	LttWindow *flat;   /* with plain records; may be the same */
	LttPerfMeta *meta;
	LttPerfFlat what; /* was done to get there */
	gboolean is_directory;

	/* What the first pass found. */
	LttKeySort *keys;
	LttKey run;     /* that goes on; its size is 0: none does */
	guint64 run_ns; /* of its last record */
	gboolean run_is_still;
	gboolean run_is_counts; /* of perf stat, whose round has not ended */
	guint64 most_run_bytes;
	guint n_attrs; /* number of attrs at the first record with a time; 0: no such record */
	guint64 least_ns;
	guint64 most_ns; /* so far */
	gboolean has_times;
	guint n_cpus;
	guint n_own_files;   /* lower CPU numbers have their own tracefile */
	guint64 n_lost_told; /* by LOST records, and not yet found in sums of perf */
	gsize most_record_bytes;
	gsize most_payload_bytes; /* that fit into any block */
	gboolean is_compressed;   /* the pass has ended, as the file is to be flattened first */

	LttPerfCatalog *catalog;
	LttPerfTypes types;
	GArray *ids;            /* of guint32, by number of the shape */
	LttImportFacility file; /* perf_file */
	LttImportFacility tracer;
	LttImportFacility joined; /* perf_joined, if there is something to join */
	GArray *deferred;         /* notes of user call chains */
	gboolean deferred_is_full;
	LttWindow *aside;   /* on flat, for these; NULL: there are none */
	GHashTable *counts; /* guint64 id -> guint64; NULL: there are no groups */
	LttImportFacility threads;
	GHashTable *names; /* thread id -> what it is called at the time that is written, owned */
	guint16 thread_id; /* of tracer.thread */
	LttPayload payload;
} LttPerfImport;

/* Returns: the window to which the offsets of features refer */
static inline LttWindow *ltt_perf_features_window(const LttPerfImport *import)
{
	return import->meta->is_pipe ? import->flat : import->source;
}

/* Writes the payload in import->payload, which is empty afterwards, as an event of perf_file.
 * @index: of the event type: perf_file_EVENT_index */
static inline gboolean ltt_perf_import_put(LttPerfImport *import, guint index, GError **error)
{
	LttTracefileWriter *file =
		ltt_trace_writer_open(import->job->writer, LTT_PERF_FILE_CONTROL, error);
	const gboolean ok = file != NULL &&
			    ltt_tracefile_writer_event(file, import->least_ns,
						       (guint16)(import->file.base_code + index),
						       import->payload.bytes->data,
						       import->payload.bytes->len, error);

	ltt_payload_reset(&import->payload);
	return ok;
}

/* ---- import-pass.c: the first pass ---- */

/* Maximum size of a piece of bytes outside of records. */
#define LTT_PERF_PIECE_BYTES ((guint64)32 * 1024)

/* Their key packs kind and size into one word. */
static inline guint32 ltt_perf_pack_piece(LttPerfPieceKind kind, guint64 size)
{
	return (guint32)kind << 24 | (guint32)size;
}

/* Opens the recording and reads it through once: keys, and what a trace must know before its first
 * event. Returns: FALSE with the error that ends the import */
gboolean ltt_perf_import_survey(LttPerfImport *import, GError **error);

/* ---- import-clock.c ---- */

/* Sets the attributes of @system that say which clock the times are of. Returns: FALSE with
 * LTT_ERROR_IO */
gboolean ltt_perf_import_clock(LttPerfImport *import, LttSystem *system, GError **error);

/* ---- import-deferred.c ---- */

/* The fields in front of a sample's counts, one word each. */
#define LTT_PERF_BEFORE_READ                                                                       \
	(LTT_PERF_BIT(LTT_PERF_IDENTIFIER) | LTT_PERF_BIT(LTT_PERF_IP) |                           \
	 LTT_PERF_BIT(LTT_PERF_TID) | LTT_PERF_BIT(LTT_PERF_TIME) | LTT_PERF_BIT(LTT_PERF_ADDR) |  \
	 LTT_PERF_BIT(LTT_PERF_ID) | LTT_PERF_BIT(LTT_PERF_STREAM_ID) |                            \
	 LTT_PERF_BIT(LTT_PERF_CPU) | LTT_PERF_BIT(LTT_PERF_PERIOD))

/* Returns: (transfer full): what notes of import->deferred are in */
GArray *ltt_perf_deferred_new(void);

/* Notes a record CALLCHAIN_DEFERRED of the first pass. */
void ltt_perf_deferred_note(LttPerfImport *import, const LttPerfRecord *record, guint64 place);

/* Completes the notes. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_deferred_begin(LttPerfImport *import, GError **error);

/**
 * ltt_perf_deferred_join:
 * @thread: of the sample; NULL: of none
 * @is_joined: (out): whether import->payload is the event with the joined call chain
 *
 * Returns: FALSE with the error that ends the import
 */
gboolean ltt_perf_deferred_join(LttPerfImport *import, const LttPerfRecord *record,
				const LttPerfThread *thread, gboolean *is_joined, GError **error);

/* ---- import-group.c ---- */

/* Iterates over the counts in a sample of a group's leader. */
typedef struct LttPerfGroup {
	const guint8 *at;
	gsize item_bytes;
	guint64 n_left;
} LttPerfGroup;

/* Returns: whether samples of an event contain the counts of a group */
gboolean ltt_perf_has_groups(const LttPerfMeta *meta);

/* Begins with the first count of @record, which must outlive @group; if it has none, none comes. */
void ltt_perf_group_begin(LttPerfGroup *group, const LttPerfRecord *record, LttByteOrder order);

/* Returns: whether there is another count that has grown; import->payload is its event then */
gboolean ltt_perf_group_next(LttPerfGroup *group, LttPerfImport *import);

/* ---- import-write.c ---- */

/* Writes all records, and the bytes outside of records. */
gboolean ltt_perf_import_records(LttPerfImport *import, GError **error);

/* ---- import-names.c ---- */

/* Write names into control/processes: those that no record contains, and the name from a COMM or
 * FORK record. The items must be in time order. */
gboolean ltt_perf_import_begin_names(LttPerfImport *import, LttTracefileWriter *file,
				     GError **error);
gboolean ltt_perf_import_name(LttPerfImport *import, LttTracefileWriter *file,
			      const LttPerfItem *item, GError **error);

/* ---- import-file.c ---- */

/* Writes control/perf_file, but for events `bytes`. */
gboolean ltt_perf_import_file(LttPerfImport *import, GError **error);

/* ---- import-programs.c ---- */

/* Write an event for each BPF program of the feature BPF_PROG_INFO, for the types of each in
 * BPF_BTF. They report entries that they cannot convert. Return: FALSE with the error that ends
 * the import */
gboolean ltt_perf_import_programs(LttPerfImport *import, const LttPerfFeature *feature,
				  GError **error);
gboolean ltt_perf_import_btfs(LttPerfImport *import, const LttPerfFeature *feature, GError **error);

/* ---- import-copies.c ---- */

/* Writes the copy of the kernel that a directory recording contains. */
gboolean ltt_perf_import_copies(LttPerfImport *import, GError **error);

#endif
