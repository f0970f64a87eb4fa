/* ends.c - see ends-priv.h. */
#include "reader/ends-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

/* Bytes that one read takes from the end of a block: the final word and usually block_end. */
#define TAIL_BYTES 256

G_STATIC_ASSERT(LTT_BLOCK_EVENT_BYTES < LTT_MIN_BLOCK_BYTES);

static LttTimeValue load_stamp(const LttTrace *trace, const LttStampPlan *plan,
			       const guint8 *payload, LttByteOrder order)
{
	const guint64 time_ns =
		(guint64)ltt_load_u32(payload + plan->seconds_at, order) * LTT_NS_PER_S +
		ltt_load_u32(payload + plan->nanoseconds_at, order);

	return (LttTimeValue){
		.cycles = ltt_load_u64(payload + plan->cycles_at, order),
		.time_ns = ltt_trace_convert_time(trace, time_ns),
	};
}

static void report_unread(LttTracefile *tracefile, const GError *error)
{
	g_autofree char *message = NULL;
	LttProblem problem;

	if (tracefile->trace->is_live ||
	    !g_atomic_int_compare_and_exchange(&tracefile->has_unread_ends, FALSE, TRUE))
		return;
	ltt_problem_from_error(error, &problem);
	message = g_strdup_printf("%s: the order and the times of the blocks may be wrong",
				  problem.message);
	ltt_trace_add_problem(tracefile->trace, tracefile->name, problem.block, problem.byte,
			      message);
}

static gboolean read_or_report(LttTracefile *tracefile, guint64 at, guint8 *bytes, gsize n_bytes)
{
	g_autoptr(GError) error = NULL;

	if (ltt_tracefile_read(tracefile, at, bytes, n_bytes, &error))
		return TRUE;
	report_unread(tracefile, error);
	return FALSE;
}

/* Reads bytes of the file, or takes them from @joint if it has them. */
static gboolean read_bytes(LttTracefile *tracefile, const LttJoint *joint, guint64 at,
			   guint8 *bytes, gsize n_bytes)
{
	if (at < joint->at || at + n_bytes > joint->at + joint->n_bytes)
		return read_or_report(tracefile, at, bytes, n_bytes);
	memcpy(bytes, joint->bytes + (at - joint->at), n_bytes);
	return TRUE;
}

/* Returns: FALSE: the start cannot be read */
static gboolean read_start(LttTracefile *tracefile, const LttJoint *joint, guint64 at,
			   LttByteOrder order, LttBlockEnds *ends)
{
	const LttSlots *slots = tracefile->trace->slots;
	g_autofree guint8 *bytes = g_malloc(slots->block_start_bytes);
	const guint8 *payload = bytes + LTT_EVENT_HEADER_BYTES;

	if (!read_bytes(tracefile, joint, at, bytes, slots->block_start_bytes))
		return FALSE;
	ends->has_start = ltt_load_u16(bytes, order) == slots->block_start_id;
	if (ends->has_start) {
		ends->block_id = ltt_load_u32(payload + slots->block.block_id_at, order);
		ends->start = load_stamp(tracefile->trace, &slots->block, payload, order);
	}
	return TRUE;
}

static void take_end(const LttTrace *trace, const guint8 *bytes, LttByteOrder order,
		     LttBlockEnds *ends)
{
	ends->is_complete = ltt_load_u16(bytes, order) == trace->slots->block_end_id;
	if (ends->is_complete)
		ends->end = load_stamp(trace, &trace->slots->block, bytes + LTT_EVENT_HEADER_BYTES,
				       order);
}

static void read_end(LttTracefile *tracefile, guint64 at, LttByteOrder order, LttBlockEnds *ends)
{
	const guint32 n_bytes = tracefile->trace->slots->block_start_bytes;
	g_autofree guint8 *bytes = g_malloc(n_bytes);

	if (read_or_report(tracefile, at, bytes, n_bytes))
		take_end(tracefile->trace, bytes, order, ends);
}

/* Sets the time range of a complete block. If its times fall, a heartbeat with the latest time is before the block_end
 * at @end_at of the file, which has the earliest (doc/format.md, 6.5). @last: its offset in the block */
