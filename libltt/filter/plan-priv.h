/* plan-priv.h - a filter compiled for one event type.
 *
 * Fields are resolved to places in the payload, and tests with a constant answer are folded.
 */
#ifndef LTT_FILTER_PLAN_PRIV_H
#define LTT_FILTER_PLAN_PRIV_H

#ifndef LTT_BUILDING
#error "filter/plan-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "filter/filter-priv.h"

#include <ltt/ltt-value.h>

/* One step into a value: to an element, to each element, to a member of a struct by index, or to the
 * member of a union if its code selects that member. */
typedef enum LttHopKind {
	LTT_HOP_ITEM,
	LTT_HOP_EACH,
	LTT_HOP_UNION,
} LttHopKind;

typedef struct LttHop {
	LttHopKind kind;
	guint64 index;
} LttHop;

/* The place of a value in the payload: an offset, and hops from there. */
typedef struct LttPlace {
	const LttLayout *layout; /* of the value */
	guint32 offset_bytes;    /* of the value where the hops start; without hops, of the number
				    or string itself */
	const LttLayout *from; /* of the value at offset_bytes; without hops, the same as layout */
	guint n_hops;
	gboolean has_each; /* one of the hops is LTT_HOP_EACH */
	LttHop *hops;      /* owned */
} LttPlace;

/**
 * ltt_place_find:
 * @layout: (nullable): of a payload
 * @operand: a path, or the length of one
 * @place: (out): set on success; clear it with ltt_place_clear()
 *
 * Returns: whether, in at least some payloads of that layout, the path leads to a number or a
 *   string, or, for a length, to a string, an array or a sequence
 */
gboolean ltt_place_find(const LttLayout *layout, const LttOperand *operand, LttPlace *place);
void ltt_place_clear(LttPlace *place);

/* Checks a value. */
typedef gboolean (*LttPlaceCheck)(const LttValue *value, gconstpointer user_data);

/* Returns: whether @check returns TRUE for any of the values at @place that the event has */
gboolean ltt_place_any(const LttPlace *place, const LttEvent *event, LttPlaceCheck check,
		       gconstpointer user_data);

/* @place: without has_each. Returns: FALSE, and @out not set, if this event does not have the value */
gboolean ltt_place_get(const LttPlace *place, const LttEvent *event, LttValue *out);

/* The value of an event to compare. */
typedef struct LttSubject {
	LttOperandKind kind; /* LTT_OPERAND_PATH: the value at place; else another property */
	LttPlace place;      /* else all 0 */
	gboolean is_length;  /* the length of the value at place */
} LttSubject;

/* Returns: (nullable): the layout of the value; NULL: it is an unsigned number of 64 bits */
static inline const LttLayout *ltt_subject_get_layout(const LttSubject *subject)
{
	return subject->is_length ? NULL : subject->place.layout;
}

/* Returns: the number of elements of an array or sequence, or of bytes of a string */
guint64 ltt_filter_get_length(const LttValue *value);

typedef enum LttPlanKind {
	LTT_PLAN_FALSE, /* this and LTT_PLAN_TRUE: answers found when the plan is made */
	LTT_PLAN_TRUE,
	LTT_PLAN_RANGE,  /* whether an integer is in a range, or outside */
	LTT_PLAN_VALUES, /* whether an enum is in a set of values, or not; binary search */
	LTT_PLAN_FLOAT,
	LTT_PLAN_FLOATS, /* whether a float is in a set of floats; binary search */
	LTT_PLAN_STRING,
	LTT_PLAN_TEXTS, /* whether a string is in a set of strings; binary search */
	LTT_PLAN_LIKE,
	LTT_PLAN_PAIR, /* compare two values of the event */
} LttPlanKind;

typedef struct LttPlanText {
	const char *bytes; /* borrowed from the test or the event type */
	gsize length;
} LttPlanText;

typedef struct LttPlanTest {
	LttPlanKind kind;
	LttCompare compare;
	gboolean is_negated; /* range, values: the test is true outside */
	LttSubject subject;
	union {
		struct {
			guint64 first; /* bits of an integer with the sign of the subject */
			guint64 span;  /* last - first */
		} range;
		struct {
			guint64 *sorted; /* owned; as bits */
			guint n;
		} values;
		struct {
			double nearest; /* of ltt_number_nearest() */
			int beyond;
		} number;
		struct {
			double *sorted; /* owned */
			guint n;
		} floats;
		LttPlanText string;
		struct {
			LttPlanText *sorted; /* owned */
			guint n;
		} texts;
		const LttGlob *glob; /* borrowed from the test */
		LttSubject other;    /* pair: the right side */
	};
	guint32 on_true; /* jump target: a test of the plan, LTT_FILTER_TRUE or LTT_FILTER_FALSE */
	guint32 on_false;
} LttPlanTest;

typedef struct LttFilterPlan {
	const LttEventType *type;
	const LttLayout *layout;
	guint32 start; /* as LttPlanTest.on_true */
	GArray *tests; /* of LttPlanTest */
} LttFilterPlan;

/* Specializes @test for an event type: to a constant answer, or to a check of a value. */
void ltt_plan_test_init(LttPlanTest *plan, const LttTest *test, const LttEventType *type,
			const LttLayout *layout);
void ltt_plan_test_clear(gpointer data); /* an LttPlanTest */

/* @tests: (element-type LttTest): must outlive the plan, as must type and layout */
LttFilterPlan *ltt_filter_plan_new(const GArray *tests, const LttEventType *type,
				   const LttLayout *layout);
void ltt_filter_plan_free(LttFilterPlan *plan);

/* Combines tests of one value with many constants (plan-lists.c). */
void ltt_filter_plan_combine(LttFilterPlan *plan);

/* Gets a number of an event outside its payload: time (in nanoseconds), cpu, pid or tid.
 * Returns: FALSE, and @number not set, if the event does not have it */
gboolean ltt_filter_get_number(LttOperandKind kind, const LttEvent *event, guint64 *number);

/* Returns: whether the value is a string outside the payload: comm or host */
static inline gboolean ltt_filter_is_text(LttOperandKind kind)
{
	return kind == LTT_OPERAND_COMM || kind == LTT_OPERAND_HOST;
}

/* Gets such a string. Returns: (nullable): NULL: the event does not have it */
const char *ltt_filter_get_text(LttOperandKind kind, const LttEvent *event);

/* @compare: not LTT_COMPARE_LIKE. Returns: whether both values exist and the comparison holds */
gboolean ltt_filter_compare_pair(LttCompare compare, const LttSubject *left,
				 const LttSubject *right, const LttEvent *event);

/* Returns: as memcmp(); a proper prefix is less */
int ltt_filter_compare_bytes(const char *a, gsize a_length, const char *b, gsize b_length);

/* For which integers of [@least, @most] a comparison with a number of the expression holds. */
typedef enum LttRangeKind {
	LTT_RANGE_NONE,
	LTT_RANGE_ALL,
	LTT_RANGE_INSIDE,  /* those in @first ... @last */
	LTT_RANGE_OUTSIDE, /* those outside @first ... @last */
} LttRangeKind;

/* Finds the integers n for which the comparison of n with @number * 10^@decimals holds. */
LttRangeKind ltt_filter_range(LttCompare compare, const LttNumber *number, guint decimals,
			      LttWide least, LttWide most, LttWide *first, LttWide *last);

#endif
