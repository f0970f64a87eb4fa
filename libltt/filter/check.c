/* check.c - find comparisons of a filter that no event of a trace can satisfy.
 *
 * A comparison is checked with the types of all events that are read. It is in doubt if
 *
 *   - no type has an operand;
 *   - it has a pid, a tid or a comm, and the trace does not record threads;
 *   - the operands are not comparable in any type;
 *   - a string is compared with the labels of enums, with event names or facilities, and there is
 *     none like it;
 *   - a string is compared with the host, and no machine of the trace has the name.
 */
#include "filter/doubt-priv.h"
#include "filter/filter-priv.h"
#include "filter/select-priv.h"

#include <ltt/ltt-nearest.h>
#include <ltt/ltt-select.h>

#include <string.h>

typedef struct Check {
	const LttFilter *filter;
	const GPtrArray *types; /* of LttEventType */
	gboolean is_part;       /* the trace has more types */
	const LttTrace *trace;
	GPtrArray *doubts;
} Check;

/* Kinds of values that a comparison distinguishes, as bits. An enum is a number and a text. */
enum { IS_NUMBER = 1, IS_TEXT = 2, IS_OTHER = 4 };

/* What an operand is in the events of one type, or of all. */
typedef struct Sort {
	guint bits; /* 0: the events do not have it */
	const LttType *type;
} Sort;

static char *dup_text(const Check *check, const LttOperand *operand)
{
	return g_strndup(ltt_filter_get_expression(check->filter) + operand->at,
			 operand->end - operand->at);
}

/* ---- operands ---- */

static guint bits_of(const LttType *type, gboolean is_length)
{
	switch (ltt_type_get_kind(type)) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_FLOAT:
		return is_length ? IS_OTHER : IS_NUMBER;
	case LTT_ENUM:
		return is_length ? IS_OTHER : IS_NUMBER | IS_TEXT;
	case LTT_STRING:
		return is_length ? IS_NUMBER : IS_TEXT;
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		return is_length ? IS_NUMBER : IS_OTHER;
	default:
		return IS_OTHER;
	}
}

static gboolean is_of_thread(const LttOperand *operand)
{
	return operand->kind == LTT_OPERAND_PID || operand->kind == LTT_OPERAND_TID ||
	       operand->kind == LTT_OPERAND_COMM;
}

static Sort sort_of(const Check *check, const LttOperand *operand, const LttEventType *event)
{
	LttFinding finding;

	if (is_of_thread(operand) && !ltt_trace_has_threads(check->trace))
		return (Sort){0, NULL};
	if (operand->kind != LTT_OPERAND_PATH)
		return (Sort){ltt_operand_is_text(operand) ? IS_TEXT : IS_NUMBER, NULL};
	finding = ltt_path_follow(event, operand);
	if (finding.type == NULL)
		return (Sort){0, NULL};
	return (Sort){bits_of(finding.type, operand->is_length), finding.type};
}

static void doubt_field(const Check *check, const LttOperand *operand)
{
	g_autofree char *text = dup_text(check, operand);
	g_autofree char *near = NULL;

	if (is_of_thread(operand)) {
		ltt_doubts_add(check->doubts, LTT_DOUBT_THREAD, (gint64)operand->at, text, NULL,
			       g_strdup_printf("%s: the trace does not record threads", text));
		return;
	}
	near = ltt_path_find_near(check->types, operand);
	ltt_doubts_add(check->doubts, LTT_DOUBT_FIELD, (gint64)operand->at, text, near,
		       g_strdup_printf(check->is_part ? "%s: no selected event has such a field"
						      : "%s: the trace has no such field",
				       text));
}

