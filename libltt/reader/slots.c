/* slots.c - see slots-priv.h */
#include "reader/slots-priv.h"

#include "base/error-priv.h"
#include "model/facility-priv.h"
#include "model/ondisk-priv.h"
#include "xml/shipped-priv.h"

#include <ltt/ltt-eventdefs.h>

#include <string.h>

/* ---- the loads ---- */

/* What tells loads apart. The tree of loads is not a hash table, in which those who write a trace
 * could make all loads collide. */
typedef struct LoadKey {
	const char *name;
	guint32 checksum;
	guint32 base_code;
} LoadKey;

static gint compare_keys(gconstpointer a, gconstpointer b, gpointer user_data)
{
	const LoadKey *left = a;
	const LoadKey *right = b;

	(void)user_data;
	if (left->base_code != right->base_code)
		return left->base_code < right->base_code ? -1 : 1;
	if (left->checksum != right->checksum)
		return left->checksum < right->checksum ? -1 : 1;
	return strcmp(left->name, right->name);
}

static GTree *new_known(void)
{
	return g_tree_new_full(compare_keys, NULL, g_free, NULL);
}

static void free_load(gpointer data)
{
	LttLoad *load = data;

	ltt_layouts_free((LttLayouts *)load->layouts);
	ltt_facility_unref((LttFacility *)load->facility);
	g_free(load);
}

LttSlots *ltt_slots_new(void)
{
	LttSlots *slots = g_new0(LttSlots, 1);

	slots->slots = g_array_new(FALSE, TRUE, sizeof(LttSlot));
	slots->strides = g_array_new(FALSE, TRUE, sizeof(guint32));
	slots->taken = g_array_new(FALSE, TRUE, sizeof(guint64));
	slots->extents = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_extent_free);
	slots->loads = g_ptr_array_new_with_free_func(free_load);
	slots->known = new_known();
	slots->block_start_id = slots->block_end_id = -1;
	return slots;
}

/* The copy borrows the layouts and the extents of the loads that it starts with. */
LttSlots *ltt_slots_dup(const LttSlots *slots)
{
	LttSlots *copy = g_new(LttSlots, 1);

	*copy = *slots;
	copy->slots = g_array_copy(slots->slots);
	copy->strides = g_array_copy(slots->strides);
	copy->taken = g_array_copy(slots->taken);
	copy->extents = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_extent_free);
	copy->loads = g_ptr_array_new_with_free_func(free_load);
	copy->known = new_known();
	copy->earlier = slots;
	return copy;
}

void ltt_slots_free(LttSlots *slots)
{
	if (slots == NULL)
		return;
	g_array_unref(slots->slots);
	g_array_unref(slots->strides);
	g_array_unref(slots->taken);
	g_ptr_array_unref(slots->extents);
	g_tree_unref(slots->known);
	g_ptr_array_unref(slots->loads);
	g_free(slots);
}

/* ---- the events of blocks ---- */

/* Checks that @facility describes an event exactly as the builtin facility does (doc/format.md, 10.4). */
static gboolean check_builtin(const LttFacility *facility, const char *name, GError **error)
{
	const LttFacility *builtin = ltt_eventdefs_get_shipped("builtin");
	const LttEventType *meant = ltt_facility_find_event(builtin, name);
	const LttEventType *event = ltt_facility_find_event(facility, name);

	if (event != NULL && event->type != NULL && ltt_type_is_same(event->type, meant->type))
		return TRUE;
	return ltt_fail(
		error, LTT_ERROR_DESCRIPTION,
		"facility %s: event %s: expected the type that it has in the facility builtin",
		ltt_facility_get_name(facility), name);
}

/* Plans the three kinds of time value that the facility describes. */
static gboolean plan_builtin(LttSlots *slots, const LttFacility *facility, guint32 base_code,
			     GError **error)
{
	if (!check_builtin(facility, "block_start", error) ||
	    !check_builtin(facility, "block_end", error) ||
	    !check_builtin(facility, "time_heartbeat", error))
		return FALSE;
	slots->stamp = (LttStampPlan){
		.seconds_at = G_STRUCT_OFFSET(LttDiskTime, seconds),
		.nanoseconds_at = G_STRUCT_OFFSET(LttDiskTime, nanoseconds),
		.cycles_at = G_STRUCT_OFFSET(LttDiskTime, cycles),
	};
	slots->block = slots->stamp;
	slots->block.block_id_at = G_STRUCT_OFFSET(LttDiskBlock, block_id);
	slots->block_start_bytes = LTT_BLOCK_EVENT_BYTES;
	slots->block_start_id =
		(gint)(base_code + ltt_facility_find_event(facility, "block_start")->index);
	slots->block_end_id =
		(gint)(base_code + ltt_facility_find_event(facility, "block_end")->index);
	return TRUE;
}

