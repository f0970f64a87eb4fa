/* meta-in-priv.h - inside of a meta: for the files meta*.c. */
#ifndef LTT_FORMATS_PERF_FILE_META_IN_PRIV_H
#define LTT_FORMATS_PERF_FILE_META_IN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/meta-in-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"

/* Limits, far above the needs of the largest machines. The reader reports entries beyond a limit
 * and keeps them as bytes. */
#define LTT_PERF_MOST_ATTRS 16384
#define LTT_PERF_MOST_IDS   ((guint64)1 << 20)

/* Sizes of an entry of the attrs; version 1 knew the least. */
#define LTT_PERF_LEAST_ENTRY_BYTES 80
#define LTT_PERF_MOST_ENTRY_BYTES  4096

/* Size of a section descriptor: offset and size. */
#define LTT_PERF_SECTION_BYTES 16

#define LTT_PERF_EVENT_TYPE_BYTES 72

/* ---- meta.c ---- */

/* Returns: (transfer full): empty metadata */
LttPerfMeta *ltt_perf_meta_new(LttByteOrder order, guint version);

/* @at: LTT_PERF_SECTION_BYTES */
LttPerfSection ltt_perf_meta_get_section(const LttPerfMeta *meta, const guint8 *at);

static inline gboolean ltt_perf_meta_has(const LttPerfMeta *meta, guint bit)
{
	return (meta->feature_words[bit / 64] & LTT_PERF_BIT(bit % 64)) != 0;
}

/* Takes a number and a name, in LTT_PERF_EVENT_TYPE_BYTES. */
void ltt_perf_meta_add_event_type(LttPerfMeta *meta, const guint8 *bytes);

/* ---- meta-sections.c ---- */

/* Reads all sections that the header leads to, once the records are found. Returns: FALSE with
 * LTT_ERROR_IO */
gboolean ltt_perf_meta_read_sections(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
				     GError **error);

/* ---- event-names.c ---- */

/* Gives @meta its texts and its attrs their names: those of the feature EVENT_DESC, of the event
 * types of old files, of the formats of tracepoints, or else those that perf knows by heart.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_names_find(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			     GError **error);

#endif
