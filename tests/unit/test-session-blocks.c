/* Choosing, allocating and mapping the blocks of a tracefile, and the steps that change it. */
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/clock.h"
#include "session/events.h"
#include "session/file.h"
#include "session/next-block.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void test_choice(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	struct lttp_sight sight = {.current = LTTP_NO_BLOCK};

	CU_ASSERT_EQUAL(lttp_next_block_choose(head, &sight, 0), 0);
	sight.current = LTTP_CURRENT(4, 9);
	CU_ASSERT_EQUAL(lttp_next_block_choose(head, &sight, 0), LTTP_CURRENT(5, 10));
	head->flight_blocks = 4;
	sight.current = LTTP_NO_BLOCK;
	CU_ASSERT_EQUAL(lttp_next_block_choose(head, &sight, 0), 0);
#define CHECK(slot, frozen, expected)                                                              \
	G_STMT_START                                                                               \
	{                                                                                          \
		sight.current = LTTP_CURRENT(slot, 20);                                            \
		CU_ASSERT_EQUAL(lttp_next_block_choose(head, &sight, frozen),                      \
				LTTP_CURRENT(expected, 21));                                       \
	}                                                                                          \
	G_STMT_END
	CHECK(0, 0, 1);
	CHECK(3, 0, 0);
	CHECK(3, 1, 4);
	CHECK(1, 1, 6);
	CHECK(1, 2, 2);
	CHECK(5, 1, 6);
	CHECK(7, 0, 4);
	CHECK(7, 2, 0);
	CHECK(5, 2, 2);
#undef CHECK
}

/* The file doubles, up to the end of the chunk, so that a chunk is mapped once. */
static void test_growth(void)
{
	TestSession test = test_session_new("growth", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	const uint64_t expected[] = {1, 2, 4, 5, 10};
	struct lttp_file *file;
	TestLane lane;

	CU_ASSERT_EQUAL(head->chunk_blocks, 1024);
	head->chunk_blocks = 5;
	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		uint64_t have = file->blocks;

		CU_ASSERT_EQUAL(lttp_next_block_allocate(&lane.writer, (uint32_t)have, 1), true);
		CU_ASSERT_EQUAL(file->blocks, expected[i]);
		/* Blocks that are there. */
		CU_ASSERT_EQUAL(lttp_next_block_allocate(&lane.writer, (uint32_t)have, 1), true);
		CU_ASSERT_EQUAL(file->blocks, expected[i]);
	}
	CU_ASSERT_EQUAL(file->wanted, 0);
	CU_ASSERT_EQUAL(head->bell, 0);
	CU_ASSERT_TRUE(lane.writer.chunks.signals_held);
	lttp_chunks_end(&lane.writer.chunks);
	test_session_free(&test);
}

/* With a limit on file sizes: all that is allowed, and then a loss. */
static void test_limit(void)
{
	TestSession test = test_session_new("limit", 0, LTTP_SESSION_ATTACH);
	const struct rlimit limit = {3 * 4096, RLIM_INFINITY};
	struct lttp_file *file;
	struct rlimit before;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 0, 1));
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 1, 1));
	CU_ASSERT_EQUAL(file->blocks, 2);
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 2, 1));
	CU_ASSERT_EQUAL(file->blocks, 3);
	lane.writer.loss = LTTP_LOST_BUSY;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 3, 1000));
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_FILE_SIZE);
	CU_ASSERT_EQUAL(file->retry_loss, LTTP_LOST_FILE_SIZE);
	CU_ASSERT_EQUAL(file->retry_cycles, 1000 + test.session->head->cycles_per_second / 20);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	/* Not again before that time; the reason may be damaged. */
	lane.writer.loss = LTTP_LOST_BUSY;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 3, file->retry_cycles - 1));
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_FILE_SIZE);
	file->retry_loss = 2 * LTTP_LOST_REASONS + LTTP_LOST_QUOTA;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 3, file->retry_cycles - 1));
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_QUOTA);
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 3, file->retry_cycles));
	CU_ASSERT_EQUAL(file->blocks, 6);
	lttp_chunks_end(&lane.writer.chunks);
	test_session_free(&test);
}

