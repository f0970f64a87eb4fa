"""How fast traces are read, beside `cat` and babeltrace2 on the same events.

The trace is in the page cache, output goes through a pipe to a program that throws it away, and each
figure is the least of several runs.
"""
import glob
import os
import shutil
import subprocess
import sys
import time

from measuring import table

KINDS = (('pair', 'two 64-bit fields, 22 bytes'), ('string', 'a path and a number'),
         ('nested', 'a sequence of structs and a union'))
PEER_RUNS = 2
WINDOW_RUNS = 10
RSS_INTERVAL_S = 0.01
SPIN = [sys.executable, '-c', 'for _ in range(20000000): pass']


def stay_on_one_cpu():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def seconds(command, runs, on_one_cpu=False):
    """The least wall time of some runs of a command whose output is read and thrown away."""
    least = float('inf')
    for _ in range(runs):
        start = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE,
                              preexec_fn=stay_on_one_cpu if on_one_cpu else None) as process:
            while os.read(process.stdout.fileno(), 1 << 20):
                pass
        if process.returncode:
            sys.exit('bench: %s: status %d' % (' '.join(command), process.returncode))
        least = min(least, time.monotonic() - start)
    return least


def spin_seconds(copies, runs):
    """The least wall time of some copies of a loop that touches nothing, at once: what a second CPU is worth here."""
    least = float('inf')
    for _ in range(runs):
        start = time.monotonic()
        for spin in [subprocess.Popen(SPIN) for _ in range(copies)]:
            spin.wait()
        least = min(least, time.monotonic() - start)
    return least


def anonymous_mb(command):
    """The most memory of its own that a command was seen to have while it ran."""
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                with open('/proc/%d/status' % process.pid, encoding='ascii') as status:
                    most = max([most, *(int(line.split()[1]) for line in status if line.startswith('RssAnon'))])
            except OSError:
                break
            time.sleep(RSS_INTERVAL_S)
    return most / 1024


class Reading:
    """The figures of one kind of event."""

    def __init__(self, build, folder, kind, events, runs):
        self.ltt = os.path.join(build, 'bin', 'ltt')
        self.trace = os.path.join(folder, kind)
        self.events, self.runs = events, runs
        subprocess.run([os.path.join(build, 'bench', 'make-trace'), kind, str(events), self.trace], check=True)
        self.files = sorted(glob.glob(self.trace + '/cpu/*'))
        self.took = {}

    def time(self, name, command, runs=None):
        self.took[name] = seconds(command, runs or self.runs)

    def time_both(self, name, command):
        """With all CPUs, and with one."""
        self.time(name, command)
        self.took[name + ' 1'] = seconds(command, self.runs, on_one_cpu=True)

    def window(self):
        """A millisecond in the middle; an event comes each 100 cycles of 2.6 GHz on average."""
        middle = 0.5 * self.events * 100 / 2.6e9
        return ['--from', '+%.6f' % middle, '--to', '+%.6f' % (middle + 0.001)]

    def measure(self):
        dump = [self.ltt, 'dump', self.trace]
        self.time('cat', ['cat', *self.files])
        self.time_both('merge', [*dump, '--format=none'])
        self.time_both('text', dump)
        self.time('json', [*dump, '--format=json'])
        self.time('stat -j1', [self.ltt, 'stat', '-j1', self.trace])
        self.time('stat -j2', [self.ltt, 'stat', '-j2', self.trace])
        self.took['spin'], self.took['spin 2'] = spin_seconds(1, self.runs), spin_seconds(2, self.runs)
        self.time('window', [*dump, *self.window()], WINDOW_RUNS)
        self.memory = {'merge': anonymous_mb([*dump, '--format=none']), 'text': anonymous_mb(dump)}
        if shutil.which('babeltrace2'):
            ctf = self.trace + '.ctf'
            subprocess.run([self.ltt, 'export', self.trace, '-o', ctf, '--to', 'ctf'], check=True)
            self.time('bt dummy', ['babeltrace2', '-o', 'dummy', ctf], PEER_RUNS)
            self.time('bt text', ['babeltrace2', ctf], 1)
        return self

    def rows(self):
        names = (('cat', '`cat` of the tracefiles'),
                 ('merge', '`ltt dump --format=none`'), ('merge 1', 'the same on one CPU'),
                 ('text', '`ltt dump`'), ('text 1', 'the same on one CPU'), ('json', '`ltt dump --format=json`'),
                 ('stat -j1', '`ltt stat -j1`'), ('stat -j2', '`ltt stat -j2`'),
                 ('bt dummy', '`babeltrace2 -o dummy`'), ('bt text', '`babeltrace2`'))
        for name, title in names:
            if name in self.took:
                yield [title, '%.1f' % (self.took[name] * 1e9 / self.events),
                       '%.1f' % (self.took[name] / self.took['cat'])]

    def ratios(self):
        """What is quoted: name, number."""
        for name, mine, peer in (('merge against `babeltrace2 -o dummy`', 'merge', 'bt dummy'),
                                 ('merge on one CPU', 'merge 1', 'bt dummy'),
                                 ('text against `babeltrace2`', 'text', 'bt text'),
                                 ('text on one CPU', 'text 1', 'bt text'),
                                 ('`stat`: `-j2` against `-j1`', 'stat -j2', 'stat -j1')):
            if peer in self.took:
                yield name, '%.2f times' % (self.took[peer] / self.took[mine])
        yield 'two spin loops at once against one after the other', '%.2f times' % (2 * self.took['spin'] / self.took['spin 2'])
        yield 'window of 1 ms, in all', '%.1f ms' % (self.took['window'] * 1e3)
        yield 'memory: merge', '%.1f MB' % self.memory['merge']
        yield 'memory: text', '%.1f MB' % self.memory['text']


def show(build, folder, events, runs):
    print('\n## Reading, %d events of two CPUs\n' % events)
    readings = {}
    for kind, title in KINDS:
        reading = readings[kind] = Reading(build, folder, kind, events, runs).measure()
        print(table([title, 'ns an event', '/ `cat`'], reading.rows()), end='\n\n', flush=True)
        shutil.rmtree(reading.trace)
        shutil.rmtree(reading.trace + '.ctf', ignore_errors=True)
    columns = [dict(readings[kind].ratios()) for kind, _ in KINDS]
    print(table(['', *(kind for kind, _ in KINDS)], [[name, *(column[name] for column in columns)]
                                                     for name in columns[0]]), flush=True)
