/* support-session.c - sessions in a temporary directory, and their tracefiles as text. */
#include "support-session.h"
#include "unit.h"

#include "session/atomic.h"
#include "session/clock.h"
#include "session/create.h"
#include "session/directory.h"
#include "session/events.h"
#include "session/open.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TestSession test_session_new(const char *name, uint64_t flight_bytes, enum lttp_session_use use)
{
	const struct ltt_probe_options options = {
		.size_bytes = sizeof(options), .block_bytes = 4096, .flight_bytes = flight_bytes};
	TestSession test = {unit_temp_path(name), g_new0(struct lttp_session, 1)};

	/* A traced program may have closed its standard input: 0 is a descriptor like others. */
	close(STDIN_FILENO);
	CU_ASSERT_EQUAL_FATAL(lttp_session_create(test.path, &options), 0);
	CU_ASSERT_EQUAL_FATAL(lttp_session_open(test.session, test.path, use), 0);
	CU_ASSERT_EQUAL_FATAL(mprotect((char *)test.session->head + LTTP_FIXED_AT, LTTP_FIXED_BYTES,
				       PROT_READ | PROT_WRITE),
			      0);
	return test;
}

/* Fails if a file of the trace is open, or one that is not a tracefile is mapped. */
static void check_leaks(const TestSession *test)
{
	g_autofree char *prefix = g_strconcat(test->session->directory, "/", NULL);
	g_autofree char *cpus = g_strconcat(prefix, "cpu/", NULL);
	g_autoptr(GDir) dir = g_dir_open("/proc/self/fd", 0, NULL);
	g_autofree char *maps = NULL;
	g_auto(GStrv) lines = NULL;
	const char *name;

	while ((name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *link = g_build_filename("/proc/self/fd", name, NULL);
		g_autofree char *target = g_file_read_link(link, NULL);

		if (target != NULL && g_str_has_prefix(target, test->session->directory))
			unit_assert_text(target, "closed", __FILE__, __LINE__);
	}
	CU_ASSERT_TRUE_FATAL(g_file_get_contents("/proc/self/maps", &maps, NULL, NULL));
	lines = g_strsplit(maps, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		const char *at = strstr(lines[i], prefix);

		if (at != NULL && !g_str_has_prefix(at, cpus))
			unit_assert_text(at, "not mapped", __FILE__, __LINE__);
	}
}

void test_session_free(TestSession *test)
{
	lttp_session_close(test->session);
	check_leaks(test);
	lttp_session_remove(test->path);
	g_free(test->session);
	g_free(test->path);
}

char *test_session_path(const TestSession *test, const char *name)
{
	return g_build_filename(test->path, name, NULL);
}

int64_t test_session_size(const TestSession *test, const char *name)
{
	g_autofree char *path = test_session_path(test, name);
	GStatBuf status;

	return g_stat(path, &status) == 0 ? status.st_size : -1;
}

void test_session_expect_file(const TestSession *test, const char *name, const char *expected,
			      const char *file, int line)
{
	g_autofree char *path = test_session_path(test, name);
	g_autofree char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	unit_assert_text(text, expected, file, line);
}

unsigned long test_count_pages(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

	CU_ASSERT_TRUE(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return strtoul(text, NULL, 10);
}

/* ---- tracefiles as text ---- */

/* A block that is being read. */
typedef struct Walk {
	const char *block;
	uint32_t at; /* of the payload */
	uint64_t base_cycles, base_ns;
	uint64_t start_ns;   /* of the session */
	uint64_t end_cycles; /* no event is later */
	GString *text;
} Walk;

static uint32_t take32(Walk *walk)
{
	uint32_t value;

	memcpy(&value, walk->block + walk->at, sizeof(value));
	walk->at += 4;
	return value;
}

static uint64_t take64(Walk *walk)
{
	uint64_t value;

	memcpy(&value, walk->block + walk->at, sizeof(value));
	walk->at += 8;
	return value;
}

static const char *take_text(Walk *walk)
{
	const char *text = walk->block + walk->at;

	walk->at += (uint32_t)strlen(text) + 1;
	return text;
}

/* A time and a value of the counter: they never go back, and the delta leads to them. */
static void take_instant(Walk *walk, uint32_t delta, bool is_first)
{
	uint64_t ns = take32(walk) * 1000000000ull, cycles;

	ns += take32(walk);
	cycles = take64(walk);
	if (is_first) {
		CU_ASSERT_EQUAL(delta, 0);
	} else {
		CU_ASSERT_TRUE(ns >= walk->base_ns && cycles >= walk->base_cycles);
		if (delta == UINT32_MAX)
			g_string_append_c(walk->text, '~');
		else
			CU_ASSERT_EQUAL(walk->base_cycles + delta, cycles);
	}
	CU_ASSERT_TRUE(ns >= walk->start_ns);
	walk->base_ns = ns;
	walk->base_cycles = cycles;
}

/* A line of the clock map: it begins at the last time value and has about the speed of the clock. */
static void take_line(Walk *walk, const struct lttp_head *head)
{
	uint64_t cycles = take64(walk), ns = take32(walk) * 1000000000ull, span_ns, fair_ns;

	CU_ASSERT_EQUAL(cycles, walk->base_cycles);
	ns += take32(walk);
	CU_ASSERT_EQUAL(ns, walk->base_ns);
	cycles = take64(walk) - cycles;
	span_ns = take32(walk) * 1000000000ull - ns;
	span_ns += take32(walk);
	CU_ASSERT_TRUE(cycles > 0 && cycles <= 2 * head->bend_cycles);
	fair_ns = (uint64_t)((double)cycles / (double)head->cycles_per_second * 1e9);
	CU_ASSERT_TRUE(span_ns >= fair_ns / 3 && span_ns <= fair_ns * 3 + 1000);
}

static void take_event(Walk *walk, const struct lttp_head *head)
{
	GString *text = walk->text;
	uint16_t id;
	uint32_t delta, number;
	const char *name;

	memcpy(&id, walk->block + walk->at, sizeof(id));
	walk->at += 2;
	delta = take32(walk);
	if (text->str[text->len - 1] != '{')
		g_string_append_c(text, ' ');
	/* Deltas of events that are no time values count from the last one. */
	if (id == LTTP_ID_FACILITY_LOAD || id >= LTTP_ID_TRACER)
		CU_ASSERT_TRUE(walk->base_cycles + delta <= walk->end_cycles);
	switch (id) {
	case LTTP_ID_FACILITY_LOAD:
		name = take_text(walk);
		number = take32(walk);
		g_string_append_printf(text, "load %s %08x %u", name, number, take32(walk));
		break;
	case LTTP_ID_BLOCK_START:
		take_instant(walk, delta, true);
		g_string_append_printf(text, "start %u", take32(walk));
		break;
	case LTTP_ID_BLOCK_END:
		take_instant(walk, delta, false);
		g_string_append_printf(text, "end %u", take32(walk));
		break;
	case LTTP_ID_HEARTBEAT:
		take_instant(walk, delta, false);
		g_string_append(text, "beat");
		break;
	case LTTP_ID_THREAD:
		number = take32(walk);
		g_string_append_printf(text, "thread %u/%u", number, take32(walk));
		break;
	case LTTP_ID_EVENTS_LOST:
		g_string_append_printf(text, "lost %" G_GUINT64_FORMAT, take64(walk));
		break;
	case LTTP_ID_CLOCK:
		take_line(walk, head);
		g_string_append(text, "clock");
		break;
	case LTTP_ID_PROCESS_START:
		number = take32(walk);
		g_string_append_printf(text, "process %u/%u", number, take32(walk));
		g_string_append_printf(text, " %s", take_text(walk));
		g_string_append_printf(text, " '%s'", take_text(walk));
		break;
	case LTTP_ID_PROCESS_EXIT:
		number = take32(walk);
		g_string_append_printf(text, "exit %u %d", number, (int)take32(walk));
		break;
	case LTTP_ID_LOST:
		name = take_text(walk);
		g_string_append_printf(text, "%s %" G_GUINT64_FORMAT, name, take64(walk));
		break;
	case LTTP_ID_TOO_LARGE:
		name = take_text(walk);
		g_string_append_printf(text, "large %s %" G_GUINT64_FORMAT, name, take64(walk));
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, take64(walk));
		break;
	default:
		g_string_append_printf(text, "e%" G_GUINT64_FORMAT, take64(walk));
	}
}

static void take_block(GString *text, const struct lttp_head *head, const char *block)
{
	const uint32_t size = head->block_bytes;
	Walk walk = {.block = block,
		     .start_ns = head->start_ns,
		     .end_cycles = lttp_clock_read(head),
		     .text = text};
	uint32_t next, last, at = 0;

	memcpy(&next, block + size - 8, sizeof(next));
	memcpy(&last, block + size - 4, sizeof(last));
	if (next == 0) {
		g_string_append(text, "-");
		return;
	}
	g_string_append(text, "{");
	do {
		at = walk.at;
		take_event(&walk, head);
	} while (walk.at < next && at != last && walk.at <= size - 8);
	CU_ASSERT_EQUAL(at, last);
	CU_ASSERT_EQUAL(next, block[at] == LTTP_ID_BLOCK_END ? size : walk.at);
	for (at = walk.at; at < size - 8; at++) {
		if (block[at] != 0) {
			g_string_append_c(text, '+');
			break;
		}
	}
	g_string_append_c(text, '}');
}

char *test_session_text(const TestSession *test, const char *name)
{
	const struct lttp_head *head = test->session->head;
	g_autofree char *path = test_session_path(test, name);
	g_autofree char *bytes = NULL;
	GString *text = g_string_new("");
	gsize size;

	if (!g_file_get_contents(path, &bytes, &size, NULL))
		return g_string_free(g_string_assign(text, "none"), FALSE);
	CU_ASSERT_EQUAL(size % head->block_bytes, 0);
	for (gsize at = 0; at < size; at += head->block_bytes)
		take_block(text, head, bytes + at);
	return g_string_free(text, FALSE);
}

void test_session_expect(const TestSession *test, const char *name, const char *expected,
			 const char *file, int line)
{
	g_autofree char *text = test_session_text(test, name);

	unit_assert_text(text, expected, file, line);
}

/* ---- lanes ---- */

void test_lane_become(TestLane *lane, uint32_t tid)
{
	lane->writer.serial = 1000 + tid;
	lane->writer.pid = 7;
	lane->writer.tid = tid;
}

void test_lane_open(TestLane *lane, const TestSession *test, uint32_t which, uint32_t tid)
{
	const struct lttp_actor actor = {NULL, 0};

	memset(lane, 0, sizeof(*lane));
	lane->test = test;
	lane->number = test->session->head->cpus + which;
	lttp_writer_open(&lane->writer, test->session, lane->number, actor, &lane->here);
	lane->writer.epoch_at = &lane->epoch;
	test_lane_become(lane, tid);
}

const char *test_lane_file(const TestLane *lane)
{
	static struct lttp_file_name name;

	name = lttp_file_name(lane->number);
	return name.text;
}

struct lttp_file *test_lane_state(const TestLane *lane)
{
	return &lane->test->session->files[lane->number];
}

/* The event itself, if the gate is open for this thread. */
static bool write_event(TestLane *lane, uint64_t value)
{
	const struct lttp_head *head = lane->test->session->head;
	const struct ltt_probe_gate *gate = lane->here.gate;
	uint64_t now = lttp_clock_read(head), *word;
	struct lttp_bytes out = {0, 0, ""};
	uint32_t next;

	if (gate == NULL || gate->owner != lane->writer.serial || now >= gate->cut_cycles ||
	    now - gate->base_cycles >= gate->limit_cycles)
		return false;
	word = lttp_block_word(head, lane->here.block);
	next = lttp_word_next(*word);
	lttp_put_header(&out, LTTP_ID_FREE, now - gate->base_cycles);
	lttp_put64(&out, value);
	if (next + out.size > lttp_block_room(head))
		return false;
	memcpy(lane->here.block + next, out.bytes, out.size);
	lttp_store(word, lttp_word(next + out.size, next));
	return true;
}

enum lttp_outcome test_lane_write(TestLane *lane, uint64_t value)
{
	enum lttp_outcome outcome = LTTP_AGAIN;

	for (int tries = 0; outcome == LTTP_AGAIN && tries < 10; tries++) {
		if (write_event(lane, value))
			return LTTP_WRITTEN;
		outcome = lttp_writer_advance(&lane->writer, 8);
	}
	return outcome;
}

unsigned test_lane_fill(TestLane *lane, uint64_t value)
{
	unsigned n = 0;

	while (write_event(lane, value))
		n++;
	return n;
}
