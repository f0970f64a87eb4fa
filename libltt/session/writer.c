/* writer.c - prepare a tracefile for the next event of a thread. See writer.h.
 *
 * The state of the file may change at any time. So each change is a step (step.h) that first
 * compares the state again; if the step fails, the state is read again. Block id and word together
 * never repeat, so while they and the owner are unchanged, the file is unchanged.
 *
 * Each step can be interrupted at any store, and the next writer repeats it from its start:
 *   - in a block: stores after the written events, then the word;
 *   - a new block: the old block is closed first, which is final. The new block counts only when
 *     file->current names it. Until then the next writer begins it again.
 */
#define _GNU_SOURCE
#include "session/writer.h"

#include "session/atomic.h"
#include "session/events.h"
#include "session/half.h"
#include "session/losses.h"
#include "session/next-block.h"
#include "session/sight.h"
#include "session/sys.h"

enum { NOTE_TRIES = 16 };

void lttp_writer_open(struct lttp_writer *writer, struct lttp_session *session, uint32_t number,
		      struct lttp_actor actor, struct ltt_probe_cpu *here)
{
	writer->session = session;
	writer->file = &session->files[number];
	writer->chunks.session = session;
	writer->chunks.file_number = number;
	writer->chunks.actor = actor;
	writer->chunks.here = here;
	writer->running = 1;
	writer->loss = LTTP_LOST_BUSY;
}

uint64_t lttp_payload_max(const struct lttp_head *head)
{
	return lttp_block_room(head) - LTTP_BLOCK_BEGIN_BYTES - LTTP_HEADER_BYTES;
}

/* Marks the file as being changed. */
static void disown(struct lttp_step *step, struct lttp_writer *writer,
		   const struct lttp_sight *sight)
{
	lttp_step_store(step, &writer->file->gate.owner, LTTP_OWNER_NONE);
	lttp_sight_pass_cut(step, writer, sight);
}

/* Adds the stores that give gate and block to the thread, and executes the step. */
static void own(struct lttp_step *step, struct lttp_writer *writer, const struct lttp_sight *sight,
		char *block, uint64_t base_cycles)
{
	struct lttp_file *file = writer->file;
	struct ltt_probe_cpu *here = writer->chunks.here;
	uint64_t limit = sight->bend.cycles - base_cycles;

	if (limit > writer->session->head->beat_cycles)
		limit = writer->session->head->beat_cycles;
	if (limit > UINT32_MAX)
		limit = UINT32_MAX;
	lttp_step_store(step, &file->gate.base_cycles, base_cycles);
	lttp_step_store(step, &file->gate.limit_cycles, limit);
	lttp_step_store(step, &here->gate, (uintptr_t)&file->gate);
	lttp_step_store(step, &here->block, (uintptr_t)block);
	lttp_step_store(step, &file->gate.owner, writer->serial);
	lttp_step_make(&writer->chunks.actor, step);
}

static void store_line(struct lttp_step *step, const struct lttp_sight *sight, uint32_t id,
		       uint32_t offset)
{
	struct lttp_line *line = sight->other_line;

	lttp_step_store(step, &line->end_cycles, sight->bend.cycles);
	lttp_step_store(step, &line->end_ns, sight->bend.ns);
	lttp_step_store(step, &line->tag, LTTP_CURRENT(id, offset));
}

/* Whether the bend at which the line of the block ends has passed. @bend: (out) */
static bool passed_bend(const struct lttp_sight *sight, struct lttp_instant *bend)
{
	if (sight->line == NULL)
		return false;
	bend->cycles = lttp_load(&sight->line->end_cycles);
	bend->ns = lttp_load(&sight->line->end_ns);
	return sight->now.cycles >= bend->cycles;
}

/* Whether the chunk is installed now; if not, begin again. */
static bool install(struct lttp_writer *writer, const struct lttp_chunk *chunk)
{
	return lttp_chunks_install(&writer->chunks, chunk, writer->epoch_at, writer->epoch);
}

