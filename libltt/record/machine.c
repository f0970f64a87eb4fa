/* machine.c - this machine at the start of a recording, in the session's own clock.
 *
 * The trace writer of this library cannot be used: it would make the files of a trace that nobody
 * else writes. Interrupts get a file of their own, written once. Processes are appended to the file
 * that traced processes append to, as they do it.
 */
#include "base/error-priv.h"
#include "base/write-at-priv.h"
#include "record/machine-priv.h"
#include "session/control.h"
#include "session/events.h"
#include "session/registry.h"
#include "session/sys.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-machine.h>

#define INTERRUPTS "control/interrupts"

/* A tracefile that is written from start to end at one moment. */
typedef struct Writer {
	const struct lttp_head *head;
	struct lttp_instant now;
	int fd;
	guint32 number; /* of the block */
	guint32 last;   /* where its last event is */
	GByteArray *block;
} Writer;

static gboolean fail(const struct lttp_session *session, const char *name, int result,
		     GError **error)
{
	g_autofree char *path = g_build_filename(session->directory, name, NULL);

	return ltt_fail_io(error, path, "write", -result);
}

/* Appends an event that begins with the bytes @out. */
static void append(Writer *writer, const struct lttp_bytes *out, const GByteArray *payload)
{
	writer->last = writer->block->len + out->last;
	g_byte_array_append(writer->block, (const guint8 *)out->bytes, out->size);
	if (payload != NULL)
		g_byte_array_append(writer->block, payload->data, payload->len);
}

static void open_block(Writer *writer)
{
	struct lttp_bytes out = {0, 0, ""};

	g_byte_array_set_size(writer->block, 0);
	lttp_put_block_event(&out, LTTP_ID_BLOCK_START, &writer->now, 0, writer->number);
	append(writer, &out, NULL);
}

/* What lies between the last event and the final words is a hole. */
static int close_block(Writer *writer)
{
	const guint64 size = writer->head->block_bytes, start = writer->number * size;
	struct lttp_bytes out = {0, 0, ""};
	guint64 word;
	int result;

	lttp_put_block_event(&out, LTTP_ID_BLOCK_END, &writer->now, 0, writer->number++);
	append(writer, &out, NULL);
	word = lttp_word((guint32)size, writer->last);
	result = -ltt_write_at(writer->fd, writer->block->data, writer->block->len, start);
	return result != 0 ? result
			   : -ltt_write_at(writer->fd, &word, sizeof(word), start + size - 8);
}

static int write_event(Writer *writer, guint16 id, const GByteArray *payload)
{
	const guint64 room = lttp_block_room(writer->head), size = LTTP_HEADER_BYTES + payload->len;
	struct lttp_bytes out = {0, 0, ""};
	int result = 0;

	if (size > room - LTTP_BLOCK_START_BYTES)
		return -EMSGSIZE;
	if (writer->block->len + size > room) {
		result = close_block(writer);
		open_block(writer);
	}
	lttp_put_header(&out, id, 0);
	append(writer, &out, payload);
	return result;
}

static int write_interrupts(Writer *writer, guint16 id, const GPtrArray *interrupts,
			    LttPayload *payload)
{
	int result = 0;

	open_block(writer);
	for (guint i = 0; result == 0 && i < interrupts->len; i++) {
		ltt_payload_reset(payload);
		ltt_interrupt_add_payload(interrupts->pdata[i], payload);
		result = write_event(writer, id, payload->bytes);
	}
	return result == 0 ? close_block(writer) : result;
}

static gboolean load(struct lttp_session *session, const char *name, guint16 *id, GError **error)
{
	const LttFacility *facility = ltt_eventdefs_get_shipped(name);
	g_autofree char *xml = ltt_eventdefs_print(facility);
	guint32 base;
	const int result = lttp_registry_load(session, name, ltt_facility_get_checksum(facility),
					      ltt_facility_get_n_events(facility), xml, &base);

	if (result != 0) {
		fail(session, "control/facilities", result, error);
		return FALSE;
	}
	*id = (guint16)base;
	return TRUE;
}

static gboolean record_interrupts(struct lttp_session *session, LttPayload *payload, GError **error)
{
	g_autoptr(GPtrArray) interrupts = ltt_machine_read_interrupts("/proc", error);
	Writer writer = {.head = session->head};
	guint16 id;
	int result;

	if (interrupts == NULL || !load(session, "interrupts", &id, error))
		return FALSE;
	if (!lttp_clock_now(session->head, &writer.now))
		return fail(session, INTERRUPTS, -EIO, error);
	writer.fd = lttp_session_file(session, INTERRUPTS, O_WRONLY | O_CREAT | O_EXCL);
	if (writer.fd < 0)
		return fail(session, INTERRUPTS, writer.fd, error);
	writer.block = g_byte_array_new();
	result = write_interrupts(&writer, id, interrupts, payload);
	g_byte_array_free(writer.block, TRUE);
	lttp_close(writer.fd);
	return result == 0 || fail(session, INTERRUPTS, result, error);
}

static gboolean record_processes(struct lttp_session *session, LttPayload *payload, GError **error)
{
	guint n_unreadable;
	g_autoptr(GPtrArray) processes = ltt_machine_read_processes("/proc", &n_unreadable, error);
	int result = 0;
	guint16 id;

	if (processes == NULL || !load(session, "processes", &id, error))
		return FALSE;
	for (guint i = 0; result == 0 && i < processes->len; i++) {
		ltt_payload_reset(payload);
		ltt_process_add_payload(processes->pdata[i], payload);
		result = lttp_control_begin(session, id, payload->bytes->data, payload->bytes->len);
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
