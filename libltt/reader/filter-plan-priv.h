/* filter-plan-priv.h - a filter for events of one type: names resolved, hopeless tests gone. */
#ifndef LTT_FILTER_PLAN_PRIV_H
#define LTT_FILTER_PLAN_PRIV_H

#ifndef LTT_BUILDING
#error "filter-plan-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "reader/filter-priv.h"

#include <ltt/ltt-value.h>

/* One item further in: an element, the member of a struct by its place, or that of a union if the
 * code says so. */
typedef struct LttHop {
	guint64 index;
	gboolean into_union;
} LttHop;

/* Where in the payload a number or string stands. */
typedef struct LttPlace {
	const LttLayout *layout; /* of what stands there */
	guint32 offset_bytes;    /* of it; of the place from which the hops lead there, if there are
				    any */
	const LttLayout *from; /* what is laid out at offset_bytes; layout, if there are no hops */
	guint n_hops;
	LttHop *hops; /* owned */
} LttPlace;

/**
 * ltt_place_find:
 * @layout: (nullable): of a payload
 * @path: (element-type LttPathStep): names and elements
 * @place: (out): set on success; clear it with ltt_place_clear()
 *
 * Returns: whether the path leads to a number or a string in some payload of that layout
 */
gboolean ltt_place_find(const LttLayout *layout, const GArray *path, LttPlace *place);
void ltt_place_clear(LttPlace *place);

/* Returns: FALSE, and @out not set, if it is not there in this event */
gboolean ltt_place_get(const LttPlace *place, const LttEvent *event, LttValue *out);

/* What of an event is compared. */
typedef struct LttSubject {
	LttOperandKind kind; /* LTT_OPERAND_PATH: what is at place; else time, cpu, pid, tid, comm
			      */
	LttPlace place;      /* else all 0 */
} LttSubject;

typedef enum LttPlanKind {
	LTT_PLAN_FALSE, /* what is asked when the plan is made may have its answer there */
	LTT_PLAN_TRUE,
	LTT_PLAN_RANGE,  /* an integer in a range, or out of it */
	LTT_PLAN_VALUES, /* an enum among some values, or not */
	LTT_PLAN_FLOAT,
	LTT_PLAN_STRING,
	LTT_PLAN_LIKE,
	LTT_PLAN_PAIR, /* two things of the event */
} LttPlanKind;

typedef struct LttPlanTest {
	LttPlanKind kind;
	LttCompare compare;
	gboolean is_negated; /* range, values: TRUE outside */
	LttSubject subject;
	union {
		struct {
			guint64 first; /* as bits: of a signed subject, signed */
			guint64 span;  /* last - first */
		} range;
		struct {
			guint64 *sorted; /* owned; as bits */
			guint n;
		} values;
		struct {
			double nearest; /* see ltt_number_nearest() */
			int beyond;
		} number;
		struct {
			const char *bytes; /* borrowed from the test or the event type */
			gsize length;
		} string;
		const LttGlob *glob; /* borrowed from the test */
		LttSubject other;    /* pair: the right side */
	};
	guint32 on_true; /* a test of the plan; LTT_FILTER_TRUE, LTT_FILTER_FALSE */
	guint32 on_false;
} LttPlanTest;

typedef struct LttFilterPlan {
	const LttEventType *type;
	const LttLayout *layout;
	guint32 start; /* as LttPlanTest.on_true */
	GArray *tests; /* of LttPlanTest */
} LttFilterPlan;

/* Finds what @test comes to for events of a type: an answer, or something to look at. */
void ltt_plan_test_init(LttPlanTest *plan, const LttTest *test, const LttEventType *type,
			const LttLayout *layout);
void ltt_plan_test_clear(gpointer data); /* an LttPlanTest */

/* @tests: (element-type LttTest): must outlive the plan, as must type and layout */
LttFilterPlan *ltt_filter_plan_new(const GArray *tests, const LttEventType *type,
				   const LttLayout *layout);
void ltt_filter_plan_free(LttFilterPlan *plan);

/* Numbers of an event that are not in its payload: time (in nanoseconds), cpu, pid, tid.
 * Returns: FALSE, and @number not set, if the event has it not */
gboolean ltt_filter_get_number(LttOperandKind kind, const LttEvent *event, guint64 *number);

/* Returns: (nullable): what the thread of an event is called at its time; NULL: not known */
const char *ltt_filter_get_comm(const LttEvent *event);

/* Returns: whether the two are there and compare so. Never LTT_COMPARE_LIKE */
gboolean ltt_filter_compare_pair(LttCompare compare, const LttSubject *left,
				 const LttSubject *right, const LttEvent *event);

/* Returns: as memcmp(), a string that the other one begins with being less */
int ltt_filter_compare_bytes(const char *a, gsize a_length, const char *b, gsize b_length);

/* What a comparison with a number of the expression comes to for the integers of
 * [@least, @most]. */
typedef enum LttRangeKind {
	LTT_RANGE_NONE,
	LTT_RANGE_ALL,
	LTT_RANGE_INSIDE,  /* for @first ... @last */
	LTT_RANGE_OUTSIDE, /* for the others */
} LttRangeKind;

/* The integers n for which n compared with @number * 10^@decimals holds. */
LttRangeKind ltt_filter_range(LttCompare compare, const LttNumber *number, guint decimals,
			      LttWide least, LttWide most, LttWide *first, LttWide *last);

#endif
