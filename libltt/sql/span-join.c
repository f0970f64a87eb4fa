/* span-join.c - span_join: where intervals of two tables overlap, as in Perfetto's SQL.
 *
 *	CREATE VIRTUAL TABLE both USING span_join(first PARTITIONED tid, second PARTITIONED tid)
 *
 *	first    |---- a ----|        |-- b --|
 *	second         |---- x ----|    |-- y ------|
 *	both           |-ax--|          |-by--|
 *
 * Both are tables or views with the columns `time` (or `ts`) and `dur`, in nanoseconds. The result
 * has the time and the duration of each overlap, the partition, and the other columns of both.
 * Intervals of a
 * table must not overlap within a partition; intervals without a time or a duration are omitted.
 * span_left_join also returns the parts of the first table that the second one does not cover, with
 * nulls in the columns of the second.
 */
#include "sql/span-join-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Parses "NAME" or "NAME PARTITIONED COLUMN". Returns: FALSE if @text has another form */
static gboolean parse_side(const char *text, LttSqlSide *side)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(text));
	g_auto(GStrv) all = g_strsplit_set(trimmed, " \t\n", -1);
	const char *words[3] = {NULL};
	guint n_words = 0;

	for (guint i = 0; all[i] != NULL; i++) {
		if (all[i][0] == '\0')
			continue;
		if (n_words == G_N_ELEMENTS(words))
			return FALSE;
		words[n_words++] = all[i];
	}
	if (n_words != 1 && (n_words != 3 || g_ascii_strcasecmp(words[1], "partitioned") != 0))
		return FALSE;
	side->table = g_strdup(words[0]);
	side->partition = g_strdup(words[2]);
	return TRUE;
}

static gboolean is_time_name(const char *name)
{
	return g_ascii_strcasecmp(name, "time") == 0 || g_ascii_strcasecmp(name, "ts") == 0;
}

/* Finds the columns of a side. Returns: a code of SQLite */
static int read_columns(sqlite3 *db, LttSqlSide *side, char **message)
{
	char *text = sqlite3_mprintf("SELECT * FROM \"%w\"", side->table);
	sqlite3_stmt *statement = NULL;
	const int code = sqlite3_prepare_v2(db, text, -1, &statement, NULL);

	sqlite3_free(text);
	if (code != SQLITE_OK) {
		*message = sqlite3_mprintf("span_join: %s: %s", side->table, sqlite3_errmsg(db));
		return code;
	}
	side->columns = g_ptr_array_new_with_free_func(g_free);
	for (int i = 0; i < sqlite3_column_count(statement); i++) {
		const char *name = sqlite3_column_name(statement, i);

		if (is_time_name(name) && side->time == NULL)
			side->time = g_strdup(name);
		else if (g_ascii_strcasecmp(name, "dur") == 0)
			side->has_dur = TRUE;
		else if (side->partition == NULL || g_ascii_strcasecmp(name, side->partition) != 0)
			g_ptr_array_add(side->columns, g_strdup(name));
		else
			side->has_partition = TRUE;
	}
	sqlite3_finalize(statement);
	if (side->time != NULL && side->has_dur && (side->partition == NULL || side->has_partition))
		return SQLITE_OK;
	*message = sqlite3_mprintf("span_join: %s: expected the columns time and dur%s%s",
				   side->table, side->partition != NULL ? ", and " : "",
				   side->partition != NULL ? side->partition : "");
	return SQLITE_ERROR;
}

static void clear_side(LttSqlSide *side)
{
	g_free(side->table);
	g_free(side->partition);
	g_free(side->time);
	g_clear_pointer(&side->columns, g_ptr_array_unref);
}

void ltt_sql_span_join_free(LttSqlSpanJoin *join)
{
	clear_side(&join->sides[0]);
	clear_side(&join->sides[1]);
	g_free(join);
}

/* ---- the module ---- */

