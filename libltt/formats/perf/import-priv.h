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

/* Groups of keys, in the order of writing. Records that name threads are in two groups. */
enum {
	LTT_PERF_GROUP_BYTES,     /* bytes outside of records */
	LTT_PERF_GROUP_PROCESSES, /* records that name threads */
	LTT_PERF_GROUP_SESSION,   /* records without a CPU and without a thread */
	LTT_PERF_GROUP_CONTROL,   /* records without a CPU, but with a thread */
	LTT_PERF_GROUP_CPUS,      /* records of CPU 0; CPU n has LTT_PERF_GROUP_CPUS + n */
};

/* Maximum number of CPUs, which the kernel does not exceed. Higher CPU numbers are invalid. */
#define LTT_PERF_MOST_CPUS 8192

/* A tracefile takes at least one block. To avoid a large trace of a small recording with many CPU
 * numbers, only CPUs below a limit have their own tracefile. The limit is the maximum of
 *
 *	LTT_PERF_CPUS_ALWAYS
 *	the number of CPUs in the header, at most LTT_PERF_CPUS_TOLD
 *	the size of the recording / LTT_PERF_BYTES_OF_CPU
 *
 * Records of other CPUs go to LTT_PERF_CONTROL. Their payload contains the CPU. */
#define LTT_PERF_CPUS_ALWAYS  256
#define LTT_PERF_CPUS_TOLD    1024
#define LTT_PERF_BYTES_OF_CPU ((guint64)16 * 1024)

/* Size of an event tracer.thread, which sets the thread of the following events. */
#define LTT_PERF_THREAD_BYTES (LTT_EVENT_HEADER_BYTES + 8)

/* How to write the samples of an attr. */
typedef struct LttPerfSampleKind {
	const LttPerfSteps *steps; /* NULL: use the slow path */
	guint16 id;                /* of the event */
} LttPerfSampleKind;

typedef struct LttPerfImport {
	LttImportJob *job;
	LttPerfTell tell;
	LttWindow *source; /* the imported file */
	LttWindow *flat;   /* the flattened recording; equal to source if it is not needed */
	LttPerfMeta *meta;
	LttPerfFlat what; /* statistics of flattening */
	gboolean is_directory;

	/* Results of the first pass. */
	LttKeySort *keys;
	LttKey run;             /* current run; its size is 0 if there is none */
	guint64 run_ns;         /* time of the last record of the run */
	gboolean run_is_still;  /* LTT_PERF_RUN_IS_STILL */
	gboolean run_is_counts; /* the run consists of counts whose round has not ended */
	guint64 most_run_bytes; /* maximum size of a run */
	guint n_attrs;          /* at the first record with a time; 0: no such record */
	guint64 least_ns;       /* minimum of all times */
	guint64 most_ns;        /* maximum of the times so far */
	guint64 round_ns;       /* most_ns at the last FINISHED_ROUND */
	guint64 open_ns;        /* first time whose samples perf has not printed yet */
	gboolean has_times;
	guint n_cpus;        /* maximum CPU number + 1 */
	guint n_own_files;   /* CPUs with lower numbers have their own tracefile */
	guint64 n_lost_told; /* lost events in LOST records, less those found in sums of perf */
	gsize most_record_bytes;
	gsize most_payload_bytes; /* maximum size of a payload that fits in any block */
	gboolean is_compressed;   /* the pass stopped at a compressed record */

	LttPerfCatalog *catalog;
	LttPerfTypes types;
	GArray *ids;                /* of guint32: event ids, by index of the shape */
	LttPerfSampleKind *samples; /* by number of the attr, owned */
	guint n_samples;
	LttImportFacility file; /* perf_file */
	LttImportFacility tracer;
	LttImportFacility joined;    /* perf_joined; loaded only if it is needed */
	guint64 joined_bytes;        /* size of its events so far */
	guint64 joined_budget_bytes; /* 0: used up */
	GArray *deferred;            /* positions of deferred call chains */
	gboolean deferred_is_full;
	LttWindow *aside;   /* second view of flat, for deferred; NULL: there are none */
	GHashTable *counts; /* id (guint64) -> last count (guint64); NULL: there are no groups */
	LttImportFacility threads;
	GHashTable *names; /* thread id -> its name at the current time, owned */
	guint16 thread_id; /* event id of tracer.thread */
	LttPayload payload;
} LttPerfImport;