/* A recorder that has answered: it did, or why it did not. */
static void test_recorder_allocates(void)
{
	TestSession test = test_session_new("recorder", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	struct lttp_file *file;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	head->keeper_cycles = 1;
	head->answers = head->bell + 100;
	file->refused_errno = EDQUOT;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 0, 1));
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_QUOTA);
	CU_ASSERT_EQUAL(file->wanted, 1);
	head->chunk_blocks = 2;
	CU_ASSERT_EQUAL(head->bell, 1);
	file->retry_cycles = 0;
	file->refused_errno = 0;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 0, 1));
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_DISK_FULL);
	CU_ASSERT_EQUAL(head->bell, 2);
	/* Allocated here, as it would. */
	CU_ASSERT_EQUAL(lttp_file_extend(test.session, lane.number, 2), 0);
	file->retry_cycles = 0;
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 0, 1));
	CU_ASSERT_EQUAL(head->bell, 2);
	/* The last block: the next ones are requested ahead. */
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 1, 1));
	CU_ASSERT_EQUAL(file->wanted, 4);
	CU_ASSERT_EQUAL(head->bell, 3);
	/* More than the writer needs now: enough is one. */
	file->wanted = 0;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 2, 1));
	CU_ASSERT_EQUAL(file->wanted, 4);
	/* Without an answer: by itself, if a filter of system calls cannot kill it. */
	file->retry_cycles = 0;
	head->unanswered_cycles = 1;
	CU_ASSERT_FALSE(lttp_next_block_allocate(&lane.writer, 2, 1));
	CU_ASSERT_EQUAL(lane.writer.loss, LTTP_LOST_NO_RECORDER);
	CU_ASSERT_EQUAL(file->blocks, 2);
	file->retry_cycles = 0;
	test.session->slot = &head->processes[0];
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 2, 1));
	CU_ASSERT_EQUAL(file->blocks, 4);
	/* No request ahead in that case. */
	CU_ASSERT_TRUE(lttp_next_block_allocate(&lane.writer, 3, 1));
	CU_ASSERT_EQUAL(head->bell, 4);
	lttp_chunks_end(&lane.writer.chunks);
	test_session_free(&test);
}

