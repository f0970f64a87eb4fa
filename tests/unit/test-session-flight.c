/* Cuts, and the two halves of the files of a flight recorder. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/cut.h"
#include "session/events.h"
#include "session/file.h"
#include "session/half.h"
#include "session/kernel-cut.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

/* Writes an event to a new block. */
static void write_block(TestLane *lane, uint64_t value)
{
	CU_ASSERT_TRUE(lttp_writer_close(&lane->writer));
	CU_ASSERT_EQUAL(test_lane_write(lane, value), LTTP_WRITTEN);
}

#define BLOCK(id) "{start " #id " clock thread 7/1 e" #id " end " #id "}"
#define OPEN(id)  "{start " #id " clock thread 7/1 e" #id "}"
/* With the bytes of an older block after its events. */
#define REUSED(id) "{start " #id " clock thread 7/1 e" #id "+}"

/* A flight recorder overwrites its oldest block. */
static void test_rounds(void)
{
	TestSession test = test_session_new("rounds", 3 * 4096, LTTP_SESSION_ATTACH);
	TestLane lane;

	CU_ASSERT_EQUAL(test.session->head->flight_blocks, 3);
	CU_ASSERT_EQUAL(test.session->head->chunk_blocks, 6);
	test_lane_open(&lane, &test, 0, 1);
	for (uint64_t i = 0; i < 3; i++)
		write_block(&lane, i);
	EXPECT_EVENTS(&test, test_lane_file(&lane), BLOCK(0) BLOCK(1) OPEN(2));
	write_block(&lane, 3);
	EXPECT_EVENTS(&test, test_lane_file(&lane), REUSED(3) BLOCK(1) BLOCK(2));
	CU_ASSERT_EQUAL(test_lane_state(&lane)->current, LTTP_CURRENT(0, 3));
	CU_ASSERT_EQUAL(test_lane_state(&lane)->blocks, 3);
	test_session_free(&test);
}

/* A writer that passes a cut notes the end before it, and goes on in the other half. */
static void test_frozen_half(void)
{
	TestSession test = test_session_new("frozen", 3 * 4096, LTTP_SESSION_ATTACH);
	struct lttp_session *session = test.session;
	struct lttp_file *file;
	uint64_t word, cut;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_FALSE(lttp_half_is_made(session, file));
	for (uint64_t i = 0; i < 5; i++)
		write_block(&lane, i);
	EXPECT_EVENTS(&test, test_lane_file(&lane), BLOCK(3) REUSED(4) BLOCK(2));
	CU_ASSERT_EQUAL(lttp_half_make(session, lane.number), 0);
	CU_ASSERT_TRUE(lttp_half_is_made(session, file));
	file->blocks = 5;
	CU_ASSERT_FALSE(lttp_half_is_made(session, file));
	file->blocks = 6;
	EXPECT_EVENTS(&test, test_lane_file(&lane), BLOCK(3) REUSED(4) BLOCK(2) "---");

	/* A later cut changes nothing. */
	file->gate.cut_cycles = UINT64_MAX - 1;
	CU_ASSERT_EQUAL(lttp_writer_advance(&lane.writer, 8), LTTP_AGAIN);
	CU_ASSERT_EQUAL(file->gate.cut_cycles, UINT64_MAX - 1);
	CU_ASSERT_EQUAL(file->frozen, 0);
	CU_ASSERT_EQUAL(file->cut_done_cycles, 0);

	word = *lttp_block_word(session->head, lane.here.block);
	cut = lttp_clock_read(session->head);
	file->gate.cut_cycles = cut;
	CU_ASSERT_EQUAL(test_lane_write(&lane, 4), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(file->gate.cut_cycles, LTTP_CUT_NEVER);
	CU_ASSERT_EQUAL(file->cut_done_cycles, cut);
	CU_ASSERT_EQUAL(file->cut_place.current, LTTP_CURRENT(1, 4));
	CU_ASSERT_EQUAL(file->cut_place.word, word);
	CU_ASSERT_EQUAL(file->frozen, 1);
	/* The next block is in the second half. Block 2, which it replaces, is frozen. */
	write_block(&lane, 5);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      BLOCK(3) "{start 4 clock thread 7/1 e4 e4 end 4}" BLOCK(2) "--" OPEN(5));
	write_block(&lane, 6);
	CU_ASSERT_EQUAL(file->current, LTTP_CURRENT(3, 6));

	/* The thawed half loses the blocks that others replace: 2 and 3. */
	lttp_half_thaw(session, lane.number);
	CU_ASSERT_EQUAL(file->frozen, 0);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "-{start 4 clock thread 7/1 e4 e4 end 4}-" OPEN(6) "-" BLOCK(5));
	/* Block 7 replaces 4. */
	write_block(&lane, 7);
	EXPECT_EVENTS(&test, test_lane_file(&lane), "---" BLOCK(6) OPEN(7) BLOCK(5));

	/* The second half is frozen: writers return to the first one. */
	file->gate.cut_cycles = lttp_clock_read(session->head);
	write_block(&lane, 8);
	CU_ASSERT_EQUAL(file->frozen, 2);
	CU_ASSERT_EQUAL(file->cut_place.current, LTTP_CURRENT(4, 7));
	EXPECT_EVENTS(&test, test_lane_file(&lane), "--" REUSED(8) BLOCK(6) BLOCK(7) BLOCK(5));
	write_block(&lane, 9);
	lttp_half_thaw(session, lane.number);
	EXPECT_EVENTS(&test, test_lane_file(&lane), REUSED(9) "-" BLOCK(8) "-" BLOCK(7) "-");
	/* No half is frozen. */
	file->frozen = 3;
	lttp_half_thaw(session, lane.number);
	CU_ASSERT_EQUAL(file->frozen, 3);
	file->frozen = 0;

	/* The end: all blocks in one half. */
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	lttp_half_join(session, lane.number);
	EXPECT_EVENTS(&test, test_lane_file(&lane), BLOCK(9) BLOCK(7) BLOCK(8));
	CU_ASSERT_EQUAL(file->blocks, 3);
	/* A file that has one half is left as it is. */
	lttp_half_join(session, lane.number);
	EXPECT_EVENTS(&test, test_lane_file(&lane), BLOCK(9) BLOCK(7) BLOCK(8));
	CU_ASSERT_EQUAL(file->blocks, 3);
	test_session_free(&test);
}

