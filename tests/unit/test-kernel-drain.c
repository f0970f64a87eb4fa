/* Draining ring buffers: the processes of threads that are gone, and the times of a converted clock. */
#define _GNU_SOURCE
#include "unit.h"

#include "record/kernel/drain-priv.h"
#include "record/recording-priv.h"
#include "session/clock.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES 4096

/* Above the largest id of a thread, so /proc has none of them. */
#define CHILD      0x7f000001u
#define GRANDCHILD 0x7f000002u

#define CLONE_THREAD_FLAG 0x10000

/* The id is the first half of a word, whose other half are flags. */
#define ID_WORD(id) (G_BYTE_ORDER == G_BIG_ENDIAN ? (id) << 16 : (id))

enum { NEWTASK_ID = ID_WORD(300), TICK_ID = ID_WORD(301), RENAME_ID = ID_WORD(302) };

#define COMMON                                                                                     \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char newtask_format[] =
	"name: task_newtask\nID: 300\n" COMMON "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:u32 clone_flags;\toffset:12;\tsize:4;\tsigned:0;\n";

static const char tick_format[] =
	"name: tick\nID: 301\n" COMMON "\tfield:u32 value;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 more;\toffset:12;\tsize:4;\tsigned:0;\n";

static const char rename_format[] =
	"name: task_rename\nID: 302\n" COMMON "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:char newcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n";

static const LttRingLayout layout = {.byte_order = LTT_NATIVE_ENDIAN,
				     .long_bytes = 8,
				     .commit_offset = 8,
				     .data_offset = 16,
				     .page_bytes = PAGE_BYTES};

/* In native byte order. */
typedef struct Event {
	guint32 id; /* with the flags */
	guint32 tid;
	guint32 values[5];
} Event;

/* ---- input ---- */

static void write_file(const char *root, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(root, name, NULL);
	g_autofree char *directory = g_path_get_dirname(path);

	CU_ASSERT_EQUAL_FATAL(g_mkdir_with_parents(directory, 0700), 0);
	CU_ASSERT_TRUE_FATAL(g_file_set_contents(path, text, -1, NULL));
}

/* Appends a page with one event. */
static void add_page(int fd, guint64 time, const Event *event)
{
	const guint64 head[] = {time, 4 + sizeof(*event)};
	const guint32 n_words = sizeof(*event) / sizeof(guint32);
	/* A bit field of 5 bits. */
	const guint32 type_len = G_BYTE_ORDER == G_BIG_ENDIAN ? n_words << 27 : n_words;
	guint8 page[PAGE_BYTES] = {0};

	memcpy(page, head, sizeof(head));
	memcpy(page + sizeof(head), &type_len, sizeof(type_len));
	memcpy(page + sizeof(head) + sizeof(type_len), event, sizeof(*event));
	CU_ASSERT_EQUAL_FATAL(write(fd, page, sizeof(page)), (gssize)sizeof(page));
}

/* Fills the pages that a pass reads of a CPU, and one more. */
static int fill(guint64 time, const Event *first, const Event *second, const Event *last)
{
	const Event tick = {.id = TICK_ID};
	const int fd = memfd_create("pages", MFD_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	add_page(fd, time, first);
	add_page(fd, time, second);
	for (guint i = 2; i < LTT_DRAIN_PAGES; i++)
		add_page(fd, time, &tick);
	add_page(fd, time, last);
	CU_ASSERT_EQUAL_FATAL(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* ---- output ---- */

/* Returns: how often a pair of ids is in the tracefiles of a folder: with threads in cpu/, and with
 * names in control/ */
static guint count_pairs(const char *trace, const char *name_of_folder, guint32 pid, guint32 tid)
{
	const guint32 pair[] = {pid, tid};
	g_autofree char *folder = g_build_filename(trace, name_of_folder, NULL);
	g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
	const char *name;
	guint n = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(files);
	while ((name = g_dir_read_name(files)) != NULL) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autofree char *text = NULL;
		const char *at;
		gsize length;

		CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, &length, NULL));
		at = text;
		while ((at = memmem(at, length - (gsize)(at - text), pair, sizeof(pair))) != NULL) {
			at += sizeof(pair);
			n++;
		}
	}
	return n;
}

