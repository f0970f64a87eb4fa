/* What a thread writes to a lane of a session, and what it does in each state of the tracefile. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/events.h"
#include "session/sight.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#define BEGIN "start 0 clock thread 7/1"

static void test_threads_take_turns(void)
{
	TestSession test = test_session_new("turns", 0, LTTP_SESSION_ATTACH);
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "none");
	for (uint64_t i = 1; i <= 3; i++)
		CU_ASSERT_EQUAL(test_lane_write(&lane, i), LTTP_WRITTEN);
	test_lane_become(&lane, 2);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 4), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 5), LTTP_WRITTEN);
	test_lane_become(&lane, 1);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 6), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " e1 e2 e3 thread 7/2 e4 e5 thread 7/1 e6}");
	CU_ASSERT_EQUAL(test_lane_state(&lane)->current, 0);
	CU_ASSERT_EQUAL(test_lane_state(&lane)->gate.owner, 1001);
	CU_ASSERT_PTR_EQUAL(lane.here.chunk, lane.here.block);
	CU_ASSERT_EQUAL(lane.here.chunk_number, 0);

	/* A block is closed once. */
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " e1 e2 e3 thread 7/2 e4 e5 thread 7/1 e6 end 0}");
	/* A new one follows. */
	CU_ASSERT_EQUAL(test_lane_write(&lane, 7), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " e1 e2 e3 thread 7/2 e4 e5 thread 7/1 e6 end 0}"
		      "{start 1 clock thread 7/1 e7}");
	CU_ASSERT_EQUAL(test_lane_state(&lane)->current, LTTP_CURRENT(1, 1));
	test_session_free(&test);
}

/* Another writer has the file: this one notices, and does not write over its events. */
static void test_two_writers(void)
{
	TestSession test = test_session_new("two", 0, LTTP_SESSION_ATTACH);
	TestLane one, two;

	test_lane_open(&one, &test, 0, 1);
	test_lane_open(&two, &test, 0, 2);
	for (uint64_t i = 1; i <= 2; i++) {
		CU_ASSERT_EQUAL(test_lane_write(&one, i), LTTP_WRITTEN);
		CU_ASSERT_EQUAL(test_lane_write(&two, i), LTTP_WRITTEN);
	}
	EXPECT_EVENTS(&test, test_lane_file(&one),
		      "{" BEGIN " e1 thread 7/2 e1 thread 7/1 e2 thread 7/2 e2}");
	/* The first one begins a block, to which the second one moves. */
	CU_ASSERT_TRUE(lttp_writer_close(&one.writer));
	CU_ASSERT_EQUAL(test_lane_write(&one, 3), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(test_lane_write(&two, 3), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&one),
		      "{" BEGIN " e1 thread 7/2 e1 thread 7/1 e2 thread 7/2 e2 end 0}"
		      "{start 1 clock thread 7/1 e3 thread 7/2 e3}");
	test_session_free(&test);
}

static char *repeat(const char *text, unsigned times)
{
	GString *all = g_string_new("");

	while (times-- > 0)
		g_string_append(all, text);
	return g_string_free(all, FALSE);
}

/* A block ends with the last event that leaves the reserve. */
static void test_full_blocks(void)
{
	TestSession test = test_session_new("full", 0, LTTP_SESSION_ATTACH);
	const struct lttp_head *head = test.session->head;
	unsigned fits = (lttp_block_room(head) - 26 - 38 - 14) / 14;
	g_autofree char *events = NULL, *expected = NULL, *text = NULL;
	TestLane lane;

	CU_ASSERT_EQUAL(lttp_block_room(head), 4096 - 80);
	test_lane_open(&lane, &test, 3, 1);
	for (unsigned block = 0; block < 3; block++) {
		CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
		CU_ASSERT_EQUAL(test_lane_fill(&lane, 1), fits - 1);
	}
	events = repeat(" e1", fits);
	expected = g_strdup_printf("{start 0 clock thread 7/1%s end 0}{start 1 clock thread 7/1%s "
				   "end 1}{start 2 clock thread 7/1%s}",
				   events, events, events);
	/* The file has twice as many blocks as it had. */
	text = g_strconcat(expected, "-", NULL);
	EXPECT_EVENTS(&test, test_lane_file(&lane), text);
	CU_ASSERT_EQUAL(test_lane_state(&lane)->blocks, 4);
	CU_ASSERT_EQUAL(test_lane_state(&lane)->lost, 0);
	test_session_free(&test);
}

