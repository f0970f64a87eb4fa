/* writer.c - puts a tracefile in order for the next event. See writer.h.
 *
 * What is seen here is stale as soon as it is seen. So each change is a step (step.h) that first
 * compares all of it again, and a step that fails only means: look again. Block id and word
 * together never repeat, so while they and the owner are what they were, nothing has happened.
 *
 * Each step can be cut short anywhere and be made again from its start by whoever comes next:
 *   - in a block: stores behind what is written, then the word;
 *   - a new block: the old one is closed first, which is final; the new one counts only once
 *     file->current names it, and until then is begun from the beginning.
 */
#define _GNU_SOURCE
#include "writer.h"

#include "atomic.h"
#include "events.h"
#include "file.h"
#include "half.h"
#include "sys.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
	RETRIES_PER_SECOND = 20, /* for room on a disk that was full */
	NOTE_TRIES = 16,
};

/* A tracefile as it was seen, and then the time. */
struct sight {
	uint64_t owner;
	uint64_t cut_cycles;
	uint64_t current;
	uint64_t frozen;
	uint64_t word; /* of the current block; 0 if there is none */
	char *block;
	struct lttp_chunk chunk; /* that the block is in */
	const struct lttp_line
		*line; /* that the events behind the last time value lie on, or NULL */
	struct lttp_line *other_line;  /* the place for the next */
	struct lttp_instant now, bend; /* and the bend of the clock behind it */
};

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
}

uint64_t lttp_payload_max(const struct lttp_head *head)
{
	return lttp_block_room(head) - LTTP_BLOCK_BEGIN_BYTES - LTTP_HEADER_BYTES;
}

static uint32_t slot_of(uint64_t current)
{
	return (uint32_t)(current >> 32);
}

static uint32_t id_of(uint64_t current)
{
	return (uint32_t)current;
}

/* Whether the block can take something more: not closed, and not spoilt by a stranger. */
static bool is_open(const struct lttp_head *head, const struct sight *sight)
{
	uint32_t next = lttp_word_next(sight->word);

	return sight->current != LTTP_NO_BLOCK && next >= LTTP_BLOCK_START_BYTES &&
	       next <= lttp_block_room(head) + LTTP_EVENTS_LOST_BYTES;
}

/* Finds which of the two lines is in force. */
static void find_line(const struct lttp_writer *writer, struct sight *sight)
{
	struct lttp_file *file = writer->file;
	uint64_t from = LTTP_CURRENT(id_of(sight->current), 0);
	uint64_t before = from | lttp_word_next(sight->word);
	uint64_t tags[2] = {lttp_load(&file->lines[0].tag), lttp_load(&file->lines[1].tag)};
	int best = -1;

	for (int i = 0; i < 2; i++) {
		if (tags[i] >= from && tags[i] < before && (best < 0 || tags[i] > tags[best]))
			best = i;
	}
	sight->line = best < 0 ? NULL : &file->lines[best];
	sight->other_line = &file->lines[best == 0];
}

/* Looks at the file. LTTP_AGAIN if it could not be seen whole, LTTP_LOST if not at all. */
static bool look(struct lttp_writer *writer, struct sight *sight, enum lttp_outcome *outcome)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;

	*sight = (struct sight){
		.current = lttp_load(&file->current),
		.other_line = &file->lines[0],
	};
	sight->owner = lttp_load(&file->gate.owner);
	sight->cut_cycles = lttp_load(&file->gate.cut_cycles);
	sight->frozen = lttp_load(&file->frozen);
	if (sight->current != LTTP_NO_BLOCK) {
		uint32_t slot = slot_of(sight->current);

		*outcome = LTTP_LOST;
		if (slot >= lttp_load(&file->blocks) ||
		    !lttp_chunks_find(&writer->chunks, slot, &sight->chunk))
			return false;
		sight->block = lttp_chunk_block(head, &sight->chunk, slot);
		*outcome = LTTP_AGAIN;
		if (!lttp_chunks_load(&writer->chunks, &sight->chunk,
				      lttp_block_word(head, sight->block), &sight->word))
			return false;
		find_line(writer, sight);
	}
	*outcome = LTTP_AGAIN;
	return lttp_clock_map(head, lttp_clock_read(head), &sight->now, &sight->bend);
}

