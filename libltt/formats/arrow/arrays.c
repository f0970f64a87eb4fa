/* arrays.c - convert batches to Arrow arrays and readers to Arrow streams (ltt-arrow.h).
 *
 * An array borrows its buffers from a batch and owns a reference to it. So does each child, because
 * a consumer may move a child out of its parent and release the two in any order.
 */
#include "table/rows-priv.h"

#include <ltt/ltt-arrow.h>

#include <errno.h>
#include <string.h>

#define MAX_BUFFERS 3 /* validity, offsets, values */

/* ---- arrays ---- */

/* Private data of an array. */
typedef struct Owned {
	LttBatch *batch;
	const void *buffers[MAX_BUFFERS];
	gint32 *text_offsets; /* texts of a dictionary; NULL: the array is not a dictionary */
	char *text_bytes;
} Owned;

static void release_array(struct ArrowArray *array)
{
	Owned *owned = array->private_data;

	if (array->release == NULL)
		return;
	for (int64_t i = 0; i < array->n_children; i++) {
		/* If a consumer has moved the child, its release function is NULL. */
		if (array->children[i]->release != NULL)
			array->children[i]->release(array->children[i]);
		g_free(array->children[i]);
	}
	if (array->dictionary != NULL && array->dictionary->release != NULL)
		array->dictionary->release(array->dictionary);
	g_free(array->dictionary);
	g_free(array->children);
	ltt_batch_unref(owned->batch);
	g_free(owned->text_offsets);
	g_free(owned->text_bytes);
	g_free(owned);
	array->release = NULL;
}

static Owned *init_array(struct ArrowArray *array, LttBatch *batch, gsize length, guint n_children)
{
	Owned *owned = g_new0(Owned, 1);

	owned->batch = ltt_batch_ref(batch);
	*array = (struct ArrowArray){
		.length = (int64_t)length,
		.n_children = n_children,
		.buffers = owned->buffers,
		.children = g_new(struct ArrowArray *, n_children),
		.release = release_array,
		.private_data = owned,
	};
	for (guint i = 0; i < n_children; i++)
		array->children[i] = g_new0(struct ArrowArray, 1);
	return owned;
}

/* Makes the dictionary of an enum: the text of each index. It is never empty, because the values of a null
 * struct have the index 0. */
static struct ArrowArray *new_dictionary(LttBatch *batch, const LttArray *source)
{
	struct ArrowArray *dictionary = g_new0(struct ArrowArray, 1);
	const guint n_texts = MAX(source->n_texts, 1);
	Owned *owned = init_array(dictionary, batch, n_texts, 0);
	GString *bytes = g_string_new(NULL);

	owned->text_offsets = g_new0(gint32, n_texts + 1);
	for (guint i = 0; i < source->n_texts; i++) {
		g_string_append(bytes, source->texts[i]);
		owned->text_offsets[i + 1] = (gint32)bytes->len;
	}
	owned->text_bytes = g_string_free(bytes, FALSE);
	owned->buffers[1] = owned->text_offsets;
	owned->buffers[2] = owned->text_bytes;
	dictionary->n_buffers = 3;
	return dictionary;
}

static void init_column(struct ArrowArray *array, LttBatch *batch, const LttArray *source)
{
	Owned *owned = init_array(array, batch, source->n_values, source->n_children);

	/* In a null struct, members that are declared as not null have values without a meaning. */
	if (source->column->may_be_null) {
		array->null_count = (int64_t)source->n_nulls;
		owned->buffers[0] = source->validity;
	}
	array->n_buffers = 1;
	if (source->offsets != NULL)
		owned->buffers[array->n_buffers++] = source->offsets;
	if (source->n_children == 0 && source->column->kind != LTT_COLUMN_STRUCT)
		owned->buffers[array->n_buffers++] = source->values;
	for (guint i = 0; i < source->n_children; i++)
		init_column(array->children[i], batch, &source->children[i]);
	if (source->column->kind == LTT_COLUMN_ENUM)
		array->dictionary = new_dictionary(batch, source);
}

void ltt_arrow_array_init(struct ArrowArray *array, LttBatch *batch)
{
	const guint n_columns = ltt_batch_get_n_arrays(batch);

	init_array(array, batch, ltt_batch_get_n_rows(batch), n_columns);
	array->n_buffers = 1; /* the validity bitmap, which is NULL: no row is null */
	for (guint i = 0; i < n_columns; i++)
		init_column(array->children[i], batch, ltt_batch_get_array(batch, i));
	ltt_batch_unref(batch);
}

/* ---- streams ---- */

typedef struct Stream {
	LttTableReader *reader;
	LttArrowOptions options;
	GError *error; /* of the last call; NULL: it succeeded */
} Stream;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema)
{
	const Stream *own = stream->private_data;

	ltt_arrow_schema_init(schema, own->reader, &own->options);
	return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array)
{
	Stream *own = stream->private_data;
	LttBatch *batch;

	g_clear_error(&own->error);
	switch (ltt_table_reader_next(own->reader, &batch, &own->error)) {
	case LTT_STEP_EVENT:
		ltt_arrow_array_init(array, batch);
		return 0;
	case LTT_STEP_END:
		*array = (struct ArrowArray){0}; /* a released array ends the stream */
		return 0;
	default:
		return EIO;
	}
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	const Stream *own = stream->private_data;

	return own->error != NULL ? own->error->message : NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
	Stream *own = stream->private_data;

	if (stream->release == NULL)
		return;
	ltt_table_reader_free(own->reader);
	g_clear_error(&own->error);
	g_free(own);
	stream->release = NULL;
}

void ltt_arrow_stream_init(struct ArrowArrayStream *stream, LttTableReader *reader,
			   const LttArrowOptions *options)
{
	Stream *own = g_new0(Stream, 1);

	own->reader = reader;
	if (options != NULL)
		own->options = *options;
	*stream = (struct ArrowArrayStream){
		.get_schema = get_schema,
		.get_next = get_next,
		.get_last_error = get_last_error,
		.release = release_stream,
		.private_data = own,
	};
}
