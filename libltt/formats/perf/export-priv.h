/* export-priv.h - the state of a running export of a perf recording. */
#ifndef LTT_FORMATS_PERF_EXPORT_PRIV_H
#define LTT_FORMATS_PERF_EXPORT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/export-priv.h is private to libltt"
#endif

#include "base/key-sort-priv.h"
#include "base/scratch-priv.h"
#include "formats/export-priv.h"
#include "formats/perf/file/record-scan-priv.h"
#include "formats/perf/types-priv.h"

#include <eventdefs/perf_file.h>

/* Forms of a recording, with the numbers of perf_file.container. */
typedef enum LttPerfContainerForm {
	LTT_PERF_CONTAINER_FILE,
	LTT_PERF_CONTAINER_PIPE,
	LTT_PERF_CONTAINER_DIRECTORY,
} LttPerfContainerForm;

/* The contents of an event perf_file.container. */
typedef struct LttPerfContainer {
	LttPerfContainerForm form;
	gboolean is_unfinished;
	LttPerfSpan records;
	guint64 recorded_end;
	guint64 size;
	guint64 n_compressed;
} LttPerfContainer;

/* An exported AUX record. */
typedef struct LttPerfAux {
	guint64 place; /* offset in the output */
	guint64 size;  /* including its payload */
} LttPerfAux;

/* Result of a lookup in shapes. */
typedef struct LttPerfFoundShape {
	const LttEventType *type; /* NULL: empty entry */
	guint shape;              /* number of its shape + 1; 0: the type has none */
} LttPerfFoundShape;

#define LTT_PERF_N_FOUND_SHAPES 64

typedef struct LttPerfExport {
	const LttExportRequest *request;
	LttOfflineReader *file; /* for events of perf_file */
	LttPerfContainer container;
	guint n_containers;

	/* All bytes at their offsets in the imported file. Records that are not exported are
	 * zeros. */
	LttScratch *image;
	LttWindow *window;     /* view of the image */
	LttKeySort *pieces;    /* exported pieces of the image */
	LttKey run;            /* adjacent records that are not in pieces yet; size 0: none */
	GArray *metas;         /* of guint64: offsets of the pieces META */
	guint64 n_other_bytes; /* total size of the pieces that are not records */

	LttPerfMeta *meta;
	LttPerfCatalog *catalog;
	LttPerfTypes types;
	GHashTable *shapes; /* LttEventType -> index of its shape + 1 */
	LttPerfFoundShape found[LTT_PERF_N_FOUND_SHAPES]; /* cache, by the address of the type */
	GByteArray *payload; /* of the current event, in the byte order of the recording */
	GByteArray *record;  /* record of the current event */

	/* Results of ltt_perf_export_choose(). */
	LttKeySort *kept;      /* pieces to write */
	guint64 records_bytes; /* size of the records in the output */
	GArray *aux;           /* of LttPerfAux */
	gboolean has_counts;   /* there are counts of perf stat */
} LttPerfExport;

/* ---- export-image.c ---- */

/* Writes bytes to the image. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_put(LttPerfExport *export, guint64 place, gconstpointer bytes,
			     gsize length, GError **error);

/* Adds a piece to the list of pieces. Merges adjacent records. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_note(LttPerfExport *export, LttPerfPieceKind kind, guint64 place,
			      guint32 size, GError **error);

/* Sorts the list of pieces. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_end_pieces(LttPerfExport *export, GError **error);

/* Replaces the window, so that it shows all bytes of the image. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_reopen(LttPerfExport *export, GError **error);

/* Selects the pieces to write. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_choose(LttPerfExport *export, GError **error);

/* Writes the selected pieces. Returns: FALSE with the error that ends the export */
gboolean ltt_perf_export_write_kept(LttPerfExport *export, GError **error);

/* Writes bytes of the image. Returns: FALSE with the error that ends the export */
gboolean ltt_perf_export_write_image(LttPerfExport *export, guint64 place, guint64 size,
				     GError **error);

/* ---- export-layout.c ---- */

/* Adjusts header and sections in the image to the selected records. Returns: FALSE with
 * LTT_ERROR_IO */
gboolean ltt_perf_export_move(LttPerfExport *export, GError **error);

/* ---- export-pipe.c ---- */

/* Writes a recording in pipe form as a file. Returns: FALSE with the error that ends the export */
gboolean ltt_perf_export_pipe(LttPerfExport *export, GError **error);

#endif
