/* export-priv.h - the exporter interface; export.c has the table of exporters. */
#ifndef LTT_FORMATS_EXPORT_PRIV_H
#define LTT_FORMATS_EXPORT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/export-priv.h is private to libltt; use <ltt/ltt-export.h>"
#endif

#include "base/sink-priv.h"

#include <ltt/ltt-export.h>
#include <ltt/ltt-table.h>

/**
 * LttExporter:
 * @run: runs the export. The members of @request are as ltt_export() documents them, except:
 *
 *   - select is never NULL.
 *   - path is a new, empty directory if kind.makes_directory or split is set, else NULL.
 *   - write receives the bytes if path is NULL.
 *   - split is FALSE unless kind.can_split is set.
 *
 *   Returns: FALSE with the error that ends the export. The caller then removes partial output.
 */
typedef struct LttExporter {
	LttExportKind kind;
	gboolean (*run)(const LttExportRequest *request, GError **error);
} LttExporter;

extern const LttExporter ltt_export_ctf;
extern const LttExporter ltt_export_json;
extern const LttExporter ltt_export_csv;
extern const LttExporter ltt_export_arrow;
extern const LttExporter ltt_export_clickhouse_ddl;
extern const LttExporter ltt_export_chrome;
extern const LttExporter ltt_export_revent;
extern const LttExporter ltt_export_qemu;
extern const LttExporter ltt_export_perf;

/* ---- export-visit.c ---- */

/* Reports @error if it is about a damaged block, which can be skipped.
 * Returns: TRUE if it is; else FALSE, with a copy of the error in @out */
gboolean ltt_export_take_damage(const LttExportRequest *request, GError *error, GError **out);

/* Reports a problem of the conversion, not of the trace. @block: LTT_NOWHERE if it does not
 * belong to a block */
void ltt_export_tell(const LttExportRequest *request, const LttTracefile *tracefile, gint64 block,
		     const char *message);

/* Returns: whether events of @table are selected, by their names alone */
gboolean ltt_export_wants_table(const LttExportRequest *request, const LttTable *table);

/* Visits one event. Returns: FALSE with an error to end the export */
typedef gboolean (*LttExportVisit)(const LttEvent *event, gpointer user_data, GError **error);

/* Visits the selected events in merged order. Polls for cancellation. Reports and skips damaged
 * blocks. */
gboolean ltt_export_visit_selected(const LttExportRequest *request, LttExportVisit visit,
				   gpointer user_data, GError **error);

/* Visits the selected events in any order, file by file if possible, which is faster. */
gboolean ltt_export_visit_unordered(const LttExportRequest *request, LttExportVisit visit,
				    gpointer user_data, GError **error);

/* Visits the selected events of one facility, like ltt_export_visit_selected(). */
gboolean ltt_export_visit(const LttExportRequest *request, const char *facility,
			  LttExportVisit visit, gpointer user_data, GError **error);

/* Visits all events of one facility in the control files, even if they are not selected, because
 * they describe the whole recording. Does not report damage. */
gboolean ltt_export_visit_all(const LttExportRequest *request, const char *facility,
			      LttExportVisit visit, gpointer user_data, GError **error);

/* ---- export-output.c ---- */

/* Makes the path of the file of an event type in request->path, from its full name and the kind of
 * the export.
 * @names: maps each name in lower case to the number of types that have this name so far. It owns
 * the names, which it frees with g_free().
 * Returns: (transfer full): a path that no other event type has */
char *ltt_export_make_path(const LttExportRequest *request, GHashTable *names,
			   const char *full_name);

/* The output of an export to a recording format, with buffers for its parts. */
typedef struct LttExportOutput {
	LttSink sink;
	GByteArray *part;  /* the part under construction */
	GByteArray *piece; /* scratch buffer for a piece of a part */
} LttExportOutput;

/* Writes the whole output. Returns: FALSE with an error to end the export */
typedef gboolean (*LttExportMake)(gpointer user_data, GError **error);

/* Opens the output, calls @make and flushes the buffered bytes. */
gboolean ltt_export_make(const LttExportRequest *request, LttExportOutput *output,
			 LttExportMake make, gpointer user_data, GError **error);

/* Returns: FALSE with the error of request->write */
gboolean ltt_export_put(LttExportOutput *output, gconstpointer bytes, gsize length, GError **error);

/* Sets an error: the trace was not imported from a recording of @kind ("revent"). The message
 * names the actual kind if the trace records it. Returns: FALSE */
gboolean ltt_export_refuse(const LttExportRequest *request, const char *kind, const char *facility,
			   GError **error);

/* Sets an error: the trace was merged from several recordings of @kind. Returns: FALSE */
gboolean ltt_export_refuse_several(const LttExportRequest *request, const char *kind,
				   GError **error);

#endif