/* Pages without a place are found before a store there. */
static void test_populate(void)
{
	g_autofree struct lttp_head *head = g_new0(struct lttp_head, 1);
	g_autofree char *path = unit_temp_path("pages");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char *at;

	head->block_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
	CU_ASSERT_EQUAL(ftruncate(fd, head->block_bytes), 0);
	at = mmap(NULL, 2 * head->block_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CU_ASSERT_TRUE_FATAL(at != MAP_FAILED);
	CU_ASSERT_TRUE(lttp_next_block_populate(head, at, LTTP_CURRENT(1, 1)));
	/* MADV_POPULATE_WRITE, which old kernels do not have. */
	if (madvise(at, head->block_bytes, 23) == 0) {
		char *end = at + head->block_bytes;

		CU_ASSERT_FALSE(lttp_next_block_populate(head, end, LTTP_CURRENT(1, 1)));
		/* A flight recorder has them since the first round. */
		head->flight_blocks = 2;
		CU_ASSERT_FALSE(lttp_next_block_populate(head, end, LTTP_CURRENT(1, 1)));
		CU_ASSERT_TRUE(lttp_next_block_populate(head, end, LTTP_CURRENT(0, 2)));
		CU_ASSERT_EQUAL(mprotect(at, head->block_bytes, PROT_READ), 0);
		CU_ASSERT_TRUE(lttp_next_block_populate(head, at, LTTP_CURRENT(1, 1)));
	}
	munmap(at, 2 * head->block_bytes);
	close(fd);
}

static bool is_mapped(const char *at)
{
	return msync((void *)(uintptr_t)at, 1, MS_ASYNC) == 0;
}

static gboolean is_blocked(int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigprocmask(SIG_BLOCK, NULL, &set);
	return sigismember(&set, signal) == 1;
}

/* Chunks are mapped once, and unmapped when another one is installed. */
static void test_chunks(void)
{
	TestSession test = test_session_new("chunks", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	struct lttp_chunk one, two, again;
	struct lttp_chunks *chunks;
	uint64_t value = 0, epoch = 7;
	struct lttp_step step;
	TestLane lane;

	head->chunk_blocks = 2;
	test_lane_open(&lane, &test, 0, 1);
	chunks = &lane.writer.chunks;
	chunks->signals_held = true;
	CU_ASSERT_EQUAL(lttp_file_extend(test.session, lane.number, 4), 0);
	lttp_chunks_begin(chunks);
	CU_ASSERT_FALSE(chunks->signals_held);
	CU_ASSERT_FALSE(is_blocked(SIGUSR1));
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 1, &one));
	CU_ASSERT_TRUE(is_blocked(SIGUSR1));
	CU_ASSERT_FALSE(is_blocked(SIGBUS));
	CU_ASSERT_EQUAL(one.number, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(one.at);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 0, &again));
	CU_ASSERT_TRUE(again.at == one.at && again.number == 0);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 2, &two));
	CU_ASSERT_EQUAL(two.number, 1);
	CU_ASSERT_TRUE(two.at != one.at);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 1, &again));
	CU_ASSERT_TRUE(again.at == one.at && again.number == 0);
	CU_ASSERT_TRUE(is_mapped(one.at) && is_mapped(two.at));
	/* What was not installed is unmapped. */
	CU_ASSERT_TRUE(lttp_chunks_install(chunks, &one, &epoch, 7));
	CU_ASSERT_TRUE(lane.here.chunk == one.at && lane.here.chunk_number == 0);
	CU_ASSERT_TRUE(lttp_chunks_install(chunks, &one, &epoch, 7));
	lttp_chunks_end(chunks);
	CU_ASSERT_FALSE(is_blocked(SIGUSR1));
	CU_ASSERT_FALSE(chunks->signals_held);
	CU_ASSERT_TRUE(is_mapped(one.at) && !is_mapped(two.at));

	lttp_chunks_begin(chunks);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 1, &again));
	CU_ASSERT_TRUE(again.at == one.at && again.number == 0);
	CU_ASSERT_PTR_NULL(chunks->fresh[0].at);
	CU_ASSERT_FALSE(is_blocked(SIGUSR1));
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 3, &two));
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 2, &again));
	CU_ASSERT_TRUE(again.at == two.at && again.number == 1);
	*(uint64_t *)(void *)two.at = 17;
	CU_ASSERT_TRUE(lttp_chunks_load(chunks, &two, (uint64_t *)(void *)two.at, &value));
	CU_ASSERT_EQUAL(value, 17);
	CU_ASSERT_TRUE(lttp_chunks_load(chunks, &one, (uint64_t *)(void *)(two.at), &value));
	/* A step holds while the installed chunk is the same. */
	step.checks = step.stores = 0;
	lttp_chunks_check(chunks, &step);
	lttp_step_store(&step, &value, 5);
	CU_ASSERT_TRUE(lttp_step_make(&chunks->actor, &step));
	CU_ASSERT_EQUAL(value, 5);
	CU_ASSERT_FALSE(lttp_chunks_have_changed(chunks));
	lane.here.installs++;
	CU_ASSERT_FALSE(lttp_step_make(&chunks->actor, &step));
	CU_ASSERT_TRUE(lttp_chunks_have_changed(chunks));
	CU_ASSERT_FALSE(lttp_chunks_install(chunks, &two, &epoch, 7));
	lane.here.installs--;
	CU_ASSERT_FALSE(lttp_chunks_install(chunks, &two, &epoch, 8));
	CU_ASSERT_TRUE(lane.here.chunk == one.at && lane.here.chunk_number == 0);
	/* The one that is replaced stays mapped until the end, and the gate is disabled. */
	lane.here.gate = &test_lane_state(&lane)->gate;
	lane.here.block = one.at;
	CU_ASSERT_TRUE(lttp_chunks_install(chunks, &two, &epoch, 7));
	CU_ASSERT_TRUE(lane.here.chunk == two.at && lane.here.chunk_number == 1);
	CU_ASSERT_TRUE(lane.here.gate == NULL && lane.here.block == NULL);
	CU_ASSERT_FALSE(lttp_chunks_have_changed(chunks));
	CU_ASSERT_TRUE(is_mapped(one.at) && is_mapped(two.at));
	lttp_chunks_end(chunks);
	CU_ASSERT_TRUE(!is_mapped(one.at) && is_mapped(two.at));
	/* Without another one it stays. */
	lttp_chunks_begin(chunks);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 2, &again));
	CU_ASSERT_TRUE(again.at == two.at && chunks->fresh[0].at == NULL);
	lttp_chunks_end(chunks);
	CU_ASSERT_TRUE(is_mapped(two.at));
	/* One whose installation was interrupted has no number, so it is mapped again. */
	lane.here.chunk_number = UINT64_MAX;
	lttp_chunks_begin(chunks);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 2, &again));
	CU_ASSERT_TRUE(again.at != two.at && again.number == 1);
	CU_ASSERT_TRUE(lttp_chunks_install(chunks, &again, &epoch, 7));
	lttp_chunks_end(chunks);
	CU_ASSERT_TRUE(!is_mapped(two.at) && is_mapped(again.at));
	CU_ASSERT_TRUE(lane.here.chunk == again.at && lane.here.chunk_number == 1);
	munmap(again.at, 2 * 4096);
	test_session_free(&test);
}

