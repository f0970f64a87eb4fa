/* attr-priv.h - the recorded events: their attributes and ids. */
#ifndef LTT_FORMATS_PERF_FILE_ATTR_PRIV_H
#define LTT_FORMATS_PERF_FILE_ATTR_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/attr-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"

/* The members of struct perf_event_attr. Members that the recording does not contain are 0. */
typedef struct LttPerfAttr {
	guint number; /* index in the recording */

	guint32 type;
	guint32 size;
	guint64 config;
	guint64 period; /* or frequency, if flag 10 is set */
	guint64 sample_type;
	guint64 read_format;
	guint64 flags; /* bit n is flag n, in either byte order */
	guint32 wakeup;
	guint32 bp_type;
	guint64 config1;
	guint64 config2;
	guint64 branch_sample_type;
	guint64 regs_user;
	guint32 stack_user;
	gint32 clockid;
	guint64 regs_intr;
	guint32 aux_watermark;
	guint16 max_stack;
	guint32 aux_sample_size;
	guint32 aux_action;
	guint64 sig_data;
	guint64 config3;
	guint64 config4;

	char *name;     /* name that perf prints, such as "cycles:ppp"; NULL: unknown */
	GArray *ids;    /* of guint64 */
	guint64 offset; /* file offset of the attr; in pipe form, of its record */

	/* Offsets in the samples of the event, from the end of the record header; -1: absent. */
	gint sample_tid_at;
	gint sample_time_at;
	gint sample_cpu_at;
	/* Size of the part of a sample, after the record header, that contains all of the above; 0:
	 * samples do not contain both time and thread. */
	guint sample_stamp_bytes;
	/* Positions in the sample_id, in bytes before the end of the record; 0: absent. */
	guint id_bytes; /* size of the sample_id; 0: records have none */
	guint id_tid_at;
	guint id_time_at;
	guint id_cpu_at;
} LttPerfAttr;

/* Result of a lookup by id. */
typedef struct LttPerfFound {
	guint64 id;
	const LttPerfAttr *attr; /* NULL: empty entry */
} LttPerfFound;

/* Number of cached lookups. The ids of a recording are consecutive numbers, and records that are
 * close to each other have close ids. So the lowest bits of an id are a good hash. */
#define LTT_PERF_N_FOUND 64

typedef struct LttPerfAttrs {
	LttByteOrder order;
	GPtrArray *attrs;  /* of LttPerfAttr, owned */
	GHashTable *by_id; /* id (guint64 *) -> number of the attr + 1 */
	gint sample_id_at; /* offset of the id in samples; -1: absent */
	guint id_at;       /* position of the id before the end of other records; 0: absent */
	LttPerfFound found[LTT_PERF_N_FOUND]; /* cache, by the lowest bits of the id */
} LttPerfAttrs;

LttPerfAttrs *ltt_perf_attrs_new(LttByteOrder order);
void ltt_perf_attrs_free(LttPerfAttrs *attrs); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfAttrs, ltt_perf_attrs_free)

/* Adds an attr. Members after the end of @bytes are 0. Returns: (transfer none): the new attr */
LttPerfAttr *ltt_perf_attrs_add(LttPerfAttrs *attrs, const guint8 *bytes, gsize length);

/* Adds an id to the attr that was added last. */
void ltt_perf_attrs_add_id(LttPerfAttrs *attrs, guint64 id);

guint ltt_perf_attrs_get_n(const LttPerfAttrs *attrs);
LttPerfAttr *ltt_perf_attrs_get(const LttPerfAttrs *attrs, guint index);

/* Returns: the number of the attr with the id @id; -1 if there is none */
gint ltt_perf_attrs_find(LttPerfAttrs *attrs, guint64 id);

/* Returns: (nullable): the first attr; NULL if there is none */
const LttPerfAttr *ltt_perf_attrs_get_first(const LttPerfAttrs *attrs);

/* Finds the attr by id if there are several attrs. The id 0, which perf writes into records that it
 * synthesizes, refers to the first one. Returns: (nullable): NULL if no attr has the id */
const LttPerfAttr *ltt_perf_attrs_look_up(LttPerfAttrs *attrs, guint64 id);

/* Find the attr of a sample, or of another record of the kernel, by the id in the record.
 * @body: the record without its header. Return: (nullable): NULL if no attr has the id */
static inline const LttPerfAttr *ltt_perf_attrs_of_sample(LttPerfAttrs *attrs, const guint8 *body,
							  gsize length)
{
	const LttPerfFound *found;
	guint64 id;

	if (attrs->attrs->len <= 1 || attrs->sample_id_at < 0)
		return ltt_perf_attrs_get_first(attrs);
	if ((gsize)attrs->sample_id_at + sizeof(id) > length)
		return NULL;
	id = ltt_load_u64(body + attrs->sample_id_at, attrs->order);
	found = &attrs->found[id % LTT_PERF_N_FOUND];
	if (G_LIKELY(found->id == id && found->attr != NULL))
		return found->attr;
	return ltt_perf_attrs_look_up(attrs, id);
}

const LttPerfAttr *ltt_perf_attrs_of_other(LttPerfAttrs *attrs, const guint8 *body, gsize length);

#endif
