/* held-signals.c - signals of a command that records. See held-signals.h. */
#define _GNU_SOURCE
#include "held-signals.h"

#include "tool.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* nohup(1) starts commands that ignore SIGHUP. A shell script starts all commands in the background
 * so that they ignore SIGINT and SIGQUIT, but kill(1) shall end a recording there. */
static gboolean is_ignored_for_good(int signal)
{
	struct sigaction action;

	return signal == SIGHUP && sigaction(signal, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}

gboolean held_signals_begin(HeldSignals *held, const int *also)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t mask;

	sigemptyset(&mask);
	for (guint i = 0; i < G_N_ELEMENTS(ending); i++) {
		if (!is_ignored_for_good(ending[i]))
			sigaddset(&mask, ending[i]);
	}
	for (; *also != 0; also++)
		sigaddset(&mask, *also);
	/* If it is ignored, the status of a child process is discarded. */
	sigaction(SIGCHLD, &usual, &held->sigchld_before);
	held->fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (held->fd >= 0 && sigprocmask(SIG_BLOCK, &mask, &held->mask_before) == 0)
		return TRUE;
	tool_fail("could not wait for signals: %s", g_strerror(errno));
	sigaction(SIGCHLD, &held->sigchld_before, NULL);
	if (held->fd >= 0)
		close(held->fd);
	return FALSE;
}

void held_signals_wait(const HeldSignals *held, guint64 wait_ns)
{
	struct pollfd ready = {.fd = held->fd, .events = POLLIN};
	const struct timespec wait = {(time_t)(wait_ns / 1000000000), (long)(wait_ns % 1000000000)};

	ppoll(&ready, 1, &wait, NULL);
}

gboolean held_signals_next(const HeldSignals *held, int *signal, gboolean *from_kernel)
{
	struct signalfd_siginfo info;

	if (read(held->fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return FALSE;
	*signal = (int)info.ssi_signo;
	*from_kernel = info.ssi_code == SI_KERNEL;
	return TRUE;
}

void held_signals_restore(const HeldSignals *held)
{
	sigaction(SIGCHLD, &held->sigchld_before, NULL);
	sigprocmask(SIG_SETMASK, &held->mask_before, NULL);
}

void held_signals_end(HeldSignals *held)
{
	gboolean from_kernel;
	int signal;

	while (held_signals_next(held, &signal, &from_kernel))
		;
	close(held->fd);
	held_signals_restore(held);
}
