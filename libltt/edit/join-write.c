/* join-write.c - several traces written as one. See ltt-join.h.
 *
 * A block is copied as it is, event by event at the same places: so all deltas, and with them all
 * times, stay what they were. Changed are only the ids, as the facilities of all traces share one
 * numbering now, and the wall times where a trace has an offset. Where blocks become larger the
 * rest is padding.
 */
#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "base/write-at-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-priv.h"
#include "reader/trace-priv.h"
#include "writer/directory-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-time.h>
#include <ltt/ltt-writer.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct Writing {
	LttTrace *joined;
	const char *path;
	LttTraceWriter *writer;
	LttByteOrder byte_order;
	guint64 block_bytes; /* of the new trace */
	GHashTable *codes;   /* LttFacility -> its base code in the new trace */
	guint64 n_blocks;    /* of all tracefiles */
	guint64 n_blocks_done;
	LttProblemFunc on_problem;
	gpointer problem_data;
	LttProgressFunc on_progress;
	gpointer progress_data;
} Writing;

/* The tracefile under way. */
typedef struct Copy {
	Writing *writing;
	const LttTracefile *tracefile;
	const LttTrace *member;
	char *path;
	int fd;
	guint64 n_written; /* blocks */
	guint32 last_id;   /* of the block written last */
} Copy;

/* ---- whether it can be done ---- */

static gboolean check_members(const LttTrace *joined, GError **error)
{
	const LttTrace *first = joined->members->pdata[0];
	const LttArch *arch = ltt_system_get_arch(first->system);

	for (guint i = 0; i < joined->members->len; i++) {
		const LttTrace *member = joined->members->pdata[i];
		const LttArch *other = ltt_system_get_arch(member->system);

		if (ltt_system_is_dialect_22(member->system))
			return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
					"%s: is of the historical version 2.%s, which cannot be "
					"written",
					ltt_trace_get_path(member),
					ltt_system_get(member->system, "ltt_minor_version"));
		if (other->byte_order != arch->byte_order)
			return ltt_fail(
				error, LTT_ERROR_UNSUPPORTED,
				"%s: is %s endian, but %s is %s endian: expected the same of "
				"all",
				ltt_trace_get_path(member), ltt_byte_order_name(other->byte_order),
				ltt_trace_get_path(first), ltt_byte_order_name(arch->byte_order));
	}
	return TRUE;
}

/* ---- facilities ---- */

/* Whether a type has a size that is not the same on all machines: that of an int or a long. */
static gboolean has_machine_sizes(const LttFacility *facility)
{
	static const char *const kinds[] = {"int(", "enum(", "sequence(", "union("};
	const char *text = ltt_facility_get_canonical(facility);

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		for (const char *at = text; (at = strstr(at, kinds[i])) != NULL;) {
			at += strlen(kinds[i]);
			if (g_str_has_prefix(at, "medium") || g_str_has_prefix(at, "long"))
				return TRUE;
		}
	}
	return FALSE;
}

static gboolean check_sizes(const Writing *writing, const LttTrace *member,
			    const LttFacility *facility, GError **error)
{
	const LttArchSize own = ltt_system_get_arch(member->system)->size;
	const LttArchSize common = ltt_system_get_arch(writing->joined->system)->size;

	if (own == common || !has_machine_sizes(facility))
		return TRUE;
	return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
			"%s: facility %s has sizes of the machine, which is %s here and %s in the "
			"first trace: expected the same of both",
			ltt_trace_get_path(member), ltt_facility_get_name(facility),
			ltt_arch_size_name(own), ltt_arch_size_name(common));
}

