/* ranges.c - see ranges-priv.h. */
#include "symbols/ranges-priv.h"

/* Latest ranges that are searched one by one, in addition to an eighth of the sorted ones. */
#define LEAST_UNSORTED 32

/* Maximum number of sorted ranges that a query passes. It bounds the time for an untrusted trace. */
#define MAX_PASSED 4096

struct LttRanges {
	GArray *list; /* of LttRange */
	guint n_sorted;
	guint64 n_added;
};

LttRanges *ltt_ranges_new(void)
{
	LttRanges *ranges = g_new0(LttRanges, 1);

	ranges->list = g_array_new(FALSE, FALSE, sizeof(LttRange));
	return ranges;
}

void ltt_ranges_free(LttRanges *ranges)
{
	g_array_unref(ranges->list);
	g_free(ranges);
}

static LttRange *get(const LttRanges *ranges, guint i)
{
	return &g_array_index(ranges->list, LttRange, i);
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
	const LttRange *first = a;
	const LttRange *second = b;

	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	return first->number < second->number ? -1 : first->number > second->number;
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	const LttRange *first = a;
	const LttRange *second = b;

	return first->number < second->number ? -1 : first->number > second->number;
}

static void sort(LttRanges *ranges)
{
	guint64 highest_end = 0;

	g_array_sort(ranges->list, compare_starts);
	for (guint i = 0; i < ranges->list->len; i++) {
		highest_end = MAX(highest_end, get(ranges, i)->end);
		get(ranges, i)->highest_end = highest_end;
	}
	ranges->n_sorted = ranges->list->len;
}

static void forget_oldest(LttRanges *ranges)
{
	g_array_sort(ranges->list, compare_numbers);
	g_array_remove_range(ranges->list, 0, ranges->list->len / 2);
	sort(ranges);
}

static gboolean is_same(const LttRange *a, const LttRange *b)
{
	return a->start == b->start && a->end == b->end && a->file_offset == b->file_offset &&
	       a->module == b->module && a->symbol == b->symbol;
}

/* Returns: the number of ranges, from the first, that begin before @address; of the sorted ones */
static guint count_before(const LttRanges *ranges, guint64 address)
{
	guint first = 0;
	guint last = ranges->n_sorted;

	while (first < last) {
		const guint middle = first + (last - first) / 2;

		if (get(ranges, middle)->start < address)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

static gboolean hides_part(const LttRange *later, const LttRange *range)
{
	return later->number > range->number && later->start < range->end &&
	       later->end > range->start;
}

/* Returns: whether all of a range is the latest at its addresses; FALSE also if that takes too long */
static gboolean is_in_effect(const LttRanges *ranges, const LttRange *range)
{
	const guint first = count_before(ranges, range->end);
	guint i = first;

	for (; i > 0 && get(ranges, i - 1)->highest_end > range->start; i--)
		if (first - i == MAX_PASSED || hides_part(get(ranges, i - 1), range))
			return FALSE;
	for (i = ranges->n_sorted; i < ranges->list->len; i++)
		if (hides_part(get(ranges, i), range))
			return FALSE;
	return TRUE;
}

void ltt_ranges_add(LttRanges *ranges, const LttRange *range)
{
	const LttRangesAnswer known = ltt_ranges_find(ranges, range->start, G_MAXUINT64);
	LttRange added = *range;

	if (known.latest != NULL && is_same(known.latest, range) &&
	    is_in_effect(ranges, known.latest))
		return;
	if (ranges->list->len >= LTT_MAX_RANGES)
		forget_oldest(ranges);
	added.number = ranges->n_added++;
	g_array_append_val(ranges->list, added);
	if (ranges->list->len - ranges->n_sorted > LEAST_UNSORTED + ranges->n_sorted / 8)
		sort(ranges);
}

static void consider(LttRangesAnswer *answer, const LttRange *range, guint64 address,
		     guint64 time_ns)
{
	if (address < range->start || address >= range->end)
		return;
	if (range->time_ns <= time_ns) {
		if (answer->latest == NULL || range->number > answer->latest->number)
			answer->latest = range;
	} else if (answer->earliest == NULL || range->number < answer->earliest->number) {
		answer->earliest = range;
	}
}

LttRangesAnswer ltt_ranges_find(LttRanges *ranges, guint64 address, guint64 time_ns)
{
	LttRangesAnswer answer = {NULL, NULL};
	const guint first =
		address < G_MAXUINT64 ? count_before(ranges, address + 1) : ranges->n_sorted;
	const guint last = first - MIN(first, MAX_PASSED);

	for (guint i = first; i > last && get(ranges, i - 1)->highest_end > address; i--)
		consider(&answer, get(ranges, i - 1), address, time_ns);
	for (guint i = ranges->n_sorted; i < ranges->list->len; i++)
		consider(&answer, get(ranges, i), address, time_ns);
	return answer;
}
