"""tally.py - count the faults that were tried, and those that broke a rule."""
import signal
import sys


def end(number, frame):
    sys.exit(128 + number)


def tally(kind, tried):
    """Prints what broke a rule, and the last line with the totals, so far if it is interrupted. Returns: the exit status

    tried yields (the fault, what it broke or None).
    """
    signal.signal(signal.SIGTERM, end)
    n_faults, n_wrong = 0, 0
    try:
        for fault, wrong in tried:
            n_faults += 1
            if wrong:
                n_wrong += 1
                print('%s: %s' % (fault, wrong), flush=True)
    finally:
        print('%d %s, %d wrong' % (n_faults, kind, n_wrong), flush=True)
    return 1 if n_wrong else 0
