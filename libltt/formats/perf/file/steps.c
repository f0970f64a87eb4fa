/* steps.c - compile fields into steps (steps-priv.h). steps-pack.c and steps-unpack.c execute
 * them. */
#include "formats/perf/file/steps-priv.h"

/* Maximum number of steps of an event. Larger events take the slow path. */
#define MOST_STEPS 1024

typedef struct Compiler {
	LttPerfArena *arena;
	LttPerfSteps *steps;
} Compiler;

static gboolean add_fields(Compiler *compiler, const LttPerfField *fields, guint n_fields);

static gboolean add(Compiler *compiler, LttPerfStep step)
{
	LttPerfSteps *steps = compiler->steps;
	LttPerfStep *last = steps->n_steps > 0 ? &steps->steps[steps->n_steps - 1] : NULL;

	if (step.kind == LTT_PERF_STEP_COPY && last != NULL && last->kind == step.kind &&
	    step.size <= G_MAXUINT32 - last->size) {
		last->size += step.size;
		return TRUE;
	}
	if (steps->n_steps == MOST_STEPS)
		return FALSE;
	steps->steps[steps->n_steps++] = step;
	return TRUE;
}

static gboolean add_copy(Compiler *compiler, gsize size)
{
	return size <= G_MAXUINT16 &&
	       add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_COPY, .size = (guint32)size});
}

/* Adds a step for a count, @n_front members and items. The items have a fixed size, except that a
 * PARTS can be at the end, as in branches. */
static gboolean add_items(Compiler *compiler, const LttPerfField *field, guint n_front)
{
	const LttPerfField *items = field->members + n_front;
	guint n_items = field->n_members - n_front;
	LttPerfStep step = {.kind = LTT_PERF_STEP_ITEMS,
			    .width = field->kind == LTT_PERF_BEHIND ? sizeof(guint64)
								    : field->width};
	gsize front = 0;
	gsize size;

	if (n_items == 0)
		return FALSE;
	if (n_front > 0) {
		front = ltt_perf_fields_get_size(field->members, n_front);
		if (front == 0 || front > G_MAXUINT16)
			return FALSE;
		compiler->steps->are_same = FALSE;
	}
	if (items[n_items - 1].kind == LTT_PERF_PARTS) {
		LttPerfNumbers *numbers;

		if (!ltt_perf_parts_are_numbers(&items[n_items - 1]) ||
		    !ltt_perf_parts_cover_all(&items[n_items - 1]))
			return FALSE;
		n_items--;
		numbers = g_new0(LttPerfNumbers, 1);
		g_ptr_array_add(compiler->arena, numbers);
		ltt_perf_numbers_init(numbers, &items[n_items]);
		step.numbers = numbers;
		compiler->steps->are_same = FALSE;
		compiler->steps->have_numbers = TRUE;
	}
	size = ltt_perf_fields_get_size(items, n_items);
	if (size == 0 || size > G_MAXUINT16)
		return FALSE;
	/* LTT_PERF_STEPS_SPARE assumes that an item grows by at most half of its size. */
	if (step.numbers != NULL && step.numbers->n_bytes > 8 + (size + 8) / 2)
		return FALSE;
	step.front = (guint32)front;
	step.size = (guint32)size;
	return add(compiler, step);
}

static gboolean add_choice(Compiler *compiler, const LttPerfField *field)
{
	guint32 *sizes = g_new0(guint32, field->n_members);

	g_ptr_array_add(compiler->arena, sizes);
	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *member = &field->members[i];
		const gboolean is_empty = member->kind == LTT_PERF_STRUCT && member->n_members == 0;
		const gsize size = ltt_perf_field_get_size(member);

		if ((size == 0 && !is_empty) || size > G_MAXUINT16)
			return FALSE;
		sizes[i] = (guint32)size;
	}
	return add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_CHOICE,
					   .width = field->width,
					   .size = field->n_members,
					   .sizes = sizes});
}

static gboolean add_parts(Compiler *compiler, const LttPerfField *field)
{
	compiler->steps->are_same = FALSE;
	compiler->steps->spare_bytes += LTT_PERF_MAX_PARTS_BYTES;
	return ltt_perf_parts_cover_all(field) &&
	       add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_PARTS, .field = field});
}

/* ---- the raw bytes of a tracepoint ---- */

