/* builder.c - see builder-priv.h.
 *
 * Offsets have 32 bits, as in Arrow. The caller limits the size of each event (cost-priv.h), and moves the
 * values to a batch long before offsets can overflow (rows.c).
 */
#include "table/cost-priv.h"

#include <ltt/ltt-hash.h>

#define MIN_CAPACITY 256
#define MARGIN       16   /* part of the usual length that is added to it */
#define GROWTH       4    /* the capacity grows by this part */
#define USUAL_DECAY  16   /* the initial capacity shrinks by this part per batch */
#define MAX_DENSE    4096 /* maximum number of an enum that is looked up in an array */
#define TEXT_BYTES   128  /* about the memory for a number without a label */

/* ---- buffers ---- */

void ltt_buffer_grow(LttBuffer *buffer, gsize n_bytes)
{
	const gsize needed = MAX(buffer->length + n_bytes, buffer->usual + buffer->usual / MARGIN);
	LttSpare spare = {NULL, 0};

	if (buffer->bytes == NULL)
		spare = ltt_buffer_pool_take(buffer->pool, needed);
	if (spare.bytes != NULL) {
		buffer->bytes = spare.bytes;
		buffer->capacity = spare.capacity;
		return;
	}
	buffer->capacity =
		MAX(MAX(needed, buffer->capacity + buffer->capacity / GROWTH), MIN_CAPACITY);
	buffer->bytes = g_realloc(buffer->bytes, buffer->capacity);
}

gpointer ltt_buffer_give(LttBuffer *buffer, GArray *spares)
{
	const LttSpare spare = {buffer->bytes, buffer->capacity};

	if (spare.bytes != NULL)
		g_array_append_val(spares, spare);
	const gsize usual = buffer->usual - buffer->usual / USUAL_DECAY;

	*buffer = (LttBuffer){.usual = MAX(buffer->length, usual), .pool = buffer->pool};
	return spare.bytes;
}

static void clear_buffer(LttBuffer *buffer)
{
	g_free(buffer->bytes);
	*buffer = (LttBuffer){0};
}

/* ---- labels ---- */

static void free_code_map(gpointer data)
{
	LttCodeMap *map = data;

	g_free(map->dense);
	if (map->others != NULL)
		g_hash_table_unref(map->others);
	g_free(map);
}

static void add_code(LttCodeMap *map, gint64 number, gint32 index)
{
	const guint64 place = (guint64)number - (guint64)map->first;

	if (place < map->n_dense) {
		if (map->dense[place] < 0)
			map->dense[place] = index;
		return;
	}
	if (map->others == NULL)
		map->others = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, NULL);
	if (!g_hash_table_contains(map->others, &number))
		g_hash_table_insert(map->others, g_memdup2(&number, sizeof(number)),
				    GINT_TO_POINTER(index));
}

static LttCodeMap *new_code_map(const LttBuilder *builder, const LttType *type)
{
	g_autoptr(GHashTable) indices = g_hash_table_new(ltt_hash_text, g_str_equal);
	const LttColumn *column = builder->column;
	const guint n_labels = ltt_type_get_n_labels(type);
	LttCodeMap *map = g_new0(LttCodeMap, 1);
	gint64 last = 0;

	for (guint i = 0; i < column->n_labels; i++)
		g_hash_table_insert(indices, (gpointer)column->labels[i], GUINT_TO_POINTER(i));
	for (guint i = 0; i < n_labels; i++) {
		const gint64 value = ltt_type_get_label(type, i)->value;

		map->first = i == 0 ? value : MIN(map->first, value);
		last = i == 0 ? value : MAX(last, value);
	}
	if (n_labels > 0)
		map->n_dense = (guint)MIN((guint64)last - (guint64)map->first, MAX_DENSE - 1) + 1;
	map->dense = g_new(gint32, map->n_dense);
	for (guint i = 0; i < map->n_dense; i++)
		map->dense[i] = -1;
	for (guint i = 0; i < n_labels; i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		add_code(map, label->value,
			 GPOINTER_TO_INT(g_hash_table_lookup(indices, label->name)));
	}
	return map;
}

const LttCodeMap *ltt_builder_need_codes(LttBuilder *builder, const LttLayout *layout)
{
	LttCodeMap *map;

	if (builder->code_maps == NULL)
		builder->code_maps = g_hash_table_new_full(NULL, NULL, NULL, free_code_map);
	map = g_hash_table_lookup(builder->code_maps, layout->type);
	if (map == NULL) {
		map = new_code_map(builder, layout->type);
		g_hash_table_insert(builder->code_maps, (gpointer)layout->type, map);
	}
	return map;
}

