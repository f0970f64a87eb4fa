"""recording.py - traced programs and their traces.

The programs are those of tests/probe/SConscript. The normal build of `ltt` reads the traces, so
other code than that which wrote them.
"""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

SOURCE = os.environ.get('LTT_SOURCE', os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get('LTT_BUILD', os.path.join(SOURCE, 'build/sanitize'))
USE = os.environ.get('LTT_USE', os.path.join(SOURCE, 'build'))
LTT = os.path.join(USE, 'bin/ltt')

# Traces are large and short-lived.
TEMPORARY = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None

SIGNAL_BIT = 1 << 63

# Multiplies the repetitions of the tests in tests/stress.
STRESS = int(os.environ.get('LTT_STRESS', '1'))


def program(name, build=None):
    return os.path.join(build or USE, 'probe', name)


def emulator(name, build=None):
    """The emulator of a program for another machine, which tests/cross/emulate.py has replaced by a script; None: it runs on this one."""
    with open(program(name, build), 'rb') as file:
        script = re.match(rb'#!/bin/sh\nexec (\S+)', file.read(100))
    return script and os.path.basename(script[1].decode())


def executable(name, build=None):
    """The file that is executed as a program."""
    folder, file = os.path.split(os.path.realpath(program(name, build)))
    return os.path.join(folder, '.' + file if emulator(name, build) else file)


def kernel_name(name, build=None):
    """The name by which the kernel knows a process of a program."""
    return emulator(name, build) or name


def call(*words, status=0, timeout=120, **options):
    """Runs a program to its end and returns its output; its exit status must be `status`."""
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=timeout, check=False, **options)
    text = done.stdout.decode('utf-8', 'replace')
    if done.returncode != status:
        raise AssertionError('%s: status %d\n%s' % (' '.join(map(str, words)), done.returncode, text[-4000:]))
    return text


def is_dead(pid):
    """Whether a process has no thread that runs, and so no open file. It may be a zombie."""
    try:
        with open('/proc/%d/stat' % pid, encoding='utf-8') as file:
            state = file.read().rpartition(')')[2].split()[0]
        return state in 'ZX' and len(os.listdir('/proc/%d/task' % pid)) == 1
    except (FileNotFoundError, ProcessLookupError):
        return True


def kill_group(leader):
    """Kills a Popen and its process group. Waits until all processes are dead, also those of other parents."""
    group = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            if os.getpgid(int(pid)) == leader.pid:
                group.append(int(pid))
        except ProcessLookupError:
            pass
    os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()
    while not all(map(is_dead, group)):
        pass


def on_one_cpu():
    """A preexec_fn: pins the program to one CPU, so that it writes one tracefile."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class Case(unittest.TestCase):
    """A test with a temporary directory for traces."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='ltt-test-', dir=TEMPORARY)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.trace = os.path.join(self.folder, 'trace')

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def close(process):
        """Kills a process that has not ended, for addCleanup()."""
        if process.poll() is None:
            process.kill()
        process.communicate()

    # Controls a session like `ltt record` does.

    def session(self, verb, *more, **options):
        return call(program('session'), verb, self.trace, *more, **options)

    def traced(self, *words, rseq=True, build=None, **options):
        """The arguments of a Popen for a program that traces into the session."""
        environment = dict(os.environ, LTT_TRACE_DIR=self.trace, LTT_TRACE_RSEQ='1' if rseq else '0')
        environment.update(options.pop('env', {}))
        return dict(args=[program(words[0], build)] + [str(word) for word in words[1:]], env=environment,
                    stdin=subprocess.DEVNULL, **options)

    def start_traced(self, *words, **options):
        """Starts such a program; the end of the test kills it."""
        process = subprocess.Popen(**self.traced(*words, **options))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def totals(self):
        names = ('bytes', 'lost', 'processes', 'refused')
        return dict(zip(names, map(int, self.session('sum').split('\n')[0].split())))

    # Results.

    def check(self, trace=None, open_blocks=0):
        """Checks that the trace has no problems; returns the output of `ltt check`. open_blocks None: any number."""
        report = json.loads(call(LTT, 'check', '--json', trace or self.trace))
        self.assertEqual(report['problems'], [])
        if open_blocks is not None:
            self.assertEqual(report['open_blocks'], open_blocks)
        return report

    def events(self, *options, trace=None):
        """The events of `ltt dump`."""
        text = call(LTT, 'dump', '--format=json', *options, trace or self.trace)
        return [json.loads(line) for line in text.splitlines()]

    def assert_no_event(self, names):
        """The trace describes no event type with one of these names, and so has no such event."""
        text = call(LTT, 'dump', '--format=json', '--event', names, self.trace, status=1)
        self.assertRegex(text, r'\Altt dump: --event: %s: the trace has no such event; [^\n]+\n\Z' % re.escape(names))

    def lost(self, trace=None):
        """The number of lost events in the trace: the sum of the last totals of all files."""
        totals = {}
        for event in self.events('--all', '--event=tracer.events_lost', trace=trace):
            totals[event['tracefile']] = event['data']['total']
        return sum(totals.values())

    def losses(self, trace=None):
        """The reasons in the trace: number of lost events by reason."""
        return json.loads(call(LTT, 'stat', '--json', trace or self.trace))['lost_by_reason']

    def complete_since(self, trace=None):
        """The time from which on a flight recorder has all events: each CPU overwrites its file at its own pace."""
        firsts = {}
        for event in self.events('--all', '--event=builtin.block_start', trace=trace):
            if event['tracefile'].startswith('cpu/'):
                firsts.setdefault(event['tracefile'], event)
        return max((event['time'] for event in firsts.values() if event['data']['block_id'] > 0), default='+0')

    def pairs(self, trace=None, since='+0'):
        """Events demo.pair of storm in merged order, as lists of numbers by thread. The thread of each event must match its fields."""
        process = subprocess.Popen([LTT, 'dump', '--format=csv', '--event=demo.pair', '--from=' + since, trace or self.trace],
                                   stdout=subprocess.PIPE, text=True)
        by_thread = {}
        with process:
            rows = csv.reader(process.stdout)
            self.assertEqual(next(rows), ['time', 'tracefile', 'event', 'pid', 'tid', 'a', 'b'])
            for _, tracefile, _, pid, tid, who, number in rows:
                who = int(who)
                thread = who & ~SIGNAL_BIT
                if (thread >> 32, thread & 0xffffffff) != (int(pid), int(tid)):
                    self.fail('%s: event of %d/%d is said to be of %s/%s'
                              % (tracefile, thread >> 32, thread & 0xffffffff, pid, tid))
                by_thread.setdefault(who, []).append(int(number))
        self.assertEqual(process.returncode, 0)
        return by_thread

    def assert_whole(self, numbers, who):
        """Checks that the numbers count from 0 without a gap, in order of time."""
        for i, number in enumerate(numbers):
            if number != i:
                self.fail('thread %#x: number %d where %d was expected' % (who, number, i))