/* Another thread has replaced and unmapped the chunk that this one has found. */
static void test_stale_chunk(void)
{
	TestSession test = test_session_new("stale", 0, LTTP_SESSION_ATTACH);
	struct lttp_chunks *chunks;
	enum lttp_outcome outcome;
	struct lttp_sight sight;
	struct lttp_chunk one;
	TestLane lane;

	test.session->head->chunk_blocks = 2;
	test_lane_open(&lane, &test, 0, 1);
	chunks = &lane.writer.chunks;
	CU_ASSERT_EQUAL(lttp_file_extend(test.session, lane.number, 4), 0);
	test_lane_state(&lane)->current = LTTP_CURRENT(0, 0);
	lttp_chunks_begin(chunks);
	CU_ASSERT_TRUE(lttp_chunks_find(chunks, 0, &one));
	CU_ASSERT_TRUE(lttp_chunks_install(chunks, &one, lane.writer.epoch_at, lane.writer.epoch));
	lttp_chunks_end(chunks);
	lttp_chunks_begin(chunks);
	munmap(one.at, 2 * 4096);
	/* It is lost if nobody has replaced it: the state is damaged. */
	CU_ASSERT_FALSE(lttp_sight_look(&lane.writer, &sight, &outcome));
	CU_ASSERT_TRUE(outcome == LTTP_LOST && lane.writer.loss == LTTP_LOST_BAD_STATE);
	lane.here.installs++;
	CU_ASSERT_FALSE(lttp_sight_look(&lane.writer, &sight, &outcome));
	CU_ASSERT_EQUAL(outcome, LTTP_AGAIN);
	lane.here.chunk = NULL;
	lttp_chunks_end(chunks);
	test_session_free(&test);
}

