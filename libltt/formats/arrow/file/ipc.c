/* ipc.c - write messages and bodies (ipc-priv.h; Message.fbs of the Arrow project). */
#include "formats/arrow/file/ipc-priv.h"

#include "base/bytes-priv.h"

#define ALIGN        8
#define METADATA_V5  4
#define CONTINUATION G_MAXUINT32
#define BUFFER_BYTES 16 /* size of a Buffer and of a FieldNode, which are two numbers */

/* Members of the union MessageHeader in Message.fbs. */
typedef enum HeaderId { HEADER_SCHEMA = 1, HEADER_DICTIONARY = 2, HEADER_BATCH = 3 } HeaderId;

/* A buffer of a body. */
typedef struct Piece {
	gconstpointer bytes;
	gsize length;
} Piece;

/* The body of a message: the columns of a batch, or a dictionary. */
typedef struct Body {
	GArray *nodes;  /* of gint64: length and number of nulls of each column */
	GArray *pieces; /* of Piece */
	gint64 length;  /* with padding */
} Body;

struct LttIpcWriter {
	struct ArrowSchema schema;
	LttIpcWrite write;
	gpointer user_data;
	GPtrArray *written; /* of GBytes, by dictionary id: the texts that were last written */
	Body body;
};

LttIpcWriter *ltt_ipc_writer_new(struct ArrowSchema *schema, LttIpcWrite write, gpointer user_data)
{
	LttIpcWriter *writer = g_new0(LttIpcWriter, 1);

	writer->schema = *schema;
	schema->release = NULL;
	writer->write = write;
	writer->user_data = user_data;
	writer->written = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	writer->body.nodes = g_array_new(FALSE, FALSE, sizeof(gint64));
	writer->body.pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
	return writer;
}

void ltt_ipc_writer_free(LttIpcWriter *writer)
{
	writer->schema.release(&writer->schema);
	g_ptr_array_unref(writer->written);
	g_array_unref(writer->body.nodes);
	g_array_unref(writer->body.pieces);
	g_free(writer);
}

/* ---- messages ---- */

static gsize padded(gsize length)
{
	return (length + ALIGN - 1) / ALIGN * ALIGN;
}

/* Begins the metadata of a message. @header_at: (out): position of the offset of its header */
static GByteArray *new_message(HeaderId id, gint64 body_length, guint32 *header_at)
{
	GByteArray *buffer = ltt_flat_new();
	LttFlatField fields[] = {
		LTT_FLAT_I16(METADATA_V5),
		LTT_FLAT_U8(id),
		LTT_FLAT_OFFSET,
		LTT_FLAT_I64(body_length),
	};

	ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields));
	*header_at = fields[2].at;
	return buffer;
}

static gboolean write_metadata(LttIpcWriter *writer, GByteArray *buffer, GError **error)
{
	static const guint8 zeros[ALIGN];
	const gsize length = padded(buffer->len);
	guint8 prefix[ALIGN];

	ltt_store_u32(prefix, CONTINUATION, LTT_LITTLE_ENDIAN);
	ltt_store_u32(prefix + 4, (guint32)length, LTT_LITTLE_ENDIAN);
	return writer->write(prefix, sizeof(prefix), writer->user_data, error) &&
	       writer->write(buffer->data, buffer->len, writer->user_data, error) &&
	       writer->write(zeros, length - buffer->len, writer->user_data, error);
}