static gboolean add_placed(Compiler *compiler, const LttPerfField *member)
{
	const gsize size = ltt_perf_field_get_placed_size(member);
	LttPerfStep step = {.size = (guint32)size, .base = member->n};

	switch (member->kind) {
	case LTT_PERF_TEXT:
		step.kind = LTT_PERF_STEP_TEXT;
		compiler->steps->spare_bytes++;
		return add(compiler, step);
	case LTT_PERF_LOC_TEXT:
		step.kind = LTT_PERF_STEP_LOC_TEXT;
		return add(compiler, step);
	case LTT_PERF_LOC_ITEMS:
		step.kind = LTT_PERF_STEP_LOC_ITEMS;
		step.size = (guint32)ltt_perf_fields_get_size(member->members, member->n_members);
		return step.size > 0 && add(compiler, step);
	case LTT_PERF_LOC_TEXTS:
		return FALSE;
	default:
		return add_copy(compiler, size);
	}
}

static gboolean add_raw(Compiler *compiler, const LttPerfField *field)
{
	LttPerfSteps *steps = compiler->steps;
	const guint raw = steps->n_steps;
	gsize end = 0;

	steps->are_same = FALSE;
	if (!add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_RAW}))
		return FALSE;
	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *member = &field->members[i];
		const gsize size = ltt_perf_field_get_placed_size(member);

		if (size == 0 || size > G_MAXUINT16 || member->place < end ||
		    member->place > G_MAXUINT16)
			return FALSE;
		if (member->place > end &&
		    !add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_ZERO,
						 .size = member->place - (guint32)end}))
			return FALSE;
		if (!add_placed(compiler, member))
			return FALSE;
		end = member->place + size;
	}
	steps->steps[raw].size = (guint32)end;
	return add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_RAW_END});
}

/* ---- all kinds ---- */

static gboolean add_field(Compiler *compiler, const LttPerfField *field)
{
	const gsize size = ltt_perf_field_get_size(field);

	if (field->is_optional)
		return FALSE;
	if (size > 0)
		return add_copy(compiler, size);
	switch (field->kind) {
	case LTT_PERF_STRUCT:
		return add_fields(compiler, field->members, field->n_members);
	case LTT_PERF_SEQUENCE:
		return add_items(compiler, field, 0);
	case LTT_PERF_BEHIND:
		return add_items(compiler, field, field->n);
	case LTT_PERF_UNION:
		return add_choice(compiler, field);
	case LTT_PERF_STACK:
		compiler->steps->spare_bytes += sizeof(guint64);
		return add(compiler, (LttPerfStep){.kind = LTT_PERF_STEP_STACK});
	case LTT_PERF_PARTS:
		return add_parts(compiler, field);
	case LTT_PERF_TRACE:
		return add_raw(compiler, field);
	default:
		return FALSE;
	}
}

static gboolean add_fields(Compiler *compiler, const LttPerfField *fields, guint n_fields)
{
	for (guint i = 0; i < n_fields; i++)
		if (!add_field(compiler, &fields[i]))
			return FALSE;
	return TRUE;
}

/* Sets body_bytes if all bodies have the same size. */
static void find_size(LttPerfSteps *steps)
{
	LttPerfStep *raw = NULL;
	guint32 raw_at = 0;
	guint32 at = 0;

	for (guint i = 0; i < steps->n_steps; i++) {
		LttPerfStep *step = &steps->steps[i];

		switch (step->kind) {
		case LTT_PERF_STEP_COPY:
		case LTT_PERF_STEP_ZERO:
			at += step->size;
			break;
		case LTT_PERF_STEP_PARTS:
			at += sizeof(guint64);
			break;
		case LTT_PERF_STEP_RAW:
			raw = step;
			raw_at = at += sizeof(guint32);
			break;
		case LTT_PERF_STEP_RAW_END:
			step->size = -at % sizeof(guint64);
			at += step->size;
			raw->base = at - raw_at;
			break;
		default:
			return;
		}
		if (at > G_MAXUINT16)
			return;
	}
	steps->body_bytes = at;
}

const LttPerfSteps *ltt_perf_steps_new(LttPerfArena *arena, const LttPerfField *fields,
				       guint n_fields)
{
	const gsize most_bytes = sizeof(LttPerfSteps) + MOST_STEPS * sizeof(LttPerfStep);
	Compiler compiler = {.arena = arena, .steps = g_malloc0(most_bytes)};
	LttPerfSteps *steps = compiler.steps;

	steps->are_same = TRUE;
	steps->spare_bytes = LTT_PERF_NUMBERS_SPARE;
	if (!add_fields(&compiler, fields, n_fields) || steps->spare_bytes > LTT_PERF_STEPS_SPARE) {
		g_free(steps);
		return NULL;
	}
	find_size(steps);
	steps = g_realloc(steps, sizeof(*steps) + steps->n_steps * sizeof(LttPerfStep));
	g_ptr_array_add(arena, steps);
	return steps;
}