/* A step that fails if anything is not as it was seen. */
static void begin_step(struct lttp_step *step, const struct lttp_writer *writer,
		       const struct sight *sight)
{
	struct lttp_file *file = writer->file;

	step->checks = step->stores = 0;
	lttp_step_check(step, writer->epoch_at, writer->epoch);
	lttp_step_check(step, &writer->session->head->running, writer->running);
	lttp_step_check(step, &file->gate.owner, sight->owner);
	lttp_step_check(step, &file->gate.cut_cycles, sight->cut_cycles);
	lttp_step_check(step, &file->current, sight->current);
	lttp_step_check(step, &file->frozen, sight->frozen);
	lttp_chunks_check(&writer->chunks, step);
	if (sight->block != NULL)
		lttp_step_check(step, lttp_block_word(writer->session->head, sight->block),
				sight->word);
}

static bool passes_cut(const struct sight *sight)
{
	return sight->now.cycles >= sight->cut_cycles;
}

/* Which half of the file is frozen when the step is made. */
static uint64_t frozen_then(const struct lttp_writer *writer, const struct sight *sight)
{
	if (passes_cut(sight) && sight->current != LTTP_NO_BLOCK &&
	    lttp_half_is_made(writer->session, writer->file))
		return slot_of(sight->current) / writer->session->head->flight_blocks + 1;
	return sight->frozen;
}

/* Past a cut: notes what lies before it, for whoever asked for it, and opens the gate again. */
static void pass_cut(struct lttp_step *step, struct lttp_writer *writer, const struct sight *sight)
{
	struct lttp_file *file = writer->file;

	if (passes_cut(sight)) {
		lttp_step_store(step, &file->frozen, frozen_then(writer, sight));
		lttp_step_store(step, &file->cut_place.current, sight->current);
		lttp_step_store(step, &file->cut_place.word, sight->word);
		lttp_step_store(step, &file->cut_done_cycles, sight->cut_cycles);
		lttp_step_store(step, &file->gate.cut_cycles, LTTP_CUT_NEVER);
	}
}

/* Says that a step is under way. */
static void disown(struct lttp_step *step, struct lttp_writer *writer, const struct sight *sight)
{
	lttp_step_store(step, &writer->file->gate.owner, LTTP_OWNER_NONE);
	pass_cut(step, writer, sight);
}

/* Ends the step: the gate is the thread's, and the block in @chunk its own. Makes it. */
static bool own(struct lttp_step *step, struct lttp_writer *writer, const struct sight *sight,
		char *block, const struct lttp_chunk *chunk, uint64_t base_cycles)
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
	lttp_step_store(step, &here->chunk, (uintptr_t)chunk->at);
	lttp_step_store(step, &here->chunk_number, chunk->number);
	lttp_step_store(step, &file->gate.owner, writer->serial);
	return lttp_step_make(&writer->chunks.actor, step);
}

static void store_line(struct lttp_step *step, const struct sight *sight, uint32_t id,
		       uint32_t offset)
{
	struct lttp_line *line = sight->other_line;

	lttp_step_store(step, &line->end_cycles, sight->bend.cycles);
	lttp_step_store(step, &line->end_ns, sight->bend.ns);
	lttp_step_store(step, &line->tag, LTTP_CURRENT(id, offset));
}

/* The bend at which the line of the block ends, if it has been passed. */
static bool passed_bend(const struct sight *sight, struct lttp_instant *bend)
{
	if (sight->line == NULL)
		return false;
	bend->cycles = lttp_load(&sight->line->end_cycles);
	bend->ns = lttp_load(&sight->line->end_ns);
	return sight->now.cycles >= bend->cycles;
}

