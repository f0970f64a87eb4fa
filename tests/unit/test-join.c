/* Several traces read as one: names of tracefiles, the system, machines, problems, reopening. */
#include "support-hand.h"
#include "unit.h"

#include "reader/trace-priv.h"

#include <ltt/ltt-follow.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-time.h>

#include <glib/gstdio.h>
#include <string.h>

#define BLOCK 256

/* Two traces, of machines with these boot ids. */
#define MAKE_TWO(boot_id, other_boot_id)                                                           \
	{                                                                                          \
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", boot_id, NULL),                      \
			hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", other_boot_id, NULL)         \
	}

/* The names, labels and CPUs of the tracefiles: "cpu/0=lane/0(-1) ...". */
static char *list_files(const LttTrace *trace)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		const LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);

		g_string_append_printf(
			text, "%s%s=%s(%d)@%s", i > 0 ? " " : "", ltt_tracefile_get_name(tracefile),
			ltt_tracefile_get_label(tracefile), ltt_tracefile_get_cpu(tracefile),
			ltt_trace_get_host(trace, ltt_tracefile_get_host(tracefile)));
		CU_ASSERT_EQUAL(ltt_tracefile_get_index(tracefile), i);
		UNIT_ASSERT_TEXT(tracefile->host_name,
				 ltt_trace_get_host(trace, ltt_tracefile_get_host(tracefile)));
	}
	return g_string_free(text, FALSE);
}

/* Two traces of one machine, and one of another machine. */
static void make_three(HandTrace *hands)
{
	hands[0] = hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", "b1", "node_name", "one", "cpu",
			    "3", "lanes", "1", NULL);
	hands[1] = hand_new(LTT_BIG_ENDIAN, BLOCK, "boot_id", "b1", "node_name", "one", "cpu", "4",
			    "lanes", "2", "kernel_release", "6.1", NULL);
	hands[2] = hand_new(LTT_LITTLE_ENDIAN, 2 * BLOCK, "boot_id", "b2", "node_name", "two words",
			    "cpu", "1", NULL);
	for (guint i = 0; i < 3; i++) {
		hand_add(&hands[i], "cpu/0", "@100 N110 E120");
		hand_add(&hands[i], "control/more", "@90 N95 E99");
	}
	hand_add(&hands[0], "cpu/2", "@100 N111 E120"); /* a lane */
	hand_add(&hands[1], "cpu/1", "@100 N112 E120");
	hand_add(&hands[1], "cpu/3", "@100 N113 E120");
}

static void test_names_of_tracefiles(void)
{
	HandTrace hands[3];
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *files = NULL;
	g_autofree char *path = NULL;

	make_three(hands);
	joined = hand_join(hands, 3, NULL);
	files = list_files(joined);
	UNIT_ASSERT_TEXT(files,
			 "control/facilities.1=control/facilities.1(-1)@one "
			 "control/facilities.2=control/facilities.2(-1)@one "
			 "control/facilities.3=control/facilities.3(-1)@two words "
			 "control/more=control/more(-1)@one control/more.2=control/more.2(-1)@one "
			 "control/more.3=control/more.3(-1)@two words "
			 "cpu/0=cpu/0(0)@one cpu/0=cpu/0(0)@one cpu/1=cpu/1(1)@one "
			 "cpu/2=cpu/2(2)@two words cpu/3=lane/0(-1)@one cpu/4=lane/1(-1)@one");
	CU_ASSERT_EQUAL(ltt_trace_get_n_members(joined), 3);
	path = g_strdup_printf("%s + %s + %s", hands[0].path, hands[1].path, hands[2].path);
	UNIT_ASSERT_TEXT(ltt_trace_get_path(joined), path);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(joined); i++) {
		const LttTracefile *tracefile = ltt_trace_get_tracefile(joined, i);
		const guint member = ltt_trace_find_member(joined, tracefile);

		CU_ASSERT_PTR_EQUAL(ltt_trace_get_member(joined, member), tracefile->trace);
	}
	/* Files of one CPU are in the order of the traces. */
	CU_ASSERT_EQUAL(ltt_trace_find_member(joined, ltt_trace_get_tracefile(joined, 6)), 0);
	CU_ASSERT_EQUAL(ltt_trace_find_member(joined, ltt_trace_get_tracefile(joined, 7)), 1);
	CU_ASSERT_EQUAL(ltt_trace_get_n_hosts(joined), 2);
	CU_ASSERT_TRUE(ltt_trace_has_hosts(joined));
	CU_ASSERT_EQUAL(ltt_trace_find_host_member(joined, 0), 0);
	CU_ASSERT_EQUAL(ltt_trace_find_host_member(joined, 1), 2);
	hand_clear_all(hands, 3);
}

