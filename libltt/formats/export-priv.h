/* export-priv.h - what an exporter is; the table of them is in export.c. */
#ifndef LTT_FORMATS_EXPORT_PRIV_H
#define LTT_FORMATS_EXPORT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/export-priv.h is private to libltt; use <ltt/ltt-export.h>"
#endif

#include "base/sink-priv.h"

#include <ltt/ltt-export.h>

/**
 * LttExporter:
 * @run: makes it. Of @request, everything is as ltt_export() documents it, but
 *   select     is never NULL
 *   path       is an empty directory made for the purpose, if kind.makes_directory or split; else
 * NULL write      is where the bytes go otherwise split      is FALSE unless kind.can_split
 *   Returns: FALSE with the error that ends the export; what was made until then is removed
 */
typedef struct LttExporter {
	LttExportKind kind;
	gboolean (*run)(const LttExportRequest *request, GError **error);
} LttExporter;

extern const LttExporter ltt_export_ctf;
extern const LttExporter ltt_export_json;
extern const LttExporter ltt_export_csv;
extern const LttExporter ltt_export_arrow;
extern const LttExporter ltt_export_chrome;
extern const LttExporter ltt_export_revent;
extern const LttExporter ltt_export_qemu;
extern const LttExporter ltt_export_perf;

/* ---- export-names.c ---- */

/* Makes the path of the file of an event type in request->path, from its full name and the kind.
 * @names: from names in lower case, owned, to how many types have them so far: free with g_free().
 * Returns: (transfer full): no other type has it */
char *ltt_export_make_path(const LttExportRequest *request, GHashTable *names,
			   const char *full_name);

/* ---- export-visit.c ---- */

/* Tells of @error, which a step gave. Returns: TRUE if it is damage of a block, which can be
 * skipped; else FALSE, with the error handed on */
gboolean ltt_export_take_damage(const LttExportRequest *request, GError *error, GError **out);

/* Tells of a problem that is not in the trace but in what can be made of it. @block: or
 * LTT_NOWHERE. */
void ltt_export_tell(const LttExportRequest *request, const LttTracefile *tracefile, gint64 block,
		     const char *message);

/* Told of an event. Returns: FALSE with an error to end the export */
typedef gboolean (*LttExportVisit)(const LttEvent *event, gpointer user_data, GError **error);

/* Visits the selected events in merged order, and is asked at times whether to go on. Damage is
 * told of and passed over. */
gboolean ltt_export_visit_selected(const LttExportRequest *request, LttExportVisit visit,
				   gpointer user_data, GError **error);

/* Visits the selected events in any order, which takes less time: file by file if it can. */
gboolean ltt_export_visit_unordered(const LttExportRequest *request, LttExportVisit visit,
				    gpointer user_data, GError **error);

/* Visits those of the selected events that belong to the facility of that name, likewise. */
gboolean ltt_export_visit(const LttExportRequest *request, const char *facility,
			  LttExportVisit visit, gpointer user_data, GError **error);

/* Visits all events of the facility in the control files, selected or not, and is silent about damage
 * there: they describe the recording as a whole. */
gboolean ltt_export_visit_all(const LttExportRequest *request, const char *facility,
			      LttExportVisit visit, gpointer user_data, GError **error);

/* ---- export-output.c ---- */

/* Where the bytes of a recording that is made again go, and room to make its parts in. */
typedef struct LttExportOutput {
	LttSink sink;
	GByteArray *part;  /* that is being made */
	GByteArray *piece; /* of a part, where it has to be put together first */
} LttExportOutput;

/* Makes all of the output. Returns: FALSE with an error to end the export */
typedef gboolean (*LttExportMake)(gpointer user_data, GError **error);

/* Opens the output, has it made, and hands on what was gathered. */
gboolean ltt_export_make(const LttExportRequest *request, LttExportOutput *output,
			 LttExportMake make, gpointer user_data, GError **error);

/* Returns: FALSE with the error of who takes the bytes */
gboolean ltt_export_put(LttExportOutput *output, gconstpointer bytes, gsize length, GError **error);

/* Says that the trace is no recording of @kind, "revent", and what it is if it tells. Returns:
 * FALSE
 */
gboolean ltt_export_refuse(const LttExportRequest *request, const char *kind, const char *facility,
			   GError **error);

/* Says that the trace was merged of several recordings of @kind. Returns: FALSE */
gboolean ltt_export_refuse_several(const LttExportRequest *request, const char *kind,
				   GError **error);

#endif
