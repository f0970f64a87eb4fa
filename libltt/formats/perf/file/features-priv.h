/* features-priv.h - the features of a header by name, with their fields. */
#ifndef LTT_FORMATS_PERF_FILE_FEATURES_PRIV_H
#define LTT_FORMATS_PERF_FILE_FEATURES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/features-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

typedef struct LttPerfFeatureKind {
	guint bit;
	guint n_fields;   /* 0: it is empty, or not taken apart here */
	const char *name; /* "hostname" */
	const LttPerfField *fields;
} LttPerfFeatureKind;

/* The most bytes of a feature that are taken apart into one event. */
#define LTT_PERF_MAX_FEATURE_BYTES (48 * 1024)

/* Returns: (nullable): NULL: not known */
const LttPerfFeatureKind *ltt_perf_feature_kind(guint bit);

/* The fields of CPU_DOMAIN_INFO by its version, which is the first word of it. */
const LttPerfFeatureKind *ltt_perf_feature_domains(guint32 version);

/* An entry of the feature AUXTRACE: u64 place of a record in the file, u64 size. */
#define LTT_PERF_AUX_PLACE_BYTES 16

/* Returns: whether an AUXTRACE of so many bytes begins with a u64 count; that of simpleperf has
 * entries only */
gboolean ltt_perf_feature_aux_has_count(guint64 size);

/* Fields of an entry of the feature BUILD_ID, without its header of 8 bytes. */
const LttPerfField *ltt_perf_feature_build_id(guint *n_fields);

#endif
