/* chunks.h - the values of a column in the arrays of one or several batches. */
#ifndef CHUNKS_H
#define CHUNKS_H

#include "array.h"

typedef struct Chunk {
	LttBatch *batch; /* owned */
	const LttArray *array;
	gsize first; /* row of its first value */
} Chunk;

typedef struct Chunks {
	const LttColumn *column;
	GArray *chunks; /* of Chunk */
	gsize n_values;
	gsize n_nulls;
	GPtrArray *texts;  /* see chunks_need_texts() */
	GHashTable *known; /* index among them of each text that is no label */
	guint8 *joined;    /* NULL: not made */
} Chunks;

void chunks_init(Chunks *self, const LttColumn *column);
void chunks_clear(Chunks *self); /* also before chunks_init() */

/* Appends the values of an array of @batch, of which it takes a reference. */
void chunks_add(Chunks *self, LttBatch *batch, const LttArray *array);

static inline const Chunk *chunks_get(const Chunks *self, guint index)
{
	return &g_array_index(self->chunks, Chunk, index);
}

/* Returns: (nullable): the value of a row as array_get() makes it; NULL with an exception */
PyObject *chunks_get_value(const Chunks *self, gsize row);

/* Returns: the sum of array_count_bytes() */
guint64 chunks_count_bytes(const Chunks *self);

/* Returns: (transfer none): for an enum: the texts that the numbers of chunks_need_memory() stand
 *   for, the labels first */
const GPtrArray *chunks_need_texts(Chunks *self);

/* Returns: (nullable): the numbers of all chunks as one block: that of the array of a single chunk,
 *   otherwise a copy, which is made by the first call; NULL if there is not enough memory */
gpointer chunks_need_memory(Chunks *self, const ArrayLayout *layout);

#endif
