/* sight.c - a copy of the state of a tracefile. See sight.h. */
#include "session/sight.h"

#include "session/atomic.h"
#include "session/events.h"
#include "session/half.h"
#include "session/losses.h"
#include "session/sys.h"

bool lttp_sight_is_open(const struct lttp_head *head, const struct lttp_sight *sight)
{
	uint32_t next = lttp_word_next(sight->word);

	return sight->current != LTTP_NO_BLOCK && next >= LTTP_BLOCK_START_BYTES &&
	       next <= lttp_block_room(head) + LTTP_EVENTS_LOST_BYTES;
}

/* Finds the valid one of the two lines. */
static void find_line(const struct lttp_writer *writer, struct lttp_sight *sight)
{
	struct lttp_file *file = writer->file;
	uint64_t from = LTTP_CURRENT(lttp_id_of(sight->current), 0);
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

/* model: unreadable */
enum lttp_outcome lttp_sight_lose_chunk(struct lttp_writer *writer, enum lttp_loss loss)
{
	writer->loss = loss;
	return lttp_chunks_have_changed(&writer->chunks) ? LTTP_AGAIN : LTTP_LOST;
}

/* model: look */
bool lttp_sight_look(struct lttp_writer *writer, struct lttp_sight *sight,
		     enum lttp_outcome *outcome)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;

	*sight = (struct lttp_sight){
		.current = lttp_load(&file->current),
		.other_line = &file->lines[0],
	};
	sight->owner = lttp_load(&file->gate.owner);
	sight->cut_cycles = lttp_load(&file->gate.cut_cycles);
	sight->frozen = lttp_load(&file->frozen);
	if (sight->current != LTTP_NO_BLOCK) {
		uint32_t slot = lttp_slot_of(sight->current);

		*outcome = LTTP_LOST;
		writer->loss = LTTP_LOST_BAD_STATE;
		if (slot >= lttp_load(&file->blocks))
			return false;
		if (!lttp_chunks_find(&writer->chunks, slot, &sight->chunk)) {
			writer->loss = lttp_loss_of(writer->chunks.failure);
			return false;
		}
		sight->block = lttp_chunk_block(head, &sight->chunk, slot);
		if (sight->block != writer->chunks.here->block &&
		    !lttp_is_readable(lttp_block_word(head, sight->block))) {
			*outcome = lttp_sight_lose_chunk(writer, LTTP_LOST_BAD_STATE);
			return false;
		}
		writer->loss = LTTP_LOST_BUSY;
		*outcome = LTTP_AGAIN;
		if (!lttp_chunks_load(&writer->chunks, &sight->chunk,
				      lttp_block_word(head, sight->block), &sight->word))
			return false;
		find_line(writer, sight);
	}
	*outcome = LTTP_AGAIN;
	return lttp_clock_map(head, lttp_clock_read(head), &sight->now, &sight->bend);
}

void lttp_sight_begin(struct lttp_step *step, const struct lttp_writer *writer,
		      const struct lttp_sight *sight)
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

static bool passes_cut(const struct lttp_sight *sight)
{
	return sight->now.cycles >= sight->cut_cycles;
}

uint64_t lttp_sight_frozen(const struct lttp_writer *writer, const struct lttp_sight *sight)
{
	if (passes_cut(sight) && sight->current != LTTP_NO_BLOCK &&
	    lttp_half_is_made(writer->session, writer->file))
		return lttp_slot_of(sight->current) / writer->session->head->flight_blocks + 1;
	return sight->frozen;
}

/* model: pass_cut */
void lttp_sight_pass_cut(struct lttp_step *step, struct lttp_writer *writer,
			 const struct lttp_sight *sight)
{
	struct lttp_file *file = writer->file;

	if (passes_cut(sight)) {
		lttp_step_store(step, &file->frozen, lttp_sight_frozen(writer, sight));
		lttp_step_store(step, &file->cut_place.current, sight->current);
		lttp_step_store(step, &file->cut_place.word, sight->word);
		lttp_step_store(step, &file->cut_done_cycles, sight->cut_cycles);
		lttp_step_store(step, &file->gate.cut_cycles, LTTP_CUT_NEVER);
	}
}

uint64_t lttp_sight_since_base(const struct lttp_writer *writer, const struct lttp_sight *sight,
			       uint64_t cycles)
{
	if (sight->owner == LTTP_OWNER_NONE)
		return UINT64_MAX;
	return cycles - lttp_load(&writer->file->gate.base_cycles);
}
