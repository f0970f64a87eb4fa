/* support-follow.h - a recording whose blocks a test writes one by one. */
#ifndef SUPPORT_FOLLOW_H
#define SUPPORT_FOLLOW_H

#include <ltt/ltt-follow.h>
#include <ltt/ltt-time.h>

#define BLOCK_BYTES 96
#define N_CPUS      4
/* Times of a few ns are in the past; NOW_NS, an hour later, is the present. */
#define NOW_NS   (3600 * (guint64)LTT_NS_PER_S)
#define DELAY_MS LTT_MIN_FOLLOW_DELAY_MS

/* A trace that is being recorded. */
typedef struct FollowScene {
	char *path;
	LttTrace *trace;
	LttFollow *follow;
	int keeper_fd;
} FollowScene;

/* Creates a trace with info/session, without blocks, in a temporary folder. @flight_blocks: 0: not a
 * flight recorder */
FollowScene follow_scene_new(const char *name, guint32 flight_blocks);

/* Opens the trace and starts to follow it. */
void follow_scene_open(FollowScene *scene);

/* Ends the recording. */
void follow_scene_end(FollowScene *scene);
void follow_scene_clear(FollowScene *scene);

/* Writes @size bytes at @offset of a file of the trace. */
void follow_write(const FollowScene *scene, const char *name, guint64 offset, gconstpointer bytes,
		  gsize size);

/* Writes info/session. */
void follow_write_session(const FollowScene *scene, guint32 block_bytes, guint32 flight_blocks);

/* Writes a block with a block_start, and with a heartbeat and a block_end if their times are not 0. */
void follow_put_block(const FollowScene *scene, const char *name, guint64 place, guint32 id,
		      guint64 start_ns, guint64 beat_ns, guint64 end_ns);

/* Compares the events up to the next wait with "CPU:TIME CPU:TIME ...", and how they end. */
void follow_assert_round(FollowScene *scene, const char *expected, LttStep end, int line);
#define ASSERT_ROUND(scene, expected, end) follow_assert_round(scene, expected, end, __LINE__)

/* Compares the reported losses. */
void follow_assert_losses(const FollowScene *scene, const char *expected, int line);
#define ASSERT_LOSSES(scene, expected) follow_assert_losses(scene, expected, __LINE__)

#endif
