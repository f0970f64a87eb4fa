"""Names of threads in recordings of perf: the same as perf prints."""
import collections
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest

from cli.test_perf_made import Recording
from command import ltt
from perf_recordings import FOLDER, PerfTest, can_record

TRACEPOINTS = os.path.join(FOLDER, 'file-tracepoints.data')
COMM, FORK, FINISHED_ROUND = 3, 7, 68
GONE = 2 ** 32 - 1

# Threads change their names during sampling, processes inherit the name of the forking thread, and
# a thread calls exec.
PROGRAM = '''
import ctypes, os, threading

libc = ctypes.CDLL(None)
barrier = threading.Barrier(3)

def spin():
    sum(range(300000))

def work(name):
    spin()
    barrier.wait()
    libc.prctl(15, name, 0, 0, 0)
    barrier.wait()
    spin()

threads = [threading.Thread(target=work, args=(name,)) for name in (b'reader one', b'writer')]
for thread in threads:
    thread.start()
barrier.wait()
libc.prctl(15, b'main loop', 0, 0, 0)
barrier.wait()
spin()
for thread in threads:
    thread.join()
if os.fork() == 0:
    spin()
    libc.prctl(15, b'child', 0, 0, 0)
    spin()
    os.execlp('sh', 'sh', '-c', 'for i in 1 2 3; do ls /proc/self; done')
os.wait()
'''


