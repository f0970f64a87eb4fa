/* meta-priv.h - metadata of a recording: header, attrs, features, formats of tracepoints.
 *
 * In file form that is in sections around the records, in pipe form in records.
 */
#ifndef LTT_FORMATS_PERF_FILE_META_PRIV_H
#define LTT_FORMATS_PERF_FILE_META_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/meta-priv.h is private to libltt"
#endif

#include "base/window-priv.h"
#include "formats/perf/file/attr-priv.h"
#include "formats/perf/file/perf-priv.h"
#include "formats/perf/file/tracepoint-format-priv.h"

typedef struct LttPerfSection {
	guint64 offset;
	guint64 size;
} LttPerfSection;

/* Where a feature is. */
typedef struct LttPerfFeature {
	guint bit;
	guint64 place; /* in the window that was read */
	guint64 size;
	gboolean is_there; /* inside the file */
} LttPerfFeature;

/* An entry of the section of event types, which old files have. */
typedef struct LttPerfEventType {
	guint64 id;
	char name[65];
} LttPerfEventType;

typedef struct LttPerfMeta {
	LttByteOrder order;
	guint version; /* 1 or 2 */
	gboolean is_pipe;
	gboolean is_unfinished; /* recording was killed: no size of data, no features */

	/* The header as it is, in file form. */
	guint64 header_size;
	guint64 attr_entry_size;
	LttPerfSection attrs_section;
	LttPerfSection data;
	LttPerfSection event_types_section;
	guint64 feature_words[4];

	guint64 data_end;    /* of the records, in the file: never beyond its end */
	guint64 moved_bytes; /* how far what was behind them has moved; wraps */

	LttPerfAttrs *attrs;
	guint64 n_ids;       /* of all attrs */
	GArray *event_types; /* of LttPerfEventType */
	GArray *features;    /* of LttPerfFeature, in the order of the file */
	/* Tracing data in a record of a plain file, as simpleperf writes it; no feature of the
	 * table. */
	LttPerfFeature tracing_record;
	LttPerfArena *arena;
	LttPerfTracing tracing; /* formats: NULL if there is no tracing data */
	GHashTable *formats;    /* guint64 * in a LttPerfFormat -> that; NULL likewise */

	/* Texts of features; NULL: not there. */
	char *hostname;
	char *osrelease;
	char *perf_version;
	char *machine;
	guint32 n_cpus; /* available; 0: not told */
} LttPerfMeta;

/* Of a file whose records were replaced by others: what its header does not tell. */
typedef struct LttPerfMoved {
	guint64 recorded_end; /* of the records, before */
	guint64 records_end;  /* and now */
	gboolean is_unfinished;
} LttPerfMoved;

/**
 * ltt_perf_meta_read:
 * @moved: (nullable): NULL: the file is as its header says
 *
 * Reads the header and all that it leads to, in file form; what is wrong there is told and left
 * out.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, or LTT_ERROR_UNSUPPORTED if this is
 * no perf.data
 */
LttPerfMeta *ltt_perf_meta_read(LttWindow *window, const LttPerfMoved *moved,
				const LttPerfTell *tell, GError **error);
void ltt_perf_meta_free(LttPerfMeta *meta); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfMeta, ltt_perf_meta_free)

/* Takes what a record at @place says: attr, event type, feature, tracing data; in file form, where
 * sections say the former, only the last.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_meta_add(LttPerfMeta *meta, LttWindow *window, guint64 place,
			   const LttPerfRecord *record, const LttPerfTell *tell, GError **error);

/* Finds names for the attrs, once all is known. */
gboolean ltt_perf_meta_end(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			   GError **error);

/* Returns: (nullable): the format of a tracepoint */
const LttPerfFormat *ltt_perf_meta_find_format(const LttPerfMeta *meta, guint64 id);

/* Returns: (nullable): the feature, if it is there and inside the file */
const LttPerfFeature *ltt_perf_meta_find_feature(const LttPerfMeta *meta, guint bit);

#endif