/* Returns: the window to which the offsets of features refer */
static inline LttWindow *ltt_perf_features_window(const LttPerfImport *import)
{
	return import->meta->is_pipe ? import->flat : import->source;
}

/* Writes an event of perf_file with the payload import->payload, and empties the payload.
 * @index: index of the event type: perf_file_EVENT_index */
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

/* Returns: the size of the key of a piece, which contains its kind, too */
static inline guint32 ltt_perf_pack_piece(LttPerfPieceKind kind, guint64 size)
{
	return (guint32)kind << 24 | (guint32)size;
}

/* Opens the recording and reads it once. Collects the keys and all properties of the trace that
 * must be known before its first event. Returns: FALSE with the error that ends the import */
gboolean ltt_perf_import_survey(LttPerfImport *import, GError **error);

/* ---- import-clock.c ---- */

/* Sets the attributes of @system that describe the clock. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_import_clock(LttPerfImport *import, LttSystem *system, GError **error);

/* ---- import-deferred.c ---- */

/* The fields of a sample before its counts, which have one word each. */
#define LTT_PERF_BEFORE_READ                                                                       \
	(LTT_PERF_BIT(LTT_PERF_IDENTIFIER) | LTT_PERF_BIT(LTT_PERF_IP) |                           \
	 LTT_PERF_BIT(LTT_PERF_TID) | LTT_PERF_BIT(LTT_PERF_TIME) | LTT_PERF_BIT(LTT_PERF_ADDR) |  \
	 LTT_PERF_BIT(LTT_PERF_ID) | LTT_PERF_BIT(LTT_PERF_STREAM_ID) |                            \
	 LTT_PERF_BIT(LTT_PERF_CPU) | LTT_PERF_BIT(LTT_PERF_PERIOD))

/* Returns: (transfer full): an empty array for import->deferred */
GArray *ltt_perf_deferred_new(void);

/* Adds a record CALLCHAIN_DEFERRED to import->deferred. */
void ltt_perf_deferred_note(LttPerfImport *import, const LttPerfRecord *record, guint64 place);

/* Sorts import->deferred and opens import->aside. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_deferred_begin(LttPerfImport *import, GError **error);

/**
 * ltt_perf_deferred_join:
 * @thread: (nullable): thread of the sample
 * @is_joined: (out): whether import->payload is an event with the joined call chain
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

/* Returns: whether the samples of any event contain the counts of a group */
gboolean ltt_perf_has_groups(const LttPerfMeta *meta);

/* Begins to iterate over the counts in @record, which must outlive @group. There may be none. */
void ltt_perf_group_begin(LttPerfGroup *group, const LttPerfRecord *record, LttByteOrder order);

/* Finds the next count that has increased and writes its event to import->payload. Returns: FALSE
 * if there is none */
gboolean ltt_perf_group_next(LttPerfGroup *group, LttPerfImport *import);

/* ---- import-write.c ---- */

/* Writes all records and the bytes outside of records. Returns: FALSE with the error that ends the
 * import */
gboolean ltt_perf_import_records(LttPerfImport *import, GError **error);

/* ---- import-names.c ---- */

/* Write names to control/processes. The first function writes names that are not in any record. The
 * second one writes the name from a COMM or FORK record; the items must be in time order. */
gboolean ltt_perf_import_begin_names(LttPerfImport *import, LttTracefileWriter *file,
				     GError **error);
gboolean ltt_perf_import_name(LttPerfImport *import, LttTracefileWriter *file,
			      const LttPerfItem *item, GError **error);

/* ---- import-file.c ---- */

/* Writes control/perf_file except the events `bytes`. */
gboolean ltt_perf_import_file(LttPerfImport *import, GError **error);

/* ---- import-programs.c ---- */

/* Write an event for each BPF program in the feature BPF_PROG_INFO, or for the types of each
 * program in the feature BPF_BTF. They report entries that they cannot convert. Return: FALSE with
 * the error that ends the import */
gboolean ltt_perf_import_programs(LttPerfImport *import, const LttPerfFeature *feature,
				  GError **error);
gboolean ltt_perf_import_btfs(LttPerfImport *import, const LttPerfFeature *feature, GError **error);

/* ---- import-copies.c ---- */

/* Writes the copy of the kernel that a directory recording contains. */
gboolean ltt_perf_import_copies(LttPerfImport *import, GError **error);

#endif