/* A trace that was merged before has such names already. */
static void test_names_that_are_taken(void)
{
	HandTrace hands[] = {hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL),
			     hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL)};
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *files = NULL;

	hand_add(&hands[0], "control/more", "@90 E99");
	hand_add(&hands[0], "control/more.2", "@90 E99");
	hand_add(&hands[0], "control/more.3", "@90 E99");
	hand_add(&hands[1], "control/more", "@90 E99");
	hand_add(&hands[1], "control/more.7", "@90 E99");
	hand_add(&hands[1], "control/x.y", "@90 E99");
	joined = hand_join(hands, 2, NULL);
	files = list_files(joined);
	UNIT_ASSERT_TEXT(
		strstr(files, "control/more="),
		"control/more=control/more(-1)@node control/more.2=control/more.2(-1)@node "
		"control/more.3=control/more.3(-1)@node control/more.4=control/more.4(-1)@node "
		"control/more.5=control/more.5(-1)@node control/x.y.2=control/x.y.2(-1)@node");
	hand_clear_all(hands, 2);
}

static void test_the_system(void)
{
	static const gint64 offsets_ns[] = {0, -1500000000, 7};
	HandTrace hands[3];
	g_autoptr(LttTrace) joined = NULL;
	const LttSystem *system;

	make_three(hands);
	joined = hand_join(hands, 3, offsets_ns);
	system = ltt_trace_get_system(joined);
	UNIT_ASSERT_TEXT(ltt_system_get_text(system),
			 "\n3 traces on one timeline:\n"
			 "1: from cpu/0 on: one, kernel unknown, times +0.000000000\n"
			 "2: from cpu/0 on: one, kernel 6.1, times -1.500000000\n"
			 "3: from cpu/2 on: two words, kernel unknown, times +0.000000007\n");
	UNIT_ASSERT_TEXT(ltt_system_get(system, "cpu"), "5");
	UNIT_ASSERT_TEXT(ltt_system_get(system, "lanes"), "2");
	UNIT_ASSERT_TEXT(ltt_system_get(system, "ltt_block_size"), "512");
	UNIT_ASSERT_TEXT(ltt_system_get(system, LTT_SYSTEM_HOSTS),
			 "one:b1:control/facilities.1,control/facilities.2,control/more,"
			 "control/more.2,cpu/0,cpu/1,cpu/3,cpu/4 "
			 "two%20words:b2:control/facilities.3,control/more.3,cpu/2");
	CU_ASSERT_PTR_NULL(ltt_system_get(system, "boot_id"));
	CU_ASSERT_PTR_NULL(ltt_system_get(system, LTT_SYSTEM_CLOCK_CONVERSIONS));
	hand_clear_all(hands, 3);
}

static void test_times_with_offsets(void)
{
	static const gint64 offsets_ns[] = {5, -3};
	HandTrace hands[] = MAKE_TWO("b", "b");
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *text = NULL;

	hand_add(&hands[0], "cpu/0", "@100 N110 E120");
	hand_add(&hands[1], "cpu/1", "@100 N110 E120");
	joined = hand_join(hands, 2, offsets_ns);
	text = hand_read(joined);
	UNIT_ASSERT_TEXT(strstr(text, "cpu/"), "cpu/1@97 block_start\ncpu/0@105 block_start\n"
					       "cpu/1@107 none\ncpu/0@115 none\n"
					       "cpu/1@117 block_end\ncpu/0@125 block_end\n");
	CU_ASSERT_EQUAL(ltt_trace_to_joined_time(joined, 1, 100), 97);
	CU_ASSERT_EQUAL(ltt_trace_from_joined_time(joined, 1, 97), 100);
	CU_ASSERT_EQUAL(ltt_trace_get_n_hosts(joined), 1);
	CU_ASSERT_FALSE(ltt_trace_has_hosts(joined));
	/* One machine is not listed. */
	CU_ASSERT_PTR_NULL(ltt_system_get(ltt_trace_get_system(joined), LTT_SYSTEM_HOSTS));
	/* Moved times are not of the clock of that boot. */
	CU_ASSERT_PTR_NULL(ltt_system_get(ltt_trace_get_system(joined), "boot_id"));
	hand_clear_all(hands, 2);
}

