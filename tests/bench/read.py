"""The speed of reading traces, compared with `cat` and babeltrace2 on the same events.

`ltt record` makes the traces, of two processes on two CPUs. They are in the page cache; output goes
through a pipe to /dev/null. Commands alternate, and each figure is the minimum of several runs.
Commands use two CPUs unless stated otherwise.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import time
from decimal import Decimal

from measuring import anonymous_mb, table

KINDS = (('pair', 'two 64-bit fields, 22 bytes'), ('string', 'a path and a number'),
         ('nested', 'a sequence of structs and a union'))
NAMES = (('cat', '`cat` of the tracefiles'),
         ('merge', '`ltt dump --format=none`'), ('merge 1', 'the same on one CPU'),
         ('text', '`ltt dump`'), ('text 1', 'the same on one CPU'), ('json', '`ltt dump --format=json`'),
         ('stat -j1', '`ltt stat -j1`'), ('stat -j2', '`ltt stat -j2`'),
         ('latency', '`ltt latency`, by thread, a pair an event'),
         ('columns', 'two columns of a table, one thread'), ('columns 2', 'the same, two threads'),
         ('bt dummy', '`babeltrace2 -o dummy`'), ('bt text', '`babeltrace2`'))
PEER_RUNS = 2
WINDOW_RUNS = 10
PIPE_BYTES = 1 << 20
# Ratios of threads are measured on a trace this many times as long, in which the start of a process matters less.
LONGER = 4
SPIN = [sys.executable, '-c', 'for _ in range(20000000): pass']

# The table of each kind, and two of its columns.
COLUMNS = {'pair': ('bench.pair', 'time', 'a'), 'string': ('bench.opened', 'path', 'flags'),
           'nested': ('bench.drawn', 'points', 'by')}

# Many CPUs: 1 busy, 63 nearly idle, against 2 busy ones.
MANY = (('1', '63'), ('2', '0'))


class Took:
    """The least wall time and CPU time of some runs, in seconds."""

    def __init__(self):
        self.wall = self.cpu = float('inf')

    def add(self, wall, cpu):
        self.wall, self.cpu = min(self.wall, wall), min(self.cpu, cpu)


def run(command, cpus=None):
    """Runs a command on some or all CPUs, and discards its output. Returns: its wall time and CPU time.

    The command inherits the CPUs: with a function between fork() and exec(), the interpreter would copy its address space,
    1.5 ms that no command takes. The interpreter, which empties the pipe, then uses the other CPUs if there are any.
    """
    mine = sorted(os.sched_getaffinity(0))
    began = time.monotonic()
    end, pipe = os.pipe()
    os.sched_setaffinity(0, mine[:cpus])
    with subprocess.Popen(command, stdout=pipe) as process, open('/dev/null', 'wb') as null:
        os.sched_setaffinity(0, mine[cpus:] or mine)
        os.close(pipe)
        while os.splice(end, null.fileno(), PIPE_BYTES):
            pass
        os.close(end)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    took = time.monotonic() - began
    os.sched_setaffinity(0, mine)
    if process.returncode:
        sys.exit('bench: %s: status %d' % (' '.join(command), process.returncode))
    return took, used.ru_utime + used.ru_stime


def spin_seconds(copies, runs):
    """The minimum wall time of parallel copies of an empty loop: shows the benefit of a second CPU."""
    least = float('inf')
    for _ in range(runs):
        start = time.monotonic()
        for spin in [subprocess.Popen(SPIN) for _ in range(copies)]:
            spin.wait()
        least = min(least, time.monotonic() - start)
    return least


class Reading:
    """The figures of one kind of event."""

    def __init__(self, build, folder, kind, events, runs):
        self.ltt = os.path.join(build, 'bin', 'ltt')
        self.columns = os.path.join(build, 'bench', 'columns')
        self.kind = kind
        self.trace = os.path.join(folder, kind)
        self.events, self.runs = events, runs
        subprocess.run([self.ltt, 'record', '-o', self.trace, '--', os.path.join(build, 'bench', 'traced'), kind,
                        str(events), '2'], check=True, stderr=subprocess.DEVNULL)
        self.files = sorted(glob.glob(self.trace + '/cpu/*'))
        self.took = {}

    def take_turns(self, runs, commands):
        for _ in range(runs):
            for name, command, cpus in commands:
                self.took.setdefault(name, Took()).add(*run(command, cpus))

    def window(self):
        """A window of a millisecond in the middle."""
        said = subprocess.run([self.ltt, 'stat', '--json', self.trace], stdout=subprocess.PIPE, check=True).stdout
        found = json.loads(said)
        middle = (Decimal(found['first']) + Decimal(found['last'])) / 2
        return ['--from', '%.9f' % middle, '--to', '%.9f' % (middle + Decimal('0.001'))]

    def threads(self):
        """Commands that one thread runs, and two."""
        columns = [self.columns, self.trace]
        return [('stat -j1', [self.ltt, 'stat', '-j1', self.trace], 2), ('stat -j2', [self.ltt, 'stat', '-j2', self.trace], 2),
                ('columns', [*columns, '1', *COLUMNS[self.kind]], 1), ('columns 2', [*columns, '2', *COLUMNS[self.kind]], 2)]

    def measure_threads(self):
        self.take_turns(self.runs, self.threads())
        return self

    def measure(self):
        dump = [self.ltt, 'dump', self.trace]
        ours = [('cat', ['cat', *self.files], 2),
                ('merge', [*dump, '--format=none'], 2), ('merge 1', [*dump, '--format=none'], 1),
                ('text', dump, 2), ('text 1', dump, 1), ('json', [*dump, '--format=json'], 2),
                *self.threads(),
                ('latency', [self.ltt, 'latency', COLUMNS[self.kind][0], COLUMNS[self.kind][0], self.trace], 2)]
        theirs = []
        if shutil.which('babeltrace2'):
            ctf = self.trace + '.ctf'
            subprocess.run([self.ltt, 'export', self.trace, '-o', ctf, '--to', 'ctf'], check=True)
            theirs = [('bt dummy', ['babeltrace2', '-o', 'dummy', ctf], 2), ('bt text', ['babeltrace2', ctf], 2)]
        for _ in range(PEER_RUNS):
            self.take_turns(1, theirs)
            self.take_turns(-(-self.runs // PEER_RUNS), ours)
        self.spins = spin_seconds(1, self.runs), spin_seconds(2, self.runs)
        self.take_turns(WINDOW_RUNS, [('window', [*dump, *self.window()], 2)])
        self.memory = max(anonymous_mb([*dump, '--format=none']), anonymous_mb(dump))
        return self

    def rows(self):
        for name, title in NAMES:
            if name in self.took:
                took = self.took[name]
                yield [title, '%.1f' % (took.wall * 1e9 / self.events), '%.1f' % (took.cpu * 1e9 / self.events),
                       '%.1f' % (took.wall / self.took['cat'].wall)]

    def ns(self, name):
        return self.took[name].wall * 1e9 / self.events

    def gain_of_loops(self):
        """How many times as fast two empty loops are at once as one after the other."""
        return 2 * self.spins[0] / self.spins[1]

    def times(self, mine, peer):
        """The ratio of two figures; None if the other one was not measured."""
        return self.took[peer].wall / self.took[mine].wall if peer in self.took else None


def many_cpus(build, folder, events, runs):
    """The cost of merging one busy CPU and 63 nearly idle ones, relative to two busy ones."""
    traces = [os.path.join(folder, 'many-' + hot) for hot, _ in MANY]
    took = [Took() for _ in MANY]
    for (hot, idle), trace in zip(MANY, traces):
        subprocess.run([os.path.join(build, 'bench', 'make-trace'), hot, idle, str(events), trace], check=True)
    for _ in range(runs):
        for one, trace in zip(took, traces):
            one.add(*run([os.path.join(build, 'bin', 'ltt'), 'dump', '--format=none', trace], 1))
    for trace in traces:
        shutil.rmtree(trace)
    return took[0].cpu / took[1].cpu


class Target:
    """A bound, and the measured figure of each kind. gains: by kind, what two empty loops gained; the figure is shown as a
    share of it, too."""

    def __init__(self, title, form, bound, is_most, values, gains=None):
        self.title, self.form, self.bound, self.is_most, self.gains = title, form, bound, is_most, gains
        self.values = {kind: value for kind, value in values.items() if value is not None}

    def row(self):
        if not self.values:
            return [self.title, 'not measured', '', self.form % self.bound, '']
        kind = (max if self.is_most else min)(self.values, key=self.values.get)
        worst = self.values[kind]
        is_met = worst <= self.bound if self.is_most else worst >= self.bound
        shown = self.form % worst
        if self.gains is not None:
            shown += ', %.0f %% of two loops' % (100 * worst / self.gains[kind])
        return [self.title, shown, kind, ('at most ' if self.is_most else 'at least ') + self.form % self.bound,
                'yes' if is_met else 'no']


def targets(readings, longer, many):
    def of_all(function, kinds=tuple(kind for kind, _ in KINDS)):
        return {kind: function(readings[kind]) for kind in kinds}

    gains = of_all(Reading.gain_of_loops)
    return [
        Target('merge, against `babeltrace2 -o dummy`', '%.1f times', 25, False,
               of_all(lambda one: one.times('merge', 'bt dummy'), ('string', 'nested'))),
        Target('the same, two fields', '%.1f times', 40, False, of_all(lambda one: one.times('merge', 'bt dummy'), ('pair',))),
        Target('merge, two fields', '%.1f ns', 8, True, of_all(lambda one: one.ns('merge'), ('pair',))),
        Target('`ltt latency`, CPU time of a pair', '%.0f ns', 150, True,
               of_all(lambda one: one.took['latency'].cpu * 1e9 / one.events)),
        Target('merge, 1 busy CPU and 63 idle ones against 2 busy', '%.2f times', 1.5, True, {'made': many}),
        Target('text, against `babeltrace2`', '%.1f times', 20, False, of_all(lambda one: one.times('text', 'bt text'))),
        Target('text', '%.1f ns', 75, True, of_all(lambda one: one.ns('text'))),
        Target('text, two CPUs against one', '%.2f times', 1.8, False, of_all(lambda one: one.times('text', 'text 1')), gains),
        Target('`stat`, `-j2` against `-j1`', '%.2f times', 1.8, False, of_all(lambda one: one.times('stat -j2', 'stat -j1')),
               gains),
        Target('the same, %d times as many events' % LONGER, '%.2f times', 1.8, False,
               {longer.kind: longer.times('stat -j2', 'stat -j1')}),
        Target('two columns, one thread', '%.1f ns', 10, True, of_all(lambda one: one.ns('columns'), ('pair',))),
        Target('two columns, two threads against one', '%.2f times', 1.8, False,
               of_all(lambda one: one.times('columns 2', 'columns')), gains),
        Target('the same, %d times as many events' % LONGER, '%.2f times', 1.8, False,
               {longer.kind: longer.times('columns 2', 'columns')}),
        Target('window of 1 ms, in all', '%.1f ms', 20, True, of_all(lambda one: one.took['window'].wall * 1e3)),
        Target('memory', '%.1f MB', 32, True, of_all(lambda one: one.memory)),
    ]


def show(build, folder, events, runs):
    readings = {}
    for kind, _ in KINDS:
        reading = readings[kind] = Reading(build, folder, kind, events, runs).measure()
        shutil.rmtree(reading.trace)
        shutil.rmtree(reading.trace + '.ctf', ignore_errors=True)
    longer = Reading(build, folder, 'pair', events * LONGER, runs).measure_threads()
    shutil.rmtree(longer.trace)
    many = many_cpus(build, folder, events, runs)
    print('\n## Reading, %d events of two CPUs\n' % events)
    print(table(['worst of all kinds', 'is', 'of', 'target', 'met'], [one.row() for one in targets(readings, longer, many)]),
          end='\n\n')
    print('Two empty loops in parallel are %.2f times as fast here as one after the other.\n'
          % min(one.gain_of_loops() for one in readings.values()))
    for kind, title in KINDS:
        print(table([title, 'ns an event', 'CPU ns', '/ `cat`'], readings[kind].rows()), end='\n\n', flush=True)