/* Makes sure that a facility of a member is loaded in the new trace. */
static gboolean load(Writing *writing, const LttTrace *member, const LttFacility *facility,
		     guint32 *base_code, GError **error)
{
	gpointer known;

	if (g_hash_table_lookup_extended(writing->codes, facility, NULL, &known)) {
		*base_code = GPOINTER_TO_UINT(known);
		return TRUE;
	}
	*base_code = 0;
	if (!g_str_equal(ltt_facility_get_name(facility), "builtin") &&
	    (!check_sizes(writing, member, facility, error) ||
	     !ltt_trace_writer_load(writing->writer, facility, base_code, error)))
		return FALSE;
	g_hash_table_insert(writing->codes, (gpointer)facility, GUINT_TO_POINTER(*base_code));
	return TRUE;
}

static gboolean load_all(Writing *writing, const LttTrace *member, GError **error)
{
	const GPtrArray *loads = member->slots->loads;
	guint32 base_code;

	for (guint i = 0; i < loads->len; i++) {
		const LttLoad *one = loads->pdata[i];

		if (!load(writing, member, one->facility, &base_code, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- what changes in a block ---- */

static gboolean shift_time(const Copy *copy, guint8 *seconds, guint8 *nanoseconds, GError **error)
{
	const LttByteOrder order = copy->writing->byte_order;
	const gint64 offset_ns = copy->member->offset_ns;
	const guint64 before_ns = (guint64)ltt_load_u32(seconds, order) * LTT_NS_PER_S +
				  ltt_load_u32(nanoseconds, order);
	const guint64 after_ns = ltt_time_shift(before_ns, offset_ns);

	if (offset_ns == 0)
		return TRUE;
	if (after_ns - before_ns != (guint64)offset_ns || after_ns / LTT_NS_PER_S > G_MAXUINT32)
		return ltt_fail_at(error, LTT_ERROR_INVALID, copy->tracefile->name, LTT_NOWHERE,
				   LTT_NOWHERE,
				   "with its offset a time would be one that cannot be written: "
				   "expected one from 1970 on whose seconds have 32 bits");
	ltt_store_u32(seconds, (guint32)(after_ns / LTT_NS_PER_S), order);
	ltt_store_u32(nanoseconds, (guint32)(after_ns % LTT_NS_PER_S), order);
	return TRUE;
}

static gboolean shift_stamp(const Copy *copy, guint8 *payload, GError **error)
{
	return shift_time(copy, payload + G_STRUCT_OFFSET(LttDiskTime, seconds),
			  payload + G_STRUCT_OFFSET(LttDiskTime, nanoseconds), error);
}

static gboolean shift_clock(const Copy *copy, guint8 *payload, GError **error)
{
	return shift_time(copy, payload + G_STRUCT_OFFSET(LttDiskClock, seconds),
			  payload + G_STRUCT_OFFSET(LttDiskClock, nanoseconds), error) &&
	       shift_time(copy, payload + G_STRUCT_OFFSET(LttDiskClock, next_seconds),
			  payload + G_STRUCT_OFFSET(LttDiskClock, next_nanoseconds), error);
}

/* A load that holds in its trace says nothing new in the other one: that has it already, under the
 * base code that it gets here. */
static void change_load(const Copy *copy, guint8 *payload, guint32 size)
{
	const guint32 name_bytes = (guint32)strlen((const char *)payload) + 1;
	const guint32 checksum = ltt_load_u32(payload + name_bytes, copy->writing->byte_order);
	GHashTableIter iter;
	gpointer facility;
	gpointer base_code;

	g_hash_table_iter_init(&iter, copy->writing->codes);
	while (size == name_bytes + 8 && g_hash_table_iter_next(&iter, &facility, &base_code)) {
		if (ltt_facility_get_checksum(facility) == checksum &&
		    g_str_equal(ltt_facility_get_name(facility), (const char *)payload))
			ltt_store_u32(payload + name_bytes + 4, GPOINTER_TO_UINT(base_code),
				      copy->writing->byte_order);
	}
}

static gboolean change_event(Copy *copy, LttBlock *block, guint32 event, GError **error)
{
	const LttRecord *record = &block->records[event];
	const LttSlot *slot = &block->slots[record->id];
	guint8 *at = block->bytes + record->offset;
	guint8 *payload = at + LTT_EVENT_HEADER_BYTES;
	const guint32 size = record[1].offset - record->offset - (guint32)LTT_EVENT_HEADER_BYTES;
	guint32 base_code;

	if (!load(copy->writing, copy->member, slot->type->facility, &base_code, error))
		return FALSE;
	ltt_store_u16(at, (guint16)(base_code + slot->type->index), copy->writing->byte_order);
	switch (slot->role) {
	case LTT_ROLE_BLOCK_START:
	case LTT_ROLE_BLOCK_END:
	case LTT_ROLE_HEARTBEAT:
		return shift_stamp(copy, payload, error);
	case LTT_ROLE_CLOCK:
		return shift_clock(copy, payload, error);
	case LTT_ROLE_FACILITY_LOAD:
		change_load(copy, payload, size);
		return TRUE;
	default:
		return TRUE;
	}
}

/* Blocks come in the order of their ids; should these be such that they would not be read so again,
 * they are numbered on. */
static void settle_id(Copy *copy, LttBlock *block)
{
	const guint32 id_at =
		G_STRUCT_OFFSET(LttDiskBlock, block_id) + (guint32)LTT_EVENT_HEADER_BYTES;
	guint8 *start = block->bytes + id_at;
	const guint32 last = block->records[block->n_events - 1].offset;
	guint32 id = ltt_load_u32(start, copy->writing->byte_order);

	if (copy->n_written > 0 && (gint32)(id - copy->last_id) <= 0)
		id = copy->last_id + 1;
	copy->last_id = id;
	ltt_store_u32(start, id, copy->writing->byte_order);
	if (block->n_events > 1 && !block->is_open && block->damage == NULL)
		ltt_store_u32(block->bytes + last + id_at, id, copy->writing->byte_order);
}

/* ---- blocks ---- */

static gboolean write_at(const Copy *copy, const guint8 *bytes, gsize size, guint64 offset,
			 GError **error)
{
	const int errnum = ltt_write_at(copy->fd, bytes, size, offset);

	return errnum == 0 || ltt_fail_io(error, copy->path, "write", errnum);
}

static gboolean write_block(Copy *copy, LttBlock *block, GError **error)
{
	const guint64 block_bytes = copy->writing->block_bytes;
	const guint64 at = copy->n_written * block_bytes;
	guint8 word[LTT_FINAL_WORD_BYTES];

	ltt_store_u32(word, block->records[block->n_events - 1].offset, copy->writing->byte_order);
	copy->n_written++;
	return write_at(copy, block->bytes, block->records[block->n_events].offset, at, error) &&
	       write_at(copy, word, sizeof(word), at + block_bytes - sizeof(word), error);
}

static gboolean check_rate(const Copy *copy, const LttBlock *block, GError **error)
{
	const guint64 own_hz = ltt_system_get_cycle_frequency(copy->member->system);

	if (!block->rests_on_system ||
	    own_hz == ltt_system_get_cycle_frequency(copy->writing->joined->system))
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, copy->tracefile->name,
			   (gint64)block->place, LTT_NOWHERE,
			   "its times rest on the cycle_frequency of its own trace, which differs "
			   "from that of the first: repair that trace before");
}

static void tell_damage(const Copy *copy, const LttBlock *block)
{
	const LttProblem problem = {copy->tracefile->name, (gint64)block->place, block->damage_byte,
				    block->damage};

	if (block->damage != NULL && copy->writing->on_problem != NULL)
		copy->writing->on_problem(&problem, copy->writing->problem_data);
}

static gboolean copy_block(Copy *copy, LttBlock *block, guint64 position, GError **error)
{
	Writing *writing = copy->writing;

	if (!ltt_block_load(block, (LttTracefile *)copy->tracefile, position, error))
		return FALSE;
	tell_damage(copy, block);
	if (block->n_events > 0) {
		for (guint32 i = 0; i < block->n_events; i++)
			if (!change_event(copy, block, i, error))
				return FALSE;
		settle_id(copy, block);
		if (!check_rate(copy, block, error) || !write_block(copy, block, error))
			return FALSE;
	}
	writing->n_blocks_done++;
	if (writing->on_progress == NULL ||
	    writing->on_progress(writing->n_blocks_done, writing->n_blocks, writing->progress_data))
		return TRUE;
	return ltt_fail(error, LTT_ERROR_IO, "the merge was ended before it was complete");
}

static gboolean copy_blocks(Copy *copy, GError **error)
{
	const guint64 n_blocks = ltt_tracefile_get_n_ordered((LttTracefile *)copy->tracefile);
	gboolean ok = TRUE;
	LttBlock block;

	ltt_block_init(&block);
	for (guint64 i = 0; ok && i < n_blocks; i++)
		ok = copy_block(copy, &block, i, error);
	ltt_block_clear(&block);
	return ok;
}

static gboolean copy_tracefile(Writing *writing, const LttTracefile *tracefile, GError **error)
{
	Copy copy = {.writing = writing, .tracefile = tracefile, .member = tracefile->trace};
	gboolean ok;

	copy.path = g_build_filename(writing->path, tracefile->name, NULL);
	copy.fd = open(copy.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	ok = copy.fd >= 0 ? copy_blocks(&copy, error)
			  : ltt_fail_io(error, copy.path, "make the file", errno);
	if (copy.fd >= 0 && close(copy.fd) < 0 && ok)
		ok = ltt_fail_io(error, copy.path, "write", errno);
	g_free(copy.path);
	return ok;
}

/* ---- the whole ---- */

static gboolean copy_bookmarks(const Writing *writing, GError **error)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(writing->joined);
	g_autofree char *text = NULL;

	if (bookmarks->len == 0)
		return TRUE;
	text = ltt_bookmarks_print(bookmarks);
	return ltt_directory_write(writing->path, "info/bookmarks.xml", text, error);
}

static gboolean fill(Writing *writing, GError **error)
{
	const GPtrArray *tracefiles = writing->joined->tracefiles;
	const GPtrArray *members = writing->joined->members;

	for (guint i = 0; i < members->len; i++)
		if (!load_all(writing, members->pdata[i], error))
			return FALSE;
	for (guint i = 0; i < tracefiles->len; i++)
		writing->n_blocks += ltt_tracefile_get_n_ordered(tracefiles->pdata[i]);
	for (guint i = 0; i < tracefiles->len; i++)
		if (!copy_tracefile(writing, tracefiles->pdata[i], error))
			return FALSE;
	return copy_bookmarks(writing, error) && ltt_trace_writer_close(writing->writer, error);
}

gboolean ltt_trace_write_joined(LttTrace *joined, const char *path, LttProblemFunc on_problem,
				gpointer problem_data, LttProgressFunc on_progress,
				gpointer progress_data, GError **error)
{
	Writing writing = {
		.joined = joined,
		.path = path,
		.byte_order = ltt_system_get_arch(joined->system)->byte_order,
		.block_bytes = ltt_system_get_block_bytes(joined->system),
		.on_problem = on_problem,
		.problem_data = problem_data,
		.on_progress = on_progress,
		.progress_data = progress_data,
	};
	/* The facilities are loaded before the first event. */
	LttWriterOptions options = {.line = {.dt_ns = 1, .dc_cycles = 1}};
	guint64 end_ns;
	gboolean ok;

	g_return_val_if_fail(joined->members != NULL, FALSE);
	if (!check_members(joined, error))
		return FALSE;
	if (ltt_trace_get_span(joined, &options.line.time_ns, &end_ns))
		options.line.cycles = options.line.time_ns;
	writing.writer = ltt_trace_writer_new(path, joined->system, &options, error);
	if (writing.writer == NULL)
		return FALSE;
	writing.codes = g_hash_table_new(NULL, NULL);
	ok = fill(&writing, error);
	g_hash_table_unref(writing.codes);
	if (ok)
		ltt_trace_writer_free(writing.writer);
	else
		ltt_trace_writer_abandon(writing.writer);
	return ok;
}
