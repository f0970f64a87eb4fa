/* probe.c - traces that the program itself starts and stops. */
#define _GNU_SOURCE
#include "probe/attach.h"
#include "probe/facility.h"
#include "probe/process.h"
#include "probe/self.h"
#include "probe/start.h"
#include "session/anchor.h"
#include "session/atomic.h"
#include "session/create.h"
#include "session/file.h"
#include "session/finish.h"
#include "session/kept.h"
#include "session/open.h"
#include "session/snapshot.h"

#include <errno.h>
#include <stdlib.h>

/* The first block gives a tracefile its name, which the program may not be able to do later. */
static void keep_files(struct lttp_session *session)
{
	for (uint32_t i = 0; i < lttp_session_files(session->head); i++) {
		if (lttp_anchor_is_set(session, LTTP_ANCHOR_TRACEFILES + i))
			lttp_file_extend(session, i, 1);
	}
	lttp_kept_open(session);
}

int ltt_probe_start(const char *dir, const struct ltt_probe_options *options)
{
	int saved = errno, result;

	lttp_start();
	if (lttp_load(&lttp_probe.tracing))
		return -EBUSY;
	result = lttp_session_create(dir, options);
	if (result == 0) {
		lttp_facilities_lock();
		result = lttp_attach_shut()
				 ? lttp_process_join_privately(dir, NULL, LTTP_SESSION_ATTACH)
				 : -EBUSY;
		if (result == 0) {
			keep_files(&lttp_probe.session);
			lttp_probe.made = true;
		} else {
			lttp_session_remove(dir);
		}
		lttp_attach_open();
		lttp_facilities_unlock();
	}
	errno = saved;
	return result;
}

/* Ends the session through a second view of it, as `ltt record` does. */
static void finish(void)
{
	struct lttp_session *session = malloc(sizeof(*session));
	const char *directory = lttp_probe.session.directory;

	if (session != NULL && lttp_session_open(session, directory, LTTP_SESSION_WATCH) == 0) {
		lttp_session_end(session);
		lttp_process_leave();
		lttp_session_finish(session, false);
		lttp_session_close(session);
	} else {
		lttp_process_leave();
	}
	free(session);
}

void ltt_probe_stop(void)
{
	int saved = errno;

	lttp_facilities_lock();
	if (lttp_load(&lttp_probe.tracing)) {
		lttp_attach_shut();
		if (lttp_probe.made)
			finish();
		else
			lttp_process_leave();
		lttp_probe.made = false;
		lttp_attach_withdraw();
		lttp_facilities_share(true);
		lttp_attach_open();
	}
	lttp_facilities_unlock();
	errno = saved;
}

int ltt_probe_snapshot(const char *dir)
{
	struct lttp_copying copying = {0};
	int saved = errno, result = -ENOTCONN;
	uint32_t pass = lttp_attach_pass();

	if (pass != LTTP_PASS_NONE && lttp_process_epoch() != 0)
		result = lttp_snapshot(&lttp_probe.session, dir, &copying);
	lttp_attach_exit(pass);
	errno = saved;
	return result;
}