/* Continues in the current block: writes the time values that are due, and a thread event. Returns:
 * false if this and @size more bytes do not fit. model: go_on */
static bool go_on(struct lttp_writer *writer, const struct lttp_sight *sight, uint64_t size)
{
	struct lttp_head *head = writer->session->head;
	uint32_t next = lttp_word_next(sight->word), line_offset = 0;
	uint64_t delta = lttp_sight_since_base(writer, sight, sight->now.cycles);
	uint64_t base_cycles = sight->now.cycles - delta;
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant bend;
	struct lttp_step step;
	bool new_line = passed_bend(sight, &bend);

	if (new_line) {
		lttp_put_heartbeat(&out, &bend, lttp_sight_since_base(writer, sight, bend.cycles));
		line_offset = next + out.size;
		lttp_put_heartbeat(&out, &sight->now, sight->now.cycles - bend.cycles);
		lttp_put_clock(&out, &sight->now, &sight->bend);
	} else if (delta >= head->beat_cycles || delta >= UINT32_MAX) {
		lttp_put_heartbeat(&out, &sight->now, delta);
	}
	if (out.size != 0) {
		base_cycles = sight->now.cycles;
		delta = 0;
	}
	if (sight->owner != writer->serial)
		lttp_put_thread(&out, delta, writer->pid, writer->tid);
	if (next + out.size + LTTP_HEADER_BYTES + size > lttp_block_room(head))
		return false;
	if (!install(writer, &sight->chunk))
		return true;

	lttp_sight_begin(&step, writer, sight);
	disown(&step, writer, sight);
	lttp_step_copy(&step, sight->block + next, out.bytes, out.size);
	if (new_line)
		store_line(&step, sight, lttp_id_of(sight->current), line_offset);
	if (out.size != 0)
		lttp_step_store(&step, lttp_block_word(head, sight->block),
				lttp_word(next + out.size, next + out.last));
	own(&step, writer, sight, sight->block, base_cycles);
	return true;
}

/* Returns: the delta of an events_lost: as late as possible without a time value, which
 * may not fit */
static uint64_t loss_delta(const struct lttp_writer *writer, const struct lttp_sight *sight)
{
	uint64_t delta = lttp_sight_since_base(writer, sight, sight->now.cycles);
	uint64_t limit = lttp_load(&writer->file->gate.limit_cycles);

	if (sight->owner == LTTP_OWNER_NONE)
		return 0;
	return delta < limit ? delta : limit - 1;
}

/* Adds stores that close the current block, with an events_lost if @lost is not 0. */
static void close_block(struct lttp_step *step, const struct lttp_writer *writer,
			const struct lttp_sight *sight, uint64_t lost)
{
	struct lttp_head *head = writer->session->head;
	uint32_t next = lttp_word_next(sight->word);
	uint64_t delta = lttp_sight_since_base(writer, sight, sight->now.cycles);
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant bend;

	if (lost != 0)
		lttp_put_events_lost(&out, loss_delta(writer, sight), lost);
	if (passed_bend(sight, &bend)) {
		lttp_put_heartbeat(&out, &bend, lttp_sight_since_base(writer, sight, bend.cycles));
		delta = sight->now.cycles - bend.cycles;
	}
	lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &sight->now, delta,
			     lttp_id_of(sight->current));
	lttp_step_copy(step, sight->block + next, out.bytes, out.size);
	lttp_step_store(step, lttp_block_word(head, sight->block),
			lttp_word(head->block_bytes, next + out.last));
}

/* Adds stores that clear the block that the block in @slot replaces, if that is in the other half
 * of the file. */
