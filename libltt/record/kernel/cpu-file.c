/* cpu-file.c - the tracefile with the kernel's events on one CPU. */
#define _GNU_SOURCE
#include "record/kernel/cpu-file-priv.h"

#include "base/bytes-priv.h"
#include "base/write-at-priv.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/sys.h"

#include <errno.h>

/* Maximum size of the events that may precede an event: three heartbeats with a clock, a thread and a
 * count of losses. */
#define BETWEEN_BYTES                                                                              \
	(3 * LTTP_HEARTBEAT_BYTES + LTTP_CLOCK_BYTES + LTTP_THREAD_BYTES + LTTP_EVENTS_LOST_BYTES)

/* The word at the end of a block (session.h). The format has only the second half of it. */
#define WORD_BYTES sizeof(guint64)

/* How many events are lost between two attempts to begin a block on a full disk. */
#define RETRY_EVENTS 1024

int ltt_cpu_file_open(LttCpuFile *file, struct lttp_session *session, const char *path,
		      guint32 n_slots, const LttPast *past)
{
	*file = (LttCpuFile){.past = past,
			     .n_slots = n_slots,
			     .last_cycles = ltt_past_get_start(past),
			     .cut_cycles = G_MAXUINT64};
	if (!ltt_block_writer_init(&file->block, session->head->block_bytes, LTT_NATIVE_ENDIAN))
		return -ENOMEM;
	file->fd = lttp_session_file(session, path, O_RDWR | O_CREAT | O_EXCL);
	if (file->fd < 0)
		ltt_block_writer_clear(&file->block);
	return MIN(file->fd, 0);
}

/* Returns: the position of a block in the file, in blocks */
static guint32 get_slot(const LttCpuFile *file, guint32 number)
{
	return file->n_slots > 0 ? number % file->n_slots : number;
}

static guint64 get_offset(const LttCpuFile *file, guint32 number)
{
	return (guint64)get_slot(file, number) * file->block.size_bytes;
}

static guint64 make_word(const LttCpuFile *file)
{
	const LttBlockWriter *block = &file->block;

	return lttp_word((guint32)(block->is_ended ? block->size_bytes : block->used_bytes),
			 ltt_load_u32(block->bytes + block->size_bytes - LTT_FINAL_WORD_BYTES,
				      LTT_NATIVE_ENDIAN));
}

struct lttp_place ltt_cpu_file_get_place(const LttCpuFile *file)
{
	if (file->fd < 0)
		return file->cut_place;
	if (file->n_blocks == 0)
		return (struct lttp_place){LTTP_NO_BLOCK, 0};
	return (struct lttp_place){
		LTTP_CURRENT(get_slot(file, file->n_blocks - 1), file->n_blocks - 1),
		make_word(file)};
}

int ltt_cpu_file_flush(LttCpuFile *file)
{
	const guint64 offset = get_offset(file, file->n_blocks - 1);
	const guint64 word = make_word(file);
	int errnum;

	if (file->n_blocks == 0 || file->stored_bytes == file->block.used_bytes)
		return 0;
	errnum = ltt_write_at(file->fd, file->block.bytes + file->stored_bytes,
			      file->block.used_bytes - file->stored_bytes,
			      offset + file->stored_bytes);
	if (errnum == 0)
		errnum = ltt_write_at(file->fd, (const guint8 *)&word, WORD_BYTES,
				      offset + file->block.size_bytes - WORD_BYTES);
	if (errnum == 0)
		file->stored_bytes = file->block.used_bytes;
	return errnum;
}

/* Allocates the space of the next block, so that writing it cannot fail later. The old block of a
 * flight recorder is cleared: end first, so that no reader takes it for a whole block. */
static int allocate(LttCpuFile *file)
{
	const guint64 offset = get_offset(file, file->n_blocks);
	const guint64 size = file->block.size_bytes;
	static const guint8 zeros[WORD_BYTES];
	int errnum = fallocate(file->fd, 0, (off_t)offset, (off_t)size) == 0 ? 0 : errno;

	if (errnum == EOPNOTSUPP)
		errnum = 0;
	if (errnum == 0 && file->n_slots > 0 && file->n_blocks >= file->n_slots) {
		errnum =
			ltt_write_at(file->fd, zeros, sizeof(zeros), offset + size - sizeof(zeros));
		if (errnum == 0 && fallocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					     (off_t)offset, (off_t)size) == 0)
			errnum =
				fallocate(file->fd, 0, (off_t)offset, (off_t)size) == 0 ? 0 : errno;
	}
	return errnum;
}

/* Appends an encoded event at the time of the last one. */
static void add_encoded(LttCpuFile *file, guint16 id, const struct lttp_bytes *encoded)
{
	const gsize size = encoded->size - LTT_EVENT_HEADER_BYTES;
	guint8 *at = ltt_block_writer_add(&file->block, file->last_cycles, id, size);

	memcpy(at, encoded->bytes + LTT_EVENT_HEADER_BYTES, size);
}

static void add_clock(LttCpuFile *file, const struct lttp_instant *now)
{
	struct lttp_bytes encoded = {0, 0, ""};

	lttp_put_clock(&encoded, now, &file->end);
	add_encoded(file, LTTP_ID_CLOCK, &encoded);
}

static void add_lost(LttCpuFile *file)
{
	struct lttp_bytes encoded = {0, 0, ""};

	lttp_put_events_lost(&encoded, 0, file->n_lost);
	add_encoded(file, LTTP_ID_EVENTS_LOST, &encoded);
	file->n_reported = file->n_lost;
}

