/* sight.h - a tracefile as its writer sees it, and the steps that are made of that.
 *
 * What is seen is stale as soon as it is seen. So a step begins with comparing all of it again.
 */
#ifndef LTTP_SIGHT_H
#define LTTP_SIGHT_H

#include "session/clock.h"
#include "session/writer.h"

/* A tracefile as it was seen, and then the time. */
struct lttp_sight {
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

static inline uint32_t lttp_slot_of(uint64_t current)
{
	return (uint32_t)(current >> 32);
}

static inline uint32_t lttp_id_of(uint64_t current)
{
	return (uint32_t)current;
}

/* Looks at the file. False: @outcome is LTTP_AGAIN if it could not be seen whole, LTTP_LOST if not
 * at all. */
bool lttp_sight_look(struct lttp_writer *writer, struct lttp_sight *sight,
		     enum lttp_outcome *outcome);

/* Whether the block can take something more: not closed, and not spoilt by a stranger. */
bool lttp_sight_is_open(const struct lttp_head *head, const struct lttp_sight *sight);

/* From the last time value of the block to @cycles; the greatest number if it is not known. */
uint64_t lttp_sight_since_base(const struct lttp_writer *writer, const struct lttp_sight *sight,
			       uint64_t cycles);

/* Begins a step that fails if anything is not as it was seen. */
void lttp_sight_begin(struct lttp_step *step, const struct lttp_writer *writer,
		      const struct lttp_sight *sight);

/* Which half of the file is frozen when the step is made (half.h). */
uint64_t lttp_sight_frozen(const struct lttp_writer *writer, const struct lttp_sight *sight);

/* Past a cut: adds stores that note what lies before it, for whoever asked for it, freeze that, and
 * open the gate again. */
void lttp_sight_pass_cut(struct lttp_step *step, struct lttp_writer *writer,
			 const struct lttp_sight *sight);

#endif /* LTTP_SIGHT_H */
