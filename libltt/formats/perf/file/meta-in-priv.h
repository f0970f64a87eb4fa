/* meta-in-priv.h - internals of the metadata, for meta*.c and event-names.c. */
#ifndef LTT_FORMATS_PERF_FILE_META_IN_PRIV_H
#define LTT_FORMATS_PERF_FILE_META_IN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/meta-in-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"

/* Limits, far above the needs of the largest machines. Entries beyond a limit are reported and kept
 * as raw bytes. */
#define LTT_PERF_MOST_ATTRS 16384
#define LTT_PERF_MOST_IDS   ((guint64)1 << 20)

/* Minimum and maximum size of an attr entry. The minimum is the size in version 1. */
#define LTT_PERF_LEAST_ENTRY_BYTES 80
#define LTT_PERF_MOST_ENTRY_BYTES  4096

/* Size of a section descriptor: offset and size. */
#define LTT_PERF_SECTION_BYTES 16

#define LTT_PERF_EVENT_TYPE_BYTES 72

/* ---- meta.c ---- */

/* Returns: (transfer full): empty metadata */
LttPerfMeta *ltt_perf_meta_new(LttByteOrder order, guint version);

/* Decodes a section descriptor of LTT_PERF_SECTION_BYTES at @at. */
LttPerfSection ltt_perf_meta_get_section(const LttPerfMeta *meta, const guint8 *at);

static inline gboolean ltt_perf_meta_has(const LttPerfMeta *meta, guint bit)
{
	return (meta->feature_words[bit / 64] & LTT_PERF_BIT(bit % 64)) != 0;
}

/* Adds an event type: an id and a name, in LTT_PERF_EVENT_TYPE_BYTES. */
void ltt_perf_meta_add_event_type(LttPerfMeta *meta, const guint8 *bytes);

/* ---- meta-sections.c ---- */

/* Reads all sections that the header refers to. The position of the records must be known.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_meta_read_sections(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
				     GError **error);

/* Reads the number of CPUs from its feature. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_meta_read_n_cpus(LttPerfMeta *meta, LttWindow *window, GError **error);

/* ---- event-names.c ---- */

/* Sets the texts of @meta and the names of its attrs. A name comes from the feature EVENT_DESC,
 * from the event types of old files, from the formats of tracepoints, or from perf's built-in
 * names.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_names_find(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			     GError **error);

#endif
