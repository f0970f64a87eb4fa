/* span-join-walk.c - walk two lists of intervals, sorted by partition and time, at once.
 *
 * SQLite sorts them. Each step compares the heads of both lists: those of unequal partitions do not
 * overlap, so the lower one advances. Otherwise the one that ends first advances.
 */
#include "sql/number-priv.h"
#include "sql/span-join-priv.h"

/* The stack has room for many more. */
#define MOST_JOINS 16

#define PREFIX "span_join: "

/* Columns of the statement of a side before the others. */
enum {
	TIME,
	DUR,
	PARTITION,
	N_OWN,
};

/* The head of a side. */
typedef struct Head {
	sqlite3_stmt *statement;
	gboolean has_row;
	gint64 start;
	gint64 end;
} Head;

typedef struct Cursor {
	sqlite3_vtab_cursor base;
	Head heads[2];
	gint64 start; /* of the row */
	gint64 end;
	gboolean is_covered; /* by the second side */
	gint64 done;         /* left join: the head of the first side was returned up to this
	                      * time */
	gboolean is_at_end;
	gint64 id;
} Cursor;

static LttSqlSpanJoin *join_of(const Cursor *cursor)
{
	return (LttSqlSpanJoin *)cursor->base.pVtab;
}

int ltt_sql_span_join_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **result)
{
	Cursor *cursor = g_new0(Cursor, 1);

	(void)vtab;
	*result = &cursor->base;
	return SQLITE_OK;
}

int ltt_sql_span_join_close(sqlite3_vtab_cursor *base)
{
	Cursor *cursor = (Cursor *)base;

	sqlite3_finalize(cursor->heads[0].statement);
	sqlite3_finalize(cursor->heads[1].statement);
	g_free(cursor);
	return SQLITE_OK;
}

/* @message may be that of a span_join that this one reads. */
static void set_message(LttSqlSpanJoin *join, const char *message)
{
	const char *prefix = g_str_has_prefix(message, PREFIX) ? "" : PREFIX;

	sqlite3_free(join->base.zErrMsg);
	join->base.zErrMsg = sqlite3_mprintf("%s%s", prefix, message);
}

static int fail(const Cursor *cursor, int code)
{
	LttSqlSpanJoin *join = join_of(cursor);

	set_message(join, sqlite3_errmsg(join->db));
	return code;
}

/* ---- one side ---- */

static int start_side(const Cursor *cursor, const LttSqlSide *side, Head *head)
{
	const LttSqlSpanJoin *join = join_of(cursor);
	g_autofree char *time = ltt_sql_quote(side->time);
	g_autofree char *table = ltt_sql_quote(side->table);
	g_autofree char *partition =
		side->partition != NULL ? ltt_sql_quote(side->partition) : g_strdup("0");
	g_autoptr(GString) text = g_string_new(NULL);
	int code;

	g_string_printf(text, "SELECT %s, dur, %s", time, partition);
	for (guint i = 0; i < side->columns->len; i++) {
		g_autofree char *name = ltt_sql_quote(side->columns->pdata[i]);

		g_string_append_printf(text, ", %s", name);
	}
	g_string_append_printf(text, " FROM %s WHERE %s IS NOT NULL AND dur > 0", table, time);
	/* NULL equals no partition of the other side. */
	if (!join->is_left || side != &join->sides[0])
		g_string_append_printf(text, " AND %s IS NOT NULL", partition);
	g_string_append(text, " ORDER BY 3 COLLATE BINARY, 1");
	sqlite3_finalize(head->statement);
	code = sqlite3_prepare_v2(join->db, text->str, -1, &head->statement, NULL);
	return code == SQLITE_OK ? code : fail(cursor, code);
}

static int move_side(Cursor *cursor, Head *head)
{
	const int code = sqlite3_step(head->statement);
	gint64 dur;

	head->has_row = code == SQLITE_ROW;
	if (code == SQLITE_DONE)
		return SQLITE_OK;
	if (code != SQLITE_ROW)
		return fail(cursor, code);
	head->start = sqlite3_column_int64(head->statement, TIME);
	dur = sqlite3_column_int64(head->statement, DUR);
	head->end = head->start > G_MAXINT64 - dur ? G_MAXINT64 : head->start + dur;
	if (head == &cursor->heads[0])
		cursor->done = head->start;
	return SQLITE_OK;
}

/* The order of values of different types. */
static int get_rank(int type)
{
	switch (type) {
	case SQLITE_NULL:
		return 0;
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		return 1;
	default:
		return type == SQLITE_TEXT ? 2 : 3;
	}
}

static LttSqlNumber get_number(sqlite3_stmt *statement)
{
	LttSqlNumber number = {.kind = LTT_SQL_NUMBER_REAL};

	if (sqlite3_column_type(statement, PARTITION) == SQLITE_INTEGER) {
		number.kind = LTT_SQL_NUMBER_INTEGER;
		number.bits.integer = sqlite3_column_int64(statement, PARTITION);
	} else {
		number.bits.real = sqlite3_column_double(statement, PARTITION);
	}
	return number;
}

static int compare_bytes(sqlite3_stmt *first, sqlite3_stmt *second)
{
	/* The bytes before their number: the first call converts the value. */
	const void *left = sqlite3_column_blob(first, PARTITION);
	const void *right = sqlite3_column_blob(second, PARTITION);

	return ltt_sql_compare_bytes(left, sqlite3_column_bytes(first, PARTITION), right,
				     sqlite3_column_bytes(second, PARTITION));
}