static const char *describe(const LttOperand *operand, const Sort *sort)
{
	if ((sort->bits & IS_OTHER) == 0)
		return (sort->bits & IS_NUMBER) == 0 ? "a string"
		       : sort->bits == IS_NUMBER     ? "a number"
						     : "a number or a label";
	if (operand->is_length)
		return "the length of a value that has none";
	switch (ltt_type_get_kind(sort->type)) {
	case LTT_ARRAY:
		return "an array";
	case LTT_SEQUENCE:
		return "a sequence";
	case LTT_STRUCT:
		return "a struct";
	default:
		return "a union";
	}
}

/* Returns: (transfer full) (nullable): an element in place of a list, if that can be compared */
static char *find_element(const char *text, const Sort *sort)
{
	const LttTypeKind kind = sort->type != NULL ? ltt_type_get_kind(sort->type) : LTT_INT;

	if (kind != LTT_ARRAY && kind != LTT_SEQUENCE)
		return NULL;
	if (bits_of(ltt_type_resolve(ltt_type_get_element(sort->type)), FALSE) == IS_OTHER)
		return NULL;
	return g_strconcat(text, "[*]", NULL);
}

static void doubt_kinds(const Check *check, const LttTest *test, const Sort *left,
			const Sort *right)
{
	const gboolean is_left = (left->bits & IS_OTHER) != 0;
	const LttOperand *wrong = is_left ? &test->left : &test->right;
	g_autofree char *left_text = dup_text(check, &test->left);
	g_autofree char *right_text = dup_text(check, &test->right);
	g_autofree char *near =
		find_element(is_left ? left_text : right_text, is_left ? left : right);

	ltt_doubts_add(check->doubts, LTT_DOUBT_KIND, (gint64)wrong->at,
		       is_left ? left_text : right_text, near,
		       g_strdup_printf("%s is %s, and %s is %s: they cannot be compared", left_text,
				       describe(&test->left, left), right_text,
				       describe(&test->right, right)));
}

static void doubt_pair(const Check *check, const LttTest *test)
{
	g_autofree char *left = dup_text(check, &test->left);
	g_autofree char *right = dup_text(check, &test->right);

	ltt_doubts_add(check->doubts, LTT_DOUBT_FIELD, (gint64)test->left.at, left, NULL,
		       g_strdup_printf(check->is_part ? "%s and %s: no selected event has both"
						      : "%s and %s: no event has both",
				       left, right));
}

/* Checks that some events have both operands, and that they are comparable in some. */
static gboolean check_operands(const Check *check, const LttTest *test)
{
	Sort left = {0, NULL};
	Sort right = {0, NULL};
	gboolean has_both = FALSE;

	for (guint i = 0; i < check->types->len; i++) {
		const Sort a = sort_of(check, &test->left, check->types->pdata[i]);
		const Sort b = sort_of(check, &test->right, check->types->pdata[i]);

		if ((a.bits & b.bits & (IS_NUMBER | IS_TEXT)) != 0)
			return TRUE;
		left = a.bits != 0 ? a : left;
		right = b.bits != 0 ? b : right;
		has_both = has_both || (a.bits != 0 && b.bits != 0);
	}
	if (left.bits == 0)
		doubt_field(check, &test->left);
	if (right.bits == 0)
		doubt_field(check, &test->right);
	if (left.bits != 0 && right.bits != 0 && has_both)
		doubt_kinds(check, test, &left, &right);
	else if (left.bits != 0 && right.bits != 0)
		doubt_pair(check, test);
	return FALSE;
}

/* ---- names and labels ---- */

static gboolean is_meant(const LttTest *test, const char *name)
{
	const LttOperand *right = &test->right;

	if (ltt_compare_is_match(test->compare))
		return ltt_glob_matches(test->glob, name, strlen(name));
	return strlen(name) == right->string->len &&
	       memcmp(name, right->string->str, right->string->len) == 0;
}

