/* Following a recording whose writer changes a block while the reader reads it, and reads that fail. */
#define _GNU_SOURCE
#include "support-follow.h"
#include "unit.h"

#include "model/ondisk-priv.h"
#include "reader/block-priv.h"
#include "reader/order-priv.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What happens at the next read of bytes of the first block, after the one of its final word. */
static struct {
	const FollowScene *scene; /* NULL: nothing */
	size_t size;              /* 0: the bytes of the whole block */
	void (*write)(const FollowScene *scene);
	int errnum; /* not 0: the read fails */
} at_read;

/* In place of the function of libc, through which the library reads. */
ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	const size_t wanted = at_read.size != 0 ? at_read.size : BLOCK_BYTES - 4;

	if (at_read.scene != NULL && offset == 0 && size == wanted) {
		const FollowScene *scene = at_read.scene;

		at_read.scene = NULL;
		if (at_read.write != NULL)
			at_read.write(scene);
		if (at_read.errnum != 0) {
			errno = at_read.errnum;
			return -1;
		}
	}
	return syscall(SYS_pread64, fd, bytes, size, offset);
}

static void put_id_3(const FollowScene *scene)
{
	follow_put_block(scene, "cpu/0", 0, 3, 600, 0, 650);
}

/* The bytes may be those of both blocks. */
static void test_a_block_that_is_overwritten_during_the_read(void)
{
	FollowScene scene = follow_scene_new("overwritten", 3);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 150);
	follow_scene_open(&scene);
	at_read.scene = &scene;
	at_read.write = put_id_3;
	ASSERT_ROUND(&scene, "0:600 0:650", LTT_STEP_WAIT);
	CU_ASSERT_PTR_NULL(at_read.scene);
	ASSERT_LOSSES(&scene,
		      "cpu/0: 3 blocks were overwritten before all of their events could be "
		      "read\n");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The event after the first one is not complete: its id is not valid. */
static void put_half(const FollowScene *scene)
{
	static const guint8 id[] = {99, 0};

	follow_put_block(scene, "cpu/0", 0, 0, 100, 200, 0);
	follow_write(scene, "cpu/0", 26, id, sizeof(id));
}

static void put_all(const FollowScene *scene)
{
	follow_put_block(scene, "cpu/0", 0, 0, 100, 200, 300);
}

/* Damage counts only if the block was the same before and after it was read. */
static void test_damage_while_the_writer_writes(void)
{
	FollowScene scene = follow_scene_new("half", 0);

	put_half(&scene);
	follow_scene_open(&scene);
	at_read.scene = &scene;
	at_read.write = put_half;
	CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &(const LttEvent *){NULL}, NULL),
			LTT_STEP_EVENT);
	put_all(&scene);
	CU_ASSERT_PTR_NULL(at_read.scene);
	ASSERT_ROUND(&scene, "", LTT_STEP_ERROR);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The writer completes the damaged event, and adds one, while the reader reads the block again. */
static void put_half_of_more(const FollowScene *scene)
{
	static const guint8 id[] = {99, 0};

	put_all(scene);
	follow_write(scene, "cpu/0", 26, id, sizeof(id));
	at_read.scene = scene;
	at_read.write = put_all;
}

