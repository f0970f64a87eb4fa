/* event.c - decode one event of a log.
 *
 * The length of an audio input event is not in the log. Its numbers are followed by the recorded
 * samples. However, there are no samples if they filled QEMU's ring buffer completely, and the log
 * does not contain the size of this buffer. So the decoder looks ahead. It assumes that there are
 * no samples only if both conditions hold:
 *
 *	- there are no valid events after the samples, or the file ends within the samples
 *	- there are valid events directly after the numbers
 */
#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "formats/qemu/file/qemu-priv.h"

#include <stdarg.h>

#define MESSAGE_BYTES 160
#define EVENTS_AHEAD  8
#define BYTES_AHEAD   ((guint64)256 * 1024)

/* State of the decoder. */
typedef struct Taking {
	LttInput *input;
	const LttQemuNumbering *numbering;
	guint64 offset; /* of the next byte */
	gboolean may_look_ahead;
	char *message; /* for a description of an error; NULL: not needed */
	GError **error;
} Taking;

static LttQemuTaken take_event(Taking *taking, LttQemuEvent *event);

static void tell(Taking *taking, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Formats the description of an error. */
static void tell(Taking *taking, const char *format, ...)
{
	va_list arguments;

	if (taking->message == NULL)
		return;
	va_start(arguments, format);
	g_vsnprintf(taking->message, MESSAGE_BYTES, format, arguments);
	va_end(arguments);
}

/* Gets @length bytes and advances the offset. @kind: kind of the event, for messages */
static LttQemuTaken take(Taking *taking, LttQemuKind kind, guint32 length, const guint8 **bytes)
{
	const guint64 rest = ltt_input_get_rest(taking->input, taking->offset);

	if (rest < length) {
		tell(taking,
		     "the log ends within an event %s: expected %u more bytes, "
		     "%" G_GUINT64_FORMAT " are left",
		     kind < LTT_QEMU_N_KINDS ? ltt_qemu_kind_name(kind) : "", length, rest);
		return LTT_QEMU_CUT;
	}
	if (!ltt_input_get(taking->input, taking->offset, length, bytes, taking->error))
		return LTT_QEMU_FAILED;
	taking->offset += length;
	return LTT_QEMU_TAKEN;
}

static LttQemuTaken take_number(Taking *taking, LttQemuKind kind, const LttQemuArgument *argument,
				guint64 *number)
{
	const guint8 *bytes;
	const LttQemuTaken taken = take(taking, kind, argument->bytes, &bytes);

	if (taken == LTT_QEMU_TAKEN)
		*number = argument->is_signed
				  ? (guint64)ltt_load_int(bytes, argument->bytes, LTT_BIG_ENDIAN)
				  : ltt_load_uint(bytes, argument->bytes, LTT_BIG_ENDIAN);
	return taken;
}

static LttQemuTaken take_u32(Taking *taking, LttQemuKind kind, guint32 *number)
{
	guint64 wide = 0;
	const LttQemuTaken taken = take_number(taking, kind, &(LttQemuArgument){.bytes = 4}, &wide);

	*number = (guint32)wide;
	return taken;
}

/* ---- parts of an event ---- */

/* Takes the checkpoint and the kind of an asynchronous event. Up to QEMU 7.0, they follow the
 * id. */
static LttQemuTaken take_async(Taking *taking, LttQemuEvent *event)
{
	const LttQemuRelease *release = taking->numbering->release;
	const guint8 *bytes;
	const LttQemuTaken taken = take(taking, LTT_QEMU_N_KINDS, 2, &bytes);

	if (taken != LTT_QEMU_TAKEN)
		return taken;
	if (!ltt_qemu_find_checkpoint(release, bytes[0], &event->checkpoint)) {
		tell(taking, "asynchronous event with checkpoint %u, which QEMU %s does not have",
		     bytes[0], release->name);
		return LTT_QEMU_WRONG;
	}
	if (!ltt_qemu_find_async(release, bytes[1], &event->kind)) {
		tell(taking, "asynchronous event of kind %u, which QEMU %s does not have", bytes[1],
		     release->name);
		return LTT_QEMU_WRONG;
	}
	return LTT_QEMU_TAKEN;
}

static LttQemuTaken take_input(Taking *taking, LttQemuEvent *event)
{
	static const LttQemuInput inputs[] = {LTT_QEMU_KEY_NUMBER, LTT_QEMU_BUTTON,
					      LTT_QEMU_RELATIVE, LTT_QEMU_ABSOLUTE, LTT_QEMU_TOUCH};
	guint32 kind;
	guint32 key = 0;
	LttQemuTaken taken = take_u32(taking, event->kind, &kind);

	if (taken == LTT_QEMU_TAKEN && kind >= G_N_ELEMENTS(inputs)) {
		tell(taking, "input of kind %u: expected 0 to %zu", kind, G_N_ELEMENTS(inputs) - 1);
		return LTT_QEMU_WRONG;
	}
	if (taken != LTT_QEMU_TAKEN)
		return taken;
	event->input = inputs[kind];
	if (event->input != LTT_QEMU_KEY_NUMBER)
		return LTT_QEMU_TAKEN;
	if (ltt_qemu_has(taking->numbering->release, LTT_QEMU_HAS_LINUX_KEYS)) {
		event->input = LTT_QEMU_KEY_LINUX;
		return LTT_QEMU_TAKEN;
	}
	taken = take_u32(taking, event->kind, &key);
	if (taken == LTT_QEMU_TAKEN && key > 1) {
		tell(taking, "key of kind %u: expected 0 or 1", key);
		return LTT_QEMU_WRONG;
	}
	if (key == 1)
		event->input = LTT_QEMU_KEY_QCODE;
	return taken;
}

/* Takes the bytes of an array. During look-ahead, only checks that the file contains them. */
static LttQemuTaken take_bytes(Taking *taking, LttQemuEvent *event, guint32 length)
{
	event->data_bytes = length;
	if (taking->may_look_ahead || ltt_input_get_rest(taking->input, taking->offset) < length)
		return take(taking, event->kind, length, &event->data);
	taking->offset += length;
	return LTT_QEMU_TAKEN;
}

static LttQemuTaken take_data(Taking *taking, LttQemuEvent *event)
{
	guint32 length;
	LttQemuTaken taken = take_u32(taking, event->kind, &length);

	if (taken == LTT_QEMU_TAKEN && length > LTT_QEMU_MAX_DATA) {
		tell(taking, "event %s with %u bytes of data: expected at most %u",
		     ltt_qemu_kind_name(event->kind), length, LTT_QEMU_MAX_DATA);
		return LTT_QEMU_WRONG;
	}
	if (taken == LTT_QEMU_TAKEN)
		taken = take_bytes(taking, event, length);
	return taken;
}

/* Returns whether valid events begin at @offset: EVENTS_AHEAD of them, or all up to the end of the
 * file. Rejects an INSTRUCTION event with a count of 0, because QEMU does not write it, but silent
 * audio samples would be decoded as such events. Gives up after BYTES_AHEAD, to bound the time of
 * the look-ahead. */
static gboolean looks_right(const Taking *taking, guint64 offset)
{
	Taking ahead = {.input = taking->input, .numbering = taking->numbering, .offset = offset};
	LttQemuEvent event;

	for (guint i = 0; i < EVENTS_AHEAD; i++) {
		const LttQemuTaken taken = take_event(&ahead, &event);

		if (taken != LTT_QEMU_TAKEN)
			return taken == LTT_QEMU_CUT;
		if (event.kind == LTT_QEMU_INSTRUCTION && event.numbers[0] == 0)
			return FALSE;
		if (ahead.offset - offset > BYTES_AHEAD)
			return FALSE;
		if (event.kind == LTT_QEMU_END)
			return ltt_input_get_rest(ahead.input, ahead.offset) == 0;
	}
	return TRUE;
}

/* Returns whether samples follow in a log that does not contain their number. */
static gboolean has_samples(Taking *taking, guint64 length)
{
	const gboolean fits = length <= ltt_input_get_rest(taking->input, taking->offset);

	if (!taking->may_look_ahead)
		return fits;
	return (fits && looks_right(taking, taking->offset + length)) ||
	       !looks_right(taking, taking->offset);
}

static LttQemuTaken take_samples(Taking *taking, LttQemuEvent *event)
{
	const guint64 n_samples = event->numbers[0];
	const gboolean is_possible = n_samples <= LTT_QEMU_MAX_DATA / LTT_QEMU_SAMPLE_BYTES;
	const guint64 length = is_possible ? n_samples * LTT_QEMU_SAMPLE_BYTES : 0;

	if (ltt_qemu_has(taking->numbering->release, LTT_QEMU_HAS_SAMPLE_COUNTS)) {
		if (!is_possible) {
			tell(taking,
			     "event AUDIO_IN with %" G_GUINT64_FORMAT
			     " samples: expected at most %u",
			     n_samples, LTT_QEMU_MAX_DATA / LTT_QEMU_SAMPLE_BYTES);
			return LTT_QEMU_WRONG;
		}
	} else if (!is_possible || !has_samples(taking, length)) {
		return LTT_QEMU_TAKEN;
	}
	return take_bytes(taking, event, (guint32)length);
}

/* ---- one event ---- */

static LttQemuTaken take_arguments(Taking *taking, LttQemuEvent *event)
{
	const LttQemuSpec *spec = ltt_qemu_get_spec(taking->numbering, event);

	for (guint i = 0; i < spec->n_arguments; i++) {
		const LttQemuTaken taken =
			take_number(taking, event->kind, &spec->arguments[i], &event->numbers[i]);

		if (taken != LTT_QEMU_TAKEN)
			return taken;
	}
	if (spec->data == LTT_QEMU_BYTES_DATA)
		return take_data(taking, event);
	if (spec->data == LTT_QEMU_SAMPLES)
		return take_samples(taking, event);
	return LTT_QEMU_TAKEN;
}

static LttQemuTaken take_event(Taking *taking, LttQemuEvent *event)
{
	const guint8 *bytes;
	const LttQemuId *id;
	LttQemuTaken taken = take(taking, LTT_QEMU_N_KINDS, 1, &bytes);

	if (taken != LTT_QEMU_TAKEN)
		return taken;
	id = &taking->numbering->ids[bytes[0]];
	if (id->kind == LTT_QEMU_N_KINDS) {
		tell(taking, "event id %u: QEMU %s has no id above %u", bytes[0],
		     taking->numbering->release->name, taking->numbering->end);
		return LTT_QEMU_WRONG;
	}
	*event = (LttQemuEvent){.kind = (LttQemuKind)id->kind,
				.cause = (LttQemuCause)id->cause,
				.checkpoint = LTT_QEMU_CHECKPOINT_NOT_TOLD};
	if (id->is_async)
		taken = take_async(taking, event);
	if (taken == LTT_QEMU_TAKEN && event->kind == LTT_QEMU_ASYNC_INPUT)
		taken = take_input(taking, event);
	return taken == LTT_QEMU_TAKEN ? take_arguments(taking, event) : taken;
}

LttQemuTaken ltt_qemu_take_event(LttInput *input, const LttQemuNumbering *numbering,
				 guint64 *offset, LttQemuEvent *event, char *message,
				 GError **error)
{
	Taking taking = {.input = input,
			 .numbering = numbering,
			 .offset = *offset,
			 .may_look_ahead = TRUE,
			 .message = message,
			 .error = error};
	const LttQemuTaken taken = take_event(&taking, event);

	if (taken == LTT_QEMU_TAKEN)
		*offset = taking.offset;
	return taken;
}