/* ---- roles ---- */

typedef struct RoleName {
	const char *event;
	LttEventRole role;
} RoleName;

static const RoleName builtin_roles[] = {
	{"facility_load", LTT_ROLE_FACILITY_LOAD},
	{"block_start", LTT_ROLE_BLOCK_START},
	{"block_end", LTT_ROLE_BLOCK_END},
	{"time_heartbeat", LTT_ROLE_HEARTBEAT},
	{NULL, LTT_ROLE_ORDINARY},
};

static const RoleName tracer_roles[] = {
	{"thread", LTT_ROLE_THREAD},
	{"events_lost", LTT_ROLE_EVENTS_LOST},
	{"clock", LTT_ROLE_CLOCK},
	{NULL, LTT_ROLE_TRACER},
};

/* Returns: the role of events of a facility that describes only the tracer itself */
static const RoleName own_roles[] = {
	{NULL, LTT_ROLE_TRACER},
};

/* @roles: (nullable): of the facility, if the format defines it */
static LttEventRole role_of(const RoleName *roles, const LttEventType *type)
{
	if (roles == NULL)
		return type->is_hidden ? LTT_ROLE_TRACER : LTT_ROLE_ORDINARY;
	while (roles->event != NULL && !g_str_equal(roles->event, type->name))
		roles++;
	return roles->role;
}

/* Returns: 0 if the walk must examine the event; sizes near 2^32 fit no block anyway */
static guint32 stride_of(const LttSlot *slot)
{
	if (slot->role != LTT_ROLE_ORDINARY)
		return 0;
	if (slot->extent != NULL)
		return LTT_STRIDE_VARIES;
	if (slot->payload_bytes > LTT_MAX_BLOCK_BYTES)
		return 0;
	return (guint32)LTT_EVENT_HEADER_BYTES + slot->payload_bytes;
}

void ltt_slots_hide_machine(LttSlots *slots)
{
	for (guint id = 0; id < slots->slots->len; id++) {
		LttSlot *slot = &g_array_index(slots->slots, LttSlot, id);

		if (slot->type == NULL || slot->role != LTT_ROLE_ORDINARY ||
		    (!ltt_is_shipped(slot->type->facility, "processes") &&
		     !ltt_is_shipped(slot->type->facility, "interrupts")))
			continue;
		slot->role = LTT_ROLE_MACHINE;
		g_array_index(slots->strides, guint32, id) = stride_of(slot);
	}
}

/* ---- adding a load ---- */

#define TAKEN_BITS 64

static void take_id(LttSlots *slots, guint32 id)
{
	g_array_index(slots->taken, guint64, id / TAKEN_BITS) |= G_GUINT64_CONSTANT(1)
								 << id % TAKEN_BITS;
}

/* If two loads contain the same id, the first one keeps it. A trace may have many loads that are
 * rejected, of a facility with many events, so that words of ids are compared here. */
static const LttFacility *find_overlap(const LttSlots *slots, guint32 base_code, guint n_events)
{
	const guint64 end = MIN((guint64)base_code + n_events, slots->slots->len);
	guint64 id = base_code;

	while (id < end) {
		const guint64 bits =
			g_array_index(slots->taken, guint64, id / TAKEN_BITS) >> id % TAKEN_BITS;

		if (bits == 0) {
			id += TAKEN_BITS - id % TAKEN_BITS;
			continue;
		}
		id += (guint64)__builtin_ctzll(bits);
		return id < end ? g_array_index(slots->slots, LttSlot, id).type->facility : NULL;
	}
	return NULL;
}

static const LttExtent *add_extent(LttSlots *slots, const LttLayout *layout)
{
	LttExtent *extent = ltt_extent_new(layout);

	g_ptr_array_add(slots->extents, extent);
	return extent;
}