/* Adds a doubt unless one of @names, which ends with NULL, is meant. */
static void check_names(const Check *check, const LttTest *test, const GPtrArray *names,
			LttDoubtKind kind, const char *message)
{
	const char *word = test->right.string->str;
	g_autofree char *left = dup_text(check, &test->left);

	for (guint i = 0; names->pdata[i] != NULL; i++)
		if (is_meant(test, names->pdata[i]))
			return;
	ltt_doubts_add(check->doubts, kind, (gint64)test->right.at, word,
		       ltt_nearest(word, (const char *const *)names->pdata),
		       g_strdup_printf(message, word, left));
}

static void check_event_name(const Check *check, const LttTest *test)
{
	const gboolean is_event = test->left.kind == LTT_OPERAND_EVENT;
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < check->types->len; i++) {
		const LttEventType *type = check->types->pdata[i];

		g_ptr_array_add(names, is_event ? type->full_name
						: (gpointer)ltt_facility_get_name(type->facility));
	}
	g_ptr_array_add(names, NULL);
	check_names(check, test, names, is_event ? LTT_DOUBT_EVENT : LTT_DOUBT_FACILITY,
		    is_event && check->is_part ? "%s: no selected event has such a name"
		    : is_event                 ? "%s: the trace has no such event"
		    : check->is_part           ? "%s: no selected event is of such a facility"
					       : "%s: the trace has no such facility");
}

/* Checks a string that is compared with a field. If the field is a string in some events, it can
 * be anything. */
static void check_label(const Check *check, const LttTest *test)
{
	g_autoptr(GPtrArray) labels = g_ptr_array_new();

	for (guint i = 0; i < check->types->len; i++) {
		const LttType *type = sort_of(check, &test->left, check->types->pdata[i]).type;

		if (type == NULL)
			continue;
		if (ltt_type_get_kind(type) == LTT_STRING)
			return;
		for (guint j = 0;
		     ltt_type_get_kind(type) == LTT_ENUM && j < ltt_type_get_n_labels(type); j++)
			g_ptr_array_add(labels, (gpointer)ltt_type_get_label(type, j)->name);
	}
	g_ptr_array_add(labels, NULL);
	check_names(check, test, labels, LTT_DOUBT_LABEL, "%s: %s has no such label");
}

/* A field with the name is easily meant. */
static void check_host(const Check *check, const LttTest *test)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	gboolean is_field = FALSE;

	for (guint i = 0; i < ltt_trace_get_n_hosts(check->trace); i++)
		g_ptr_array_add(names, (gpointer)ltt_trace_get_host(check->trace, i));
	g_ptr_array_add(names, NULL);
	for (guint i = 0; i < check->types->len && !is_field; i++)
		is_field = ltt_path_follow(check->types->pdata[i], &test->left).type != NULL;
	check_names(check, test, names, LTT_DOUBT_HOST,
		    is_field ? "%s: no machine of the trace has this name; the field is data.%s"
			     : "%s: no machine of the trace has this name");
}

static void check_test(const Check *check, const LttTest *test)
{
	const gboolean is_exact = test->compare == LTT_COMPARE_EQ ||
				  test->compare == LTT_COMPARE_NE ||
				  ltt_compare_is_match(test->compare);

	if (!check_operands(check, test) || !is_exact || test->right.kind != LTT_OPERAND_STRING)
		return;
	if (test->left.kind == LTT_OPERAND_EVENT || test->left.kind == LTT_OPERAND_FACILITY)
		check_event_name(check, test);
	else if (test->left.kind == LTT_OPERAND_HOST)
		check_host(check, test);
	else if (test->left.kind == LTT_OPERAND_PATH)
		check_label(check, test);
}

void ltt_filter_check_types(const LttFilter *filter, const GPtrArray *types, gboolean is_part,
			    const LttTrace *trace, GPtrArray *doubts)
{
	const Check check = {filter, types, is_part, trace, doubts};
	const GArray *tests = ltt_filter_get_tests(filter);

	for (guint i = 0; i < tests->len; i++)
		check_test(&check, &g_array_index(tests, LttTest, i));
}
