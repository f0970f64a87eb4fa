/* Blocks that a thread decodes ahead of a cursor: requests are withdrawn, taken and waited for. The test holds the
 * thread while it reads a block, so that each state lasts until it was seen. */
#define _GNU_SOURCE
#include "support-hand.h"
#include "unit.h"

#include "reader/ahead-priv.h"
#include "reader/order-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-merge.h>

#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 256

/* Where reads of the thread wait. */
static struct {
	GMutex lock;
	GCond changed;
	GThread *caller;    /* whose reads do not wait; NULL: no read does */
	gboolean is_open;   /* a read of the caller opens it */
	guint n_begun;      /* reads of the thread */
	GString *of_thread; /* their offsets, "256 0 " */
	GString *of_caller;
} gate;

/* In place of the function of libc, through which the library reads blocks. */
ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	if (gate.caller != NULL) {
		const gboolean is_caller = g_thread_self() == gate.caller;

		g_mutex_lock(&gate.lock);
		g_string_append_printf(is_caller ? gate.of_caller : gate.of_thread, "%d ",
				       (int)offset);
		gate.n_begun += is_caller ? 0 : 1;
		gate.is_open = gate.is_open || is_caller;
		g_cond_broadcast(&gate.changed);
		while (!is_caller && !gate.is_open)
			g_cond_wait(&gate.changed, &gate.lock);
		g_mutex_unlock(&gate.lock);
	}
	return syscall(SYS_pread64, fd, bytes, size, offset);
}

/* A file of three blocks, and two slots for them. */
typedef struct Scene {
	HandTrace hand;
	LttTrace *trace;
	LttTracefile *file;
	LttAhead *ahead;
	LttAheadBlock first;
	LttAheadBlock second;
	LttBlock block;
} Scene;

static void scene_begin(Scene *scene)
{
	*scene = (Scene){.hand = hand_new(LTT_LITTLE_ENDIAN, BLOCK, NULL)};
	hand_add(&scene->hand, "cpu/0", "@100#0 E120");
	hand_add(&scene->hand, "cpu/0", "@200#1 N210 E220");
	hand_add(&scene->hand, "cpu/0", "@300#2 N310 N320 E330");
	scene->trace = hand_open(&scene->hand);
	scene->file = ltt_trace_get_tracefile(scene->trace, 1);
	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(scene->file), 3);
	scene->ahead = ltt_ahead_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(scene->ahead);
	ltt_ahead_block_init(&scene->first, scene->file);
	ltt_ahead_block_init(&scene->second, scene->file);
	ltt_block_init(&scene->block);
	gate.of_thread = g_string_new(NULL);
	gate.of_caller = g_string_new(NULL);
	gate.n_begun = 0;
	gate.is_open = FALSE;
	gate.caller = g_thread_self();
}

static void scene_end(Scene *scene, const char *of_thread, const char *of_caller, int line)
{
	ltt_ahead_free(scene->ahead);
	gate.caller = NULL;
	unit_assert_text(gate.of_thread->str, of_thread, __FILE__, line);
	unit_assert_text(gate.of_caller->str, of_caller, __FILE__, line);
	g_string_free(gate.of_thread, TRUE);
	g_string_free(gate.of_caller, TRUE);
	ltt_ahead_block_clear(&scene->first);
	ltt_ahead_block_clear(&scene->second);
	ltt_block_clear(&scene->block);
	ltt_trace_free(scene->trace);
	hand_clear(&scene->hand);
}

/* Waits until the thread is in its read number @n. */
static void await_read(guint n)
{
	g_mutex_lock(&gate.lock);
	while (gate.n_begun < n)
		g_cond_wait(&gate.changed, &gate.lock);
	g_mutex_unlock(&gate.lock);
}

static void set_gate(gboolean is_open)
{
	g_mutex_lock(&gate.lock);
	gate.is_open = is_open;
	g_cond_broadcast(&gate.changed);
	g_mutex_unlock(&gate.lock);
}

static gboolean take(Scene *scene, LttAheadBlock *place, guint64 position)
{
	return ltt_ahead_take(scene->ahead, place, position, &scene->block);
}

