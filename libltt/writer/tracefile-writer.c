/* tracefile-writer.c - divide the events of a tracefile into blocks and write these.
 *
 * One block is in memory. A block begins with the cycles of its first event and ends with those of
 * its last, so its header gives its exact time span, and no time value lies in a pause between two
 * blocks. All time values are at cycle counts of events; a heartbeat comes directly before an
 * event, whose delta is then 0.
 *
 * An ended block stays in memory until it is written: if the disk is full, the next call tries
 * again. The file is opened for each block and closed again, because a trace may have more
 * tracefiles than a process may have descriptors.
 */
#include "writer/line-priv.h"
#include "writer/trace-writer-priv.h"

#include "base/error-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define ALL_MAY 0666 /* restricted by the umask */

/* ---- the file ---- */

static gboolean fail_io(const LttTracefileWriter *file, const char *attempt, int errnum,
			GError **error)
{
	return ltt_fail_io(error, file->path, attempt, errnum);
}

LttTracefileWriter *ltt_tracefile_writer_new(LttTraceWriter *trace, const char *name,
					     GError **error)
{
	g_autoptr(LttTracefileWriter) file = g_new0(LttTracefileWriter, 1);
	int fd;

	file->trace = trace;
	file->name = g_strdup(name);
	file->path = g_build_filename(trace->path, name, NULL);
	file->line = trace->line;
	ltt_line_get_range(&file->line, &file->least_cycles, &file->most_cycles);
	if (!ltt_block_writer_init(&file->block, trace->block_bytes, trace->arch.byte_order)) {
		ltt_fail(error, LTT_ERROR_LIMIT, "%s: no memory for a block of %zu bytes",
			 file->path, trace->block_bytes);
		return NULL;
	}
	fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ALL_MAY);
	if (fd < 0) {
		fail_io(file, "make the file", errno, error);
		return NULL;
	}
	close(fd);
	return g_steal_pointer(&file);
}

void ltt_tracefile_writer_free(LttTracefileWriter *file)
{
	if (file == NULL)
		return;
	ltt_block_writer_clear(&file->block);
	g_free(file->name);
	g_free(file->path);
	g_free(file);
}

/* Truncates the file after an incomplete write. If that fails too, a partial block remains at the
 * end, which readers ignore. */
static void cut_off(int fd, guint64 offset)
{
	if (ftruncate(fd, (off_t)offset) < 0)
		return;
}

/* Writes the ended block. */
static gboolean write_block(LttTracefileWriter *file, GError **error)
{
	const guint64 offset = file->n_blocks * file->block.size_bytes;
	const int fd = open(file->path, O_WRONLY | O_CLOEXEC);
	int errnum;

	if (fd < 0)
		return fail_io(file, "open the file", errno, error);
	errnum = ltt_block_writer_store(&file->block, fd, offset);
	if (errnum != 0)
		cut_off(fd, offset);
	if (close(fd) < 0 && errnum == 0)
		errnum = errno;
	if (errnum != 0)
		return fail_io(file, "write", errnum, error);
	file->n_blocks++;
	file->is_pending = FALSE;
	return TRUE;
}

/* ---- blocks ---- */

static void note_time(LttTraceWriter *trace, guint64 cycles, guint64 time_ns)
{
	if (trace->has_times && trace->first_ns <= time_ns)
		return;
	trace->has_times = TRUE;
	trace->first_cycles = cycles;
	trace->first_ns = time_ns;
}

static void begin_block(LttTracefileWriter *file, guint64 cycles, guint64 time_ns)
{
	ltt_block_writer_begin(&file->block, (guint32)file->n_blocks, cycles, time_ns);
	note_time(file->trace, cycles, time_ns);
}

static gboolean end_block(LttTracefileWriter *file, guint64 cycles, guint64 time_ns, GError **error)
{
	ltt_block_writer_end(&file->block, cycles, time_ns);
	file->is_pending = TRUE;
	return write_block(file, error);
}

/* Ends the open block at the time of its last event. */
static gboolean end_block_here(LttTracefileWriter *file, GError **error)
{
	return end_block(file, file->least_cycles,
			 ltt_line_time_at(&file->line, file->least_cycles), error);
}

