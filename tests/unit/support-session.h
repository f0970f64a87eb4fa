/* support-session.h - sessions in a temporary directory, and their tracefiles as text. */
#ifndef SUPPORT_SESSION_H
#define SUPPORT_SESSION_H

#include "session/admit.h"
#include "session/session.h"
#include "session/writer.h"

typedef struct TestSession {
	char *path;
	struct lttp_session *session;
} TestSession;

/* A new session with blocks of 4096 bytes, opened. @flight_bytes: 0: not a flight recorder. Its
 * fixed part can be changed. */
TestSession test_session_new(const char *name, uint64_t flight_bytes, enum lttp_session_use use);

/* Closes and removes it. Fails if a file of it is still open, or one of info/ or control/ is mapped. */
void test_session_free(TestSession *test);

/* The path of a file of the trace. */
char *test_session_path(const TestSession *test, const char *name);

/* The size of a file of the trace; -1: it does not exist. */
int64_t test_session_size(const TestSession *test, const char *name);

/* Fails unless the file has these contents. @expected: NULL: it does not exist */
void test_session_expect_file(const TestSession *test, const char *name, const char *expected,
			      const char *file, int line);
#define EXPECT_FILE(test, name, expected)                                                          \
	test_session_expect_file(test, name, expected, __FILE__, __LINE__)

/* Pages that this process has mapped; allocates none. */
unsigned long test_count_pages(void);

/* The events of a tracefile, or "none" if it does not exist. Each block is "ID{EVENT EVENT ...}",
 * with a "+" if there are other bytes after its events; one that was not begun is "-". Checks the
 * last event's offset, and deltas and order of time values. */
char *test_session_text(const TestSession *test, const char *name);

/* Fails unless the file has these events. */
void test_session_expect(const TestSession *test, const char *name, const char *expected,
			 const char *file, int line);
#define EXPECT_EVENTS(test, name, expected)                                                        \
	test_session_expect(test, name, expected, __FILE__, __LINE__)

/* A thread that writes to a lane, as a thread without restartable sequences does. */
typedef struct TestLane {
	const TestSession *test;
	uint32_t number;
	uint64_t epoch;
	struct ltt_probe_cpu here;
	struct lttp_writer writer;
} TestLane;

/* Opens lane @which, as thread @tid of process 7. */
void test_lane_open(TestLane *lane, const TestSession *test, uint32_t which, uint32_t tid);

/* Continues as another thread. */
void test_lane_become(TestLane *lane, uint32_t tid);

/* The name of its tracefile, such as "cpu/5". */
const char *test_lane_file(const TestLane *lane);
struct lttp_file *test_lane_state(const TestLane *lane);

/* Writes an event with a number of 8 bytes, "eN" in the text. Returns: LTTP_WRITTEN, or why not */
enum lttp_outcome test_lane_write(TestLane *lane, uint64_t value);

/* Writes events until the block is full, with the same number. Returns: how many were written */
unsigned test_lane_fill(TestLane *lane, uint64_t value);

#endif /* SUPPORT_SESSION_H */
