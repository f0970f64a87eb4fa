/* chunk.h - the parts of a tracefile that a process has mapped.
 *
 * A chunk is chunk_blocks consecutive blocks of a tracefile: 4 MiB, or both halves of a flight
 * recorder. For each CPU a process has one chunk mapped, the one with the block that it last wrote
 * to:
 *
 *	cpu/0    | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | ...    block slots
 *	         |<-- chunk 0 -->|<-- chunk 1 -->|
 *	                           ^ mapped, current block 5
 *
 * Only restartable sequences on that CPU use the mapping. So when a step on the CPU has installed
 * another chunk, no thread is inside the old one, and the thread that made the step can unmap it. A
 * chunk that was mapped but not installed is known to its thread only. Installing takes two steps:
 *
 *	installs  number   chunk
 *	    5        0       A
 *	    6     pending    B     the last store of the first step is that of the chunk: so the
 *	                           thread knows whether to unmap A or B
 *	    6        1       B     if this step is not made, the next thread maps the chunk again
 *
 * The counter is stored first. While it is unchanged, so are chunk and number, and the chunk is
 * mapped, even if addresses are used again.
 */
#ifndef LTTP_CHUNK_H
#define LTTP_CHUNK_H

#include "session/session.h"
#include "session/step.h"

struct lttp_chunk {
	char *at; /* NULL: none */
	uint64_t number;
};

/* The chunks of one advance of a writer. */
struct lttp_chunks {
	const struct lttp_session *session;
	uint32_t file_number;
	struct lttp_actor actor;
	struct ltt_probe_cpu *here;
	struct lttp_chunk installed; /* as found at the beginning, or installed since */
	struct lttp_chunk fresh[2];  /* mapped since then, and not installed */
	char *retired;               /* the one that was installed at the beginning, or NULL */
	uint64_t installs;           /* here->installs, likewise */
	int failure;                 /* -errno of a chunk that could not be mapped */
	uint64_t signals;            /* mask to restore at the end */
	bool signals_held;
};

void lttp_chunks_begin(struct lttp_chunks *chunks);

/* Unmaps the chunks that are not installed. */
void lttp_chunks_end(struct lttp_chunks *chunks);

/* Blocks signals until the end, so that no handler interrupts the work by longjmp(). */
void lttp_chunks_hold_signals(struct lttp_chunks *chunks);

/* Finds the chunk of the allocated block slot @slot, and maps it if necessary. Returns: false on
 * failure, with chunks->failure */
bool lttp_chunks_find(struct lttp_chunks *chunks, uint32_t slot, struct lttp_chunk *out);

/* Installs a chunk that lttp_chunks_find() found, and disables the gate of this process. The chunk that was
 * installed before stays mapped until the end. Call it once at most. @epoch_at: must be @epoch. Returns:
 * false if another thread was faster or the process leaves the session: begin again */
bool lttp_chunks_install(struct lttp_chunks *chunks, const struct lttp_chunk *chunk,
			 const uint64_t *epoch_at, uint64_t epoch);

/* Loads a word from a chunk. Returns: false if the chunk is no longer installed, or the sequence
 * was interrupted */
bool lttp_chunks_load(const struct lttp_chunks *chunks, const struct lttp_chunk *chunk,
		      const uint64_t *at, uint64_t *out);

/* Returns: whether another thread may have installed a chunk since the beginning, and unmapped the one that
 * was found then: if memory of it cannot be read, the reason may be this, and not the state */
bool lttp_chunks_have_changed(const struct lttp_chunks *chunks);

/* Makes a step fail if another thread may have installed a chunk. */
void lttp_chunks_check(const struct lttp_chunks *chunks, struct lttp_step *step);

static inline char *lttp_chunk_block(const struct lttp_head *head, const struct lttp_chunk *chunk,
				     uint32_t slot)
{
	return chunk->at + (size_t)(slot % head->chunk_blocks) * head->block_bytes;
}

#endif /* LTTP_CHUNK_H */
