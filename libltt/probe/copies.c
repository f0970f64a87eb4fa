/* copies.c - see copies.h. */
#define _GNU_SOURCE
#include "probe/copies.h"

#include "probe/attach.h"
#include "probe/borrow.h"
#include "probe/self.h"
#include "session/atomic.h"
#include "session/sys.h"

#include <dlfcn.h>
#include <link.h>
#include <ltt/ltt-probe.h>
#include <string.h>

enum { COPIES = 15 };

/* The copies of the library in the process. */
struct copies {
	/* Distance of the thread-local variables from the thread pointer; 0 after the last. */
	uint64_t at[COPIES + 1];
	void (*prepare[COPIES])(void); /* lttp_borrow_prepare() of each */
	void (*report[COPIES])(void);  /* report_now() of each */
};

__attribute__((visibility("hidden"))) struct copies lttp_copies;

/* The same for other copies. A library that exports its vfork() exports this, too. */
extern struct copies ltt_probe_copies LTT_PROBE_API __attribute__((alias("lttp_copies")));

/* A strong reference to it draws a linker warning in a static program. */
#pragma weak dlsym

static char *thread_pointer(void)
{
	char *at;

#if defined(__x86_64__) && defined(__LP64__)
	__asm__("movq %%fs:0, %0" : "=r"(at));
#elif defined(__aarch64__) && defined(__LP64__)
	__asm__("mrs %0, tpidr_el0" : "=r"(at));
#else
	at = (char *)__builtin_thread_pointer();
#endif
	return at;
}

/* What stands before the code of vfork(). */
struct prefix {
	uint64_t magic;
	int64_t copies_at; /* distance of lttp_copies from this word */
};

/* A handle of the program, for dlsym(): without one, a library that was linked with -Bsymbolic, or opened with
 * RTLD_DEEPBIND, finds its own functions first. */
static void *find_program(void)
{
	union {
		void *address;
		__typeof__(dladdr1) *find;
	} find = {.address = dlsym(RTLD_DEFAULT, "dladdr1")};
	struct link_map *at = NULL;
	Dl_info info;

	if (find.address == NULL ||
	    find.find(&lttp_copies, &info, (void **)&at, RTLD_DL_LINKMAP) == 0 || at == NULL)
		return RTLD_DEFAULT;
	while (at->l_prev != NULL)
		at = at->l_prev;
	return at;
}

/* The list of the copy whose vfork() the program calls; NULL: it is not one of this library. In a program that is not
 * position-independent and takes the address of vfork(), the symbol is that of code that jumps there. */
static struct copies *find_first(void)
{
	void *program = dlsym != NULL ? find_program() : NULL;
	const char *code = dlsym != NULL ? dlsym(program, "vfork") : NULL;
	struct prefix prefix;

	if (code == NULL)
		return NULL;
	memcpy(&prefix, code - sizeof(prefix), sizeof(prefix));
	if (prefix.magic != LTTP_COPIES_MAGIC)
		return dlsym(program, "ltt_probe_copies");
	return (struct copies *)(uintptr_t)(code - sizeof(prefix.copies_at) + prefix.copies_at);
}

static void report_now(void)
{
	uint64_t signals;
	uint32_t pass;

	if (!lttp_load(&lttp_probe.tracing) || lttp_load(&lttp_probe.process->borrower_lost) == 0)
		return;
	lttp_block_signals(&signals);
	pass = lttp_attach_pass();
	if (pass != LTTP_PASS_NONE && lttp_load(&lttp_probe.tracing))
		lttp_borrow_report();
	lttp_attach_exit(pass);
	lttp_restore_signals(&signals);
}

static void register_in(struct copies *copies)
{
	const uint64_t own = (uint64_t)((char *)&ltt_probe_thread - thread_pointer());

	for (int i = 0; i < COPIES; i++) {
		if (lttp_load(&copies->at[i]) == own)
			return;
		if (lttp_load(&copies->at[i]) == 0 && lttp_replace(&copies->at[i], 0, own)) {
			lttp_store(&copies->prepare[i], lttp_borrow_prepare);
			lttp_store(&copies->report[i], report_now);
			return;
		}
	}
}

void lttp_copies_begin(void)
{
	struct copies *first = find_first();

	register_in(&lttp_copies);
	if (first != NULL)
		register_in(first);
}

static void mark(uint32_t vforked)
{
	for (const uint64_t *own = lttp_copies.at; *own != 0; own++) {
		struct ltt_probe_thread *thread =
			(struct ltt_probe_thread *)(void *)(thread_pointer() + *own);

		__atomic_store_n(&thread->vforked, vforked, __ATOMIC_RELAXED);
		__atomic_store_n(&thread->mode, LTT_PROBE_MODE_NONE, __ATOMIC_RELAXED);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void call_each(void (**functions)(void))
{
	for (int i = 0; i < COPIES; i++) {
		void (*function)(void) = lttp_load(&functions[i]);

		if (function != NULL)
			function();
	}
}

__attribute__((used)) uint32_t lttp_copies_enter(void)
{
	uint32_t was;

	call_each(lttp_copies.prepare);
	was = ltt_probe_thread.vforked;
	mark(1);
	return was;
}

/* A handler that has forked this process before the system call can have taken the mark away. */
__attribute__((used)) void lttp_copies_begin_child(void)
{
	mark(1);
}

__attribute__((used)) pid_t lttp_copies_leave(long result, uint32_t was)
{
	const int saved = errno;

	mark(was);
	call_each(lttp_copies.report);
	errno = saved;
	if (result >= 0)
		return (pid_t)result;
	errno = (int)-result;
	return -1;
}
