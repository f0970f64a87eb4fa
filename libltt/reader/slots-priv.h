/* slots-priv.h - map event ids to the properties that the reader needs, in one array.
 *
 * The decoder reads one slot per event, so a slot contains all that a step over an event needs.
 */
#ifndef LTT_SLOTS_PRIV_H
#define LTT_SLOTS_PRIV_H

#ifndef LTT_BUILDING
#error "slots-priv.h is private to libltt"
#endif

#include "reader/extent-priv.h"

#include <ltt/ltt-trace.h>

#define LTT_PAYLOAD_VARIES G_MAXUINT32
#define LTT_STRIDE_VARIES  G_MAXUINT32

typedef struct LttSlot {
	const LttEventType *type; /* NULL: no facility covers the id */
	const LttLayout *layout;  /* NULL: no payload */
	const LttExtent *extent;  /* NULL: the payload has a fixed size */
	guint32 payload_bytes;    /* or LTT_PAYLOAD_VARIES: measure the payload */
	LttEventRole role;
} LttSlot;

/* Offsets of the parts of a block_start, block_end or heartbeat payload. */
typedef struct LttStampPlan {
	guint32 seconds_at;
	guint32 nanoseconds_at;
	guint32 cycles_at;
	guint32 block_id_at; /* block_start and block_end only */
} LttStampPlan;

typedef struct LttSlots LttSlots;

struct LttSlots {
	GArray *slots;      /* of LttSlot, by id */
	GArray *strides;    /* of guint32, by id: bytes of an ordinary event, header included, or
			       * LTT_STRIDE_VARIES; 0: any other */
	GArray *taken;      /* of guint64, a bit for each id: whether its slot has a type */
	GPtrArray *extents; /* of LttExtent, owned: those of these loads */
	GPtrArray *loads;   /* of LttLoad, owned, in order of arrival */
	GTree *known;       /* the same by name, checksum and base code */
	const LttSlots *earlier;   /* the slots that these were copied from; NULL: none */
	const LttLoad *first;      /* the facility at base code 0 */
	LttStampPlan stamp;        /* offsets in heartbeats, and in the first part of the block
			       * events */
	LttStampPlan block;        /* of block_start and block_end */
	guint32 block_start_bytes; /* header and payload */
	gint block_start_id;       /* -1: unknown */
	gint block_end_id;
	gboolean has_threads; /* the tracer facility is among the loads */
};

LttSlots *ltt_slots_new(void);
LttSlots *ltt_slots_dup(const LttSlots *slots);
void ltt_slots_free(LttSlots *slots);

static inline const LttSlot *ltt_slots_get(const LttSlots *slots, guint16 id)
{
	const LttSlot *slot;

	if (id >= slots->slots->len)
		return NULL;
	slot = &g_array_index(slots->slots, LttSlot, id);
	return slot->type != NULL ? slot : NULL;
}

/* Assigns the ids from @base_code on to the events of @facility. @is_core: @facility also replaces
 * the builtin facility, as in dialect 2.2 (doc/format.md, 10). Returns: FALSE, and changes nothing,
 * with LTT_ERROR_CORRUPT if another load has one of the ids, or an id is above 65535;
 * LTT_ERROR_DESCRIPTION if @is_core and a block event lacks a required field
 */
gboolean ltt_slots_add(LttSlots *slots, const LttFacility *facility, const LttArch *arch,
		       guint32 checksum, guint32 base_code, gboolean is_core, GError **error);

/* Sets the role of the events that describe the machine, for a trace that has other events too.
 * Must be called again after further loads. */
void ltt_slots_hide_machine(LttSlots *slots);

/* Returns: (nullable): the load with that name, checksum and base code */
const LttLoad *ltt_slots_find(const LttSlots *slots, const char *name, guint32 checksum,
			      guint32 base_code);

/* Returns: whether the same load (name, checksum, base code) already exists. The checksum of the
 * facility at base code 0 does not matter. */
gboolean ltt_slots_has(const LttSlots *slots, const char *name, guint32 checksum,
		       guint32 base_code);

#endif
