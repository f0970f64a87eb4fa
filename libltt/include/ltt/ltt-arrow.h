/* ltt-arrow.h - pass tables to other libraries: the Arrow C Data and C Stream interfaces.
 *
 * Libraries such as pyarrow, pandas, polars, DuckDB and Spark accept these structs and read the
 * columns in place, without copying them. The consumer of a struct calls its release function
 * exactly once, in any thread; a second call on the same struct does nothing.
 *
 *	struct ArrowArrayStream stream;
 *	LttTableReader *reader = ltt_table_read(&request, &error);
 *	ltt_arrow_stream_init(&stream, reader, NULL);
 *	pass_to_consumer(&stream);
 *
 * Types of columns (ltt-table.h):
 *
 *	TIME          timestamp[ns] without a time zone
 *	INT, UINT     int8 ... uint64
 *	FLOAT         float32, float64
 *	STRING        utf8
 *	ENUM          dictionary of int32 and utf8
 *	FIXED_BYTES   fixed_size_binary          BYTES   binary
 *	FIXED_LIST    fixed_size_list            LIST    list
 *	STRUCT        struct
 *	UNION         struct of `tag` and the members; only the tagged member is not null
 */
#ifndef LTT_ARROW_H
#define LTT_ARROW_H

#include <ltt/ltt-table.h>

#include <stdint.h>

G_BEGIN_DECLS

/* These definitions are fixed by the Arrow project. Other headers may contain them, too. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *schema);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *array);
	void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *schema);
	int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *array);
	const char *(*get_last_error)(struct ArrowArrayStream *stream);
	void (*release)(struct ArrowArrayStream *stream);
	void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

typedef struct LttArrowOptions {
	gboolean time_as_int64; /* convert TIME to an int64 column "time_ns", for consumers whose
				 * timestamps are coarser than nanoseconds */
} LttArrowOptions;

/* Sets @schema to a struct of the columns of a reader. The schema may outlive the reader.
 * @options: (nullable): NULL: no option is set */
void ltt_arrow_schema_init(struct ArrowSchema *schema, const LttTableReader *reader,
			   const LttArrowOptions *options);

/* Sets @array to a struct of the columns of a batch. @batch: (transfer full) */
void ltt_arrow_array_init(struct ArrowArray *array, LttBatch *batch);

/* Sets @stream to a stream of all batches of a reader. The trace must outlive the stream, but not
 * the arrays that the stream returned. If the reader fails, the stream returns EIO and its last
 * error is the message of the reader. @reader: (transfer full) */
void ltt_arrow_stream_init(struct ArrowArrayStream *stream, LttTableReader *reader,
			   const LttArrowOptions *options);

G_END_DECLS

#endif /* LTT_ARROW_H */