/* A trace without a boot id has a machine of its own; one machine without a name is unknown. */
static void test_machines_without_a_boot_id(void)
{
	HandTrace hands[] = {hand_new(LTT_LITTLE_ENDIAN, BLOCK, "node_name", "", NULL),
			     hand_new(LTT_LITTLE_ENDIAN, BLOCK, "node_name", NULL, NULL)};
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *files = NULL;

	hand_add(&hands[0], "cpu/3", "@100 E120");
	hand_add(&hands[1], "cpu/0", "@100 E120");
	joined = hand_join(hands, 2, NULL);
	files = list_files(joined);
	UNIT_ASSERT_TEXT(strstr(files, "cpu/"), "cpu/3=cpu/3(3)@unknown cpu/4=cpu/4(4)@unknown");
	CU_ASSERT_EQUAL(ltt_trace_get_n_hosts(joined), 2);
	CU_ASSERT_FALSE(ltt_trace_has_hosts(joined));
	hand_clear_all(hands, 2);
}

/* A trace that was merged from many machines: those of which the other trace has events too are not added again. */
static void test_many_machines(void)
{
	const guint n = 6000;
	g_autoptr(GString) entries = g_string_new("h0:0:cpu/0");
	HandTrace hands[2];
	g_autoptr(LttTrace) joined = NULL;
	const LttSystem *system;

	for (guint i = 1; i < n; i++)
		g_string_append_printf(entries, " h%u:%u:cpu/%u", i, i, i);
	hands[0] = hand_new(LTT_LITTLE_ENDIAN, BLOCK, LTT_SYSTEM_HOSTS, entries->str, NULL);
	hands[1] = hand_new(LTT_LITTLE_ENDIAN, BLOCK, LTT_SYSTEM_HOSTS,
			    "x:5999:cpu/0 y:new:cpu/1 z:2:", NULL);
	hand_add(&hands[0], "cpu/2", "@100 E120");
	hand_add(&hands[1], "cpu/0", "@100 E120");
	hand_add(&hands[1], "cpu/1", "@100 E120");
	joined = hand_join(hands, 2, NULL);
	CU_ASSERT_EQUAL(ltt_trace_get_n_hosts(joined), n + 1);
	UNIT_ASSERT_TEXT(ltt_trace_get_host(joined, n), "y");
	CU_ASSERT_EQUAL(ltt_trace_find_host_member(joined, n - 1), 0);
	CU_ASSERT_EQUAL(ltt_trace_find_host_member(joined, n), 1);
	system = ltt_trace_get_system(joined);
	CU_ASSERT_TRUE(
		g_str_has_prefix(ltt_system_get(system, LTT_SYSTEM_HOSTS),
				 "h0:0:control/facilities.1 h1:1: h2:2:cpu/2 h3:3: h4:4: h5:5: "));
	CU_ASSERT_TRUE(
		g_str_has_suffix(ltt_system_get(system, LTT_SYSTEM_HOSTS),
				 " h5998:5998: h5999:5999:control/facilities.2,cpu/3 y:new:cpu/4"));
	hand_clear_all(hands, 2);
}

/* ---- problems ---- */