static void add_thread(LttCpuFile *file, guint32 pid, guint32 tid)
{
	struct lttp_bytes encoded = {0, 0, ""};

	if (file->has_thread && file->pid == pid && file->tid == tid)
		return;
	lttp_put_thread(&encoded, 0, pid, tid);
	add_encoded(file, LTTP_ID_THREAD, &encoded);
	file->has_thread = TRUE;
	file->pid = pid;
	file->tid = tid;
}

static gboolean is_begun(const LttCpuFile *file)
{
	return ltt_block_writer_is_open(&file->block);
}

/* Returns: the room of the block before its word */
static gsize get_room(const LttCpuFile *file)
{
	const gsize room = ltt_block_writer_get_room(&file->block);
	const gsize rest = WORD_BYTES - LTT_FINAL_WORD_BYTES;

	return room > rest ? room - rest : 0;
}

/* Ends the current block and writes it to disk. Returns: 0 or an errno */
static int end_block(LttCpuFile *file)
{
	struct lttp_instant last;
	struct lttp_instant end;

	if (!is_begun(file))
		return ltt_cpu_file_flush(file);
	ltt_past_map(file->past, file->last_cycles, &last, &end);
	ltt_block_writer_end(&file->block, last.cycles, last.ns);
	return ltt_cpu_file_flush(file);
}

/* Ends the current block and begins the next one. If there is no space for that, the current block
 * remains open, so that its rest can report losses. Returns: 0 or an errno */
static int turn_block(LttCpuFile *file, guint64 cycles)
{
	int errnum = allocate(file);
	struct lttp_instant now;

	if (errnum == 0)
		errnum = end_block(file);
	if (errnum != 0)
		return errnum;
	file->n_blocks++;
	ltt_past_map(file->past, cycles, &now, &file->end);
	file->last_cycles = cycles;
	file->has_thread = FALSE;
	file->stored_bytes = 0;
	ltt_block_writer_begin(&file->block, file->n_blocks - 1, now.cycles, now.ns);
	add_clock(file, &now);
	if (file->n_lost > 0)
		add_lost(file);
	return 0;
}

/* Appends time values where the line of the last event ends and where the next one is entered. */
static void pass_bend(LttCpuFile *file, guint64 cycles)
{
	struct lttp_instant now;

	ltt_block_writer_heartbeat(&file->block, file->end.cycles, file->end.ns);
	ltt_past_map(file->past, cycles, &now, &file->end);
	ltt_block_writer_heartbeat(&file->block, now.cycles, now.ns);
	file->last_cycles = cycles;
	add_clock(file, &now);
}

/* The header of an event has 32 bits for the cycles since the last time value. */
static void add_time(LttCpuFile *file, guint64 cycles)
{
	struct lttp_instant now;

	ltt_past_map(file->past, cycles, &now, &file->end);
	ltt_block_writer_heartbeat(&file->block, now.cycles, now.ns);
}

/* Makes room for an event. Returns: 0 or an errno */
static int make_room(LttCpuFile *file, guint64 cycles, gsize payload_bytes)
{
	const gsize size = BETWEEN_BYTES + LTT_EVENT_HEADER_BYTES + payload_bytes;

	if (is_begun(file) && size <= get_room(file))
		return 0;
	/* An event that fits no block must not end this one. */
	if (size + LTTP_BLOCK_BEGIN_BYTES + LTT_BLOCK_OVERHEAD_BYTES + WORD_BYTES >
	    file->block.size_bytes)
		return EMSGSIZE;
	if (file->errnum != 0 && file->errnum != EMSGSIZE && file->n_lost % RETRY_EVENTS != 0)
		return file->errnum;
	return turn_block(file, cycles);
}

guint8 *ltt_cpu_file_add(LttCpuFile *file, guint64 cycles, guint32 pid, guint32 tid, guint16 id,
			 gsize payload_bytes)
{
	cycles = MAX(cycles, file->last_cycles);
	if (cycles >= file->cut_cycles) {
		file->cut_place = ltt_cpu_file_get_place(file);
		file->cut_cycles = G_MAXUINT64;
	}
	file->errnum = make_room(file, cycles, payload_bytes);
	if (file->errnum != 0) {
		file->n_lost++;
		return NULL;
	}
	if (cycles >= file->end.cycles)
		pass_bend(file, cycles);
	if (cycles - file->block.base_cycles > G_MAXUINT32)
		add_time(file, cycles);
	file->last_cycles = cycles;
	if (tid != LTT_NO_THREAD)
		add_thread(file, pid, tid);
	file->n_written++;
	return ltt_block_writer_add(&file->block, cycles, id, payload_bytes);
}

static gboolean has_room_for_totals(const LttCpuFile *file, guint n_totals)
{
	return is_begun(file) && get_room(file) >= (gsize)n_totals * LTTP_EVENTS_LOST_BYTES;
}

/* The last total of a full disk needs room, too. */
void ltt_cpu_file_lose(LttCpuFile *file, guint64 n_events)
{
	file->n_lost += n_events;
	/* If this block has no room for the total, the next one begins with it. */
	if (n_events > 0 && has_room_for_totals(file, 2))
		add_lost(file);
}

int ltt_cpu_file_close(LttCpuFile *file)
{
	int errnum = 0;

	if (file->n_lost > file->n_reported && has_room_for_totals(file, 1))
		add_lost(file);
	else if (file->n_lost > file->n_reported)
		errnum = turn_block(file, file->last_cycles);
	if (errnum == 0)
		errnum = end_block(file);
	file->cut_place = ltt_cpu_file_get_place(file);
	file->cut_cycles = G_MAXUINT64;
	ltt_block_writer_clear(&file->block);
	if (close(file->fd) != 0 && errnum == 0)
		errnum = errno;
	file->fd = -1;
	return errnum;
}