/* A block that changed while it was read, and is damaged, is read again. */
static void test_a_block_that_is_completed_while_it_is_read(void)
{
	FollowScene scene = follow_scene_new("completed", 0);

	put_half(&scene);
	follow_scene_open(&scene);
	at_read.scene = &scene;
	at_read.write = put_half_of_more;
	ASSERT_ROUND(&scene, "0:100 0:200 0:300", LTT_STEP_WAIT);
	CU_ASSERT_PTR_NULL(at_read.scene);
	ASSERT_LOSSES(&scene, "");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* Each time with another number of events, of which the second one is damaged. */
static void put_other_half(const FollowScene *scene)
{
	static const guint8 id[] = {99, 0};
	static guint n;

	follow_put_block(scene, "cpu/0", 0, 0, 100, 200, n++ % 2 == 0 ? 300 : 0);
	follow_write(scene, "cpu/0", 26, id, sizeof(id));
	at_read.scene = scene;
}

/* Damage is reported although the block changes at each read. */
static void test_a_damaged_block_that_always_changes(void)
{
	FollowScene scene = follow_scene_new("changes", 0);

	put_half(&scene);
	follow_scene_open(&scene);
	at_read.scene = &scene;
	at_read.write = put_other_half;
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_ERROR);
	at_read.scene = NULL;
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void test_a_read_that_fails(void)
{
	FollowScene scene = follow_scene_new("fails", 0);
	g_autoptr(GError) error = NULL;
	const LttEvent *event;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_scene_open(&scene);
	at_read.scene = &scene;
	at_read.write = NULL;
	at_read.errnum = EIO;
	CU_ASSERT_EQUAL(ltt_follow_next(scene.follow, &event, &error), LTT_STEP_ERROR);
	UNIT_ASSERT_TEXT(error->message,
			 "cpu/0: block 0: byte 0: could not read: Input/output error");
	ltt_follow_skip_block(scene.follow);
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 0, 0);
	ASSERT_ROUND(&scene, "0:400", LTT_STEP_WAIT);
	at_read.errnum = 0;
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* The events that were read before are not returned again. */
static void test_a_read_of_more_that_fails(void)
{
	FollowScene scene = follow_scene_new("more-fails", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100 0:200", LTT_STEP_WAIT);
	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	at_read.scene = &scene;
	at_read.write = NULL;
	at_read.errnum = EIO;
	ASSERT_ROUND(&scene, "", LTT_STEP_ERROR);
	CU_ASSERT_PTR_NULL(at_read.scene);
	ltt_follow_skip_block(scene.follow);
	follow_put_block(&scene, "cpu/0", 1, 1, 400, 0, 0);
	ASSERT_ROUND(&scene, "0:400", LTT_STEP_WAIT);
	at_read.errnum = 0;
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

/* A failed read is an error of the block, not a block without events. */
static void test_loading_fails_with_the_read(void)
{
	FollowScene scene = follow_scene_new("load-fails", 0);
	g_autoptr(GError) error = NULL;
	LttTracefile *file;
	LttBlock block;

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 200, 300);
	follow_scene_open(&scene);
	file = ltt_trace_get_tracefile(scene.trace, 1);
	CU_ASSERT_EQUAL_FATAL(ltt_tracefile_get_n_ordered(file), 1);
	ltt_block_init(&block);
	at_read.scene = &scene;
	at_read.write = NULL;
	at_read.errnum = EIO;
	CU_ASSERT_FALSE(ltt_block_load(&block, file, 0, &error));
	at_read.errnum = 0;
	CU_ASSERT_PTR_NULL(at_read.scene);
	UNIT_ASSERT_TEXT(error->message,
			 "cpu/0: block 0: byte 0: could not read: Input/output error");
	CU_ASSERT_TRUE(ltt_block_load(&block, file, 0, NULL));
	CU_ASSERT_EQUAL(block.n_events, 3);
	ltt_block_clear(&block);
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

static void put_rest_and_next(const FollowScene *scene)
{
	put_all(scene);
	follow_put_block(scene, "cpu/0", 1, 1, 310, 0, 0);
}

/* The writer leaves the block after the reader has found no next one: its last events come first. */
static void test_a_block_that_is_left_while_the_reader_looks(void)
{
	FollowScene scene = follow_scene_new("leaves", 0);

	follow_put_block(&scene, "cpu/0", 0, 0, 100, 0, 0);
	follow_scene_open(&scene);
	ASSERT_ROUND(&scene, "0:100", LTT_STEP_WAIT);
	at_read.scene = &scene;
	at_read.write = put_rest_and_next;
	at_read.size = LTT_BLOCK_EVENT_BYTES;
	ASSERT_ROUND(&scene, "", LTT_STEP_WAIT);
	at_read.size = 0;
	CU_ASSERT_PTR_NULL(at_read.scene);
	ASSERT_ROUND(&scene, "0:200 0:300 0:310", LTT_STEP_WAIT);
	ASSERT_LOSSES(&scene, "");
	follow_scene_end(&scene);
	follow_scene_clear(&scene);
}

UNIT_MAIN("follow-races", UNIT(test_a_block_that_is_overwritten_during_the_read),
	  UNIT(test_damage_while_the_writer_writes),
	  UNIT(test_a_block_that_is_completed_while_it_is_read),
	  UNIT(test_a_damaged_block_that_always_changes), UNIT(test_a_read_that_fails),
	  UNIT(test_a_read_of_more_that_fails), UNIT(test_loading_fails_with_the_read),
	  UNIT(test_a_block_that_is_left_while_the_reader_looks))
