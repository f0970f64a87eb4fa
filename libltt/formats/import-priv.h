/* import-priv.h - what an importer is, and what importers share; the table of them is in import.c.
 *
 * An importer maps the records of a foreign format to events. The format itself is read by a
 * reader under libltt/recordings that knows nothing of traces.
 */
#ifndef LTT_FORMATS_IMPORT_PRIV_H
#define LTT_FORMATS_IMPORT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/import-priv.h is private to libltt; use <ltt/ltt-import.h>"
#endif

#include "base/input-priv.h"

#include "writer/block-writer-priv.h"

#include <ltt/ltt-import.h>
#include <ltt/ltt-payload.h>
#include <ltt/ltt-writer.h>

/* One import, while it is under way. */
typedef struct LttImportJob {
	const LttImportRequest *request;
	LttInput *input;        /* NULL: request->path is a directory */
	const char *name;       /* of the recording, for messages */
	char *trace_path;       /* where the trace is made */
	LttTraceWriter *writer; /* NULL: not begun */
	guint64 n_problems;     /* so far, those that were not told of included */
} LttImportJob;

/**
 * LttImporter:
 * @recognise: whether the recording is of this kind. Errors of reading are left for @run to meet
 * @run: makes the trace: ltt_import_begin(), then events into job->writer, which is closed
 *   afterwards by ltt_import().
 *   Returns: FALSE with the error that ends the import; what was made until then is removed
 */
typedef struct LttImporter {
	LttImportKind kind;
	gboolean takes_directory; /* job->input may be NULL */
	gboolean (*recognise)(LttImportJob *job);
	gboolean (*run)(LttImportJob *job, GError **error);
} LttImporter;

extern const LttImporter ltt_import_revent;
extern const LttImporter ltt_import_qemu;
extern const LttImporter ltt_import_perf;

/* ---- import-job.c ---- */

/**
 * ltt_import_new_system:
 * @recording: kind and version: "revent 3, gamepad"
 *
 * Returns: (transfer full): the system of a machine of which nothing is known, with one CPU; not
 *   sealed, so that an importer that knows more can say so
 */
LttSystem *ltt_import_new_system(const LttImportJob *job, const char *recording,
				 const LttArch *arch, guint64 block_bytes);

/* Says of which clock the times of the trace are: LTT_CLOCK_WALL or another of ltt-system.h. Every
 * importer calls it. */
void ltt_import_set_clock(LttSystem *system, const char *clock);

/* Says that the clock showed @clock_ns when the wall clock showed @wall_ns. Ignores pairs from which
 * the zero of the clock cannot be computed. */
void ltt_import_set_clock_zero(LttSystem *system, guint64 wall_ns, guint64 clock_ns);

/* Returns: a size for blocks that have room for a payload of @most_payload_bytes: a power of two,
 * 64 KiB at least. Payloads of more than LTT_IMPORT_MOST_BYTES are not for one event. */
#define LTT_IMPORT_MOST_BYTES ((gsize)16 * 1024 * 1024)
guint64 ltt_import_block_bytes(gsize most_payload_bytes);

/* Makes job->writer. @system: gets sealed. @options: (nullable) */
gboolean ltt_import_begin(LttImportJob *job, LttSystem *system, const LttWriterOptions *options,
			  GError **error);

/* A shipped facility in the trace that is made. */
typedef struct LttImportFacility {
	const LttFacility *facility;
	guint32 base_code;
} LttImportFacility;

gboolean ltt_import_load(LttImportJob *job, const char *name, LttImportFacility *out,
			 GError **error);

/* Tells of a problem at a byte of the recording; LTT_NOWHERE: of the whole. */
void ltt_import_tell(LttImportJob *job, gint64 byte, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Reports how many more problems there were than are reported one by one. */
void ltt_import_tell_rest(LttImportJob *job);

/* Tells of @error if that is damage (LTT_ERROR_CORRUPT), which an import lives with.
 * Returns: TRUE; else FALSE, with the error handed on */
gboolean ltt_import_take_damage(LttImportJob *job, GError *error, GError **out);

/* Reports the bytes of the recording that are done. Returns: FALSE with LTT_ERROR_CANCELLED */
gboolean ltt_import_progress(const LttImportJob *job, guint64 n_done, guint64 n_total,
			     GError **error);

/* ---- import-track.c ---- */

/* A tracefile whose events may have any times in any order, as those of others do. */
typedef struct LttImportTrack {
	LttTracefileWriter *file;
	guint64 cycles; /* of the last event */
	guint64 time_ns;
	gboolean has_events;
} LttImportTrack;

gboolean ltt_import_track_open(LttImportTrack *track, LttImportJob *job, const char *name,
			       GError **error);

/* @time_ns: at most LTT_MAX_WRITTEN_NS. Returns: as ltt_tracefile_writer_event() */
gboolean ltt_import_track_event(LttImportTrack *track, guint64 time_ns, guint32 id,
				const LttPayload *payload, GError **error);

#endif
