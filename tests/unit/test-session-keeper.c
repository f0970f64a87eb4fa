/* Requests of writers to the recorder, and how it serves them. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/file.h"
#include "session/keeper.h"
#include "session/processes.h"
#include "session/serve.h"
#include "session/sys.h"

#include <errno.h>
#include <glib.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct lttp_head *new_head(void)
{
	struct lttp_head *head = g_new0(struct lttp_head, 1);

	head->counter = LTTP_COUNTER_MONOTONIC;
	head->cycles_per_second = 1000000000;
	return head;
}

static void test_presence(void)
{
	g_autofree struct lttp_head *head = new_head();

	CU_ASSERT_FALSE(lttp_keeper_is_there(head));
	lttp_keeper_work(head);
	CU_ASSERT_NOT_EQUAL(head->keeper_cycles, 0);
	CU_ASSERT_TRUE(lttp_keeper_is_there(head));
	head->unanswered_cycles = head->keeper_cycles;
	CU_ASSERT_FALSE(lttp_keeper_is_there(head));
	head->keeper_cycles++;
	CU_ASSERT_TRUE(lttp_keeper_is_there(head));
}

/* A process with a filter of system calls does not open files that the recorder can open. */
static void test_rights(void)
{
	g_autofree struct lttp_session *session = g_new0(struct lttp_session, 1);
	g_autofree struct lttp_head *head = new_head();
	struct lttp_process_slot slot = {.owner = 1};
	char lock;

	session->head = head;
	session->lock = &lock;
	CU_ASSERT_TRUE(lttp_keeper_lets_open(session));
	head->keeper_cycles = 1;
	CU_ASSERT_FALSE(lttp_keeper_lets_open(session));
	session->lock = NULL;
	CU_ASSERT_TRUE(lttp_keeper_lets_open(session));
	session->lock = &lock;
	session->slot = &slot;
	CU_ASSERT_TRUE(lttp_keeper_lets_open(session));
	slot.is_filtered = 1;
	CU_ASSERT_FALSE(lttp_keeper_lets_open(session));
}

static void test_requests(void)
{
	g_autofree struct lttp_head *head = new_head();
	uint64_t wanted = 2, allocated = 5, refused = 0;
	const struct lttp_request request = {&wanted, &allocated, &refused};

	lttp_keeper_wish(head, &wanted, 4);
	CU_ASSERT_TRUE(wanted == 4 && head->bell == 1);
	lttp_keeper_wish(head, &wanted, 3);
	CU_ASSERT_TRUE(wanted == 4 && head->bell == 2);
	CU_ASSERT_EQUAL(lttp_keeper_ask(head, &request, 5), 0);
	CU_ASSERT_TRUE(wanted == 5 && head->bell == 3);
	/* Answers to this request, or to a later one; numbers may wrap. */
#define CHECK(number, expected)                                                                    \
	G_STMT_START                                                                               \
	{                                                                                          \
		refused = number;                                                                  \
		CU_ASSERT_EQUAL(lttp_keeper_ask(head, &request, 6), expected);                     \
		head->answers++;                                                                   \
	}                                                                                          \
	G_STMT_END
	head->answers = 4;
	CHECK(EDQUOT, -EDQUOT);
	CHECK(0, -ENOSPC);
	CHECK(1, -1);
	CHECK(4095, -4095);
	CHECK(4096, -ENOSPC);
	head->bell = UINT32_MAX - 1;
	head->answers = UINT32_MAX;
	CHECK(EIO, -EIO);
	CHECK(EIO, -EIO);
	CHECK(EIO, -EIO);
	head->answers = head->bell + 1 + (uint32_t)INT32_MAX;
	CHECK(EIO, -EIO);
#undef CHECK
	CU_ASSERT_EQUAL(head->unanswered_cycles, 0);
}

/* A recorder in a thread. */
typedef struct Recorder {
	struct lttp_session *session;
	int ends;
} Recorder;

static void *record(void *data)
{
	Recorder *recorder = data;
	struct lttp_head *head = recorder->session->head;

	while (!lttp_load(&recorder->ends)) {
		uint32_t seen = lttp_load(&head->bell);

		lttp_serve_requests(recorder->session);
		lttp_keeper_sleep(head, seen);
	}
	return NULL;
}