/* Without a second half, no half is frozen, and a block is overwritten. */
static void test_cut_in_one_half(void)
{
	TestSession test = test_session_new("one-half", 2 * 4096, LTTP_SESSION_ATTACH);
	struct lttp_file *file;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	/* A cut before the first block. */
	file->gate.cut_cycles = 5;
	write_block(&lane, 0);
	CU_ASSERT_EQUAL(file->cut_done_cycles, 5);
	CU_ASSERT_EQUAL(file->cut_place.current, LTTP_NO_BLOCK);
	CU_ASSERT_EQUAL(file->cut_place.word, 0);
	CU_ASSERT_EQUAL(file->frozen, 0);
	write_block(&lane, 1);
	file->gate.cut_cycles = 6;
	write_block(&lane, 2);
	CU_ASSERT_EQUAL(file->frozen, 0);
	CU_ASSERT_EQUAL(file->cut_done_cycles, 6);
	CU_ASSERT_EQUAL(file->cut_place.current, LTTP_CURRENT(1, 1));
	/* The loss of an event passes a cut, too. */
	file->gate.cut_cycles = 7;
	lttp_writer_count_lost(&lane.writer);
	CU_ASSERT_EQUAL(file->cut_done_cycles, 7);
	EXPECT_EVENTS(&test, test_lane_file(&lane),
		      "{start 2 clock thread 7/1 e2 lost 1+}" BLOCK(1));
	test_session_free(&test);
}

/* What a writer that was killed in the middle of a step leaves is overwritten. */
static void test_leftovers(void)
{
	TestSession test = test_session_new("leftovers", 2 * 4096, LTTP_SESSION_ATTACH);
	TestLane lane;
	char *next;

	test_lane_open(&lane, &test, 0, 1);
	write_block(&lane, 0);
	/* A second block that was begun but is not the current one, of the same first bytes. */
	next = lane.here.block + 4096;
	memcpy(next, lane.here.block, 4096);
	CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	memset(next + 26 + 38 + 14 + 14, 0, 14);
	EXPECT_EVENTS(&test, test_lane_file(&lane), BLOCK(0) OPEN(1));
	test_session_free(&test);
}

