/* attr-priv.h - the recorded events: their attributes and ids. */
#ifndef LTT_FORMATS_PERF_FILE_ATTR_PRIV_H
#define LTT_FORMATS_PERF_FILE_ATTR_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/attr-priv.h is private to libltt"
#endif

#include <ltt/ltt-arch.h>

/* struct perf_event_attr; members that the recording lacks are 0. */
typedef struct LttPerfAttr {
	guint number; /* in the order of the recording */

	guint32 type;
	guint32 size;
	guint64 config;
	guint64 period; /* or frequency, if flag 10 is set */
	guint64 sample_type;
	guint64 read_format;
	guint64 flags; /* bit n is flag n, whatever the byte order */
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

	char *name;     /* as perf prints it: "cycles:ppp"; NULL: not known */
	GArray *ids;    /* of guint64 */
	guint64 offset; /* in the file, of the attr; in pipe form, of its record */

	/* Where things are in its samples, behind the record's header; -1: nowhere. */
	gint sample_tid_at;
	gint sample_time_at;
	gint sample_cpu_at;
	/* So many bytes of a sample behind the header have all of these in them; 0: its samples do
	 * not say time and thread. */
	guint sample_stamp_bytes;
	/* Where things are in the sample_id, in front of the record's end; 0: nowhere. */
	guint id_bytes; /* of the sample_id as a whole; 0: there is none */
	guint id_tid_at;
	guint id_time_at;
	guint id_cpu_at;
} LttPerfAttr;

typedef struct LttPerfAttrs LttPerfAttrs;

LttPerfAttrs *ltt_perf_attrs_new(LttByteOrder order);
void ltt_perf_attrs_free(LttPerfAttrs *attrs); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfAttrs, ltt_perf_attrs_free)

/* Adds the attr in @bytes, as far as it goes. Returns: (transfer none): it, good until the next one
 * is added */
LttPerfAttr *ltt_perf_attrs_add(LttPerfAttrs *attrs, const guint8 *bytes, gsize length);

/* Gives an id to the attr that was added last. */
void ltt_perf_attrs_add_id(LttPerfAttrs *attrs, guint64 id);

guint ltt_perf_attrs_get_n(const LttPerfAttrs *attrs);
LttPerfAttr *ltt_perf_attrs_get(const LttPerfAttrs *attrs, guint index);

/* Returns: the number of the attr that has the id; -1: none has */
gint ltt_perf_attrs_find(LttPerfAttrs *attrs, guint64 id);

/* The attr of a sample and of another record of the kernel, told by the id in its body or its end.
 * Returns: (nullable): NULL: there is none */
const LttPerfAttr *ltt_perf_attrs_of_sample(LttPerfAttrs *attrs, const guint8 *body, gsize length);
const LttPerfAttr *ltt_perf_attrs_of_other(LttPerfAttrs *attrs, const guint8 *body, gsize length);

#endif