/* From the last time value of the block to @cycles; the greatest number if it is not known. */
static uint64_t since_base(const struct lttp_writer *writer, const struct sight *sight,
			   uint64_t cycles)
{
	if (sight->owner == LTTP_OWNER_NONE)
		return UINT64_MAX;
	return cycles - lttp_load(&writer->file->gate.base_cycles);
}

/* Goes on in the current block: writes time values if they are due, and whose turn it is. Returns
 * the chunk installed, or NULL; *full if there is no room for that and @size more bytes. */
static const char *go_on(struct lttp_writer *writer, const struct sight *sight, uint64_t size,
			 bool *full)
{
	struct lttp_head *head = writer->session->head;
	uint32_t next = lttp_word_next(sight->word), line_offset = 0;
	uint64_t delta = since_base(writer, sight, sight->now.cycles);
	uint64_t base_cycles = sight->now.cycles - delta;
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant bend;
	struct lttp_step step;
	bool new_line = passed_bend(sight, &bend);

	if (new_line) {
		lttp_put_heartbeat(&out, &bend, since_base(writer, sight, bend.cycles));
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
	*full = next + out.size + LTTP_HEADER_BYTES + size > lttp_block_room(head);
	if (*full)
		return NULL;

	begin_step(&step, writer, sight);
	disown(&step, writer, sight);
	lttp_step_copy(&step, sight->block + next, out.bytes, out.size);
	if (new_line)
		store_line(&step, sight, id_of(sight->current), line_offset);
	if (out.size != 0)
		lttp_step_store(&step, lttp_block_word(head, sight->block),
				lttp_word(next + out.size, next + out.last));
	return own(&step, writer, sight, sight->block, &sight->chunk, base_cycles) ? sight->chunk.at
										   : NULL;
}

/* Which block comes behind the current one. */
static uint64_t next_current(const struct lttp_head *head, const struct sight *sight,
			     uint64_t frozen)
{
	uint32_t slot = slot_of(sight->current), flight = head->flight_blocks, half;

	if (sight->current == LTTP_NO_BLOCK)
		return LTTP_CURRENT(0, 0);
	if (flight == 0)
		return LTTP_CURRENT(slot + 1, id_of(sight->current) + 1);
	half = slot / flight;
	if (frozen == half + 1)
		half = half == 0;
	return LTTP_CURRENT(half * flight + (slot + 1) % flight, id_of(sight->current) + 1);
}

/* Makes sure that slot @slot is allocated, with more ahead if that can be had. What has just failed
 * is not tried again at once. */
static bool get_room(struct lttp_writer *writer, uint32_t slot, uint64_t now_cycles)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;
	uint32_t number = writer->chunks.file_number;
	uint64_t have = lttp_load(&file->blocks), wanted = head->flight_blocks;
	uint64_t chunk_end = ((uint64_t)slot / head->chunk_blocks + 1) * head->chunk_blocks;
	int result;

	if (slot < have)
		return true;
	if (now_cycles < lttp_load(&file->retry_cycles))
		return false;
	/* A small trace stays small: as much again as there is, up to the end of the chunk. */
	if (wanted == 0)
		wanted = have == 0 ? 1 : 2 * have;
	if (wanted > chunk_end)
		wanted = chunk_end;
	lttp_chunks_hold_signals(&writer->chunks);
	result = lttp_file_extend(writer->session, number, wanted);
	if (result != 0 && head->flight_blocks == 0)
		result = lttp_file_extend(writer->session, number, (uint64_t)slot + 1);
	if (result != 0)
		lttp_store(&file->retry_cycles,
			   now_cycles + head->cycles_per_second / RETRIES_PER_SECOND);
	return result == 0;
}

/* Maps the pages of a block that was never used: all at once costs less than one by one. */
static bool populate(const struct lttp_head *head, char *block, uint64_t current)
{
	if (head->flight_blocks != 0 && id_of(current) >= head->flight_blocks)
		return true;
	/* An old kernel says EINVAL; EFAULT is a file system that has no room for the pages. */
	return madvise(block, head->block_bytes, MADV_POPULATE_WRITE) == 0 || errno != EFAULT;
}

