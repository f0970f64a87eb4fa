/* events.c - convert events of a QEMU log to events of a trace, and back. */
#include "formats/qemu/events-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

#define CHECK_INDEX(name) G_STATIC_ASSERT((int)LTT_QEMU_##name == (int)qemu_replay_##name##_index);
LTT_QEMU_KINDS(CHECK_INDEX)
#undef CHECK_INDEX

typedef struct qemu_replay_AUDIO_IN_samples Sample;

G_STATIC_ASSERT(sizeof(Sample) == LTT_QEMU_SAMPLE_BYTES);

/* ---- log to trace ---- */

static void write_input(LttPayload *payload, const LttQemuRelease *release,
			const LttQemuEvent *event)
{
	const guint64 *numbers = event->numbers;
	struct qemu_replay_ASYNC_INPUT out = {.checkpoint = (guint8)event->checkpoint,
					      .input.code = (guint8)event->input};

	switch (event->input) {
	case LTT_QEMU_KEY_NUMBER:
		out.input.u.key_number.number = numbers[0];
		out.input.u.key_number.down = (guint8)numbers[1];
		break;
	case LTT_QEMU_KEY_QCODE:
		out.input.u.key_qcode.qcode = ltt_qemu_find_qcode(release, numbers[0]);
		out.input.u.key_qcode.number = (guint32)numbers[0];
		out.input.u.key_qcode.down = (guint8)numbers[1];
		break;
	case LTT_QEMU_KEY_LINUX:
		out.input.u.key_linux.code = (guint32)numbers[0];
		out.input.u.key_linux.down = (guint8)numbers[1];
		break;
	case LTT_QEMU_BUTTON:
		out.input.u.button.button = (guint32)numbers[0];
		out.input.u.button.down = (guint8)numbers[1];
		break;
	case LTT_QEMU_RELATIVE:
		out.input.u.relative.axis = (guint32)numbers[0];
		out.input.u.relative.value = (gint64)numbers[1];
		break;
	case LTT_QEMU_ABSOLUTE:
		out.input.u.absolute.axis = (guint32)numbers[0];
		out.input.u.absolute.value = (gint64)numbers[1];
		break;
	default:
		out.input.u.touch.type = (guint32)numbers[0];
		out.input.u.touch.slot = (gint64)numbers[1];
		out.input.u.touch.tracking_id = (gint64)numbers[2];
		out.input.u.touch.axis = (guint32)numbers[3];
		out.input.u.touch.value = (gint64)numbers[4];
		break;
	}
	write_qemu_replay_ASYNC_INPUT(payload, &out);
}

static void write_audio_in(LttPayload *payload, const LttQemuRelease *release, GByteArray *samples,
			   const LttQemuEvent *event)
{
	struct qemu_replay_AUDIO_IN out = {.recorded = event->numbers[0]};

	if (!ltt_qemu_has(release, LTT_QEMU_HAS_SAMPLE_COUNTS))
		out.position = event->numbers[1];
	g_byte_array_set_size(samples, event->data_bytes);
	for (guint32 i = 0; i + 8 <= event->data_bytes; i += 8)
		ltt_store_u64(samples->data + i, ltt_load_u64(event->data + i, LTT_BIG_ENDIAN),
			      LTT_NATIVE_ENDIAN);
	out.samples.length = event->data_bytes / LTT_QEMU_SAMPLE_BYTES;
	out.samples.items = (const Sample *)(gconstpointer)samples->data;
	write_qemu_replay_AUDIO_IN(payload, &out);
}

/* Writes the payload of an event from the members of its struct. */
#define WRITE(name, ...)                                                                           \
	write_qemu_replay_##name(payload, &(const struct qemu_replay_##name){__VA_ARGS__})