/* The largest event has a block of its own. */
static void test_large_events(void)
{
	TestSession test = test_session_new("large", 0, LTTP_SESSION_ATTACH);
	uint64_t most = lttp_payload_max(test.session->head);
	TestLane lane;

	CU_ASSERT_EQUAL(most, 4096 - 80 - 26 - 38 - 14 - 14 - 6);
	test_lane_open(&lane, &test, 0, 1);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, most + 1), LTTP_LOST);
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_TOO_LARGE);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1}");
	/* It fits beside what is in the block, with 14 bytes for a thread. */
	test_lane_become(&lane, 2);
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, most - 14), LTTP_AGAIN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 thread 7/2}");
	test_lane_become(&lane, 1);
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, most - 27), LTTP_AGAIN);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " e1 thread 7/2 end 0}{start 1 clock thread 7/1}");
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, most), LTTP_AGAIN);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " e1 thread 7/2 end 0}{start 1 clock thread 7/1}");
	/* 14 bytes for lost events are left. */
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, most + 14), LTTP_LOST);
	test_session_free(&test);
}

/* Time values: when the delta is too large, and when a bend of the clock has passed. */
static void test_time_values(void)
{
	TestSession test = test_session_new("beats", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	struct lttp_file *file;
	struct lttp_instant bend;
	uint32_t seconds, ns;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	lane.writer.loss = LTTP_LOST_QUOTA;
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_BUSY);
	CU_ASSERT_EQUAL(file->gate.limit_cycles,
			MIN(head->beat_cycles, file->lines[0].end_cycles - file->gate.base_cycles));
	CU_ASSERT_EQUAL(file->lines[0].tag + file->lines[1].tag, 0);
	/* The end of the line is that of the clock event. */
	memcpy(&seconds, lane.here.block + 26 + 30, 4);
	memcpy(&ns, lane.here.block + 26 + 34, 4);
	CU_ASSERT_EQUAL(file->lines[0].end_ns, seconds * 1000000000ull + ns);
	CU_ASSERT_NOT_EQUAL(file->lines[0].end_cycles, 0);
	CU_ASSERT_EQUAL(file->lines[1].end_cycles, 0);

	/* Nothing is due. */
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1}");
	head->beat_cycles = 1;
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 beat}");
	CU_ASSERT_EQUAL(file->gate.limit_cycles, 1);
	head->beat_cycles = head->bend_cycles;
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 beat}");
	CU_ASSERT_TRUE(file->gate.limit_cycles > 1 && file->gate.limit_cycles <= head->bend_cycles);
	/* A delta never reaches the bend. */
	head->beat_cycles = UINT64_MAX;
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	CU_ASSERT_EQUAL(file->gate.base_cycles + file->gate.limit_cycles,
			file->lines[0].end_cycles);

	/* The line in lines[0] ends: the next one is in lines[1]. */
	bend = (struct lttp_instant){file->gate.base_cycles + 1, file->lines[0].end_ns - 1};
	file->lines[0].end_cycles = bend.cycles;
	bend.ns = head->start_ns + 2;
	file->lines[0].end_ns = bend.ns;
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	CU_ASSERT_EQUAL((uint32_t)file->lines[1].tag, 26 + 38 + 14 + 14 + 22 + 22);
	CU_ASSERT_TRUE(file->lines[1].end_cycles > bend.cycles);
	CU_ASSERT_EQUAL(file->lines[0].end_cycles, bend.cycles);
	/* And then in lines[0] again. */
	file->lines[1].end_cycles = lttp_clock_read(head);
	file->lines[1].end_ns = bend.ns;
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	CU_ASSERT_EQUAL((uint32_t)file->lines[0].tag, 26 + 38 + 14 + 14 + 22 + 22 + 22 + 38 + 22);
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	CU_ASSERT_EQUAL((uint32_t)file->lines[1].tag, 26 + 38 + 14 + 14 + 22 + 22);
	test_session_free(&test);
}

