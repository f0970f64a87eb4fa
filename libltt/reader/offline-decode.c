/* offline-decode.c - decode payloads to the structs of generated code.
 *
 * The payload was measured when its block was decoded, so the lengths, union codes and ends of
 * strings in it are valid.
 */
#include "base/bytes-priv.h"
#include "reader/offline-priv.h"

#include <ltt/ltt-value.h>

static const guint8 *decode_value(LttDecode *decode, const LttPlan *plan, const guint8 *at,
				  guint8 *out);

static const guint8 *skip(const LttDecode *decode, const LttLayout *layout, const guint8 *at)
{
	const LttValue value = {.layout = layout,
				.bytes = at,
				.available = (gsize)(decode->end - at),
				.byte_order = decode->byte_order};

	return at + ltt_value_get_size(&value);
}

static void note_unfit(LttDecode *decode, LttUnfit unfit, const char *name)
{
	if (decode->unfit != LTT_UNFIT_NOTHING)
		return;
	decode->unfit = unfit;
	decode->name = name != NULL ? name : "value";
}

static guint64 load_integer(const guint8 *at, guint width_bytes, gboolean is_signed,
			    LttByteOrder order)
{
	return is_signed ? (guint64)ltt_load_int(at, width_bytes, order)
			 : ltt_load_uint(at, width_bytes, order);
}

static void decode_integer(LttDecode *decode, const LttPlan *plan, const guint8 *at, guint8 *out)
{
	const LttLayout *layout = plan->layout;
	const guint size_bytes = (guint)plan->node->size_bytes;
	const gboolean is_signed = plan->node->is_signed != 0;
	const guint64 number =
		load_integer(at, layout->width_bytes, layout->is_signed, decode->byte_order);
	guint64 stored;

	ltt_store_uint(out, size_bytes, number, LTT_NATIVE_ENDIAN);
	stored = load_integer(out, size_bytes, is_signed, LTT_NATIVE_ENDIAN);
	if (stored == number && (layout->is_signed == is_signed || (gint64)number >= 0))
		return;
	ltt_store_uint(out, size_bytes, 0, LTT_NATIVE_ENDIAN);
	note_unfit(decode, LTT_UNFIT_NUMBER, plan->node->name);
}

static void decode_float(const LttDecode *decode, const LttPlan *plan, const guint8 *at,
			 guint8 *out)
{
	const LttValue value = {.layout = plan->layout,
				.bytes = at,
				.available = plan->layout->width_bytes,
				.byte_order = decode->byte_order};
	const double number = ltt_value_get_float(&value);
	const float narrow = (float)number;

	/* Copies a float as bits: a conversion through double would change a signalling NaN. */
	if (plan->is_same)
		ltt_store_uint(out, plan->layout->width_bytes,
			       ltt_load_uint(at, plan->layout->width_bytes, decode->byte_order),
			       LTT_NATIVE_ENDIAN);
	else if (plan->node->size_bytes == sizeof(narrow))
		memcpy(out, &narrow, sizeof(narrow));
	else
		memcpy(out, &number, sizeof(number));
}

/* Returns: whether the element has the same byte in memory as in the trace */
static gboolean is_byte(const LttPlan *element)
{
	return element != NULL && element->is_same && element->layout->width_bytes == 1 &&
	       ltt_offline_is_integer(element->node->kind);
}

/* Decodes @n_elements. Returns: the end of the last one */
static const guint8 *decode_elements(LttDecode *decode, const LttPlan *plan, guint64 n_elements,
				     const guint8 *at, guint8 *out)
{
	const LttPlan *element = plan->parts[0];

	if (is_byte(element)) {
		memcpy(out, at, n_elements);
		return at + n_elements;
	}
	for (guint64 i = 0; i < n_elements; i++) {
		if (element == NULL) {
			at = skip(decode, plan->layout->element, at);
			continue;
		}
		at = decode_value(decode, element, at, out);
		out += element->node->size_bytes;
	}
	return at;
}

