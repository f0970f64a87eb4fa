/* plan.c - see plan-priv.h. */
#include "sql/plan-priv.h"

#include "sql/groups-priv.h"

#include <stdlib.h>
#include <string.h>

/* Estimates for the optimizer of SQLite: fractions of the rows that conditions select, and
 * costs. */
#define PART_EQUAL  0.1
#define PART_WINDOW 0.3
#define PART_CPU    0.3
#define PROBE_COST  4.0
#define PROBE_ROWS  2.0
#define SEEK_COST   40.0
#define SEEK_PART   0.001

typedef struct Choice {
	const LttSqlTable *table;
	sqlite3_index_info *info;
	LttSqlPlan plan;
	gboolean has_hash;
	gboolean seeks; /* a limit of the time varies */
	gboolean lacks_parameter;
	double rows;
	double cost;
	GString *words; /* the plan in words, for EXPLAIN QUERY PLAN */
} Choice;

static gboolean is_time(const LttSqlTable *table, guint column)
{
	const LttSqlColumn *of = ltt_sql_table_get(table, column);

	return of->root >= 0 && of->root == table->source->time_root && of->depth == 0;
}

/* Returns: the limit that a comparison sets for the time; 0: none */
static LttSqlAction find_limit(int op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return LTT_SQL_AT;
	case SQLITE_INDEX_CONSTRAINT_GE:
		return LTT_SQL_FROM;
	case SQLITE_INDEX_CONSTRAINT_GT:
		return LTT_SQL_AFTER;
	case SQLITE_INDEX_CONSTRAINT_LE:
		return LTT_SQL_UNTIL;
	case SQLITE_INDEX_CONSTRAINT_LT:
		return LTT_SQL_BEFORE;
	default:
		return 0;
	}
}

static void take(Choice *choice, int i, LttSqlAction action, gboolean varies)
{
	const guint column = (guint)choice->info->aConstraint[i].iColumn;
	LttSqlPlan *plan = &choice->plan;

	plan->terms[plan->n_terms++] = (LttSqlTerm){action, varies, column};
	choice->info->aConstraintUsage[i].argvIndex = (int)plan->n_terms;
}

static void say(Choice *choice, const char *what, const char *column)
{
	if (choice->words->len > 0)
		g_string_append_c(choice->words, ' ');
	if (column != NULL)
		g_string_append_printf(choice->words, "%s(%s)", what, column);
	else
		g_string_append(choice->words, what);
}

static void take_limit(Choice *choice, int i, LttSqlAction limit, gboolean varies)
{
	take(choice, i, limit, varies);
	if (varies) {
		say(choice, "seek", "time");
		choice->seeks = TRUE;
		return;
	}
	if (strstr(choice->words->str, "window") == NULL)
		say(choice, "window", NULL);
	choice->rows *= PART_WINDOW;
	choice->cost *= PART_WINDOW;
}

/* Returns: the action for "column = constant"; 0: none */
static LttSqlAction find_action(const Choice *choice, guint column)
{
	const LttSqlSource *source = choice->table->source;
	const LttSqlColumn *of = ltt_sql_table_get(choice->table, column);

	if (of->root >= 0 && of->root == source->cpu_root)
		return LTT_SQL_CPU;
	if (of->root >= 0 && of->root == source->type_root && of->form == LTT_SQL_FORM_LABEL)
		return LTT_SQL_TYPE;
	return ltt_sql_column_has_keys(of) ? LTT_SQL_MATCH : 0;
}

static void take_equal(Choice *choice, int i, gboolean varies)
{
	const guint column = (guint)choice->info->aConstraint[i].iColumn;
	const LttSqlColumn *of = ltt_sql_table_get(choice->table, column);
	const LttSqlAction action = find_action(choice, column);

	if (sqlite3_vtab_in(choice->info, i, -1)) {
		if (!ltt_sql_column_has_keys(of))
			return;
		sqlite3_vtab_in(choice->info, i, 1);
		take(choice, i, LTT_SQL_IN, varies);
		say(choice, "in", of->name);
		choice->rows *= PART_EQUAL;
	} else if (!varies && action != 0) {
		take(choice, i, action, FALSE);
		say(choice, action == LTT_SQL_CPU ? "cpu" : "match",
		    action == LTT_SQL_CPU ? NULL : of->name);
		choice->rows *= PART_EQUAL;
		if (action != LTT_SQL_MATCH)
			choice->cost *= PART_CPU;
	} else if (varies && !choice->has_hash && ltt_sql_column_has_keys(of)) {
		take(choice, i, LTT_SQL_HASH, TRUE);
		say(choice, "hash", of->name);
		choice->has_hash = TRUE;
	}
}

/* A function can only be called when its parameters are known. */
static void take_parameter(Choice *choice, int i)
{
	if (!choice->info->aConstraint[i].usable || choice->plan.n_terms == LTT_SQL_MAX_TERMS) {
		choice->lacks_parameter = TRUE;
		return;
	}
	take(choice, i, LTT_SQL_PARAMETER, FALSE);
	choice->info->aConstraintUsage[i].omit = 1;
}

