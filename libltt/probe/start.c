/* start.c - the functions called by the program's constructors, destructors, fork() and exit(). See
 * start.h. */
#define _GNU_SOURCE
#include "probe/start.h"

#include "probe/attach.h"
#include "probe/borrow.h"
#include "probe/copies.h"
#include "probe/facility.h"
#include "probe/lane.h"
#include "probe/process.h"
#include "probe/rseq.h"
#include "probe/self.h"
#include "probe/threads.h"
#include "session/atomic.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Functions that this library replaces, so that a program with the static one has them even if only its libraries
 * call them. */
__attribute__((used)) static const struct {
	__typeof__(vfork) *vfork;
	__typeof__(clone) *clone;
	__typeof__(prctl) *prctl;
} replaced = {vfork, clone, prctl};

/* A child in the memory of its parent changes nothing there: it may be killed in fork(). */
static void before_fork(void)
{
	if (lttp_is_borrower())
		return;
	lttp_process_expect_fork();
	lttp_facilities_begin_fork();
}

static void after_fork(void)
{
	if (!lttp_is_borrower())
		lttp_facilities_end_fork();
}

/* For kernels that do not empty the pages of MADV_WIPEONFORK in a child. */
static void after_fork_in_child(void)
{
	lttp_facilities_reset();
	lttp_borrow_fork();
	lttp_attach_reset();
	lttp_process_reset();
}

static void at_exit(int status, void *unused)
{
	uint32_t pass = lttp_attach_pass();

	(void)unused;
	if (pass != LTTP_PASS_NONE)
		lttp_process_say_farewell(status & 0xff);
	if (pass != LTTP_PASS_NONE && lttp_load(&lttp_probe.tracing) &&
	    lttp_probe.session.is_foreign)
		lttp_lanes_give_back(&ltt_probe_thread);
	lttp_attach_exit(pass);
}

/* A strong reference to it draws a linker warning in a static program, which has no dlopen(). */
#pragma weak dlsym

/* Whether the library was linked so that it is never unloaded. */
static bool is_kept(const struct link_map *library)
{
	for (const ElfW(Dyn) *entry = library->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_FLAGS_1)
			return (entry->d_un.d_val & DF_1_NODELETE) != 0;
	}
	return false;
}

/* Prevents the library that contains @inside from being unloaded. Before the constructor of libc, which that
 * of ltt-preload.so precedes, dlopen() would initialize libc without the arguments of the program. */
static void keep_loaded(const void *inside)
{
	union {
		void *address;
		__typeof__(dlopen) *open;
		__typeof__(dladdr1) *find;
	} find, open;
	struct link_map *library = NULL;
	Dl_info info;

	find.address = dlsym != NULL ? dlsym(RTLD_DEFAULT, "dladdr1") : NULL;
	open.address = dlsym != NULL ? dlsym(RTLD_DEFAULT, "dlopen") : NULL;
	if (find.address != NULL && open.address != NULL &&
	    find.find(inside, &info, (void **)&library, RTLD_DL_LINKMAP) != 0 && library != NULL &&
	    !is_kept(library) && info.dli_fname != NULL)
		open.open(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* A variable of the environment; NULL if it is unset or empty, or the program is setuid. */
static const char *given(const char *name)
{
	const char *value = secure_getenv(name);

	return value != NULL && *value != 0 ? value : NULL;
}

static void begin(void)
{
	const char *directory = given("LTT_TRACE_DIR"), *broker = given("LTT_TRACE_SOCKET");

	/* The kernel, libc and running threads keep addresses in this library. */
	keep_loaded(&lttp_probe);
	lttp_rseq_find();
	lttp_copies_begin();
	lttp_threads_begin();
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
	on_exit(at_exit, NULL);
	lttp_facilities_lock();
	lttp_attach_claim();
	if (directory != NULL || broker != NULL)
		lttp_process_join_privately(directory, broker, LTTP_SESSION_ATTACH_GIVEN);
	lttp_facilities_unlock();
}

void lttp_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, begin);
}

static void __attribute__((constructor)) construct(void)
{
	lttp_start();
}

void ltt_probe_register(struct ltt_probe_facility *facility)
{
	int saved = errno;

	lttp_start();
	if (!lttp_threads_can())
		keep_loaded(facility);
	lttp_facilities_add(facility);
	errno = saved;
}

void ltt_probe_unregister(struct ltt_probe_facility *facility)
{
	lttp_facilities_remove(facility);
}
