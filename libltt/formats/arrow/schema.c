/* schema.c - convert columns to Arrow schemas (ltt-arrow.h). */
#include <ltt/ltt-arrow.h>

#include <string.h>

/* Private data of a schema. */
typedef struct Owned {
	char *format;
	char *name;
} Owned;

static void release(struct ArrowSchema *schema)
{
	Owned *owned = schema->private_data;

	if (schema->release == NULL)
		return;
	for (int64_t i = 0; i < schema->n_children; i++) {
		/* If a consumer has moved the child, its release function is NULL. */
		if (schema->children[i]->release != NULL)
			schema->children[i]->release(schema->children[i]);
		g_free(schema->children[i]);
	}
	if (schema->dictionary != NULL && schema->dictionary->release != NULL)
		schema->dictionary->release(schema->dictionary);
	g_free(schema->dictionary);
	g_free(schema->children);
	g_free(owned->format);
	g_free(owned->name);
	g_free(owned);
	schema->release = NULL;
}

/* @format: (transfer full) */
static void init(struct ArrowSchema *schema, char *format, const char *name, gboolean may_be_null,
		 guint n_children)
{
	Owned *owned = g_new(Owned, 1);

	*owned = (Owned){format, g_strdup(name)};
	*schema = (struct ArrowSchema){
		.format = owned->format,
		.name = owned->name,
		.flags = may_be_null ? ARROW_FLAG_NULLABLE : 0,
		.n_children = n_children,
		.children = g_new(struct ArrowSchema *, n_children),
		.release = release,
		.private_data = owned,
	};
	for (guint i = 0; i < n_children; i++)
		schema->children[i] = g_new0(struct ArrowSchema, 1);
}

static char letter_of_number(const LttColumn *column)
{
	static const char letters[] = "cCsSiIlL"; /* int8, uint8, int16 ... */
	guint place = 0;

	if (column->kind == LTT_COLUMN_FLOAT)
		return column->width_bytes == 4 ? 'f' : 'g';
	while (column->width_bytes >> (place + 1) != 0)
		place++;
	return letters[2 * place + (column->kind == LTT_COLUMN_UINT)];
}

static char *dup_format(const LttColumn *column, const LttArrowOptions *options)
{
	switch (column->kind) {
	case LTT_COLUMN_TIME:
		return g_strdup(options->time_as_int64 ? "l" : "tsn:");
	case LTT_COLUMN_STRING:
		return g_strdup("u");
	case LTT_COLUMN_ENUM:
		return g_strdup("i");
	case LTT_COLUMN_FIXED_BYTES:
		return g_strdup_printf("w:%" G_GUINT64_FORMAT, column->n_elements);
	case LTT_COLUMN_BYTES:
		return g_strdup("z");
	case LTT_COLUMN_FIXED_LIST:
		return g_strdup_printf("+w:%" G_GUINT64_FORMAT, column->n_elements);
	case LTT_COLUMN_LIST:
		return g_strdup("+l");
	case LTT_COLUMN_STRUCT:
	case LTT_COLUMN_UNION:
		return g_strdup("+s");
	default:
		return g_strdup_printf("%c", letter_of_number(column));
	}
}

static void init_column(struct ArrowSchema *schema, const LttColumn *column,
			const LttArrowOptions *options)
{
	const gboolean is_time_ns = column->kind == LTT_COLUMN_TIME && options->time_as_int64;

	init(schema, dup_format(column, options), is_time_ns ? "time_ns" : column->name,
	     column->may_be_null, column->n_children);
	for (guint i = 0; i < column->n_children; i++)
		init_column(schema->children[i], &column->children[i], options);
	if (column->kind == LTT_COLUMN_ENUM) {
		schema->dictionary = g_new0(struct ArrowSchema, 1);
		init(schema->dictionary, g_strdup("u"), "", FALSE, 0);
	}
}

void ltt_arrow_schema_init(struct ArrowSchema *schema, const LttTableReader *reader,
			   const LttArrowOptions *options)
{
	static const LttArrowOptions none;
	const guint n_columns = ltt_table_reader_get_n_columns(reader);

	init(schema, g_strdup("+s"), "", FALSE, n_columns);
	for (guint i = 0; i < n_columns; i++)
		init_column(schema->children[i], ltt_table_reader_get_column(reader, i),
			    options != NULL ? options : &none);
}
