/* filtered.c - trace with a filter that kills the process for any system call that doc/daemons.md does not list.
 *
 *	filtered N [THREADS]    some threads, two if the number is not given, and three forked processes trace N events
 *	                        each and call exit(3)
 *
 * Restartable sequences that are switched off (LTT_TRACE_RSEQ=0, or in glibc) need more system calls.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOW(NUMBER)                                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NUMBER, 0, 1),                                         \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static pthread_barrier_t barrier;
static uint64_t n_events;

static void filter_calls(bool lanes)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		/* doc/daemons.md */
		ALLOW(SYS_futex),
		ALLOW(SYS_mremap),
		ALLOW(SYS_munmap),
		ALLOW(SYS_madvise),
		ALLOW(SYS_rt_sigprocmask),
		ALLOW(SYS_gettid),
		ALLOW(SYS_getpid),
		ALLOW(SYS_getppid),
		ALLOW(SYS_prctl),
		ALLOW(SYS_membarrier),
		/* In lanes. */
		ALLOW(lanes ? SYS_tgkill : SYS_getpid),
		ALLOW(lanes ? SYS_kill : SYS_getpid),
		ALLOW(lanes ? SYS_sigaltstack : SYS_getpid),
		ALLOW(lanes ? SYS_clock_nanosleep : SYS_getpid),
		/* The program itself. */
		ALLOW(SYS_clone),
		ALLOW(SYS_set_robust_list),
		ALLOW(SYS_wait4),
		ALLOW(SYS_exit),
		ALLOW(SYS_exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
		exit(77);
}

static void trace(uint64_t who)
{
	for (uint64_t i = 0; i < n_events; i++)
		trace_demo_pair(who, i);
}

static void *run(void *unused)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	trace(1);
	pthread_barrier_wait(&barrier);
	/* Lives until exit(). */
	pthread_barrier_wait(&barrier);
	return unused;
}

int main(int argc, char **argv)
{
	const unsigned n_threads = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
	const char *rseq = getenv("LTT_TRACE_RSEQ");
	pthread_t thread;
	int status = 1;

	n_events = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	if (n_events == 0 || n_threads == 0)
		return 2;
	pthread_barrier_init(&barrier, NULL, n_threads);
	for (unsigned i = 1; i < n_threads; i++) {
		if (pthread_create(&thread, NULL, run, NULL) != 0)
			return 2;
	}
	pthread_barrier_wait(&barrier);
	filter_calls((rseq != NULL && strcmp(rseq, "0") == 0) || getenv("GLIBC_TUNABLES") != NULL);
	pthread_barrier_wait(&barrier);
	trace(0);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (child == 0) {
			trace(2);
			exit(0);
		}
		if (waitpid(child, &status, 0) != child || status != 0)
			exit(1);
	}
	exit(0);
}
