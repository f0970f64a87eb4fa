/* chunk.h - which parts of a tracefile a process has mapped.
 *
 * For each CPU a process has one chunk mapped, the one with the current block when it last wrote
 * there. The mapping is used inside restartable sequences on that CPU only. So as soon as a step on
 * that CPU has installed another chunk, nobody is inside the old one, and it can be unmapped at
 * once. A chunk that was mapped for a step, but not installed by it, was seen by nobody else.
 */
#ifndef LTTP_CHUNK_H
#define LTTP_CHUNK_H

#include "session/session.h"
#include "session/step.h"

struct lttp_chunk {
	char *at; /* NULL: none */
	uint64_t number;
};

/* The chunks that one advance of a writer works with. */
struct lttp_chunks {
	const struct lttp_session *session;
	uint32_t file_number;
	struct lttp_actor actor;
	struct ltt_probe_cpu *here;
	struct lttp_chunk installed; /* as it was found */
	struct lttp_chunk fresh[2];  /* mapped since */
	int failure;                 /* why a chunk could not be found, -errno */
	uint64_t signals;            /* to be allowed again at the end */
	bool signals_held;
};

void lttp_chunks_begin(struct lttp_chunks *chunks);

/* Unmaps what is not needed any more. @kept is the chunk that a step has installed, or NULL. */
void lttp_chunks_end(struct lttp_chunks *chunks, const char *kept);

/* Keeps signals away until the end, so that no handler leaves by longjmp() with half-done work. */
void lttp_chunks_hold_signals(struct lttp_chunks *chunks);

/* Finds block slot @slot, mapping its chunk if need be. The slot is allocated. False: there is no
 * memory or no file descriptor for it, or the file is gone: chunks->failure says which. */
bool lttp_chunks_find(struct lttp_chunks *chunks, uint32_t slot, struct lttp_chunk *out);

/* Loads a word from a chunk; false if it is the installed one no more, or the kernel came between.
 */
bool lttp_chunks_load(const struct lttp_chunks *chunks, const struct lttp_chunk *chunk,
		      const uint64_t *at, uint64_t *out);

/* Makes a step fail unless the chunk that was found installed still is. */
void lttp_chunks_check(const struct lttp_chunks *chunks, struct lttp_step *step);

static inline char *lttp_chunk_block(const struct lttp_head *head, const struct lttp_chunk *chunk,
				     uint32_t slot)
{
	return chunk->at + (size_t)(slot % head->chunk_blocks) * head->block_bytes;
}

#endif /* LTTP_CHUNK_H */