static void test_answers(void)
{
	TestSession test = test_session_new("answers", 0, LTTP_SESSION_ATTACH);
	struct lttp_head *head = test.session->head;
	Recorder recorder = {test.session, 0};
	GThread *thread = g_thread_new("recorder", record, &recorder);
	TestLane lane;

	/* It may open the files that the recorder creates. */
	test.session->slot = &head->processes[0];
	while (lttp_load(&head->keeper_cycles) == 0)
		g_thread_yield();
	test_lane_open(&lane, &test, 0, 1);
	for (uint64_t i = 0; i < 6; i++) {
		CU_ASSERT_TRUE(lttp_writer_close(&lane.writer));
		CU_ASSERT_EQUAL(test_lane_write(&lane, i), LTTP_WRITTEN);
	}
	CU_ASSERT_TRUE(test_lane_state(&lane)->wanted >= 6);
	lttp_store(&recorder.ends, 1);
	lttp_keeper_wake(head);
	g_thread_join(thread);
	CU_ASSERT_EQUAL(head->unanswered_cycles, 0);
	test_session_free(&test);
}

/* What the recorder allocates, and what it refuses. */
static void test_serving(void)
{
	TestSession test = test_session_new("serving", 0, LTTP_SESSION_WATCH);
	struct lttp_session *session = test.session;
	struct lttp_head *head = session->head;
	const struct rlimit limit = {6 * 4096, RLIM_INFINITY};
	struct lttp_file *file = &session->files[head->cpus];
	struct rlimit before;

	head->bell = 7;
	lttp_serve_requests(session);
	CU_ASSERT_EQUAL(head->answers, 7);
	CU_ASSERT_NOT_EQUAL(head->keeper_cycles, 0);
	CU_ASSERT_EQUAL(file->blocks, 0);
	file->wanted = 3;
	file->refused_errno = 9;
	lttp_serve_requests(session);
	CU_ASSERT_TRUE(file->blocks == 3 && file->wanted == 3 && file->refused_errno == 0);
	file->wanted = 2;
	file->refused_errno = 9;
	lttp_serve_requests(session);
	CU_ASSERT_TRUE(file->blocks == 3 && file->refused_errno == 9);
	/* Numbers of a damaged program. */
	file->wanted = UINT64_MAX;
	lttp_serve_requests(session);
	CU_ASSERT_EQUAL(file->blocks, 3 + (32 << 20) / 4096 + 1);
	CU_ASSERT_EQUAL(file->refused_errno, 0);
	/* Only the block that is needed now fits, and then none. */
	file++;
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	file->wanted = 5;
	lttp_serve_requests(session);
	file->wanted = 10;
	lttp_serve_requests(session);
	CU_ASSERT_TRUE(file->blocks == 6 && file->wanted == 10 && file->refused_errno == 0);
	lttp_serve_requests(session);
	CU_ASSERT_TRUE(file->blocks == 6 && file->wanted == 0 && file->refused_errno == EFBIG);
	head->control_wanted = 2;
	lttp_serve_requests(session);
	CU_ASSERT_EQUAL(head->control_refused_errno, EFBIG);
	CU_ASSERT_EQUAL(head->control_wanted, 0);
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	head->control_wanted = 1;
	lttp_serve_requests(session);
	CU_ASSERT_TRUE(head->control_blocks == 1 && head->control_wanted == 1);
	head->control_wanted = 2;
	lttp_serve_requests(session);
	CU_ASSERT_TRUE(head->control_blocks == 2 && head->control_wanted == 0);
	CU_ASSERT_EQUAL(head->control_refused_errno, 0);
	test_session_free(&test);

	test = test_session_new("serving-flight", 2 * 4096, LTTP_SESSION_WATCH);
	file = &test.session->files[1];
	file->wanted = 100;
	lttp_serve_requests(test.session);
	CU_ASSERT_EQUAL(file->blocks, 2);
	test_session_free(&test);
}