static void drop_other(struct lttp_step *step, const struct lttp_writer *writer,
		       const struct lttp_chunk *chunk, uint32_t slot, uint64_t frozen)
{
	const struct lttp_head *head = writer->session->head;
	char *block;

	if (!lttp_half_is_made(writer->session, writer->file))
		return;
	slot = lttp_half_other(head, slot);
	if (frozen == slot / head->flight_blocks + 1)
		return;
	block = lttp_chunk_block(head, chunk, slot);
	if (!lttp_is_readable(lttp_block_word(head, block)))
		return;
	lttp_step_store(step, lttp_block_word(head, block), 0);
	lttp_step_store(step, block, 0);
}

/* Adds stores that begin the block @current. It is empty until its id is stored. model: begin_block */
static void begin_block(struct lttp_step *step, const struct lttp_writer *writer,
			const struct lttp_sight *sight, char *block, uint64_t current)
{
	uint64_t *word = lttp_block_word(writer->session->head, block);
	uint64_t lost = lttp_load(&writer->file->lost);
	struct lttp_bytes out = {0, 0, ""};
	uint64_t first;

	lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &sight->now, 0, lttp_id_of(current));
	lttp_put_clock(&out, &sight->now, &sight->bend);
	lttp_put_thread(&out, 0, writer->pid, writer->tid);
	if (lost != 0) {
		lttp_step_store(step, &writer->file->lost_tag,
				LTTP_CURRENT(lttp_id_of(current), out.size));
		lttp_put_events_lost(&out, 0, lost);
	}

	lttp_step_store(step, word, 0);
	lttp_step_store(step, block, 0);
	lttp_step_copy(step, block + 8, out.bytes + 8, out.size - 8);
	memcpy(&first, out.bytes, 8);
	lttp_step_store(step, block, first);
	lttp_step_store(step, word, lttp_word(out.size, out.last));
	store_line(step, sight, lttp_id_of(current), 0);
	lttp_step_store(step, &writer->file->current, current);
}

/* Continues in a new block. model: start_block */
static enum lttp_outcome start_block(struct lttp_writer *writer, const struct lttp_sight *sight)
{
	struct lttp_head *head = writer->session->head;
	uint64_t frozen = lttp_sight_frozen(writer, sight);
	uint64_t current = lttp_next_block_choose(head, sight, frozen);
	struct lttp_chunk chunk;
	struct lttp_step step;
	char *block;

	if (!lttp_next_block_allocate(writer, lttp_slot_of(current), sight->now.cycles))
		return LTTP_LOST;
	if (!lttp_chunks_find(&writer->chunks, lttp_slot_of(current), &chunk)) {
		writer->loss = lttp_loss_of(writer->chunks.failure);
		return LTTP_LOST;
	}
	block = lttp_chunk_block(head, &chunk, lttp_slot_of(current));
	if (!lttp_is_readable(lttp_block_word(head, block)))
		return lttp_sight_lose_chunk(writer, LTTP_LOST_BAD_STATE);
	if (!lttp_next_block_populate(head, block, current))
		return lttp_sight_lose_chunk(writer, LTTP_LOST_DISK_FULL);
	if (!install(writer, &chunk))
		return LTTP_AGAIN;

	lttp_sight_begin(&step, writer, sight);
	disown(&step, writer, sight);
	if (lttp_sight_is_open(head, sight))
		close_block(&step, writer, sight, 0);
	drop_other(&step, writer, &chunk, lttp_slot_of(current), frozen);
	begin_block(&step, writer, sight, block, current);
	own(&step, writer, sight, block, sight->now.cycles);
	return LTTP_AGAIN;
}

enum lttp_outcome lttp_writer_advance(struct lttp_writer *writer, uint64_t size)
{
	struct lttp_head *head = writer->session->head;
	enum lttp_outcome outcome;
	struct lttp_sight sight;

	if (!lttp_load(&head->running) || lttp_load(writer->epoch_at) != writer->epoch)
		return LTTP_ENDED;
	writer->loss = LTTP_LOST_BUSY;
	if (size > lttp_payload_max(head)) {
		writer->loss = LTTP_LOST_TOO_LARGE;
		return LTTP_LOST;
	}
	lttp_chunks_begin(&writer->chunks);
	if (lttp_sight_look(writer, &sight, &outcome) &&
	    (!lttp_sight_is_open(head, &sight) || !go_on(writer, &sight, size)))
		outcome = start_block(writer, &sight);
	lttp_chunks_end(&writer->chunks);
	return outcome;
}