static gint32 find_unlabelled(LttBuilder *builder, const LttLayout *layout, gint64 number)
{
	char *text = layout->is_signed ? g_strdup_printf("%" G_GINT64_FORMAT, number)
				       : g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)number);
	gpointer index;

	if (builder->unlabelled == NULL) {
		builder->unlabelled = g_hash_table_new(ltt_hash_text, g_str_equal);
		builder->texts = g_ptr_array_new();
	}
	index = g_hash_table_lookup(builder->unlabelled, text);
	if (index == NULL) {
		g_ptr_array_add(builder->texts, text);
		index = GUINT_TO_POINTER(builder->column->n_labels + builder->texts->len);
		g_hash_table_insert(builder->unlabelled, text, index);
	} else {
		g_free(text);
	}
	return GPOINTER_TO_INT(index) - 1;
}

gint32 ltt_builder_find_other(LttBuilder *builder, const LttCodeMap *map, const LttLayout *layout,
			      gint64 number)
{
	gpointer index;

	if (map->others != NULL && g_hash_table_lookup_extended(map->others, &number, NULL, &index))
		return GPOINTER_TO_INT(index);
	return find_unlabelled(builder, layout, number);
}

/* ---- builders ---- */

void ltt_builder_init(LttBuilder *builder, const LttColumn *column, LttBufferPool *pool)
{
	*builder = (LttBuilder){
		.column = column,
		.null_bytes = ltt_cost_of_null(column),
		.validity.pool = pool,
		.values.pool = pool,
		.offsets.pool = pool,
		.numbers.pool = pool,
	};
	builder->children = g_new0(LttBuilder, column->n_children);
	for (guint i = 0; i < column->n_children; i++)
		ltt_builder_init(&builder->children[i], &column->children[i], pool);
}

void ltt_builder_want_numbers(LttBuilder *builder)
{
	/* The tag of a union is not a number of the trace. */
	const guint first = builder->column->kind == LTT_COLUMN_UNION ? 1 : 0;

	builder->wants_numbers = builder->column->kind == LTT_COLUMN_ENUM;
	for (guint i = first; i < builder->column->n_children; i++)
		ltt_builder_want_numbers(&builder->children[i]);
}

static void forget_unlabelled(LttBuilder *builder)
{
	g_clear_pointer(&builder->unlabelled, g_hash_table_unref);
	for (guint i = 0; builder->texts != NULL && i < builder->texts->len; i++)
		g_free(builder->texts->pdata[i]);
	g_clear_pointer(&builder->texts, g_ptr_array_unref);
}

void ltt_builder_clear(LttBuilder *builder)
{
	for (guint i = 0; i < builder->column->n_children; i++)
		ltt_builder_clear(&builder->children[i]);
	forget_unlabelled(builder);
	g_clear_pointer(&builder->code_maps, g_hash_table_unref);
	clear_buffer(&builder->validity);
	clear_buffer(&builder->values);
	clear_buffer(&builder->offsets);
	clear_buffer(&builder->numbers);
	g_free(builder->children);
}

/* Sets the bits of the values from @from up to @to. */
static void set_valid(LttBuffer *validity, gsize from, gsize to)
{
	for (gsize i = from; i < to; i++)
		validity->bytes[i / 8] |= (guint8)(1 << (i % 8));
}

/* Extends the bits to @n_values; the new bits are not set. */
static void extend_validity(LttBuilder *builder, gsize n_values)
{
	const gsize n_bytes = (n_values + 7) / 8;
	const gsize old = builder->validity.length;

	if (n_bytes > old)
		memset(ltt_buffer_add(&builder->validity, n_bytes - old), 0, n_bytes - old);
}

void ltt_builder_count(LttBuilder *builder, gsize n)
{
	const gsize from = builder->n_values;

	builder->n_values += n;
	if (builder->n_nulls == 0)
		return;
	extend_validity(builder, builder->n_values);
	set_valid(&builder->validity, from, builder->n_values);
}

gint32 *ltt_builder_add_offsets(LttBuilder *builder, gsize n)
{
	if (builder->offsets.length == 0)
		memset(ltt_buffer_add(&builder->offsets, sizeof(gint32)), 0, sizeof(gint32));
	return (gint32 *)(gpointer)ltt_buffer_add(&builder->offsets, n * sizeof(gint32));
}

gint32 ltt_builder_get_end(const LttBuilder *builder)
{
	const gint32 *offsets = (const gint32 *)(gconstpointer)builder->offsets.bytes;

	return builder->offsets.length > 0 ? offsets[builder->offsets.length / sizeof(gint32) - 1]
					   : 0;
}

