"""Programs that drop their rights while they are traced: every event is in the trace."""
import os
import subprocess
import unittest

import recording
from recording import LTT, call, program

EVENTS = 3000
CANNOT = 77
CPUS = len(os.sched_getaffinity(0))
WAYS = ('user', 'groups', 'capabilities', 'root', 'mounts', 'user-namespace', 'descriptors', 'limit', 'calls',
        'calls-or-die', 'files')
WHO = ('same', 'thread', 'child', 'program')

# After these a program that is executed cannot reach anything of the trace: it runs untraced.
UNREACHABLE = {('limit', 'program'), ('calls', 'program')}
# It would be killed in its own start.
DEADLY = {('calls-or-die', 'program')}


@unittest.skipUnless(os.geteuid() == 0 and CPUS > 1, 'takes root, and more than one CPU')
class Drops(recording.Case):
    def drop(self, way, who, rseq):
        """Returns the events by thread, or None where the system cannot do it."""
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


if __name__ == '__main__':
    unittest.main()
