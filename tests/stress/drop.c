/* drop.c - a traced program that drops its privileges.
 *
 *	drop WAY WHO CPUS FOLDER [TRACE]
 *
 * Traces numbered events on the first CPU, drops privileges in one of the ways below, and traces as
 * many on each of the other CPUs, on which it has not run before: in the same thread, in a new
 * thread, in a forked child, or in a program that it executes. Linked statically, to be executed
 * where no files exist. With TRACE it starts its own trace there. Exit status 77: the system does not
 * support this way.
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVENTS = 3000, CANNOT = 77, NOBODY = 65534 };

extern char **environ;

static int own_program = -1; /* to be executed again */
static const char *folder;   /* an empty one */
static int cpus;

static void expect(int done)
{
	if (!done)
		_exit(errno == ENOSYS || errno == EPERM || errno == EOPNOTSUPP || errno == EINVAL
			      ? CANNOT
			      : 1);
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	expect(sched_setaffinity(0, sizeof(set), &set) == 0);
}

static uint64_t trace_some(uint64_t number)
{
	uint64_t self = (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);

	for (int i = 0; i < EVENTS; i++)
		trace_demo_pair(self, number++);
	return number;
}

static void trace_elsewhere(uint64_t number)
{
	for (int cpu = 1; cpu < cpus; cpu++) {
		move_to(cpu);
		number = trace_some(number);
	}
}

/* ---- ways to drop ---- */

static void drop_user(void)
{
	expect(setresuid(NOBODY, NOBODY, NOBODY) == 0);
}

static void drop_groups(void)
{
	expect(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};

	expect(syscall(SYS_capset, &head, none) == 0);
}

static void drop_root(void)
{
	expect(chroot(folder) == 0 && chdir("/") == 0);
}

/* Hides the trace, which is in the parent directory. */
static void drop_mounts(void)
{
	char above[4096];

	snprintf(above, sizeof(above), "%s/..", folder);
	expect(unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", above, "tmpfs", 0, NULL) == 0);
}

static void drop_user_namespace(void)
{
	expect(unshare(CLONE_NEWUSER) == 0);
}

static void drop_descriptors(void)
{
	syscall(SYS_close_range, 0, ~0u, 0);
	own_program = -1;
}

static void drop_descriptors_and_user(void)
{
	drop_descriptors();
	drop_user();
}

static void drop_limit(void)
{
	struct rlimit none = {0, 0};

	expect(setrlimit(RLIMIT_NOFILE, &none) == 0);
}

/* Makes system calls that open files end with @action, by a seccomp filter. */
static void filter_calls(uint32_t action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, action),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void drop_calls(void)
{
	filter_calls(SECCOMP_RET_ERRNO | EPERM);
}

static void drop_calls_or_die(void)
{
	filter_calls(SECCOMP_RET_KILL_PROCESS);
}

static void drop_files(void)
{
	struct landlock_ruleset_attr all = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
				     LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG};
	struct landlock_path_beneath_attr own = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
						 .parent_fd = own_program};
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);

	expect(rules >= 0 &&
	       syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &own, 0) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_landlock_restrict_self, rules, 0) == 0);
}

static const struct {
	const char *name;
	void (*drop)(void);
} ways[] = {
	{"user", drop_user},
	{"groups", drop_groups},
	{"capabilities", drop_capabilities},
	{"root", drop_root},
	{"mounts", drop_mounts},
	{"user-namespace", drop_user_namespace},
	{"descriptors", drop_descriptors},
	{"limit", drop_limit},
	{"calls", drop_calls},
	{"calls-or-die", drop_calls_or_die},
	{"files", drop_files},
	{"descriptors-user", drop_descriptors_and_user},
};

static void drop(const char *way)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(ways[i].name, way) == 0)
			ways[i].drop();
	}
}

/* ---- threads and processes that trace afterwards ---- */

static void *run_thread(void *unused)
{
	trace_elsewhere(0);
	return unused;
}

static void trace_in_thread(void)
{
	pthread_t thread;

	expect(pthread_create(&thread, NULL, run_thread, NULL) == 0);
	pthread_join(thread, NULL);
}

static void trace_in_child(void)
{
	pid_t child = fork();
	int status;

	expect(child >= 0);
	if (child == 0) {
		trace_elsewhere(0);
		exit(0);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
}

static void trace_in_program(void)
{
	char number[] = "3000", count[16];
	char *words[] = {(char *)"drop", (char *)"-", number, count, NULL};

	snprintf(count, sizeof(count), "%d", cpus);

	if (own_program < 0)
		execve("/proc/self/exe", words, environ);
	else
		syscall(SYS_execveat, own_program, "", words, environ, AT_EMPTY_PATH);
	_exit(1);
}

int main(int argc, char **argv)
{
	const char *way = argc > 2 ? argv[1] : "", *who = argc > 2 ? argv[2] : "";
	const struct ltt_probe_options options = {.size_bytes = sizeof(options),
						  .block_bytes = 4096};
	uint64_t number;

	cpus = argc > 3 ? atoi(argv[3]) : 0;
	if (strcmp(way, "-") == 0) {
		trace_elsewhere(strtoull(who, NULL, 10));
		return 0;
	}
	folder = argc > 4 ? argv[4] : "";
	own_program = open("/proc/self/exe", O_RDONLY);
	if (argc > 5)
		expect(ltt_probe_start(argv[5], &options) == 0);
	move_to(0);
	number = trace_some(0);
	drop(way);
	if (strcmp(who, "thread") == 0)
		trace_in_thread();
	else if (strcmp(who, "child") == 0)
		trace_in_child();
	else if (strcmp(who, "program") == 0)
		trace_in_program();
	else
		trace_elsewhere(number);
	return 0;
}
