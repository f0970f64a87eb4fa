/* Which traces of a machine are one recording: those whose times overlap. Threads are the same only in one
 * recording. */
#include "support-hand.h"
#include "unit.h"

#include "reader/recordings-priv.h"

#include <ltt/ltt-join.h>

#define BLOCK 256

/* A trace of the machine @boot_id with events of cpu/0 from @start_ns to @end_ns. */
static HandTrace new_trace(const char *boot_id, guint start_ns, guint end_ns)
{
	HandTrace hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, "boot_id", boot_id, NULL);
	g_autofree char *words = g_strdup_printf("@%u E%u", start_ns, end_ns);

	hand_add(&hand, "cpu/0", words);
	return hand;
}

/* The host, the first trace and the tracefiles of each recording, "0/1:cpu/0,cpu/2 ...". */
static char *list_recordings(const LttTrace *trace)
{
	GString *text = g_string_new(NULL);
	guint32 n = 0;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++)
		n = MAX(n, ltt_trace_get_tracefile(trace, i)->recording + 1);
	for (guint32 index = 0; index < n; index++) {
		const LttRecording recording = ltt_trace_get_recording(trace, index);

		g_string_append_printf(text, "%s%u/%u:", index > 0 ? " " : "", recording.host,
				       recording.member);
		for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
			const LttTracefile *file = ltt_trace_get_tracefile(trace, i);

			if (file->recording == index && file->cpu >= 0)
				g_string_append_printf(text, "[%u]",
						       ltt_trace_find_member(trace, file));
			if (file->recording == index)
				CU_ASSERT_EQUAL(file->host, recording.host);
		}
	}
	return g_string_free(text, FALSE);
}

/* Compares the recordings of the traces, and frees these. */
static void expect_recordings(HandTrace *hands, guint n, const char *expected, int line)
{
	g_autoptr(LttTrace) joined = hand_join(hands, n, NULL);
	g_autofree char *got = list_recordings(joined);

	unit_assert_text(got, expected, __FILE__, line);
	hand_clear_all(hands, n);
}
#define EXPECT_RECORDINGS(expected, ...)                                                           \
	G_STMT_START                                                                               \
	{                                                                                          \
		HandTrace made[] = {__VA_ARGS__};                                                  \
		expect_recordings(made, G_N_ELEMENTS(made), expected, __LINE__);                   \
	}                                                                                          \
	G_STMT_END

static void test_traces_that_overlap(void)
{
	EXPECT_RECORDINGS("0/0:[0][1]", new_trace("1", 100, 200), new_trace("1", 150, 300));
	/* Also if they share one nanosecond, and if one lies within the other. */
	EXPECT_RECORDINGS("0/0:[0][1]", new_trace("1", 100, 200), new_trace("1", 200, 300));
	EXPECT_RECORDINGS("0/0:[0][1]", new_trace("1", 150, 160), new_trace("1", 100, 200));
	/* The longest one decides, not the latest one. */
	EXPECT_RECORDINGS("0/0:[0][1][2]", new_trace("1", 100, 500), new_trace("1", 110, 120),
			  new_trace("1", 400, 600));
}

static void test_traces_that_follow_each_other(void)
{
	EXPECT_RECORDINGS("0/0:[0] 0/1:[1]", new_trace("1", 100, 200), new_trace("1", 201, 300));
	/* The recordings are in the order of their times. */
	EXPECT_RECORDINGS("0/1:[1] 0/0:[0]", new_trace("1", 201, 300), new_trace("1", 100, 200));
	EXPECT_RECORDINGS("0/1:[1][2] 0/0:[0]", new_trace("1", 301, 400), new_trace("1", 150, 300),
			  new_trace("1", 100, 200));
	/* Two of them, then a third one: the first trace of each. */
	EXPECT_RECORDINGS("0/0:[0][2] 0/1:[1]", new_trace("1", 100, 200), new_trace("1", 500, 600),
			  new_trace("1", 90, 110));
}

/* The times of other machines do not matter. */
static void test_traces_of_several_machines(void)
{
	EXPECT_RECORDINGS("0/0:[0] 1/1:[1]", new_trace("1", 100, 200), new_trace("2", 150, 300));
	EXPECT_RECORDINGS("0/0:[0] 0/2:[2] 1/1:[1]", new_trace("1", 100, 200),
			  new_trace("2", 150, 450), new_trace("1", 400, 500));
	EXPECT_RECORDINGS("0/0:[0][3] 1/2:[2] 1/1:[1]", new_trace("1", 300, 900),
			  new_trace("2", 400, 500), new_trace("2", 100, 200),
			  new_trace("1", 600, 650));
}

/* Control files, such as the list of processes, have other times than the events of CPUs. */
static void test_times_of_control_files(void)
{
	HandTrace hands[] = {new_trace("1", 100, 200), new_trace("1", 300, 400)};

	hand_add(&hands[0], "control/more", "@50 E350");
	hand_add(&hands[1], "control/more", "@50 E350");
	expect_recordings(hands, 2, "0/0:[0] 0/1:[1]", __LINE__);
}

/* The span of a trace is that of all its CPUs, also of those without events. */
static void test_times_of_several_cpus(void)
{
	HandTrace hands[] = {new_trace("1", 100, 200), new_trace("1", 350, 400)};

	hand_append(&hands[0], "cpu/1", "", 0);
	hand_add(&hands[1], "cpu/1", "@200 E210");
	expect_recordings(hands, 2, "0/0:[0][1][0][1]", __LINE__);
	hands[0] = new_trace("1", 100, 200);
	hands[1] = new_trace("1", 350, 400);
	hand_add(&hands[0], "cpu/1", "@20 E350");
	expect_recordings(hands, 2, "0/0:[0][1][0]", __LINE__);
}

/* A trace that is being recorded has no end yet. */
static void test_a_trace_that_is_being_recorded(void)
{
	HandTrace hands[] = {new_trace("1", 100, 200), new_trace("1", 300, 400)};

	hand_append(&hands[0], "info/session", "", 0);
	expect_recordings(hands, 2, "0/0:[0][1]", __LINE__);
	hands[0] = new_trace("1", 100, 200);
	hands[1] = new_trace("1", 300, 400);
	hand_append(&hands[1], "info/session", "", 0);
	expect_recordings(hands, 2, "0/0:[0] 0/1:[1]", __LINE__);
}

UNIT_MAIN("join-recordings", UNIT(test_traces_that_overlap),
	  UNIT(test_traces_that_follow_each_other), UNIT(test_traces_of_several_machines),
	  UNIT(test_times_of_control_files), UNIT(test_times_of_several_cpus),
	  UNIT(test_a_trace_that_is_being_recorded))
