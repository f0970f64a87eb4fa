/* The Arrow C interfaces: exported data, and release of its parts in any order. */
#include "unit.h"

#include <ltt/ltt-arrow.h>

#include <stdlib.h>
#include <string.h>

static LttTrace *open_sample(void)
{
	char *path = unit_data_path("ltt/sparse-cpus");
	g_autoptr(GError) error = NULL;
	LttTrace *trace = ltt_trace_open(path, &error);

	UNIT_ASSERT_OK(trace != NULL, error);
	free(path);
	return trace;
}

static LttTableReader *read_files(LttTables *tables)
{
	static const char *const columns[] = {"time", "name", "fd", NULL};
	const LttTableRequest request = {
		.table = ltt_tables_find(tables, "core.file_open"),
		.columns = columns,
		.n_threads = 1,
		.batch_rows = 3,
	};
	g_autoptr(GError) error = NULL;
	LttTableReader *reader = ltt_table_read(&request, &error);

	UNIT_ASSERT_OK(reader != NULL, error);
	return reader;
}

static void check_schema(struct ArrowSchema *schema)
{
	CU_ASSERT_STRING_EQUAL(schema->format, "+s");
	CU_ASSERT_EQUAL(schema->n_children, 3);
	CU_ASSERT_STRING_EQUAL(schema->children[0]->format, "tsn:");
	CU_ASSERT_EQUAL(schema->children[0]->flags, 0);
	CU_ASSERT_STRING_EQUAL(schema->children[1]->name, "name");
	CU_ASSERT_STRING_EQUAL(schema->children[1]->format, "u");
	CU_ASSERT_STRING_EQUAL(schema->children[2]->name, "fd");
	schema->release(schema);
	CU_ASSERT_PTR_NULL(schema->release);
}

static void test_stream(void)
{
	LttTrace *trace = open_sample();
	LttTables *tables = ltt_tables_new(trace);
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray array;
	gint64 last_ns = 0;
	guint n_rows = 0;

	ltt_arrow_stream_init(&stream, read_files(tables), NULL);
	ltt_tables_free(tables);
	CU_ASSERT_EQUAL(stream.get_schema(&stream, &schema), 0);
	check_schema(&schema);
	for (;;) {
		CU_ASSERT_EQUAL(stream.get_next(&stream, &array), 0);
		if (array.release == NULL)
			break;
		CU_ASSERT_TRUE(array.length > 0);
		CU_ASSERT_EQUAL(array.n_children, 3);
		for (int64_t i = 0; i < array.length; i++) {
			const gint64 time_ns = ((const gint64 *)array.children[0]->buffers[1])[i];
			const gint32 *offsets = array.children[1]->buffers[1];

			CU_ASSERT_TRUE(time_ns > 0 && offsets[i + 1] >= offsets[i]);
			last_ns = MAX(last_ns, time_ns);
			n_rows++;
		}
		array.release(&array);
	}
	CU_ASSERT_TRUE(n_rows > 5);
	CU_ASSERT_TRUE(last_ns > 0);
	CU_ASSERT_PTR_NULL(stream.get_last_error(&stream));
	stream.release(&stream);
	CU_ASSERT_PTR_NULL(stream.release);
	ltt_trace_free(trace);
}

static gpointer release_later(gpointer array)
{
	((struct ArrowArray *)array)->release(array);
	return NULL;
}

/* A child that is moved out outlives its parent, the reader and the trace, and is released by another
 * thread. */
static void test_a_child_moved_away(void)
{
	LttTrace *trace = open_sample();
	LttTables *tables = ltt_tables_new(trace);
	struct ArrowArrayStream stream;
	struct ArrowArray array;
	struct ArrowArray names;
	const gint32 *offsets;

	ltt_arrow_stream_init(&stream, read_files(tables), NULL);
	CU_ASSERT_EQUAL(stream.get_next(&stream, &array), 0);
	names = *array.children[1];
	array.children[1]->release = NULL;
	array.release(&array);
	stream.release(&stream);
	ltt_tables_free(tables);
	ltt_trace_free(trace);
	offsets = names.buffers[1];
	CU_ASSERT_EQUAL(offsets[0], 0);
	CU_ASSERT_TRUE(offsets[names.length] > 0);
	CU_ASSERT_TRUE(memchr(names.buffers[2], '/', (size_t)offsets[names.length]) != NULL);
	g_thread_join(g_thread_new("release", release_later, &names));
	CU_ASSERT_PTR_NULL(names.release);
}

