/* control/processes: the events that processes append, the journal, and what a failure leaves. */
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/control.h"
#include "session/events.h"
#include "session/journal.h"
#include "session/process-events.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_NAME "control/processes"

static TestSession new_session(const char *name)
{
	return test_session_new(name, 0, LTTP_SESSION_ATTACH);
}

/* Appends a process_exit with the status @number. */
static int append(TestSession *test, int number, uint64_t *spot)
{
	const int32_t bytes[2] = {42, number};

	return lttp_control_append(test->session, LTTP_ID_PROCESS_EXIT, bytes, sizeof(bytes), spot);
}

/* The same, to the journal only. */
static int enter(TestSession *test, int number, uint64_t *spot)
{
	const int32_t bytes[2] = {42, number};

	return lttp_journal_enter(test->session->head, LTTP_ID_PROCESS_EXIT, bytes, sizeof(bytes),
				  spot);
}

/* Fails unless the text of the file begins and ends so. */
static void expect_ends(TestSession *test, const char *begin, const char *end)
{
	g_autofree char *text = test_session_text(test, FILE_NAME);

	if (!g_str_has_prefix(text, begin) || !g_str_has_suffix(text, end))
		UNIT_ASSERT_TEXT(text, begin);
}

static void test_appending(void)
{
	TestSession test = new_session("appending");
	struct lttp_head *head = test.session->head;
	uint64_t spots[2] = {0, 0};
	struct lttp_journal_end end;

	/* The file has a block, and ten for the end. */
	EXPECT_EVENTS(&test, FILE_NAME, "-----------");
	CU_ASSERT_EQUAL(head->control_blocks, 1);
	CU_ASSERT_EQUAL(append(&test, 1, &spots[0]), 0);
	CU_ASSERT_EQUAL(append(&test, 2, &spots[1]), 0);
	CU_ASSERT_EQUAL(append(&test, 3, NULL), 0);
	EXPECT_EVENTS(&test, FILE_NAME,
		      "{start 0 exit 42 1 beat exit 42 2 beat exit 42 3}----------");
	CU_ASSERT_EQUAL(spots[0], LTTP_SPOT(0, 26));
	CU_ASSERT_EQUAL(spots[1], LTTP_SPOT(0, 26 + 14 + 22));
	CU_ASSERT_TRUE(head->journal_end == 3 && head->journal_done == 3);
	CU_ASSERT_TRUE(lttp_journal_find_end(head, &end));
	CU_ASSERT_TRUE(end.number == 3 && end.block == 0 && end.offset == 26 + 14 + 2 * 36);
	CU_ASSERT_TRUE(end.last == 26 + 14 + 36 + 22 && !end.is_closed);
	CU_ASSERT_FALSE(lttp_control_has_spare(head));
	CU_ASSERT_EQUAL(enter(&test, 9, NULL), 0);
	CU_ASSERT_EQUAL(lttp_control_tend(test.session), 0);
	CU_ASSERT_EQUAL(head->control_blocks, 2);
	CU_ASSERT_TRUE(lttp_control_has_spare(head));

	/* The end is written once. An event after it begins a block. */
	lttp_control_close(test.session, 0);
	lttp_control_close(test.session, 0);
	EXPECT_EVENTS(&test, FILE_NAME,
		      "{start 0 exit 42 1 beat exit 42 2 beat exit 42 3 beat exit 42 9 end 0}"
		      "-----------");
	CU_ASSERT_TRUE(lttp_journal_find_end(head, &end));
	CU_ASSERT_TRUE(end.is_closed && end.block == 0);
	CU_ASSERT_EQUAL(append(&test, 4, &spots[0]), 0);
	CU_ASSERT_EQUAL(spots[0], LTTP_SPOT(1, 26));
	lttp_control_close(test.session, 6);
	EXPECT_EVENTS(&test, FILE_NAME,
		      "{start 0 exit 42 1 beat exit 42 2 beat exit 42 3 beat exit 42 9 end 0}"
		      "{start 1 exit 42 4 beat lost 6 end 1}----------");
	CU_ASSERT_EQUAL(head->losses.events[LTTP_LOST_PROCESS_EVENT], 0);
	test_session_free(&test);
}