/* Compares the partitions of the heads, in the order in which SQLite sorts them. NULL equals no value:
 * the second side has none. */
static int compare(const Cursor *cursor)
{
	sqlite3_stmt *first = cursor->heads[0].statement;
	sqlite3_stmt *second = cursor->heads[1].statement;
	const int rank = get_rank(sqlite3_column_type(first, PARTITION));
	const int other_rank = get_rank(sqlite3_column_type(second, PARTITION));
	LttSqlNumber numbers[2];

	if (rank != other_rank)
		return rank - other_rank;
	if (rank > 1)
		return compare_bytes(first, second);
	numbers[0] = get_number(first);
	numbers[1] = get_number(second);
	return ltt_sql_number_compare(&numbers[0], &numbers[1]);
}

/* ---- both ---- */

/* In a left join, makes a row of the rest of the first head up to @end, without the second side.
 * Returns: whether there is such a row */
static gboolean take_uncovered(Cursor *cursor, gint64 end)
{
	end = MIN(end, cursor->heads[0].end);
	if (!join_of(cursor)->is_left || cursor->done >= end)
		return FALSE;
	cursor->start = cursor->done;
	cursor->end = end;
	cursor->is_covered = FALSE;
	cursor->done = end;
	return TRUE;
}

/* Finds the next row from the heads on. */
static int find(Cursor *cursor)
{
	Head *first = &cursor->heads[0];
	Head *second = &cursor->heads[1];
	int code = SQLITE_OK;

	while (code == SQLITE_OK && first->has_row) {
		const int order = second->has_row ? compare(cursor) : -1;

		if (order < 0 || cursor->done >= first->end ||
		    (order == 0 && second->start >= first->end)) {
			if (take_uncovered(cursor, G_MAXINT64))
				return SQLITE_OK;
			code = move_side(cursor, first);
		} else if (order > 0 || second->end <= cursor->done) {
			code = move_side(cursor, second);
		} else {
			if (take_uncovered(cursor, second->start))
				return SQLITE_OK;
			cursor->start = MAX(first->start, second->start);
			cursor->end = MIN(first->end, second->end);
			cursor->is_covered = TRUE;
			cursor->done = cursor->end;
			return SQLITE_OK;
		}
	}
	cursor->is_at_end = TRUE;
	return code;
}

/* Begins a search, which may begin those of other span_joins. Returns: FALSE, with a message, if there are too many */
static gboolean enter(const Cursor *cursor)
{
	LttSqlSpanJoin *join = join_of(cursor);

	if (join->env->n_joins < MOST_JOINS) {
		join->env->n_joins++;
		return TRUE;
	}
	set_message(join,
		    "one reads itself, or more than " G_STRINGIFY(MOST_JOINS) " read each other");
	return FALSE;
}

static int begin(Cursor *cursor)
{
	const LttSqlSpanJoin *join = join_of(cursor);
	int code = SQLITE_OK;

	cursor->is_at_end = FALSE;
	cursor->id = 0;
	for (guint i = 0; i < 2 && code == SQLITE_OK; i++) {
		code = start_side(cursor, &join->sides[i], &cursor->heads[i]);
		if (code == SQLITE_OK)
			code = move_side(cursor, &cursor->heads[i]);
	}
	return code == SQLITE_OK ? find(cursor) : code;
}

int ltt_sql_span_join_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int n_values,
			     sqlite3_value **values)
{
	Cursor *cursor = (Cursor *)base;
	int code = SQLITE_ERROR;

	(void)number;
	(void)plan;
	(void)n_values;
	(void)values;
	if (enter(cursor)) {
		code = begin(cursor);
		join_of(cursor)->env->n_joins--;
	}
	return code;
}

int ltt_sql_span_join_next(sqlite3_vtab_cursor *base)
{
	Cursor *cursor = (Cursor *)base;

	cursor->id++;
	return find(cursor);
}

int ltt_sql_span_join_is_at_end(sqlite3_vtab_cursor *base)
{
	return ((Cursor *)base)->is_at_end;
}

int ltt_sql_span_join_get(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const Cursor *cursor = (const Cursor *)base;
	const LttSqlSpanJoin *join = join_of(cursor);
	const int n_own = join->sides[0].partition != NULL ? N_OWN : N_OWN - 1;
	const int n_first = (int)join->sides[0].columns->len;
	sqlite3_stmt *first = cursor->heads[0].statement;

	if (column == TIME)
		sqlite3_result_int64(context, cursor->start);
	else if (column == DUR)
		sqlite3_result_int64(context, cursor->end - cursor->start);
	else if (column < n_own)
		sqlite3_result_value(context, sqlite3_column_value(first, PARTITION));
	else if (column < n_own + n_first)
		sqlite3_result_value(context, sqlite3_column_value(first, N_OWN + column - n_own));
	else if (cursor->is_covered)
		sqlite3_result_value(context,
				     sqlite3_column_value(cursor->heads[1].statement,
							  N_OWN + column - n_own - n_first));
	return SQLITE_OK;
}

int ltt_sql_span_join_get_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	*id = ((Cursor *)base)->id;
	return SQLITE_OK;
}
