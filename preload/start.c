/* start.c - selects the facilities that the library records.
 *
 * The environment variable LTT_TRACE_PRELOAD names the sets, with commas between. This constructor
 * runs before those of all other libraries (-z initfirst), so that allocations in them are recorded.
 * At that time libc may not have set `environ`, which the probe reads. The priority is the highest
 * that programs may have, so that this constructor also runs before that of the probe.
 */
#define _GNU_SOURCE
#include "code.h"
#include "function-trace.h"
#include "io-trace.h"
#include "lock-trace.h"
#include "malloc-trace.h"
#include "next.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a list of words with commas between contains @name. */
static int contains(const char *list, const char *name)
{
	const size_t length = strlen(name);

	while (*list != 0) {
		const size_t word = strcspn(list, ",");

		if (word == length && memcmp(list, name, length) == 0)
			return 1;
		list += word;
		list += *list != 0;
	}
	return 0;
}

static void __attribute__((constructor(101))) start(int argc, char **argv, char **environment)
{
	const char *sets;

	(void)argc;
	(void)argv;
	if (environ == NULL)
		environ = environment;
	next_find_all();
	sets = secure_getenv("LTT_TRACE_PRELOAD");
	if (sets == NULL)
		return;
	pthread_atfork(NULL, NULL, code_forget);
	/* First, because events of the others name addresses. */
	ltt_probe_register(preload_facility_code);
	if (contains(sets, "functions"))
		ltt_probe_register(preload_facility_function);
	if (contains(sets, "io"))
		ltt_probe_register(preload_facility_io);
	if (contains(sets, "lock"))
		ltt_probe_register(preload_facility_lock);
	if (contains(sets, "malloc"))
		ltt_probe_register(preload_facility_malloc);
}
