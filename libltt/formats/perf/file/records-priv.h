/* records-priv.h - the kinds of records of the kernel and of perf: names and fields. */
#ifndef LTT_FORMATS_PERF_FILE_RECORDS_PRIV_H
#define LTT_FORMATS_PERF_FILE_RECORDS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/records-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

typedef struct LttPerfRecordKind {
	const char *name;        /* "mmap2" */
	const char *description; /* for the description of the event type */
	guint32 type;
	guint16 misc_mask; /* a record is of this kind if these bits of its misc equal misc_value */
	guint16 misc_value;
	guint n_fields;
	const LttPerfField *fields;
} LttPerfRecordKind;

/* Returns: all kinds except samples. @n: (out): their number */
const LttPerfRecordKind *ltt_perf_record_kinds(guint *n);

/* Records that depend on the records of a kind. */
typedef enum LttPerfNeed {
	LTT_PERF_NEED_NOT,    /* no records need it */
	LTT_PERF_NEED_BEFORE, /* later records need it: names, addresses, parents of processes */
	LTT_PERF_NEED_ALWAYS, /* all records need it: it describes the whole recording */
} LttPerfNeed;

LttPerfNeed ltt_perf_record_need(guint32 type);

/* Returns: (transfer full): the full names of the events with this need, separated by @separator */
char *ltt_perf_record_names_of(LttPerfNeed need, char separator);

/* Returns: (nullable): the kind of a record; NULL if it is unknown */
const LttPerfRecordKind *ltt_perf_record_kind(guint32 type, guint16 misc);

#endif
