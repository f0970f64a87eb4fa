/* records-priv.h - the records of the kernel and of perf by name, with their fields. */
#ifndef LTT_FORMATS_PERF_FILE_RECORDS_PRIV_H
#define LTT_FORMATS_PERF_FILE_RECORDS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/records-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

typedef struct LttPerfRecordKind {
	const char *name;        /* "mmap2" */
	const char *description; /* what it tells */
	guint32 type;
	guint16 misc_mask; /* a record is of this kind if these bits of its misc equal misc_value */
	guint16 misc_value;
	guint n_fields;
	const LttPerfField *fields;
} LttPerfRecordKind;

/* Returns: all kinds but samples; @n: (out): how many */
const LttPerfRecordKind *ltt_perf_record_kinds(guint *n);

/* Which other records depend on the records of a kind. */
typedef enum LttPerfNeed {
	LTT_PERF_NEED_NOT,
	LTT_PERF_NEED_BEFORE, /* later records: names, addresses, process relations */
	LTT_PERF_NEED_ALWAYS, /* all records: it describes the whole recording */
} LttPerfNeed;

LttPerfNeed ltt_perf_record_need(guint32 type);

/* Returns: (transfer full): the full names of the events that such records become, with
 * @separator between them */
char *ltt_perf_record_names_of(LttPerfNeed need, char separator);

/* Returns: (nullable): the kind of a record; NULL: not known */
const LttPerfRecordKind *ltt_perf_record_kind(guint32 type, guint16 misc);

#endif