static void test_problems_get_the_new_names(void)
{
	HandTrace hands[] = MAKE_TWO("1", "2");
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *expected = NULL;

	for (guint i = 0; i < 2; i++) {
		hand_add(&hands[i], "cpu/1", "@100 N110 E120");
		hand_append(&hands[i], "cpu/1", "more", 4);
	}
	hand_append(&hands[1], "cpu/x", "", 0);
	joined = hand_join(hands, 2, NULL);
	expected = g_strdup_printf(
		"cpu/1: block 1: byte 0: the file ends with 4 bytes of a block of 256: they are "
		"left out\n"
		"%s/cpu/x: its name is no CPU number: it is left out\n"
		"cpu/3: block 1: byte 0: the file ends with 4 bytes of a block of 256: they are "
		"left out\n",
		hands[1].path);
	HAND_EXPECT_PROBLEMS(joined, expected);
	hand_clear_all(hands, 2);
}

/* ---- events that describe the machine ---- */

static LttEventRole role_of(const LttTrace *trace, const char *name)
{
	for (guint i = 0; i < ltt_trace_get_member(trace, 0)->slots->slots->len; i++) {
		const LttSlot *slot =
			ltt_slots_get(ltt_trace_get_member(trace, 0)->slots, (guint16)i);

		if (slot != NULL && g_str_equal(slot->type->full_name, name))
			return slot->role;
	}
	CU_FAIL("no such event");
	return LTT_ROLE_ORDINARY;
}

/* They are hidden if the trace, or one that it is joined with, has other events. */
static void test_events_of_the_machine(void)
{
	HandTrace hands[] = {hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL),
			     hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL)};
	g_autoptr(LttTrace) alone = NULL;
	g_autoptr(LttTrace) joined = NULL;
	g_autoptr(LttTrace) full = NULL;

	hand_append(&hands[0], "cpu/0", "", 0);
	hand_add(&hands[1], "cpu/0", "@100 E120");
	alone = hand_open(&hands[0]);
	full = hand_open(&hands[1]);
	joined = hand_join(hands, 2, NULL);
	CU_ASSERT_EQUAL(role_of(alone, "processes.process"), LTT_ROLE_ORDINARY);
	CU_ASSERT_EQUAL(role_of(full, "processes.process"), LTT_ROLE_MACHINE);
	CU_ASSERT_EQUAL(role_of(joined, "processes.process"), LTT_ROLE_MACHINE);
	CU_ASSERT_EQUAL(role_of(joined, "various.none"), LTT_ROLE_ORDINARY);
	CU_ASSERT_EQUAL(role_of(joined, "threads.name"), LTT_ROLE_TRACER);
	CU_ASSERT_EQUAL(role_of(joined, "tracer.process_start"), LTT_ROLE_TRACER);
	CU_ASSERT_EQUAL(role_of(joined, "tracer.events_lost"), LTT_ROLE_EVENTS_LOST);
	hand_clear_all(hands, 2);
}

/* CPUs without events count if all traces are of one machine, so that lanes follow them; the events of the
 * kernel join those of their CPUs. */
static void test_cpus_of_one_machine(void)
{
	HandTrace hands[] = {
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", "1", "cpu", "6", "lanes", "1",
			 "kernel", "1", NULL),
		hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", "1", "cpu", "5", "lanes", "1", NULL)};
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *files = NULL;

	for (guint i = 0; i < 6; i++) {
		g_autofree char *name = g_strdup_printf("cpu/%u", i);

		if (i != 1 && i != 3)
			hand_add(&hands[0], name, "@100 E120");
		if (i == 1 || i == 4)
			hand_add(&hands[1], name, "@100 E120");
	}
	joined = hand_join(hands, 2, NULL);
	files = list_files(joined);
	UNIT_ASSERT_TEXT(strstr(files, "cpu/"),
			 "cpu/0=cpu/0(0)@node cpu/0=cpu/0(0)@node cpu/1=cpu/1(1)@node "
			 "cpu/2=cpu/2(2)@node cpu/4=lane/0(-1)@node cpu/5=lane/1(-1)@node");
	/* No file of the joined trace has a number that this attribute of a member would describe. */
	CU_ASSERT_PTR_NULL(ltt_system_get(ltt_trace_get_system(joined), "kernel"));
	hand_clear_all(hands, 2);
}

