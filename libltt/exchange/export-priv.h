/* export-priv.h - what an exporter is; the table of them is in export.c. */
#ifndef LTT_EXPORT_PRIV_H
#define LTT_EXPORT_PRIV_H

#ifndef LTT_BUILDING
#error "export-priv.h is private to libltt; use <ltt/ltt-export.h>"
#endif

#include <ltt/ltt-export.h>

/**
 * LttExporter:
 * @run: makes it. Of @request, everything is as ltt_export() documents it, but
 *   select     is never NULL
 *   path       is an empty directory made for the purpose, if kind.makes_directory; else NULL
 *   write      is where the bytes go, if not kind.makes_directory
 *   Returns: FALSE with the error that ends the export; what was made until then is removed
 */
typedef struct LttExporter {
	LttExportKind kind;
	gboolean (*run)(const LttExportRequest *request, GError **error);
} LttExporter;

extern const LttExporter ltt_export_ctf;
extern const LttExporter ltt_export_json;
extern const LttExporter ltt_export_csv;

/* Tells of @error, which a step gave. Returns: TRUE if it is damage of a block, which can be
 * skipped; else FALSE, with the error handed on */
gboolean ltt_export_take_damage(const LttExportRequest *request, GError *error, GError **out);

/* Tells of a problem that is not in the trace but in what can be made of it. @block: or
 * LTT_NOWHERE. */
void ltt_export_tell(const LttExportRequest *request, const LttTracefile *tracefile, gint64 block,
		     const char *message);

/* Returns: FALSE with an error if the export is to end */
gboolean ltt_export_progress(const LttExportRequest *request, guint64 n_done, guint64 n_total,
			     GError **error);

#endif