/* A child that a filter allows only to read and write. */
static pid_t start_filtered(void)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ready[0]);
		byte = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0;
		(void)!write(ready[1], &byte, 1);
		for (;;)
			(void)!read(ready[1], &byte, 0);
	}
	close(ready[1]);
	CU_ASSERT_EQUAL(read(ready[0], &byte, 1), 1);
	CU_ASSERT_EQUAL(byte, 1);
	close(ready[0]);
	return pid;
}

static void test_filters(void)
{
	TestSession test = test_session_new("filters", 0, LTTP_SESSION_WATCH);
	struct lttp_process_slot *slots = test.session->head->processes;
	pid_t pid = start_filtered();
	g_autofree char *status = NULL;

	for (unsigned i = 0; i < 3; i++)
		slots[i] = (struct lttp_process_slot){.owner = 5 + i, .who = LTTP_WHO(pid, 5 + i)};
	slots[1].owner = 0;
	slots[2].owner = 99;
	slots[LTTP_PROCESSES - 1] =
		(struct lttp_process_slot){.owner = 9, .who = LTTP_WHO(getpid(), 9)};
	lttp_processes_find_filters(test.session);
	CU_ASSERT_EQUAL(slots[0].is_filtered, 1);
	CU_ASSERT_EQUAL(slots[1].is_filtered, 0);
	CU_ASSERT_EQUAL(slots[2].is_filtered, 0);
	CU_ASSERT_TRUE_FATAL(g_file_get_contents("/proc/self/status", &status, NULL, NULL));
	CU_ASSERT_EQUAL(slots[LTTP_PROCESSES - 1].is_filtered,
			strstr(status, "\nSeccomp:\t0") == NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	slots[0].is_filtered = 0;
	lttp_processes_find_filters(test.session);
	CU_ASSERT_EQUAL(slots[0].is_filtered, 0);
	test_session_free(&test);
}

static void test_text(void)
{
	char text[16] = "before";

	CU_ASSERT_EQUAL(lttp_read_text("/proc/0/comm", text, sizeof(text)), -ENOENT);
	UNIT_ASSERT_TEXT(text, "");
	prctl(PR_SET_NAME, "unit");
	CU_ASSERT_EQUAL(lttp_read_text("/proc/self/comm", text, sizeof(text)), 5);
	UNIT_ASSERT_TEXT(text, "unit\n");
	CU_ASSERT_EQUAL(lttp_read_text("/proc/self/comm", text, 3), 2);
	UNIT_ASSERT_TEXT(text, "un");
	CU_ASSERT_EQUAL(lttp_read_text("/proc/self", text, sizeof(text)), -EISDIR);
	UNIT_ASSERT_TEXT(text, "");
}

/* A recorder that is stopped: each request waits half a second, and after two the process pauses. */
static void test_silent_recorder(void)
{
	g_autofree struct lttp_head *head = new_head();
	uint64_t wanted = 0, allocated = 0, refused = 0;
	const struct lttp_request request = {&wanted, &allocated, &refused};

	for (uint64_t i = 1; i <= 2; i++) {
		head->keeper_cycles = i;
		CU_ASSERT_TRUE(lttp_keeper_is_there(head));
		CU_ASSERT_EQUAL(lttp_keeper_ask(head, &request, 1), -ETIMEDOUT);
		CU_ASSERT_EQUAL(head->unanswered_cycles, i);
		CU_ASSERT_FALSE(lttp_keeper_is_there(head));
		/* A success between them. */
		if (i == 1) {
			allocated = 1;
			CU_ASSERT_EQUAL(lttp_keeper_ask(head, &request, 1), 0);
			allocated = 0;
		}
	}
	head->keeper_cycles = 3;
	CU_ASSERT_TRUE(lttp_keeper_is_there(head));
	CU_ASSERT_EQUAL(lttp_keeper_ask(head, &request, 1), -ETIMEDOUT);
	head->keeper_cycles = 4;
	CU_ASSERT_FALSE(lttp_keeper_is_there(head));
}

UNIT_MAIN("session-keeper", UNIT(test_presence), UNIT(test_rights), UNIT(test_requests),
	  UNIT(test_answers), UNIT(test_serving), UNIT(test_filters), UNIT(test_text),
	  UNIT(test_silent_recorder))