/* When an event is said to be lost: as late as can be without a time value, for which there may be
 * no room. */
static uint64_t loss_delta(const struct lttp_writer *writer, const struct sight *sight)
{
	uint64_t delta = since_base(writer, sight, sight->now.cycles);
	uint64_t limit = lttp_load(&writer->file->gate.limit_cycles);

	if (sight->owner == LTTP_OWNER_NONE)
		return 0;
	return delta < limit ? delta : limit - 1;
}

/* Stores that close the current block; with how many are lost in it if @lost is not 0. */
static void close_block(struct lttp_step *step, const struct lttp_writer *writer,
			const struct sight *sight, uint64_t lost)
{
	struct lttp_head *head = writer->session->head;
	uint32_t next = lttp_word_next(sight->word);
	uint64_t delta = since_base(writer, sight, sight->now.cycles);
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_instant bend;

	if (lost != 0)
		lttp_put_events_lost(&out, loss_delta(writer, sight), lost);
	if (passed_bend(sight, &bend)) {
		lttp_put_heartbeat(&out, &bend, since_base(writer, sight, bend.cycles));
		delta = sight->now.cycles - bend.cycles;
	}
	lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &sight->now, delta, id_of(sight->current));
	lttp_step_copy(step, sight->block + next, out.bytes, out.size);
	lttp_step_store(step, lttp_block_word(head, sight->block),
			lttp_word(head->block_bytes, next + out.last));
}

/* Stores that drop the block that the block in @slot comes in place of, if that stands in the other
 * half of the file. */
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
	lttp_step_store(step, lttp_block_word(head, block), 0);
	lttp_step_store(step, block, 0);
}

/* Stores that begin the block @current: until its id is there it holds nothing. */
static void begin_block(struct lttp_step *step, const struct lttp_writer *writer,
			const struct sight *sight, char *block, uint64_t current)
{
	uint64_t *word = lttp_block_word(writer->session->head, block);
	uint64_t lost = lttp_load(&writer->file->lost);
	struct lttp_bytes out = {0, 0, ""};
	uint64_t first;

	lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &sight->now, 0, id_of(current));
	lttp_put_clock(&out, &sight->now, &sight->bend);
	lttp_put_thread(&out, 0, writer->pid, writer->tid);
	if (lost != 0) {
		lttp_step_store(step, &writer->file->lost_tag,
				LTTP_CURRENT(id_of(current), out.size));
		lttp_put_events_lost(&out, 0, lost);
	}

	lttp_step_store(step, word, 0);
	lttp_step_store(step, block, 0);
	lttp_step_copy(step, block + 8, out.bytes + 8, out.size - 8);
	memcpy(&first, out.bytes, 8);
	lttp_step_store(step, block, first);
	lttp_step_store(step, word, lttp_word(out.size, out.last));
	store_line(step, sight, id_of(current), 0);
	lttp_step_store(step, &writer->file->current, current);
}

/* Goes on in a new block. Returns the chunk installed, or NULL. */
static const char *start_block(struct lttp_writer *writer, const struct sight *sight,
			       enum lttp_outcome *outcome)
{
	struct lttp_head *head = writer->session->head;
	uint64_t frozen = frozen_then(writer, sight);
	uint64_t current = next_current(head, sight, frozen);
	struct lttp_chunk chunk;
	struct lttp_step step;
	char *block;

	*outcome = LTTP_LOST;
	if (!get_room(writer, slot_of(current), sight->now.cycles) ||
	    !lttp_chunks_find(&writer->chunks, slot_of(current), &chunk))
		return NULL;
	block = lttp_chunk_block(head, &chunk, slot_of(current));
	if (!populate(head, block, current))
		return NULL;
	*outcome = LTTP_AGAIN;
	begin_step(&step, writer, sight);
	disown(&step, writer, sight);
	if (is_open(head, sight))
		close_block(&step, writer, sight, 0);
	drop_other(&step, writer, &chunk, slot_of(current), frozen);
	begin_block(&step, writer, sight, block, current);
	return own(&step, writer, sight, block, &chunk, sight->now.cycles) ? chunk.at : NULL;
}

