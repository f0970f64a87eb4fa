/* cursor.c - see cursor-priv.h. */
#include "sql/cursor-priv.h"

#include <ltt/ltt-hash.h>

LttSqlCursor *ltt_sql_cursor_new(LttSqlTable *table)
{
	LttSqlCursor *cursor = g_new0(LttSqlCursor, 1);

	cursor->table = table;
	return cursor;
}

static void end_scan(LttSqlCursor *cursor)
{
	if (cursor->stream != NULL)
		cursor->table->source->class->close(cursor->stream);
	cursor->stream = NULL;
	g_clear_pointer(&cursor->scanned, ltt_sql_run_unref);
	g_clear_pointer(&cursor->groups, ltt_sql_groups_free);
	if (cursor->has_probe_match)
		ltt_sql_match_clear(&cursor->probe_match);
	cursor->has_probe_match = FALSE;
}

static void forget_matches(LttSqlCursor *cursor)
{
	for (guint i = 0; i < cursor->n_matches; i++)
		ltt_sql_match_clear(&cursor->matches[i]);
	cursor->n_matches = 0;
}

void ltt_sql_cursor_free(LttSqlCursor *cursor)
{
	end_scan(cursor);
	forget_matches(cursor);
	g_free(cursor);
}

/* ---- scan ---- */

static gboolean holds(const LttSqlCursor *cursor)
{
	return ltt_sql_matches_hold(cursor->matches, cursor->n_matches, cursor->table, cursor->run,
				    cursor->row) &&
	       (!cursor->has_probe_match ||
		ltt_sql_match_holds(&cursor->probe_match, cursor->table, cursor->run, cursor->row));
}

/* A file can have times that decrease (doc/format.md, 7.1). SQLite relies on the order of the rows,
 * so the query must fail. */
static gboolean check_order(LttSqlCursor *cursor, GError **error)
{
	const LttArray *array = cursor->run->roots[cursor->table->source->time_root];
	const guint64 time_ns =
		array != NULL ? (guint64)((const gint64 *)array->values)[cursor->row] : 0;

	if (array != NULL && time_ns < cursor->last_ns) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_CORRUPT,
			    "times in the trace decrease: sort by \"ORDER BY +time\", which does "
			    "not rely on their order");
		return FALSE;
	}
	cursor->last_ns = time_ns;
	return TRUE;
}

/* Moves to the next row that matches, from cursor->row on. */
static gboolean scan(LttSqlCursor *cursor, GError **error)
{
	const LttSqlSourceClass *class = cursor->table->source->class;

	for (;;) {
		LttStep step;

		for (; cursor->run != NULL && cursor->row < cursor->run->n_rows; cursor->row++) {
			if (holds(cursor))
				return !cursor->plan.is_ordered || check_order(cursor, error);
		}
		g_clear_pointer(&cursor->scanned, ltt_sql_run_unref);
		cursor->run = NULL;
		step = class->next(cursor->stream, &cursor->scanned, error);
		if (step != LTT_STEP_EVENT) {
			cursor->is_at_end = TRUE;
			return step == LTT_STEP_END;
		}
		cursor->run = cursor->scanned;
		cursor->row = 0;
	}
}

/* A symbol depends on the process and the time of its event. */
static void want_column(const LttSqlTable *table, const LttSqlColumn *column, guint8 *is_wanted)
{
	if (column->root >= 0)
		is_wanted[column->root] = TRUE;
	if (column->form == LTT_SQL_FORM_SYMBOL) {
		is_wanted[table->source->time_root] = TRUE;
		is_wanted[table->source->pid_root] = TRUE;
	}
}

/* Marks the columns of the source that the plan uses. */
static void want(const LttSqlCursor *cursor, guint8 *is_wanted)
{
	const LttSqlTable *table = cursor->table;

	for (guint i = 0; i < table->columns->len; i++) {
		if (ltt_sql_plan_uses(&cursor->plan, i))
			want_column(table, ltt_sql_table_get(table, i), is_wanted);
	}
	for (guint i = 0; i < cursor->plan.n_terms; i++) {
		const gint root = ltt_sql_table_get(table, cursor->plan.terms[i].column)->root;

		if (root >= 0)
			is_wanted[root] = TRUE;
	}
	if (cursor->plan.group >= 0)
		is_wanted[ltt_sql_table_get(table, (guint)cursor->plan.group)->root] = TRUE;
	if (cursor->plan.is_ordered)
		is_wanted[table->source->time_root] = TRUE;
}

