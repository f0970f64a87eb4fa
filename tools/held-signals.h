/* held-signals.h - signals of a command that records: it handles them between two of its steps, so
 * that none leaves an incomplete trace.
 */
#ifndef HELD_SIGNALS_H
#define HELD_SIGNALS_H

#include <glib.h>
#include <signal.h>

typedef struct HeldSignals {
	int fd; /* of signalfd(2) */
	sigset_t mask_before;
	struct sigaction sigchld_before;
} HeldSignals;

/**
 * held_signals_begin:
 * @also: (array zero-terminated=1): signals to hold besides; the first 0 ends the list
 *
 * Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and the signals in @also, until held_signals_end(). SIGHUP is
 * left alone if it is ignored, as after nohup(1). SIGCHLD gets its default effect.
 *
 * Returns: whether they are blocked; if not, an error message was printed
 */
gboolean held_signals_begin(HeldSignals *held, const int *also);

/* Returns after @wait_ns ns, or earlier if a signal arrives. */
void held_signals_wait(const HeldSignals *held, guint64 wait_ns);

/**
 * held_signals_next:
 * @signal: (out): its number
 * @from_kernel: (out): whether the kernel sent it, for example because of Ctrl-C, which a terminal
 *   sends to all processes in its foreground
 *
 * Takes the next signal that has arrived.
 *
 * Returns: FALSE if there is none
 */
gboolean held_signals_next(const HeldSignals *held, int *signal, gboolean *from_kernel);

/* Discards the signals that have arrived, and restores the effect of later ones. */
void held_signals_end(HeldSignals *held);

/* Restores the mask of signals and the effect of SIGCHLD: for a child process that will execute a
 * program. */
void held_signals_restore(const HeldSignals *held);

#endif
