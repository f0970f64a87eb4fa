/* import-priv.h - the importer interface and shared helpers; import.c has the table of importers.
 *
 * An importer maps the records of a foreign format to events. A separate reader, which does not
 * depend on traces, reads the format itself.
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

/* One running import. */
typedef struct LttImportJob {
	const LttImportRequest *request;
	LttInput *input;        /* NULL: request->path is a directory */
	const char *name;       /* name of the recording, for messages */
	char *trace_path;       /* directory of the new trace */
	LttTraceWriter *writer; /* NULL before ltt_import_begin() */
	guint64 n_problems;     /* so far, including unreported ones */
} LttImportJob;

/**
 * LttImporter:
 * @recognise: returns whether the recording is of this kind. Ignores read errors, because @run
 *   reports them.
 * @run: calls ltt_import_begin(), then writes events to job->writer. ltt_import() closes the
 *   writer afterwards.
 *   Returns: FALSE with the error that ends the import. The caller then removes the partial trace.
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
 * @recording: kind and version, such as "revent, version 3, gamepad"
 *
 * Returns: (transfer full): the system of an unknown machine with one CPU. It is not sealed, so the
 *   importer can set attributes from the recording
 */
LttSystem *ltt_import_new_system(const LttImportJob *job, const char *recording,
				 const LttArch *arch, guint64 block_bytes);

/* Sets the clock of the trace's times: LTT_CLOCK_WALL or another one of ltt-system.h. Every
 * importer must call it. */
void ltt_import_set_clock(LttSystem *system, const char *clock);

/* Sets the zero of the clock from one pair of simultaneous readings, in ns: @wall_ns of the wall
 * clock and @clock_ns of the trace's clock. Ignores pairs from which it cannot compute the zero. */
void ltt_import_set_clock_zero(LttSystem *system, guint64 wall_ns, guint64 clock_ns);

/* Maximum size of the payload of an event. */
#define LTT_IMPORT_MOST_BYTES ((gsize)16 * 1024 * 1024)

/* Returns: a block size with room for a payload of @most_payload_bytes: a power of two, at least
 * 64 KiB */
guint64 ltt_import_block_bytes(gsize most_payload_bytes);

/* Creates job->writer and seals @system. @options: (nullable) */
gboolean ltt_import_begin(LttImportJob *job, LttSystem *system, const LttWriterOptions *options,
			  GError **error);

/* A shipped facility, loaded into the new trace. */
typedef struct LttImportFacility {
	const LttFacility *facility;
	guint32 base_code;
} LttImportFacility;

gboolean ltt_import_load(LttImportJob *job, const char *name, LttImportFacility *out,
			 GError **error);

/* Reports a problem. @byte: its offset in the recording; LTT_NOWHERE: it concerns the whole
 * recording */
void ltt_import_tell(LttImportJob *job, gint64 byte, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Reports the number of problems that were not reported individually. */
void ltt_import_tell_rest(LttImportJob *job);

/* Reports @error if it is damage (LTT_ERROR_CORRUPT), which does not end an import.
 * Returns: TRUE if it is; else FALSE, with a copy of the error in @out */
gboolean ltt_import_take_damage(LttImportJob *job, GError *error, GError **out);

/* Reports progress in bytes of the recording. Returns: FALSE with LTT_ERROR_CANCELLED */
gboolean ltt_import_progress(const LttImportJob *job, guint64 n_done, guint64 n_total,
			     GError **error);

/* ---- import-track.c ---- */

/* A tracefile whose events may have arbitrary times in arbitrary order, as in foreign
 * recordings. */
typedef struct LttImportTrack {
	LttTracefileWriter *file;
	guint64 cycles;  /* of the last event */
	guint64 time_ns; /* of the last event */
	gboolean has_events;
} LttImportTrack;

gboolean ltt_import_track_open(LttImportTrack *track, LttImportJob *job, const char *name,
			       GError **error);

/* @time_ns: at most LTT_MAX_WRITTEN_NS. Returns: FALSE with the error of
 * ltt_tracefile_writer_event() */
gboolean ltt_import_track_event(LttImportTrack *track, guint64 time_ns, guint32 id,
				const LttPayload *payload, GError **error);

#endif