/* A step is made only if all that it was prepared for is as it was. */
static void test_stale_steps(void)
{
	TestSession test = test_session_new("stale", 0, LTTP_SESSION_ATTACH);
	uint64_t made = 0, expected = 0, *word;
	enum lttp_outcome outcome;
	struct lttp_sight sight;
	struct lttp_file *file;
	struct lttp_step step;
	TestLane lane;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	file->frozen = 9;
	lttp_chunks_begin(&lane.writer.chunks);
	CU_ASSERT_TRUE_FATAL(lttp_sight_look(&lane.writer, &sight, &outcome));
	CU_ASSERT_EQUAL(sight.frozen, 9);
	CU_ASSERT_PTR_EQUAL(sight.line, &file->lines[0]);
	CU_ASSERT_PTR_EQUAL(sight.other_line, &file->lines[1]);
	/* A line that begins after the events does not count. */
	file->lines[1].tag = LTTP_CURRENT(0, 26 + 38 + 14 + 14);
	CU_ASSERT_TRUE_FATAL(lttp_sight_look(&lane.writer, &sight, &outcome));
	CU_ASSERT_PTR_EQUAL(sight.line, &file->lines[0]);
	file->lines[1].tag--;
	CU_ASSERT_TRUE_FATAL(lttp_sight_look(&lane.writer, &sight, &outcome));
	CU_ASSERT_PTR_EQUAL(sight.line, &file->lines[1]);
	CU_ASSERT_PTR_EQUAL(sight.other_line, &file->lines[0]);
	word = lttp_block_word(test.session->head, sight.block);
	lttp_sight_begin(&step, &lane.writer, &sight);
	CU_ASSERT_EQUAL(step.checks, 8);
	lttp_step_store(&step, &made, 1);
#define CHECK(value)                                                                               \
	G_STMT_START                                                                               \
	{                                                                                          \
		(value)++;                                                                         \
		CU_ASSERT_FALSE(lttp_step_make(&lane.writer.chunks.actor, &step));                 \
		(value)--;                                                                         \
		CU_ASSERT_EQUAL(made, expected);                                                   \
		made = 0;                                                                          \
		CU_ASSERT_TRUE(lttp_step_make(&lane.writer.chunks.actor, &step));                  \
		expected = 1;                                                                      \
	}                                                                                          \
	G_STMT_END
	CHECK(lane.epoch);
	CHECK(test.session->head->running);
	CHECK(file->gate.owner);
	CHECK(file->gate.cut_cycles);
	CHECK(file->current);
	CHECK(file->frozen);
	CHECK(*word);
	CHECK(lane.here.installs);
#undef CHECK
	lttp_chunks_end(&lane.writer.chunks);
	test_session_free(&test);
}

/* States of the file that no writer leaves. */
static void test_damaged_files(void)
{
	TestSession test = test_session_new("damaged", 0, LTTP_SESSION_ATTACH);
	g_autofree char *path = NULL;
	struct lttp_file *file;
	TestLane lane, other;

	test_lane_open(&lane, &test, 0, 1);
	file = test_lane_state(&lane);
	CU_ASSERT_EQUAL(test_lane_write(&lane, 1), LTTP_WRITTEN);
	lttp_anchors_free(test.session);
	path = test_session_path(&test, test_lane_file(&lane));

	test_lane_open(&other, &test, 0, 2);
	file->current = LTTP_CURRENT(1, 1);
	CU_ASSERT_EQUAL(truncate(path, 8192), 0);
	CU_ASSERT_EQUAL(test_lane_write(&other, 2), LTTP_LOST);
	CU_ASSERT_EQUAL(other.writer.loss, LTTP_LOST_BAD_STATE);
	file->current = LTTP_CURRENT(0, 0);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(test_lane_write(&other, 2), LTTP_LOST);
	CU_ASSERT_EQUAL(other.writer.loss, LTTP_LOST_NO_TRACE);
	CU_ASSERT_TRUE(g_file_set_contents(path, "", 0, NULL));
	CU_ASSERT_EQUAL(test_lane_write(&other, 2), LTTP_LOST);
	CU_ASSERT_EQUAL(other.writer.loss, LTTP_LOST_BAD_STATE);
	/* A loss that cannot be noted. */
	lttp_writer_count_lost(&other.writer);
	CU_ASSERT_EQUAL(file->lost, 1);
	CU_ASSERT_FALSE(lttp_writer_close(&other.writer));
	/* The next block is behind the end of the file. */
	file->current = LTTP_NO_BLOCK;
	CU_ASSERT_EQUAL(test_lane_write(&other, 2), LTTP_LOST);
	CU_ASSERT_EQUAL(other.writer.loss, LTTP_LOST_BAD_STATE);
	CU_ASSERT_EQUAL(unlink(path), 0);
	lttp_anchors_free(test.session);
	CU_ASSERT_EQUAL(test_lane_write(&other, 2), LTTP_LOST);
	CU_ASSERT_EQUAL(other.writer.loss, LTTP_LOST_NO_TRACE);
	CU_ASSERT_TRUE(lttp_writer_close(&other.writer));
	CU_ASSERT_FALSE(is_blocked(SIGUSR1));
	test_session_free(&test);
}

UNIT_MAIN("session-blocks", UNIT(test_choice), UNIT(test_growth), UNIT(test_limit),
	  UNIT(test_recorder_allocates), UNIT(test_populate), UNIT(test_chunks),
	  UNIT(test_stale_chunk), UNIT(test_stale_steps), UNIT(test_damaged_files))
