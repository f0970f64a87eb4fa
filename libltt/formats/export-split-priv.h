/* export-split-priv.h - text exports with one file for each event type. */
#ifndef LTT_FORMATS_EXPORT_SPLIT_PRIV_H
#define LTT_FORMATS_EXPORT_SPLIT_PRIV_H

#ifndef LTT_BUILDING
#error "formats/export-split-priv.h is private to libltt; use <ltt/ltt-export.h>"
#endif

#include "formats/export-priv.h"

/* Fills the empty directory request->path. request->kind is also the name of a printer format.
 * Returns: as LttExporter.run */
gboolean ltt_export_split(const LttExportRequest *request, GError **error);

#endif
