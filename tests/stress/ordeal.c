/* ordeal.c - trace while threads are cancelled, children forked, descriptors closed and so on.
 *
 *	ordeal WHAT [ARGUMENT]...
 *
 * Traces numbered events as storm.c does, and prints the numbers of calls that began and that
 * returned: an event of the others may be in the trace, and need not be counted as lost.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	EVENTS = 3000,
	CHUNK_EVENTS = 300000, /* 6 MB */
	THREADS = 4,
	ROUNDS = 40,
	CHILDREN = 8,
	STACK_BYTES = 8192,
	CLONE_STACK_BYTES = 65536,
	LONG_BYTES = 300,
	BLOCK_BYTES = 4096,
};

extern char **environ;

/* Shared with all children. */
static struct {
	uint64_t begun, returned;
} * counts;

static __thread uint64_t number, handled;

static uint64_t self(void)
{
	return (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
}

static void trace_one(uint64_t who, uint64_t event)
{
	__atomic_add_fetch(&counts->begun, 1, __ATOMIC_RELAXED);
	trace_demo_pair(who, event);
	__atomic_add_fetch(&counts->returned, 1, __ATOMIC_RELAXED);
}

static void trace_some(uint64_t events)
{
	uint64_t me = self();

	while (events-- > 0)
		trace_one(me, number++);
}

static void *run_thread(void *unused)
{
	trace_some(EVENTS);
	return unused;
}

static void trace_in_threads(void)
{
	pthread_t threads[THREADS];
	int n = 0;

	while (n < THREADS && pthread_create(&threads[n], NULL, run_thread, NULL) == 0)
		n++;
	trace_some(EVENTS);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

/* Closes all file descriptors, those of the probe included. */
static void close_all(void)
{
	trace_some(100);
	syscall(SYS_close_range, 3, ~0u, 0);
	trace_in_threads();
}

/* Sets a resource limit, such as that of file size or of descriptors. */
static void limit(int resource, rlim_t most)
{
	struct rlimit limit = {most, most};

	trace_some(100);
	setrlimit(resource, &limit);
	trace_in_threads();
}

/* Traces more events than the mapped part of a tracefile can hold. */
static void trace_without_memory(void)
{
	struct rlimit limit = {0, 0};

	trace_some(100);
	setrlimit(RLIMIT_AS, &limit);
	trace_some(CHUNK_EVENTS);
}

/* Makes a system call fail with an error, by a seccomp filter. */
static void refuse(const char *name, int error)
{
	static const struct {
		const char *name;
		int number;
	} calls[] = {
		{"fallocate", SYS_fallocate},   {"openat", SYS_openat},
		{"madvise", SYS_madvise},       {"ftruncate", SYS_ftruncate},
		{"membarrier", SYS_membarrier}, {"fcntl", SYS_fcntl},
	};
	uint32_t answer = SECCOMP_RET_ERRNO | (uint32_t)error;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(calls[i].name, name) == 0)
			filter[1].k = (uint32_t)calls[i].number;
	}
	trace_some(100);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		exit(1);
	trace_in_threads();
}

static void trace_text(const char *text, int32_t length, uint16_t flags)
{
	__atomic_add_fetch(&counts->begun, 1, __ATOMIC_RELAXED);
	trace_demo_open(text, length, flags);
	__atomic_add_fetch(&counts->returned, 1, __ATOMIC_RELAXED);
}

static volatile char changing[LONG_BYTES];
static int changed_enough;

static void *change_text(void *unused)
{
	while (!__atomic_load_n(&changed_enough, __ATOMIC_ACQUIRE)) {
		for (size_t i = 0; i < sizeof(changing) - 1; i++)
			changing[i] = changing[i] == 'a' ? 'b' : i % 5 == 0 ? 0 : 'a';
	}
	return unused;
}

/* Strings of all lengths, also too long for a block; NULL; a string that another thread changes. */
static void trace_strings(void)
{
	static char text[3 * BLOCK_BYTES];
	pthread_t changer;

	memset(text, 'x', sizeof(text) - 1);
	for (int32_t i = 0; i < (int32_t)sizeof(text); i += i < 2 * BLOCK_BYTES ? 7 : 997)
		trace_text(text + sizeof(text) - 1 - i, i, 0);
	trace_text(NULL, 0, 0);
	if (pthread_create(&changer, NULL, change_text, NULL) != 0)
		exit(1);
	for (int i = 0; i < EVENTS; i++)
		trace_text((const char *)changing, i, 1);
	__atomic_store_n(&changed_enough, 1, __ATOMIC_RELEASE);
	pthread_join(changer, NULL);
}

/* Forks children and grandchildren, which exit in different ways. */
static void fork_children(int depth)
{
	for (int i = 0; i < 3 && depth > 0; i++) {
		pid_t child = fork();

		if (child == 0) {
			number = 0;
			trace_some(50);
			fork_children(depth - 1);
			trace_some(50);
			if (i == 0)
				exit(0);
			if (i == 1)
				_exit(0);
			raise(SIGKILL);
		}
		trace_some(50);
	}
	while (wait(NULL) > 0)
		;
}

/* Events of a child of vfork() count as lost and damage nothing. */
static void vfork_child(int runs_program)
{
	pid_t child = vfork();

	if (child == 0) {
		trace_one(1, 0);
		if (runs_program)
			execl("/bin/true", "true", (char *)NULL);
		_exit(0);
	}
	trace_some(50);
	waitpid(child, NULL, 0);
}

static int be_cloned(void *runs_program)
{
	trace_one(1, 0);
	if (runs_program != NULL)
		execl("/bin/true", "true", (char *)NULL);
	_exit(0);
}

