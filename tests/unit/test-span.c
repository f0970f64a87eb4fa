/* Which event types form spans. */
#include "unit.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-span.h>

#include <string.h>

static LttFacility *make_facility(const char *const *names)
{
	LttFacility *facility = ltt_facility_new("f");
	g_autoptr(GError) error = NULL;

	for (; *names != NULL; names++)
		ltt_facility_add_event(facility, *names, NULL, NULL);
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	return facility;
}

static void assert_pair(const LttFacility *facility, const char *begin, const char *end,
			const char *about)
{
	const LttEventType *first = ltt_facility_find_event(facility, begin);
	const LttEventType *second = ltt_facility_find_event(facility, end);
	const LttEventType *found;
	g_autofree char *name = NULL;
	g_autofree char *name_again = NULL;

	CU_ASSERT_EQUAL(ltt_span_role_find(first, &found, &name), LTT_SPAN_BEGIN);
	CU_ASSERT_PTR_NULL(found);
	UNIT_ASSERT_TEXT(name, about);
	CU_ASSERT_EQUAL(ltt_span_role_find(second, &found, &name_again), LTT_SPAN_END);
	CU_ASSERT_PTR_EQUAL(found, first);
	UNIT_ASSERT_TEXT(name_again, about);
}

static void assert_alone(const LttFacility *facility, const char *event)
{
	const LttEventType *begin;
	char *name;

	CU_ASSERT_EQUAL(ltt_span_role_find(ltt_facility_find_event(facility, event), &begin, &name),
			LTT_SPAN_NONE);
	CU_ASSERT_PTR_NULL(begin);
	CU_ASSERT_PTR_NULL(name);
}

static void test_pairs(void)
{
	static const char *const names[] = {
		"begin",          "end",           "irq_entry",    "irq_exit",
		"sys_enter_read", "sys_exit_read", "disk_start",   "disk_stop",
		"net_start",      "net_end",       "fork",         "exit",
		"sys_exit_dup",   "weekend",       "start_lonely", NULL};
	g_autoptr(LttFacility) facility = make_facility(names);

	assert_pair(facility, "begin", "end", "f");
	assert_pair(facility, "irq_entry", "irq_exit", "f.irq");
	assert_pair(facility, "sys_enter_read", "sys_exit_read", "f.sys_read");
	assert_pair(facility, "disk_start", "disk_stop", "f.disk");
	assert_pair(facility, "net_start", "net_end", "f.net");
	for (guint i = 10; names[i] != NULL; i++)
		assert_alone(facility, names[i]);
}

/* ---- declarations ---- */

/* Returns: (transfer full): the facility; @n_remarks: that its description causes */
static LttFacility *parse(const char *events, guint n_remarks)
{
	g_autofree char *xml = g_strdup_printf("<facility name=\"f\">%s</facility>", events);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities = ltt_eventdefs_parse(xml, strlen(xml), remarks);

	CU_ASSERT_EQUAL(remarks->len, n_remarks);
	CU_ASSERT_EQUAL_FATAL(facilities->len, 1);
	return ltt_facility_ref(facilities->pdata[0]);
}

#define ID "<struct><field name=\"id\"><uint size=\"4\"/></field></struct>"

static void test_declared_pairs(void)
{
	g_autoptr(LttFacility) facility =
		parse("<event name=\"request\">" ID "</event>"
		      "<event name=\"response\" ltt:ends=\"request\" ltt:key=\"id\">" ID "</event>"
		      "<event name=\"failure\" ltt:ends=\"request\" ltt:key=\"id@pid=id@pid\">" ID
		      "</event><event name=\"job_begin\"/><event name=\"job_end\"/>"
		      "<event name=\"job_left\" ltt:ends=\"job_begin\"/>",
		      0);

	assert_pair(facility, "request", "response", "f.request");
	assert_pair(facility, "request", "failure", "f.request");
	/* What is declared does not follow the rule for names, but keeps the name by it. */
	assert_pair(facility, "job_begin", "job_left", "f.job");
	assert_alone(facility, "job_end");
}

