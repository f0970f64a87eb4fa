/* room.c - where the next block of a tracefile is, and room for it. See room.h. */
#define _GNU_SOURCE
#include "room.h"

#include "atomic.h"
#include "file.h"
#include "losses.h"
#include "sys.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { RETRIES_PER_SECOND = 20 }; /* for room on a disk that was full */

uint64_t lttp_room_next(const struct lttp_head *head, const struct lttp_sight *sight,
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

bool lttp_room_get(struct lttp_writer *writer, uint32_t slot, uint64_t now_cycles)
{
	struct lttp_head *head = writer->session->head;
	struct lttp_file *file = writer->file;
	uint32_t number = writer->chunks.file_number;
	uint64_t have = lttp_load(&file->blocks), wanted = head->flight_blocks;
	uint64_t chunk_end = ((uint64_t)slot / head->chunk_blocks + 1) * head->chunk_blocks;
	int result;

	if (slot < have)
		return true;
	if (now_cycles < lttp_load(&file->retry_cycles)) {
		writer->loss = (enum lttp_loss)(lttp_load(&file->retry_loss) % LTTP_LOST_REASONS);
		return false;
	}
	/* A small trace stays small: as much again as there is, up to the end of the chunk. */
	if (wanted == 0)
		wanted = have == 0 ? 1 : 2 * have;
	if (wanted > chunk_end)
		wanted = chunk_end;
	lttp_chunks_hold_signals(&writer->chunks);
	result = lttp_file_extend(writer->session, number, wanted);
	if (result != 0 && head->flight_blocks == 0)
		result = lttp_file_extend(writer->session, number, (uint64_t)slot + 1);
	if (result != 0) {
		writer->loss = lttp_loss_of(result);
		lttp_store(&file->retry_loss, writer->loss);
		lttp_store(&file->retry_cycles,
			   now_cycles + head->cycles_per_second / RETRIES_PER_SECOND);
	}
	return result == 0;
}

bool lttp_room_populate(const struct lttp_head *head, char *block, uint64_t current)
{
	if (head->flight_blocks != 0 && lttp_id_of(current) >= head->flight_blocks)
		return true;
	/* An old kernel says EINVAL; EFAULT is a file system that has no room for the pages. */
	return madvise(block, head->block_bytes, MADV_POPULATE_WRITE) == 0 || errno != EFAULT;
}
