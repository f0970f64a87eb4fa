"""The same events with LTTng-UST: per-user buffers, overwrite mode, no contexts, one thread."""
import os
import shutil
import signal
import subprocess
import tempfile
import time

DAEMON_TRIES = 100


def lttng(*arguments):
    return subprocess.run(['lttng', *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def start_daemon():
    """Returns: a new session daemon that answers, or None if one runs already."""
    if lttng('list'):
        return None
    daemon = subprocess.Popen(['lttng-sessiond', '--no-kernel'], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    for _ in range(DAEMON_TRIES):
        if lttng('list') or daemon.poll() is not None:
            break
        time.sleep(0.1)
    return daemon


def record(command, events, name):
    """Runs the command inside a session; returns what it prints, '' on failure."""
    steps = [('create', name, '--snapshot'),
             ('enable-channel', '-u', '-s', name, '--buffers-uid', '--overwrite', '--subbuf-size', '256k',
              '--num-subbuf', '4', 'channel'),
             ('enable-event', '-u', '-s', name, '-c', 'channel', events),
             ('start', name)]
    if not all(lttng(*step) for step in steps):
        return ''
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    finally:
        lttng('destroy', name)


def run(command, events):
    """Returns: what the command prints while its events are recorded; '' if LTTng-UST is not installed."""
    if not (shutil.which('lttng') and shutil.which('lttng-sessiond')):
        return ''
    home = tempfile.mkdtemp(prefix='ltt-bench-')
    os.environ['LTTNG_HOME'] = home
    daemon = start_daemon()
    try:
        return record(command, events, 'ltt-bench-%d' % os.getpid())
    finally:
        if daemon is not None:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait()
        shutil.rmtree(home)


def measure(program):
    """Returns: {kind: ns}; empty if LTTng-UST is not installed."""
    if not os.path.exists(program):
        return {}
    return {kind: float(ns) for kind, ns in map(str.split, run([program], 'ltt_bench:*').splitlines())}
