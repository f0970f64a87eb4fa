/* slots-priv.h - from event ids to what the reader must know of an event, in one array.
 *
 * Decoding looks here once an event, so a slot holds all that a step over an event needs.
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
	guint32 payload_bytes;    /* or LTT_PAYLOAD_VARIES: measure it */
	LttEventRole role;
} LttSlot;

/* Where in a block_start, block_end or heartbeat payload its parts lie. */
typedef struct LttStampPlan {
	guint32 seconds_at;
	guint32 nanoseconds_at;
	guint32 cycles_at;
	guint32 block_id_at; /* block_start and block_end only */
} LttStampPlan;

typedef struct LttSlots {
	GArray *slots;      /* of LttSlot, by id */
	GArray *strides;    /* of guint32, by id: bytes of an ordinary event, header included, or
			     LTT_STRIDE_VARIES; 0: any other */
	GPtrArray *extents; /* of LttExtent, owned: those of these loads */
	GPtrArray *loads;   /* of LttLoad, owned, in order of arrival */
	const GPtrArray
		*earlier_loads;    /* those of the slots that these were made from; NULL: none */
	const LttLoad *first;      /* the facility at base code 0 */
	LttStampPlan stamp;        /* of heartbeats, and the first part of the block events */
	LttStampPlan block;        /* of block_start and block_end */
	guint32 block_start_bytes; /* header and payload */
	gint block_start_id;       /* -1: none known */
	gint block_end_id;
	gboolean has_threads; /* the tracer facility is among the loads */
} LttSlots;

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

/* Gives the ids from @base_code on to the events of @facility. @is_core: it stands for the builtin
 * facility too, as in dialect 2.2 (doc/format.md, 10).
 * Returns: FALSE, and nothing changed, with LTT_ERROR_CORRUPT if ids are taken by another load, or
 *   beyond 65535; LTT_ERROR_DESCRIPTION if @is_core and a block event has not the fields it needs
 */
gboolean ltt_slots_add(LttSlots *slots, const LttFacility *facility, const LttArch *arch,
		       guint32 checksum, guint32 base_code, gboolean is_core, GError **error);

/* Gives the events that describe the machine their role, for a trace that has more than those. To
 * be called again after further loads. */
void ltt_slots_hide_machine(LttSlots *slots);

/* Returns: whether the very same load (name, checksum, base code) is there already */
gboolean ltt_slots_has(const LttSlots *slots, const char *name, guint32 checksum,
		       guint32 base_code);

#endif
