/* raw-plan.c - convert raw events of a tracepoint to payloads.
 *
 * Adjacent fields whose payload has the same bytes are copied together.
 */
#include "tracepoint/raw-priv.h"

/* Part of a plan. */
typedef struct Step {
	LttTracepointKind kind; /* LTT_TRACEPOINT_NUMBER: copy size bytes */
	guint32 offset;
	guint32 size;
	guint32 count; /* of LOC_TEXTS: number of locations */
	guint32 base;  /* of a location */
	guint8 width;  /* of an element of LOC_ARRAY */
} Step;

struct LttRawPlan {
	GArray *steps;
	gsize raw_bytes;   /* minimum size of a raw event */
	gsize fixed_bytes; /* of the parts of the payload that have a fixed size */
	gboolean is_fixed; /* there are no other parts */
};

/* ---- the plan ---- */

/* Extends the previous step if it copies the bytes before the field. */
static void add_copy(LttRawPlan *plan, guint32 offset, guint32 size)
{
	const Step step = {.kind = LTT_TRACEPOINT_NUMBER, .offset = offset, .size = size};
	Step *last = plan->steps->len > 0 ? &g_array_index(plan->steps, Step, plan->steps->len - 1)
					  : NULL;

	plan->fixed_bytes += size;
	if (last != NULL && last->kind == LTT_TRACEPOINT_NUMBER &&
	    last->offset + last->size == offset)
		last->size += size;
	else
		g_array_append_val(plan->steps, step);
}

LttRawPlan *ltt_raw_plan_new(const LttTracepoint *tracepoint)
{
	LttRawPlan *plan = g_new0(LttRawPlan, 1);

	plan->steps = g_array_new(FALSE, FALSE, sizeof(Step));
	plan->is_fixed = TRUE;
	for (guint i = 0; i < tracepoint->fields->len; i++) {
		const LttTracepointField *field =
			&g_array_index(tracepoint->fields, LttTracepointField, i);
		const Step step = {.kind = field->kind,
				   .offset = field->offset,
				   .size = field->size,
				   .count = field->count,
				   .base = field->base,
				   .width = field->width};

		if (ltt_tracepoint_field_is_implied(field))
			continue;
		plan->raw_bytes = MAX(plan->raw_bytes, (gsize)field->offset + field->size);
		if (field->kind == LTT_TRACEPOINT_NUMBER || field->kind == LTT_TRACEPOINT_ARRAY) {
			add_copy(plan, field->offset, field->size);
		} else {
			g_array_append_val(plan->steps, step);
			plan->is_fixed = FALSE;
		}
	}
	return plan;
}

void ltt_raw_plan_free(LttRawPlan *plan)
{
	if (plan == NULL)
		return;
	g_array_unref(plan->steps);
	g_free(plan);
}

/* ---- raw events ---- */

static gsize text_length(LttRawData text)
{
	const guint8 *nul = memchr(text.bytes, '\0', text.size);

	return nul != NULL ? (gsize)(nul - text.bytes) : text.size;
}

static guint8 *write_text(guint8 *out, LttRawData text)
{
	const gsize length = text_length(text);

	memcpy(out, text.bytes, length);
	out[length] = '\0';
	return out + length + 1;
}

static LttRawData locate_text(const Step *step, const guint8 *raw, gsize raw_bytes, guint32 index)
{
	return ltt_raw_locate(raw, raw_bytes, step->offset + index * (guint32)sizeof(guint32),
			      step->base);
}

static gsize measure_step(const Step *step, const guint8 *raw, gsize raw_bytes)
{
	gsize size = 0;
	LttRawData data;

	switch (step->kind) {
	case LTT_TRACEPOINT_TEXT:
		return text_length((LttRawData){raw + step->offset, step->size}) + 1;
	case LTT_TRACEPOINT_LOC_TEXT:
		return text_length(locate_text(step, raw, raw_bytes, 0)) + 1;
	case LTT_TRACEPOINT_LOC_ARRAY:
		data = locate_text(step, raw, raw_bytes, 0);
		return sizeof(guint32) + data.size / step->width * step->width;
	case LTT_TRACEPOINT_LOC_TEXTS:
		for (guint32 i = 0; i < step->count; i++)
			size += text_length(locate_text(step, raw, raw_bytes, i)) + 1;
		return size;
	default:
		return 0; /* part of fixed_bytes */
	}
}

gsize ltt_raw_plan_measure(const LttRawPlan *plan, const guint8 *raw, gsize raw_bytes)
{
	gsize size = plan->fixed_bytes;

	if (raw_bytes < plan->raw_bytes)
		return G_MAXSIZE;
	for (guint i = 0; !plan->is_fixed && i < plan->steps->len; i++)
		size += measure_step(&g_array_index(plan->steps, Step, i), raw, raw_bytes);
	return size;
}

static guint8 *write_array(const Step *step, LttRawData data, guint8 *out)
{
	const guint32 count = (guint32)(data.size / step->width);

	memcpy(out, &count, sizeof(count));
	memcpy(out + sizeof(count), data.bytes, (gsize)count * step->width);
	return out + sizeof(count) + (gsize)count * step->width;
}

void ltt_raw_plan_write(const LttRawPlan *plan, const guint8 *raw, gsize raw_bytes, guint8 *out)
{
	for (guint i = 0; i < plan->steps->len; i++) {
		const Step *step = &g_array_index(plan->steps, Step, i);

		switch (step->kind) {
		case LTT_TRACEPOINT_TEXT:
			out = write_text(out, (LttRawData){raw + step->offset, step->size});
			break;
		case LTT_TRACEPOINT_LOC_TEXT:
			out = write_text(out, locate_text(step, raw, raw_bytes, 0));
			break;
		case LTT_TRACEPOINT_LOC_ARRAY:
			out = write_array(step, locate_text(step, raw, raw_bytes, 0), out);
			break;
		case LTT_TRACEPOINT_LOC_TEXTS:
			for (guint32 n = 0; n < step->count; n++)
				out = write_text(out, locate_text(step, raw, raw_bytes, n));
			break;
		default:
			memcpy(out, raw + step->offset, step->size);
			out += step->size;
			break;
		}
	}
}
