/* list.c - see list-priv.h. */
#include "sql/list-priv.h"

#include <string.h>

typedef struct Growing {
	GByteArray *validity;
	GByteArray *values;
	GArray *offsets; /* STRING: of gint32 */
	gsize n_nulls;
} Growing;

struct LttSqlList {
	const LttColumn *columns;
	guint n_columns;
	guint column; /* of the next value */
	gsize n_rows;
	Growing *growing;
	GArray *members;  /* of guint */
	GArray *hosts;    /* likewise */
	LttArray *arrays; /* made at the end */
};

LttSqlList *ltt_sql_list_new(const LttColumn *columns, guint n_columns)
{
	LttSqlList *list = g_new0(LttSqlList, 1);
	const gint32 zero = 0;

	list->columns = columns;
	list->n_columns = n_columns;
	list->growing = g_new(Growing, n_columns);
	list->members = g_array_new(FALSE, FALSE, sizeof(guint));
	list->hosts = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < n_columns; i++) {
		list->growing[i] = (Growing){.validity = g_byte_array_new(),
					     .values = g_byte_array_new(),
					     .offsets = g_array_new(FALSE, FALSE, sizeof(gint32))};
		g_array_append_val(list->growing[i].offsets, zero);
	}
	return list;
}

void ltt_sql_list_free(LttSqlList *list)
{
	for (guint i = 0; i < list->n_columns; i++) {
		g_byte_array_unref(list->growing[i].validity);
		g_byte_array_unref(list->growing[i].values);
		g_array_unref(list->growing[i].offsets);
	}
	g_array_unref(list->members);
	g_array_unref(list->hosts);
	g_free(list->growing);
	g_free(list->arrays);
	g_free(list);
}

/* ---- values ---- */

static void add(LttSqlList *list, gconstpointer bytes, gsize length, gboolean is_valid)
{
	Growing *to = &list->growing[list->column];
	const guint8 none = 0;
	gint32 end;

	if (list->n_rows % 8 == 0)
		g_byte_array_append(to->validity, &none, 1);
	to->validity->data[list->n_rows / 8] |= (guint8)((is_valid ? 1 : 0) << (list->n_rows % 8));
	to->n_nulls += !is_valid;
	if (length > 0)
		g_byte_array_append(to->values, bytes, (guint)length);
	end = (gint32)to->values->len;
	g_array_append_val(to->offsets, end);
	if (++list->column == list->n_columns) {
		list->column = 0;
		list->n_rows++;
	}
}

void ltt_sql_list_add_int(LttSqlList *list, gint64 value)
{
	add(list, &value, sizeof(value), TRUE);
}

void ltt_sql_list_add_float(LttSqlList *list, double value)
{
	add(list, &value, sizeof(value), TRUE);
}

void ltt_sql_list_add_null(LttSqlList *list)
{
	const gint64 zero = 0;

	add(list, &zero, list->columns[list->column].width_bytes, FALSE);
}

void ltt_sql_list_add_text(LttSqlList *list, const char *text)
{
	g_autofree char *valid = NULL;

	if (text == NULL) {
		ltt_sql_list_add_null(list);
		return;
	}
	valid = g_utf8_make_valid(text, -1);
	add(list, valid, strlen(valid), TRUE);
}

void ltt_sql_list_add_origin(LttSqlList *list, guint member, guint host)
{
	g_array_append_val(list->members, member);
	g_array_append_val(list->hosts, host);
}

/* ---- the run ---- */

static void free_list(gpointer list)
{
	ltt_sql_list_free(list);
}

LttSqlRun *ltt_sql_list_finish(LttSqlList *list)
{
	LttSqlRun *run = ltt_sql_run_new(list->n_rows, list->n_columns, list, free_list);

	if (list->members->len > 0) {
		run->members = (const guint *)(gpointer)list->members->data;
		run->hosts = (const guint *)(gpointer)list->hosts->data;
	}
	list->arrays = g_new(LttArray, list->n_columns);
	for (guint i = 0; i < list->n_columns; i++) {
		const Growing *of = &list->growing[i];
		const gboolean is_text = list->columns[i].kind == LTT_COLUMN_STRING;

		list->arrays[i] = (LttArray){
			.column = &list->columns[i],
			.n_values = list->n_rows,
			.n_nulls = of->n_nulls,
			.validity = of->n_nulls > 0 ? of->validity->data : NULL,
			.values = of->values->data,
			.offsets = is_text ? (const gint32 *)(gpointer)of->offsets->data : NULL,
		};
		run->roots[i] = &list->arrays[i];
		run->n_bytes += ltt_sql_array_get_bytes(&list->arrays[i]);
	}
	return run;
}

/* ---- the source ---- */

typedef struct ListSource {
	LttSqlSource base;
	LttSqlListFunc make;
	gpointer user_data;
	LttSqlRun *run; /* NULL: not made yet */
} ListSource;

typedef struct ListStream {
	LttSqlStream base;
	gboolean is_given;
} ListStream;

static LttSqlStream *open_stream(LttSqlSource *base, const LttSqlScan *scan, GError **error)
{
	ListSource *source = (ListSource *)base;
	ListStream *stream;

	(void)scan;
	if (source->run == NULL)
		source->run = source->make(base->env, source->user_data, error);
	if (source->run == NULL)
		return NULL;
	stream = g_new0(ListStream, 1);
	stream->base.source = base;
	return &stream->base;
}

static LttStep next_run(LttSqlStream *base, LttSqlRun **run, GError **error)
{
	ListStream *stream = (ListStream *)base;
	ListSource *source = (ListSource *)base->source;

	(void)error;
	if (stream->is_given || source->run->n_rows == 0)
		return LTT_STEP_END;
	stream->is_given = TRUE;
	*run = ltt_sql_run_ref(source->run);
	return LTT_STEP_EVENT;
}

static void close_stream(LttSqlStream *stream)
{
	g_free(stream);
}

static void free_source(LttSqlSource *base)
{
	ltt_sql_run_unref(((ListSource *)base)->run);
	g_free(base);
}

static const LttSqlSourceClass list_class = {open_stream, next_run, close_stream, free_source};

LttSqlTable *ltt_sql_list_table(LttSqlEnv *env, const char *name, const char *description,
				const LttColumn *columns, guint n_columns, LttSqlListFunc make,
				gpointer user_data)
{
	ListSource *source = g_new(ListSource, 1);
	LttSqlTable *table;

	*source = (ListSource){
		.base = {.class = &list_class,
			 .env = env,
			 .n_roots = n_columns,
			 .time_root = -1,
			 .cpu_root = -1,
			 .type_root = -1,
			 .n_rows = 1000},
		.make = make,
		.user_data = user_data,
	};
	table = ltt_sql_table_new(name, description, &source->base);
	for (guint i = 0; i < n_columns; i++)
		ltt_sql_table_add(table, &columns[i], i);
	return table;
}
