"""Programs that drop their privileges while they are traced: every event is in the trace."""
import os
import struct
import subprocess
import unittest

import recording
from recording import LTT, call, program

EVENTS = 3000
CANNOT = 77
LANES_AT_HAND = 32  # of a process
CPUS = len(os.sched_getaffinity(0))
WAYS = ('user', 'groups', 'capabilities', 'root', 'mounts', 'user-namespace', 'descriptors', 'limit', 'calls',
        'calls-or-die', 'files')
WHO = ('same', 'thread', 'child', 'program')

# In info/session (doc/session.md): cpus and lanes, lost events, and those of each tracefile.
CPUS_AT, LOST_AT, CONTROL_LOST_AT, FILES_AT, FILE_BYTES = 65548, 131224, 131240, 329280 + 64, 256

# After these a program that is executed cannot reach the trace: it runs untraced.
UNREACHABLE = {('limit', 'program'), ('calls', 'program')}
# The filter would kill the program at its start.
DEADLY = {('calls-or-die', 'program')}


@unittest.skipUnless(os.geteuid() == 0 and CPUS > 1, 'takes root, and more than one CPU')
class Drops(recording.Case):
    def drop(self, way, who, rseq):
        """Returns the events by thread, or None if the system does not support it."""
        self.trace = self.path('%s-%s-%d' % (way, who, rseq))
        empty = self.path('empty')
        os.makedirs(empty, exist_ok=True)
        done = subprocess.run([LTT, 'record', '-o', self.trace, '--block-size=4K', '--', program('drop'), way, who, str(CPUS),
                               empty],
                              env=dict(os.environ, LTT_TRACE_RSEQ='1' if rseq else '0'), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        said = done.stdout.decode()
        if done.returncode == CANNOT:
            return None
        self.assertEqual(done.returncode, 0, said)
        self.assertNotIn('LOST', said)
        self.assertNotIn('could not be written', said)
        self.check()
        self.assertEqual(self.lost(), 0)
        return self.pairs()

    def matrix(self, rseq):
        cannot = set()
        for way in WAYS:
            for who in WHO:
                if (way, who) in DEADLY:
                    continue
                with self.subTest(way=way, who=who):
                    threads = self.drop(way, who, rseq)
                    if threads is None:
                        cannot.add(way)
                        continue
                    for thread, numbers in threads.items():
                        self.assert_whole(numbers, thread)
                    expected = EVENTS if (way, who) in UNREACHABLE else EVENTS * CPUS
                    self.assertEqual(sum(map(len, threads.values())), expected)
                    call('rm', '-r', self.trace)
        if cannot:
            self.skipTest('not on this system: ' + ', '.join(sorted(cannot)))

    def test_with_restartable_sequences(self):
        self.matrix(True)

    def test_in_lanes(self):
        self.matrix(False)

    # ---- a trace that the program starts by itself ----

    def own(self, way, who, rseq):
        """Returns the number of events in the trace, and of lost events in the session state; or None."""
        self.trace = self.path('own-%s-%s-%d' % (way, who, rseq))
        empty = self.path('empty')
        os.makedirs(empty, exist_ok=True)
        done = subprocess.run([program('drop'), way, who, str(CPUS), empty, self.trace],
                              env=dict(os.environ, LTT_TRACE_RSEQ='1' if rseq else '0'), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        if done.returncode == CANNOT:
            return None
        self.assertEqual(done.returncode, 0, done.stdout.decode())
        self.check(open_blocks=None)
        with open(os.path.join(self.trace, 'info/session'), 'rb') as file:
            state = file.read()
        files = sum(struct.unpack_from('=II', state, CPUS_AT))
        lost = struct.unpack_from('=Q', state, LOST_AT)[0]
        lost += sum(struct.unpack_from('=Q', state, at)[0]
                    for at in range(FILES_AT, FILES_AT + files * FILE_BYTES, FILE_BYTES))
        self.assertEqual(struct.unpack_from('=Q', state, CONTROL_LOST_AT)[0], 0)
        return sum(map(len, self.pairs().values())), lost

    def own_matrix(self, rseq):
        cannot = set()
        for way in WAYS + ('descriptors-user',):
            for who in ('same', 'thread', 'child'):
                with self.subTest(way=way, who=who):
                    found = self.own(way, who, rseq)
                    if found is None:
                        cannot.add(way)
                        continue
                    written, lost = found
                    self.assertEqual(written + lost, EVENTS * CPUS)
                    # No process is left that can allocate blocks.
                    if way != 'descriptors-user':
                        self.assertEqual(lost, 0)
                    call('rm', '-r', self.trace)
        if cannot:
            self.skipTest('not on this system: ' + ', '.join(sorted(cannot)))

    def test_own_trace(self):
        self.own_matrix(True)

    def test_own_trace_in_lanes(self):
        self.own_matrix(False)


@unittest.skipUnless(os.uname().machine == 'x86_64', 'the list of calls of the program itself is that of x86-64')
class Filtered(recording.Case):
    def expect(self, threads, untraced=0, **environment):
        """Records that number of threads and three forked processes, and asserts that the events of @untraced are lost."""
        self.trace = self.path(str(threads))
        done = subprocess.run([LTT, 'record', '-o', self.trace, '--block-size=4K', '--', program('filtered'), str(EVENTS), str(threads)],
                              env=dict(os.environ, **environment), stdin=subprocess.DEVNULL, check=False, timeout=60)
        self.assertIn(done.returncode, (0, CANNOT))
        if done.returncode == CANNOT:
            self.skipTest('a filter of system calls is not permitted here')
        self.assertEqual((self.check()['events'], self.lost()), ((threads + 3 - untraced) * EVENTS, untraced * EVENTS))
        self.assertEqual(self.losses(), {'no_right': untraced * EVENTS} if untraced else {})

    def test_only_the_documented_system_calls(self):
        """Also at exit(3), which calls the destructors of libraries."""
        self.expect(2)

    def test_in_lanes(self):
        self.expect(20, LTT_TRACE_RSEQ='0')

    def test_without_the_sequences_of_libc(self):
        self.expect(20, GLIBC_TUNABLES='glibc.pthread.rseq=0')

    def test_a_library_that_is_loaded_later(self):
        """Its description cannot be written: its events are lost."""
        done = subprocess.run([LTT, 'record', '--no-machine', '-o', self.trace, '--', program('late'), program('plugin.so')],
                              stdin=subprocess.DEVNULL, check=False, timeout=60)
        self.assertIn(done.returncode, (0, CANNOT))
        if done.returncode == CANNOT:
            self.skipTest('a filter of system calls is not permitted here')
        self.assertEqual((self.check()['events'], self.losses()), (0, {'no_right': 100}))

    def test_more_threads_than_lanes_at_hand(self):
        """No file of a lane can be opened: the events of some threads, and of the children, are lost."""
        self.expect(40, 40 - LANES_AT_HAND + 3, LTT_TRACE_RSEQ='0')


if __name__ == '__main__':
    unittest.main()