/* A full block is closed at the time of the event that does not fit. */
static void test_full_blocks(void)
{
	TestSession test = new_session("control-full");
	struct lttp_head *head = test.session->head;
	/* 26 + 14 + 36 n <= 4016 */
	const int fits = 1 + (4016 - 26 - 14) / 36;
	char large[LTTP_NOTICE_BYTES + 1] = "";

	for (int i = 0; i < fits; i++)
		CU_ASSERT_EQUAL(append(&test, i, NULL), 0);
	CU_ASSERT_EQUAL(head->control_blocks, 1);
	expect_ends(&test, "{start 0 exit 42 0 beat exit 42 1 beat", " exit 42 110}----------");
	CU_ASSERT_EQUAL(append(&test, fits, NULL), 0);
	CU_ASSERT_EQUAL(head->control_blocks, 2);
	expect_ends(&test, "{start 0 exit 42 0 beat",
		    " beat exit 42 110 end 0}{start 1 exit 42 111}----------");
	CU_ASSERT_EQUAL(lttp_control_append(test.session, LTTP_ID_FREE, large, sizeof(large), NULL),
			-EMSGSIZE);
	CU_ASSERT_EQUAL(
		lttp_control_append(test.session, LTTP_ID_FREE, large, sizeof(large) - 1, NULL), 0);
	test_session_free(&test);
}

/* Events of the machine, before any process joins. */
static void test_beginning(void)
{
	TestSession test = new_session("beginning");
	struct lttp_head *head = test.session->head;
	const int32_t bytes[2] = {42, 7};
	g_autofree char *large = g_malloc0(2009);

	CU_ASSERT_EQUAL(lttp_control_begin(test.session, LTTP_ID_PROCESS_EXIT, bytes, 8), 0);
	CU_ASSERT_EQUAL(lttp_control_begin(test.session, LTTP_ID_PROCESS_EXIT, bytes, 8), 0);
	EXPECT_EVENTS(&test, FILE_NAME, "{start 0 exit 42 7 beat exit 42 7}----------");
	CU_ASSERT_EQUAL(head->journal_base.offset, 26 + 14 + 36);
	CU_ASSERT_EQUAL(head->journal_base.last, 26 + 14 + 22);
	CU_ASSERT_EQUAL(head->journal_end, 0);
	CU_ASSERT_EQUAL(append(&test, 8, NULL), 0);
	EXPECT_EVENTS(&test, FILE_NAME,
		      "{start 0 exit 42 7 beat exit 42 7 beat exit 42 8}----------");
	test_session_free(&test);

	test = new_session("beginning-2");
	head = test.session->head;
	CU_ASSERT_EQUAL(lttp_control_begin(test.session, LTTP_ID_FREE, large, 2009), -EMSGSIZE);
	CU_ASSERT_EQUAL(lttp_control_begin(test.session, LTTP_ID_FREE, large, 2008), 0);
	CU_ASSERT_EQUAL(head->journal_base.block, 0);
	CU_ASSERT_EQUAL(lttp_control_begin(test.session, LTTP_ID_FREE, large, 2008), 0);
	CU_ASSERT_EQUAL(head->journal_base.block, 1);
	CU_ASSERT_EQUAL(head->journal_base.offset, 26 + 6 + 2008);
	CU_ASSERT_EQUAL(head->control_blocks, 2);
	test_session_free(&test);
}

