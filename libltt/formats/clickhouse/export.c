/* export.c - write the CREATE TABLE statements for ClickHouse of the tables that the export to Arrow
 * fills (doc/clickhouse.md).
 *
 * Labels of an enum are a LowCardinality(String) and not an Enum16, because a trace may have values
 * without a label, which ClickHouse would reject. Arrays and tuples cannot be null in ClickHouse:
 * where a version of an event type lacks the field, they are empty.
 */
#include "formats/export-priv.h"

#include "base/escape-priv.h"
#include "base/job-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

#include <string.h>

#define N_BITS_OF_A_BYTE 8

typedef struct DdlExport {
	const LttExportRequest *request;
	GHashTable *names; /* of tables so far, in lower case -> the last number behind it; owned */
	LttSink sink;
} DdlExport;

static void add_quoted(GString *out, char quote, const char *text)
{
	g_string_append_c(out, quote);
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == quote || *at == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *at);
	}
	g_string_append_c(out, quote);
}

/* Adds the rest of a line that is a comment, which a name must not end. */
static void add_comment(GString *out, const char *text)
{
	ltt_string_add_escaped(out, text, strlen(text), LTT_ESCAPE_TEXT);
}

/* ---- types ---- */

/* Returns: (transfer full) (nullable): a type that can be null; NULL: @column is a list or a tuple */
static char *dup_scalar(const LttColumn *column)
{
	const int n_bits = column->width_bytes * N_BITS_OF_A_BYTE;

	switch (column->kind) {
	case LTT_COLUMN_TIME:
		return g_strdup("DateTime64(9, 'UTC')");
	case LTT_COLUMN_INT:
		return g_strdup_printf("Int%d", n_bits);
	case LTT_COLUMN_UINT:
		return g_strdup_printf("UInt%d", n_bits);
	case LTT_COLUMN_FLOAT:
		return g_strdup_printf("Float%d", n_bits);
	case LTT_COLUMN_FIXED_BYTES:
		return g_strdup_printf("FixedString(%" G_GUINT64_FORMAT ")",
				       MAX(column->n_elements, 1));
	case LTT_COLUMN_STRING:
	case LTT_COLUMN_BYTES:
	case LTT_COLUMN_ENUM:
		return g_strdup("String");
	default:
		return NULL;
	}
}

static void add_type(GString *out, const LttColumn *column);

static void add_members(GString *out, const LttColumn *column)
{
	g_string_append(out, "Tuple(");
	for (guint i = 0; i < column->n_children; i++) {
		if (i > 0)
			g_string_append(out, ", ");
		add_quoted(out, '`', column->children[i].name);
		g_string_append_c(out, ' ');
		add_type(out, &column->children[i]);
	}
	g_string_append_c(out, ')');
}

static void add_type(GString *out, const LttColumn *column)
{
	g_autofree char *scalar = dup_scalar(column);
	const gboolean is_enum = column->kind == LTT_COLUMN_ENUM;

	if (scalar != NULL) {
		g_string_append_printf(out, "%s%s%s%s%s", is_enum ? "LowCardinality(" : "",
				       column->may_be_null ? "Nullable(" : "", scalar,
				       column->may_be_null ? ")" : "", is_enum ? ")" : "");
	} else if (column->kind == LTT_COLUMN_LIST || column->kind == LTT_COLUMN_FIXED_LIST) {
		g_string_append(out, "Array(");
		add_type(out, &column->children[0]);
		g_string_append_c(out, ')');
	} else {
		add_members(out, column);
	}
}

/* ---- tables ---- */

/* Returns: whether the name, without regard to case, was free. It is taken now. */
static gboolean take_name(DdlExport *export, const char *name)
{
	g_autofree char *folded = g_ascii_strdown(name, -1);

	return !g_hash_table_contains(export->names, folded) &&
	       g_hash_table_insert(export->names, g_steal_pointer(&folded), GUINT_TO_POINTER(1));
}

/* Returns: (transfer full): the name of a table as in `ltt sql`, each once */
static char *choose_name(DdlExport *export, const char *full_name)
{
	g_autofree char *base = g_strdup(full_name);
	g_autofree char *folded = NULL;
	char *chosen;
	guint number;

	g_strcanon(base, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS, '_');
	if (take_name(export, base))
		return g_steal_pointer(&base);
	folded = g_ascii_strdown(base, -1);
	number = GPOINTER_TO_UINT(g_hash_table_lookup(export->names, folded)) + 1;
	chosen = g_strdup_printf("%s_%u", base, number);
	while (!take_name(export, chosen)) {
		g_free(chosen);
		chosen = g_strdup_printf("%s_%u", base, ++number);
	}
	g_hash_table_replace(export->names, g_steal_pointer(&folded), GUINT_TO_POINTER(number));
	return chosen;
}

static void add_table(DdlExport *export, const LttTable *table)
{
	g_autofree char *name = choose_name(export, ltt_table_get_name(table));
	g_autoptr(GString) out = g_string_new("-- ");
	const LttTrace *trace = export->request->trace;
	const char *description = ltt_table_get_description(table);

	add_comment(out, ltt_table_get_name(table));
	g_string_append(out, "\nCREATE TABLE IF NOT EXISTS ");
	add_quoted(out, '`', name);
	g_string_append(out, "\n(\n");
	for (guint i = 0; i < ltt_table_get_n_columns(table); i++) {
		const LttColumn *column = ltt_table_get_column(table, i);

		g_string_append(out, i > 0 ? ",\n    " : "    ");
		add_quoted(out, '`', column->name);
		g_string_append_c(out, ' ');
		add_type(out, column);
	}
	g_string_append_printf(out, "\n)\nENGINE = MergeTree\nORDER BY %s\nCOMMENT ",
			       ltt_trace_get_n_members(trace) > 1 || ltt_trace_has_hosts(trace)
				       ? "(host, time)"
				       : "time");
	add_quoted(out, '\'', description != NULL ? description : ltt_table_get_name(table));
	g_string_append(out, ";\n\n");
	ltt_sink_add_long(&export->sink, out->str, out->len);
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	g_autoptr(LttTables) tables = ltt_tables_new(request->trace);
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	DdlExport export = {.request = request, .names = names};
	gboolean ok = TRUE;

	ltt_sink_init(&export.sink, request->write, request->write_data);
	for (guint i = 0; ok && i < ltt_tables_get_n(tables); i++) {
		if (ltt_export_wants_table(request, ltt_tables_get(tables, i)))
			add_table(&export, ltt_tables_get(tables, i));
		ok = ltt_job_progress(&request->callbacks, LTT_PROGRESS_EVENTS, 0, 0, error);
	}
	ltt_sink_hand_on(&export.sink);
	ok = ok && ltt_sink_check(&export.sink, error);
	ltt_sink_clear(&export.sink);
	return ok;
}

const LttExporter ltt_export_clickhouse_ddl = {
	.kind = {.name = "clickhouse-ddl",
		 .summary =
			 "statements that create the tables of the export to arrow in ClickHouse"},
	.run = run,
};
