/* loads.c - map event ids to facilities (doc/format.md, 4.3 and 10). */
#include "base/error-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-eventdefs.h>

/* Chooses the description of a load. Returns: (nullable): the facility. Sets @message on a problem;
 * with a facility it is only a warning */
static LttFacility *choose(const LttMatch *match, const char *name, guint32 checksum,
			   char **message)
{
	if (match->exact != NULL)
		return match->exact;
	if (match->named == NULL) {
		*message = g_strdup_printf(
			"facility %s (checksum 0x%08x) is loaded, but not described in "
			"eventdefs/",
			name, checksum);
		return NULL;
	}
	if (match->is_ambiguous) {
		*message = g_strdup_printf("facility %s is loaded with checksum 0x%08x, but none "
					   "of its descriptions in eventdefs/ has that",
					   name, checksum);
		return NULL;
	}
	*message = g_strdup_printf(
		"facility %s is loaded with checksum 0x%08x, but described in eventdefs/ "
		"with 0x%08x: that description is used",
		name, checksum, ltt_facility_get_checksum(match->named));
	return match->named;
}

gboolean ltt_trace_apply_load(LttTrace *trace, LttSlots *slots, const char *name, guint32 checksum,
			      guint32 base_code, const LttTracefile *tracefile, guint64 block,
			      guint32 offset_bytes)
{
	LttMatch match;
	g_autofree char *message = NULL;
	g_autoptr(GError) error = NULL;
	LttFacility *facility;

	if (ltt_slots_has(slots, name, checksum, base_code))
		return FALSE;
	match = ltt_trace_find_described(trace, name, checksum);
	facility = choose(&match, name, checksum, &message);
	if (message != NULL)
		ltt_trace_add_problem(trace, tracefile->name, (gint64)block, offset_bytes, message);
	if (facility == NULL)
		return FALSE;
	if (!ltt_slots_add(slots, facility, ltt_system_get_arch(trace->system), checksum, base_code,
			   FALSE, &error)) {
		ltt_trace_add_problem(trace, tracefile->name, (gint64)block, offset_bytes,
				      error->message);
		return FALSE;
	}
	return TRUE;
}

/* Applies the load, and keeps the position from which it is valid in its own file. */
static void take_load_from(LttWalk *walk, const char *name, guint32 checksum, guint32 base_code,
			   guint32 offset)
{
	LttTracefile *tracefile = walk->tracefile;
	LttLocalLoad local = {
		.position = walk->block->position, .offset_bytes = offset, .base_code = base_code};
	const LttLoad *load;

	if (!ltt_trace_apply_load(tracefile->trace, walk->slots, name, checksum, base_code,
				  tracefile, walk->block->place, offset))
		return;
	load = g_ptr_array_index(walk->slots->loads, walk->slots->loads->len - 1);
	local.n_events = ltt_facility_get_n_events(load->facility);
	g_array_append_val(tracefile->local_loads, local);
}

/* The walks over control/facilities count the loads, so that each applies only once. */
static void take_load(LttWalk *walk, const char *name, guint32 checksum, guint32 base_code,
		      guint32 offset)
{
	LttTrace *trace = walk->tracefile->trace;
	guint *n_met = walk->user_data;

	if ((*n_met)++ < trace->n_loads_seen)
		return;
	trace->n_loads_seen++;
	/* A writer stores the description before it writes the load. */
	if (trace->is_live && ltt_trace_find_described(trace, name, checksum).exact == NULL)
		ltt_trace_find_descriptions(trace);
	take_load_from(walk, name, checksum, base_code, offset);
}

static LttTracefile *find_facilities_file(const LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (g_str_equal(tracefile->name, "control/facilities"))
			return tracefile;
	}
	return NULL;
}

/* ---- loads in other files than control/facilities ---- */

static void walk_local_loads(LttTracefile *tracefile)
{
	gboolean met_unknown;
	LttBlock block;

	ltt_block_init(&block);
	tracefile->local_loads = g_array_new(FALSE, FALSE, sizeof(LttLocalLoad));
	for (guint64 i = 0; i < ltt_tracefile_get_n_ordered(tracefile); i++) {
		g_autoptr(GError) error = NULL;

		ltt_block_walk(&block, tracefile, i, tracefile->local_slots, NULL, take_load_from,
			       NULL, &met_unknown, &error);
		ltt_tracefile_note_failure(tracefile, error);
	}
	ltt_block_clear(&block);
}