/* ---- tests ---- */

static void drain(LttDrain *drain, LttKernelFiles *files, guint64 time)
{
	/* A thread that is named by another one before it has an event is unknown as well. */
	const Event first[] = {{RENAME_ID, 0, {CHILD, 0x64636261}}, {TICK_ID, GRANDCHILD, {0}}};
	const Event second = {TICK_ID, CHILD, {0}};
	const Event last[] = {{NEWTASK_ID, CHILD, {GRANDCHILD, CLONE_THREAD_FLAG}},
			      {NEWTASK_ID, (guint32)getpid(), {CHILD, CLONE_THREAD_FLAG}}};
	LttDrainCpu cpus[2] = {{.n_pages = 0}};

	drain->layout = layout;
	drain->cpus = cpus;
	drain->n_cpus = G_N_ELEMENTS(cpus);
	for (guint i = 0; i < G_N_ELEMENTS(cpus); i++) {
		cpus[i].file = ltt_kernel_files_add(files, i, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(cpus[i].file);
		cpus[i].pages = g_malloc(LTT_DRAIN_SLOTS * PAGE_BYTES);
		cpus[i].ring_fd = fill(time, &first[i], &second, &last[i]);
	}
	CU_ASSERT_EQUAL(ltt_drain_pass(drain), 2 * LTT_DRAIN_PAGES);
	CU_ASSERT_EQUAL(ltt_drain_pass(drain), 2);
	CU_ASSERT_EQUAL(ltt_drain_pass(drain), 0);
	drain->cpus = g_memdup2(cpus, sizeof(cpus));
	ltt_drain_clear(drain);
}

/* The creations of threads lie behind the pages of the pass that contains their events, and that of the
 * creator on another CPU than that of its child. The threads are gone. */
static void test_processes(void)
{
	g_autofree char *root = unit_temp_path("tracefs");
	g_autofree char *path = unit_temp_path("trace");
	LttTracefs tracefs = {.root = root};
	g_autoptr(LttRecording) recording = ltt_recording_new(path, NULL, NULL);
	struct lttp_session *session = ltt_recording_get_session(recording);
	LttKernelTotals totals = {.n_events = 0};
	LttKernelEvents events;
	LttKernelFiles files = {.n_files = 0};
	LttKernelSource source = {.files = &files};
	GError *error = NULL;
	LttDrain context;

	write_file(root, "available_events", "task:task_newtask\ntask:task_rename\ndemo:tick\n");
	write_file(root, "events/task/task_newtask/format", newtask_format);
	write_file(root, "events/task/task_rename/format", rename_format);
	write_file(root, "events/demo/tick/format", tick_format);
	UNIT_ASSERT_OK(ltt_kernel_files_init(&files, session, &error), error);
	source.threads = ltt_kernel_threads_new(session, ltt_kernel_files_get_threads(&files),
						LTT_KERNEL_NAMES_ALL, &error);
	UNIT_ASSERT_OK(source.threads != NULL, error);
	UNIT_ASSERT_OK(ltt_kernel_events_init(&events, &tracefs, "task,demo", NULL, &error), error);
	UNIT_ASSERT_OK(ltt_kernel_events_load(&events, session, &error), error);
	ltt_drain_init(&context, &events, &source);
	drain(&context, &files, lttp_clock_read(session->head));
	ltt_kernel_files_close(&files, &totals);
	CU_ASSERT_EQUAL(totals.n_events, 2 * (LTT_DRAIN_PAGES + 1));
	CU_ASSERT_EQUAL(totals.n_lost, 0);
	CU_ASSERT_EQUAL(count_pairs(path, "cpu", (guint32)getpid(), CHILD), 3);
	CU_ASSERT_EQUAL(count_pairs(path, "control", (guint32)getpid(), CHILD), 1);
	CU_ASSERT_EQUAL(count_pairs(path, "cpu", (guint32)getpid(), GRANDCHILD), 1);
	CU_ASSERT_EQUAL(count_pairs(path, "cpu", CHILD, CHILD), 0);
	CU_ASSERT_EQUAL(count_pairs(path, "control", CHILD, CHILD), 0);
	CU_ASSERT_EQUAL(count_pairs(path, "cpu", GRANDCHILD, GRANDCHILD), 0);
	ltt_kernel_threads_free(source.threads);
	ltt_kernel_events_clear(&events);
	ltt_kernel_files_clear(&files);
	ltt_recording_discard(g_steal_pointer(&recording));
}

#define CYCLES_PER_NS 3
#define READ_NS       1000000
#define ERROR_CYCLES  90

/* Adds reads of a counter that is exact, or too large by ERROR_CYCLES. */
static LttRawClock *read_often(const struct lttp_head *head, guint n_reads)
{
	LttRawClock *clock = g_new0(LttRawClock, 1);

	clock->head = head;
	for (guint64 i = 1; i <= n_reads; i++)
		ltt_raw_clock_add(clock,
				  (LttRawInstant){i * READ_NS, CYCLES_PER_NS * i * READ_NS +
								       i % 2 * ERROR_CYCLES});
	return clock;
}

static guint64 get_error(const LttRawClock *clock, guint64 raw_ns)
{
	const guint64 cycles = ltt_raw_clock_convert(clock, raw_ns);
	const guint64 right = CYCLES_PER_NS * raw_ns;

	return MAX(cycles, right) - MIN(cycles, right);
}

/* The last two reads follow each other at once, and disagree. Events before them are not affected. */
static void test_late_conversion(void)
{
	const struct lttp_head head = {.cycles_per_second = 1000000000};
	g_autofree LttRawClock *clock = read_often(&head, 100);
	const guint64 last_ns = 100 * (guint64)READ_NS;

	ltt_raw_clock_add(clock, (LttRawInstant){last_ns + 1000,
						 CYCLES_PER_NS * (last_ns + 1000) + ERROR_CYCLES});
	for (guint64 raw_ns = READ_NS; raw_ns <= last_ns + 1000; raw_ns += 777)
		if (get_error(clock, raw_ns) > ERROR_CYCLES)
			CU_FAIL_FATAL("a time is wrong");
}

/* Older reads become fewer. Times remain exact, and never decrease. */
static void test_many_reads(void)
{
	const struct lttp_head head = {.cycles_per_second = 1000000000};
	g_autofree LttRawClock *clock = read_often(&head, 20 * LTT_RAW_INSTANTS);
	guint64 last = 0;

	CU_ASSERT_TRUE(clock->n_instants <= LTT_RAW_INSTANTS);
	CU_ASSERT_EQUAL(clock->instants[0].raw_ns, READ_NS);
	for (guint64 i = 1; i < 20 * 20 * LTT_RAW_INSTANTS; i++) {
		const guint64 raw_ns = READ_NS + i * READ_NS / 20;
		const guint64 cycles = ltt_raw_clock_convert(clock, raw_ns);

		if (cycles < last || get_error(clock, raw_ns) > ERROR_CYCLES)
			CU_FAIL_FATAL("a time is wrong");
		last = cycles;
	}
}

/* With one read, the speed of the counter is that of the session. */
static void test_first_read(void)
{
	const struct lttp_head head = {.cycles_per_second = 2000000000};
	g_autofree LttRawClock *clock = g_new0(LttRawClock, 1);

	clock->head = &head;
	ltt_raw_clock_add(clock, (LttRawInstant){1000, 5000});
	ltt_raw_clock_add(clock, (LttRawInstant){1000, 6000}); /* ignored */
	ltt_raw_clock_add(clock, (LttRawInstant){1001, 5000}); /* ignored */
	CU_ASSERT_EQUAL(ltt_raw_clock_convert(clock, 1500), 6000);
	CU_ASSERT_EQUAL(ltt_raw_clock_convert(clock, 500), 4000);
	CU_ASSERT_EQUAL(ltt_raw_clock_convert(clock, 0), 3000);
}

UNIT_MAIN("kernel drain", UNIT(test_processes), UNIT(test_late_conversion), UNIT(test_many_reads),
	  UNIT(test_first_read))
