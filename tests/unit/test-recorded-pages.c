/* Pages that the kernel wrote, with their formats (tests/data/tracefs). */
#include "unit.h"

#include "tracepoint/raw-priv.h"
#include "tracepoint/ring-priv.h"

#include <string.h>

static const char *const names[] = {"sched_switch", "sys_enter_openat", "task_rename"};

/* What the events of a page are. */
typedef struct Found {
	guint n_events[G_N_ELEMENTS(names)];
	guint64 n_lost;
} Found;

static char *read_data(const char *name, gsize *length)
{
	g_autofree char *relative = g_strconcat("tracefs/", name, NULL);
	g_autofree char *path = unit_data_path(relative);
	char *text = NULL;

	CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, length, NULL));
	return text;
}

static LttTracepoint *read_format(guint number)
{
	g_autofree char *name = g_strconcat(names[number], ".format", NULL);
	gsize length;
	g_autofree char *text = read_data(name, &length);

	return ltt_tracepoint_parse(text, length, 8);
}

/* Converts all events of a page. */
static void convert(const LttRingPage *opened, guint number, Found *found)
{
	g_autoptr(LttTracepoint) tracepoint = read_format(number);
	LttRawPlan *plan = ltt_raw_plan_new(tracepoint);
	LttRingPage page = *opened;
	LttRingEvent event;
	guint64 last = 0;

	while (ltt_ring_page_next(&page, &event, NULL) == LTT_RING_EVENT) {
		g_autofree guint8 *payload = NULL;
		gsize size;

		CU_ASSERT_TRUE(event.time >= last);
		last = event.time;
		if (event.id != tracepoint->id)
			continue;
		size = ltt_raw_plan_measure(plan, event.bytes, event.size);
		CU_ASSERT_NOT_EQUAL_FATAL(size, G_MAXSIZE);
		payload = g_malloc(size);
		ltt_raw_plan_write(plan, event.bytes, event.size, payload);
		found->n_events[number]++;
	}
	ltt_raw_plan_free(plan);
}

static Found read_page(const char *name)
{
	gsize length;
	g_autofree char *header = read_data("header_page", &length);
	Found found = {.n_lost = 0};
	LttRingLayout layout;
	LttRingPage page;
	g_autofree char *bytes = NULL;

	CU_ASSERT_TRUE_FATAL(
		ltt_ring_layout_parse(&layout, header, length, LTT_LITTLE_ENDIAN, NULL));
	CU_ASSERT_EQUAL(layout.page_bytes, 4096);
	bytes = read_data(name, &length);
	CU_ASSERT_TRUE_FATAL(
		ltt_ring_page_open(&page, &layout, (const guint8 *)bytes, length, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		convert(&page, i, &found);
	found.n_lost = page.n_lost;
	return found;
}

static void test_few_events(void)
{
	const Found found = read_page("quiet.page");

	CU_ASSERT_EQUAL(found.n_events[0], 2);
	CU_ASSERT_EQUAL(found.n_events[1], 2);
	CU_ASSERT_EQUAL(found.n_events[2], 1);
	CU_ASSERT_EQUAL(found.n_lost, 0);
}

static void test_losses(void)
{
	const Found found = read_page("lossy.page");

	CU_ASSERT_EQUAL(found.n_events[1], 78);
	CU_ASSERT_EQUAL(found.n_lost, 2807);
}

UNIT_MAIN("recorded-pages", UNIT(test_few_events), UNIT(test_losses))
