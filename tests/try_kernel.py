"""`scons try-kernel`: `ltt record --kernel` for a minute, and SIGKILL of a hundred recorders.

usage: try_kernel.py [SECONDS [KILLS]]

The minute prints the growth of the trace in each tenth, and the programs with most events. It fails if the trace has system
calls of the recorder, more than 100 of its events a second, or if the recorder uses more CPU time than 0.5 s to start, 1 % of
a CPU, and 400 ns for each event. A machine that does nothing else shows the least growth. Each killed recorder must leave a valid trace, and no
instance of tracefs may be left after the next start.
"""
import collections
import csv
import glob
import os
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

from kernel_case import Kernel, instances
from recording import LTT, call

KILLS = int(sys.argv.pop(2)) if len(sys.argv) > 2 else 100
SECONDS = float(sys.argv.pop(1)) if len(sys.argv) > 1 else 60
START_S, CPU_SHARE, EVENT_NS, OWN_PER_SECOND = 0.5, 0.01, 400, 100


def size(trace):
    return sum(os.path.getsize(path) for path in glob.glob(os.path.join(trace, '*', '*')))


class Idle(Kernel):
    def test_the_recorder_does_not_feed_itself(self):
        started = time.monotonic()
        process = self.start('--kernel')
        last = size(self.trace)
        for tenth in range(1, 11):
            time.sleep(max(0.0, started + tenth * SECONDS / 10 - time.monotonic()))
            last, before = size(self.trace), last
            print('%5.1f s  %+9d bytes' % (time.monotonic() - started, last - before), flush=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(), (0, 1))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.check()
        n_events = self.report(process.pid, cpu_s)
        self.assertLess(cpu_s, START_S + CPU_SHARE * SECONDS + EVENT_NS * 1e-9 * n_events)

    def report(self, recorder, cpu_s):
        """Prints the programs with most events. The recorder has no system calls."""
        names = {event['data']['tid']: event['data']['name'] for event in self.events('--all', '--event=threads.name')}
        own, programs, n_events = collections.Counter(), collections.Counter(), 0
        text = 'SELECT pid, tid, type, count(*) FROM events GROUP BY 1, 2, 3'
        for pid, tid, name, n in csv.reader(call(LTT, 'sql', '--format=csv', self.trace, text).splitlines()[1:]):
            n_events += int(n)
            programs[names.get(int(tid), 'tid ' + tid) if tid else 'idle'] += int(n)
            if pid == str(recorder):
                own[name] += int(n)
        print('%d events, %d bytes, the recorder used %.2f s of CPU time' % (n_events, size(self.trace), cpu_s))
        for comm, n in programs.most_common(8):
            print('%9d  %s' % (n, comm))
        print('of the recorder: %s' % (dict(own) or 'none'), flush=True)
        self.assertEqual([name for name in own if name.startswith('syscalls.')], [])
        self.assertLess(sum(own.values()), OWN_PER_SECOND * SECONDS)
        return n_events


class Killed(Kernel):
    def test_at_random_moments(self):
        dice = random.Random()
        killed = []
        n_traces = n_events = 0
        for number in range(KILLS):
            self.trace = self.path('killed-%d' % number)
            process = subprocess.Popen([LTT, 'record', '--kernel', '-o', self.trace], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, 1.5))
            process.kill()
            process.wait()
            killed.append(process)
            if os.path.exists(os.path.join(self.trace, 'info/system.xml')):
                n_events += self.check(open_blocks=None)['events']
                n_traces += 1
        self.trace = self.path('last')
        self.record('--kernel', '--duration=100ms')
        self.check()
        self.assertEqual([path for process in killed for path in instances(process)], [])
        print('%d recorders killed, %d traces with %d events, no instance left' % (KILLS, n_traces, n_events), flush=True)


if __name__ == '__main__':
    unittest.main()