void ltt_qemu_write_event(LttPayload *payload, const LttQemuRelease *release, GByteArray *samples,
			  const LttQemuEvent *event)
{
	const guint8 checkpoint = (guint8)event->checkpoint;
	const guint64 *numbers = event->numbers;

	ltt_payload_reset(payload);
	switch (event->kind) {
	case LTT_QEMU_INSTRUCTION:
		WRITE(INSTRUCTION, .count = (guint32)numbers[0]);
		break;
	case LTT_QEMU_ASYNC_BH:
		WRITE(ASYNC_BH, .checkpoint = checkpoint, .id = numbers[0]);
		break;
	case LTT_QEMU_ASYNC_BH_ONESHOT:
		WRITE(ASYNC_BH_ONESHOT, .checkpoint = checkpoint, .id = numbers[0]);
		break;
	case LTT_QEMU_ASYNC_INPUT:
		write_input(payload, release, event);
		break;
	case LTT_QEMU_ASYNC_INPUT_SYNC:
		WRITE(ASYNC_INPUT_SYNC, .checkpoint = checkpoint);
		break;
	case LTT_QEMU_ASYNC_CHAR_READ:
		WRITE(ASYNC_CHAR_READ, .checkpoint = checkpoint, .device = (guint8)numbers[0],
		      .data = {event->data_bytes, event->data});
		break;
	case LTT_QEMU_ASYNC_BLOCK:
		WRITE(ASYNC_BLOCK, .checkpoint = checkpoint, .id = numbers[0]);
		break;
	case LTT_QEMU_ASYNC_NET:
		WRITE(ASYNC_NET, .checkpoint = checkpoint, .adapter = (guint8)numbers[0],
		      .flags = (guint32)numbers[1], .data = {event->data_bytes, event->data});
		break;
	case LTT_QEMU_SHUTDOWN:
		WRITE(SHUTDOWN, .cause = (guint8)event->cause);
		break;
	case LTT_QEMU_CHAR_WRITE:
		WRITE(CHAR_WRITE, .result = (gint32)numbers[0], .offset = (guint32)numbers[1]);
		break;
	case LTT_QEMU_CHAR_READ_ALL:
		WRITE(CHAR_READ_ALL, .data = {event->data_bytes, event->data});
		break;
	case LTT_QEMU_CHAR_READ_ALL_ERROR:
		WRITE(CHAR_READ_ALL_ERROR, .error = (gint32)numbers[0]);
		break;
	case LTT_QEMU_AUDIO_OUT:
		WRITE(AUDIO_OUT, .played = numbers[0]);
		break;
	case LTT_QEMU_AUDIO_IN:
		write_audio_in(payload, release, samples, event);
		break;
	case LTT_QEMU_RANDOM:
		WRITE(RANDOM, .result = (gint32)numbers[0],
		      .data = {event->data_bytes, event->data});
		break;
	case LTT_QEMU_CLOCK_HOST:
		WRITE(CLOCK_HOST, .value = (gint64)numbers[0]);
		break;
	case LTT_QEMU_CLOCK_VIRTUAL_RT:
		WRITE(CLOCK_VIRTUAL_RT, .value = (gint64)numbers[0]);
		break;
	default: /* these events have no payload */
		break;
	}
}
#undef WRITE

/* ---- trace to log ---- */

/* The payload of any event. */
typedef union Struct {
	struct qemu_replay_INSTRUCTION instruction;
	struct qemu_replay_ASYNC_BH bh;
	struct qemu_replay_ASYNC_BH_ONESHOT oneshot;
	struct qemu_replay_ASYNC_INPUT input;
	struct qemu_replay_ASYNC_INPUT_SYNC input_sync;
	struct qemu_replay_ASYNC_CHAR_READ char_read;
	struct qemu_replay_ASYNC_BLOCK block;
	struct qemu_replay_ASYNC_NET net;
	struct qemu_replay_SHUTDOWN shutdown;
	struct qemu_replay_CHAR_WRITE char_write;
	struct qemu_replay_CHAR_READ_ALL char_read_all;
	struct qemu_replay_CHAR_READ_ALL_ERROR char_read_all_error;
	struct qemu_replay_AUDIO_OUT audio_out;
	struct qemu_replay_AUDIO_IN audio_in;
	struct qemu_replay_RANDOM random;
	struct qemu_replay_CLOCK_HOST clock_host;
	struct qemu_replay_CLOCK_VIRTUAL_RT clock_virtual_rt;
} Struct;

static void set_numbers(LttQemuEvent *out, guint64 first, guint64 second)
{
	out->numbers[0] = first;
	out->numbers[1] = second;
}

static void set_data(LttQemuEvent *out, const guint8 *data, gsize length)
{
	out->data = data;
	out->data_bytes = (guint32)length;
}

static void set_input(LttQemuEvent *out, const struct qemu_replay_input *in)
{
	out->input = (LttQemuInput)in->code;
	switch (out->input) {
	case LTT_QEMU_KEY_NUMBER:
		set_numbers(out, in->u.key_number.number, in->u.key_number.down);
		break;
	case LTT_QEMU_KEY_QCODE:
		set_numbers(out, in->u.key_qcode.number, in->u.key_qcode.down);
		break;
	case LTT_QEMU_KEY_LINUX:
		set_numbers(out, in->u.key_linux.code, in->u.key_linux.down);
		break;
	case LTT_QEMU_BUTTON:
		set_numbers(out, in->u.button.button, in->u.button.down);
		break;
	case LTT_QEMU_RELATIVE:
		set_numbers(out, in->u.relative.axis, (guint64)in->u.relative.value);
		break;
	case LTT_QEMU_ABSOLUTE:
		set_numbers(out, in->u.absolute.axis, (guint64)in->u.absolute.value);
		break;
	default:
		set_numbers(out, in->u.touch.type, (guint64)in->u.touch.slot);
		out->numbers[2] = (guint64)in->u.touch.tracking_id;
		out->numbers[3] = in->u.touch.axis;
		out->numbers[4] = (guint64)in->u.touch.value;
		break;
	}
}

