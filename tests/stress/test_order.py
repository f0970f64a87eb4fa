"""Two CPUs: an event that follows an observation of the other CPU has a later time."""
import os
import subprocess
import unittest

import recording
from recording import LTT, program

TURNS = 20000 * recording.STRESS


@unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), 'needs two CPUs')
class Order(recording.Case):
    """With the ordered clock, the default of `ltt record`."""

    def play(self, game, rseq):
        """Returns the number and the thread of each event, in merged order."""
        self.trace = self.path('%s-%d' % (game, rseq))
        subprocess.run([LTT, 'record', '-o', self.trace, '--', program('pingpong'), game, str(TURNS)], check=True,
                       stderr=subprocess.DEVNULL, env=dict(os.environ, LTT_TRACE_RSEQ='1' if rseq else '0'))
        self.check()
        self.assertEqual(self.lost(), 0)
        dump = subprocess.run([LTT, 'dump', '--format=csv', '--event=demo.pair', self.trace], check=True,
                              stdout=subprocess.PIPE)
        rows = [line.split(b',') for line in dump.stdout.splitlines()[1:]]
        return [(int(row[5]), int(row[6])) for row in rows]

    def test_turns(self):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                events = self.play('turns', rseq)
                self.assertEqual(len(events), TURNS)
                for i, (number, _) in enumerate(events):
                    if number != i:
                        self.fail('turn %d where %d was expected' % (number, i))

    def test_queue(self):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                produced = consumed = 0
                for number, side in self.play('queue', rseq):
                    if side == 0:
                        self.assertEqual(number, produced + 1)
                        produced = number
                    else:
                        self.assertLessEqual(number, produced, 'consumed before it was produced')
                        self.assertGreater(number, consumed)
                        consumed = number
                self.assertEqual((produced, consumed), (TURNS, TURNS))


if __name__ == '__main__':
    unittest.main()
