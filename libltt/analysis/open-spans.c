/* open-spans.c - keep open spans as bytes (open-spans-priv.h).
 *
 *	last id | number of spans | id | tracefile | event id | time | ... | payload | id | ...
 *
 * An event id gives the type and the layout of the event, as it does in the tracefile. The payload is
 * measured again, so that it can be read like one of the trace.
 */
#include "analysis/open-spans-priv.h"
#include "base/serial-priv.h"
#include "reader/block-priv.h"
#include "reader/trace-priv.h"

/* A packed begin with an empty payload. */
#define BEGIN_BYTES 68

static void clear_begin(gpointer data)
{
	g_free(((LttSpanBegin *)data)->payload);
}

LttOpenSpans *ltt_open_spans_make(guint64 last_id)
{
	LttOpenSpans *open = g_new(LttOpenSpans, 1);

	open->begins = g_array_new(FALSE, FALSE, sizeof(LttSpanBegin));
	g_array_set_clear_func(open->begins, clear_begin);
	open->last_id = last_id;
	return open;
}

void ltt_open_spans_free(LttOpenSpans *open)
{
	if (open == NULL)
		return;
	g_array_unref(open->begins);
	g_free(open);
}

guint ltt_open_spans_get_n(const LttOpenSpans *open)
{
	return open->begins->len;
}

/* ---- packing ---- */

void ltt_open_spans_pack(const LttOpenSpans *open, GByteArray *bytes)
{
	ltt_serial_put_u64(bytes, open->last_id);
	ltt_serial_put_u32(bytes, open->begins->len);
	for (guint i = 0; i < open->begins->len; i++) {
		const LttSpanBegin *begin = &g_array_index(open->begins, LttSpanBegin, i);
		const LttEvent *event = &begin->event;

		ltt_serial_put_u64(bytes, begin->id);
		ltt_serial_put_u32(bytes, ltt_tracefile_get_index(event->tracefile));
		ltt_serial_put_u32(bytes, event->id);
		ltt_serial_put_u64(bytes, event->time_ns);
		ltt_serial_put_u64(bytes, event->cycles);
		ltt_serial_put_u64(bytes, event->block);
		ltt_serial_put_u32(bytes, event->offset_bytes);
		ltt_serial_put_u32(bytes, event->role);
		ltt_serial_put_u32(bytes, event->byte_order);
		ltt_serial_put_u32(bytes, event->has_thread);
		ltt_serial_put_u32(bytes, event->pid);
		ltt_serial_put_u32(bytes, event->tid);
		ltt_serial_put_u32(bytes, event->payload_bytes);
		ltt_serial_put_bytes(bytes, event->payload, event->payload_bytes);
	}
}

/* ---- unpacking ---- */

/* Returns: (nullable): what a tracefile reads an event id as; NULL: as nothing that begins a span */
static const LttSlot *find_slot(LttTracefile *tracefile, guint16 id)
{
	const LttSlot *slot = ltt_slots_get(tracefile->trace->slots, id);

	if (slot == NULL)
		slot = ltt_slots_get(ltt_trace_get_new_slots(tracefile->trace), id);
	if (slot == NULL) { /* this reads the whole file, like a block with an unknown id does */
		ltt_tracefile_find_local_loads(tracefile);
		slot = ltt_slots_get(tracefile->local_slots, id);
	}
	return slot != NULL && (ltt_span_role_find(slot->type, NULL, NULL) & LTT_SPAN_BEGIN) != 0
		       ? slot
		       : NULL;
}

static gboolean is_payload(const LttSlot *slot, const LttEvent *event)
{
	gsize size_bytes = 0;

	return (slot->layout == NULL ||
		ltt_layout_measure(slot->layout, event->payload, event->payload_bytes,
				   event->byte_order, &size_bytes, NULL)) &&
	       size_bytes == event->payload_bytes;
}

/* Sets `is_bad` if the begin is damaged. The payload of @begin must be freed anyway. */
static void unpack_begin(LttSerial *in, LttTrace *trace, LttSpanBegin *begin)
{
	LttEvent *event = &begin->event;
	const LttSlot *slot;
	LttTracefile *tracefile;
	const guint8 *payload;

	begin->id = ltt_serial_take_u64(in);
	tracefile = ltt_trace_get_tracefile(
		trace, ltt_serial_take_below(in, ltt_trace_get_n_tracefiles(trace)));
	event->tracefile = tracefile;
	event->id = (guint16)ltt_serial_take_below(in, G_MAXUINT16 + 1);
	event->time_ns = ltt_serial_take_u64(in);
	event->cycles = ltt_serial_take_u64(in);
	event->block = ltt_serial_take_u64(in);
	event->offset_bytes = ltt_serial_take_u32(in);
	event->role = (LttEventRole)ltt_serial_take_below(in, LTT_ROLE_MACHINE + 1);
	event->byte_order = (LttByteOrder)ltt_serial_take_u32(in);
	event->has_thread = (gboolean)ltt_serial_take_below(in, 2);
	event->pid = ltt_serial_take_u32(in);
	event->tid = ltt_serial_take_u32(in);
	event->payload_bytes = ltt_serial_take_n(in, 1);
	payload = ltt_serial_take_bytes(in, event->payload_bytes);
	if (in->is_bad)
		return;
	begin->payload = g_malloc0((gsize)event->payload_bytes + LTT_BLOCK_SLACK_BYTES);
	if (event->payload_bytes > 0)
		memcpy(begin->payload, payload, event->payload_bytes);
	event->payload = begin->payload;
	slot = find_slot(tracefile, event->id);
	ltt_serial_expect(
		in, slot != NULL &&
			    event->byte_order ==
				    ltt_system_get_arch(tracefile->trace->system)->byte_order &&
			    is_payload(slot, event));
	if (slot == NULL)
		return;
	event->type = slot->type;
	event->layout = slot->layout;
}

LttOpenSpans *ltt_open_spans_unpack(LttTrace *trace, const guint8 *bytes, gsize length)
{
	LttSerial in = {bytes, length, ltt_trace_get_n_tracefiles(trace) == 0};
	g_autoptr(LttOpenSpans) open = ltt_open_spans_make(ltt_serial_take_u64(&in));
	const guint32 n = ltt_serial_take_n(&in, BEGIN_BYTES);
	guint64 last_id = 0;

	for (guint32 i = 0; i < n && !in.is_bad; i++) {
		LttSpanBegin begin = {0};

		unpack_begin(&in, trace, &begin);
		g_array_append_val(open->begins, begin);
		ltt_serial_expect(&in, begin.id > last_id && begin.id <= open->last_id);
		last_id = begin.id;
	}
	return !in.is_bad && in.rest == 0 ? g_steal_pointer(&open) : NULL;
}
