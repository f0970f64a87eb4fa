/* probe.c - traces that a program starts by itself. */
#define _GNU_SOURCE
#include "create.h"
#include "process.h"

#include "atomic.h"

#include <errno.h>

int ltt_probe_start(const char *dir, const struct ltt_probe_options *options)
{
	int saved = errno, result;

	lttp_process_start();
	if (lttp_load(&lttp_probe.tracing))
		return -EBUSY;
	result = lttp_session_create(dir, options);
	if (result == 0) {
		result = lttp_process_join(dir);
		if (result != 0)
			lttp_session_remove(dir);
		lttp_probe.made = result == 0;
	}
	errno = saved;
	return result;
}

void ltt_probe_stop(void)
{
	int saved = errno;

	if (lttp_load(&lttp_probe.tracing))
		lttp_process_leave();
	errno = saved;
}
