/* following.h - follow a trace while it is being recorded. */
#ifndef FOLLOWING_H
#define FOLLOWING_H

#include "reading.h"

#include <ltt/ltt-follow.h>

/* Receives the events. */
typedef struct FollowingSink {
	gboolean (*take)(gpointer user_data, const LttEvent *event); /* returns FALSE to stop */
	void (*show)(gpointer user_data); /* flushes: the next event may be long in coming */
	gpointer user_data;
} FollowingSink;

/* Waits until a trace that is being recorded has an event of a program, or the recording has ended.
 * The signals and the pipe below end it, too, and then also following_run(). */
void following_await_start(LttTrace *trace, guint delay_ms);

/* Follows the trace of @reading and reports problems and losses. SIGINT, SIGTERM, SIGHUP and a
 * closed pipe on standard output end it without a message.
 *
 * Returns: whether @sink has received all events of the recording */
gboolean following_run(Reading *reading, guint delay_ms, const FollowingSink *sink);

#endif