void ltt_tracefile_find_local_loads(LttTracefile *tracefile)
{
	g_rec_mutex_lock(&tracefile->lock);
	if (tracefile->local_slots == NULL) {
		tracefile->local_slots = ltt_slots_dup(tracefile->trace->slots);
		if (!tracefile->lists_loads)
			walk_local_loads(tracefile);
	}
	g_rec_mutex_unlock(&tracefile->lock);
}

/* ---- control/facilities ---- */

/* The facility at base code 0: builtin, or in the historical dialect core, which describes the same
 * events (doc/format.md, 10.4). */
static void add_first(LttTrace *trace)
{
	const LttArch *arch = ltt_system_get_arch(trace->system);
	const LttFacility *builtin = ltt_eventdefs_get_shipped("builtin");
	g_autoptr(GError) error = NULL;

	if (ltt_system_is_dialect_22(trace->system)) {
		const LttMatch core = ltt_trace_find_described(trace, "core", 0);

		if (core.named != NULL &&
		    ltt_slots_add(trace->slots, core.named, arch,
				  ltt_facility_get_checksum(core.named), 0, TRUE, &error))
			return;
		ltt_trace_add_problem(trace, "eventdefs", LTT_NOWHERE, LTT_NOWHERE,
				      error != NULL
					      ? error->message
					      : "a trace of version 2.2 needs a facility core, "
						"which is missing");
	}
	ltt_slots_add(trace->slots, builtin, arch, ltt_facility_get_checksum(builtin), 0, TRUE,
		      NULL);
}

static gint compare_loads(gconstpointer a, gconstpointer b)
{
	const LttLoad *left = *(const LttLoad *const *)a;
	const LttLoad *right = *(const LttLoad *const *)b;

	return left->base_code < right->base_code ? -1 : left->base_code > right->base_code;
}

void ltt_trace_hide_machine(LttTrace *trace)
{
	if (trace->is_live || ltt_trace_has_cpus(trace->joined != NULL ? trace->joined : trace))
		ltt_slots_hide_machine(trace->slots);
}

static void walk_loads(LttTrace *trace, LttTracefile *tracefile)
{
	gboolean met_unknown;
	guint n_met = 0;
	LttBlock block;

	if (tracefile->local_loads == NULL)
		tracefile->local_loads = g_array_new(FALSE, FALSE, sizeof(LttLocalLoad));
	tracefile->lists_loads = TRUE;
	ltt_block_init(&block);
	for (guint64 i = 0; i < ltt_tracefile_get_n_ordered(tracefile); i++) {
		g_autoptr(GError) error = NULL;

		/* A file that can be read later would hide that loads are missing. */
		ltt_block_walk(&block, tracefile, i, trace->slots, NULL, take_load, &n_met,
			       &met_unknown, &error);
		ltt_tracefile_note_failure(tracefile, error);
	}
	ltt_block_clear(&block);
	g_ptr_array_sort(trace->slots->loads, compare_loads);
	ltt_trace_hide_machine(trace);
}

void ltt_trace_read_loads(LttTrace *trace)
{
	LttTracefile *tracefile = find_facilities_file(trace);

	add_first(trace);
	/* A recording creates it after info/system.xml. */
	if (tracefile == NULL && trace->is_live)
		return;
	if (tracefile == NULL)
		ltt_trace_add_problem(trace, "control/facilities", LTT_NOWHERE, LTT_NOWHERE,
				      "the file is missing: no facility but the first is known");
	else
		walk_loads(trace, tracefile);
}

void ltt_trace_read_new_loads(LttTrace *trace)
{
	LttTracefile *tracefile = find_facilities_file(trace);

	if (tracefile == NULL)
		return;
	ltt_tracefile_measure(tracefile);
	ltt_tracefile_set_order(tracefile, tracefile->n_blocks, 0);
	walk_loads(trace, tracefile);
}