def names_of_perf(path):
    """(time, thread, name) -> number of samples. A name may have spaces at its end."""
    out = subprocess.run(['perf', 'script', '-i', path, '--ns', '-F', 'comm,tid,time'], check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout.decode(errors='replace')
    found = re.findall(r'^ *(.*?) +(-?\d+) +(\d+\.\d{9}): *$', out, re.M)
    assert len(found) == len(out.splitlines()), out
    return collections.Counter((time, int(tid) % 2 ** 32, name) for name, tid, time in found)


class Names(PerfTest):
    def names(self, trace, *options):
        """(time, thread, name) of each event; the name is None if unknown."""
        found = []
        for line in ltt('dump', *options, trace).lines:
            match = re.match(r'(\d+\.\d{9})  \S+  \S+  pid=\d+ tid=(\d+)(?: comm=("(?:\\.|[^"\\])*"|\S+))?(?:  |$)', line)
            if match:
                name = match.group(3)
                found.append((match.group(1), int(match.group(2)), json.loads(name) if name and name[0] == '"' else name))
        return found


@unittest.skipUnless(can_record(), 'perf may not record here')
class OfPerf(Names):
    def record(self, *options):
        path, program = self.path('recorded'), self.path('program.py')
        with open(program, 'w', encoding='utf-8') as file:
            file.write(PROGRAM)
        done = subprocess.run(['perf', 'record', '-q', '-m', '2M', '-o', path, *options, sys.executable, program], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path if done.returncode == 0 else None

    def compare(self, path):
        trace, _ = self.imported(path)
        theirs = names_of_perf(path)
        events = {event['event'] for event in self.events(trace) if 'ip' in event['data']}
        mine = collections.Counter((time, tid, name or ':%d' % (tid if tid != GONE else -1))
                                   for time, tid, name in self.names(trace, '--event', ','.join(sorted(events))))
        # Threads that no record names have the name of their process, if that is known.
        unnamed = {(time, tid) for time, tid, name in theirs if name.startswith(':')}
        theirs, mine = ({key: number for key, number in of.items() if key[:2] not in unnamed or key[1] == GONE} for of in (theirs, mine))
        self.assertEqual(mine, theirs)
        self.assertEqual(self.read(self.exported(trace)), self.read(path))
        return {name for _, _, name in theirs}

    def test_a_program(self):
        names = self.compare(self.record('-e', 'cpu-clock:u', '-F', '20000'))
        self.assertLessEqual({'main loop', 'reader one', 'writer', 'child', 'sh', 'ls'}, names)

    def test_the_machine(self):
        path = self.record('-a', '-e', 'sched:sched_switch,sched:sched_wakeup,cpu-clock')
        if path is None:
            self.skipTest('perf may not record the machine here')
        self.assertLessEqual({'main loop', 'reader one', 'writer', 'child', 'sh', 'ls'}, self.compare(path))

    def test_names_after_the_samples(self):
        """With --overwrite, perf synthesizes them at the end."""
        path = self.record('--overwrite', '-a', '-e', 'cpu-clock')
        if path is None:
            self.skipTest('perf may not record the machine here')
        self.assertIn('ls', self.compare(path))


class Made(Names):
    def setUp(self):
        super().setUp()
        self.recording = Recording().attr()

    def comm(self, time, pid, tid, name):
        content = name.encode() + b'\0'
        body = struct.pack('<II', pid, tid) + content.ljust((len(content) + 7) // 8 * 8, b'\0')
        return self.recording.record(COMM, body + self.sample_id(time))

    def fork(self, time, pid, ppid, tid, ptid):
        return self.recording.record(FORK, struct.pack('<IIIIQ', pid, ppid, tid, ptid, time) + self.sample_id(time))

    def sample_id(self, time):
        return struct.pack('<IIQQII', 0, 0, time, 1, 0, 0)

    def sample(self, time, pid, tid):
        return self.recording.record(9, struct.pack('<QIIQQII', 0x1000, pid, tid, time, 1, 0, 0), 2)

    def expect(self, names):
        trace, _ = self.import_content(self.recording.content())
        self.assertEqual([name for _, _, name in self.names(trace, '--event', 'perf.cpu_clock')], names)
        return trace

    def test_threads_inherit_and_change(self):
        self.comm(0, 100, 100, 'server')
        self.comm(0, 100, 101, 'old worker')
        self.sample(1000, 100, 101)
        self.fork(2000, 100, 100, 102, 101)
        self.sample(3000, 100, 102)
        self.comm(4000, 100, 102, 'own')
        self.sample(5000, 100, 102)
        self.sample(6000, 100, 100)
        self.fork(7000, 103, 100, 103, 102)
        self.sample(8000, 103, 103)
        self.comm(9000, 103, 103, 'program')
        self.sample(10000, 103, 103)
        self.sample(11000, 100, 101)
        trace = self.expect(['old worker', 'old worker', 'own', 'server', 'own', 'program', 'old worker'])
        threads = json.loads(ltt('stat', '--json', trace).out)['threads']
        self.assertEqual({thread['tid']: thread['name'] for thread in threads if thread['tid'] in (100, 101, 102, 103)},
                         {100: 'server', 101: 'old worker', 102: 'own', 103: 'program'})

    def test_names_after_the_samples(self):
        """A name without a time is that of the samples that perf has not printed yet."""
        self.sample(1000, 100, 100)
        self.comm(2000, 100, 100, 'changed')
        self.sample(3000, 100, 100)
        self.comm(0, 100, 100, 'first')
        self.recording.record(FINISHED_ROUND, b'')
        self.sample(4000, 101, 101)
        self.comm(0, 101, 101, 'second')
        self.recording.record(FINISHED_ROUND, b'')
        self.sample(5000, 101, 101)
        self.sample(5001, 102, 102)
        self.recording.record(FINISHED_ROUND, b'')
        self.comm(0, 101, 101, 'third')
        self.comm(0, 102, 102, 'fourth')
        trace = self.expect(['first', 'changed', 'second', 'third', 'fourth'])
        part, _ = self.imported(self.exported(trace, '--to', '0.0000035'))
        self.assertEqual([name for _, _, name in self.names(part, '--event', 'perf.cpu_clock')], ['first', 'changed'])

    def test_ids_that_no_comm_names(self):
        self.comm(0, 100, 100, 'server')
        self.sample(1000, 0, 0)
        self.sample(2000, 100, GONE)
        self.sample(3000, GONE, GONE)
        self.sample(4000, 100, 104)
        self.expect(['swapper', None, None, 'server'])

    def test_ids_that_are_used_again(self):
        self.comm(0, 100, 100, 'server')
        self.comm(0, 100, 101, 'worker')
        self.sample(1000, 100, 101)
        self.fork(2000, 101, 100, 101, 100)
        self.sample(3000, 101, 101)
        self.fork(4000, 200, 77, 200, 77)
        self.sample(5000, 200, 200)
        self.fork(6000, 100, 55, 100, 55)
        self.sample(7000, 100, 100)
        self.expect(['worker', 'server', None, None])

    def test_long_names(self):
        """Long names are printed, but not inherited: the kernel truncates names."""
        self.comm(0, 100, 100, 'x' * 64)
        self.fork(1000, 101, 100, 101, 100)
        self.sample(2000, 100, 100)
        self.sample(3000, 101, 101)
        self.expect(['x' * 64, None])

    def test_records_too_short_for_names(self):
        self.recording.record(COMM, struct.pack('<I', 100))
        self.recording.record(FORK, struct.pack('<II', 100, 100))
        self.sample(1000, 100, 100)
        trace, _ = self.imported(self.written(), 1)
        self.assertEqual([name for _, _, name in self.names(trace, '--event', 'perf.cpu_clock')], [None])
        self.assertEqual(self.read(self.exported(trace)), self.recording.content())

    def written(self):
        with open(self.path('recording'), 'wb') as file:
            file.write(self.recording.content())
        return self.path('recording')

    def test_a_cut_begins_with_the_names_of_its_start(self):
        self.test_threads_inherit_and_change()
        trace, cut = self.path('trace'), self.path('cut')
        for start in (0, 2, 5, 9):
            for options in ((), ('--to', '0.0000095'), ('--every', '0.000004s')):
                shutil.rmtree(cut, ignore_errors=True)
                window = ('--from', '0.%09d' % (1000 * start), *(() if '--every' in options else options))
                expected = self.names(trace, '--event', 'perf.cpu_clock', *window)
                self.assert_done(ltt('cut', '--from', '0.%09d' % (1000 * start), *options, '-o', cut, trace), None)
                parts = [os.path.join(cut, part) for part in sorted(os.listdir(cut))] if '--every' in options else [cut]
                found = [name for part in parts for name in self.names(part, '--event', 'perf.cpu_clock')]
                self.assertEqual(found, expected, (start, options))

    def test_chrome_shows_them(self):
        self.test_threads_inherit_and_change()
        self.assert_done(ltt('export', '--to', 'chrome', '-o', self.path('json'), self.path('trace')))
        events = json.loads(self.read(self.path('json')))['traceEvents']
        names = {(event['name'], event['tid']): event['args']['name'] for event in events if event['ph'] == 'M' and event['tid'] < 200}
        self.assertEqual(names, {('process_name', 100): 'server', ('thread_name', 101): 'old worker', ('thread_name', 102): 'own',
                                 ('process_name', 103): 'program', ('process_name', 0): 'swapper'})


class Recordings(Names):
    def test_a_part_has_the_names_of_the_whole(self):
        trace, cut = self.make(TRACEPOINTS), self.path('cut')
        for start in ('31.850992717', '31.852', '31.86'):
            shutil.rmtree(cut, ignore_errors=True)
            self.assert_done(ltt('cut', '--from', start, '-o', cut, trace))
            expected = self.names(trace, '--from', start, '--event', 'sched.*')
            self.assertEqual(self.names(cut, '--from', start, '--event', 'sched.*'), expected)
            self.assertGreater(len(expected), 0)


del PerfTest
