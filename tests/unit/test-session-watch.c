/* What the recorder does for the processes of a session: losses, missing events, space ahead. */
#include "support-session.h"
#include "unit.h"

#include "session/anchor.h"
#include "session/atomic.h"
#include "session/clock.h"
#include "session/control.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/losses-report.h"
#include "session/process-events.h"
#include "session/processes.h"
#include "session/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_NAME "control/processes"

static void test_reports(void)
{
	TestSession test = test_session_new("reports", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	struct lttp_large *large = &head->losses.large[1];

	/* What follows the reasons and the event types in the state. */
	memset(head->unwanted, 'u', sizeof(head->unwanted));
	head->losses.events[LTTP_LOST_QUOTA] = 3;
	head->losses.events[LTTP_LOST_PROCESS_EVENT] = 1;
	*large = (struct lttp_large){.events = 2, .bytes = 9000, .name = "f.e"};
	lttp_losses_report(test.session);
	lttp_losses_report(test.session);
	EXPECT_EVENTS(&test, FILE_NAME,
		      "{start 0 quota 3 beat process_event 1 beat large f.e 9000 2}----------");
	head->losses.events[LTTP_LOST_QUOTA] = 5;
	large->events = 3;
	lttp_losses_report(test.session);
	EXPECT_EVENTS(&test, FILE_NAME,
		      "{start 0 quota 3 beat process_event 1 beat large f.e 9000 2 "
		      "beat quota 2 beat large f.e 9000 1}----------");
	/* What is not written is not reported. */
	for (unsigned i = 0; i < LTTP_NOTICES; i++)
		head->notices[i].state = 1ull << 63 | (uint32_t)getpid();
	head->losses.events[LTTP_LOST_QUOTA] = 9;
	large->events = 8;
	lttp_losses_report(test.session);
	CU_ASSERT_EQUAL(head->losses.reported[LTTP_LOST_QUOTA], 5);
	CU_ASSERT_EQUAL(large->reported, 3);
	test_session_free(&test);
}

/* At most once per second, and only while there is an unused block. */
static void test_rare_reports(void)
{
	TestSession test = test_session_new("rarely", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	uint64_t *reported = &head->losses.reported[LTTP_LOST_QUOTA], last;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	CU_ASSERT_EQUAL(sigprocmask(SIG_BLOCK, &mask, NULL), 0);
	CU_ASSERT_EQUAL(lttp_control_tend(test.session), 0);
	lttp_losses_report_rarely(test.session);
	CU_ASSERT_EQUAL(head->losses_reported_cycles, 0);
	head->losses.events[LTTP_LOST_QUOTA] = 1;
	lttp_losses_report_rarely(test.session);
	CU_ASSERT_EQUAL(*reported, 1);
	CU_ASSERT_NOT_EQUAL(head->losses_reported_cycles, 0);
	head->losses.events[LTTP_LOST_QUOTA] = 2;
	head->cycles_per_second = UINT64_MAX / 4;
	lttp_losses_report_rarely(test.session);
	CU_ASSERT_EQUAL(*reported, 1);
	head->cycles_per_second = 1000;
	head->losses_reported_cycles -= 1000;
	last = head->losses_reported_cycles;
	head->control_blocks = 1;
	lttp_losses_report_rarely(test.session);
	CU_ASSERT_EQUAL(*reported, 1);
	head->control_blocks = 2;
	head->losses_reported_cycles = last;
	lttp_losses_report_rarely(test.session);
	CU_ASSERT_EQUAL(*reported, 2);
	CU_ASSERT_TRUE(head->losses_reported_cycles > last);
	EXPECT_EVENTS(&test, FILE_NAME, "{start 0 quota 1 beat quota 1}-----------");
	CU_ASSERT_EQUAL(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
	CU_ASSERT_TRUE(sigismember(&mask, SIGUSR1) == 0 && sigismember(&mask, SIGUSR2) == 1);
	test_session_free(&test);
}

/* A process that ended, or sleeps until this one ends; a zombie. */
static pid_t start_child(bool ends, bool is_waited_for)
{
	pid_t pid = fork();
	siginfo_t info;

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (!ends)
			pause();
		_exit(0);
	}
	if (ends)
		CU_ASSERT_EQUAL(
			waitid(P_PID, (id_t)pid, &info, WEXITED | (is_waited_for ? 0 : WNOWAIT)),
			0);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static struct lttp_process_slot *fill_slot(TestSession *test, unsigned i, pid_t pid)
{
	struct lttp_process_slot *slot = &test->session->head->processes[i];

	*slot = (struct lttp_process_slot){
		.owner = 10 + i, .who = LTTP_WHO(pid, 10 + i), .ppid = 1, .name = "x"};
	return slot;
}

static void test_many(void)
{
	TestSession test = test_session_new("many", 0, LTTP_SESSION_ATTACH);
	unsigned half = LTTP_PROCESSES / 2;

	CU_ASSERT_FALSE(lttp_processes_are_many(test.session));
	for (unsigned i = 0; i < half - 1; i++)
		fill_slot(&test, LTTP_PROCESSES - 1 - i, getpid());
	CU_ASSERT_FALSE(lttp_processes_are_many(test.session));
	fill_slot(&test, half, 0);
	CU_ASSERT_TRUE(lttp_processes_are_many(test.session));
	test_session_free(&test);
}

static void test_living(void)
{
	TestSession test = test_session_new("living", 0, LTTP_SESSION_ATTACH);
	pid_t zombie = start_child(true, false), dead = start_child(true, true);

	CU_ASSERT_EQUAL(lttp_processes_count_living(test.session, false), 0);
	fill_slot(&test, 0, getpid());
	fill_slot(&test, LTTP_PROCESSES - 1, getpid());
	CU_ASSERT_EQUAL(lttp_processes_count_living(test.session, false), 2);
	fill_slot(&test, 1, zombie);
	fill_slot(&test, 2, dead);
	fill_slot(&test, 3, getpid())->owner = 0;
	/* The slot has another owner, who has not stored the rest. */
	fill_slot(&test, 4, getpid())->owner = 1000;
	fill_slot(&test, 5, 0);
	CU_ASSERT_EQUAL(lttp_processes_count_living(test.session, false), 2);
	/* The pid of another PID namespace tells nothing. */
	fill_slot(&test, 6, dead)->pid_space = 7;
	fill_slot(&test, 7, getpid())->pid_space = LTTP_SPACE_UNKNOWN;
	CU_ASSERT_EQUAL(lttp_processes_count_living(test.session, false), 4);
	CU_ASSERT_EQUAL(lttp_processes_count_living(test.session, true), 2);
	end_child(zombie);
	test_session_free(&test);
}

/* The events that dead processes did not write. */
static void test_burying(void)
{
	TestSession test = test_session_new("burying", 0, LTTP_SESSION_ATTACH);
	pid_t dead = start_child(true, true), alive = start_child(false, false);
	g_autofree char *expected = NULL, *all = NULL;
	struct lttp_process_slot *slot;

	fill_slot(&test, 0, alive);
	fill_slot(&test, 1, dead)->owner = 0;
	fill_slot(&test, 2, dead)->owner = 77;
	lttp_processes_bury(test.session, false);
	lttp_processes_bury_one(test.session, (uint32_t)dead, 5);
	EXPECT_EVENTS(&test, FILE_NAME, "-----------");
	CU_ASSERT_EQUAL(test.session->head->processes[0].owner, 10);
	CU_ASSERT_EQUAL(test.session->head->processes[2].owner, 77);
	/* It wrote neither. */
	fill_slot(&test, LTTP_PROCESSES - 1, dead);
	lttp_processes_bury(test.session, false);
	expected = g_strdup_printf("{start 0 process %d/1 x '' beat exit %d %d", dead, dead,
				   INT32_MIN);
	all = g_strconcat(expected, "}----------", NULL);
	EXPECT_EVENTS(&test, FILE_NAME, all);
	CU_ASSERT_EQUAL(test.session->head->processes[LTTP_PROCESSES - 1].owner, 0);
	/* It wrote its start; and it has two slots. */
	slot = fill_slot(&test, 3, dead);
	lttp_process_events_add_start(test.session, slot);
	slot->start = LTTP_SPOT(0, 4096);
	CU_ASSERT_TRUE(lttp_control_commit(test.session));
	{
		char *block = lttp_anchor_map(test.session, LTTP_ANCHOR_PROCESSES, 0, 4096);
		uint32_t seconds;
		uint64_t *word;

		CU_ASSERT_PTR_NOT_NULL_FATAL(block);
		word = lttp_block_word(test.session->head, block);
		slot->start = LTTP_SPOT(0, lttp_word_last(*word));
		CU_ASSERT_TRUE(lttp_process_events_has(test.session, slot->start,
						       LTTP_ID_PROCESS_START, (uint32_t)dead));
		CU_ASSERT_FALSE(lttp_process_events_has(test.session, slot->start,
							LTTP_ID_PROCESS_EXIT, (uint32_t)dead));
		CU_ASSERT_FALSE(lttp_process_events_has(test.session, slot->start,
							LTTP_ID_PROCESS_START, (uint32_t)alive));
		/* Events that are not committed do not count. */
		*word = lttp_word(lttp_word_last(*word), 0);
		CU_ASSERT_FALSE(lttp_process_events_has(test.session, slot->start,
							LTTP_ID_PROCESS_START, (uint32_t)dead));
		*word = lttp_word(lttp_word_next(*word) + 6 + 4 + 4 + 2 + 1, lttp_word_next(*word));
		CU_ASSERT_FALSE(lttp_process_events_has(test.session, 0, 0, 0));
		CU_ASSERT_FALSE(lttp_process_events_has(test.session, LTTP_SPOT(0, 4016), 0, 0));
		CU_ASSERT_FALSE(lttp_process_events_has(test.session, LTTP_SPOT(40, 26), 0, 0));
		memcpy(&seconds, block + LTTP_HEADER_BYTES, 4);
		CU_ASSERT_FALSE(
			lttp_process_events_has(test.session, 0, LTTP_ID_BLOCK_START, seconds));
		munmap(block, 4096);
	}
	*fill_slot(&test, 4, dead) = *slot;
	slot->who = LTTP_WHO(dead, slot->owner);
	lttp_processes_bury_one(test.session, (uint32_t)dead, 9);
	{
		g_autofree char *text =
			g_strdup_printf("%s beat process %d/1 x '' beat exit %d 9}----------",
					expected, dead, dead);

		EXPECT_EVENTS(&test, FILE_NAME, text);
	}
	/* Others with this pid, in two PID namespaces: dead only if all are. */
	fill_slot(&test, 6, dead)->pid_space = 7;
	fill_slot(&test, 7, dead)->pid_space = LTTP_SPACE_UNKNOWN;
	lttp_processes_bury_one(test.session, (uint32_t)dead, 9);
	lttp_processes_bury(test.session, false);
	CU_ASSERT_NOT_EQUAL(test.session->head->processes[6].owner, 0);
	CU_ASSERT_NOT_EQUAL(test.session->head->processes[7].owner, 0);
	lttp_processes_bury(test.session, true);
	CU_ASSERT_EQUAL(test.session->head->processes[6].owner, 0);
	CU_ASSERT_EQUAL(test.session->head->processes[7].owner, 0);
	CU_ASSERT_NOT_EQUAL(test.session->head->processes[0].owner, 0);
	/* And its exit: nothing is missing. */
	slot = fill_slot(&test, 5, dead);
	slot->start = test.session->head->processes[3].start;
	lttp_process_events_exit(test.session, slot, (uint32_t)dead, 3);
	CU_ASSERT_NOT_EQUAL(slot->exit, 0);
	lttp_processes_bury_one(test.session, (uint32_t)dead, 9);
	CU_ASSERT_EQUAL(slot->owner, 0);
	{
		g_autofree char *text = test_session_text(&test, FILE_NAME);

		CU_ASSERT_TRUE(g_str_has_suffix(text, " 3}----------"));
	}
	end_child(alive);
	test_session_free(&test);
}

/* The process_start of this process has its name and its executable. */
static void test_starts(void)
{
	TestSession test = test_session_new("starts", 0, LTTP_SESSION_ATTACH);
	struct lttp_process_slot *slot = &test.session->head->processes[0];
	g_autofree char *path = g_strnfill(600, 'p'), *expected = NULL;

	CU_ASSERT_EQUAL(prctl(PR_SET_NAME, "fifteen-letters"), 0);
	lttp_process_events_start(test.session, slot, "/bin/x");
	CU_ASSERT_EQUAL(slot->start, LTTP_SPOT(0, 26));
	lttp_process_events_start(test.session, NULL, path);
	path[LTTP_EXECUTABLE_BYTES - 1] = 0;
	expected = g_strdup_printf("{start 0 process %d/%d fifteen-letters '/bin/x' beat process "
				   "%d/%d fifteen-letters '%s'}----------",
				   getpid(), getppid(), getpid(), getppid(), path);
	EXPECT_EVENTS(&test, FILE_NAME, expected);
	test_session_free(&test);
}

static void test_totals(void)
{
	TestSession test = test_session_new("totals", 0, LTTP_SESSION_ATTACH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	struct lttp_totals totals;

	head->lost = 1;
	head->losses.events[LTTP_LOST_PROCESS_EVENT] = 2;
	head->processes_joined = 3;
	head->refused = 4;
	session->files[0].lost = 10;
	session->files[lttp_session_files(head) - 1].lost = 100;
	session->files[0].current = LTTP_CURRENT(0, 6);
	session->files[1].current = LTTP_CURRENT(2, 2);
	lttp_session_sum(session, &totals);
	CU_ASSERT_EQUAL(totals.lost, 111);
	CU_ASSERT_EQUAL(totals.control_lost, 2);
	CU_ASSERT_EQUAL(totals.processes, 3);
	CU_ASSERT_EQUAL(totals.refused, 4);
	CU_ASSERT_EQUAL(totals.bytes, (7 + 3) * 4096);
	test_session_free(&test);
	UNIT_ASSERT_TEXT(lttp_refusal_text(LTTP_REFUSED_CLOCK), "it is in another time namespace");
	UNIT_ASSERT_TEXT(lttp_refusal_text(99), "the reason is unknown to this version");
}

/* Space ahead: twice as many blocks as were used since the last call. */
static void test_feeding(void)
{
	TestSession test = test_session_new("feeding", 0, LTTP_SESSION_WATCH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	struct lttp_file *file = &session->files[head->cpus];
	const uint64_t busy_ns = 2000000, idle_ns = 50000000;
	struct lttp_feed feed = {.look_cycles = 0};

	CU_ASSERT_EQUAL(lttp_feed_open(&feed, session), 0);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), idle_ns);
	CU_ASSERT_TRUE(feed.look_cycles > lttp_clock_read(head) - head->cycles_per_second / 2);
	CU_ASSERT_TRUE(feed.look_cycles <= lttp_clock_read(head) + head->cycles_per_second / 2);
	CU_ASSERT_EQUAL(head->control_blocks, 2);
	file->current = LTTP_CURRENT(2, 2);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), busy_ns);
	CU_ASSERT_EQUAL(file->blocks, 9);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), idle_ns);
	file->current = LTTP_CURRENT(3, 3);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), busy_ns);
	CU_ASSERT_EQUAL(file->blocks, 9);
	file->current = LTTP_CURRENT(8, 8);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), busy_ns);
	CU_ASSERT_EQUAL(file->blocks, 19);
	/* A number that is damaged. */
	file->current = LTTP_CURRENT(100000, 100000);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), busy_ns);
	CU_ASSERT_EQUAL(file->blocks, 19);
	head->losses.events[LTTP_LOST_QUOTA] = 1;
	head->running = 0;
	file->current = LTTP_CURRENT(20, 20);
	CU_ASSERT_EQUAL(lttp_feed_session(&feed, session), idle_ns);
	CU_ASSERT_EQUAL(head->losses.reported[LTTP_LOST_QUOTA], 1);
	CU_ASSERT_EQUAL(file->blocks, 19);
	lttp_feed_close(&feed);
	CU_ASSERT_PTR_NULL(feed.used);
	test_session_free(&test);
}

static void test_keeping(void)
{
	TestSession test = test_session_new("keeping", 0, LTTP_SESSION_WATCH);
	int fd = lttp_session_keep(test.session);

	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_EQUAL(test.session->head->keeper_pid, (uint32_t)getpid());
	CU_ASSERT_EQUAL(lttp_session_lock(test.session, LTTP_LOCK_KEEPER, F_WRLCK), -EBUSY);
	close(fd);
	fd = lttp_session_lock(test.session, LTTP_LOCK_KEEPER, F_WRLCK);
	CU_ASSERT_TRUE(fd >= 0);
	test.session->head->keeper_pid = 0;
	CU_ASSERT_EQUAL(lttp_session_keep(test.session), -EBUSY);
	CU_ASSERT_EQUAL(test.session->head->keeper_pid, 0);
	close(fd);
	test_session_free(&test);
}

UNIT_MAIN("session-watch", UNIT(test_reports), UNIT(test_rare_reports), UNIT(test_living),
	  UNIT(test_many), UNIT(test_burying), UNIT(test_starts), UNIT(test_totals),
	  UNIT(test_feeding), UNIT(test_keeping))
