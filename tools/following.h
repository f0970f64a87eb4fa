/* following.h - the events of a trace as they are recorded, until that ends or the user has enough.
 */
#ifndef FOLLOWING_H
#define FOLLOWING_H

#include "reading.h"

#include <ltt/ltt-follow.h>

/* What is done with the events. */
typedef struct FollowingSink {
	gboolean (*take)(gpointer user_data, const LttEvent *event); /* FALSE: no more of them */
	void (*show)(gpointer user_data); /* those so far, as nothing may come for a while */
	gpointer user_data;
} FollowingSink;

/* Follows the trace of @reading, and says what went wrong, and what was lost. SIGINT, SIGTERM and
 * SIGHUP end it quietly; so does a closed pipe behind standard output.
 *
 * Returns: whether all events of the recording have been taken */
gboolean following_run(Reading *reading, guint delay_ms, const FollowingSink *sink);

#endif
