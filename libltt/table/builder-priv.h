/* builder-priv.h - growing arrays: the columns of the current batch.
 *
 * A builder has one value for each row. Its children follow the Arrow format: the children of a
 * struct have as many values as the struct, the child of a list as many as the last offset.
 *
 *	column    "name": STRING            "sizes": LIST of UINT
 *	values    b o b e v a
 *	offsets   0 3 6                      0 2 2 5
 *	children                             item: values 7 9 1 1 4
 */
#ifndef LTT_TABLE_BUILDER_PRIV_H
#define LTT_TABLE_BUILDER_PRIV_H

#ifndef LTT_BUILDING
#error "table/builder-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include "table/buffer-pool-priv.h"

#include <ltt/ltt-table.h>

#include <string.h>

typedef struct LttBuffer {
	guint8 *bytes; /* owned */
	gsize length;
	gsize capacity;
	gsize usual;         /* maximum length in recent batches: the initial capacity */
	LttBufferPool *pool; /* borrowed: provides the initial memory */
} LttBuffer;

/* From the numbers of an enum to the indices of their labels. */
typedef struct LttCodeMap {
	gint64 first; /* number of dense[0] */
	guint n_dense;
	gint32 *dense;      /* -1: no label */
	GHashTable *others; /* number -> index; NULL: none */
} LttCodeMap;

typedef struct LttBuilder {
	const LttColumn *column;
	guint64 null_bytes; /* of a null, with those of the children (cost-priv.h) */
	gsize n_values;
	gsize n_nulls;
	LttBuffer validity; /* empty until the first null */
	LttBuffer values;
	LttBuffer numbers; /* ENUM: of gint64; empty if they are not wanted */
	gboolean wants_numbers;
	LttBuffer offsets;      /* of gint32, with the first 0; empty: no value yet */
	GHashTable *code_maps;  /* ENUM: LttType -> LttCodeMap; NULL: none yet */
	GHashTable *unlabelled; /* ENUM: number as text -> index, plus 1; NULL: none yet */
	GPtrArray *texts;       /* those numbers, owned by the batch later */
	struct LttBuilder *children;
} LttBuilder;

/* @pool: must outlive the builder */
void ltt_builder_init(LttBuilder *builder, const LttColumn *column, LttBufferPool *pool);
void ltt_builder_clear(LttBuilder *builder);

/* Also keeps the numbers of the enums in the column. */
void ltt_builder_want_numbers(LttBuilder *builder);

/* Empties the buffer. Returns: its memory, which goes to @spares if there is any */
gpointer ltt_buffer_give(LttBuffer *buffer, GArray *spares);

void ltt_buffer_grow(LttBuffer *buffer, gsize n_bytes);

/* Appends @n_bytes to the buffer. Returns: the address of these bytes; never NULL */
static inline guint8 *ltt_buffer_add(LttBuffer *buffer, gsize n_bytes)
{
	guint8 *room;

	if (G_UNLIKELY(n_bytes > buffer->capacity - buffer->length || buffer->bytes == NULL))
		ltt_buffer_grow(buffer, n_bytes);
	room = buffer->bytes + buffer->length;
	buffer->length += n_bytes;
	return room;
}

/* Counts @n more values, none of which is null. */
void ltt_builder_count(LttBuilder *builder, gsize n);

/* Adds @n nulls. */
void ltt_builder_add_nulls(LttBuilder *builder, gsize n);

/* Appends @n offsets, after an initial 0. Returns: their address */
gint32 *ltt_builder_add_offsets(LttBuilder *builder, gsize n);

/* Returns: the last offset */
gint32 ltt_builder_get_end(const LttBuilder *builder);

/* Returns: (transfer none): the labels of an enum of @layout, for ltt_builder_find_code() */
const LttCodeMap *ltt_builder_need_codes(LttBuilder *builder, const LttLayout *layout);

/* As ltt_builder_find_code(), for a number that is not in map->dense. */
gint32 ltt_builder_find_other(LttBuilder *builder, const LttCodeMap *map, const LttLayout *layout,
			      gint64 number);

/* Returns: the index of the text of a number, for an enum of @layout; the text is its label, or
 * else the number in digits */
static inline gint32 ltt_builder_find_code(LttBuilder *builder, const LttCodeMap *map,
					   const LttLayout *layout, gint64 number)
{
	const guint64 place = (guint64)number - (guint64)map->first;

	return G_LIKELY(place < map->n_dense && map->dense[place] >= 0)
		       ? map->dense[place]
		       : ltt_builder_find_other(builder, map, layout, number);
}

/* Returns: the bytes in the buffers that all columns have */
gsize ltt_builder_get_bytes(const LttBuilder *builder);

/* Returns: the same, and what may be large in traces that are made to be: values that take no bytes, numbers of
 * enums, and texts of numbers without a label */
gsize ltt_builder_get_weight(const LttBuilder *builder);

/* Moves the values to @array and resets the builder. The memory of the values goes to @spares, of
 * LttSpare; the rest is freed by ltt_array_clear(). */
void ltt_builder_give(LttBuilder *builder, LttArray *array, GArray *spares);
void ltt_array_clear(LttArray *array);

#endif