/* The same for clone(2), which starts the child on another stack. */
static void clone_child(int runs_program)
{
	char *stack = malloc(CLONE_STACK_BYTES);
	int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
	pid_t child =
		clone(be_cloned, stack + CLONE_STACK_BYTES, flags, runs_program ? stack : NULL);

	trace_some(50);
	waitpid(child, NULL, 0);
	free(stack);
}

static void (*make_child)(int runs_program);

static void vfork_children(void)
{
	for (int i = 0; i < ROUNDS; i++)
		make_child(i % 2);
}

static void *vfork_thread(void *unused)
{
	vfork_children();
	return unused;
}

static void vfork_in_threads(void (*make)(int runs_program))
{
	pthread_t other, tracer;

	make_child = make;
	pthread_create(&tracer, NULL, run_thread, NULL);
	pthread_create(&other, NULL, vfork_thread, NULL);
	vfork_children();
	pthread_join(other, NULL);
	pthread_join(tracer, NULL);
}

static void spawn_children(const char *program, const char *what)
{
	char *words[] = {(char *)program, (char *)what, NULL};
	pid_t children[CHILDREN];

	for (int i = 0; i < CHILDREN; i++) {
		trace_some(20);
		if (posix_spawn(&children[i], program, NULL, NULL, words, environ) != 0)
			exit(1);
	}
	for (int i = 0; i < CHILDREN; i++)
		waitpid(children[i], NULL, 0);
}

static void *trace_until_cancelled(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	trace_some(EVENTS);
	pause();
	return unused;
}

/* Cancels threads at random instructions. */
static void cancel_threads(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_t threads[THREADS];

		for (int k = 0; k < THREADS; k++)
			pthread_create(&threads[k], NULL, trace_until_cancelled, NULL);
		trace_some(200);
		for (int k = 0; k < THREADS; k++) {
			pthread_cancel(threads[k]);
			pthread_join(threads[k], NULL);
		}
	}
}

/* Returns: the next number of an event in a handler; another handler cannot take the same one */
static uint64_t take_number(void)
{
	return __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

/* Signal handlers trace, interrupt each other, and have small stacks. */
static void on_signal(int signal)
{
	char text[LONG_BYTES];
	int saved = errno;

	trace_one(1ull << 63 | self(), take_number());
	if (signal >= SIGRTMIN && signal < SIGRTMIN + 5)
		raise(signal + 1);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	__atomic_add_fetch(&counts->begun, 1, __ATOMIC_RELAXED);
	trace_demo_open(text, signal, 0);
	__atomic_add_fetch(&counts->returned, 1, __ATOMIC_RELAXED);
	errno = saved;
}

static void handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(signal, &action, NULL);
}

static void start_timer(long us)
{
	struct itimerval timer = {{0, us}, {0, us}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void *trace_on_small_stack(void *stack)
{
	stack_t small = {.ss_sp = stack, .ss_size = STACK_BYTES};

	sigaltstack(&small, NULL);
	trace_some(EVENTS * 10);
	return NULL;
}

static void nest_signals(void)
{
	static char stack[STACK_BYTES];

	for (int i = 0; i < 6; i++)
		handle(SIGRTMIN + i, on_signal, SA_RESTART | SA_NODEFER);
	handle(SIGALRM, on_signal, SA_RESTART | SA_ONSTACK);
	start_timer(200);
	trace_on_small_stack(stack);
	for (int i = 0; i < ROUNDS; i++)
		raise(SIGRTMIN);
	start_timer(0);
}

static sigjmp_buf back;

static void jump(int signal)
{
	trace_one(1ull << 63 | self(), take_number());
	siglongjmp(back, signal);
}

/* Signal handlers leave the interrupted code by siglongjmp(3). */
static void jump_out(void)
{
	uint64_t me = self();
	volatile int jumps = 0;

	handle(SIGALRM, jump, 0);
	if (sigsetjmp(back, 1) != 0)
		jumps++;
	start_timer(jumps < ROUNDS ? 100 : 0);
	while (jumps < ROUNDS)
		trace_one(me, number++);
	trace_some(100);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (counts == MAP_FAILED)
		return 1;
	if (strcmp(what, "nothing") == 0)
		trace_in_threads();
	else if (strcmp(what, "close") == 0)
		close_all();
	else if (strcmp(what, "fsize") == 0)
		limit(RLIMIT_FSIZE, 20000);
	else if (strcmp(what, "nofile") == 0)
		limit(RLIMIT_NOFILE, 0);
	else if (strcmp(what, "memory") == 0)
		limit(RLIMIT_AS, 0);
	else if (strcmp(what, "cramped") == 0)
		trace_without_memory();
	else if (strcmp(what, "refuse") == 0 && argc > 3)
		refuse(argv[2], atoi(argv[3]));
	else if (strcmp(what, "strings") == 0)
		trace_strings();
	else if (strcmp(what, "fork") == 0)
		fork_children(4);
	else if (strcmp(what, "vfork") == 0)
		vfork_in_threads(vfork_child);
	else if (strcmp(what, "clone") == 0)
		vfork_in_threads(clone_child);
	else if (strcmp(what, "spawn") == 0 && argc > 2)
		spawn_children(argv[0], argv[2]);
	else if (strcmp(what, "cancel") == 0)
		cancel_threads();
	else if (strcmp(what, "signals") == 0)
		nest_signals();
	else if (strcmp(what, "jump") == 0)
		jump_out();
	else
		return 2;
	printf("%llu %llu\n", (unsigned long long)counts->begun,
	       (unsigned long long)counts->returned);
	return 0;
}
