/* features-priv.h - the features in the header of a recording: names and fields. */
#ifndef LTT_FORMATS_PERF_FILE_FEATURES_PRIV_H
#define LTT_FORMATS_PERF_FILE_FEATURES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/features-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

typedef struct LttPerfFeatureKind {
	guint bit;
	guint n_fields;   /* 0: it is empty or is decoded elsewhere */
	const char *name; /* "hostname" */
	const LttPerfField *fields;
} LttPerfFeatureKind;

/* Maximum size of a feature that is decoded into one event. */
#define LTT_PERF_MAX_FEATURE_BYTES (48 * 1024)

/* Returns: (nullable): NULL if the feature is unknown */
const LttPerfFeatureKind *ltt_perf_feature_kind(guint bit);

/* Returns: the fields of CPU_DOMAIN_INFO in @version, which is its first word */
const LttPerfFeatureKind *ltt_perf_feature_domains(guint32 version);

/* Size of an entry of the feature AUXTRACE: u64 file offset of a record, u64 size. */
#define LTT_PERF_AUX_PLACE_BYTES 16

/* Returns: whether a feature AUXTRACE of @size bytes begins with a u64 count. The one of simpleperf
 * consists only of entries */
gboolean ltt_perf_feature_aux_has_count(guint64 size);

/* Returns: the fields of an entry of the feature BUILD_ID, without its header of 8 bytes */
const LttPerfField *ltt_perf_feature_build_id(guint *n_fields);

#endif