gboolean ltt_tracefile_writer_finish(LttTracefileWriter *file, GError **error)
{
	if (file->is_pending)
		return write_block(file, error);
	return !ltt_block_writer_is_open(&file->block) || end_block_here(file, error);
}

/* ---- events ---- */

gboolean ltt_tracefile_writer_make_room(LttTracefileWriter *file, guint64 cycles, gsize bytes,
					guint64 *block, GError **error)
{
	const gsize needed_bytes =
		bytes +
		(ltt_tracefile_writer_needs_heartbeat(file, cycles) ? LTT_HEARTBEAT_BYTES : 0);

	if (file->is_pending && !write_block(file, error))
		return FALSE;
	if (ltt_block_writer_is_open(&file->block) &&
	    needed_bytes > ltt_block_writer_get_room(&file->block) && !end_block_here(file, error))
		return FALSE;
	*block = file->n_blocks;
	return TRUE;
}

guint8 *ltt_tracefile_writer_add(LttTracefileWriter *file, guint64 cycles, guint16 id,
				 gsize payload_bytes)
{
	LttBlockWriter *block = &file->block;

	if (!ltt_block_writer_is_open(block))
		begin_block(file, cycles, ltt_line_time_at(&file->line, cycles));
	else if (ltt_tracefile_writer_needs_heartbeat(file, cycles))
		ltt_block_writer_heartbeat(block, cycles, ltt_line_time_at(&file->line, cycles));
	file->least_cycles = cycles;
	file->has_events = TRUE;
	return ltt_block_writer_add(block, cycles, id, payload_bytes);
}

gboolean ltt_tracefile_writer_append(LttTracefileWriter *file, guint64 cycles, guint16 id,
				     gconstpointer payload, gsize payload_bytes, GError **error)
{
	guint64 number;
	guint8 *at;

	if (!ltt_tracefile_writer_reserve(file, cycles, LTT_EVENT_HEADER_BYTES + payload_bytes,
					  &number, error))
		return FALSE;
	at = ltt_tracefile_writer_add(file, cycles, id, payload_bytes);
	if (payload_bytes > 0)
		memcpy(at, payload, payload_bytes);
	return TRUE;
}

/* Sets an error about an event or time value. @what: its name: "core.wakeup", "time value" */
static gboolean refuse(const LttTracefileWriter *file, const char *what, LttError code,
		       GError **error, const char *format, ...) G_GNUC_PRINTF(5, 6);

static gboolean refuse(const LttTracefileWriter *file, const char *what, LttError code,
		       GError **error, const char *format, ...)
{
	g_autofree char *why = NULL;
	va_list arguments;

	va_start(arguments, format);
	why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return ltt_fail_at(error, code, file->name, LTT_NOWHERE, LTT_NOWHERE, "%s: %s", what, why);
}

static gboolean check_payload(const LttTracefileWriter *file, const LttLoadedEvent *event,
			      gconstpointer payload, gsize payload_bytes, GError **error)
{
	const char *name = event->type->full_name;
	const gsize block_bytes = file->trace->block_bytes;
	const gsize most_bytes = block_bytes - LTT_BLOCK_OVERHEAD_BYTES - LTT_EVENT_HEADER_BYTES;
	gsize taken_bytes = 0;
	const char *why;

	if (payload_bytes > most_bytes)
		return refuse(file, name, LTT_ERROR_LIMIT, error,
			      "its payload has %zu bytes, but a block of %zu bytes has room for "
			      "%zu at most",
			      payload_bytes, block_bytes, most_bytes);
	if (event->layout != NULL &&
	    !ltt_layout_measure(event->layout, payload, payload_bytes, file->trace->arch.byte_order,
				&taken_bytes, &why))
		return refuse(file, name, LTT_ERROR_INVALID, error,
			      "its payload of %zu bytes is not of its type: %s", payload_bytes,
			      why);
	if (taken_bytes != payload_bytes)
		return refuse(file, name, LTT_ERROR_INVALID, error,
			      "its payload has %zu bytes, but its type takes %zu", payload_bytes,
			      taken_bytes);
	return TRUE;
}