/* If both sides have a column, the result has that of the first. */
static char *declare(const LttSqlSpanJoin *join)
{
	g_autoptr(GHashTable) taken =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	GString *text = g_string_new("CREATE TABLE x(");

	g_string_append_printf(text, "\"%s\" INTEGER, dur INTEGER", join->sides[0].time);
	g_hash_table_add(taken, g_ascii_strdown(join->sides[0].time, -1));
	g_hash_table_add(taken, g_strdup("dur"));
	if (join->sides[0].partition != NULL) {
		g_autofree char *quoted = ltt_sql_quote(join->sides[0].partition);

		g_string_append_printf(text, ", %s", quoted);
		g_hash_table_add(taken, g_ascii_strdown(join->sides[0].partition, -1));
	}
	for (guint side = 0; side < 2; side++) {
		const GPtrArray *columns = join->sides[side].columns;

		for (guint i = 0; i < columns->len; i++) {
			g_autofree char *name = g_strdup(columns->pdata[i]);
			g_autofree char *quoted = NULL;

			for (guint number = 2; !g_hash_table_add(taken, g_ascii_strdown(name, -1));
			     number++) {
				g_free(name);
				name = g_strdup_printf("%s_%u", (char *)columns->pdata[i], number);
			}
			quoted = ltt_sql_quote(name);
			g_string_append_printf(text, ", %s", quoted);
		}
	}
	g_string_append_c(text, ')');
	return g_string_free(text, FALSE);
}

static int connect_join(sqlite3 *db, void *data, int argc, const char *const *argv,
			sqlite3_vtab **result, char **message)
{
	LttSqlSpanJoin *join = g_new0(LttSqlSpanJoin, 1);
	g_autofree char *schema = NULL;
	int code = SQLITE_ERROR;

	join->db = db;
	join->env = data;
	join->is_left = g_str_equal(argv[0], "span_left_join");
	if (argc != 5 || !parse_side(argv[3], &join->sides[0]) ||
	    !parse_side(argv[4], &join->sides[1]) ||
	    (join->sides[0].partition == NULL) != (join->sides[1].partition == NULL))
		*message = sqlite3_mprintf("%s: expected two tables, each with PARTITIONED COLUMN "
					   "or none: %s(a PARTITIONED tid, b PARTITIONED tid)",
					   argv[0], argv[0]);
	else
		code = read_columns(db, &join->sides[0], message);
	if (code == SQLITE_OK)
		code = read_columns(db, &join->sides[1], message);
	if (code == SQLITE_OK) {
		schema = declare(join);
		code = sqlite3_declare_vtab(db, schema);
	}
	if (code != SQLITE_OK) {
		ltt_sql_span_join_free(join);
		return code;
	}
	sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	*result = &join->base;
	return SQLITE_OK;
}

static int disconnect_join(sqlite3_vtab *vtab)
{
	ltt_sql_span_join_free((LttSqlSpanJoin *)vtab);
	return SQLITE_OK;
}

static int choose_plan(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	(void)vtab;
	info->estimatedCost = 1e6;
	info->estimatedRows = 100000;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.iVersion = 0,
	.xCreate = connect_join,
	.xConnect = connect_join,
	.xBestIndex = choose_plan,
	.xDisconnect = disconnect_join,
	.xDestroy = disconnect_join,
	.xOpen = ltt_sql_span_join_open,
	.xClose = ltt_sql_span_join_close,
	.xFilter = ltt_sql_span_join_filter,
	.xNext = ltt_sql_span_join_next,
	.xEof = ltt_sql_span_join_is_at_end,
	.xColumn = ltt_sql_span_join_get,
	.xRowid = ltt_sql_span_join_get_id,
};

int ltt_sql_add_span_join(sqlite3 *db, LttSqlEnv *env)
{
	const int code = sqlite3_create_module(db, "span_join", &module, env);

	return code == SQLITE_OK ? sqlite3_create_module(db, "span_left_join", &module, env) : code;
}
