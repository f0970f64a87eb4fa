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

gboolean held_signals_begin(HeldSignals *held, const int *also)
{
	sigset_t mask;

	sigemptyset(&mask);
	for (guint i = 0; i < G_N_ELEMENTS(ending); i++)
		sigaddset(&mask, ending[i]);
	for (; *also != 0; also++)
		sigaddset(&mask, *also);
	held->fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (held->fd >= 0 && sigprocmask(SIG_BLOCK, &mask, &held->mask_before) == 0)
		return TRUE;
	tool_fail("could not wait for signals: %s", g_strerror(errno));
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

void held_signals_restore_mask(const HeldSignals *held)
{
	sigprocmask(SIG_SETMASK, &held->mask_before, NULL);
}

void held_signals_end(HeldSignals *held)
{
	gboolean from_kernel;
	int signal;

	while (held_signals_next(held, &signal, &from_kernel))
		;
	close(held->fd);
	held_signals_restore_mask(held);
}