static void set_audio_in(LttQemuEvent *out, const struct qemu_replay_AUDIO_IN *in,
			 GByteArray *samples)
{
	guint8 *at;

	g_byte_array_set_size(samples, (guint)(in->samples.length * LTT_QEMU_SAMPLE_BYTES));
	at = samples->data;
	for (gsize i = 0; i < in->samples.length; i++, at += LTT_QEMU_SAMPLE_BYTES) {
		ltt_store_u64(at, (guint64)in->samples.items[i].left, LTT_BIG_ENDIAN);
		ltt_store_u64(at + 8, (guint64)in->samples.items[i].right, LTT_BIG_ENDIAN);
	}
	set_numbers(out, in->recorded, in->position);
	set_data(out, samples->data, samples->len);
}

static void set_event(LttQemuEvent *out, const Struct *in, GByteArray *samples)
{
	switch (out->kind) {
	case LTT_QEMU_INSTRUCTION:
		set_numbers(out, in->instruction.count, 0);
		break;
	case LTT_QEMU_ASYNC_BH:
		out->checkpoint = (LttQemuCheckpoint)in->bh.checkpoint;
		set_numbers(out, in->bh.id, 0);
		break;
	case LTT_QEMU_ASYNC_BH_ONESHOT:
		out->checkpoint = (LttQemuCheckpoint)in->oneshot.checkpoint;
		set_numbers(out, in->oneshot.id, 0);
		break;
	case LTT_QEMU_ASYNC_INPUT:
		out->checkpoint = (LttQemuCheckpoint)in->input.checkpoint;
		set_input(out, &in->input.input);
		break;
	case LTT_QEMU_ASYNC_INPUT_SYNC:
		out->checkpoint = (LttQemuCheckpoint)in->input_sync.checkpoint;
		break;
	case LTT_QEMU_ASYNC_CHAR_READ:
		out->checkpoint = (LttQemuCheckpoint)in->char_read.checkpoint;
		set_numbers(out, in->char_read.device, 0);
		set_data(out, in->char_read.data.items, in->char_read.data.length);
		break;
	case LTT_QEMU_ASYNC_BLOCK:
		out->checkpoint = (LttQemuCheckpoint)in->block.checkpoint;
		set_numbers(out, in->block.id, 0);
		break;
	case LTT_QEMU_ASYNC_NET:
		out->checkpoint = (LttQemuCheckpoint)in->net.checkpoint;
		set_numbers(out, in->net.adapter, in->net.flags);
		set_data(out, in->net.data.items, in->net.data.length);
		break;
	case LTT_QEMU_SHUTDOWN:
		out->cause = (LttQemuCause)in->shutdown.cause;
		break;
	case LTT_QEMU_CHAR_WRITE:
		set_numbers(out, (guint64)in->char_write.result, in->char_write.offset);
		break;
	case LTT_QEMU_CHAR_READ_ALL:
		set_data(out, in->char_read_all.data.items, in->char_read_all.data.length);
		break;
	case LTT_QEMU_CHAR_READ_ALL_ERROR:
		set_numbers(out, (guint64)in->char_read_all_error.error, 0);
		break;
	case LTT_QEMU_AUDIO_OUT:
		set_numbers(out, in->audio_out.played, 0);
		break;
	case LTT_QEMU_AUDIO_IN:
		set_audio_in(out, &in->audio_in, samples);
		break;
	case LTT_QEMU_RANDOM:
		set_numbers(out, (guint64)in->random.result, 0);
		set_data(out, in->random.data.items, in->random.data.length);
		break;
	case LTT_QEMU_CLOCK_HOST:
		set_numbers(out, (guint64)in->clock_host.value, 0);
		break;
	case LTT_QEMU_CLOCK_VIRTUAL_RT:
		set_numbers(out, (guint64)in->clock_virtual_rt.value, 0);
		break;
	default:
		break;
	}
}

gboolean ltt_qemu_read_event(LttOfflineReader *reader, const LttEvent *event, GByteArray *samples,
			     LttQemuEvent *out, GError **error)
{
	const guint index = ltt_offline_reader_find(reader, event);
	Struct in;

	*out = (LttQemuEvent){.kind = LTT_QEMU_N_KINDS, .checkpoint = LTT_QEMU_CHECKPOINT_NOT_TOLD};
	if (index == LTT_OFFLINE_UNKNOWN)
		return TRUE;
	if (ltt_offline_qemu_replay.events[index].node == 0)
		memset(&in, 0, sizeof(in)); /* no payload */
	else if (!ltt_offline_reader_read(reader, event, index, &in, error))
		return FALSE;
	out->kind = (LttQemuKind)index;
	set_event(out, &in, samples);
	return TRUE;
}
