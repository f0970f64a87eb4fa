/* writer.c - encode an event as a release of QEMU writes it. */
#include "base/bytes-priv.h"
#include "formats/qemu/file/qemu-priv.h"

static void put(GByteArray *out, guint width, guint64 value)
{
	guint8 bytes[8];

	ltt_store_uint(bytes, width, value, LTT_BIG_ENDIAN);
	g_byte_array_append(out, bytes, width);
}

/* Returns: FALSE if the release has no such asynchronous event */
static gboolean put_async(GByteArray *out, const LttQemuNumbering *numbering,
			  const LttQemuEvent *event)
{
	guint8 checkpoint;
	guint8 kind;

	if (!ltt_qemu_get_checkpoint(numbering->release, event->checkpoint, &checkpoint) ||
	    !ltt_qemu_get_async(numbering->release, event->kind, &kind))
		return FALSE;
	put(out, 1, numbering->kinds[LTT_QEMU_ASYNC_BH]);
	put(out, 1, checkpoint);
	put(out, 1, kind);
	return TRUE;
}

static gboolean put_id(GByteArray *out, const LttQemuNumbering *numbering,
		       const LttQemuEvent *event)
{
	const guint8 id = numbering->kinds[event->kind];
	guint8 cause = 0;

	if (ltt_qemu_is_async(event->kind) &&
	    ltt_qemu_has(numbering->release, LTT_QEMU_HAS_ONE_ASYNC))
		return put_async(out, numbering, event);
	if (numbering->ids[id].kind != event->kind ||
	    (event->kind == LTT_QEMU_SHUTDOWN &&
	     !ltt_qemu_get_cause(numbering->release, event->cause, &cause)))
		return FALSE;
	put(out, 1, id + cause);
	return TRUE;
}

static gboolean put_input(GByteArray *out, const LttQemuNumbering *numbering,
			  const LttQemuEvent *event)
{
	static const guint8 numbers[LTT_QEMU_N_INPUTS] = {
		[LTT_QEMU_KEY_NUMBER] = 0, [LTT_QEMU_KEY_QCODE] = 0, [LTT_QEMU_KEY_LINUX] = 0,
		[LTT_QEMU_BUTTON] = 1,     [LTT_QEMU_RELATIVE] = 2,  [LTT_QEMU_ABSOLUTE] = 3,
		[LTT_QEMU_TOUCH] = 4,
	};
	const gboolean is_key = numbers[event->input] == 0;

	if (is_key && ltt_qemu_has(numbering->release, LTT_QEMU_HAS_LINUX_KEYS) !=
			      (event->input == LTT_QEMU_KEY_LINUX))
		return FALSE;
	put(out, 4, numbers[event->input]);
	if (is_key && event->input != LTT_QEMU_KEY_LINUX)
		put(out, 4, event->input == LTT_QEMU_KEY_QCODE);
	return TRUE;
}

static void put_arguments(GByteArray *out, const LttQemuNumbering *numbering,
			  const LttQemuEvent *event)
{
	const LttQemuSpec *spec = ltt_qemu_get_spec(numbering, event);

	for (guint i = 0; i < spec->n_arguments; i++)
		put(out, spec->arguments[i].bytes, event->numbers[i]);
	if (spec->data == LTT_QEMU_BYTES_DATA)
		put(out, 4, event->data_bytes);
	if (spec->data != LTT_QEMU_NO_DATA && event->data_bytes > 0)
		g_byte_array_append(out, event->data, event->data_bytes);
}

gboolean ltt_qemu_put_event(GByteArray *out, const LttQemuNumbering *numbering,
			    const LttQemuEvent *event)
{
	const guint start = out->len;

	if (!put_id(out, numbering, event) ||
	    (event->kind == LTT_QEMU_ASYNC_INPUT && !put_input(out, numbering, event))) {
		g_byte_array_set_size(out, start);
		return FALSE;
	}
	put_arguments(out, numbering, event);
	return TRUE;
}
