/* filter-window.c - what a filter demands of time.
 *
 * From each test on, the times at which the filter can still come out true lie in some window: the
 * one from where it leads if it is true, if it is a test of time cut down to what it says, and the
 * one from where it leads otherwise, both taken together. Targets lie further down the row, so one
 * pass from the end finds the window of the first test.
 */
#include "reader/filter-plan-priv.h"

#include <ltt/ltt-filter.h>

#define DECIMALS_OF_NS 9

/* Both included; none if last is below first. */
typedef struct Window {
	guint64 first;
	guint64 last;
} Window;

static const Window always = {0, G_MAXUINT64};
static const Window never = {1, 0};

static gboolean is_empty(Window window)
{
	return window.last < window.first;
}

static Window both(Window a, Window b)
{
	return (Window){MAX(a.first, b.first), MIN(a.last, b.last)};
}

/* The least window that has all of the two. */
static Window either(Window a, Window b)
{
	if (is_empty(a) || is_empty(b))
		return is_empty(a) ? b : a;
	return (Window){MIN(a.first, b.first), MAX(a.last, b.last)};
}

/* Of what is not in @window. */
static Window outside(Window window)
{
	if (window.first == 0)
		return window.last == G_MAXUINT64 ? never : (Window){window.last + 1, G_MAXUINT64};
	return window.last == G_MAXUINT64 ? (Window){0, window.first - 1} : always;
}

/* The times at which @test can be true, and those at which it can be false. */
static void get_windows(const LttTest *test, Window *if_true, Window *if_false)
{
	LttRangeKind kind;
	LttWide first;
	LttWide last;
	Window range;

	*if_true = *if_false = always;
	if (test->left.kind != LTT_OPERAND_TIME || test->right.kind != LTT_OPERAND_NUMBER)
		return;
	kind = ltt_filter_range(test->compare, &test->right.number, DECIMALS_OF_NS, 0, G_MAXUINT64,
				&first, &last);
	range = kind == LTT_RANGE_NONE  ? never
		: kind == LTT_RANGE_ALL ? always
					: (Window){(guint64)first, (guint64)last};
	*if_true = kind == LTT_RANGE_OUTSIDE ? outside(range) : range;
	*if_false = kind == LTT_RANGE_OUTSIDE ? range
		    : kind == LTT_RANGE_NONE  ? always
					      : outside(range);
}

static Window follow(const Window *windows, guint32 target)
{
	return target == LTT_FILTER_TRUE    ? always
	       : target == LTT_FILTER_FALSE ? never
					    : windows[target];
}

gboolean ltt_filter_window(const GArray *tests, guint64 *from_ns, guint64 *to_ns)
{
	g_autofree Window *windows = g_new(Window, tests->len);

	for (guint i = tests->len; i-- > 0;) {
		const LttTest *test = &g_array_index(tests, LttTest, i);
		Window if_true;
		Window if_false;

		get_windows(test, &if_true, &if_false);
		windows[i] = either(both(if_true, follow(windows, test->on_true)),
				    both(if_false, follow(windows, test->on_false)));
	}
	if (windows[0].first == 0 && windows[0].last == G_MAXUINT64)
		return FALSE;
	*from_ns = is_empty(windows[0]) ? 0 : windows[0].first;
	*to_ns = is_empty(windows[0])             ? 0
		 : windows[0].last == G_MAXUINT64 ? G_MAXUINT64
						  : windows[0].last + 1;
	return TRUE;
}