static void test_a_request_that_is_withdrawn(void)
{
	Scene scene;

	scene_begin(&scene);
	ltt_ahead_ask(scene.ahead, &scene.first, 1);
	await_read(1);
	CU_ASSERT_EQUAL(scene.first.state, LTT_AHEAD_BEGUN);
	/* The thread is busy, so the caller has to load this one. */
	ltt_ahead_ask(scene.ahead, &scene.second, 2);
	CU_ASSERT_EQUAL(scene.second.state, LTT_AHEAD_WAITS);
	CU_ASSERT_FALSE(take(&scene, &scene.second, 2));
	CU_ASSERT_EQUAL(scene.second.state, LTT_AHEAD_NOTHING);
	set_gate(TRUE);
	CU_ASSERT_TRUE(take(&scene, &scene.first, 1));
	CU_ASSERT_EQUAL(scene.block.position, 1);
	CU_ASSERT_EQUAL(scene.block.n_events, 3);
	CU_ASSERT_EQUAL(scene.first.state, LTT_AHEAD_NOTHING);
	/* The thread does not read the one that was withdrawn before this one. */
	set_gate(FALSE);
	ltt_ahead_ask(scene.ahead, &scene.first, 0);
	await_read(2);
	set_gate(TRUE);
	CU_ASSERT_TRUE(take(&scene, &scene.first, 0));
	CU_ASSERT_EQUAL(scene.block.position, 0);
	scene_end(&scene, "256 0 ", "", __LINE__);
}

static void test_a_caller_that_waits_decodes_the_next(void)
{
	Scene scene;

	scene_begin(&scene);
	ltt_ahead_ask(scene.ahead, &scene.first, 1);
	await_read(1);
	ltt_ahead_ask(scene.ahead, &scene.second, 2);
	/* Its read lets the thread go on. */
	CU_ASSERT_TRUE(take(&scene, &scene.first, 1));
	CU_ASSERT_EQUAL(scene.second.state, LTT_AHEAD_DONE);
	CU_ASSERT_TRUE(take(&scene, &scene.second, 2));
	CU_ASSERT_EQUAL(scene.block.n_events, 4);
	scene_end(&scene, "256 ", "512 ", __LINE__);
}

static void test_another_block_than_the_requested_one(void)
{
	Scene scene;

	scene_begin(&scene);
	set_gate(TRUE);
	ltt_ahead_ask(scene.ahead, &scene.first, 1);
	await_read(1);
	CU_ASSERT_FALSE(take(&scene, &scene.first, 2));
	CU_ASSERT_EQUAL(scene.first.state, LTT_AHEAD_NOTHING);
	CU_ASSERT_FALSE(take(&scene, &scene.first, 1));
	scene_end(&scene, "256 ", "", __LINE__);
}

/* While a merge returns the events of a block, the thread reads the next one. */
static void test_a_merge_reads_ahead(void)
{
	Scene scene;
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	guint64 last_ns = 0;

	if (g_get_num_processors() < 2)
		return;
	scene_begin(&scene);
	set_gate(TRUE);
	merge = ltt_merge_new(scene.trace, NULL);
	for (guint i = 0; i < 2; i++)
		ltt_merge_read_ahead(merge); /* the second call has no effect */
	CU_ASSERT_EQUAL_FATAL(ltt_merge_next(merge, &event, NULL), LTT_STEP_EVENT);
	await_read(1);
	while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
		last_ns = event->time_ns;
	CU_ASSERT_EQUAL(last_ns, 330);
	ltt_merge_free(g_steal_pointer(&merge));
	g_string_truncate(gate.of_thread, 0);
	g_string_truncate(gate.of_caller, 0);
	scene_end(&scene, "", "", __LINE__);
}

UNIT_MAIN("ahead", UNIT(test_a_request_that_is_withdrawn),
	  UNIT(test_a_caller_that_waits_decodes_the_next),
	  UNIT(test_another_block_than_the_requested_one), UNIT(test_a_merge_reads_ahead))