static void fill_slot(LttSlots *slots, LttSlot *slot, const LttEventType *type,
		      const LttLayout *layout, LttEventRole role)
{
	slot->type = type;
	slot->layout = layout;
	slot->role = role;
	if (layout == NULL)
		slot->payload_bytes = 0;
	else if (layout->is_fixed && layout->min_bytes < LTT_PAYLOAD_VARIES)
		slot->payload_bytes = (guint32)layout->min_bytes;
	else
		slot->payload_bytes = LTT_PAYLOAD_VARIES;
	if (layout != NULL && !layout->is_fixed)
		slot->extent = add_extent(slots, layout);
}

static void grow(LttSlots *slots, guint32 n_ids)
{
	if (slots->slots->len >= n_ids)
		return;
	g_array_set_size(slots->slots, n_ids);
	g_array_set_size(slots->strides, n_ids);
	g_array_set_size(slots->taken, (n_ids + TAKEN_BITS - 1) / TAKEN_BITS);
}

/* @layouts: (transfer full) */
static void add_load(LttSlots *slots, const LttFacility *facility, LttLayouts *layouts,
		     guint32 checksum, guint32 base_code)
{
	LttLoad *load = g_new(LttLoad, 1);
	LoadKey *key = g_new(LoadKey, 1);

	*load = (LttLoad){.facility = ltt_facility_ref((LttFacility *)facility),
			  .layouts = layouts,
			  .checksum = checksum,
			  .base_code = base_code};
	*key = (LoadKey){ltt_facility_get_name(facility), checksum, base_code};
	g_ptr_array_add(slots->loads, load);
	g_tree_insert(slots->known, key, load);
	if (base_code == 0 && slots->first == NULL)
		slots->first = load;
}

gboolean ltt_slots_add(LttSlots *slots, const LttFacility *facility, const LttArch *arch,
		       guint32 checksum, guint32 base_code, gboolean is_core, GError **error)
{
	const guint n_events = ltt_facility_get_n_events(facility);
	const char *name = ltt_facility_get_name(facility);
	const LttFacility *other = find_overlap(slots, base_code, n_events);
	const RoleName *roles = NULL;
	g_autoptr(LttLayouts) layouts = NULL;

	if ((guint64)base_code + n_events > LTT_N_IDS)
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"facility %s has %u events at base code %u: the largest id is %d",
				name, n_events, base_code, LTT_N_IDS - 1);
	if (other != NULL)
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"facility %s at base code %u takes ids that facility %s has", name,
				base_code, ltt_facility_get_name(other));
	layouts = ltt_layouts_new(facility, arch);
	if (is_core) {
		if (!plan_builtin(slots, facility, base_code, error))
			return FALSE;
		roles = builtin_roles;
	} else if (ltt_is_shipped(facility, "tracer")) {
		slots->has_threads = TRUE;
		roles = tracer_roles;
	} else if (ltt_is_shipped(facility, "losses") || ltt_is_shipped(facility, "threads")) {
		roles = own_roles;
	}
	grow(slots, base_code + n_events);
	for (guint i = 0; i < n_events; i++) {
		const LttEventType *type = ltt_facility_get_event(facility, i);
		LttSlot *slot = &g_array_index(slots->slots, LttSlot, base_code + i);

		fill_slot(slots, slot, type, ltt_layouts_get(layouts, i), role_of(roles, type));
		g_array_index(slots->strides, guint32, base_code + i) = stride_of(slot);
		take_id(slots, base_code + i);
	}
	add_load(slots, facility, g_steal_pointer(&layouts), checksum, base_code);
	return TRUE;
}

const LttLoad *ltt_slots_find(const LttSlots *slots, const char *name, guint32 checksum,
			      guint32 base_code)
{
	const LoadKey key = {name, checksum, base_code};
	const LttLoad *load = NULL;

	for (; load == NULL && slots != NULL; slots = slots->earlier)
		load = g_tree_lookup(slots->known, &key);
	return load;
}

gboolean ltt_slots_has(const LttSlots *slots, const char *name, guint32 checksum, guint32 base_code)
{
	if (base_code == 0 && slots->first != NULL &&
	    g_str_equal(name, ltt_facility_get_name(slots->first->facility)))
		return TRUE;
	return ltt_slots_find(slots, name, checksum, base_code) != NULL;
}