/* Returns: the offset of the events_lost in the current block that is updated in place; 0: none */
static uint32_t lost_offset(const struct lttp_writer *writer, const struct lttp_sight *sight)
{
	uint64_t tag = lttp_load(&writer->file->lost_tag);
	uint32_t id = lttp_id_of(sight->current), next = lttp_word_next(sight->word);

	return tag > LTTP_CURRENT(id, 0) && tag < LTTP_CURRENT(id, next) ? (uint32_t)tag : 0;
}

static void update_loss(struct lttp_step *step, const struct lttp_writer *writer,
			const struct lttp_sight *sight, uint32_t offset)
{
	lttp_step_store(step, sight->block + offset + LTTP_HEADER_BYTES,
			lttp_load(&writer->file->lost));
}

/* Records the number of lost events in the block: adds one event, or updates it in place. */
static bool note_loss(struct lttp_writer *writer, const struct lttp_sight *sight)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;
	uint32_t next = lttp_word_next(sight->word), offset = lost_offset(writer, sight);
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_step step;

	lttp_sight_begin(&step, writer, sight);
	lttp_sight_pass_cut(&step, writer, sight);
	if (offset != 0) {
		update_loss(&step, writer, sight, offset);
	} else if (next <= lttp_block_room(head)) {
		lttp_put_events_lost(&out, loss_delta(writer, sight), lttp_load(&file->lost));
		lttp_step_copy(&step, sight->block + next, out.bytes, out.size);
		lttp_step_store(&step, &file->lost_tag,
				LTTP_CURRENT(lttp_id_of(sight->current), next));
		lttp_step_store(&step, lttp_block_word(head, sight->block),
				lttp_word(next + out.size, next));
	} else {
		return true;
	}
	return lttp_step_make(&writer->chunks.actor, &step);
}

void lttp_writer_count_lost(struct lttp_writer *writer)
{
	lttp_add(&writer->file->lost, 1);
	lttp_loss_count(writer->session->head, writer->loss, 1);
	for (int tries = 0; tries < NOTE_TRIES; tries++) {
		enum lttp_outcome outcome;
		struct lttp_sight sight;
		bool noted = false;

		lttp_chunks_begin(&writer->chunks);
		if (lttp_sight_look(writer, &sight, &outcome))
			noted = !lttp_sight_is_open(writer->session->head, &sight) ||
				note_loss(writer, &sight);
		else if (outcome == LTTP_LOST)
			noted = true; /* the next block will record it */
		lttp_chunks_end(&writer->chunks);
		if (noted)
			return;
	}
}

bool lttp_writer_close(struct lttp_writer *writer)
{
	uint64_t lost = lttp_load(&writer->file->lost);
	enum lttp_outcome outcome;
	struct lttp_step step;
	struct lttp_sight sight;
	bool closed = false;

	lttp_chunks_begin(&writer->chunks);
	if (lttp_sight_look(writer, &sight, &outcome)) {
		uint32_t offset = lost_offset(writer, &sight);

		closed = sight.current == LTTP_NO_BLOCK ||
			 !lttp_sight_is_open(writer->session->head, &sight);
		if (!closed) {
			lttp_sight_begin(&step, writer, &sight);
			if (offset != 0)
				update_loss(&step, writer, &sight, offset);
			if (lttp_word_next(sight.word) > lttp_block_room(writer->session->head))
				lost = 0;
			close_block(&step, writer, &sight, offset != 0 ? 0 : lost);
			closed = lttp_step_make(&writer->chunks.actor, &step);
		}
	}
	lttp_chunks_end(&writer->chunks);
	return closed;
}