/* The journal takes 64 events that are not in the file. */
static void test_journal(void)
{
	TestSession test = new_session("journal");
	struct lttp_head *head = test.session->head;
	struct lttp_notice notice;
	uint64_t spot = 0;

	for (int i = 0; i < LTTP_JOURNAL; i++)
		CU_ASSERT_EQUAL(enter(&test, i, NULL), 0);
	CU_ASSERT_EQUAL(enter(&test, 64, NULL), -EAGAIN);
	EXPECT_EVENTS(&test, FILE_NAME, "-----------");
	CU_ASSERT_TRUE(lttp_journal_read(head, 0, &notice));
	CU_ASSERT_EQUAL(notice.bytes[4], 0);
	CU_ASSERT_TRUE(lttp_journal_read(head, 63, &notice));
	CU_ASSERT_EQUAL(notice.bytes[4], 63);
	CU_ASSERT_FALSE(lttp_journal_read(head, 64, &notice));
	/* Who appends writes them, and then has room. */
	CU_ASSERT_EQUAL(append(&test, 64, NULL), 0);
	expect_ends(&test, "{start 0 exit 42 0 beat exit 42 1",
		    " exit 42 63 beat exit 42 64}----------");
	CU_ASSERT_FALSE(lttp_journal_read(head, 0, &notice));
	CU_ASSERT_TRUE(lttp_journal_read(head, 1, &notice));
	/* As many again, of 128 notices. */
	for (int i = 65; i < 300; i++)
		CU_ASSERT_EQUAL(append(&test, i, &spot), 0);
	CU_ASSERT_EQUAL(spot, LTTP_SPOT(2, 26 + (299 - 222) * 36));
	expect_ends(&test, "{start 0 exit 42 0", " exit 42 298 beat exit 42 299}----------");
	/* A damaged notice. */
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].size = LTTP_NOTICE_BYTES + 1;
	CU_ASSERT_FALSE(lttp_journal_read(head, 299, &notice));
	CU_ASSERT_EQUAL(enter(&test, 300, NULL), -EBUSY);
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].size = LTTP_NOTICE_BYTES;
	CU_ASSERT_TRUE(lttp_journal_read(head, 299, &notice));
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].offset = 4016 - 22 - 6 - LTTP_NOTICE_BYTES;
	CU_ASSERT_TRUE(lttp_journal_read(head, 299, &notice));
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].offset++;
	CU_ASSERT_FALSE(lttp_journal_read(head, 299, &notice));
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].id = LTTP_ID_BLOCK_END, head->notices[i].offset = 4016;
	CU_ASSERT_TRUE(lttp_journal_read(head, 299, &notice));
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].offset++;
	CU_ASSERT_FALSE(lttp_journal_read(head, 299, &notice));
	head->journal[299 % LTTP_JOURNAL] |= 0xffffffff;
	CU_ASSERT_FALSE(lttp_journal_read(head, 299, &notice));
	head->journal[299 % LTTP_JOURNAL] = 300ull << 32 | (LTTP_NOTICES + 1);
	CU_ASSERT_FALSE(lttp_journal_read(head, 299, &notice));
	test_session_free(&test);
}

static void test_notices(void)
{
	TestSession test = new_session("notices");
	struct lttp_notice notice = {.id = LTTP_ID_BLOCK_END, .offset = 100};
	struct lttp_journal_end end = {.block = 3, .offset = 3000, .last = 2900, .cycles = 5};

	CU_ASSERT_EQUAL(lttp_notice_bytes(&notice), 26);
	CU_ASSERT_EQUAL(lttp_notice_offset(&notice), 100);
	/* What fits exactly, and what does not. */
	notice = (struct lttp_notice){.id = LTTP_ID_LOST, .size = 4016 - 3000 - 22 - 6};
	CU_ASSERT_EQUAL(lttp_notice_place(test.session->head, &notice, &end), 0);
	CU_ASSERT_TRUE(notice.block == 3 && notice.offset == 3000);
	CU_ASSERT_TRUE(notice.before_offset == 3000 && notice.before_last == 2900);
	CU_ASSERT_EQUAL(notice.before_cycles, 5);
	notice.size++;
	CU_ASSERT_EQUAL(lttp_notice_place(test.session->head, &notice, &end), 0);
	CU_ASSERT_TRUE(notice.block == 4 && notice.offset == 0);
	end.is_closed = true;
	CU_ASSERT_EQUAL(lttp_notice_place(test.session->head, &notice, &end), 0);
	CU_ASSERT_TRUE(notice.block == 4 && notice.offset == 0 && notice.before_offset == 0);
	test_session_free(&test);
}

/* A recorder allocates the blocks; without its answer the process does, if it may. */
static void test_recorder(void)
{
	TestSession test = new_session("control-recorder");
	struct lttp_head *head = test.session->head;

	for (int i = 0; i < 110; i++)
		CU_ASSERT_EQUAL(append(&test, i, NULL), 0);
	head->keeper_cycles = 1; /* it is not asked for a block that is there */
	CU_ASSERT_TRUE(append(&test, 110, NULL) == 0 && head->bell == 0);
	head->answers = head->bell + 100;
	head->control_refused_errno = EDQUOT;
	CU_ASSERT_EQUAL(append(&test, 111, NULL), 0);
	CU_ASSERT_TRUE(head->control_wanted == 2 && head->bell == 1 && head->journal_done == 111);
	head->unanswered_cycles = 1;
	CU_ASSERT_FALSE(lttp_control_commit(test.session));
	CU_ASSERT_TRUE(head->bell == 1 && head->control_blocks == 1);
	test.session->slot = &head->processes[0];
	CU_ASSERT_TRUE(lttp_control_commit(test.session));
	CU_ASSERT_TRUE(head->control_blocks == 2 && head->journal_done == 112);
	test_session_free(&test);
}

