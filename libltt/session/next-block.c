/* next-block.c - choose and allocate the next block of a tracefile. See next-block.h. */
#define _GNU_SOURCE
#include "session/next-block.h"

#include "session/atomic.h"
#include "session/file.h"
#include "session/keeper.h"
#include "session/losses.h"
#include "session/sys.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { RETRIES_PER_SECOND = 20 }; /* attempts to allocate after a failure */

uint64_t lttp_next_block_choose(const struct lttp_head *head, const struct lttp_sight *sight,
				uint64_t frozen)
{
	uint32_t slot = lttp_slot_of(sight->current), flight = head->flight_blocks, half;

	if (sight->current == LTTP_NO_BLOCK)
		return LTTP_CURRENT(0, 0);
	if (flight == 0)
		return LTTP_CURRENT(slot + 1, lttp_id_of(sight->current) + 1);
	half = slot / flight;
	if (frozen == half + 1)
		half = half == 0;
	return LTTP_CURRENT(half * flight + (slot + 1) % flight, lttp_id_of(sight->current) + 1);
}

/* Returns: the number of blocks to allocate: twice the present number, up to the end of the chunk
 * of block slot @slot */
static uint64_t blocks_for(const struct lttp_head *head, uint64_t have, uint32_t slot)
{
	uint64_t chunk_end = ((uint64_t)slot / head->chunk_blocks + 1) * head->chunk_blocks;
	uint64_t wanted = head->flight_blocks;

	if (wanted == 0)
		wanted = have == 0 ? 1 : 2 * have;
	return wanted < chunk_end ? wanted : chunk_end;
}

/* Requests the allocation from the recorder, or allocates here without a recorder or an answer. */
static int make_room(struct lttp_writer *writer, uint32_t slot, uint64_t have)
{
	struct lttp_session *session = writer->session;
	uint32_t number = writer->chunks.file_number;
	uint64_t wanted = blocks_for(session->head, have, slot);
	const struct lttp_request request = {&writer->file->wanted, &writer->file->blocks,
					     &writer->file->refused_errno};
	int result = -ETIMEDOUT;

	if (lttp_keeper_is_there(session->head)) {
		/* The recorder allocates as many as possible. One is needed now. */
		lttp_raise(&writer->file->wanted, wanted);
		result = lttp_keeper_ask(session->head, &request, (uint64_t)slot + 1);
	}
	if (result != -ETIMEDOUT)
		return result;
	if (!lttp_keeper_lets_open(session))
		return -EHOSTDOWN;
	result = lttp_file_extend(session, number, wanted);
	if (result != 0 && session->head->flight_blocks == 0)
		result = lttp_file_extend(session, number, (uint64_t)slot + 1);
	/* A program without rights relies on the recorder. */
	if ((result == -EACCES || result == -EPERM) &&
	    lttp_load(&session->head->keeper_cycles) != 0)
		result = -EHOSTDOWN;
	return result;
}

bool lttp_next_block_allocate(struct lttp_writer *writer, uint32_t slot, uint64_t now_cycles)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;
	uint64_t have = lttp_load(&file->blocks);
	int result;

	if (slot < have) {
		/* The last one: request the next in advance. */
		if (slot + 1 == have && head->flight_blocks == 0 && lttp_keeper_is_there(head))
			lttp_keeper_wish(head, &file->wanted, blocks_for(head, have, slot + 1));
		return true;
	}
	if (now_cycles < lttp_load(&file->retry_cycles)) {
		writer->loss = (enum lttp_loss)(lttp_load(&file->retry_loss) % LTTP_LOST_REASONS);
		return false;
	}
	lttp_chunks_hold_signals(&writer->chunks);
	result = make_room(writer, slot, have);
	if (result != 0) {
		writer->loss = lttp_loss_of(result);
		lttp_store(&file->retry_loss, writer->loss);
		lttp_store(&file->retry_cycles,
			   now_cycles + head->cycles_per_second / RETRIES_PER_SECOND);
	}
	return result == 0;
}

bool lttp_next_block_populate(const struct lttp_head *head, char *block, uint64_t current)
{
	if (head->flight_blocks != 0 && lttp_id_of(current) >= head->flight_blocks)
		return true;
	/* EINVAL is an old kernel; EFAULT is a file system without space for the pages. */
	return madvise(block, head->block_bytes, MADV_POPULATE_WRITE) == 0 || errno != EFAULT;
}
