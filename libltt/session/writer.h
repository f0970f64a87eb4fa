/* writer.h - whoever may write to one tracefile at one moment: a thread on a CPU, or in its lane.
 *
 * Between two events of a thread anything may have happened to the file: another thread had its
 * turn, the block was filled, a bend of the clock was passed, a writer died half-way through a
 * step. Advancing finds out what and puts it in order: then the gate is this thread's, and its
 * event can be written.
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
	const uint64_t *epoch_at; /* the process is still in the session while this is `epoch` */
	uint64_t epoch;
	uint64_t running;    /* what the session has to be: 0 for who closes it, else 1 */
	enum lttp_loss loss; /* why the outcome was LTTP_LOST */
};

enum lttp_outcome {
	LTTP_AGAIN = 0, /* something was done, or somebody else was faster: try the event again */
	LTTP_LOST,      /* there is no room for the event, and none to be had now */
	LTTP_WRITTEN,   /* the event is in the trace (not an outcome of advancing) */
	LTTP_ENDED,     /* the session has ended, or the process has left it */
};

/* A writer for tracefile @number; the parts about process and thread are to be set besides. */
void lttp_writer_open(struct lttp_writer *writer, struct lttp_session *session, uint32_t number,
		      struct lttp_actor actor, struct ltt_probe_cpu *here);

/* Makes ready for an event with @size bytes of payload. */
enum lttp_outcome lttp_writer_advance(struct lttp_writer *writer, uint64_t size);

/* Counts an event as lost for the reason writer->loss, and says so in the current block where that
 * is open. */
void lttp_writer_count_lost(struct lttp_writer *writer);

/* Closes the current block, if it is open, with how many events were lost. Returns false if the
 * block cannot be had, or if somebody else still writes. */
bool lttp_writer_close(struct lttp_writer *writer);

/* The largest payload that a block of the session has room for. */
uint64_t lttp_payload_max(const struct lttp_head *head);

#endif /* LTTP_WRITER_H */