/* All files end at one time. Those that no writer has passed since end where they are. */
static void test_cut(void)
{
	TestSession test = test_session_new("cut", 2 * 4096, LTTP_SESSION_ATTACH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	g_autofree struct lttp_place *places =
		g_new0(struct lttp_place, lttp_cut_places(session->head));
	struct lttp_cut cut = {.places = places};
	uint64_t before = lttp_clock_read(head), word;
	TestLane lane, idle;

	CU_ASSERT_EQUAL(lttp_cut_places(head), head->cpus + 1024 + head->cpus + 1);
	test_lane_open(&lane, &test, 0, 1);
	test_lane_open(&idle, &test, 2, 2);
	write_block(&lane, 0);
	write_block(&idle, 0);
	CU_ASSERT_EQUAL(lttp_half_make(session, lane.number), 0);
	word = *lttp_block_word(head, lane.here.block);
	CU_ASSERT_EQUAL(lttp_cut_make(session, &cut), 0);
	CU_ASSERT_TRUE(cut.cycles > before && cut.cycles < lttp_clock_read(head));
	CU_ASSERT_EQUAL(places[lane.number].current, LTTP_CURRENT(0, 0));
	CU_ASSERT_EQUAL(places[lane.number].word, word);
	CU_ASSERT_EQUAL(places[idle.number].current, LTTP_CURRENT(0, 0));
	CU_ASSERT_EQUAL(places[idle.number].word, *lttp_block_word(head, idle.here.block));
	CU_ASSERT_EQUAL(places[lane.number + 1].current, LTTP_NO_BLOCK);
	CU_ASSERT_EQUAL(places[0].current, LTTP_NO_BLOCK);
	CU_ASSERT_EQUAL(head->kernel_cut_cycles, cut.cycles);
	for (uint32_t i = 0; i < lttp_session_files(head); i++)
		CU_ASSERT_EQUAL(session->files[i].gate.cut_cycles, cut.cycles);
	/* The next event of a file passes it. */
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	CU_ASSERT_EQUAL(session->files[lane.number].cut_place.word, word);
	CU_ASSERT_EQUAL(session->files[lane.number].frozen, 1);
	lttp_cut_end(session, &cut);
	CU_ASSERT_EQUAL(head->kernel_cut_cycles, 0);
	CU_ASSERT_EQUAL(session->files[lane.number].frozen, 0);
	for (uint32_t i = 0; i < lttp_session_files(head); i++)
		CU_ASSERT_EQUAL(session->files[i].gate.cut_cycles, LTTP_CUT_NEVER);
	test_session_free(&test);
}

static void test_cut_of_an_ended_session(void)
{
	TestSession test = test_session_new("cut-ended", 0, LTTP_SESSION_ATTACH);
	struct lttp_session *session = test.session;
	g_autofree struct lttp_place *places =
		g_new0(struct lttp_place, lttp_cut_places(session->head));
	struct lttp_cut cut = {.places = places};

	session->files[1].gate.cut_cycles = LTTP_CUT_ENDED;
	/* The gate is neither at the cut nor past it. */
	CU_ASSERT_EQUAL(lttp_cut_make(session, &cut), -EAGAIN);
	CU_ASSERT_EQUAL(session->files[1].gate.cut_cycles, LTTP_CUT_ENDED);
	CU_ASSERT_EQUAL(session->files[0].gate.cut_cycles, LTTP_CUT_NEVER);
	session->files[1].gate.cut_cycles = LTTP_CUT_NEVER;
	session->head->running = 0;
	CU_ASSERT_EQUAL(lttp_cut_make(session, &cut), -ESHUTDOWN);
	CU_ASSERT_EQUAL(session->files[0].gate.cut_cycles, LTTP_CUT_NEVER);
	/* A file that is not there. */
	session->head->running = 1;
	session->files[1].current = 0;
	CU_ASSERT_EQUAL(lttp_cut_make(session, &cut), -ENOENT);
	session->files[1].current = LTTP_NO_BLOCK;
	CU_ASSERT_EQUAL(lttp_cut_make(session, &cut), 0);
	lttp_cut_end(session, &cut);
	/* A clock that is too fast for any announcement. */
	session->head->cycles_per_second = 1;
	CU_ASSERT_EQUAL(lttp_cut_make(session, &cut), -EAGAIN);
	CU_ASSERT_EQUAL(session->files[0].gate.cut_cycles, LTTP_CUT_NEVER);
	test_session_free(&test);
}

/* The recorder stores the ends of the kernel's files; if it was killed, they are in the files. */
static void test_kernel_places(void)
{
	TestSession test = test_session_new("kernel", 0, LTTP_SESSION_ATTACH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	g_autofree struct lttp_place *places = g_new0(struct lttp_place, lttp_cut_places(head));
	struct lttp_cut cut = {.cycles = 77, .places = places};
	uint32_t first = lttp_kernel_cut_number(head, 0), threads = first + head->cpus;
	g_autofree char *expected = g_strdup_printf("cpu/%u", first);
	g_autofree char *path = test_session_path(&test, expected);
	g_autofree char *bytes = g_malloc0(3 * 4096);
	uint64_t second;
	int keeper;
	uint64_t words[3] = {lttp_word(50, 26), lttp_word(60, 26), 0};
	const uint32_t ids[3] = {4, 3, 9};

	CU_ASSERT_EQUAL(lttp_kernel_cut_files(session), 0);
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), 0);
	CU_ASSERT_EQUAL(head->kernel_ready_cycles, 0);
	head->kernel_files = 1;
	CU_ASSERT_EQUAL(lttp_kernel_cut_files(session), head->cpus + 1);
	UNIT_ASSERT_TEXT(lttp_kernel_cut_name(head, 0).text, expected);
	UNIT_ASSERT_TEXT(lttp_kernel_cut_name(head, head->cpus).text, "control/processes.kernel");

	/* No recorder: the newest block with events. */
	for (int i = 0; i < 3; i++) {
		memcpy(bytes + i * 4096 + 22, &ids[i], 4);
		memcpy(bytes + i * 4096 + 4088, &words[i], 8);
	}
	CU_ASSERT_TRUE(g_file_set_contents(path, bytes, 3 * 4096, NULL));
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), 0);
	CU_ASSERT_EQUAL(head->kernel_ready_cycles, 77);
	CU_ASSERT_EQUAL(places[first].current, LTTP_CURRENT(0, 4));
	CU_ASSERT_EQUAL(places[first].word, words[0]);
	CU_ASSERT_EQUAL(places[threads].current, LTTP_NO_BLOCK);
	/* A part of a block at the end does not count. */
	memcpy(bytes + 4096 + 22, &ids[2], 4);
	CU_ASSERT_TRUE(g_file_set_contents(path, bytes, 3 * 4096 - 1, NULL));
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), 0);
	CU_ASSERT_EQUAL(places[first].current, LTTP_CURRENT(1, 9));
	CU_ASSERT_EQUAL(places[first].word, words[1]);

	/* Those that it has stored. */
	head->kernel_done_cycles = 77;
	session->files[0].kernel_place = (struct lttp_place){5, 6};
	session->files[head->cpus].kernel_place = (struct lttp_place){7, 8};
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), 0);
	CU_ASSERT_TRUE(places[first].current == 5 && places[first].word == 6);
	CU_ASSERT_TRUE(places[threads].current == 7 && places[threads].word == 8);
	/* It ended after the cut was announced: perhaps with events after the cut. */
	lttp_kernel_cut_announce(session, &cut);
	CU_ASSERT_FALSE(cut.kernel_has_ended);
	CU_ASSERT_EQUAL(head->kernel_cut_cycles, 77);
	head->kernel_done_cycles = LTTP_KERNEL_ENDED;
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), -EAGAIN);
	lttp_kernel_cut_announce(session, &cut);
	CU_ASSERT_TRUE(cut.kernel_has_ended);
	places[first].current = 1;
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), 0);
	CU_ASSERT_EQUAL(places[first].current, 5);
	/* A recorder that is alive and does not answer. */
	head->kernel_done_cycles = 0;
	keeper = lttp_session_lock(session, LTTP_LOCK_KEEPER, F_RDLCK);
	second = head->cycles_per_second;
	head->cycles_per_second = 1;
	CU_ASSERT_EQUAL(lttp_kernel_cut_wait(session, &cut), -ETIMEDOUT);
	head->cycles_per_second = second;
	close(keeper);
	/* The cut of another snapshot stays. */
	head->kernel_cut_cycles = 78;
	lttp_kernel_cut_end(session, &cut);
	CU_ASSERT_EQUAL(head->kernel_cut_cycles, 78);
	test_session_free(&test);
}

UNIT_MAIN("session-flight", UNIT(test_rounds), UNIT(test_frozen_half), UNIT(test_cut_in_one_half),
	  UNIT(test_leftovers), UNIT(test_cut), UNIT(test_cut_of_an_ended_session),
	  UNIT(test_kernel_places))