/* The bytes of a value in `values`. */
static gsize get_value_bytes(const LttColumn *column)
{
	switch (column->kind) {
	case LTT_COLUMN_ENUM:
		return sizeof(gint32);
	case LTT_COLUMN_FIXED_BYTES:
		return column->n_elements;
	default:
		return column->width_bytes;
	}
}

void ltt_builder_add_nulls(LttBuilder *builder, gsize n)
{
	const LttColumn *column = builder->column;
	const gsize n_bytes = n * get_value_bytes(column);
	const gsize from = builder->n_values;

	if (n == 0)
		return;
	memset(ltt_buffer_add(&builder->values, n_bytes), 0, n_bytes);
	if (builder->wants_numbers)
		memset(ltt_buffer_add(&builder->numbers, n * sizeof(gint64)), 0,
		       n * sizeof(gint64));
	if (column->kind == LTT_COLUMN_STRING || column->kind == LTT_COLUMN_BYTES ||
	    column->kind == LTT_COLUMN_LIST) {
		gint32 *offsets = ltt_builder_add_offsets(builder, n);

		for (gsize i = 0; i < n; i++)
			offsets[i] = offsets[-1];
	} else {
		const gsize n_each = column->kind == LTT_COLUMN_FIXED_LIST ? column->n_elements : 1;

		for (guint i = 0; i < column->n_children; i++)
			ltt_builder_add_nulls(&builder->children[i], n * n_each);
	}
	if (builder->n_nulls == 0) {
		extend_validity(builder, from);
		set_valid(&builder->validity, 0, from);
	}
	builder->n_nulls += n;
	builder->n_values += n;
	extend_validity(builder, builder->n_values);
}

gsize ltt_builder_get_bytes(const LttBuilder *builder)
{
	gsize n_bytes = builder->validity.length + builder->values.length + builder->offsets.length;

	for (guint i = 0; i < builder->column->n_children; i++)
		n_bytes += ltt_builder_get_bytes(&builder->children[i]);
	return n_bytes;
}

gsize ltt_builder_get_weight(const LttBuilder *builder)
{
	gsize weight = builder->validity.length + builder->values.length + builder->offsets.length +
		       builder->numbers.length + builder->n_values;

	if (builder->texts != NULL)
		weight += builder->texts->len * (gsize)TEXT_BYTES;
	for (guint i = 0; i < builder->column->n_children; i++)
		weight += ltt_builder_get_weight(&builder->children[i]);
	return weight;
}

/* ---- arrays ---- */

static const char *const *give_texts(LttBuilder *builder, guint *n_texts)
{
	const LttColumn *column = builder->column;
	const char **texts;

	*n_texts = column->n_labels;
	if (builder->texts == NULL)
		return column->labels;
	*n_texts += builder->texts->len;
	texts = g_new(const char *, *n_texts);
	for (guint i = 0; i < column->n_labels; i++)
		texts[i] = column->labels[i];
	for (guint i = 0; i < builder->texts->len; i++)
		texts[column->n_labels + i] = builder->texts->pdata[i];
	g_ptr_array_set_size(builder->texts, 0);
	forget_unlabelled(builder);
	return texts;
}

void ltt_builder_give(LttBuilder *builder, LttArray *array, GArray *spares)
{
	const LttColumn *column = builder->column;
	LttArray *children = g_new0(LttArray, column->n_children);

	if (column->kind == LTT_COLUMN_STRING || column->kind == LTT_COLUMN_BYTES ||
	    column->kind == LTT_COLUMN_LIST)
		ltt_builder_add_offsets(builder, 0);
	*array = (LttArray){
		.column = column,
		.n_values = builder->n_values,
		.n_nulls = builder->n_nulls,
		.validity = ltt_buffer_give(&builder->validity, spares),
		.values = ltt_buffer_give(&builder->values, spares),
		.offsets = ltt_buffer_give(&builder->offsets, spares),
		.n_children = column->n_children,
		.children = children,
	};
	if (builder->wants_numbers)
		array->numbers = ltt_buffer_give(&builder->numbers, spares);
	if (column->kind == LTT_COLUMN_ENUM)
		array->texts = give_texts(builder, &array->n_texts);
	for (guint i = 0; i < column->n_children; i++)
		ltt_builder_give(&builder->children[i], &children[i], spares);
	builder->n_values = 0;
	builder->n_nulls = 0;
}

void ltt_array_clear(LttArray *array)
{
	for (guint i = 0; i < array->n_children; i++)
		ltt_array_clear((LttArray *)&array->children[i]);
	if (array->texts != array->column->labels) {
		for (guint i = array->column->n_labels; i < array->n_texts; i++)
			g_free((gpointer)array->texts[i]);
		g_free((gpointer)array->texts);
	}
	g_free((gpointer)array->children);
}