static void take_place(LttSqlCursor *cursor, gboolean has_row)
{
	cursor->is_at_end = !has_row;
	cursor->run = cursor->place.run;
	cursor->row = cursor->place.row;
}

static gboolean start_groups(LttSqlCursor *cursor, const LttSqlScan *what, GError **error)
{
	cursor->groups = ltt_sql_groups_new(cursor->table, what, cursor->matches, cursor->n_matches,
					    (guint)cursor->plan.group, error);
	if (cursor->groups == NULL)
		return FALSE;
	take_place(cursor, ltt_sql_groups_start(cursor->groups, &cursor->place));
	return TRUE;
}

static gboolean start_scan(LttSqlCursor *cursor, const LttSqlScan *what, GError **error)
{
	cursor->last_ns = 0;
	cursor->run = NULL;
	cursor->stream = cursor->table->source->class->open(cursor->table->source, what, error);
	return cursor->stream != NULL && scan(cursor, error);
}

/* ---- probe ---- */

/* Moves to cursor->entry, or to the end. */
static void settle_entry(LttSqlCursor *cursor)
{
	const LttSqlIndex *index = cursor->index;
	const LttSqlEntry *entry;

	cursor->is_at_end =
		cursor->entry == LTT_SQL_NO_ENTRY || cursor->entry >= index->entries->len;
	if (cursor->is_at_end)
		return;
	entry = ltt_sql_index_get(index, cursor->entry);
	if (!index->is_hash && !cursor->is_all && entry->key >= cursor->end_ns)
		cursor->is_at_end = TRUE;
	cursor->run = index->runs->pdata[entry->run];
	cursor->row = entry->row;
}

static void next_entry(LttSqlCursor *cursor)
{
	if (cursor->is_all || !cursor->index->is_hash)
		cursor->entry++;
	else
		cursor->entry = ltt_sql_index_match(
			cursor->index, ltt_sql_index_get(cursor->index, cursor->entry)->next,
			cursor->key);
	settle_entry(cursor);
}

static void probe_hash(LttSqlCursor *cursor, sqlite3_value *value)
{
	const LttSqlIndex *index = cursor->index;

	cursor->is_all = FALSE;
	switch (ltt_sql_key_of_value(ltt_sql_table_get(cursor->table, index->column), value,
				     &cursor->key)) {
	case LTT_SQL_REACH_NONE:
		cursor->entry = LTT_SQL_NO_ENTRY;
		break;
	case LTT_SQL_REACH_KEY:
		cursor->entry = ltt_sql_index_match(index, ltt_sql_index_start(index, cursor->key),
						    cursor->key);
		break;
	case LTT_SQL_REACH_ALL:
		cursor->is_all = TRUE;
		cursor->entry = 0;
		break;
	}
	settle_entry(cursor);
}

static void probe_window(LttSqlCursor *cursor, const LttSqlWindow *window)
{
	cursor->is_all = FALSE;
	cursor->end_ns = window->to_ns;
	cursor->entry = ltt_sql_index_seek(cursor->index, window->from_ns);
	settle_entry(cursor);
}

/* ---- starting ---- */

static void find_index(LttSqlCursor *cursor, const LttSqlValues *values)
{
	LttSqlTable *table = cursor->table;
	char *key = ltt_sql_cursor_make_key(cursor, values);
	guint column = values->hash_column;

	if (table->indices == NULL)
		table->indices = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free,
						       (GDestroyNotify)ltt_sql_index_free);
	cursor->index = g_hash_table_lookup(table->indices, key);
	if (cursor->index != NULL) {
		g_free(key);
		return;
	}
	for (guint i = 0; values->hash == NULL && i < cursor->plan.n_terms; i++) {
		if (cursor->plan.terms[i].varies && cursor->plan.terms[i].action != LTT_SQL_IN)
			column = cursor->plan.terms[i].column;
	}
	cursor->index = ltt_sql_index_new(column, values->hash != NULL);
	g_hash_table_insert(table->indices, key, cursor->index);
}

static void narrow(LttSqlScan *scan, const LttSqlWindow *window)
{
	scan->from_ns = MAX(scan->from_ns, window->from_ns);
	scan->to_ns = MIN(scan->to_ns, window->to_ns);
}