/* A process that has ended. */
static uint32_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	CU_ASSERT_EQUAL(waitpid(pid, NULL, 0), pid);
	return (uint32_t)pid;
}

/* A notice that a process prepares is not taken from it until it is dead. */
static void test_prepared_notices(void)
{
	TestSession test = new_session("prepared");
	struct lttp_head *head = test.session->head;
	uint64_t mine = 1ull << 63 | (uint32_t)getpid(), dead = 1ull << 63 | dead_pid();
	struct lttp_notice notice;

	CU_ASSERT_EQUAL(enter(&test, 1, NULL), 0);
	CU_ASSERT_EQUAL(head->notices[0].state, 1);
	for (unsigned i = 1; i < LTTP_NOTICES; i++)
		head->notices[i].state = mine;
	CU_ASSERT_EQUAL(enter(&test, 2, NULL), -EBUSY);
	/* That of an event that was entered, though not noted. */
	head->notices[0].state = dead;
	CU_ASSERT_EQUAL(enter(&test, 2, NULL), -EBUSY);
	head->notices[77].state = dead;
	CU_ASSERT_EQUAL(enter(&test, 2, NULL), 0);
	CU_ASSERT_EQUAL(head->notices[77].state, 2);
	CU_ASSERT_EQUAL(enter(&test, 3, NULL), -EBUSY);
	/* A free one is taken before it, and that of an event that has left the journal. */
	head->notices[5].state = dead;
	head->notices[90].state = 0;
	CU_ASSERT_EQUAL(enter(&test, 3, NULL), 0);
	CU_ASSERT_EQUAL(head->notices[90].state, 3);
	head->notices[100].state = 1;
	CU_ASSERT_EQUAL(enter(&test, 4, NULL), 0);
	CU_ASSERT_EQUAL(head->notices[100].state, 4);
	CU_ASSERT_EQUAL(head->notices[5].state, dead);
	CU_ASSERT_TRUE(lttp_journal_read(head, 3, &notice));
	CU_ASSERT_EQUAL(notice.bytes[4], 4);
	/* A failure frees it. */
	CU_ASSERT_EQUAL(lttp_journal_enter(head, LTTP_ID_BLOCK_END, "", 0, NULL), 0);
	head->notices[50].state = 0;
	CU_ASSERT_EQUAL(lttp_journal_enter(head, LTTP_ID_BLOCK_END, "", 0, NULL), 0);
	CU_ASSERT_EQUAL(head->notices[50].state, 0);
	CU_ASSERT_EQUAL(head->journal_end, 5);
	test_session_free(&test);
}

