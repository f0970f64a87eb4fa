"""`ltt stat --states`, `ltt latency --states` and the tables sched and thread_state."""
import gzip
import json
import os
import shutil
import tempfile
import unittest

from kernel_case import Kernel
from recording import LTT, SOURCE, USE, Case, call

DATA = os.path.join(SOURCE, 'tests/data')
SETS = '--kernel=sched,irq,syscalls,faults'
CPU_STATES = 'thread', 'softirq', 'irq', 'idle', 'unknown'
THREAD_STATES = 'running', 'runnable', 'preempted', 'waiting', 'unknown'


def query(trace, text):
    return [json.loads(line) for line in call(LTT, 'sql', '--format', 'json', trace, text).splitlines()]


def states(trace, *options):
    return json.loads(call(LTT, 'stat', '--states', '--json', *options, trace))


def named(sums, name):
    return next(thread for thread in sums['threads'] if thread['name'] == name)


def waits(thread):
    return {wait['for']: wait for wait in thread['waits']}


class Sums(Case):
    def assert_complete(self, sums):
        for cpu in sums['cpus']:
            self.assertEqual(sum(cpu[state]['ns'] for state in CPU_STATES), sums['length_ns'])
        for thread in sums['threads']:
            self.assertLessEqual(sum(thread[state]['ns'] for state in THREAD_STATES), sums['length_ns'])
            self.assertEqual(sum(wait['ns'] for wait in thread['waits']), thread['waiting']['ns'])

    def assert_same_in_sql(self, trace, sums):
        """The table thread_state has the same times, and sched those of running threads."""
        text = ("SELECT tid, sum(dur) FILTER (WHERE state = 'Running') AS running, "
                "sum(dur) FILTER (WHERE state IN ('S', 'D', 'T')) AS waiting FROM thread_state GROUP BY tid")
        rows = {row['tid']: row for row in query(trace, text)}
        self.assertEqual(len(rows), len(sums['threads']))
        for thread in sums['threads']:
            row = rows[thread['tid']]
            self.assertEqual((row['running'] or 0, row['waiting'] or 0),
                             (thread['running']['ns'], thread['waiting']['ns']))
        total = query(trace, 'SELECT sum(dur) AS ns FROM sched')
        self.assertEqual(total[0]['ns'], sum(thread['running']['ns'] for thread in sums['threads']))


class Recorded(Kernel, Sums):
    def test_known_behaviour(self):
        """A shell waits until cat reads from a pipe, sleeps, and writes to the pipe."""
        pipe = self.path('pipe')
        os.mkfifo(pipe)
        self.record(SETS, '--kernel-buffer=32M', '--', 'sh', '-c',
                    'cat <"$0" & exec 3>"$0"; until grep -q "(cat) S" /proc/$!/stat; do :; done; sleep 0.05; exec 3>&-; wait', pipe)
        sums = states(self.trace)
        sleeper = named(sums, 'sleep')
        self.assert_complete(sums)
        self.assertGreaterEqual(waits(sleeper)['clock_nanosleep']['longest_ns'], 50000000)
        self.assertGreater(waits(named(sums, 'cat'))['read']['longest_ns'], 10000000)
        self.assert_same_in_sql(self.trace, sums)

    def test_threads_that_wait_all_the_time(self):
        """Their state is known from the start of the recording, and so is their name."""
        self.record(SETS, '--kernel-buffer=32M', '--', 'sleep', '0.05')
        sums = states(self.trace)
        still = [thread for thread in sums['threads'] if thread['waiting']['ns'] == sums['length_ns']]
        self.assertTrue(still)

    def test_windows_cpus_and_threads(self):
        self.record(SETS, '--kernel-buffer=32M', '--', 'sh', '-c', 'sleep 0.03; sleep 0.01')
        whole = states(self.trace)
        parts = states(self.trace, '--to', '+0.02'), states(self.trace, '--from', '+0.02')
        for part in parts:
            self.assert_complete(part)
        for cpu in whole['cpus']:
            both = [next(other for other in part['cpus'] if other['cpu'] == cpu['cpu']) for part in parts]
            for state in CPU_STATES:
                self.assertEqual(sum(other[state]['ns'] for other in both), cpu[state]['ns'])
        one = states(self.trace, '--cpu', whole['cpus'][0]['cpu'])
        self.assertEqual(one['cpus'], whole['cpus'][:1])
        chosen = states(self.trace, '--event', 'syscalls.sys_enter_clock_nanosleep')
        self.assertIn('sleep', {thread['name'] for thread in chosen['threads']})
        self.assertNotIn('sh', {thread['name'] for thread in chosen['threads']})

    @unittest.skipIf(shutil.which('chrt') is None, 'needs chrt')
    def test_four_reasons(self):
        """Each slow request of the sample is slow for another reason."""
        folder = tempfile.mkdtemp(dir=USE) # on a disk, unlike self.folder
        self.addCleanup(shutil.rmtree, folder)
        self.record('--kernel=sched,syscalls,faults', '--kernel-buffer=32M', '--only-program', '--', 'chrt', '-r', 1,
                    os.path.join(USE, 'samples/slow-server'), cwd=folder)
        found = json.loads(call(LTT, 'latency', 'slow_server.request', 'slow_server.response', '--group', 'kind', '--longest', 4,
                                '--states', '--json', self.trace))
        mostly = {pair['group']: pair_states['mostly']
                  for pair, pair_states in zip(found['longest'], found['states']['longest'])}
        self.assertEqual(set(mostly), {'lock', 'disk', 'neighbour', 'faults'})
        self.assertTrue(mostly['lock'].startswith('waiting: futex 0x'), mostly)
        disk = found['states']['longest'][[pair['group'] for pair in found['longest']].index('disk')]
        self.assertEqual(disk['waits'][0]['for'], 'fsync')
        # With a fast disk and slow wake-ups, as on a busy host, the thread waits longer for its CPU than for the disk.
        if disk['waits'][0]['ns'] > max(disk['runnable']['ns'] + disk['preempted']['ns'], disk['running']['ns']):
            self.assertEqual(mostly['disk'], 'waiting: fsync')
        else:
            self.assertIn(mostly['disk'].partition(',')[0], ('runnable', 'running'), disk)
        self.assertEqual(mostly['neighbour'], 'runnable, without a CPU')
        self.assertRegex(mostly['faults'], '^running, [0-9]{5} page faults$')


class Imported(Sums):
    def test_recording_with_events_of_the_scheduler(self):
        """`perf record -C 1 -e sched:sched_switch,... -- taskset -c 1 sleep 0.005`"""
        path = os.path.join(self.folder, 'perf.data')
        with gzip.open(os.path.join(DATA, 'states/sched.data.gz')) as packed, open(path, 'wb') as file:
            shutil.copyfileobj(packed, file)
        call(LTT, 'import', path, '-o', self.trace)
        sums = states(self.trace)
        self.assert_complete(sums)
        self.assertEqual(len(sums['cpus']), 1)
        self.assertGreaterEqual(waits(named(sums, 'sleep'))['system call 230']['longest_ns'], 5000000)
        self.assert_same_in_sql(self.trace, sums)


class Without(Case):
    def test_a_trace_without_such_events(self):
        trace = os.path.join(DATA, 'ltt/sparse-cpus')
        self.assertIn('no events that determine the states', call(LTT, 'stat', '--states', trace, status=1))