static gboolean check_order(const LttTracefileWriter *file, const char *what, guint64 cycles,
			    GError **error)
{
	if (!file->has_events || cycles >= file->least_cycles)
		return TRUE;
	return refuse(file, what, LTT_ERROR_INVALID, error,
		      "its cycle count %" G_GUINT64_FORMAT
		      " is below that of the event before, %" G_GUINT64_FORMAT,
		      cycles, file->least_cycles);
}

static gboolean check_time(const LttTracefileWriter *file, const char *what, guint64 cycles,
			   GError **error)
{
	if (cycles >= file->least_cycles && cycles <= file->most_cycles)
		return TRUE;
	return refuse(file, what, LTT_ERROR_INVALID, error,
		      "its time, at cycle count %" G_GUINT64_FORMAT
		      ", cannot be written: expected one from 1970 on whose seconds have 32 bits",
		      cycles);
}

gboolean ltt_tracefile_writer_event(LttTracefileWriter *file, guint64 cycles, guint16 id,
				    gconstpointer payload, gsize payload_bytes, GError **error)
{
	const LttLoadedEvent *event = ltt_loads_get_event(&file->trace->loads, id);

	g_return_val_if_fail(!file->trace->is_closed, FALSE);
	if (payload == NULL)
		payload = "";
	if (event == NULL)
		return ltt_fail_at(error, LTT_ERROR_INVALID, file->name, LTT_NOWHERE, LTT_NOWHERE,
				   "event id %u: no facility that was loaded has it", id);
	if (!check_payload(file, event, payload, payload_bytes, error) ||
	    !check_order(file, event->type->full_name, cycles, error) ||
	    !check_time(file, event->type->full_name, cycles, error))
		return FALSE;
	return ltt_tracefile_writer_append(file, cycles, id, payload, payload_bytes, error);
}

/* Ends a block without room for a time value. The new time value ends it, and its last events lead up to it, unless
 * it is the first one that is earlier than those before it. */
static gboolean end_full_block(LttTracefileWriter *file, guint64 cycles, guint64 time_ns,
			       GError **error)
{
	if (!file->block.falls && ltt_block_writer_will_fall(&file->block, time_ns))
		return end_block_here(file, error);
	file->least_cycles = cycles;
	return end_block(file, cycles, time_ns, error);
}

/* Gives the file a line of its own from here on, with the same rate. */
static void turn_line(LttTracefileWriter *file, guint64 cycles, guint64 time_ns)
{
	guint64 unused;

	file->line.cycles = cycles;
	file->line.time_ns = time_ns;
	ltt_line_get_range(&file->line, &unused, &file->most_cycles);
	file->least_cycles = cycles;
	file->has_events = TRUE;
}

gboolean ltt_tracefile_writer_time_value(LttTracefileWriter *file, guint64 cycles, guint64 time_ns,
					 GError **error)
{
	LttBlockWriter *block = &file->block;

	g_return_val_if_fail(!file->trace->is_closed, FALSE);
	if (time_ns > LTT_MAX_WRITTEN_NS)
		return refuse(file, "time value", LTT_ERROR_INVALID, error,
			      "%" G_GUINT64_FORMAT " ns cannot be written: its seconds have more "
			      "than 32 bits",
			      time_ns);
	if (!check_order(file, "time value", cycles, error))
		return FALSE;
	if (file->is_pending && !write_block(file, error))
		return FALSE;
	if (file->has_events && time_ns < ltt_line_time_at(&file->line, file->least_cycles))
		file->trace->falls = TRUE;
	if (ltt_block_writer_is_open(block) &&
	    ltt_block_writer_get_room(block) < ltt_block_writer_get_stamp_bytes(block, time_ns) &&
	    !end_full_block(file, cycles, time_ns, error))
		return FALSE;
	if (ltt_block_writer_is_open(block))
		ltt_block_writer_heartbeat(block, cycles, time_ns);
	else
		begin_block(file, cycles, time_ns);
	note_time(file->trace, cycles, time_ns);
	turn_line(file, cycles, time_ns);
	return TRUE;
}
