/* sight.h - a copy of the state of a tracefile, and the steps that depend on it.
 *
 * The copy may be stale at any time. So a step first compares all of its values again.
 */
#ifndef LTTP_SIGHT_H
#define LTTP_SIGHT_H

#include "session/clock.h"
#include "session/writer.h"

/* The state of a tracefile, and the time after it was read. */
struct lttp_sight {
	uint64_t owner;
	uint64_t cut_cycles;
	uint64_t current;
	uint64_t frozen;
	uint64_t word; /* of the current block; 0 if there is none */
	char *block;
	struct lttp_chunk chunk;       /* of the block */
	const struct lttp_line *line;  /* valid after the last time value; NULL: none */
	struct lttp_line *other_line;  /* where the next one is stored */
	struct lttp_instant now, bend; /* the time, and the next bend of the clock */
};

static inline uint32_t lttp_slot_of(uint64_t current)
{
	return (uint32_t)(current >> 32);
}

static inline uint32_t lttp_id_of(uint64_t current)
{
	return (uint32_t)current;
}

/* Reads the state. Returns: false if it changed during the read (*@outcome LTTP_AGAIN) or cannot be
 * read (LTTP_LOST, with writer->loss) */
bool lttp_sight_look(struct lttp_writer *writer, struct lttp_sight *sight,
		     enum lttp_outcome *outcome);

/* Memory of a chunk cannot be used: sets writer->loss. Returns: LTTP_AGAIN if another thread has replaced
 * the chunk meanwhile, which is then the reason; otherwise LTTP_LOST */
enum lttp_outcome lttp_sight_lose_chunk(struct lttp_writer *writer, enum lttp_loss loss);

/* Whether the block can take more events: it is neither closed nor damaged. */
bool lttp_sight_is_open(const struct lttp_head *head, const struct lttp_sight *sight);

/* Returns: cycles from the last time value of the block to @cycles; UINT64_MAX if unknown */
uint64_t lttp_sight_since_base(const struct lttp_writer *writer, const struct lttp_sight *sight,
			       uint64_t cycles);

/* Begins a step that fails if the state has changed. */
void lttp_sight_begin(struct lttp_step *step, const struct lttp_writer *writer,
		      const struct lttp_sight *sight);

/* Returns: the frozen half of the file after the step, as lttp_file.frozen (half.h) */
uint64_t lttp_sight_frozen(const struct lttp_writer *writer, const struct lttp_sight *sight);

/* After a cut: adds stores that record the end of the file before it, freeze that half, and open
 * the gate. */
void lttp_sight_pass_cut(struct lttp_step *step, struct lttp_writer *writer,
			 const struct lttp_sight *sight);

#endif /* LTTP_SIGHT_H */