static void take_term(Choice *choice, int i)
{
	const struct sqlite3_index_constraint *term = &choice->info->aConstraint[i];
	const char *collation;
	sqlite3_value *value = NULL;
	gboolean varies;
	LttSqlAction limit;

	if (term->iColumn >= 0 && term->op == SQLITE_INDEX_CONSTRAINT_EQ &&
	    ltt_sql_table_get(choice->table, (guint)term->iColumn)->form ==
		    LTT_SQL_FORM_PARAMETER) {
		take_parameter(choice, i);
		return;
	}
	if (!term->usable || term->iColumn < 0 || choice->plan.n_terms == LTT_SQL_MAX_TERMS ||
	    find_limit(term->op) == 0)
		return;
	varies = sqlite3_vtab_rhs_value(choice->info, i, &value) != SQLITE_OK || value == NULL;
	limit = is_time(choice->table, (guint)term->iColumn) ? find_limit(term->op) : 0;
	if (limit != 0 && (limit != LTT_SQL_AT || !varies) &&
	    !sqlite3_vtab_in(choice->info, i, -1)) {
		take_limit(choice, i, limit, varies);
		return;
	}
	collation = sqlite3_vtab_collation(choice->info, i);
	if (term->op == SQLITE_INDEX_CONSTRAINT_EQ && collation != NULL &&
	    (g_ascii_strcasecmp(collation, "BINARY") == 0 ||
	     g_ascii_strcasecmp(collation, LTT_SQL_DIGITS) == 0))
		take_equal(choice, i, varies);
}

/* Tells SQLite that no sort is needed if the rows come in order of time or grouped. */
static void take_order(Choice *choice)
{
	sqlite3_index_info *info = choice->info;

	guint column;

	if (choice->has_hash || info->nOrderBy != 1 || info->aOrderBy[0].iColumn < 0)
		return;
	column = (guint)info->aOrderBy[0].iColumn;
	if (choice->table->source->is_ordered && !info->aOrderBy[0].desc &&
	    is_time(choice->table, column) &&
	    ltt_trace_is_sorted(choice->table->source->env->trace)) {
		choice->plan.is_ordered = TRUE;
		say(choice, "order", "time");
	} else if (choice->table->source->can_group && sqlite3_vtab_distinct(info) == 1 &&
		   !choice->seeks &&
		   ltt_sql_column_has_groups(ltt_sql_table_get(choice->table, column))) {
		choice->plan.group = (gint)column;
		say(choice, "group", ltt_sql_table_get(choice->table, column)->name);
	}
	info->orderByConsumed = choice->plan.is_ordered || choice->plan.group >= 0;
}

static char *print_plan(const Choice *choice)
{
	const LttSqlPlan *plan = &choice->plan;
	char *text = sqlite3_mprintf("%s|%d,%d,%llx", choice->words->str, plan->is_ordered,
				     plan->group, (unsigned long long)plan->used);

	for (guint i = 0; i < plan->n_terms && text != NULL; i++)
		text = sqlite3_mprintf("%z,%c%c%u", text, (int)plan->terms[i].action,
				       plan->terms[i].varies ? 'v' : 'c', plan->terms[i].column);
	return text;
}

/* Hashes come before limits of the time that vary: they find fewer rows. */
static void take_terms(Choice *choice)
{
	for (int i = 0; i < choice->info->nConstraint; i++) {
		if (choice->info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ)
			take_term(choice, i);
	}
	for (int i = 0; i < choice->info->nConstraint; i++) {
		if (choice->info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			take_term(choice, i);
	}
}

int ltt_sql_plan_choose(const LttSqlTable *table, sqlite3_index_info *info)
{
	g_autoptr(GString) words = g_string_new(NULL);
	Choice choice = {
		.table = table,
		.info = info,
		.plan = {.group = -1, .used = info->colUsed},
		.rows = table->source->n_rows,
		.cost = table->source->n_rows,
		.words = words,
	};

	take_terms(&choice);
	if (choice.lacks_parameter)
		return SQLITE_CONSTRAINT;
	take_order(&choice);
	if (choice.has_hash) {
		choice.cost = PROBE_COST;
		choice.rows = PROBE_ROWS;
	} else if (choice.seeks) {
		choice.cost = SEEK_COST + choice.cost * SEEK_PART;
		choice.rows = choice.rows * SEEK_PART;
	}
	info->estimatedCost = choice.cost;
	info->estimatedRows = (sqlite3_int64)MAX(choice.rows, 1);
	info->idxStr = print_plan(&choice);
	info->needToFreeIdxStr = 1;
	return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

void ltt_sql_plan_parse(const char *text, LttSqlPlan *plan)
{
	const char *at = strrchr(text, '|') + 1;
	char *end;

	*plan = (LttSqlPlan){.is_ordered = *at == '1'};
	plan->group = (gint)strtol(at + 2, &end, 10);
	plan->used = strtoull(end + 1, &end, 16);
	while (*end == ',') {
		LttSqlTerm *term = &plan->terms[plan->n_terms++];

		term->action = (LttSqlAction)end[1];
		term->varies = end[2] == 'v';
		term->column = (guint)strtoul(end + 3, &end, 10);
	}
}
