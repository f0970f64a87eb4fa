/* export-priv.h - an export of a perf recording while it is under way. */
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

/* Forms, as perf_file.container numbers them. */
typedef enum LttPerfContainerForm {
	LTT_PERF_CONTAINER_FILE,
	LTT_PERF_CONTAINER_PIPE,
	LTT_PERF_CONTAINER_DIRECTORY,
} LttPerfContainerForm;

/* perf_file.container */
typedef struct LttPerfContainer {
	LttPerfContainerForm form;
	gboolean is_unfinished;
	LttPerfSpan records;
	guint64 recorded_end;
	guint64 size;
	guint64 n_compressed;
} LttPerfContainer;

/* An AUX record that is exported. */
typedef struct LttPerfAux {
	guint64 place; /* in the result */
	guint64 size;  /* with what follows it */
} LttPerfAux;

typedef struct LttPerfExport {
	const LttExportRequest *request;
	LttOfflineReader *file; /* perf_file */
	LttPerfContainer container;
	guint n_containers;

	/* All bytes at their places in the file that was imported; bytes of records that are not
	 * exported are zeros. */
	LttScratch *image;
	LttWindow *window;     /* on the image */
	LttKeySort *pieces;    /* what of it there is: place; size with its kind */
	LttKey run;            /* records that adjoin, not in pieces yet; size 0: none */
	GArray *metas;         /* of guint64: places of pieces META */
	guint64 n_other_bytes; /* of pieces that are no records */

	LttPerfMeta *meta;
	LttPerfCatalog *catalog;
	LttPerfTypes types;
	GHashTable *shapes; /* LttEventType -> number of its shape + 1 */
	const LttEventType *last_type;
	guint last_shape;    /* of events of last_type, likewise */
	GByteArray *payload; /* of the event under way, in the byte order of the recording */
	GByteArray *record;  /* and the record that it was */

	/* What goes out, in order; known once all was gathered. */
	LttKeySort *kept;
	guint64 records_bytes; /* of what is kept between head and tail */
	GArray *aux;           /* of LttPerfAux */
	gboolean has_counts;   /* of perf stat */
} LttPerfExport;

/* ---- export-image.c ---- */

/* Puts bytes into the image. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_put(LttPerfExport *export, guint64 place, gconstpointer bytes,
			     gsize length, GError **error);

/* Notes that there is a piece. Records that adjoin become one. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_note(LttPerfExport *export, LttPerfPieceKind kind, guint64 place,
			      guint32 size, GError **error);

/* Sorts the pieces that were noted. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_end_pieces(LttPerfExport *export, GError **error);

/* Reads the image anew, with all that was put. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_export_reopen(LttPerfExport *export, GError **error);

/* Finds out which pieces go out: kept, records_bytes and aux. */
gboolean ltt_perf_export_choose(LttPerfExport *export, GError **error);

/* Writes the pieces kept. Returns: FALSE with the error that ends the export */
gboolean ltt_perf_export_write_kept(LttPerfExport *export, GError **error);

/* Writes bytes of the image. */
gboolean ltt_perf_export_write_image(LttPerfExport *export, guint64 place, guint64 size,
				     GError **error);

/* ---- export-layout.c ---- */

/* Makes header and sections tell what the records have become, in the image. */
gboolean ltt_perf_export_move(LttPerfExport *export, GError **error);

/* ---- export-pipe.c ---- */

/* Writes a file of what came in pipe form. */
gboolean ltt_perf_export_pipe(LttPerfExport *export, GError **error);

#endif