/* Returns: (nullable): zeroed memory until the next event is read; NULL: there is none */
static gpointer allocate(LttDecode *decode, guint64 n_elements, gsize size_bytes)
{
	gpointer memory;

	if (n_elements > G_MAXSIZE / size_bytes)
		return NULL;
	memory = g_try_malloc0_n((gsize)n_elements, size_bytes);
	if (memory != NULL)
		g_ptr_array_add(decode->memory, memory);
	return memory;
}

static const guint8 *decode_sequence(LttDecode *decode, const LttPlan *plan, const guint8 *at,
				     guint8 *out)
{
	const LttPlan *element = plan->parts[0];
	LttOfflineSequence sequence = {
		.length = (gsize)ltt_load_uint(at, plan->layout->width_bytes, decode->byte_order)};
	gpointer items = NULL;

	at += plan->layout->width_bytes;
	sequence.items = at;
	if (element != NULL && !is_byte(element)) {
		if (sequence.length > 0)
			items = allocate(decode, sequence.length, element->node->size_bytes);
		if (sequence.length > 0 && items == NULL)
			note_unfit(decode, LTT_UNFIT_MEMORY, plan->node->name);
		sequence.items = items;
	}
	if (is_byte(element) || items != NULL)
		memcpy(out, &sequence, sizeof(sequence));
	if (is_byte(element))
		return at + sequence.length;
	if (items != NULL)
		return decode_elements(decode, plan, sequence.length, at, items);
	for (gsize i = 0; i < sequence.length; i++)
		at = skip(decode, plan->layout->element, at);
	return at;
}

static const guint8 *decode_struct(LttDecode *decode, const LttPlan *plan, const guint8 *at,
				   guint8 *out)
{
	for (guint i = 0; i < plan->layout->n_members; i++) {
		const LttPlan *part = plan->parts[i];

		if (part == NULL)
			at = skip(decode, plan->layout->members[i].layout, at);
		else
			at = decode_value(decode, part, at, out + part->node->offset_bytes);
	}
	return at;
}

static const guint8 *decode_union(LttDecode *decode, const LttPlan *plan, const guint8 *at,
				  guint8 *out)
{
	const guint64 code = ltt_load_uint(at, plan->layout->width_bytes, decode->byte_order);
	const LttPlan *part = plan->parts[code];

	at += plan->layout->width_bytes;
	if (part == NULL) {
		note_unfit(decode, LTT_UNFIT_UNION, plan->node->name);
		return skip(decode, plan->layout->members[code].layout, at);
	}
	if (part->missing != NULL)
		note_unfit(decode, LTT_UNFIT_FIELD, part->missing);
	ltt_store_uint(out, plan->node->code_bytes, plan->codes[code], LTT_NATIVE_ENDIAN);
	return decode_value(decode, part, at, out + part->node->offset_bytes);
}

/* Decodes the value at @at to @out. Returns: its end */
static const guint8 *decode_value(LttDecode *decode, const LttPlan *plan, const guint8 *at,
				  guint8 *out)
{
	switch (plan->node->kind) {
	case LTT_STRING:
		memcpy(out, &at, sizeof(at));
		return at + strlen((const char *)at) + 1;
	case LTT_FLOAT:
		decode_float(decode, plan, at, out);
		return at + plan->layout->width_bytes;
	case LTT_ARRAY:
		return decode_elements(decode, plan, plan->layout->n_elements, at, out);
	case LTT_SEQUENCE:
		return decode_sequence(decode, plan, at, out);
	case LTT_STRUCT:
		return decode_struct(decode, plan, at, out);
	case LTT_UNION:
		return decode_union(decode, plan, at, out);
	default:
		decode_integer(decode, plan, at, out);
		return at + plan->layout->width_bytes;
	}
}

void ltt_decode_struct(LttDecode *decode, const LttPlan *plan, const guint8 *payload, gpointer out)
{
	decode_value(decode, plan, payload, out);
}