static gboolean write_body(LttIpcWriter *writer, GError **error)
{
	static const guint8 zeros[ALIGN];

	for (guint i = 0; i < writer->body.pieces->len; i++) {
		const Piece *piece = &g_array_index(writer->body.pieces, Piece, i);
		const gsize n_zeros = padded(piece->length) - piece->length;

		if (!writer->write(piece->bytes, piece->length, writer->user_data, error) ||
		    !writer->write(zeros, n_zeros, writer->user_data, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- bodies ---- */

static void clear_body(Body *body)
{
	g_array_set_size(body->nodes, 0);
	g_array_set_size(body->pieces, 0);
	body->length = 0;
}

static void add_piece(Body *body, gconstpointer bytes, gsize length)
{
	const Piece piece = {bytes, length};

	g_array_append_val(body->pieces, piece);
	body->length += (gint64)padded(length);
}

static void add_column(Body *body, const struct ArrowSchema *schema, const struct ArrowArray *array)
{
	const char *format = schema->format;
	const gsize n = (gsize)array->length;
	const gboolean has_bytes = format[0] == 'u' || format[0] == 'z';
	const gboolean has_offsets = has_bytes || g_str_equal(format, "+l");
	const gint32 *offsets = has_offsets ? array->buffers[1] : NULL;

	g_array_append_val(body->nodes, array->length);
	g_array_append_val(body->nodes, array->null_count);
	add_piece(body, array->buffers[0], array->null_count > 0 ? (n + 7) / 8 : 0);
	if (has_offsets)
		add_piece(body, offsets, (n + 1) * sizeof(gint32));
	if (has_bytes)
		add_piece(body, array->buffers[2], (gsize)offsets[n]);
	else if (format[0] != '+')
		add_piece(body, array->buffers[1], n * ltt_ipc_get_width(format));
	for (int64_t i = 0; i < array->n_children; i++)
		add_column(body, schema->children[i], array->children[i]);
}

/* Writes the table RecordBatch, which describes the body. */
static guint32 add_record_batch(GByteArray *buffer, const Body *body, gint64 n_rows)
{
	LttFlatField fields[] = {LTT_FLAT_I64(n_rows), LTT_FLAT_OFFSET, LTT_FLAT_OFFSET};
	const guint32 table = ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields));
	guint32 vector =
		ltt_flat_add_vector(buffer, body->nodes->len / 2, BUFFER_BYTES, sizeof(gint64));
	gint64 offset = 0;

	ltt_flat_point(buffer, fields[1].at, vector);
	for (guint i = 0; i < body->nodes->len; i++)
		ltt_flat_set_i64(buffer, vector + 4 + i * (guint)sizeof(gint64),
				 g_array_index(body->nodes, gint64, i));
	vector = ltt_flat_add_vector(buffer, body->pieces->len, BUFFER_BYTES, sizeof(gint64));
	ltt_flat_point(buffer, fields[2].at, vector);
	for (guint i = 0; i < body->pieces->len; i++) {
		const gsize length = g_array_index(body->pieces, Piece, i).length;

		ltt_flat_set_i64(buffer, vector + 4 + i * BUFFER_BYTES, offset);
		ltt_flat_set_i64(buffer, vector + 4 + i * BUFFER_BYTES + 8, (gint64)length);
		offset += (gint64)padded(length);
	}
	return table;
}

/* ---- dictionaries ---- */

static GBytes *texts_of(const struct ArrowArray *dictionary)
{
	const gint32 *offsets = dictionary->buffers[1];
	GByteArray *texts = g_byte_array_new();

	g_byte_array_append(texts, (const guint8 *)offsets,
			    (guint)((gsize)(dictionary->length + 1) * sizeof(gint32)));
	g_byte_array_append(texts, dictionary->buffers[2], (guint)offsets[dictionary->length]);
	return g_byte_array_free_to_bytes(texts);
}

static gboolean write_dictionary(LttIpcWriter *writer, const struct ArrowSchema *schema,
				 const struct ArrowArray *dictionary, guint id, GError **error)
{
	g_autoptr(GBytes) texts = texts_of(dictionary);
	g_autoptr(GByteArray) buffer = NULL;
	LttFlatField fields[] = {LTT_FLAT_I64(id), LTT_FLAT_OFFSET};
	guint32 header_at;

	if (writer->written->len > id && g_bytes_equal(writer->written->pdata[id], texts))
		return TRUE;
	if (writer->written->len == id)
		g_ptr_array_add(writer->written, NULL);
	g_clear_pointer(&writer->written->pdata[id], g_bytes_unref);
	writer->written->pdata[id] = g_steal_pointer(&texts);
	clear_body(&writer->body);
	add_column(&writer->body, schema, dictionary);
	buffer = new_message(HEADER_DICTIONARY, writer->body.length, &header_at);
	ltt_flat_point(buffer, header_at, ltt_flat_add_table(buffer, fields, G_N_ELEMENTS(fields)));
	ltt_flat_point(buffer, fields[1].at,
		       add_record_batch(buffer, &writer->body, dictionary->length));
	return write_metadata(writer, buffer, error) && write_body(writer, error);
}

/* Writes the dictionaries of @array that have changed. @next_id: see add_field() in ipc-schema.c */
static gboolean write_dictionaries(LttIpcWriter *writer, const struct ArrowSchema *schema,
				   const struct ArrowArray *array, guint *next_id, GError **error)
{
	if (schema->dictionary != NULL &&
	    !write_dictionary(writer, schema->dictionary, array->dictionary, (*next_id)++, error))
		return FALSE;
	for (int64_t i = 0; i < array->n_children; i++) {
		if (!write_dictionaries(writer, schema->children[i], array->children[i], next_id,
					error))
			return FALSE;
	}
	return TRUE;
}

/* ---- the stream ---- */

gboolean ltt_ipc_write_schema(LttIpcWriter *writer, GError **error)
{
	guint32 header_at;
	g_autoptr(GByteArray) buffer = new_message(HEADER_SCHEMA, 0, &header_at);

	ltt_flat_point(buffer, header_at, ltt_ipc_add_schema(buffer, &writer->schema));
	return write_metadata(writer, buffer, error);
}

gboolean ltt_ipc_write_batch(LttIpcWriter *writer, const struct ArrowArray *batch, GError **error)
{
	g_autoptr(GByteArray) buffer = NULL;
	guint next_id = 0;
	guint32 header_at;

	if (!write_dictionaries(writer, &writer->schema, batch, &next_id, error))
		return FALSE;
	clear_body(&writer->body);
	for (int64_t i = 0; i < batch->n_children; i++)
		add_column(&writer->body, writer->schema.children[i], batch->children[i]);
	buffer = new_message(HEADER_BATCH, writer->body.length, &header_at);
	ltt_flat_point(buffer, header_at, add_record_batch(buffer, &writer->body, batch->length));
	return write_metadata(writer, buffer, error) && write_body(writer, error);
}

gboolean ltt_ipc_write_end(LttIpcWriter *writer, GError **error)
{
	guint8 end[ALIGN] = {0};

	ltt_store_u32(end, CONTINUATION, LTT_LITTLE_ENDIAN);
	return writer->write(end, sizeof(end), writer->user_data, error);
}