/* Events that find no room in the file stay in the journal, and are counted at the end. */
static void test_no_room(void)
{
	TestSession test = new_session("no-room");
	struct lttp_head *head = test.session->head;
	const struct rlimit limit = {11 * 4096, RLIM_INFINITY};
	uint64_t spot = 0, lost = 3;
	struct rlimit before;

	for (int i = 0; i < 111; i++)
		CU_ASSERT_EQUAL(append(&test, i, NULL), 0);
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	CU_ASSERT_EQUAL(append(&test, 111, &spot), 0);
	CU_ASSERT_EQUAL(lttp_control_append(test.session, LTTP_ID_EVENTS_LOST, &lost, 8, NULL), 0);
	CU_ASSERT_FALSE(lttp_control_commit(test.session));
	CU_ASSERT_EQUAL(lttp_control_tend(test.session), -EFBIG);
	CU_ASSERT_EQUAL(head->control_blocks, 1);
	CU_ASSERT_TRUE(head->journal_end == 113 && head->journal_done == 111);
	CU_ASSERT_EQUAL(spot, LTTP_SPOT(1, 26));
	CU_ASSERT_TRUE(lttp_process_events_has(test.session, spot, LTTP_ID_PROCESS_EXIT, 42));
	CU_ASSERT_FALSE(lttp_process_events_has(test.session, spot + 1, LTTP_ID_PROCESS_EXIT, 42));
	CU_ASSERT_FALSE(lttp_process_events_has(test.session, spot, LTTP_ID_PROCESS_START, 42));
	CU_ASSERT_FALSE(lttp_process_events_has(test.session, spot, LTTP_ID_PROCESS_EXIT, 43));
	/* The journal is full, and cannot be written. */
	for (int i = 113; i < 111 + 64; i++)
		CU_ASSERT_EQUAL(append(&test, i, NULL), 0);
	CU_ASSERT_EQUAL(append(&test, 0, NULL), -EAGAIN);
	lttp_process_events_exit(test.session, NULL, 1, 0);
	CU_ASSERT_EQUAL(head->losses.events[LTTP_LOST_PROCESS_EVENT], 1);
	lttp_control_close(test.session, 0);
	CU_ASSERT_EQUAL(head->losses.events[LTTP_LOST_PROCESS_EVENT], 1 + 63);
	/* The blocks that are kept for the end take them. */
	lttp_control_use_reserve(test.session);
	CU_ASSERT_EQUAL(head->control_blocks, 11);
	CU_ASSERT_TRUE(lttp_control_commit(test.session));
	expect_ends(&test, "{start 0 exit 42 0 beat", " exit 42 174}---------");
	lttp_control_close(test.session, 0);
	CU_ASSERT_EQUAL(head->losses.events[LTTP_LOST_PROCESS_EVENT], 1 + 63);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	/* Numbers of a damaged state do not fill the disk. */
	head->journal_base.block = 16;
	memset(head->journal, 0, sizeof(head->journal));
	head->journal_end = 0;
	CU_ASSERT_EQUAL(lttp_control_tend(test.session), -EIO);
	head->journal_base.block = 13;
	CU_ASSERT_EQUAL(lttp_control_tend(test.session), 0);
	CU_ASSERT_EQUAL(head->control_blocks, 15);
	test_session_free(&test);
}

/* The end of the file at the time of a cut. */
static void test_places(void)
{
	TestSession test = new_session("places");
	struct lttp_head *head = test.session->head;
	struct lttp_notice notices[4];
	struct lttp_place place;

	CU_ASSERT_EQUAL(lttp_control_place(test.session, UINT64_MAX, &place), 0);
	CU_ASSERT_EQUAL(place.current, LTTP_NO_BLOCK);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(append(&test, i, NULL), 0);
	lttp_control_append(test.session, LTTP_ID_BLOCK_END, "", 0, NULL);
	CU_ASSERT_EQUAL(append(&test, 3, NULL), 0);
	for (unsigned i = 0; i < 4; i++)
		CU_ASSERT_TRUE(lttp_journal_read(head, i, &notices[i]));
#define CHECK(cycles, block, expected)                                                             \
	G_STMT_START                                                                               \
	{                                                                                          \
		CU_ASSERT_EQUAL(lttp_control_place(test.session, cycles, &place), 0);              \
		CU_ASSERT_EQUAL(place.current, block);                                             \
		CU_ASSERT_EQUAL(place.word, expected);                                             \
	}                                                                                          \
	G_STMT_END
	CHECK(UINT64_MAX, LTTP_CURRENT(1, 1), lttp_word(40, 26));
	CHECK(notices[0].cycles, LTTP_NO_BLOCK, 0);
	CHECK(notices[0].cycles + 1, 0, lttp_word(40, 26));
	CHECK(notices[1].cycles, 0, lttp_word(40, 26));
	CHECK(notices[2].cycles, 0, lttp_word(76, 62));
	CHECK(notices[2].cycles + 1, 0, lttp_word(112, 98));
	/* Of a closed block its own word is taken. */
	CHECK(notices[3].cycles + 1, 0, 0);
	lttp_control_append(test.session, LTTP_ID_BLOCK_END, "", 0, NULL);
	CHECK(UINT64_MAX, LTTP_CURRENT(1, 1), 0);
#undef CHECK
	/* The journal does not go back so far. */
	for (int i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(append(&test, i, NULL), 0);
	CU_ASSERT_EQUAL(lttp_control_place(test.session, 1, &place), -EAGAIN);
	test_session_free(&test);
}

UNIT_MAIN("session-control", UNIT(test_appending), UNIT(test_full_blocks), UNIT(test_beginning),
	  UNIT(test_journal), UNIT(test_notices), UNIT(test_recorder), UNIT(test_prepared_notices),
	  UNIT(test_no_room), UNIT(test_places))