/* A bend that passed is in the text: before the end of a block, too. */
static void test_bend_in_text(void)
{
	TestSession test = test_session_new("bend", 0, LTTP_SESSION_ATTACH);
	struct lttp_file *file;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	file->lines[0].end_cycles = file->gate.base_cycles + 3;
	file->lines[0].end_ns -= 999999999;
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	{
		g_autofree char *path = test_session_path(&test, test_lane_file(&lane));
		g_autofree char *bytes = NULL;
		uint32_t delta, seconds, ns;
		uint64_t end_cycles;

		CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &bytes, NULL, NULL));
		memcpy(&delta, bytes + 26 + 38 + 14 + 14 + 2, 4);
		CU_ASSERT_EQUAL(bytes[26 + 38 + 14 + 14], LTTP_ID_HEARTBEAT);
		CU_ASSERT_EQUAL(delta, 3);
		memcpy(&seconds, bytes + 26 + 38 + 14 + 14 + 6, 4);
		memcpy(&ns, bytes + 26 + 38 + 14 + 14 + 10, 4);
		CU_ASSERT_EQUAL(seconds * 1000000000ull + ns, file->lines[0].end_ns);
		/* The end of the block counts from it. */
		memcpy(&delta, bytes + 26 + 38 + 14 + 14 + 22 + 2, 4);
		memcpy(&end_cycles, bytes + 26 + 38 + 14 + 14 + 22 + 14, 8);
		CU_ASSERT_EQUAL(file->lines[0].end_cycles + delta, end_cycles);
		CU_ASSERT_EQUAL(bytes[26 + 38 + 14 + 14 + 22], LTTP_ID_BLOCK_END);
	}
	test_session_free(&test);
}

/* A writer died inside a step: the owner is unknown, and so is the last time value. */
static void test_interrupted_step(void)
{
	TestSession test = test_session_new("step", 0, LTTP_SESSION_ATTACH);
	struct lttp_file *file;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	/* Neither of the lines is of this block. */
	file->lines[0].tag = file->lines[1].tag = UINT64_MAX;
	file->lines[0].end_cycles = file->lines[1].end_cycles = 1;
	file->gate.owner = LTTP_OWNER_NONE;
	CU_ASSERT_EQUAL(test_lane_write(&lane, 2), LTTP_WRITTEN);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 ~beat thread 7/1 e2}");
	file->gate.owner = LTTP_OWNER_NONE;
	lttp_writer_count_lost(&lane.writer);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1 ~beat thread 7/1 e2 lost 1}");
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{" BEGIN " e1 ~beat thread 7/1 e2 lost 1 ~end 0}");
	test_session_free(&test);
}

/* Writers stop when the session ends or their process leaves it. */
static void test_ended(void)
{
	TestSession test = test_session_new("ended", 0, LTTP_SESSION_ATTACH);
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	lane.epoch = 1;
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_ENDED);
	lane.epoch = 0;
	test.session->head->running = 0;
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_ENDED);
	test.session->head->running = 1;
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	/* A step is not made any more. */
	lane.writer.running = 0;
	CU_ASSERT_FALSE(lttp_writer_close(&lane.writer));
	EXPECT_EVENTS(&test, test_lane_file(&lane), "{" BEGIN " e1}");
	test_session_free(&test);
}

static void test_open_blocks(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	struct lttp_sight sight = {.current = 3};

	head->block_bytes = 4096;
#define CHECK(next, expected)                                                                      \
	G_STMT_START                                                                               \
	{                                                                                          \
		sight.word = lttp_word(next, 0);                                                   \
		CU_ASSERT_EQUAL(lttp_sight_is_open(head, &sight), expected);                       \
	}                                                                                          \
	G_STMT_END
	CHECK(0, false);
	CHECK(25, false);
	CHECK(26, true);
	CHECK(4096 - 80 + 14, true);
	CHECK(4096 - 80 + 15, false);
	CHECK(4096, false);
	sight.current = LTTP_NO_BLOCK;
	CHECK(100, false);
#undef CHECK
}

UNIT_MAIN("session-writer", UNIT(test_threads_take_turns), UNIT(test_two_writers),
	  UNIT(test_full_blocks), UNIT(test_large_events), UNIT(test_time_values),
	  UNIT(test_bend_in_text), UNIT(test_interrupted_step), UNIT(test_ended),
	  UNIT(test_open_blocks))