/* For readers whose timestamps are coarser. */
static void test_time_as_a_number(void)
{
	static const LttArrowOptions options = {.time_as_int64 = TRUE};
	g_autoptr(LttTrace) trace = open_sample();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	g_autoptr(LttTableReader) reader = read_files(tables);
	struct ArrowSchema schema;

	ltt_arrow_schema_init(&schema, reader, &options);
	CU_ASSERT_STRING_EQUAL(schema.children[0]->name, "time_ns");
	CU_ASSERT_STRING_EQUAL(schema.children[0]->format, "l");
	schema.release(&schema);
}

/* A consumer that releases twice does no harm. */
static void test_released_twice(void)
{
	g_autoptr(LttTrace) trace = open_sample();
	g_autoptr(LttTables) tables = ltt_tables_new(trace);
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray array;
	void (*release_stream)(struct ArrowArrayStream *);
	void (*release_schema)(struct ArrowSchema *);
	void (*release_array)(struct ArrowArray *);

	ltt_arrow_stream_init(&stream, read_files(tables), NULL);
	CU_ASSERT_EQUAL(stream.get_schema(&stream, &schema), 0);
	CU_ASSERT_EQUAL(stream.get_next(&stream, &array), 0);
	release_stream = stream.release;
	release_schema = schema.release;
	release_array = array.release;
	for (guint i = 0; i < 2; i++) {
		release_stream(&stream);
		release_schema(&schema);
		release_array(&array);
		CU_ASSERT_TRUE(stream.release == NULL && schema.release == NULL &&
			       array.release == NULL);
	}
}

#define N_THREADS 4

typedef struct Share {
	GArray *arrays; /* of struct ArrowArray */
	guint first;
} Share;

static gpointer release_share(gpointer data)
{
	const Share *share = data;

	for (guint i = share->first; i < share->arrays->len; i += N_THREADS) {
		struct ArrowArray *array = &g_array_index(share->arrays, struct ArrowArray, i);
		void (*release)(struct ArrowArray *) = array->release;

		release(array);
		release(array);
	}
	return NULL;
}

/* The arrays of a whole table are released late, by several threads at a time, each twice. */
static void test_released_by_several_threads(void)
{
	LttTrace *trace = open_sample();
	LttTables *tables = ltt_tables_new(trace);
	GArray *arrays = g_array_new(FALSE, FALSE, sizeof(struct ArrowArray));
	GThread *threads[N_THREADS];
	Share shares[N_THREADS];
	struct ArrowArrayStream stream;
	struct ArrowArray array;

	ltt_arrow_stream_init(&stream, read_files(tables), NULL);
	while (stream.get_next(&stream, &array) == 0 && array.release != NULL)
		g_array_append_val(arrays, array);
	stream.release(&stream);
	ltt_tables_free(tables);
	ltt_trace_free(trace);
	CU_ASSERT_TRUE(arrays->len > N_THREADS);
	for (guint i = 0; i < N_THREADS; i++) {
		shares[i] = (Share){arrays, i};
		threads[i] = g_thread_new("release", release_share, &shares[i]);
	}
	for (guint i = 0; i < N_THREADS; i++)
		g_thread_join(threads[i]);
	for (guint i = 0; i < arrays->len; i++)
		CU_ASSERT_PTR_NULL(g_array_index(arrays, struct ArrowArray, i).release);
	g_array_unref(arrays);
}

UNIT_MAIN("arrow", UNIT(test_stream), UNIT(test_a_child_moved_away), UNIT(test_time_as_a_number),
	  UNIT(test_released_twice), UNIT(test_released_by_several_threads))
