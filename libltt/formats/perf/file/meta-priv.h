/* meta-priv.h - the metadata of a recording: header, attrs, features, formats of tracepoints.
 *
 * In file form, the metadata is in sections before and after the records. In pipe form, it is in
 * records.
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

/* Position of a feature. */
typedef struct LttPerfFeature {
	guint bit;
	guint64 place; /* offset in the window */
	guint64 size;
	gboolean is_there; /* the file contains all of it */
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
	gboolean is_unfinished; /* perf was killed: there are no data size and no features */

	/* Members of the header in file form. */
	guint64 header_size;
	guint64 attr_entry_size;
	LttPerfSection attrs_section;
	LttPerfSection data;
	LttPerfSection event_types_section;
	guint64 feature_words[4];

	guint64 data_end;    /* end of the records; at most the size of the file */
	guint64 moved_bytes; /* LttPerfMoved: added, modulo 2^64, to offsets after the records */

	LttPerfAttrs *attrs;
	guint64 n_ids;       /* number of ids of all attrs */
	GArray *event_types; /* of LttPerfEventType */
	GArray *features;    /* of LttPerfFeature, in the order of the file */
	/* Tracing data in a record in file form, as simpleperf writes it. It is not in the table of
	 * features. */
	LttPerfFeature tracing_record;
	LttPerfArena *arena;
	LttPerfTracing tracing; /* formats: NULL if there is no tracing data */
	GHashTable *formats;    /* id (guint64 *) -> LttPerfFormat; NULL likewise */

	/* Texts of features; NULL: absent. */
	char *hostname;
	char *osrelease;
	char *perf_version;
	char *machine;
	guint32 n_cpus; /* number of available CPUs; 0: unknown */
} LttPerfMeta;

/* Describes a file whose records were replaced, which its header does not reflect. */
typedef struct LttPerfMoved {
	guint64 recorded_end; /* original end of the records */
	guint64 records_end;  /* present end of the records */
	gboolean is_unfinished;
} LttPerfMoved;

/**
 * ltt_perf_meta_read:
 * @moved: (nullable): NULL: the records were not replaced
 *
 * Reads the header and, in file form, the sections that it refers to. Reports and skips invalid
 * parts.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, or with LTT_ERROR_UNSUPPORTED if the
 *   file is not a perf.data file
 */
LttPerfMeta *ltt_perf_meta_read(LttWindow *window, const LttPerfMoved *moved,
				const LttPerfTell *tell, GError **error);
void ltt_perf_meta_free(LttPerfMeta *meta); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfMeta, ltt_perf_meta_free)

/* Adds the metadata of the record at @place: attr, event type, feature or tracing data. In file
 * form, adds only tracing data, because the other metadata is in sections.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_perf_meta_add(LttPerfMeta *meta, LttWindow *window, guint64 place,
			   const LttPerfRecord *record, const LttPerfTell *tell, GError **error);

/* Completes the metadata after the last record: tracing data and names of attrs. Returns: FALSE
 * with
 * LTT_ERROR_IO */
gboolean ltt_perf_meta_end(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			   GError **error);

/* Returns: (nullable): the format of the tracepoint with the id @id */
const LttPerfFormat *ltt_perf_meta_find_format(const LttPerfMeta *meta, guint64 id);

/* Returns: (nullable): the feature @bit; NULL if it is absent or not completely inside the file */
const LttPerfFeature *ltt_perf_meta_find_feature(const LttPerfMeta *meta, guint bit);

#endif