/* exit_group() begins no span: no event ends it. */
static void test_calls_that_do_not_return(void)
{
	g_autoptr(LttFacility) facility = parse(
		"<event name=\"sys_enter_read\" ltt:state=\"syscall_entry name=read\"/>"
		"<event name=\"sys_exit_read\" ltt:state=\"syscall_exit\"/>"
		"<event name=\"sys_enter_exit_group\" ltt:state=\"syscall_entry name=exit_group\"/>"
		"<event name=\"sys_exit_exit_group\" ltt:state=\"syscall_exit\"/>"
		"<event name=\"sys_enter_rt_sigreturn\" ltt:state=\"syscall_entry "
		"name=rt_sigreturn\"/>"
		"<event name=\"sys_exit_rt_sigreturn\" ltt:state=\"syscall_exit\"/>",
		0);

	assert_pair(facility, "sys_enter_read", "sys_exit_read", "f.sys_read");
	assert_alone(facility, "sys_enter_exit_group");
	assert_alone(facility, "sys_exit_exit_group");
	assert_alone(facility, "sys_enter_rt_sigreturn");
}

static void test_an_event_may_end_and_begin(void)
{
	g_autoptr(LttFacility) facility = parse("<event name=\"idle\" ltt:ends=\"busy\"/>"
						"<event name=\"busy\" ltt:ends=\"idle\"/>",
						0);
	const LttEventType *begin;
	g_autofree char *name = NULL;

	CU_ASSERT_EQUAL(
		ltt_span_role_find(ltt_facility_find_event(facility, "busy"), &begin, &name),
		LTT_SPAN_BEGIN | LTT_SPAN_END);
	CU_ASSERT_PTR_EQUAL(begin, ltt_facility_find_event(facility, "idle"));
	UNIT_ASSERT_TEXT(name, "f.busy");
}

static void test_wrong_declarations_are_removed(void)
{
	static const char *const wrong[] = {
		"<event name=\"a\"/><event name=\"b\" ltt:ends=\"c\"/>",
		"<event name=\"a\"/><event name=\"b\" ltt:ends=\"b\"/>",
		"<event name=\"a\">" ID "</event>"
		"<event name=\"b\" ltt:ends=\"a\" ltt:key=\"no\">" ID "</event>",
		"<event name=\"a\">" ID "</event>"
		"<event name=\"b\" ltt:ends=\"a\" ltt:key=\"id=\">" ID "</event>",
		"<event name=\"a\">" ID "</event>"
		"<event name=\"b\" ltt:ends=\"a\" ltt:key=\"@pid\">" ID "</event>",
		"<event name=\"a\"/><event name=\"b\" ltt:ends=\"a\" ltt:key=\"id\">" ID "</event>",
		"<event name=\"a\"/><event name=\"b\" ltt:key=\"id\">" ID "</event>",
	};

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(LttFacility) facility = parse(wrong[i], 1);

		CU_ASSERT_PTR_NULL(ltt_facility_find_event(facility, "b")->ends);
		CU_ASSERT_PTR_NULL(ltt_facility_find_event(facility, "b")->key);
		assert_alone(facility, "b");
	}
}

/* Printing and parsing keeps declarations, and the checksum is without them. */
static void test_declarations_are_printed(void)
{
	static const char events[] =
		"<event name=\"a\"><struct><field name=\"id\" ltt:role=\"counter\">"
		"<uint size=\"4\"/></field></struct></event>"
		"<event name=\"b\" ltt:ends=\"a\" ltt:key=\"id=id\">" ID "</event>";
	g_autoptr(LttFacility) facility = parse(events, 0);
	g_autoptr(LttFacility) plain =
		parse("<event name=\"a\">" ID "</event><event name=\"b\">" ID "</event>", 0);
	g_autofree char *xml = ltt_eventdefs_print(facility);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) again = ltt_eventdefs_parse(xml, strlen(xml), remarks);
	const LttEventType *end;

	CU_ASSERT_EQUAL(ltt_facility_get_checksum(facility), ltt_facility_get_checksum(plain));
	CU_ASSERT_EQUAL(remarks->len, 0);
	CU_ASSERT_EQUAL_FATAL(again->len, 1);
	end = ltt_facility_find_event(again->pdata[0], "b");
	UNIT_ASSERT_TEXT(end->ends, "a");
	UNIT_ASSERT_TEXT(end->key, "id=id");
	CU_ASSERT_EQUAL(
		ltt_type_get_field(ltt_facility_find_event(again->pdata[0], "a")->type, 0)->role,
		LTT_FIELD_COUNTER);
	CU_ASSERT_EQUAL(ltt_type_get_field(end->type, 0)->role, LTT_FIELD_PLAIN);
}

UNIT_MAIN("spans", UNIT(test_pairs), UNIT(test_declared_pairs), UNIT(test_calls_that_do_not_return),
	  UNIT(test_an_event_may_end_and_begin), UNIT(test_wrong_declarations_are_removed),
	  UNIT(test_declarations_are_printed))
