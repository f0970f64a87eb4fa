/* register.c - what the constructors and destructors of generated headers call.
 *
 * The first constructor may come before that of process.c, so the process joins its session here,
 * too.
 */
#define _GNU_SOURCE
#include "probe/facility.h"
#include "probe/process.h"
#include "probe/threads.h"

#include <errno.h>

void ltt_probe_register(struct ltt_probe_facility *facility)
{
	int saved = errno;

	lttp_process_start();
	if (!lttp_threads_can())
		lttp_process_keep(facility);
	lttp_facilities_add(facility);
	errno = saved;
}

void ltt_probe_unregister(struct ltt_probe_facility *facility)
{
	lttp_facilities_remove(facility);
}
