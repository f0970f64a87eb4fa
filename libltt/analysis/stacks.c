/* stacks.c - see ltt-stack.h. */
#include "reader/event-types-priv.h"
#include "symbols/mappings-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-value.h>

/* Values of a call chain from here on are markers, not addresses. A marker gives the kind of the
 * addresses after it. */
#define FIRST_CONTEXT  ((guint64)-4095)
#define CONTEXT_KERNEL ((guint64)-128)

struct LttStacks {
	const LttTrace *trace;
	LttSelect *select; /* NULL: all samples */
	LttMerge *merge;
	LttMappings *mappings;
	GHashTable *samples; /* LttEventType to whether it is a sample, plus 1 */
	GArray *frames;      /* of LttStackFrame */
	LttStack stack;
};

/* ---- event types ---- */

static gboolean is_of_kind(const LttType *type, LttTypeKind kind)
{
	return type != NULL && ltt_type_get_kind(type) == kind;
}

static gboolean is_sample(const LttEventType *type)
{
	const LttType *chain = ltt_event_type_find_field(type, "callchain");

	if (!is_of_kind(ltt_event_type_find_field(type, "ip"), LTT_UINT))
		return FALSE;
	return chain == NULL ||
	       (is_of_kind(chain, LTT_SEQUENCE) &&
		is_of_kind(ltt_type_resolve(ltt_type_get_element(chain)), LTT_UINT));
}

static gboolean has_stack(const LttEventType *type)
{
	return is_sample(type) && ltt_event_type_find_field(type, "callchain") != NULL;
}

gboolean ltt_trace_has_stacks(const LttTrace *trace)
{
	return ltt_trace_any_event_type(trace, has_stack);
}

static gboolean is_known_sample(LttStacks *stacks, const LttEvent *event)
{
	gpointer known = g_hash_table_lookup(stacks->samples, event->type);

	if (known == NULL) {
		known = GUINT_TO_POINTER((guint)is_sample(event->type) + 1);
		g_hash_table_insert(stacks->samples, (gpointer)event->type, known);
	}
	return GPOINTER_TO_UINT(known) - 1;
}

/* ---- stacks ---- */

/* Build ids may be recorded after the samples, so they are read first. */
static void read_build_ids(LttStacks *stacks, LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		g_autoptr(LttCursor) cursor = NULL;
		const LttEvent *event;
		LttStep step;

		if (ltt_tracefile_get_cpu(tracefile) >= 0)
			continue;
		cursor = ltt_cursor_new(tracefile);
		while ((step = ltt_cursor_next(cursor, &event, NULL)) != LTT_STEP_END) {
			if (step == LTT_STEP_EVENT)
				ltt_mappings_take_build_id(stacks->mappings, event);
			else
				ltt_cursor_skip_block(cursor);
		}
	}
}

LttStacks *ltt_stacks_new(LttTrace *trace, LttSelect *select)
{
	LttStacks *stacks = g_new0(LttStacks, 1);

	stacks->trace = trace;
	stacks->select = select;
	stacks->merge = ltt_merge_new(trace, NULL);
	stacks->mappings = ltt_mappings_new(trace);
	stacks->samples = g_hash_table_new(NULL, NULL);
	stacks->frames = g_array_new(FALSE, FALSE, sizeof(LttStackFrame));
	read_build_ids(stacks, trace);
	return stacks;
}

void ltt_stacks_free(LttStacks *stacks)
{
	if (stacks == NULL)
		return;
	g_array_unref(stacks->frames);
	g_hash_table_unref(stacks->samples);
	ltt_mappings_free(stacks->mappings);
	ltt_merge_free(stacks->merge);
	g_free(stacks);
}

static void add_frame(LttStacks *stacks, const LttMappingsQuery *query, guint64 address,
		      gboolean is_kernel)
{
	LttStackFrame frame = {.address = address, .is_kernel = is_kernel};

	ltt_mappings_find(stacks->mappings, query, &frame, NULL);
	g_array_append_val(stacks->frames, frame);
}

/* Without a marker, an address in the upper half of the address space belongs to the kernel. */
static gboolean is_of_kernel(guint64 address)
{
	return address >> 63 != 0;
}

static void add_chain(LttStacks *stacks, const LttMappingsQuery *query, const LttValue *chain)
{
	gboolean is_marked = FALSE;
	gboolean is_kernel = FALSE;
	LttValueIter iter;
	LttValue item;

	ltt_value_iter_init(&iter, chain);
	while (stacks->frames->len < LTT_MAX_STACK_FRAMES &&
	       ltt_value_iter_next(&iter, &item, NULL)) {
		const guint64 address = ltt_value_get_uint(&item);

		if (address >= FIRST_CONTEXT) {
			is_marked = TRUE;
			is_kernel = address == CONTEXT_KERNEL;
		} else {
			add_frame(stacks, query, address,
				  is_marked ? is_kernel : is_of_kernel(address));
		}
	}
}

/* Returns: whether the stack has a frame */
static gboolean take_sample(LttStacks *stacks, const LttEvent *event)
{
	const LttMappingsQuery query = {
		.tracefile = event->tracefile,
		.pid = event->has_thread ? event->pid : 0,
		.time_ns = event->time_ns,
	};
	LttValue payload;
	LttValue value;

	g_array_set_size(stacks->frames, 0);
	if (!ltt_event_get_value(event, &payload))
		return FALSE;
	if (ltt_value_find(&payload, "callchain", &value))
		add_chain(stacks, &query, &value);
	if (stacks->frames->len == 0 && ltt_value_find(&payload, "ip", &value))
		add_frame(stacks, &query, ltt_value_get_uint(&value),
			  is_of_kernel(ltt_value_get_uint(&value)));
	stacks->stack = (LttStack){
		.event = event,
		.thread_name = ltt_event_get_comm(event),
		.n_frames = stacks->frames->len,
		.frames = (const LttStackFrame *)(gpointer)stacks->frames->data,
	};
	return stacks->frames->len > 0;
}

LttStep ltt_stacks_next(LttStacks *stacks, const LttStack **stack, GError **error)
{
	const LttEvent *event;
	LttStep step;

	while ((step = ltt_merge_next(stacks->merge, &event, error)) == LTT_STEP_EVENT) {
		if (!is_known_sample(stacks, event)) {
			ltt_mappings_take(stacks->mappings, event);
			continue;
		}
		if (stacks->select != NULL &&
		    (!ltt_select_wants_tracefile(stacks->select, event->tracefile) ||
		     !ltt_select_matches(stacks->select, event)))
			continue;
		if (!take_sample(stacks, event))
			continue;
		*stack = &stacks->stack;
		return LTT_STEP_EVENT;
	}
	return step;
}

void ltt_stacks_skip_block(LttStacks *stacks)
{
	ltt_merge_skip_block(stacks->merge);
}