enum lttp_outcome lttp_writer_advance(struct lttp_writer *writer, uint64_t size)
{
	struct lttp_head *head = writer->session->head;
	enum lttp_outcome outcome;
	const char *kept = NULL;
	struct sight sight;
	bool full = true;

	if (!lttp_load(&head->running) || lttp_load(writer->epoch_at) != writer->epoch)
		return LTTP_ENDED;
	if (size > lttp_payload_max(head))
		return LTTP_LOST;
	lttp_chunks_begin(&writer->chunks);
	if (look(writer, &sight, &outcome)) {
		if (is_open(head, &sight))
			kept = go_on(writer, &sight, size, &full);
		if (full)
			kept = start_block(writer, &sight, &outcome);
	}
	lttp_chunks_end(&writer->chunks, kept);
	return outcome;
}

/* Where in the current block the events_lost is that is kept up to date; 0: there is none. */
static uint32_t lost_offset(const struct lttp_writer *writer, const struct sight *sight)
{
	uint64_t tag = lttp_load(&writer->file->lost_tag);
	uint32_t id = id_of(sight->current), next = lttp_word_next(sight->word);

	return tag > LTTP_CURRENT(id, 0) && tag < LTTP_CURRENT(id, next) ? (uint32_t)tag : 0;
}

static void update_loss(struct lttp_step *step, const struct lttp_writer *writer,
			const struct sight *sight, uint32_t offset)
{
	lttp_step_store(step, sight->block + offset + LTTP_HEADER_BYTES,
			lttp_load(&writer->file->lost));
}

/* Says in the block how many are lost: in one event, which is kept up to date. */
static bool note_loss(struct lttp_writer *writer, const struct sight *sight)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;
	uint32_t next = lttp_word_next(sight->word), offset = lost_offset(writer, sight);
	struct lttp_bytes out = {0, 0, ""};
	struct lttp_step step;

	begin_step(&step, writer, sight);
	pass_cut(&step, writer, sight);
	if (offset != 0) {
		update_loss(&step, writer, sight, offset);
	} else if (next <= lttp_block_room(head)) {
		lttp_put_events_lost(&out, loss_delta(writer, sight), lttp_load(&file->lost));
		lttp_step_copy(&step, sight->block + next, out.bytes, out.size);
		lttp_step_store(&step, &file->lost_tag, LTTP_CURRENT(id_of(sight->current), next));
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
	for (int tries = 0; tries < NOTE_TRIES; tries++) {
		enum lttp_outcome outcome;
		struct sight sight;
		bool noted = false;

		lttp_chunks_begin(&writer->chunks);
		if (look(writer, &sight, &outcome))
			noted = !is_open(writer->session->head, &sight) ||
				note_loss(writer, &sight);
		else if (outcome == LTTP_LOST)
			noted = true; /* not even that; the next block will say it */
		lttp_chunks_end(&writer->chunks, NULL);
		if (noted)
			return;
	}
}

bool lttp_writer_close(struct lttp_writer *writer)
{
	uint64_t lost = lttp_load(&writer->file->lost);
	enum lttp_outcome outcome;
	struct lttp_step step;
	struct sight sight;
	bool closed = false;

	lttp_chunks_begin(&writer->chunks);
	if (look(writer, &sight, &outcome)) {
		uint32_t offset = lost_offset(writer, &sight);

		closed = sight.current == LTTP_NO_BLOCK || !is_open(writer->session->head, &sight);
		if (!closed) {
			begin_step(&step, writer, &sight);
			if (offset != 0)
				update_loss(&step, writer, &sight, offset);
			close_block(&step, writer, &sight, offset != 0 ? 0 : lost);
			closed = lttp_step_make(&writer->chunks.actor, &step);
		}
	}
	lttp_chunks_end(&writer->chunks, NULL);
	return closed;
}
