/* serve.c - process the requests of writers, in the recorder. See serve.h. */
#define _GNU_SOURCE
#include "session/serve.h"

#include "session/atomic.h"
#include "session/control.h"
#include "session/file.h"
#include "session/keeper.h"
#include "session/sys.h"

/* Notes the result of a request. The program may be waiting for it. */
static void conclude(uint64_t *wanted, uint64_t *refused_errno, int result)
{
	lttp_store(refused_errno, (uint64_t)-result);
	if (result != 0)
		lttp_store(wanted, 0);
}

/* Allocates the blocks that a tracefile needs; a limit protects against numbers that a damaged
 * program stores. */
static void serve_file(struct lttp_session *session, uint32_t number)
{
	const struct lttp_head *head = session->head;
	struct lttp_file *file = &session->files[number];
	uint64_t wanted = lttp_load(&file->wanted), have = lttp_load(&file->blocks);
	uint64_t most = head->flight_blocks;
	int result;

	if (wanted <= have)
		return;
	if (most == 0)
		most = have + LTTP_GROW_BYTES_MAX / head->block_bytes + 1;
	result = lttp_file_extend(session, number, wanted < most ? wanted : most);
	/* Space for the one block that is needed now may be left. */
	if (result != 0 && head->flight_blocks == 0)
		result = lttp_file_extend(session, number, have + 1);
	conclude(&file->wanted, &file->refused_errno, result);
}

void lttp_serve_requests(struct lttp_session *session)
{
	struct lttp_head *head = session->head;
	uint32_t rung = lttp_load(&head->bell);

	lttp_keeper_work(head);
	if (lttp_load(&head->control_wanted) > lttp_load(&head->control_blocks)) {
		int result = lttp_control_tend(session);

		lttp_store(&head->control_refused_errno, (uint64_t)-result);
		lttp_store(&head->control_wanted, 0);
	}
	for (uint32_t i = 0; i < lttp_session_files(head); i++)
		serve_file(session, i);
	lttp_keeper_answer(head, rung);
}
