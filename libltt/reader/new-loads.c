/* new-loads.c - see new-loads-priv.h
 *
 * A search continues in the last used block of control/facilities, so a trace whose blocks are
 * damaged costs one read of a block more for each of them.
 */
#include "reader/new-loads-priv.h"

#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

struct LttNewLoads {
	gint n_holders;     /* atomic: of ltt_trace_hold_loads() */
	GMutex lock;        /* protects the others */
	LttTracefile *file; /* control/facilities, opened again, because the order of its blocks
			     * changes; NULL: not opened yet */
	LttSlots *slots;    /* with all loads so far; NULL: no search yet */
	LttSlots *next;     /* the copy that gets new loads; NULL: none in this search */
	GPtrArray *copies;  /* of LttSlots, owned */
	guint n_of_trace;   /* number of loads of the trace when @slots were copied */
	guint64 place;      /* of the block in which the next search begins, */
	guint n_before;     /* and the number of loads before it */
	guint n_seen;       /* number of loads in all blocks so far */
	guint n_met;        /* number of loads before the position of the walk */
};

LttNewLoads *ltt_new_loads_new(void)
{
	LttNewLoads *news = g_new0(LttNewLoads, 1);

	g_mutex_init(&news->lock);
	news->copies = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_slots_free);
	return news;
}

void ltt_new_loads_free(LttNewLoads *news)
{
	if (news == NULL)
		return;
	g_mutex_clear(&news->lock);
	g_ptr_array_unref(news->copies);
	ltt_tracefile_free(news->file);
	g_free(news);
}

static void take_load(LttWalk *walk, const char *name, guint32 checksum, guint32 base_code,
		      guint32 offset)
{
	LttNewLoads *news = walk->user_data;
	LttTrace *trace = walk->tracefile->trace;

	if (news->n_met++ < news->n_seen)
		return;
	news->n_seen++;
	if (news->next == NULL)
		news->next = ltt_slots_dup(walk->slots);
	/* A writer stores the description before it writes the load. */
	if (ltt_trace_find_described(trace, name, checksum).exact == NULL)
		ltt_trace_find_descriptions(trace);
	ltt_trace_apply_load(trace, news->next, name, checksum, base_code, walk->tracefile,
			     walk->block->place, offset);
}

/* Walks over the blocks from the last used one on, up to the first one that is not used. */
static void walk_new_blocks(LttNewLoads *news)
{
	gboolean met_unknown;
	LttBlock block;

	ltt_tracefile_measure(news->file);
	ltt_tracefile_set_order(news->file, news->file->n_blocks, 0);
	ltt_block_init(&block);
	news->n_met = news->n_before;
	for (guint64 place = news->place; place < news->file->n_blocks; place++) {
		const guint n_before = news->n_met;

		if (!ltt_block_walk(&block, news->file, place, news->slots, NULL, take_load, news,
				    &met_unknown, NULL) ||
		    block.n_events == 0)
			break;
		news->place = place;
		news->n_before = n_before;
	}
	ltt_block_clear(&block);
}

/* Begins with the slots of the trace, which may have got loads since the last search. */
static void begin(LttNewLoads *news, LttTrace *trace)
{
	if (news->slots != NULL && news->n_of_trace == trace->n_loads_seen)
		return;
	news->slots = trace->slots;
	news->n_of_trace = news->n_seen = trace->n_loads_seen;
	news->place = news->n_before = 0;
}

static void search(LttNewLoads *news, LttTrace *trace)
{
	begin(news, trace);
	if (news->file == NULL)
		news->file = ltt_tracefile_new(trace, "control/facilities", -1, TRUE, NULL);
	if (news->file == NULL)
		return;
	walk_new_blocks(news);
	if (news->next == NULL)
		return;
	/* A load that is repeated, or not described, changes nothing. */
	if (news->next->loads->len == 0) {
		g_clear_pointer(&news->next, ltt_slots_free);
		return;
	}
	ltt_slots_hide_machine(news->next);
	g_ptr_array_add(news->copies, news->next);
	news->slots = g_steal_pointer(&news->next);
}

static LttSlots *find_slots(LttTrace *trace)
{
	LttNewLoads *news = trace->new_loads;
	LttSlots *slots;

	g_mutex_lock(&news->lock);
	search(news, trace);
	slots = news->slots;
	g_mutex_unlock(&news->lock);
	return slots;
}

static gboolean is_held(const LttTrace *trace)
{
	return g_atomic_int_get(&trace->new_loads->n_holders) > 0;
}

LttSlots *ltt_trace_get_new_slots(LttTrace *trace)
{
	return trace->new_loads == NULL || is_held(trace) ? trace->slots : find_slots(trace);
}

gboolean ltt_trace_holds_back(LttTrace *trace, guint16 id)
{
	return trace->new_loads != NULL && is_held(trace) &&
	       ltt_slots_get(find_slots(trace), id) != NULL;
}

static void add_holders(LttTrace *trace, gint n)
{
	if (trace->new_loads != NULL)
		g_atomic_int_add(&trace->new_loads->n_holders, n);
	for (guint i = 0; trace->members != NULL && i < trace->members->len; i++)
		add_holders(trace->members->pdata[i], n);
}

void ltt_trace_hold_loads(LttTrace *trace)
{
	add_holders(trace, 1);
}

void ltt_trace_release_loads(LttTrace *trace)
{
	add_holders(trace, -1);
}
