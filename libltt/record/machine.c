/* machine.c - write the state of this machine at the start of a recording, in the session's clock.
 *
 * The trace writer of this library creates whole traces, and a session already exists. Interrupts
 * are written to a separate file at once. Processes are appended to control/processes, like the
 * events of traced processes.
 */
#include "base/error-priv.h"
#include "record/description-priv.h"
#include "record/machine-priv.h"
#include "record/proc-priv.h"
#include "session/clock.h"
#include "session/control.h"
#include "session/directory.h"
#include "session/sys.h"
#include "writer/block-writer-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-machine.h>

#define INTERRUPTS "control/interrupts"

/* A tracefile that is written from start to end with one time stamp. */
typedef struct Writer {
	LttBlockWriter block;
	struct lttp_instant now;
	int fd;
} Writer;

static gboolean fail(const struct lttp_session *session, const char *name, int result,
		     GError **error)
{
	g_autofree char *path = g_build_filename(session->directory, name, NULL);

	return ltt_fail_io(error, path, "write", -result);
}

/* Ends the block and begins the next one. Returns: 0 or -errno */
static int turn_block(Writer *writer)
{
	const guint32 id = writer->block.block_id;
	int errnum;

	ltt_block_writer_end(&writer->block, writer->now.cycles, writer->now.ns);
	errnum = ltt_block_writer_store(&writer->block, writer->fd,
					id * (guint64)writer->block.size_bytes);
	ltt_block_writer_begin(&writer->block, id + 1, writer->now.cycles, writer->now.ns);
	return -errnum;
}

static int write_event(Writer *writer, guint16 id, const GByteArray *payload)
{
	const gsize size = LTT_EVENT_HEADER_BYTES + payload->len;
	int result = 0;

	if (size > ltt_block_writer_get_room(&writer->block))
		result = turn_block(writer);
	if (result == 0 && size > ltt_block_writer_get_room(&writer->block))
		return -EMSGSIZE;
	if (result == 0)
		ltt_block_writer_event(&writer->block, writer->now.cycles, id, payload->data,
				       payload->len);
	return result;
}

static int write_interrupts(Writer *writer, guint16 id, const GPtrArray *interrupts,
			    LttPayload *payload)
{
	int result = 0;

	ltt_block_writer_begin(&writer->block, 0, writer->now.cycles, writer->now.ns);
	for (guint i = 0; result == 0 && i < interrupts->len; i++) {
		ltt_interrupt_write(interrupts->pdata[i], payload);
		result = write_event(writer, id, payload->bytes);
	}
	return result == 0 ? turn_block(writer) : result;
}

static gboolean record_interrupts(struct lttp_session *session, LttPayload *payload, GError **error)
{
	g_autoptr(GPtrArray) interrupts = ltt_machine_read_interrupts("/proc", error);
	const LttByteOrder order = ltt_arch_native().byte_order;
	Writer writer = {.fd = -1};
	guint32 base;
	int result;

	if (interrupts == NULL ||
	    !ltt_record_load(session, ltt_eventdefs_get_shipped("interrupts"), &base, error))
		return FALSE;
	if (!lttp_clock_now(session->head, &writer.now))
		return fail(session, INTERRUPTS, -EIO, error);
	writer.fd = lttp_session_file(session, INTERRUPTS, O_WRONLY | O_CREAT | O_EXCL);
	if (writer.fd < 0)
		return fail(session, INTERRUPTS, writer.fd, error);
	if (ltt_block_writer_init(&writer.block, session->head->block_bytes, order)) {
		result = write_interrupts(&writer, (guint16)base, interrupts, payload);
		ltt_block_writer_clear(&writer.block);
	} else {
		result = -ENOMEM;
	}
	lttp_close(writer.fd);
	return result == 0 || fail(session, INTERRUPTS, result, error);
}

static gboolean record_processes(struct lttp_session *session, LttPayload *payload, GError **error)
{
	guint n_unreadable;
	g_autoptr(GPtrArray) processes = ltt_machine_read_processes("/proc", &n_unreadable, error);
	int result = 0;
	guint32 base;

	if (processes == NULL ||
	    !ltt_record_load(session, ltt_eventdefs_get_shipped("processes"), &base, error))
		return FALSE;
	for (guint i = 0; result == 0 && i < processes->len; i++) {
		ltt_process_write(processes->pdata[i], payload);
		result = lttp_control_begin(session, (guint16)base, payload->bytes->data,
					    payload->bytes->len);
	}
	return result == 0 || fail(session, "control/processes", result, error);
}

gboolean ltt_record_machine(struct lttp_session *session, GError **error)
{
	const LttArch arch = ltt_arch_native();
	g_auto(LttPayload) payload;

	ltt_payload_init(&payload, &arch);
	return record_interrupts(session, &payload, error) &&
	       record_processes(session, &payload, error);
}