/* Starts the first call with values that vary: a scan that takes them as constants. */
static gboolean scan_once(LttSqlCursor *cursor, sqlite3_value **arguments, LttSqlValues *values,
			  GError **error)
{
	narrow(&values->scan, &values->varying);
	cursor->is_at_end = values->fixed.is_empty || values->varying.is_empty ||
			    values->scan.from_ns >= values->scan.to_ns;
	if (cursor->is_at_end)
		return TRUE;
	for (guint i = 0; i < cursor->plan.n_terms; i++) {
		if (cursor->plan.terms[i].action == LTT_SQL_IN)
			ltt_sql_cursor_take_list(cursor, cursor->plan.terms[i].column,
						 arguments[i]);
	}
	if (values->hash != NULL) {
		cursor->has_probe_match = TRUE;
		ltt_sql_match_init(&cursor->probe_match, values->hash_column);
		ltt_sql_match_add(&cursor->probe_match, cursor->table, values->hash);
	}
	return cursor->plan.group >= 0 ? start_groups(cursor, &values->scan, error)
				       : start_scan(cursor, &values->scan, error);
}

static gboolean probe(LttSqlCursor *cursor, const LttSqlValues *values, GError **error)
{
	LttSqlIndex *index = cursor->index;

	cursor->is_at_end = values->fixed.is_empty || values->varying.is_empty;
	if (cursor->is_at_end)
		return TRUE;
	if (!index->is_built && !ltt_sql_index_build(index, cursor->table, &values->scan,
						     cursor->matches, cursor->n_matches, error))
		return FALSE;
	if (index->is_hash)
		probe_hash(cursor, values->hash);
	else
		probe_window(cursor, &values->varying);
	return TRUE;
}

/* Starts a further call, whose index exists: tests only the conditions that vary. */
static void probe_again(LttSqlCursor *cursor, sqlite3_value **arguments)
{
	LttSqlWindow window = {0, G_MAXUINT64, FALSE};

	for (guint i = 0; i < cursor->plan.n_terms; i++) {
		const LttSqlTerm *term = &cursor->plan.terms[i];

		if (term->action == LTT_SQL_HASH) {
			probe_hash(cursor, arguments[i]);
			return;
		}
		if (term->varies && term->action != LTT_SQL_IN)
			ltt_sql_window_narrow(&window, term->action, arguments[i]);
	}
	cursor->is_at_end = window.is_empty;
	if (!window.is_empty)
		probe_window(cursor, &window);
}

gboolean ltt_sql_cursor_start(LttSqlCursor *cursor, const char *plan_text, sqlite3_value **values,
			      GError **error)
{
	g_autofree guint8 *is_wanted = NULL;
	LttSqlValues taken;

	if (cursor->is_probing && cursor->plan_text == plan_text) {
		probe_again(cursor, values);
		return TRUE;
	}
	is_wanted = g_new0(guint8, MAX(cursor->table->source->n_roots, 1));
	end_scan(cursor);
	forget_matches(cursor);
	if (cursor->plan_text != plan_text) {
		cursor->plan_text = plan_text;
		cursor->index = NULL;
		ltt_sql_plan_parse(plan_text, &cursor->plan);
	}
	ltt_sql_cursor_take_values(cursor, values, &taken);
	want(cursor, is_wanted);
	taken.scan.is_wanted = is_wanted;
	narrow(&taken.scan, &taken.fixed);
	cursor->is_probing = FALSE;
	if (taken.hash == NULL && !taken.seeks)
		return scan_once(cursor, values, &taken, error);
	if (cursor->index == NULL)
		find_index(cursor, &taken);
	if (cursor->index->n_probes++ == 0)
		return scan_once(cursor, values, &taken, error);
	cursor->is_probing = probe(cursor, &taken, error) && cursor->index->is_built;
	return cursor->is_probing || cursor->is_at_end;
}

gboolean ltt_sql_cursor_next(LttSqlCursor *cursor, GError **error)
{
	if (cursor->is_probing) {
		next_entry(cursor);
		return TRUE;
	}
	if (cursor->groups != NULL) {
		take_place(cursor, ltt_sql_groups_next(cursor->groups, &cursor->place));
		return TRUE;
	}
	cursor->row++;
	return scan(cursor, error);
}