/* The CPUs of the second machine get other numbers, also those whose events of the kernel were recorded. */
static void test_kernel_files_of_two_machines(void)
{
	HandTrace hands[] = {hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", "1", "cpu", "2", NULL),
			     hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", "2", "cpu", "2",
				      "kernel", "1", NULL)};
	g_autoptr(LttTrace) joined = NULL;
	g_autofree char *files = NULL;

	hand_add(&hands[0], "cpu/1", "@100 E120");
	hand_add(&hands[1], "cpu/0", "@100 E120");
	hand_add(&hands[1], "cpu/1", "@100 E120"); /* of the kernel */
	joined = hand_join(hands, 2, NULL);
	files = list_files(joined);
	UNIT_ASSERT_TEXT(strstr(files, "cpu/"),
			 "cpu/1=cpu/1(1)@node cpu/2=cpu/2(2)@node cpu/2=cpu/2(2)@node");
	hand_clear_all(hands, 2);
}

/* The ids of CPUs end at the largest number of a cpu file. */
static void test_too_many_cpus(void)
{
	HandTrace hands[] = MAKE_TWO("1", "2");
	g_autoptr(LttTrace) one = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *message = NULL;
	LttTrace *traces[2];

	hand_add(&hands[0], "cpu/65535", "@100 E120");
	hand_add(&hands[1], "cpu/0", "@100 E120");
	one = hand_join(hands, 1, NULL);
	UNIT_ASSERT_TEXT(ltt_system_get(ltt_trace_get_system(one), "cpu"), "65536");
	for (guint i = 0; i < 2; i++)
		traces[i] = hand_open(&hands[i]);
	CU_ASSERT_PTR_NULL(ltt_trace_join(traces, 2, NULL, &error));
	message =
		g_strdup_printf("%s + %s: 65537 numbers of cpu files: expected no more than 65536",
				hands[0].path, hands[1].path);
	UNIT_ASSERT_TEXT(error != NULL ? error->message : NULL, message);
	hand_clear_all(hands, 2);
}

/* ---- reopening ---- */

static void test_reopening(void)
{
	static const gint64 offsets_ns[] = {5, -3};
	HandTrace hands[] = MAKE_TWO("1", "2");
	g_autoptr(LttTrace) joined = hand_join(hands, 2, offsets_ns);
	g_autoptr(LttTrace) single = hand_open(&hands[0]);
	g_autofree char *system = g_build_filename(hands[1].path, "info/system.xml", NULL);
	g_autoptr(LttTrace) later = NULL;
	g_autoptr(LttTrace) longer = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	hand_add(&hands[0], "cpu/0", "@100 E120");
	hand_add(&hands[1], "cpu/0", "@100 E120");
	longer = ltt_trace_reopen(single, NULL);
	CU_ASSERT_EQUAL(ltt_trace_get_n_tracefiles(longer), 2);
	later = ltt_trace_reopen(joined, NULL);
	text = hand_read(later);
	UNIT_ASSERT_TEXT(strstr(text, "cpu/"),
			 "cpu/1@97 block_start\ncpu/0@105 block_start\ncpu/1@117 block_end\n"
			 "cpu/0@125 block_end\n");
	CU_ASSERT_EQUAL(ltt_trace_get_live_state(later, NULL), LTT_LIVE_ENDED);
	CU_ASSERT_EQUAL(g_unlink(system), 0);
	CU_ASSERT_PTR_NULL(ltt_trace_reopen(joined, &error));
	CU_ASSERT_PTR_NOT_NULL(error);
	hand_clear_all(hands, 2);
}

UNIT_MAIN("join", UNIT(test_names_of_tracefiles), UNIT(test_names_that_are_taken),
	  UNIT(test_the_system), UNIT(test_times_with_offsets),
	  UNIT(test_machines_without_a_boot_id), UNIT(test_many_machines),

	  UNIT(test_problems_get_the_new_names), UNIT(test_events_of_the_machine),
	  UNIT(test_cpus_of_one_machine), UNIT(test_kernel_files_of_two_machines),
	  UNIT(test_too_many_cpus), UNIT(test_reopening))
