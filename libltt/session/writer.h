/* writer.h - prepare a tracefile for the next event of a thread.
 *
 * Between two events of a thread, another thread may have written, the block may be full, a bend of
 * the clock may have passed, or a writer may have died during a step. lttp_writer_advance() handles
 * one of these at a time. When none is left, the gate belongs to the thread, and its event can be
 * written.
 */
#ifndef LTTP_WRITER_H
#define LTTP_WRITER_H

#include "session/chunk.h"
#include "session/session.h"
#include "session/step.h"

struct lttp_writer {
	struct lttp_session *session;
	struct lttp_file *file;
	struct lttp_chunks chunks;
	uint64_t serial; /* of the thread */
	uint32_t pid, tid;
	const uint64_t *epoch_at; /* the process is in the session while this equals `epoch` */
	uint64_t epoch;
	uint64_t running;    /* required value of head->running: 0 to close files, else 1 */
	enum lttp_loss loss; /* reason of an outcome LTTP_LOST */
};

enum lttp_outcome {
	LTTP_AGAIN = 0, /* a step was made, or another thread was faster: try the event again */
	LTTP_LOST,      /* the event cannot be written now */
	LTTP_WRITTEN,   /* the event is in the trace; not a result of lttp_writer_advance() */
	LTTP_ENDED,     /* the session has ended, or the process has left it */
};

/* Initializes a writer for tracefile @number, except the members for process and thread. */
void lttp_writer_open(struct lttp_writer *writer, struct lttp_session *session, uint32_t number,
		      struct lttp_actor actor, struct ltt_probe_cpu *here);

/* Prepares for an event with @size bytes of payload. */
enum lttp_outcome lttp_writer_advance(struct lttp_writer *writer, uint64_t size);

/* Counts an event as lost for the reason writer->loss, and updates the count in the current block,
 * if that is open. */
void lttp_writer_count_lost(struct lttp_writer *writer);

/* Closes the current block, if it is open, with the number of lost events. Returns: false if the
 * block cannot be mapped, or another thread writes to it */
bool lttp_writer_close(struct lttp_writer *writer);

/* Returns: the largest payload that fits into a block of the session */
uint64_t lttp_payload_max(const struct lttp_head *head);

#endif /* LTTP_WRITER_H */
