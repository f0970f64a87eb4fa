/* tracee.c - a program to attach to, which executes commands from standard input.
 *
 * Prints a line when a command is done:
 *
 *	N            trace N events demo.pair: the thread (pid << 32 | tid) and a count that continues
 *	             from command to command
 *	fork N       fork a child that traces N events, counting from 0
 *	child        fork a child that waits
 *	children N   fork N children that do nothing
 *	child N      have that child trace N events, counting from 0
 *	killed N     kill N children, one after the other, that trace long texts
 *	thread N     trace N events in a new thread
 *	load FILE    load a plugin (plugin.c), and trace its 100 events
 *	unload       unload it
 *	exec         execute this program again
 *	spawn FILE   execute a file in a child
 *	user UID     become another user
 *	root DIR     change the root directory
 *	leave N      trace in this thread until a signal handler has left it N times by siglongjmp()
 *	spin N       trace in N threads without end, as fast as possible
 *	work N       trace in N threads without end, with other work in between
 *	filter       install a seccomp filter that allows everything
 *	filter open  install one that kills the process when it opens a file
 *	filter aside install that one without the functions of libc
 *	filter stack install one that kills the process when it asks for its alternate signal stack
 *	start DIR    start a trace of its own
 *	stop         stop it
 */
#define _GNU_SOURCE
#include "probe/demo-trace.h"

#include <dlfcn.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORK = 20000, LEAVE_US = 100, LONG = 3000 };

static __thread uint64_t number;
static void *plugin;

static uint64_t self(void)
{
	return (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
}

static void trace(uint64_t n)
{
	uint64_t me = self();

	for (uint64_t i = 0; i < n; i++)
		trace_demo_pair(me, number++);
}

static void *run(void *data)
{
	trace(strtoull(data, NULL, 10));
	return NULL;
}

static sigjmp_buf before_event;
static volatile uint64_t n_to_leave;

static void leave(int unused)
{
	(void)unused;
	if (n_to_leave == 0)
		return;
	n_to_leave--;
	siglongjmp(before_event, 1);
}

/* Long texts take the slow path, in which the process cannot leave a session. */
static int leave_events(uint64_t n)
{
	const struct itimerval timer = {{0, LEAVE_US}, {0, LEAVE_US}}, none = {{0, 0}, {0, 0}};
	static char text[LONG];

	memset(text, 'x', sizeof(text) - 1);
	n_to_leave = n;
	signal(SIGALRM, leave);
	sigsetjmp(before_event, 1);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (n_to_leave > 0)
		trace_demo_open(text, 0, 0);
	setitimer(ITIMER_REAL, &none, NULL);
	return 0;
}

static void *spin(void *unused)
{
	for (;;)
		trace(UINT64_MAX);
	return unused;
}

static void *toil(void *unused)
{
	for (;;) {
		trace(1);
		for (volatile int i = 0; i < WORK; i++)
			;
	}
	return unused;
}

static int in_thread(void *(*start)(void *), char *data, int waits)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, start, data) != 0)
		return -1;
	return waits ? pthread_join(thread, NULL) : pthread_detach(thread);
}

static int in_child(const char *data)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		number = 0;
		trace(strtoull(data, NULL, 10));
		_exit(0);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid ? -1 : status;
}

static int fork_children(uint64_t n)
{
	while (n-- > 0) {
		pid_t pid = fork();

		if (pid < 0)
			return -1;
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
	}
	return 0;
}

static int kill_children(uint64_t n)
{
	static char text[LONG];
	int ends[2], status = 0;
	pid_t pid;
	char ready;

	memset(text, 'x', sizeof(text) - 1);
	while (n-- > 0) {
		if (pipe(ends) != 0 || (pid = fork()) < 0)
			return -1;
		if (pid == 0)
			for (trace_demo_open(text, 0, 0); write(ends[1], "", 1) == 1;)
				for (int i = 0; i < WORK; i++)
					trace_demo_open(text, 0, 0);
		if (read(ends[0], &ready, 1) != 1 || kill(pid, SIGKILL) != 0 ||
		    waitpid(pid, &status, 0) != pid)
			return -1;
		close(ends[0]);
		close(ends[1]);
	}
	return !WIFSIGNALED(status);
}

/* A child that stays: it traces as many events as it reads from a pipe, and answers. */
static int with_child(const char *data)
{
	static int to[2], from[2];
	uint64_t n = strtoull(data, NULL, 10);

	if (n == 0) {
		if (pipe(to) != 0 || pipe(from) != 0)
			return -1;
		if (fork() != 0)
			return 0;
		number = 0;
		close(to[1]);
		while (read(to[0], &n, sizeof(n)) == sizeof(n)) {
			trace(n);
			if (write(from[1], &n, sizeof(n)) != sizeof(n))
				break;
		}
		_exit(0);
	}
	return write(to[1], &n, sizeof(n)) != sizeof(n) ||
	       read(from[0], &n, sizeof(n)) != sizeof(n);
}

static int spawn(const char *path)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(path, path, NULL);
		_exit(1);
	}
	return pid < 0 ? -1 : 0;
}

static int load(const char *path)
{
	void (*work)(uint64_t);

	plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (plugin == NULL)
		return -1;
	*(void **)&work = dlsym(plugin, "plugin_work");
	work(self());
	return 0;
}

static int become(const char *uid)
{
	uid_t user = (uid_t)strtoul(uid, NULL, 10);

	return setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
	       setresuid(user, user, user) != 0;
}

static int filter(const char *what)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
			 strcmp(what, "stack") == 0 ? SYS_sigaltstack : SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, *what ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {4, lines};

	if (strcmp(what, "aside") == 0)
		return syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		       syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static int obey(const char *verb, char *data)
{
	int result = 0;

	if (strcmp(verb, "fork") == 0)
		return in_child(data);
	if (strcmp(verb, "child") == 0)
		return with_child(data);
	if (strcmp(verb, "children") == 0)
		return fork_children(strtoull(data, NULL, 10));
	if (strcmp(verb, "killed") == 0)
		return kill_children(strtoull(data, NULL, 10));
	if (strcmp(verb, "thread") == 0)
		return in_thread(run, data, 1);
	if (strcmp(verb, "leave") == 0)
		return leave_events(strtoull(data, NULL, 10));
	if (strcmp(verb, "load") == 0)
		return load(data);
	if (strcmp(verb, "unload") == 0)
		return dlclose(plugin);
	if (strcmp(verb, "exec") == 0)
		return execl("/proc/self/exe", "tracee", NULL);
	if (strcmp(verb, "spawn") == 0)
		return spawn(data);
	if (strcmp(verb, "user") == 0)
		return become(data);
	if (strcmp(verb, "root") == 0)
		return chroot(data) != 0 || chdir("/") != 0;
	if (strcmp(verb, "filter") == 0)
		return filter(data);
	if (strcmp(verb, "start") == 0)
		return ltt_probe_start(data, NULL);
	if (strcmp(verb, "stop") == 0)
		ltt_probe_stop();
	else if (strcmp(verb, "spin") == 0 || strcmp(verb, "work") == 0)
		for (int n = atoi(data); n > 0 && result == 0; n--)
			result = in_thread(*verb == 's' ? spin : toil, NULL, 0);
	else
		trace(strtoull(verb, NULL, 10));
	return result;
}

int main(void)
{
	char line[4096], *data;

	setvbuf(stdin, NULL, _IONBF, 0);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = 0;
		data = line + strcspn(line, " ");
		if (*data != 0)
			*data++ = 0;
		printf("%s\n", obey(line, data) == 0 ? "done" : "failed");
		fflush(stdout);
	}
	return 0;
}
