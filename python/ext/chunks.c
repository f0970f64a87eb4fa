/* chunks.c - see chunks.h. */
#include "chunks.h"

#include <ltt/ltt-hash.h>

#include <stdlib.h>
#include <string.h>

static void clear_chunk(gpointer chunk)
{
	ltt_batch_unref(((Chunk *)chunk)->batch);
}

void chunks_init(Chunks *self, const LttColumn *column)
{
	self->column = column;
	self->chunks = g_array_new(FALSE, FALSE, sizeof(Chunk));
	g_array_set_clear_func(self->chunks, clear_chunk);
}

void chunks_clear(Chunks *self)
{
	g_clear_pointer(&self->chunks, g_array_unref);
	g_clear_pointer(&self->texts, g_ptr_array_unref);
	g_clear_pointer(&self->known, g_hash_table_unref);
	free(self->joined);
}

void chunks_add(Chunks *self, LttBatch *batch, const LttArray *array)
{
	const Chunk chunk = {ltt_batch_ref(batch), array, self->n_values};

	g_array_append_val(self->chunks, chunk);
	self->n_values += array->n_values;
	self->n_nulls += array->n_nulls;
}

PyObject *chunks_get_value(const Chunks *self, gsize row)
{
	guint low = 0;
	guint high = self->chunks->len;
	const LttArray *array;
	Budget budget;

	while (high - low > 1) {
		const guint middle = (low + high) / 2;

		if (chunks_get(self, middle)->first <= row)
			low = middle;
		else
			high = middle;
	}
	array = chunks_get(self, low)->array;
	budget_init(&budget, array_count_bytes(array));
	return array_get(array, row - chunks_get(self, low)->first, &budget);
}

guint64 chunks_count_bytes(const Chunks *self)
{
	guint64 n_bytes = 0;

	for (guint i = 0; i < self->chunks->len; i++)
		n_bytes += array_count_bytes(chunks_get(self, i)->array);
	return n_bytes;
}

/* ---- texts ---- */

/* The labels are the same in all chunks. */
const GPtrArray *chunks_need_texts(Chunks *self)
{
	if (self->texts != NULL)
		return self->texts;
	self->known = g_hash_table_new(ltt_hash_text, g_str_equal);
	self->texts = g_ptr_array_new();
	for (guint i = 0; i < self->column->n_labels; i++)
		g_ptr_array_add(self->texts, (gpointer)self->column->labels[i]);
	for (guint i = 0; i < self->chunks->len; i++) {
		const LttArray *array = chunks_get(self, i)->array;

		for (guint j = self->column->n_labels; j < array->n_texts; j++) {
			gpointer text = (gpointer)array->texts[j];

			if (g_hash_table_contains(self->known, text))
				continue;
			g_hash_table_insert(self->known, text, GUINT_TO_POINTER(self->texts->len));
			g_ptr_array_add(self->texts, text);
		}
	}
	return self->texts;
}

/* Returns: (transfer full): the index among all texts for each index of a chunk */
static gint32 *map_texts(const Chunks *self, const LttArray *array)
{
	gint32 *map = g_new(gint32, array->n_texts);

	for (guint i = 0; i < array->n_texts; i++) {
		guint j = i;

		if (i >= self->column->n_labels)
			j = GPOINTER_TO_UINT(g_hash_table_lookup(self->known, array->texts[i]));
		map[i] = (gint32)j;
	}
	return map;
}

static void copy_codes(Chunks *self, const LttArray *array, gint32 *to)
{
	const gint32 *codes = array->values;
	g_autofree gint32 *map = NULL;

	chunks_need_texts(self);
	if (array->n_texts <= self->column->n_labels) {
		memcpy(to, codes, array->n_values * sizeof(*to));
		return;
	}
	map = map_texts(self, array);
	for (gsize i = 0; i < array->n_values; i++)
		to[i] = ltt_array_is_null(array, i) ? 0 : map[codes[i]];
}

/* ---- memory ---- */

gpointer chunks_need_memory(Chunks *self, const ArrayLayout *layout)
{
	const gsize value_bytes = array_layout_bytes(layout);
	static guint64 nothing;

	if (self->n_values == 0)
		return &nothing;
	if (self->chunks->len == 1)
		return (gpointer)array_get_numbers(chunks_get(self, 0)->array);
	if (self->joined != NULL)
		return self->joined;
	self->joined = array_allocate(self->n_values, value_bytes);
	for (guint i = 0; self->joined != NULL && i < self->chunks->len; i++) {
		const Chunk *chunk = chunks_get(self, i);
		guint8 *to = self->joined + chunk->first * value_bytes;

		if (self->column->kind == LTT_COLUMN_ENUM)
			copy_codes(self, chunk->array, (gint32 *)(gpointer)to);
		else
			memcpy(to, array_get_numbers(chunk->array),
			       chunk->array->n_values * value_bytes);
	}
	return self->joined;
}