static void set_range(LttTracefile *tracefile, guint64 end_at, guint64 last, LttByteOrder order,
		      LttBlockEnds *ends)
{
	const LttTrace *trace = tracefile->trace;
	guint8 bytes[LTT_HEARTBEAT_BYTES];
	LttTimeValue peak;

	ends->first_ns = MIN(ends->start.time_ns, ends->end.time_ns);
	ends->last_ns = MAX(ends->start.time_ns, ends->end.time_ns);
	ends->falls = ends->end.time_ns < ends->start.time_ns;
	if (ends->end.time_ns > ends->start.time_ns || last < sizeof(bytes) ||
	    !read_or_report(tracefile, end_at - sizeof(bytes), bytes, sizeof(bytes)) ||
	    ltt_load_u16(bytes, order) != LTT_ID_HEARTBEAT)
		return;
	peak = load_stamp(trace, &trace->slots->stamp, bytes + LTT_EVENT_HEADER_BYTES, order);
	if (peak.cycles != ends->end.cycles || peak.time_ns < ends->last_ns)
		return;
	ends->last_ns = peak.time_ns;
	ends->falls = ends->last_ns > ends->end.time_ns;
}

/* In a block that is being written, the final word must be read before the events it covers. */
static guint64 get_tail_bytes(const LttTracefile *tracefile)
{
	return tracefile->trace->is_live ? LTT_FINAL_WORD_BYTES
					 : MIN(TAIL_BYTES, tracefile->block_bytes);
}

/* @before, @after: have the start and the end of the block, or other bytes */
static void read_ends(LttTracefile *tracefile, guint64 place, const LttJoint *before,
		      const LttJoint *after, LttBlockEnds *ends)
{
	const LttTrace *trace = tracefile->trace;
	const LttByteOrder order = ltt_system_get_arch(trace->system)->byte_order;
	const gboolean is_dialect_22 = ltt_system_is_dialect_22(trace->system);
	const guint64 at = place * tracefile->block_bytes;
	const guint64 final_at = tracefile->block_bytes - LTT_FINAL_WORD_BYTES;
	const guint64 tail_bytes = get_tail_bytes(tracefile);
	const guint64 tail_at = tracefile->block_bytes - tail_bytes;
	guint8 tail[TAIL_BYTES];
	guint64 last;
	guint32 word;

	*ends = (LttBlockEnds){.is_used = TRUE};
	if (!read_bytes(tracefile, after, at + tail_at, tail, tail_bytes) ||
	    !read_start(tracefile, before, at, order, ends))
		return;
	word = ltt_load_u32(tail + (final_at - tail_at), order);
	if (word == 0) {
		ends->is_used = ends->has_start && !is_dialect_22;
		return;
	}
	last = is_dialect_22 ? tracefile->block_bytes - MIN(word, tracefile->block_bytes) : word;
	if (ends->has_start && last > 0 && last + trace->slots->block_start_bytes <= final_at) {
		if (last >= tail_at)
			take_end(trace, tail + (last - tail_at), order, ends);
		else
			read_end(tracefile, at + last, order, ends);
	}
	if (is_dialect_22 && ends->has_start && !ends->is_complete && last > LTT_DIALECT_22_SLACK)
		read_end(tracefile, at + last - LTT_DIALECT_22_SLACK, order, ends);
	if (ends->has_start && ends->is_complete)
		set_range(tracefile, at + last, last, order, ends);
}

void ltt_tracefile_read_ends(LttTracefile *tracefile, guint64 place, LttBlockEnds *ends)
{
	static const LttJoint none;

	read_ends(tracefile, place, &none, &none, ends);
}

/* If the joint cannot be read, each end is read by itself. */
static void read_joint(const LttTracefile *tracefile, guint64 place, LttJoint *joint)
{
	const guint64 tail_bytes = get_tail_bytes(tracefile);
	const guint64 n_bytes = tail_bytes + tracefile->trace->slots->block_start_bytes;

	joint->at = (place + 1) * tracefile->block_bytes - tail_bytes;
	joint->n_bytes = 0;
	if (!tracefile->trace->is_live && place + 1 < tracefile->n_blocks &&
	    n_bytes <= LTT_JOINT_BYTES &&
	    ltt_tracefile_read(tracefile, joint->at, joint->bytes, n_bytes, NULL))
		joint->n_bytes = n_bytes;
}

void ltt_tracefile_scan_ends(LttTracefile *tracefile, guint64 place, LttJoint *joint,
			     LttBlockEnds *ends)
{
	const LttJoint before = *joint;

	read_joint(tracefile, place, joint);
	read_ends(tracefile, place, &before, joint, ends);
}
