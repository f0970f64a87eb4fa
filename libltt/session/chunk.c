/* chunk.c - the parts of a tracefile that a process has mapped. See chunk.h. */
#define _GNU_SOURCE
#include "session/chunk.h"

#include "session/atomic.h"
#include "session/file.h"
#include "session/sys.h"

void lttp_chunks_begin(struct lttp_chunks *chunks)
{
	chunks->installs = lttp_load(&chunks->here->installs);
	chunks->installed.at = lttp_load(&chunks->here->chunk);
	chunks->installed.number = lttp_load(&chunks->here->chunk_number);
	chunks->fresh[0].at = chunks->fresh[1].at = NULL;
	chunks->retired = NULL;
	chunks->signals_held = false;
}

void lttp_chunks_hold_signals(struct lttp_chunks *chunks)
{
	if (!chunks->signals_held)
		lttp_block_signals(&chunks->signals);
	chunks->signals_held = true;
}

void lttp_chunks_end(struct lttp_chunks *chunks)
{
	size_t size = lttp_chunk_bytes(chunks->session->head);

	for (int i = 0; i < 2; i++) {
		if (chunks->fresh[i].at != NULL)
			munmap(chunks->fresh[i].at, size);
	}
	if (chunks->retired != NULL)
		munmap(chunks->retired, size);
	if (chunks->signals_held)
		lttp_restore_signals(&chunks->signals);
	chunks->signals_held = false;
}

bool lttp_chunks_find(struct lttp_chunks *chunks, uint32_t slot, struct lttp_chunk *out)
{
	uint64_t number = slot / chunks->session->head->chunk_blocks;
	struct lttp_chunk *fresh = &chunks->fresh[chunks->fresh[0].at != NULL];

	if (chunks->installed.at != NULL && chunks->installed.number == number) {
		*out = chunks->installed;
		return true;
	}
	if (chunks->fresh[0].at != NULL && chunks->fresh[0].number == number) {
		*out = chunks->fresh[0];
		return true;
	}
	lttp_chunks_hold_signals(chunks);
	chunks->failure = lttp_file_map(chunks->session, chunks->file_number, number, &fresh->at);
	fresh->number = number;
	*out = *fresh;
	return fresh->at != NULL;
}

/* The number of a chunk that is being installed: of no slot. */
#define PENDING UINT64_MAX

/* model: settle */
static bool settle(struct lttp_chunks *chunks, struct lttp_step *step, uint64_t number)
{
	step->checks = step->stores = 0;
	lttp_chunks_check(chunks, step);
	lttp_step_store(step, &chunks->here->chunk_number, number);
	return lttp_step_make(&chunks->actor, step);
}

/* model: install */
bool lttp_chunks_install(struct lttp_chunks *chunks, const struct lttp_chunk *chunk,
			 const uint64_t *epoch_at, uint64_t epoch)
{
	struct lttp_chunk added = *chunk;
	struct lttp_step step;

	if (added.at == chunks->installed.at)
		return true;
	step.checks = step.stores = 0;
	lttp_step_check(&step, epoch_at, epoch);
	lttp_chunks_check(chunks, &step);
	lttp_step_store(&step, &chunks->here->installs, chunks->installs + 1);
	lttp_step_store(&step, &chunks->here->gate, 0);
	lttp_step_store(&step, &chunks->here->block, 0);
	lttp_step_store(&step, &chunks->here->chunk_number, PENDING);
	lttp_step_store(&step, &chunks->here->chunk, (uintptr_t)added.at);
	if (!lttp_step_make(&chunks->actor, &step))
		return false;
	chunks->installs++;
	chunks->fresh[chunks->fresh[0].at != added.at].at = NULL;
	chunks->retired = chunks->installed.at;
	chunks->installed = added;
	return settle(chunks, &step, added.number);
}

bool lttp_chunks_load(const struct lttp_chunks *chunks, const struct lttp_chunk *chunk,
		      const uint64_t *at, uint64_t *out)
{
	if (chunk->at == chunks->installed.at)
		return lttp_step_load(&chunks->actor, &chunks->here->installs, chunks->installs, at,
				      out);
	*out = lttp_load(at);
	return true;
}

bool lttp_chunks_have_changed(const struct lttp_chunks *chunks)
{
	return lttp_load(&chunks->here->installs) != chunks->installs;
}

void lttp_chunks_check(const struct lttp_chunks *chunks, struct lttp_step *step)
{
	lttp_step_check(step, &chunks->here->installs, chunks->installs);
}
