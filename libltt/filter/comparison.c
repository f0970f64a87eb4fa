/* comparison.c - compare two values of an event by their mathematical value.
 *
 * No conversion loses precision: integers are compared in 128 bits, and an integer is compared with
 * the floor of a float.
 */
#include "filter/plan-priv.h"

#include "reader/thread-names-priv.h"
#include "reader/tracefile-priv.h"

#include <ltt/ltt-time.h>

#include <math.h>
#include <string.h>

int ltt_filter_compare_bytes(const char *a, gsize a_length, const char *b, gsize b_length)
{
	const int order = memcmp(a, b, MIN(a_length, b_length));

	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

gboolean ltt_filter_get_number(LttOperandKind kind, const LttEvent *event, guint64 *number)
{
	switch (kind) {
	case LTT_OPERAND_TIME:
		*number = event->time_ns;
		return TRUE;
	case LTT_OPERAND_CPU:
		if (event->tracefile == NULL || ltt_tracefile_get_cpu(event->tracefile) < 0)
			return FALSE;
		*number = (guint64)ltt_tracefile_get_cpu(event->tracefile);
		return TRUE;
	case LTT_OPERAND_PID:
		*number = event->pid;
		return event->has_thread;
	default:
		*number = event->tid;
		return event->has_thread;
	}
}

const char *ltt_filter_get_text(LttOperandKind kind, const LttEvent *event)
{
	if (kind == LTT_OPERAND_HOST)
		return event->tracefile != NULL ? ltt_event_get_host(event) : NULL;
	return ltt_event_get_comm(event);
}

/* ---- pairs ---- */

typedef enum ScalarKind {
	SCALAR_WHOLE,
	SCALAR_FLOAT,
	SCALAR_TIME,
	SCALAR_TEXT,
} ScalarKind;

typedef struct Scalar {
	ScalarKind kind;
	LttWide whole;  /* an integer, or a time in nanoseconds */
	double number;  /* a float */
	LttValue value; /* a value of the payload */
	gboolean is_enum;
	const char *text; /* a string outside the payload; NULL: value has it */
} Scalar;

static void scalar_from_value(const LttSubject *subject, const LttValue *value, Scalar *scalar)
{
	*scalar = (Scalar){.kind = SCALAR_WHOLE, .value = *value};
	if (subject->is_length) {
		scalar->whole = ltt_filter_get_length(value);
		return;
	}
	switch (value->layout->kind) {
	case LTT_STRING:
		scalar->kind = SCALAR_TEXT;
		break;
	case LTT_FLOAT:
		scalar->kind = SCALAR_FLOAT;
		scalar->number = ltt_value_get_float(value);
		break;
	default:
		scalar->is_enum = value->layout->kind == LTT_ENUM;
		scalar->whole = value->layout->is_signed ? (LttWide)ltt_value_get_int(value)
							 : (LttWide)ltt_value_get_uint(value);
		break;
	}
}

/* Returns: FALSE if the event does not have the value. @subject: without has_each */
static gboolean get_scalar(const LttSubject *subject, const LttEvent *event, Scalar *scalar)
{
	LttValue value;
	guint64 number;

	*scalar = (Scalar){.kind = SCALAR_WHOLE};
	if (ltt_filter_is_text(subject->kind)) {
		scalar->kind = SCALAR_TEXT;
		scalar->text = ltt_filter_get_text(subject->kind, event);
		return scalar->text != NULL;
	}
	if (subject->kind != LTT_OPERAND_PATH) {
		if (!ltt_filter_get_number(subject->kind, event, &number))
			return FALSE;
		if (subject->kind == LTT_OPERAND_TIME)
			scalar->kind = SCALAR_TIME;
		scalar->whole = number;
		return TRUE;
	}
	if (!ltt_place_get(&subject->place, event, &value))
		return FALSE;
	scalar_from_value(subject, &value, scalar);
	return TRUE;
}

static int compare_wides(LttWide a, LttWide b)
{
	return (a > b) - (a < b);
}

/* Returns: the floor of @number; if it is far outside of 64 bits, any integer far outside */
static LttWide floor_of(double number)
{
	LttWide whole;

	if (number > 1e30 || number < -1e30)
		return number > 0 ? (LttWide)1e30 : -(LttWide)1e30;
	whole = (LttWide)number;
	return (double)whole > number ? whole - 1 : whole;
}

/* @b: not NaN */
static int compare_wide_with_float(LttWide a, double b)
{
	const LttWide below = floor_of(b);

	return a == below && b > (double)below ? -1 : compare_wides(a, below);
}

/* @b: seconds; not NaN */
static int compare_time_with_float(LttWide time_ns, double b)
{
	const LttWide seconds = time_ns / LTT_NS_PER_S;
	const LttWide rest_ns = time_ns % LTT_NS_PER_S;
	const LttWide below = floor_of(b);
	double fraction;

	if (seconds != below)
		return compare_wides(seconds, below);
	fraction = b - (double)below; /* exact, because both are close */
	if (rest_ns == 0)
		return fraction > 0 ? -1 : 0;
	/* In units of 2^-96 s the fraction is an integer, unless it is far below a nanosecond. */
	return compare_wides(rest_ns << 96, (LttWide)(fraction * 0x1p96) * LTT_NS_PER_S);
}

/* Neither is a string; if @b is a time, so is @a. Returns: FALSE if one is not a number */
static gboolean compare_numbers(const Scalar *a, const Scalar *b, int *order)
{
	if ((a->kind == SCALAR_FLOAT && isnan(a->number)) ||
	    (b->kind == SCALAR_FLOAT && isnan(b->number)))
		return FALSE;
	if (a->kind == SCALAR_TIME)
		*order = b->kind == SCALAR_FLOAT ? compare_time_with_float(a->whole, b->number)
			 : b->kind == SCALAR_TIME
				 ? compare_wides(a->whole, b->whole)
				 : compare_wides(a->whole, b->whole * LTT_NS_PER_S);
	else if (a->kind == SCALAR_WHOLE)
		*order = b->kind == SCALAR_WHOLE ? compare_wides(a->whole, b->whole)
						 : compare_wide_with_float(a->whole, b->number);
	else if (b->kind == SCALAR_WHOLE)
		*order = -compare_wide_with_float(b->whole, a->number);
	else
		*order = (a->number > b->number) - (a->number < b->number);
	return TRUE;
}

static const char *text_of(const Scalar *scalar)
{
	if (scalar->text != NULL)
		return scalar->text;
	return scalar->is_enum ? ltt_value_get_label(&scalar->value)
			       : ltt_value_get_string(&scalar->value, NULL);
}

static gboolean compare_texts(LttCompare compare, const Scalar *a, const Scalar *b)
{
	const char *a_text;
	const char *b_text;

	if ((a->kind != SCALAR_TEXT && !a->is_enum) || (b->kind != SCALAR_TEXT && !b->is_enum))
		return FALSE;
	a_text = text_of(a);
	b_text = text_of(b);
	if (a_text == NULL || b_text == NULL)
		return compare == LTT_COMPARE_NE;
	return ltt_compare_holds(compare, strcmp(a_text, b_text));
}

static gboolean scalars_hold(LttCompare compare, const Scalar *a, const Scalar *b)
{
	int order;

	if (a->kind == SCALAR_TEXT || b->kind == SCALAR_TEXT)
		return compare_texts(compare, a, b);
	if (b->kind == SCALAR_TIME && a->kind != SCALAR_TIME)
		return scalars_hold(ltt_compare_turned(compare), b, a);
	if (!compare_numbers(a, b, &order))
		return compare == LTT_COMPARE_NE;
	return ltt_compare_holds(compare, order);
}

/* A comparison of each element with a value. */
typedef struct Each {
	LttCompare compare;
	const LttSubject *subject; /* the elements */
	Scalar other;
} Each;

/* An LttPlaceCheck. */
static gboolean element_holds(const LttValue *value, gconstpointer user_data)
{
	const Each *each = user_data;
	Scalar element;

	scalar_from_value(each->subject, value, &element);
	return scalars_hold(each->compare, &element, &each->other);
}

gboolean ltt_filter_compare_pair(LttCompare compare, const LttSubject *left,
				 const LttSubject *right, const LttEvent *event)
{
	Each each = {.compare = compare, .subject = left};
	Scalar a;

	if (right->place.has_each)
		return ltt_filter_compare_pair(ltt_compare_turned(compare), right, left, event);
	if (!get_scalar(right, event, &each.other))
		return FALSE;
	if (left->place.has_each)
		return ltt_place_any(&left->place, event, element_holds, &each);
	return get_scalar(left, event, &a) && scalars_hold(compare, &a, &each.other);
}
